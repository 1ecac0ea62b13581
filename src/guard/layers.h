/*
 * layers: the ten layers without advice, and the rows they look up. Private to the room: verdict.c
 * has them, advice.c and promise.c ask them what they would say in another state, approval.c names
 * the rows.
 */
#ifndef SF_GUARD_LAYERS_H
#define SF_GUARD_LAYERS_H

#include "guard/verdict.h"

void sf_guard_ask_layers(const struct sf_action *action, const struct sf_mode_state *state,
                         const struct sf_policy *policy, struct sf_verdict *out);

/* The row of the matrix a command falls under by what it does, wherever its paths lead. */
enum sf_row sf_shell_row(const struct sf_shell_report *report, bool caged);

/* The row of any action but plans, whose row depends on the state. */
enum sf_row sf_action_row(const struct sf_action *action);

/* Fills in what would change a verdict that is no allow, where its layer says nothing better. */
void sf_guard_advise(const struct sf_action *action, const struct sf_mode_state *state,
                     const struct sf_policy *policy, struct sf_verdict *out);

#endif
