/*
 * draft.c: what is being written, kept in a file of the session. It is written a moment after each
 * change, by a worker, one file at a time and in order; leaving waits for the last one. So no end
 * of the program loses more than that moment, and no disk holds up a key.
 */
#include <string.h>

#include "tui/internal.h"

enum { DRAFT_MS = 400 };

/* One text on its way to its file. */
struct sf_draft_job {
    struct sf_tui *desk;
    struct sf_draft_job *next;
    const char *state_dir;
    char id[SF_ID_LEN + 1];
    struct sf_strbuf text;
    int64_t queued; /* the row its words come from, which goes when they are written; 0: none */
    struct sf_error err;
    bool ok;
};

static void run_job(void *ctx)
{
    struct sf_draft_job *job = ctx;

    job->ok = sf_draft_write(job->state_dir, job->id, job->text.buf, job->text.len, &job->err);
}

static void job_done(void *ctx);

static void start_first(struct sf_tui *ui)
{
    if (ui->drafts)
        sf_workers_start(sf_port_raw_setup(ui->port)->workers, run_job, job_done, ui->drafts);
}

static void job_done(void *ctx)
{
    struct sf_draft_job *job = ctx;
    struct sf_tui *ui = job->desk;

    if (job->ok && job->queued)
        job->ok = sf_port_queue_end(ui->port, job->queued, &job->err);
    if (!job->ok)
        sf_tui_say(ui, true, "the draft cannot be kept: %s", job->err.msg);
    ui->drafts = job->next;
    sf_strbuf_release(&job->text);
    free(job);
    start_first(ui);
}

/* The newest text of a session replaces one that still waits; the first is on its way already. */
static struct sf_draft_job *job_for(struct sf_tui *ui, const char *id)
{
    struct sf_draft_job **at = &ui->drafts, *job;

    while (*at) {
        if (*at != ui->drafts && !(*at)->queued && !strcmp((*at)->id, id))
            return *at;
        at = &(*at)->next;
    }
    job = *at = sf_alloc(sizeof(*job));
    *job = (struct sf_draft_job){ .desk = ui,
                                  .state_dir = sf_port_state_dir(ui->port),
                                  .text = SF_STRBUF_INIT,
                                  .err = SF_ERROR_INIT };
    snprintf(job->id, sizeof(job->id), "%s", id);
    return job;
}

static void save(struct sf_tui *ui, const char *text, size_t len, int64_t queued)
{
    bool idle = !ui->drafts;
    struct sf_draft_job *job = job_for(ui, sf_port_session(ui->port));

    job->queued = queued;
    sf_strbuf_reset(&job->text);
    sf_strbuf_add(&job->text, text, len);
    sf_strbuf_reset(&ui->kept);
    sf_strbuf_add(&ui->kept, text, len);
    if (idle)
        start_first(ui);
}

/* Who watches writes nothing: the file is that of the process that talks. */
void sf_draft_save(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_loop_remove(ui->loop, ui->draft_timer);
    ui->draft_timer = 0;
    sf_composer_text(ui->composer, &text);
    if (!sf_tui_watches(ui) &&
        (text.len != ui->kept.len || memcmp(text.buf, ui->kept.buf, text.len) != 0))
        save(ui, text.buf, text.len, 0);
    sf_strbuf_release(&text);
}

void sf_draft_save_queued(struct sf_tui *ui, int64_t row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(ui->composer, &text);
    save(ui, text.buf, text.len, row);
    sf_strbuf_release(&text);
}

void sf_draft_replace(struct sf_tui *ui, const char *text, size_t len)
{
    struct sf_strbuf before = SF_STRBUF_INIT;

    sf_composer_text(ui->composer, &before);
    sf_composer_set(ui->composer, text, len);
    sf_draft_changed(ui);
    if (before.buf[strspn(before.buf, " \n")]) {
        sf_port_prompts_add(ui->port, before.buf);
        sf_tui_say(ui, false, "what you were writing waits: Ctrl+_ or ↑ brings it back");
    }
    sf_strbuf_release(&before);
}

void sf_draft_drop(struct sf_tui *ui)
{
    if (!sf_tui_watches(ui) && ui->kept.len)
        save(ui, "", 0, 0);
}

void sf_draft_settle(struct sf_tui *ui)
{
    sf_draft_save(ui);
    while (ui->drafts)
        sf_loop_turn(ui->loop, -1);
}

void sf_draft_load(struct sf_tui *ui)
{
    sf_strbuf_reset(&ui->kept);
    if (sf_tui_watches(ui))
        return;
    sf_draft_read(sf_port_state_dir(ui->port), sf_port_session(ui->port), SF_COMPOSER_MAX,
                  &ui->kept);
    if (ui->kept.len && sf_composer_is_empty(ui->composer))
        sf_composer_set(ui->composer, ui->kept.buf, ui->kept.len);
}

static void draft_due(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->draft_timer = 0;
    sf_draft_save(ui);
}

void sf_draft_changed(struct sf_tui *ui)
{
    if (!ui->draft_timer)
        ui->draft_timer = sf_loop_add_timer(ui->loop, DRAFT_MS, 0, draft_due, ui);
}
