/*
 * tui: the terminal surface. It joins the port, the pages and panes of view, and the terminal: keys
 * become words, answers, commands and changes of the axes; events of the session become the
 * transcript, cards and the badge.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TUI_TUI_H
#define SF_TUI_TUI_H

#include <stdbool.h>

#include "base/base.h"
#include "port/port.h"

/* All pointers are borrowed for the call. */
struct sf_tui_setup {
    struct sf_port_setup port; /* The tui fills in its `surface`. */
    const char *first;         /* Words that are sent at once; or NULL. */
    bool mouse;
    bool inline_mode; /* The conversation stays in the terminal's own scrollback. */
    size_t *tour;     /* The step at which the tour goes on, and then the one reached; or NULL. */
};

/*
 * Runs until the user quits. False with `err` if the surface could not start; else `signo` is the
 * signal that ended it, or 0, and `id` the session that can be resumed, or "" if nothing was said.
 */
bool sf_tui_run(const struct sf_tui_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                struct sf_error *err) SF_MUST_CHECK;

/* ---- the tour: see tour.c ---- */

#define SF_TOUR_NOTE "src/notes.txt" /* The file that the tour creates and takes back. */

size_t sf_tour_steps(void);
bool sf_tour_leaves(size_t step); /* In this step the user leaves and comes back. */

#endif
