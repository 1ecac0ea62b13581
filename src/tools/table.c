/*
 * table.c: the built-in tools in the order models see them.
 */
#include "tools/table.h"

#include "base/base.h"
#include "tools/table_rows.h"

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
    &sf_tool_findings,
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
