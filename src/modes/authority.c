/*
 * authority.c: one row of powers for each actor and one small check for each thing that widens.
 */
#include "modes/authority.h"

#include <string.h>

#include "modes/work_mode.h"

const char *const sf_actor_names[] = { "user", "model", "controller", "remote", "schedule", NULL };

static const struct power {
    const char *who; /* in sentences */
    bool person;     /* may drive: control, resuming, any work mode */
    bool any_scope;  /* beyond the table of the work mode */
    bool trust;
    enum sf_profile highest; /* to which it may raise the profile; restricted: not at all */
    unsigned fields;
} powers[] = {
    [SF_ACTOR_USER] = { "the user", true, true, true, SF_PROFILE_UNRESTRICTED, SF_FIELDS_ALL },
    [SF_ACTOR_REMOTE] = { "a remote client", true, true, false, SF_PROFILE_TRUSTED, SF_FIELDS_ALL },
    [SF_ACTOR_CONTROLLER] = { "the controller", false, true, false, SF_PROFILE_RESTRICTED,
                              SF_FIELDS_ALL },
    [SF_ACTOR_SCHEDULE] = { "a schedule", false, true, false, SF_PROFILE_RESTRICTED,
                            SF_FIELDS_ALL },
    [SF_ACTOR_MODEL] = { "the model", false, false, false, SF_PROFILE_RESTRICTED,
                         SF_FIELD_BIT(SF_FIELD_SCOPE) },
};

struct attempt {
    const struct power *power;
    const struct sf_authority *authority;
    const struct sf_mode_change *change;
    const struct sf_mode_state *from, *to;
    const struct sf_scope_set *scopes;
};

bool sf_actor_is_person(enum sf_actor actor)
{
    return powers[actor].person;
}

static bool check_fields(const struct attempt *a, struct sf_error *err)
{
    unsigned beyond = a->change->fields & ~a->power->fields;

    if (!beyond)
        return true;
    for (int f = 0; f < SF_FIELD_COUNT; f++)
        if (beyond & SF_FIELD_BIT(f))
            return sf_fail(err, SF_E_ARG, "%s may not change the %s", a->power->who,
                           sf_field_nouns[f]);
    return false;
}

static bool check_profile(const struct attempt *a, struct sf_error *err)
{
    const char *name = sf_profile_names[a->to->profile];

    if (a->to->profile <= a->from->profile || a->to->profile <= a->power->highest)
        return true;
    sf_fail(err, SF_E_ARG, "%s may not raise the permission profile to %s", a->power->who, name);
    return sf_hint(err, "the user can, at the terminal: /permission-profile %s", name);
}

static bool check_control(const struct attempt *a, struct sf_error *err)
{
    const char *name = sf_run_control_names[a->to->control];

    if (a->power->person)
        return true;
    if (a->to->control > a->from->control) {
        sf_fail(err, SF_E_ARG, "%s may not raise the run control to %s", a->power->who, name);
        return sf_hint(err, "the user can: /control %s", name);
    }
    if (a->from->paused && !a->to->paused && a->to->control == SF_RUN_AUTONOMOUS) {
        sf_fail(err, SF_E_ARG, "%s may not resume a paused run", a->power->who);
        return sf_hint(err, "the user can: /autonomous");
    }
    return true;
}

static bool check_work(const struct attempt *a, struct sf_error *err)
{
    const char *name = sf_work_mode_names[a->to->work];

    if (a->power->person || sf_work_modes[a->to->work].reach <= sf_work_modes[a->from->work].reach)
        return true;
    sf_fail(err, SF_E_ARG, "%s may not go from %s to %s, which writes more", a->power->who,
            sf_work_mode_names[a->from->work], name);
    return sf_hint(err, "the user can: /mode %s", name);
}

bool sf_profile_needs_trust(enum sf_profile profile)
{
    return profile == SF_PROFILE_UNRESTRICTED;
}

/* Lifting the fence and the widest profile are the same step: in a session with trust it is made. */
static bool check_trust(const struct attempt *a, struct sf_error *err)
{
    bool lifts = a->to->trust && !a->from->trust;
    bool widest = sf_profile_needs_trust(a->to->profile) &&
                  !sf_profile_needs_trust(a->from->profile) && !a->from->trust;

    if (!lifts && !widest)
        return true;
    if (lifts && !a->power->trust) {
        sf_fail(err, SF_E_ARG, "%s may not lift the fence around the workspace", a->power->who);
        return sf_hint(err, "the user can, at the terminal: /trust");
    }
    if (a->authority->workspace_trusted || a->authority->confirmed)
        return true;
    sf_fail(err, SF_E_ARG, "this workspace is not trusted, and the change needs a confirmation");
    return sf_hint(err, "`sf trust add` records the workspace as trusted");
}

static bool check_scope(const struct attempt *a, struct sf_error *err)
{
    enum sf_work_mode work = a->to->work;
    char *list;

    if (work == a->from->work && !strcmp(a->to->scope, a->from->scope))
        return true;
    if (!sf_scope_get(a->scopes, a->to->scope, err))
        return false;
    if (a->power->any_scope ? sf_work_holds(work, a->to->scope)
                            : sf_work_model_may(work, a->to->scope))
        return true;
    list = sf_work_scopes_text(work);
    sf_fail(err, SF_E_ARG, "scope %s is not open to %s in %s (open: %s)", a->to->scope,
            a->power->who, sf_work_mode_names[work], list);
    free(list);
    return sf_hint(err, "the user can: /mode build --scope %s", a->to->scope);
}

static bool check_pause(const struct attempt *a, struct sf_error *err)
{
    bool asked = (a->change->fields & SF_FIELD_BIT(SF_FIELD_PAUSED)) && a->change->want.paused;

    if (!asked || a->to->paused)
        return true;
    sf_fail(err, SF_E_ARG, "only an autonomous run can be paused; this one is %s",
            sf_run_control_names[a->to->control]);
    return sf_hint(err, "Esc stops the running turn");
}

bool sf_authority_check(const struct sf_authority *authority, const struct sf_mode_change *change,
                        const struct sf_mode_state *from, const struct sf_mode_state *to,
                        const struct sf_scope_set *scopes, struct sf_error *err)
{
    static bool (*const checks[])(const struct attempt *, struct sf_error *) = {
        check_fields, check_profile, check_control, check_work,
        check_scope,  check_pause,   check_trust,
    };
    const struct attempt a = {
        &powers[authority->actor], authority, change, from, to, scopes,
    };

    for (size_t i = 0; i < SF_COUNT(checks); i++)
        if (!checks[i](&a, err))
            return false;
    return true;
}
