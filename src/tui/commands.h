/*
 * commands: slash commands about the screen; rows of the table in respond.c.
 */
#ifndef SF_TUI_COMMANDS_H
#define SF_TUI_COMMANDS_H

#include "modes/modes.h"

struct sf_tui;

typedef void sf_tui_command_fn(struct sf_tui *ui, const char *args);

/* commands_session.c */
sf_tui_command_fn sf_do_quit;

/* commands_screen.c */
sf_tui_command_fn sf_do_copy, sf_do_find, sf_do_theme, sf_do_vim, sf_do_mouse, sf_do_sidebar;

/* editor.c */
sf_tui_command_fn sf_do_editor, sf_do_tour;

#endif
