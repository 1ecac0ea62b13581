/*
 * registry.c: the conditions under which a tool is offered, one after the other. The first that
 * fails is the one that is told.
 */
#include "guard/registry.h"

#include "guard/grant.h"

#define LISTS "--allowed-tools and --disallowed-tools say which tools are offered"

SF_PRINTF(4, 5)
static bool refuse(struct sf_registry_refusal *why, const char *rule, const char *hint,
                   const char *format, ...)
{
    va_list args;

    why->rule = rule;
    why->hint = hint;
    va_start(args, format);
    vsnprintf(why->reason, sizeof(why->reason), format, args);
    va_end(args);
    return false;
}

static bool is_named(const struct sf_strlist *grants, const char *tool)
{
    return !grants || sf_grants_name(grants, tool);
}

static bool is_withheld(const struct sf_registry *r, const char *tool)
{
    return r->withheld && sf_grants_whole(r->withheld, tool);
}

bool sf_registry_offers(const struct sf_registry *r, const char *tool,
                        const struct sf_offer_terms *terms, enum sf_profile profile,
                        struct sf_registry_refusal *why)
{
    if (terms->needs_shell && !r->allow_shell)
        return refuse(why, "allow-shell", "", "the shell tools are switched off");
    if (terms->least > profile)
        return refuse(why, "profile-too-low", "", "%s is offered from profile %s up", tool,
                      sf_profile_names[terms->least]);
    if (terms->lacking)
        return refuse(why, "toolset", "use the tools of the list",
                      "%s is not offered in this session: %s", tool, terms->lacking);
    if (is_withheld(r, tool))
        return refuse(why, "disallowed-tools", LISTS, "%s is not offered in this session", tool);
    if (!is_named(r->session, tool))
        return refuse(why, "allowed-tools", LISTS, "%s is not offered in this session", tool);
    if (!is_named(r->turn, tool))
        return refuse(why, "turn-tools", "the command that began the turn names its tools",
                      "%s is not offered in this turn", tool);
    return true;
}

bool sf_registry_lists(const struct sf_registry *r, const char *tool,
                       const struct sf_offer_terms *terms, enum sf_profile profile)
{
    struct sf_registry whole = *r;
    struct sf_registry_refusal ignored;

    whole.turn = NULL;
    return sf_registry_offers(&whole, tool, terms, profile, &ignored);
}
