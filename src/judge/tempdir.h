/*
 * tempdir: a session's temporary directory. Chosen at once, made when first needed, removed with
 * the session. It is locked as long as its session lives, so what a killed one left is found and
 * removed by the next. Life: sf_tempdir_init, sf_tempdir_make, sf_tempdir_release.
 */
#ifndef SF_JUDGE_TEMPDIR_H
#define SF_JUDGE_TEMPDIR_H

#include <stdbool.h>

#include "base/base.h"

struct sf_tempdir {
    char *base; /* $TMPDIR or /tmp */
    char *path; /* short, since the names of local sockets must be */
    int lock;   /* the directory itself; -1: not made yet */
};

bool sf_tempdir_init(struct sf_tempdir *scratch, struct sf_error *err) SF_MUST_CHECK;
bool sf_tempdir_make(struct sf_tempdir *scratch, struct sf_error *err) SF_MUST_CHECK;
void sf_tempdir_release(struct sf_tempdir *scratch);

#endif
