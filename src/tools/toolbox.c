/*
 * toolbox.c: starts calls and reports their ends. However a call is done (a worker, a child, an
 * immediate failure), it ends in sf_toolbox_finish, which posts `done` to the loop; so `done` is
 * never called from inside sf_toolbox_start, and exactly once.
 */
#include "tools/toolbox.h"

#include <assert.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/box.h"
#include "tools/call.h"
#include "tools/script.h"
#include "tools/seen.h"

enum { FETCH_MS = 30000, SEARCH_MS = 30 * 1000 };

/* The toolbox's data about a running call. */
struct sf_tool_call_run {
    struct sf_toolbox *box;
    struct sf_tool_call *call;
    sf_tool_call_done_fn *done;
    sf_tool_call_output_fn *output;
    void *ctx;
    void (*run)(struct sf_toolbox *box, struct sf_tool_call *call); /* what a worker does */
    bool finished;
};

struct sf_toolbox *sf_toolbox_new(const struct sf_toolbox_setup *setup)
{
    struct sf_toolbox *box = sf_alloc(sizeof(*box));

    box->loop = setup->loop;
    box->workers = setup->workers;
    box->root = setup->root;
    box->places = setup->places;
    box->spill_dir = sf_strdup(setup->spill_dir);
    box->seen = sf_seen_new();
    box->jobs = sf_jobs_new(setup->loop, setup->spill_dir);
    sf_jobs_watch(box->jobs, setup->job_ended, setup->job_wrote, setup->ctx);
    sf_script_env(setup->child_env, false, &box->child_env);
    sf_script_env(setup->child_env, true, &box->reading_env);
    box->shell = sf_script_shell(&box->child_env);
    box->stand = sf_strdup(setup->stand ? setup->stand : "");
    box->cwd = sf_strdup(box->stand);
    box->proxy = setup->proxy ? sf_strdup(setup->proxy) : NULL;
    box->ca_file = setup->ca_file ? sf_strdup(setup->ca_file) : NULL;
    box->fetch_ms = setup->fetch_ms ? setup->fetch_ms : FETCH_MS;
    box->by_name = setup->by_name;
    box->search_ms = setup->search_ms ? setup->search_ms : SEARCH_MS;
    box->clock_ms = setup->clock_ms;
    box->cage = setup->cage;
    return box;
}

void sf_toolbox_free(struct sf_toolbox *box)
{
    if (!box)
        return;
    assert(!box->running);
    sf_jobs_free(box->jobs);
    sf_strlist_release(&box->child_env);
    sf_strlist_release(&box->reading_env);
    free(box->shell);
    free(box->stand);
    free(box->cwd);
    sf_seen_free(box->seen);
    free(box->spill_dir);
    free(box->proxy);
    free(box->ca_file);
    free(box);
}

bool sf_toolbox_busy(const struct sf_toolbox *box)
{
    return box->running > 0;
}

static void run_in_worker(void *ctx)
{
    struct sf_tool_call_run *run = ctx;

    if (atomic_load(&run->call->cancelled))
        sf_tool_call_failf(run->call, "cancelled before it began");
    else
        run->run(run->box, run->call);
}

static void worker_done(void *ctx)
{
    struct sf_tool_call_run *run = ctx;

    sf_toolbox_finish(run->box, run->call);
}

static struct sf_tool_call_run *begin(struct sf_toolbox *box, struct sf_tool_call *call,
                                      sf_tool_call_done_fn *done, void *ctx)
{
    struct sf_tool_call_run *run = sf_alloc(sizeof(*run));

    assert(!call->run);
    *run = (struct sf_tool_call_run){ .box = box, .call = call, .done = done, .ctx = ctx };
    call->run = run;
    box->running++;
    return run;
}

void sf_toolbox_rehearse(struct sf_toolbox *box, struct sf_tool_call *call,
                         sf_tool_call_done_fn *done, void *ctx)
{
    struct sf_tool_call_run *run = begin(box, call, done, ctx);

    run->run = call->tool->rehearse;
    sf_workers_start(box->workers, run_in_worker, worker_done, run);
}

void sf_toolbox_start(struct sf_toolbox *box, struct sf_tool_call *call, sf_tool_call_done_fn *done,
                      sf_tool_call_output_fn *output, void *ctx)
{
    struct sf_tool_call_run *run = begin(box, call, done, ctx);

    run->output = output;
    run->run = call->tool->run;
    switch (call->tool->where) {
    case SF_TOOL_WORKER:
        sf_workers_start(box->workers, run_in_worker, worker_done, run);
        return;
    case SF_TOOL_CHILD:
        call->tool->start(box, call);
        return;
    case SF_TOOL_SESSION:
        break;
    }
    sf_tool_call_failf(call, "%s cannot be done here", call->tool->name);
    sf_toolbox_finish(box, call);
}

void sf_toolbox_cancel(struct sf_toolbox *box, struct sf_tool_call *call)
{
    if (!call->run || call->run->finished || atomic_exchange(&call->cancelled, true))
        return;
    if (call->tool->where == SF_TOOL_CHILD && call->tool->stop)
        call->tool->stop(box, call);
}

/* `done` may free the call and, if it was the last one, the box. */
static void announce(void *ctx)
{
    struct sf_tool_call_run *run = ctx;

    run->call->run = NULL;
    run->box->running--;
    run->done(run->ctx, run->call);
    free(run);
}

void sf_toolbox_finish(struct sf_toolbox *box, struct sf_tool_call *call)
{
    assert(call->run && call->run->box == box && !call->run->finished);
    call->run->finished = true;
    sf_loop_post(box->loop, announce, call->run);
}

void sf_toolbox_output(struct sf_toolbox *box, struct sf_tool_call *call, const char *text,
                       size_t len)
{
    const struct sf_tool_call_run *run = call->run;

    (void)box;
    if (run && run->output)
        run->output(run->ctx, call, text, len);
}

void sf_toolbox_remember(struct sf_toolbox *box, const struct sf_file_seen *seen)
{
    sf_seen_restore(box->seen, seen);
}

void sf_toolbox_forget_shown(struct sf_toolbox *box)
{
    sf_seen_forget_requests(box->seen);
}

const char *sf_toolbox_cwd(const struct sf_toolbox *box)
{
    return box->cwd;
}

void sf_toolbox_set_cwd(struct sf_toolbox *box, const char *dir)
{
    char *copy = sf_strdup(dir);

    free(box->cwd);
    box->cwd = copy;
}

struct viewing {
    sf_job_view_fn *fn;
    void *ctx;
};

static void view_job(void *ctx, struct sf_job *job)
{
    const struct viewing *v = ctx;
    struct sf_strbuf status = SF_STRBUF_INIT;
    struct sf_job_view view = { .id = job->id,
                                .title = job->title ? job->title : "",
                                .running = job->running,
                                .age_ms = job->running ? sf_clock_monotonic_ms() - job->started_ms
                                                       : job->duration_ms };

    sf_job_status(job, &status);
    view.status = status.buf;
    v->fn(v->ctx, &view);
    sf_strbuf_release(&status);
}

void sf_toolbox_each_job(const struct sf_toolbox *box, sf_job_view_fn *fn, void *ctx)
{
    struct viewing v = { fn, ctx };

    sf_jobs_each(box->jobs, view_job, &v);
}

void sf_toolbox_recall_job(struct sf_toolbox *box, int64_t id, const char *title,
                           const char *status, int64_t took_ms)
{
    sf_jobs_recall(box->jobs, id, title, status, took_ms);
}

bool sf_toolbox_stop_jobs(struct sf_toolbox *box)
{
    return sf_jobs_stop(box->jobs);
}

bool sf_toolbox_job_output(const struct sf_toolbox *box, int64_t id, struct sf_strbuf *about,
                           struct sf_strbuf *output, struct sf_error *err)
{
    const struct sf_job *job = sf_jobs_find(box->jobs, id, err);
    struct sf_strbuf title = SF_STRBUF_INIT;

    if (!job)
        return false;
    sf_text_sanitize(&title, job->title, strlen(job->title), SF_TEXT_ONE_LINE);
    for (size_t i = 0; i < title.len; i++)
        if (title.buf[i] == '`')
            title.buf[i] = '\'';
    sf_strbuf_addf(about, "`%s`: ", title.buf);
    sf_job_status(job, about);
    sf_output_text(job->output, output);
    sf_strbuf_release(&title);
    return true;
}

bool sf_toolbox_end_job(struct sf_toolbox *box, int64_t id)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_job *job = sf_jobs_find(box->jobs, id, &ignored);

    if (!job || !job->running)
        return false;
    sf_job_cancel(job);
    return true;
}
