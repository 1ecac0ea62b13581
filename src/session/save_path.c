/*
 * save_path.c: where a file may go that the user asks sf itself to write. Rules about protected paths
 * hold for such a file as they do for a tool's: a script may pass on the words of others.
 */
#include "base/base.h"
#include "session/internal.h"

static bool check(const struct sf_place *place, const struct sf_path_facts *facts, bool outside,
                  struct sf_error *err)
{
    if (facts->rule) {
        sf_fail(err, SF_E_ARG, "%s is protected: it is %s", place->shown, facts->rule->what);
        return sf_hint(err, "give another name; nothing was written");
    }
    if (!facts->inside && !outside) {
        sf_fail(err, SF_E_ARG, "%s is outside the workspace", place->shown);
        return sf_hint(err, "a run without a screen writes no file there");
    }
    return true;
}

char *sf_save_path(const struct sf_policy_context *policy, const char *path, bool outside,
                   struct sf_error *err)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_path_facts facts;
    char *real = NULL;

    if (sf_place_resolve(&policy->root, path, strlen(path), SF_WANT_ANY, &place, err)) {
        facts = sf_policy_context_path(policy, &place);
        if (check(&place, &facts, outside, err))
            real = sf_place_path(&place);
    }
    sf_place_release(&place);
    return real;
}

char *sf_session_save_path(const struct sf_session *s, const char *path, bool outside,
                           struct sf_error *err)
{
    char *at = sf_stand_resolve(s->setup.policy->root.path, s->setup.below, path);
    char *real = sf_save_path(s->setup.policy, at, outside, err);

    free(at);
    return real;
}
