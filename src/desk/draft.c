/*
 * draft.c: what is being written, kept in a file of the session. It is written a moment after each
 * change, by a worker, one file at a time and in order; leaving waits for the last one. So no end
 * of the program loses more than that moment, and no disk holds up a key.
 */
#include <string.h>

#include "desk/internal.h"

enum { DRAFT_MS = 400 };

/* One text on its way to its file. */
struct sf_draft_job {
    struct sf_desk *desk;
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

static void start_first(struct sf_desk *d)
{
    if (d->drafts)
        sf_workers_start(d->setup.talk.workers, run_job, job_done, d->drafts);
}

static void job_done(void *ctx)
{
    struct sf_draft_job *job = ctx;
    struct sf_desk *d = job->desk;

    if (job->ok && job->queued)
        job->ok = sf_store_queue_end(d->setup.talk.store, job->queued, SF_QUEUE_DROPPED, &job->err);
    if (!job->ok)
        sf_desk_say(d, true, "the draft cannot be kept: %s", job->err.msg);
    d->drafts = job->next;
    sf_strbuf_release(&job->text);
    free(job);
    start_first(d);
}

/* The newest text of a session replaces one that still waits; the first is on its way already. */
static struct sf_draft_job *job_for(struct sf_desk *d, const char *id)
{
    struct sf_draft_job **at = &d->drafts, *job;

    while (*at) {
        if (*at != d->drafts && !(*at)->queued && !strcmp((*at)->id, id))
            return *at;
        at = &(*at)->next;
    }
    job = *at = sf_alloc(sizeof(*job));
    *job = (struct sf_draft_job){ .desk = d,
                                  .state_dir = d->setup.talk.state_dir,
                                  .text = SF_STRBUF_INIT,
                                  .err = SF_ERROR_INIT };
    snprintf(job->id, sizeof(job->id), "%s", id);
    return job;
}

static void save(struct sf_desk *d, const char *text, size_t len, int64_t queued)
{
    bool idle = !d->drafts;
    struct sf_draft_job *job = job_for(d, sf_talk_id(d->talk));

    job->queued = queued;
    sf_strbuf_reset(&job->text);
    sf_strbuf_add(&job->text, text, len);
    sf_strbuf_reset(&d->kept);
    sf_strbuf_add(&d->kept, text, len);
    if (idle)
        start_first(d);
}

/* Who watches writes nothing: the file is that of the process that talks. */
void sf_draft_save(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_loop_remove(d->loop, d->draft_timer);
    d->draft_timer = 0;
    sf_composer_text(d->composer, &text);
    if (!sf_desk_watches(d) &&
        (text.len != d->kept.len || memcmp(text.buf, d->kept.buf, text.len) != 0))
        save(d, text.buf, text.len, 0);
    sf_strbuf_release(&text);
}

void sf_draft_save_queued(struct sf_desk *d, int64_t row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(d->composer, &text);
    save(d, text.buf, text.len, row);
    sf_strbuf_release(&text);
}

void sf_draft_replace(struct sf_desk *d, const char *text, size_t len)
{
    struct sf_strbuf before = SF_STRBUF_INIT;

    sf_composer_text(d->composer, &before);
    sf_composer_set(d->composer, text, len);
    sf_draft_changed(d);
    if (before.buf[strspn(before.buf, " \n")]) {
        sf_prompts_add(d, before.buf);
        sf_desk_say(d, false, "what you were writing waits: Ctrl+_ or ↑ brings it back");
    }
    sf_strbuf_release(&before);
}

void sf_draft_drop(struct sf_desk *d)
{
    if (!sf_desk_watches(d) && d->kept.len)
        save(d, "", 0, 0);
}

void sf_draft_settle(struct sf_desk *d)
{
    sf_draft_save(d);
    while (d->drafts)
        sf_loop_turn(d->loop, -1);
}

void sf_draft_load(struct sf_desk *d)
{
    sf_strbuf_reset(&d->kept);
    if (sf_desk_watches(d))
        return;
    sf_draft_read(d->setup.talk.state_dir, sf_talk_id(d->talk), SF_COMPOSER_MAX, &d->kept);
    if (d->kept.len && sf_composer_is_empty(d->composer))
        sf_composer_set(d->composer, d->kept.buf, d->kept.len);
}

static void draft_due(void *ctx)
{
    struct sf_desk *d = ctx;

    d->draft_timer = 0;
    sf_draft_save(d);
}

void sf_draft_changed(struct sf_desk *d)
{
    if (!d->draft_timer)
        d->draft_timer = sf_loop_add_timer(d->loop, DRAFT_MS, 0, draft_due, d);
}
