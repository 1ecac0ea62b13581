/*
 * start.c: one row of defaults for each surface, overridden by what was chosen.
 */
#include "modes/start.h"

#include "modes/work_mode.h"

/* The axes for which surfaces have defaults of their own. */
static const struct {
    enum sf_work_mode work;
    enum sf_run_control control;
} starts[] = {
    [SF_SURFACE_TUI] = { SF_WORK_CHAT, SF_RUN_MANUAL },
    [SF_SURFACE_WEB] = { SF_WORK_CHAT, SF_RUN_MANUAL },
    [SF_SURFACE_HEADLESS] = { SF_WORK_BUILD, SF_RUN_ASSISTED },
    [SF_SURFACE_RPC] = { SF_WORK_CHAT, SF_RUN_MANUAL },
};

bool sf_start_state(const struct sf_start *start, enum sf_surface surface,
                    const struct sf_scope_set *scopes, struct sf_mode_state *state,
                    struct sf_error *err)
{
    sf_mode_state_init(state, surface);
    state->work = starts[surface].work;
    state->control = starts[surface].control;
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        if (start->chosen[axis])
            sf_mode_state_set(state, (enum sf_axis)axis, start->values[axis]);
    if (start->scope && !sf_scope_get(scopes, start->scope, err))
        return false;
    sf_mode_state_set_scope(state, start->scope ? start->scope
                                                : sf_work_default_scope(scopes, state->work));
    return true;
}
