/*
 * transition.c: the words of transitions and their JSON.
 */
#include "modes/transition.h"

#include <string.h>

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

static void change_json(const char *name, const struct sf_mode_change *change,
                        const struct sf_mode_state *to, struct sf_json_writer *w)
{
    struct sf_mode_state want = change->want;

    if (!sf_scope_name_ok(want.scope)) /* the change names no scope */
        sf_mode_state_set_scope(&want, to->scope);
    sf_jw_key(w, name);
    sf_jw_object_begin(w);
    sf_jw_key_int(w, "fields", change->fields);
    sf_jw_key_int(w, "floors", change->floors);
    sf_jw_key_int(w, "roofs", change->roofs);
    sf_jw_key_bool(w, "defaultScope", change->default_scope);
    sf_jw_key(w, "want");
    sf_mode_state_json(&want, w);
    sf_jw_object_end(w);
}

static void waits_json(const struct sf_transition *t, struct sf_json_writer *w)
{
    sf_jw_key(w, "waits");
    sf_jw_object_begin(w);
    sf_jw_key_bool(w, "confirmed", t->confirmed);
    change_json("asked", &t->asked, &t->to, w);
    change_json("left", &t->change, &t->to, w);
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
    if (t->outcome == SF_OUTCOME_PENDING)
        waits_json(t, w);
    sf_jw_object_end(w);
}

/* ---- parsing ---- */

static bool get_bits(const struct sf_json *json, const char *name, unsigned *out,
                     struct sf_error *err)
{
    int64_t bits;

    if (!sf_json_get_int(json, name, &bits, err))
        return false;
    if (bits < 0 || bits > SF_FIELDS_ALL)
        return sf_fail(err, SF_E_SYNTAX, "a transition has no such %s", name);
    *out = (unsigned)bits;
    return true;
}

static bool get_change(const struct sf_json *waits, const char *name, struct sf_mode_change *out,
                       struct sf_error *err)
{
    const struct sf_json *json = sf_json_get(waits, name);
    const struct sf_json *want = json ? sf_json_get(json, "want") : NULL;

    if (!want)
        return sf_fail(err, SF_E_SYNTAX, "a waiting transition lacks %s", name);
    *out = SF_MODE_CHANGE_INIT;
    return get_bits(json, "fields", &out->fields, err) &&
           get_bits(json, "floors", &out->floors, err) &&
           get_bits(json, "roofs", &out->roofs, err) &&
           sf_json_get_bool(json, "defaultScope", &out->default_scope, err) &&
           sf_mode_state_from_json(&out->want, want, err);
}

static bool get_name(const struct sf_json *json, const char *name, const char *const *names,
                     int *out, struct sf_error *err)
{
    const char *text;

    if (!sf_json_get_str(json, name, &text, err))
        return false;
    for (*out = 0; names[*out]; ++*out)
        if (!strcmp(names[*out], text))
            return true;
    return sf_fail(err, SF_E_SYNTAX, "a transition has no %s %.40s", name, text);
}

static bool get_text(const struct sf_json *json, const char *name, char *out, size_t size,
                     struct sf_error *err)
{
    const char *text;

    if (!sf_json_get_str(json, name, &text, err))
        return false;
    if (strlen(text) >= size)
        return sf_fail(err, SF_E_SYNTAX, "the %s of a transition is too long", name);
    snprintf(out, size, "%s", text);
    return true;
}

/* Fields that are not written are the same in both states. */
static bool get_state(const struct sf_json *json, const char *name, struct sf_mode_state *out,
                      struct sf_error *err)
{
    const struct sf_json *state;
    const char *scope;

    sf_mode_state_init(out, SF_SURFACE_TUI);
    if (!sf_json_get_object(json, name, &state, err))
        return false;
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        const char *text;
        int value;

        if (!sf_json_get_str(state, sf_axes[axis].json, &text, err) ||
            !sf_axis_parse((enum sf_axis)axis, text, &value, err))
            return false;
        sf_mode_state_set(out, (enum sf_axis)axis, value);
    }
    if (!sf_json_opt_str(state, "scope", out->scope, &scope, err) ||
        !sf_json_opt_bool(state, "paused", false, &out->paused, err) ||
        !sf_json_opt_bool(state, "trust", false, &out->trust, err))
        return false;
    if (!sf_scope_name_ok(scope))
        return sf_fail(err, SF_E_SYNTAX, "a transition names no scope");
    if (scope != out->scope)
        sf_mode_state_set_scope(out, scope);
    return true;
}

/* Reads id, time, session and the like. A row without some of them is shown all the same. */
static bool get_identity(const struct sf_json *json, struct sf_transition *t, struct sf_error *err)
{
    const struct sf_json *list = sf_json_get(json, "supersedes");
    const char *time, *session;
    int when = 0;

    if (!sf_json_opt_str(json, "timestamp", "", &time, err) ||
        !sf_json_opt_str(json, "sessionId", "", &session, err) ||
        !sf_json_opt_int(json, "id", 0, &t->id, err) ||
        !sf_json_opt_int(json, "supersededBy", 0, &t->superseded_by, err) ||
        !sf_json_opt_int(json, "reverts", 0, &t->reverts, err) ||
        (sf_json_get(json, "scope") && !get_name(json, "scope", sf_when_names, &when, err)))
        return false;
    for (const struct sf_json *it = list ? sf_json_first(list) : NULL;
         it && t->supersedes_count < SF_COUNT(t->supersedes); it = sf_json_next(it))
        if (!sf_json_as_int(it, "supersedes", &t->supersedes[t->supersedes_count++], err))
            return false;
    snprintf(t->time, sizeof(t->time), "%.*s", (int)sizeof(t->time) - 1, time);
    snprintf(t->session, sizeof(t->session), "%.*s", (int)sizeof(t->session) - 1, session);
    t->when = (enum sf_when)when;
    return true;
}

bool sf_transition_shown(struct sf_transition *out, const struct sf_json *json,
                         struct sf_error *err)
{
    struct sf_transition t = { .id = 0 };
    int actor = 0, outcome = 0;
    const char *note;

    if (!get_state(json, "from", &t.from, err) || !get_state(json, "to", &t.to, err) ||
        !get_name(json, "actor", sf_actor_names, &actor, err) ||
        !get_name(json, "outcome", sf_outcome_names, &outcome, err) ||
        !get_text(json, "reason", t.reason, sizeof(t.reason), err) ||
        !sf_json_opt_str(json, "note", "", &note, err) || !get_identity(json, &t, err))
        return false;
    snprintf(t.note, sizeof(t.note), "%.*s", SF_TRANSITION_REASON, note);
    t.actor = (enum sf_actor)actor;
    t.outcome = (enum sf_outcome)outcome;
    *out = t;
    return true;
}

bool sf_transition_from_json(struct sf_transition *out, const struct sf_json *json,
                             struct sf_error *err)
{
    struct sf_transition t = { .from = out->from, .to = out->to, .written = true };
    const struct sf_json *waits = sf_json_get(json, "waits");
    int when = 0, actor = 0;

    if (!waits)
        return sf_fail(err, SF_E_SYNTAX, "the transition does not wait");
    if (!sf_json_get_int(json, "id", &t.id, err) ||
        !get_name(json, "scope", sf_when_names, &when, err) ||
        !get_name(json, "actor", sf_actor_names, &actor, err) ||
        !get_text(json, "reason", t.reason, sizeof(t.reason), err) ||
        !get_text(json, "sessionId", t.session, sizeof(t.session), err) ||
        !get_text(json, "timestamp", t.time, sizeof(t.time), err) ||
        !sf_json_opt_int(json, "reverts", 0, &t.reverts, err) ||
        !sf_json_opt_int(json, "supersededBy", 0, &t.superseded_by, err) ||
        !sf_json_get_bool(waits, "confirmed", &t.confirmed, err) ||
        !get_change(waits, "asked", &t.asked, err) || !get_change(waits, "left", &t.change, err))
        return false;
    if (t.id < 1 || !t.change.fields)
        return sf_fail(err, SF_E_SYNTAX, "the transition changes nothing");
    t.when = (enum sf_when)when;
    t.actor = (enum sf_actor)actor;
    *out = t;
    return true;
}
