/*
 * health_case: a directory with a workspace, a state directory that is not made yet and settings of
 * its own, as the checks of health get them.
 */
#ifndef SF_TESTS_SUPPORT_HEALTH_CASE_H
#define SF_TESTS_SUPPORT_HEALTH_CASE_H

#include "health/health.h"

struct health_case {
    char *dir; /* real; in it: work, state, tmp, home */
    struct sf_workspace workspace;
    struct sf_health_context at;
};

/* cmocka fixtures: *state is a struct health_case. */
int health_case_setup(void **state);
int health_case_teardown(void **state);

/* Runs a shell in the directory; fails the test when the command fails. */
void health_case_sh(struct health_case *w, const char *command);

/* Takes a snapshot of the workspace, so that there is a repository of them. */
void health_case_snap(struct health_case *w);

#endif
