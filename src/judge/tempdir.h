/*
 * tempdir: a session's temporary directory. The name is chosen at once; the directory is made when
 * first needed and removed with the session. It is locked while the session lives, so the next
 * session can remove what a killed one left behind. Life: sf_tempdir_init, sf_tempdir_make,
 * sf_tempdir_release.
 */
#ifndef SF_JUDGE_TEMPDIR_H
#define SF_JUDGE_TEMPDIR_H

#include <stdbool.h>

#include "base/base.h"

struct sf_tempdir {
    char *base; /* $TMPDIR or /tmp */
    char *path; /* short, because the names of local sockets are limited */
    int lock;   /* the directory itself; -1: not made yet */
};

bool sf_tempdir_init(struct sf_tempdir *scratch, struct sf_error *err) SF_MUST_CHECK;
/* The same below a directory of the caller's choice, which is made if it is missing. */
bool sf_tempdir_init_below(struct sf_tempdir *scratch, const char *base,
                           struct sf_error *err) SF_MUST_CHECK;
/* Removes what killed processes left below the directory; it need not exist. */
void sf_tempdir_sweep(const char *base);
bool sf_tempdir_make(struct sf_tempdir *scratch, struct sf_error *err) SF_MUST_CHECK;
void sf_tempdir_release(struct sf_tempdir *scratch);

#endif
