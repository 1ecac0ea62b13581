/*
 * drafts.c: writes drafts to their files. A newer text of a session replaces one that still waits;
 * the first in the queue is being written already.
 */
#include "port/drafts.h"

#include <string.h>

#include "port/internal.h"

/* One text to be written to its file. */
struct sf_draft_job {
    struct sf_port *port;
    struct sf_draft_job *next;
    const char *state_dir;
    char id[SF_ID_LEN + 1];
    struct sf_strbuf text;
    int64_t queued; /* the queue's row to drop once the text is written; 0: none */
    struct sf_error err;
    bool ok;
};

static void run_job(void *ctx)
{
    struct sf_draft_job *job = ctx;

    job->ok = sf_draft_write(job->state_dir, job->id, job->text.buf, job->text.len, &job->err);
}

static void job_done(void *ctx);

static void start_first(struct sf_port *p)
{
    if (p->drafts.jobs)
        sf_workers_start(p->setup.session.workers, run_job, job_done, p->drafts.jobs);
}

static void job_done(void *ctx)
{
    struct sf_draft_job *job = ctx;
    struct sf_port *p = job->port;

    if (job->ok && job->queued)
        job->ok = sf_port_queue_end(p, job->queued, &job->err);
    if (!job->ok)
        sf_port_note(p, true, "the draft cannot be kept: %s", job->err.msg);
    p->drafts.jobs = job->next;
    sf_strbuf_release(&job->text);
    free(job);
    start_first(p);
}

static struct sf_draft_job *job_for(struct sf_port *p, const char *id)
{
    struct sf_draft_job **at = &p->drafts.jobs, *job;

    while (*at) {
        if (*at != p->drafts.jobs && !(*at)->queued && !strcmp((*at)->id, id))
            return *at;
        at = &(*at)->next;
    }
    job = *at = sf_alloc(sizeof(*job));
    *job = (struct sf_draft_job){
        .port = p, .state_dir = sf_port_state_dir(p), .text = SF_STRBUF_INIT, .err = SF_ERROR_INIT
    };
    snprintf(job->id, sizeof(job->id), "%s", id);
    return job;
}

void sf_port_draft_keep_queued(struct sf_port *p, const char *text, size_t len, int64_t row)
{
    bool idle = !p->drafts.jobs;
    struct sf_draft_job *job = job_for(p, sf_port_session(p));

    job->queued = row;
    sf_strbuf_reset(&job->text);
    sf_strbuf_add(&job->text, text, len);
    sf_strbuf_reset(&p->drafts.kept);
    sf_strbuf_add(&p->drafts.kept, text, len);
    if (idle)
        start_first(p);
}

void sf_port_draft_keep(struct sf_port *p, const char *text, size_t len)
{
    const struct sf_strbuf *kept = &p->drafts.kept;

    if (!sf_port_owner(p) && (len != kept->len || memcmp(text, kept->buf, len) != 0))
        sf_port_draft_keep_queued(p, text, len, 0);
}

void sf_port_draft_drop(struct sf_port *p)
{
    sf_port_draft_keep(p, "", 0);
}

void sf_port_draft_settle(struct sf_port *p)
{
    while (p->drafts.jobs)
        sf_loop_turn(p->loop, -1);
}

const struct sf_strbuf *sf_port_draft_load(struct sf_port *p, size_t max)
{
    sf_strbuf_reset(&p->drafts.kept);
    if (!sf_port_owner(p))
        sf_draft_read(sf_port_state_dir(p), sf_port_session(p), max, &p->drafts.kept);
    return &p->drafts.kept;
}

bool sf_port_draft_claim(struct sf_port *p)
{
    return sf_draft_claim(p->setup.session.store, sf_port_state_dir(p), sf_port_session(p));
}
