/*
 * table.c: the tools in the order models see them, and which of them a session offers.
 */
#include "tools/table.h"

#include "base/base.h"
#include "tools/safe.h"
#include "tools/table_rows.h"

enum { AGENT_DEPTH_MAX = 3 }; /* sub-agents below sub-agents */

/* clang-format off */
const struct sf_tool *const sf_tools[] = {
    &sf_tool_read,
    &sf_tool_write,
    &sf_tool_edit,
    &sf_tool_multi_edit,
    &sf_tool_apply_patch,
    &sf_tool_ls,
    &sf_tool_glob,
    &sf_tool_grep,
    &sf_tool_bash,
    &sf_tool_bash_output,
    &sf_tool_bash_kill,
    &sf_tool_fetch,
    &sf_tool_plan,
    &sf_tool_ask_user,
    &sf_tool_change_tool_mode,
    &sf_tool_revert_turn,
    &sf_tool_agent,
    &sf_tool_remember,
};
/* clang-format on */

const size_t sf_tool_count = SF_COUNT(sf_tools);

const struct sf_tool *sf_tool_find(const char *name)
{
    for (size_t i = 0; i < sf_tool_count; i++)
        if (!strcmp(sf_tools[i]->name, name))
            return sf_tools[i];
    return NULL;
}

const struct sf_tool *sf_tool_get(const char *name, struct sf_error *err)
{
    const struct sf_tool *tool = sf_tool_find(name);
    struct sf_suggest near;
    char *shown;

    if (tool)
        return tool;
    shown = sf_safe_line(name, 40);
    sf_suggest_start(&near, name);
    for (size_t i = 0; i < sf_tool_count; i++)
        sf_suggest_offer(&near, sf_tools[i]->name);
    sf_fail(err, SF_E_NOENT, "there is no tool called %s", shown);
    free(shown);
    sf_suggest_hint(&near, "use the tools of the list by their exact names", err);
    return NULL;
}

/* Two of them run nothing themselves, but have nothing to do without the first. */
static bool is_shell(const struct sf_tool *tool)
{
    return tool == &sf_tool_bash || tool == &sf_tool_bash_output || tool == &sf_tool_bash_kill;
}

bool sf_tool_offered(const struct sf_tool *tool, const struct sf_tool_filter *filter)
{
    if (tool->least > filter->profile)
        return false;
    if (is_shell(tool) && !filter->allow_shell)
        return false;
    if (filter->patches ? tool->is_edit : tool->instead_of_edit)
        return false;
    if (tool == &sf_tool_agent && filter->depth >= AGENT_DEPTH_MAX)
        return false;
    if (filter->disallowed && sf_grants_whole(filter->disallowed, tool->name))
        return false;
    return !filter->allowed || sf_grants_name(filter->allowed, tool->name);
}

static bool check_grants(const struct sf_strlist *grants, struct sf_error *err)
{
    for (size_t i = 0; grants && i < grants->count; i++) {
        char *name = sf_strndup(grants->items[i], sf_grant_name(grants->items[i]));
        const struct sf_tool *tool = sf_tool_get(name, err);
        bool ok = tool && sf_grant_check(grants->items[i], tool->act, err);

        free(name);
        if (!ok)
            return false;
    }
    return true;
}

bool sf_tool_filter_check(const struct sf_tool_filter *filter, struct sf_error *err)
{
    return check_grants(filter->allowed, err) && check_grants(filter->disallowed, err);
}
