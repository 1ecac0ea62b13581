/*
 * commands: what slash commands do that are about the screen; rows of the table in respond.c.
 */
#ifndef SF_TUI_COMMANDS_H
#define SF_TUI_COMMANDS_H

#include "modes/modes.h"

struct sf_tui;

typedef void sf_tui_command_fn(struct sf_tui *ui, const char *args);

/* tasks.c, logs.c, doctor.c */
sf_tui_command_fn sf_do_tasks, sf_do_logs, sf_do_doctor;

/* commands_session.c */
sf_tui_command_fn sf_do_sessions, sf_do_quit, sf_do_export;

/* charter.c */
sf_tui_command_fn sf_do_init;

/* backtrack.c */
sf_tui_command_fn sf_do_backtrack, sf_do_fork;

/* commands_desk.c */
sf_tui_command_fn sf_do_copy, sf_do_find, sf_do_editor, sf_do_theme, sf_do_vim, sf_do_mouse;

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

/* trust_card.c */
sf_tui_command_fn sf_do_trust;

#endif
