/*
 * backtrack.c: the lists of earlier prompts, for going back to one and for forking before one.
 */
#include "tui/internal.h"

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
