/*
 * backtrack.c: back to an earlier prompt, as the terminal shows it; and the files' part of it: they
 * go back by the common undo, with a look and a question first, and the conversation follows them.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- the lists ---- */

const struct sf_overlay_kind sf_backtrack_overlay = {
    .title = "What you said",
    .keys = "Enter back to before it   ↑ ↓ choose",
    .filter = true,
    .chosen = sf_list_choose,
};

const struct sf_overlay_kind sf_ways_overlay = {
    .title = "What goes back?",
    .keys = "Enter go back   ↑ ↓ choose",
    .chosen = sf_list_choose,
};

const struct sf_overlay_kind sf_fork_overlay = {
    .title = "Fork before which prompt?",
    .keys = "Enter fork   ↑ ↓ choose",
    .filter = true,
    .chosen = sf_list_choose,
};
