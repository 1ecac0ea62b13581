/*
 * facts: what a person wants to know of a plan before accepting it, counted.
 */
#ifndef SF_PLAN_FACTS_H
#define SF_PLAN_FACTS_H

#include <stddef.h>

#include "plan/plan_file.h"

/* Whether there is such a command; who looks is the caller, since this room opens nothing. */
enum sf_plan_command { SF_PLAN_COMMAND_THERE, SF_PLAN_COMMAND_MISSING, SF_PLAN_COMMAND_UNKNOWN };
typedef enum sf_plan_command sf_plan_command_fn(void *ctx, const char *command);

struct sf_plan_facts {
    size_t tasks, milestones, slices;
    size_t high;          /* of high risk */
    size_t external;      /* that change something outside the workspace */
    size_t asking;        /* that ask before they begin */
    size_t unverified;    /* without a command that verifies them */
    size_t missing;       /* whose command does not exist */
    size_t first_missing; /* the first of those */
    size_t minutes;       /* the sum of what is estimated */
    size_t unestimated;
};

/* `look` may be NULL: then nothing is missing. */
struct sf_plan_facts sf_plan_facts_of(const struct sf_plan *plan, sf_plan_command_fn *look,
                                      void *ctx);

/* Appends one line: "7 tasks in 2 milestones; 1 of high risk; 2 without a command to verify them". */
void sf_plan_facts_text(const struct sf_plan_facts *facts, struct sf_strbuf *out);

#endif
