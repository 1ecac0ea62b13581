/*
 * table_rows: the rows of all tools, for table.c only. Each is defined in its tool's file.
 */
#ifndef SF_TOOLS_TABLE_ROWS_H
#define SF_TOOLS_TABLE_ROWS_H

#include "tools/table.h"

extern const struct sf_tool sf_tool_read;
extern const struct sf_tool sf_tool_write;
extern const struct sf_tool sf_tool_edit;
extern const struct sf_tool sf_tool_multi_edit;
extern const struct sf_tool sf_tool_apply_patch;
extern const struct sf_tool sf_tool_ls;
extern const struct sf_tool sf_tool_glob;
extern const struct sf_tool sf_tool_grep;
extern const struct sf_tool sf_tool_bash;
extern const struct sf_tool sf_tool_bash_output;
extern const struct sf_tool sf_tool_bash_kill;
extern const struct sf_tool sf_tool_fetch;
extern const struct sf_tool sf_tool_plan;
extern const struct sf_tool sf_tool_findings;
extern const struct sf_tool sf_tool_ask_user;
extern const struct sf_tool sf_tool_change_tool_mode;
extern const struct sf_tool sf_tool_agent;
extern const struct sf_tool sf_tool_remember;
extern const struct sf_tool sf_tool_revert_turn;

#endif
