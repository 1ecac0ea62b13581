/*
 * change.c: builds changes and applies them to a state.
 */
#include "modes/change.h"

#include <assert.h>
#include <string.h>

#include "modes/work_mode.h"

static_assert((int)SF_FIELD_WORK == (int)SF_AXIS_WORK, "fields begin with the axes");
static_assert((int)SF_FIELD_MODEL == (int)SF_AXIS_MODEL, "fields begin with the axes");
static_assert((int)SF_FIELD_SCOPE == SF_AXIS_SETTABLE, "fields begin with the axes");

const char *const sf_field_nouns[] = { "work mode",  "run control", "permission profile",
                                       "model mode", "scope",       "pause",
                                       "trust",      NULL };
static_assert(SF_COUNT(sf_field_nouns) == SF_FIELD_COUNT + 1, "a noun for each field");

void sf_change_axis(struct sf_mode_change *change, enum sf_axis axis, int value)
{
    assert(axis != SF_AXIS_SURFACE);
    sf_mode_state_set(&change->want, axis, value);
    change->fields |= SF_FIELD_BIT(axis);
    change->floors &= ~SF_FIELD_BIT(axis);
    change->roofs &= ~SF_FIELD_BIT(axis);
}

void sf_change_axis_floor(struct sf_mode_change *change, enum sf_axis axis, int value)
{
    sf_change_axis(change, axis, value);
    change->floors |= SF_FIELD_BIT(axis);
}

void sf_change_axis_roof(struct sf_mode_change *change, enum sf_axis axis, int value)
{
    sf_change_axis(change, axis, value);
    change->roofs |= SF_FIELD_BIT(axis);
}

void sf_change_scope(struct sf_mode_change *change, const char *name)
{
    sf_mode_state_set_scope(&change->want, name);
    change->fields |= SF_FIELD_BIT(SF_FIELD_SCOPE);
    change->default_scope = false;
}

void sf_change_scope_default(struct sf_mode_change *change)
{
    change->fields |= SF_FIELD_BIT(SF_FIELD_SCOPE);
    change->default_scope = true;
}

void sf_change_paused(struct sf_mode_change *change, bool paused)
{
    change->want.paused = paused;
    change->fields |= SF_FIELD_BIT(SF_FIELD_PAUSED);
}

void sf_change_trust(struct sf_mode_change *change, bool trust)
{
    change->want.trust = trust;
    change->fields |= SF_FIELD_BIT(SF_FIELD_TRUST);
}

void sf_field_copy(struct sf_mode_state *to, const struct sf_mode_state *from, enum sf_field field)
{
    switch (field) {
    case SF_FIELD_WORK:
    case SF_FIELD_CONTROL:
    case SF_FIELD_PROFILE:
    case SF_FIELD_MODEL:
        sf_mode_state_set(to, (enum sf_axis)field, sf_mode_state_get(from, (enum sf_axis)field));
        break;
    case SF_FIELD_SCOPE:
        memcpy(to->scope, from->scope, sizeof(to->scope));
        break;
    case SF_FIELD_PAUSED:
        to->paused = from->paused;
        break;
    case SF_FIELD_TRUST:
        to->trust = from->trust;
        break;
    }
}

void sf_change_put(struct sf_mode_change *change, const struct sf_mode_change *top)
{
    for (int f = 0; f < SF_FIELD_COUNT; f++)
        if (top->fields & SF_FIELD_BIT(f))
            sf_field_copy(&change->want, &top->want, (enum sf_field)f);
    if (top->fields & SF_FIELD_BIT(SF_FIELD_SCOPE))
        change->default_scope = top->default_scope;
    change->floors = (change->floors & ~top->fields) | top->floors;
    change->roofs = (change->roofs & ~top->fields) | top->roofs;
    change->fields |= top->fields;
}

/* Whether the current value satisfies the minimum or maximum already, and stays. */
static bool stays(const struct sf_mode_change *change, const struct sf_mode_state *from,
                  enum sf_axis axis)
{
    int now = sf_mode_state_get(from, axis), want = sf_mode_state_get(&change->want, axis);

    return ((change->floors & SF_FIELD_BIT(axis)) && now > want) ||
           ((change->roofs & SF_FIELD_BIT(axis)) && now < want);
}

static void place_scope(const struct sf_mode_change *change, const struct sf_mode_state *from,
                        const struct sf_scope_set *scopes, struct sf_mode_state *to)
{
    bool asked = change->fields & SF_FIELD_BIT(SF_FIELD_SCOPE);

    if (asked && !change->default_scope)
        sf_field_copy(to, &change->want, SF_FIELD_SCOPE);
    else if (asked || to->work != from->work)
        sf_mode_state_set_scope(to, sf_work_default_scope(scopes, to->work));
}

struct sf_mode_state sf_change_target(const struct sf_mode_change *change,
                                      const struct sf_mode_state *from,
                                      const struct sf_scope_set *scopes)
{
    struct sf_mode_state to = *from;

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        if ((change->fields & SF_FIELD_BIT(axis)) && !stays(change, from, (enum sf_axis)axis))
            sf_field_copy(&to, &change->want, (enum sf_field)axis);
    place_scope(change, from, scopes, &to);
    if (change->fields & SF_FIELD_BIT(SF_FIELD_PAUSED))
        to.paused = change->want.paused;
    if (to.control != SF_RUN_AUTONOMOUS)
        to.paused = false;
    if (change->fields & SF_FIELD_BIT(SF_FIELD_TRUST))
        to.trust = change->want.trust;
    return to;
}

unsigned sf_change_between(const struct sf_mode_state *a, const struct sf_mode_state *b)
{
    unsigned fields = 0;

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        if (sf_mode_state_get(a, (enum sf_axis)axis) != sf_mode_state_get(b, (enum sf_axis)axis))
            fields |= SF_FIELD_BIT(axis);
    if (strcmp(a->scope, b->scope) != 0)
        fields |= SF_FIELD_BIT(SF_FIELD_SCOPE);
    if (a->paused != b->paused)
        fields |= SF_FIELD_BIT(SF_FIELD_PAUSED);
    if (a->trust != b->trust)
        fields |= SF_FIELD_BIT(SF_FIELD_TRUST);
    return fields;
}
