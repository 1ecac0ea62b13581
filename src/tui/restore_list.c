/*
 * restore_list.c: the states that files can go back to, with a preview of each: what would change,
 * and the diff. A worker makes the preview; a state that is chosen before its preview is ready is
 * restored afterwards.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/internal.h"

static void preview(struct sf_tui *ui, int64_t number);

static bool is_listed(const struct sf_tui *ui)
{
    return ui->overlay && ui->overlay->kind == &sf_restore_overlay;
}

/* The preview is shown as code: a line that begins with a minus is no item of a list. */
static void show(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char number[24];

    snprintf(number, sizeof(number), "%" PRId64, job->what.number);
    sf_port_explain(ui->port, ui->overlay->command, number, &text);
    sf_strbuf_addf(&text, "%s```\n%s\n```\n", text.len ? "\n" : "", job->preview.buf);
    sf_overlay_preview(ui->overlay, text.buf, text.len);
    sf_strbuf_add(&ui->overlay->preview_diff, job->diff.buf, job->diff.len);
    sf_strbuf_release(&text);
}

static void restore(struct sf_tui *ui, int64_t number)
{
    char line[40];

    snprintf(line, sizeof(line), "/restore %lld", (long long)number);
    sf_port_line(ui->port, line);
}

/* Meanwhile the list may be gone or on another row, or the user may have chosen a state. */
static void previewed(void *ctx, const struct sf_restore_job *job)
{
    struct sf_tui *ui = ctx;
    int64_t seen = job->what.number, wanted = ui->restore_list.row,
            chosen = ui->restore_list.chosen;

    ui->restore_list.chosen = 0;
    if (!*job->err.msg && is_listed(ui) && seen == wanted)
        show(ui, job);
    if (chosen)
        restore(ui, chosen);
    else if (is_listed(ui) && seen != wanted)
        preview(ui, wanted);
    sf_paint_soon(&ui->painter);
}

static void preview(struct sf_tui *ui, int64_t number)
{
    sf_port_preview_restore(ui->port, number, previewed, ui);
}

/* A choice that is faster than the preview is remembered, so that no second key is needed. */
static void chosen(struct sf_tui *ui, const char *value)
{
    int64_t number = strtoll(value, NULL, 10);

    if (sf_port_is_looking(ui->port))
        ui->restore_list.chosen = number;
    else
        restore(ui, number);
}

static void moved(struct sf_tui *ui, const char *value)
{
    ui->restore_list.row = strtoll(value, NULL, 10);
    if (!sf_port_is_looking(ui->port))
        preview(ui, ui->restore_list.row);
}

const struct sf_overlay_kind sf_restore_overlay = {
    .title = "Restore files (the conversation stays)",
    .keys = "Enter restore   ↑ ↓ choose   PgUp PgDn preview   /restore undo",
    .chosen = chosen,
    .moved = moved,
};
