/*
 * tui: the terminal surface: what a person sits at. Joins a session, the pages and panes of view
 * and the terminal: keys become words, answers, commands and changes of the axes; what the session
 * tells becomes the transcript, cards and the badge.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TUI_TUI_H
#define SF_TUI_TUI_H

#include <stdbool.h>

#include "base/base.h"
#include "port/port.h"

/* All borrowed for the call. */
struct sf_tui_setup {
    struct sf_port_setup port; /* the surface in there is filled in here */
    const char *first;         /* said at once, or NULL */
    bool mouse;
    bool inline_mode; /* the conversation stays in the terminal's own scrollback */
    size_t *tour;     /* the step of the tour it goes on with and has come to; or NULL */
};

/*
 * Until the user quits. False with `err` when it could not begin; else the signal that ended it, or
 * 0, and in `id` the session to go on with, or "" when nothing was said.
 */
bool sf_tui_run(const struct sf_tui_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                struct sf_error *err) SF_MUST_CHECK;

/* ---- the tour: see tour.c ---- */

#define SF_TOUR_NOTE "src/notes.txt" /* what it makes and takes back */

size_t sf_tour_steps(void);
bool sf_tour_leaves(size_t step); /* the step is to leave, and to come back */

#endif
