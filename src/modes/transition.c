/*
 * transition.c: the words of transitions and their JSON.
 */
#include "modes/transition.h"

const char *const sf_when_names[] = {
    "now", "after-current-tool", "after-current-unit", "next-milestone", "for-next-unit", NULL
};
const char *const sf_outcome_names[] = { "pending", "applied",   "superseded",
                                         "refused", "cancelled", NULL };

static void state_json(const struct sf_mode_state *state, unsigned moved, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        sf_jw_key_str(
            w, sf_axes[axis].json,
            sf_axis_name((enum sf_axis)axis, sf_mode_state_get(state, (enum sf_axis)axis)));
    if (moved & SF_FIELD_BIT(SF_FIELD_SCOPE))
        sf_jw_key_str(w, "scope", state->scope);
    if (moved & SF_FIELD_BIT(SF_FIELD_PAUSED))
        sf_jw_key_bool(w, "paused", state->paused);
    if (moved & SF_FIELD_BIT(SF_FIELD_TRUST))
        sf_jw_key_bool(w, "trust", state->trust);
    sf_jw_object_end(w);
}

static void optional_json(const struct sf_transition *t, struct sf_json_writer *w)
{
    if (t->supersedes_count) {
        sf_jw_key(w, "supersedes");
        sf_jw_array_begin(w);
        for (size_t i = 0; i < t->supersedes_count; i++)
            sf_jw_int(w, t->supersedes[i]);
        sf_jw_array_end(w);
    }
    if (t->superseded_by)
        sf_jw_key_int(w, "supersededBy", t->superseded_by);
    if (t->reverts)
        sf_jw_key_int(w, "reverts", t->reverts);
    if (t->note[0])
        sf_jw_key_str(w, "note", t->note);
}

void sf_transition_json(const struct sf_transition *t, struct sf_json_writer *w)
{
    unsigned moved = sf_change_between(&t->from, &t->to);

    sf_jw_object_begin(w);
    sf_jw_key_str(w, "timestamp", t->time);
    sf_jw_key(w, "from");
    state_json(&t->from, moved, w);
    sf_jw_key(w, "to");
    state_json(&t->to, moved, w);
    sf_jw_key_str(w, "reason", t->reason);
    sf_jw_key_str(w, "scope", sf_when_names[t->when]);
    sf_jw_key_str(w, "sessionId", t->session);
    sf_jw_key_str(w, "actor", sf_actor_names[t->actor]);
    sf_jw_key_int(w, "id", t->id);
    sf_jw_key_str(w, "outcome", sf_outcome_names[t->outcome]);
    optional_json(t, w);
    sf_jw_object_end(w);
}
