/*
 * matrix: what each permission profile says to each kind of action. One table; docs and `sf
 * guard matrix` are printed from it.
 */
#ifndef SF_GUARD_MATRIX_H
#define SF_GUARD_MATRIX_H

#include "modes/modes.h"

/* From the mildest to the hardest, so that the worst of several answers is their maximum. */
enum sf_answer { SF_ALLOW, SF_ASK, SF_DENY };

extern const char *const sf_answer_names[];

enum sf_row {
    SF_ROW_READ_INSIDE,
    SF_ROW_READ_OUTSIDE,
    SF_ROW_EDIT,
    SF_ROW_COMMAND_READ,
    SF_ROW_COMMAND_LOCAL,
    SF_ROW_COMMAND_BUILD,
    SF_ROW_UNKNOWN_CAGED,
    SF_ROW_UNKNOWN_BARE,
    SF_ROW_NETWORK_READ,
    SF_ROW_NETWORK_WRITE,
    SF_ROW_EXTERNAL,
    SF_ROW_NOTE,
    SF_ROW_DESTRUCTIVE,
    SF_ROW_WRITE_OUTSIDE,
    SF_ROW_PLAN_SUBMIT, /* plans: the same under every profile, decided by mode and surface */
    SF_ROW_PLAN_ELSEWHERE,
    SF_ROW_PLAN_ACCEPT,
    SF_ROW_PLAN_AUTONOMOUS,
    SF_ROW_COUNT,
    SF_ROW_ANY_PROFILE = SF_ROW_PLAN_SUBMIT, /* no profile differs from here on */
};

enum { SF_PROFILE_COUNT = 4 };

struct sf_matrix_row {
    enum sf_row kind;
    const char *name;  /* stable, for rules and rows of the log: "network-read" */
    const char *label; /* for people: "network read (fetch, clone, package download)" */
    enum sf_answer answers[SF_PROFILE_COUNT]; /* by enum sf_profile */
    enum sf_answer trusted[SF_PROFILE_COUNT]; /* in a session whose fence is lifted */
};

extern const struct sf_matrix_row sf_matrix[SF_ROW_COUNT]; /* by enum sf_row */

enum sf_answer sf_matrix_answer(enum sf_row kind, enum sf_profile profile, bool trust);

#endif
