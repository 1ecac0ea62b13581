/*
 * handoff.c: the changes from plan to build, from build to repair, and to review.
 */
#include "modes/handoff.h"

const char *const sf_repair_policy_names[] = { "auto", "ask", "log-only", NULL };

void sf_handoff_plan(struct sf_mode_change *change, bool autonomous, enum sf_profile profile)
{
    sf_change_axis(change, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_change_axis(change, SF_AXIS_CONTROL, autonomous ? SF_RUN_AUTONOMOUS : SF_RUN_ASSISTED);
    sf_change_axis(change, SF_AXIS_PROFILE, (int)profile);
    sf_change_axis(change, SF_AXIS_MODEL, SF_MODEL_SMART);
    sf_change_paused(change, false);
}

enum sf_profile sf_handoff_profile(enum sf_profile now)
{
    return now == SF_PROFILE_RESTRICTED ? SF_PROFILE_NORMAL : now;
}

enum sf_repair_step sf_repair_decide(enum sf_repair_policy policy,
                                     const struct sf_mode_state *state)
{
    static const enum sf_repair_step steps[] = {
        [SF_REPAIR_AUTO] = SF_REPAIR_STEP_SWITCH,
        [SF_REPAIR_ASK] = SF_REPAIR_STEP_OFFER,
        [SF_REPAIR_LOG_ONLY] = SF_REPAIR_STEP_STAY,
    };

    if (state->work != SF_WORK_BUILD || !sf_mode_state_drives(state))
        return SF_REPAIR_STEP_STAY;
    return steps[policy];
}

void sf_handoff_review(struct sf_mode_change *change)
{
    sf_change_axis(change, SF_AXIS_WORK, SF_WORK_REVIEW);
}

void sf_handoff_repair(struct sf_mode_change *change)
{
    sf_change_axis(change, SF_AXIS_WORK, SF_WORK_REPAIR);
    sf_change_axis_roof(change, SF_AXIS_PROFILE, SF_PROFILE_NORMAL);
}

void sf_handoff_halt(struct sf_mode_change *change, bool over)
{
    if (over)
        sf_change_axis(change, SF_AXIS_CONTROL, SF_RUN_MANUAL);
    else
        sf_change_paused(change, true);
}
