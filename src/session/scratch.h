/*
 * scratch: a session's temporary directory. Chosen at once, made when first needed, removed with
 * the session. It is locked as long as its session lives, so what a killed one left is found and
 * removed by the next. Life: sf_scratch_init, sf_scratch_make, sf_scratch_release.
 */
#ifndef SF_SESSION_SCRATCH_H
#define SF_SESSION_SCRATCH_H

#include <stdbool.h>

#include "base/base.h"

struct sf_scratch {
    char *base; /* $TMPDIR or /tmp */
    char *path; /* short, since the names of local sockets must be */
    int lock;   /* the directory itself; -1: not made yet */
};

bool sf_scratch_init(struct sf_scratch *scratch, struct sf_error *err) SF_MUST_CHECK;
bool sf_scratch_make(struct sf_scratch *scratch, struct sf_error *err) SF_MUST_CHECK;
void sf_scratch_release(struct sf_scratch *scratch);

#endif
