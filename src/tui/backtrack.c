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

/* ---- files ---- */

static void files_are_back(struct sf_tui *ui, void *ctx, bool yes)
{
    size_t *number = ctx;
    char before[SF_ID_LEN + 1], line[64];
    bool moved;

    if (yes) {
        snprintf(before, sizeof(before), "%s", sf_port_session(ui->port));
        snprintf(line, sizeof(line), "/backtrack %zu conversation", *number);
        sf_port_line(ui->port, line);
        moved = strcmp(before, sf_port_session(ui->port)) != 0;
        sf_tui_say(ui, !moved, "%s",
                   moved ? "files and conversation are as they were before it"
                         : "the files went back, the conversation did not");
    }
    free(number);
}

/* "N files" or "N both": what of it is not the port's. */
void sf_do_backtrack(struct sf_tui *ui, const char *args)
{
    size_t n = (size_t)strtoull(args, NULL, 10), *number;
    int64_t snapshot = sf_port_prompt_snapshot(ui->port, n);

    if (!strstr(args, "both")) {
        sf_tui_restore(ui, snapshot, NULL, NULL);
        return;
    }
    number = sf_alloc(sizeof(*number));
    *number = n;
    sf_tui_restore(ui, snapshot, files_are_back, number);
}
