/*
 * restore_list.c: the states that files can go back to, with a preview of each: what would change,
 * and the diff. The preview is made behind the list's back; whoever is faster waits for it.
 */
#include <string.h>

#include "tui/internal.h"

static void preview(struct sf_tui *ui, int64_t number);

static bool is_listed(const struct sf_tui *ui)
{
    return ui->overlay && ui->overlay->kind == &sf_restore_overlay;
}

/* As it is: a line that begins with a minus is no item of a list. */
static void show(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "```\n%s\n```\n", job->preview.buf);
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_add(&ui->overlay->preview_diff, job->diff.buf, job->diff.len);
    sf_strbuf_release(&text);
}

static void restore(struct sf_tui *ui, int64_t number)
{
    char line[40];

    snprintf(line, sizeof(line), "/restore %lld", (long long)number);
    sf_port_line(ui->port, line);
}

/* The list may be gone by now, or on another row, or somebody chose one meanwhile. */
static void previewed(void *ctx, const struct sf_restore_job *job)
{
    struct sf_tui *ui = ctx;
    int64_t seen = job->what.number, wanted = ui->restore.row, chosen = ui->restore.chosen;

    ui->restore.chosen = 0;
    if (!*job->err.msg && is_listed(ui) && seen == wanted)
        show(ui, job);
    if (chosen)
        restore(ui, chosen);
    else if (is_listed(ui) && seen != wanted)
        preview(ui, wanted);
    sf_tui_dirty(ui);
}

static void preview(struct sf_tui *ui, int64_t number)
{
    sf_port_preview_restore(ui->port, number, previewed, ui);
}

/* Whoever is faster than the preview waits for it, not for a second key. */
static void chosen(struct sf_tui *ui, const char *value)
{
    int64_t number = strtoll(value, NULL, 10);

    if (sf_port_is_looking(ui->port))
        ui->restore.chosen = number;
    else
        restore(ui, number);
}

static void moved(struct sf_tui *ui, const char *value)
{
    ui->restore.row = strtoll(value, NULL, 10);
    if (!sf_port_is_looking(ui->port))
        preview(ui, ui->restore.row);
}

const struct sf_overlay_kind sf_restore_overlay = {
    .title = "Restore files (the conversation stays)",
    .keys = "Enter restore   ↑ ↓ choose   PgUp PgDn preview   /restore undo",
    .chosen = chosen,
    .moved = moved,
};
