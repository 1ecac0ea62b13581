/*
 * tui_case: the real sf at a terminal, in a sandbox, with the offline operator or with a
 * scripted model behind it.
 *
 * Life: fixtures; tui_case_serve or not; tui_case_open, then vt_* on `vt`.
 */
#ifndef SF_TESTS_SUPPORT_TUI_CASE_H
#define SF_TESTS_SUPPORT_TUI_CASE_H

#include "support/agent_sandbox.h"
#include "support/vt.h"

struct tui_case {
    struct sandbox *sandbox;
    struct model_server *server; /* NULL: the offline operator answers */
    struct vt *vt;
};

int tui_case_setup(void **state); /* cmocka fixtures: *state is a struct tui_case */
int tui_case_teardown(void **state);

void tui_case_serve(struct tui_case *c, const char *scenario);

/* Starts sf and waits for its first screen; the words are split at blanks, 'quotes' keep them. */
void tui_case_open(struct tui_case *c, const char *words, int rows, int cols);

/* Types the line, Enter, and waits until all of it had its effect on the screen. */
void tui_case_say(struct tui_case *c, const char *line);

/* Ends sf by its own command and expects that it went well. */
void tui_case_quit(struct tui_case *c);

/* What the project's store answers: columns by tabs, rows by lines; owned by the caller. */
char *tui_case_sql(struct tui_case *c, const char *sql);

#endif
