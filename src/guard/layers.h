/*
 * layers: the ten layers without advice. Private to the room: verdict.c has them, advice.c asks
 * them what they would say in another state.
 */
#ifndef SF_GUARD_LAYERS_H
#define SF_GUARD_LAYERS_H

#include "guard/verdict.h"

void sf_guard_ask_layers(const struct sf_action *action, const struct sf_mode_state *state,
                         const struct sf_policy *policy, struct sf_verdict *out);

/* Fills in what would change a verdict that is no allow, where its layer says nothing better. */
void sf_guard_advise(const struct sf_action *action, const struct sf_mode_state *state,
                     const struct sf_policy *policy, struct sf_verdict *out);

#endif
