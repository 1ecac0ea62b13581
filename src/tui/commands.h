/*
 * commands: what each slash command does; rows of the table in command.c.
 */
#ifndef SF_TUI_COMMANDS_H
#define SF_TUI_COMMANDS_H

#include "modes/modes.h"

struct sf_tui;

typedef void sf_tui_command_fn(struct sf_tui *ui, const char *args);

/* commands_show.c */
sf_tui_command_fn sf_do_help, sf_do_status, sf_do_cost, sf_do_report;

/* tasks.c, logs.c, doctor.c */
sf_tui_command_fn sf_do_tasks, sf_do_logs, sf_do_doctor;

/* commands_session.c */
sf_tui_command_fn sf_do_new, sf_do_sessions, sf_do_rename, sf_do_quit, sf_do_export;

/* queue.c */
sf_tui_command_fn sf_do_queue;

/* custom.c */
sf_tui_command_fn sf_do_commands;

/* charter.c */
sf_tui_command_fn sf_do_init;

/* backtrack.c */
sf_tui_command_fn sf_do_backtrack, sf_do_fork;

/* commands_desk.c */
sf_tui_command_fn sf_do_copy, sf_do_find, sf_do_editor, sf_do_theme, sf_do_vim, sf_do_mouse;

/* commands_context.c */
sf_tui_command_fn sf_do_goal, sf_do_compact, sf_do_pin, sf_do_context;

/* memory.c */
sf_tui_command_fn sf_do_memory;

/* models.c */
sf_tui_command_fn sf_do_model;

/* connect.c */
sf_tui_command_fn sf_do_connect;

/* settings.c */
sf_tui_command_fn sf_do_config;

/* commands_restore.c */
sf_tui_command_fn sf_do_diff, sf_do_undo, sf_do_redo, sf_do_restore;

/* The list of values of an axis, scope or the like, to choose from. */
void sf_tui_pick_field(struct sf_tui *ui, enum sf_field field);

#endif
