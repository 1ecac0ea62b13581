/*
 * job_tools.c: BashOutput and BashKill, which find a background job by its number. Both may wait
 * for its end.
 */
#include <stdlib.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/box.h"
#include "tools/table_rows.h"

enum { WAIT_MAX_MS = 600000 };

/* A call that waits for a numbered job. */
struct waiting {
    struct sf_toolbox *box;
    struct sf_tool_call *call;
    struct sf_job *job;
    struct sf_job_wait wait;
    uint64_t timer;
};

static void finish(struct sf_toolbox *box, struct sf_tool_call *call)
{
    call->work = NULL;
    sf_toolbox_finish(box, call);
}

/* Adds the job's output since the last time, and its status. */
static void tell(struct sf_tool_call *call, struct sf_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT, status = SF_STRBUF_INIT, end = SF_STRBUF_INIT;

    sf_output_news(job->output, &text);
    sf_tool_call_add_output(call, &text, "(nothing new)");
    sf_job_status(job, &status);
    sf_tool_call_addf(call, "[job %lld, %s: %s]\n", (long long)job->id, job->title, status.buf);
    if (!job->running) {
        if (job->left_count)
            sf_job_add_left(job, &end);
        sf_strbuf_add(&end, job->aftermath.buf, job->aftermath.len);
        sf_tool_call_add_text(call, end.buf, end.len);
        sf_strbuf_reset(&job->aftermath); /* reported only once */
    }
    call->result.exit_code = job->exit_code;
    call->result.job = job->id;
    sf_tool_call_summary(call, "job %lld: %s", (long long)job->id, status.buf);
    sf_strbuf_release(&end);
    sf_strbuf_release(&status);
    sf_strbuf_release(&text);
}

static void end_waiting(struct waiting *w)
{
    sf_job_unwait(w->job, &w->wait);
    sf_loop_remove(w->box->loop, w->timer);
    tell(w->call, w->job);
    finish(w->box, w->call);
    free(w);
}

static void on_waited(void *ctx)
{
    end_waiting(ctx);
}

/* Waits for the end of the job; `ms` 0: without limit. */
static void wait_for(struct sf_toolbox *box, struct sf_tool_call *call, struct sf_job *job,
                     int64_t ms)
{
    struct waiting *w = sf_alloc(sizeof(*w));

    w->box = box;
    w->call = call;
    w->job = job;
    w->wait = (struct sf_job_wait){ .fn = on_waited, .ctx = w };
    sf_job_wait(job, &w->wait);
    if (ms > 0)
        w->timer = sf_loop_add_timer(box->loop, ms, 0, on_waited, w);
    call->work = w;
}

static struct sf_job *find_job(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id = sf_arg_int(call->args, "id", 0);
    struct sf_job *job = sf_jobs_find(box->jobs, id, &err);

    if (!job) {
        sf_tool_call_fail(call, &err);
        finish(box, call);
    }
    return job;
}

static void start_output(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_job *job = find_job(box, call);
    int64_t wait_ms = sf_arg_int(call->args, "wait_ms", 0);

    if (!job)
        return;
    if (job->running && wait_ms > 0) {
        wait_for(box, call, job, wait_ms);
        return;
    }
    tell(call, job);
    finish(box, call);
}

static void start_kill(struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_job *job = find_job(box, call);

    if (!job)
        return;
    if (job->running) {
        sf_job_cancel(job);
        wait_for(box, call, job, 0);
        return;
    }
    tell(call, job);
    sf_tool_call_addf(call, "[it had ended before]\n");
    finish(box, call);
}

/* Ends only the waiting, not the job. */
static void stop_waiting(struct sf_toolbox *box, struct sf_tool_call *call)
{
    (void)box;
    if (call->work)
        end_waiting(call->work);
}

static const struct sf_tool_arg output_args[] = {
    { .name = "id", .type = SF_ARG_INT, .required = true, .help = "the job", .alias = "bash_id" },
    { .name = "wait_ms",
      .type = SF_ARG_INT,
      .max = WAIT_MAX_MS,
      .help = "wait so long for it to end, if it runs; 0 unless given" },
};

const struct sf_tool sf_tool_bash_output = {
    .name = "BashOutput",
    .help = "Returns what a background job has written since the last time, and whether it runs "
            "or how it ended.",
    .args = output_args,
    .arg_count = SF_COUNT(output_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .needs_shell = true,
    .where = SF_TOOL_CHILD,
    .start = start_output,
    .stop = stop_waiting,
};

static const struct sf_tool_arg kill_args[] = {
    { .name = "id", .type = SF_ARG_INT, .required = true, .help = "the job", .alias = "shell_id" },
};

const struct sf_tool sf_tool_bash_kill = {
    .name = "BashKill",
    .help = "Ends a background job and everything it started, and returns its last output.",
    .args = kill_args,
    .arg_count = SF_COUNT(kill_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .needs_shell = true,
    .where = SF_TOOL_CHILD,
    .start = start_kill,
    .stop = stop_waiting,
};
