/*
 * tasks.c: the list of running and waiting work. It is filled again each second while it is open; a
 * key acts on the task of its row, wherever that row stands by then.
 */
#include <string.h>

#include "tui/internal.h"

/* The last cell of running work: what the work waits for, or how to end it. */
static const char *next(struct sf_tui *ui, const struct sf_response_row *row, size_t column)
{
    if (column + 1 != row->cells.count || strcmp(row->cells.items[0], "running") != 0)
        return "";
    if (!strcmp(row->value, "turn"))
        return ui->progress.waiting[0] ? ui->progress.waiting : "x cancels it";
    return !strncmp(row->value, "job ", 4) ? "x ends it" : "";
}

static void cancel(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "/tasks cancel %s", value);
    if (*value)
        sf_port_command(ui->port, line.buf);
    sf_overlay_renew(ui);
    sf_strbuf_release(&line);
}

static bool key(struct sf_tui *ui, uint32_t code, const char *value)
{
    if (code == 'x')
        cancel(ui, value);
    else if (code == 'l')
        sf_port_command(ui->port, "/logs");
    else
        return false;
    return true;
}

static void renew(struct sf_tui *ui)
{
    sf_tui_again(ui, "/tasks");
}

/* ---- the page of a job ---- */

/* Opened at its end; filled again, it stays where it is. */
void sf_job_page(struct sf_tui *ui, const struct sf_response *page)
{
    if (ui->overlay && ui->overlay->job == page->number) {
        sf_overlay_repage(ui->overlay, &page->text);
        return;
    }
    sf_overlay_page(ui, page->title, &page->text);
    ui->overlay->job = page->number;
    sf_overlay_repage(ui->overlay, &page->text);
}

void sf_job_told(void *ctx, int64_t id)
{
    struct sf_tui *ui = ctx;

    if (ui->overlay && ui->overlay->job == id)
        ui->overlay->job_news = true;
    sf_paint_soon(&ui->painter);
}

static void run_with(struct sf_tui *ui, const char *command, int64_t job)
{
    char line[64];

    snprintf(line, sizeof(line), "%s %lld", command, (long long)job);
    sf_port_command(ui->port, line);
}

void sf_job_follow(struct sf_tui *ui)
{
    if (!ui->overlay || !ui->overlay->job_news)
        return;
    ui->overlay->job_news = false;
    run_with(ui, "/bashes", ui->overlay->job);
}

void sf_job_end(struct sf_tui *ui)
{
    run_with(ui, "/bashes cancel", ui->overlay->job);
}

/* ---- lists ---- */

static void renew_bashes(struct sf_tui *ui)
{
    sf_tui_again(ui, "/bashes");
}

const struct sf_overlay_kind sf_bashes_overlay = {
    .title = "Jobs",
    .keys = "Enter what it wrote   x end it",
    .heads = true,
    .cell = next,
    .chosen = sf_list_choose,
    .key = key,
    .renew = renew_bashes,
};

const struct sf_overlay_kind sf_tasks_overlay = {
    .title = "Tasks",
    .keys = "Enter open   x cancel   l log",
    .heads = true,
    .cell = next,
    .chosen = sf_list_choose,
    .key = key,
    .renew = renew,
};
