/*
 * judge_case: a workspace TOP/work and a home TOP/home with a policy, as the tests of verdicts share
 * them. What lies there is put before the policy is made.
 */
#ifndef SF_TESTS_SUPPORT_JUDGE_CASE_H
#define SF_TESTS_SUPPORT_JUDGE_CASE_H

#include "judge/judge.h"

struct judge_case {
    char *dir, *home;
    struct sf_config *config;
    struct sf_workspace workspace;
    struct sf_policy_context policy; /* once judge_case_begin was called */
    bool has_policy;
    struct sf_mode_state state; /* the same */
};

/* Two empty directories; no variable says that a part of the home lies elsewhere. */
struct judge_case *judge_case_new(void);
void judge_case_free(struct judge_case *c);

/* A link in the workspace. */
void judge_case_link(const struct judge_case *c, const char *name, const char *target);

/* Runs a script of sh or fails the test. */
void judge_case_run(const char *dir, const char *script);

/* Makes the policy of the settings and the axes of a new session; the next time, anew. */
void judge_case_begin(struct judge_case *c);

/* Judges a command; the caller releases the verdict. */
void judge_case_command(const struct judge_case *c, const char *command, struct sf_judged *out);

#endif
