/*
 * advice.c: what would change a verdict. Nothing is promised that was not tried: each advice is a
 * change of the state that was made here, judged by the same ten layers, and found to be enough.
 * Of those that are, the one with the fewest steps and the lowest profile is named; a refusal
 * needs no more than to become a question.
 */
#include "base/base.h"
#include "guard/layers.h"

/* One way to change things: what of the state, and which settings. */
struct trial {
    struct sf_mode_change change;
    bool suggest, shell; /* guard.approval_mode, guard.allow_shell */
};

struct search {
    const struct sf_action *action;
    const struct sf_mode_state *state;
    const struct sf_policy *policy;
    const struct sf_verdict *now;
};

/* ---- what can be changed ---- */

static size_t count_suggest(const struct search *s)
{
    return s->policy->approval == SF_APPROVAL_NEVER;
}

static void set_suggest(const struct search *s, size_t choice, struct trial *t)
{
    (void)s, (void)choice;
    t->suggest = true;
}

static size_t count_shell(const struct search *s)
{
    return sf_action_needs_shell(s->action) && !s->policy->registry.allow_shell;
}

static void set_shell(const struct search *s, size_t choice, struct trial *t)
{
    (void)s, (void)choice;
    t->shell = true;
}

static size_t count_trust(const struct search *s)
{
    return !s->state->trust;
}

static void set_trust(const struct search *s, size_t choice, struct trial *t)
{
    (void)s, (void)choice;
    sf_change_trust(&t->change, true);
}

/* Build writes what its scope covers; the modes that do so as well need no other. */
static size_t count_work(const struct search *s)
{
    return sf_work_modes[s->state->work].reach < sf_work_modes[SF_WORK_BUILD].reach;
}

static void set_work(const struct search *s, size_t choice, struct trial *t)
{
    (void)s, (void)choice;
    sf_change_axis(&t->change, SF_AXIS_WORK, SF_WORK_BUILD);
}

/* Only where paths are written is there anything to gain. */
static size_t count_scopes(const struct search *s)
{
    size_t count = 0, cursor = 0;
    bool writes = false;

    for (size_t i = 0; i < s->action->path_count; i++)
        writes = writes || s->action->paths[i].writes;
    while (writes && sf_scope_next(s->policy->scopes, &cursor))
        count++;
    return count;
}

/* From the end of the list: the first of all is free, which covers everything. */
static void set_scope(const struct search *s, size_t choice, struct trial *t)
{
    const struct sf_scope *scope = NULL;
    size_t cursor = 0;

    for (size_t i = count_scopes(s); i > choice; i--)
        scope = sf_scope_next(s->policy->scopes, &cursor);
    if (scope)
        sf_change_scope(&t->change, scope->name);
}

static size_t count_control(const struct search *s)
{
    return s->state->control == SF_RUN_MANUAL;
}

static void set_control(const struct search *s, size_t choice, struct trial *t)
{
    (void)s, (void)choice;
    sf_change_axis(&t->change, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
}

static size_t count_profiles(const struct search *s)
{
    return (size_t)(SF_PROFILE_UNRESTRICTED - s->state->profile);
}

static void set_profile(const struct search *s, size_t choice, struct trial *t)
{
    sf_change_axis(&t->change, SF_AXIS_PROFILE, (int)s->state->profile + 1 + (int)choice);
}

/* The last one turns fastest, so that of two ways as short the one with the lower profile comes. */
static const struct {
    size_t (*count)(const struct search *s); /* values besides the one that is */
    void (*set)(const struct search *s, size_t choice, struct trial *t);
} moves[] = {
    { count_profiles, set_profile }, { count_suggest, set_suggest }, { count_shell, set_shell },
    { count_trust, set_trust },      { count_scopes, set_scope },    { count_work, set_work },
    { count_control, set_control },
};

/* The n-th way: a number whose digits are the choices. */
static struct trial trial_of(const struct search *s, const size_t counts[], size_t n)
{
    struct trial t = { .change = SF_MODE_CHANGE_INIT };

    for (size_t i = SF_COUNT(moves); i-- > 0; n /= counts[i] + 1)
        if (n % (counts[i] + 1))
            moves[i].set(s, n % (counts[i] + 1) - 1, &t);
    return t;
}

static size_t count_steps(const size_t counts[], size_t n)
{
    size_t steps = 0;

    for (size_t i = SF_COUNT(moves); i-- > 0; n /= counts[i] + 1)
        steps += n % (counts[i] + 1) != 0;
    return steps;
}

/* ---- trying ---- */

static enum sf_answer answer_to(const struct search *s, const struct trial *t)
{
    const struct sf_authority user = { SF_ACTOR_USER, true, true };
    const struct sf_scope_set *scopes = s->policy->scopes;
    struct sf_mode_state to = sf_change_target(&t->change, s->state, scopes);
    struct sf_policy policy = *s->policy;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_verdict verdict;

    if (!sf_authority_check(&user, &t->change, s->state, &to, scopes, &ignored))
        return SF_DENY;
    if (strcmp(to.scope, s->state->scope) != 0)
        policy.scope = sf_scope_find(scopes, to.scope);
    if (t->suggest)
        policy.approval = SF_APPROVAL_SUGGEST;
    if (t->shell)
        policy.registry.allow_shell = true;
    sf_guard_ask_layers(s->action, &to, &policy, &verdict);
    return verdict.answer;
}

static enum sf_answer try_way(const struct search *s, const size_t counts[], size_t n,
                              struct trial *t)
{
    *t = trial_of(s, counts, n);
    return answer_to(s, t);
}

/*
 * The first of the shortest ways to something milder; `out` is what it would be then. Whatever is
 * not milder with everything widened, no part of that helps.
 */
static bool find(const struct search *s, struct trial *found, enum sf_answer *out)
{
    size_t counts[SF_COUNT(moves)], total = 1;

    for (size_t i = 0; i < SF_COUNT(moves); i++) {
        counts[i] = moves[i].count(s);
        total *= counts[i] + 1;
    }
    if (try_way(s, counts, total - 1, found) >= s->now->answer)
        return false;
    for (size_t steps = 1; steps <= SF_COUNT(moves); steps++)
        for (size_t n = 1; n < total; n++) {
            if (count_steps(counts, n) != steps)
                continue;
            *out = try_way(s, counts, n, found);
            if (*out < s->now->answer)
                return true;
        }
    return false;
}

/* ---- telling ---- */

/* In the order in which they are typed: a work mode brings its scope, which the next may change. */
static void list_steps(const struct trial *t, struct sf_strlist *out)
{
    const struct sf_mode_change *c = &t->change;

    if (t->suggest)
        sf_strlist_add(out, "/permissions mode suggest");
    if (t->shell)
        sf_strlist_add(out, "`sf config set guard.allow_shell true`");
    if (c->fields & SF_FIELD_BIT(SF_FIELD_TRUST))
        sf_strlist_add(out, "/trust");
    if (c->fields & SF_FIELD_BIT(SF_FIELD_WORK))
        sf_strlist_addf(out, "/mode %s", sf_work_mode_names[c->want.work]);
    if (c->fields & SF_FIELD_BIT(SF_FIELD_SCOPE))
        sf_strlist_addf(out, "/scope %s", c->want.scope);
    if (c->fields & SF_FIELD_BIT(SF_FIELD_CONTROL))
        sf_strlist_addf(out, "/control %s", sf_run_control_names[c->want.control]);
    if (c->fields & SF_FIELD_BIT(SF_FIELD_PROFILE))
        sf_strlist_addf(out, "/permission-profile %s", sf_profile_names[c->want.profile]);
}

static void tell(const struct trial *t, enum sf_answer answer, struct sf_verdict *out)
{
    struct sf_strlist steps = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *s;

    list_steps(t, &steps);
    s = steps.count == 1 ? "s" : "";
    for (size_t i = 0; i < steps.count; i++)
        sf_strbuf_addf(&text, "%s%s",
                       !i                    ? ""
                       : i + 1 < steps.count ? ", "
                                             : " and ",
                       steps.items[i]);
    snprintf(out->hint, sizeof(out->hint), "%s %s%s this%s", text.buf,
             answer == SF_ALLOW ? "allow" : "make", s, answer == SF_ALLOW ? "" : " a question");
    if (!t->suggest && !t->shell)
        out->advice = t->change;
    sf_strlist_release(&steps);
    sf_strbuf_release(&text);
}

void sf_guard_advise(const struct sf_action *action, const struct sf_mode_state *state,
                     const struct sf_policy *policy, struct sf_verdict *out)
{
    const struct search s = { action, state, policy, out };
    enum sf_answer answer;
    struct trial found;

    if (!*out->hint && policy->scopes && find(&s, &found, &answer))
        tell(&found, answer, out);
}
