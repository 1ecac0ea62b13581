/*
 * toolset.c: finds tools, and the terms on which a session offers them.
 */
#include "tools/toolset.h"

#include "tools/safe.h"

void sf_toolset_init(struct sf_toolset *set, bool patches, int depth)
{
    *set = (struct sf_toolset){
        .rows = sf_tools, .count = sf_tool_count, .patches = patches, .depth = depth
    };
}

const struct sf_tool *sf_toolset_find(const struct sf_toolset *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcmp(set->rows[i]->name, name))
            return set->rows[i];
    return NULL;
}

const struct sf_tool *sf_toolset_get(const struct sf_toolset *set, const char *name,
                                     struct sf_error *err)
{
    const struct sf_tool *tool = sf_toolset_find(set, name);
    struct sf_suggest near;
    char *shown;

    if (tool)
        return tool;
    shown = sf_safe_line(name, 40);
    sf_suggest_start(&near, name);
    for (size_t i = 0; i < set->count; i++)
        sf_suggest_offer(&near, set->rows[i]->name);
    sf_fail(err, SF_E_NOENT, "there is no tool called %s", shown);
    free(shown);
    sf_suggest_hint(&near, "use the tools of the list by their exact names", err);
    return NULL;
}

static const char *lacking(const struct sf_toolset *set, const struct sf_tool *tool)
{
    if (set->patches && tool->is_edit)
        return "ApplyPatch takes its place";
    if (!set->patches && tool->instead_of_edit)
        return "Edit takes its place";
    if (tool->delegates && set->depth >= SF_TOOLSET_DEPTH)
        return "sub-agents go no deeper";
    return NULL;
}

struct sf_offer_terms sf_toolset_terms(const struct sf_toolset *set, const struct sf_tool *tool)
{
    return (struct sf_offer_terms){ .least = tool->least,
                                    .needs_shell = tool->needs_shell,
                                    .lacking = lacking(set, tool) };
}

bool sf_toolset_check(const struct sf_toolset *set, const struct sf_strlist *grants,
                      struct sf_error *err)
{
    for (size_t i = 0; i < grants->count; i++) {
        char *name = sf_strndup(grants->items[i], sf_grant_name(grants->items[i]));
        const struct sf_tool *tool = sf_toolset_get(set, name, err);
        bool ok = tool && sf_grant_check(grants->items[i], tool->act, err);

        free(name);
        if (!ok)
            return false;
    }
    return true;
}
