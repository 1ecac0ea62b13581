/*
 * handoff: the mode changes that the work itself causes. An accepted plan leads to build; a failed
 * health gate may lead from build to repair, depending on the project's policy; a review leads to
 * review, for one unit.
 */
#ifndef SF_MODES_HANDOFF_H
#define SF_MODES_HANDOFF_H

#include <stdbool.h>

#include "modes/axes.h"
#include "modes/change.h"
#include "modes/state.h"

/*
 * Build with the chosen profile and the smart model; autonomous if the user chose that, otherwise
 * one unit at a time.
 */
void sf_handoff_plan(struct sf_mode_change *change, bool autonomous, enum sf_profile profile);

/*
 * The profile to offer who accepts a plan. A plan is made under restricted, where nothing can be
 * built: then it is normal. Whoever offers it names it, and only a person accepts more than there is.
 */
enum sf_profile sf_handoff_profile(enum sf_profile now);

enum sf_repair_policy {
    SF_REPAIR_AUTO,
    SF_REPAIR_ASK, /* the default of new projects */
    SF_REPAIR_LOG_ONLY,
};

extern const char *const sf_repair_policy_names[]; /* "auto", "ask", "log-only" */

enum sf_repair_step {
    SF_REPAIR_STEP_STAY,   /* say so in the log; dispatch stays blocked */
    SF_REPAIR_STEP_OFFER,  /* ask the user */
    SF_REPAIR_STEP_SWITCH, /* submit the change as the controller */
};

/* Only an autonomous build that is not paused switches by itself or asks. */
enum sf_repair_step sf_repair_decide(enum sf_repair_policy policy,
                                     const struct sf_mode_state *state);

/* A run that halts is paused; one that is over gives control back. */
void sf_handoff_halt(struct sf_mode_change *change, bool over);

/* Review, in which nothing is written; everything else stays. */
void sf_handoff_review(struct sf_mode_change *change);

/* Repair with at most the normal profile; run control and model mode stay. */
void sf_handoff_repair(struct sf_mode_change *change);

#endif
