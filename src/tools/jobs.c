/*
 * jobs.c: the list of jobs, and the handling of their children's events.
 */
#include "tools/jobs.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

struct sf_jobs {
    struct sf_loop *loop;
    char *spill_dir;
    char *spare; /* an empty file that an ended job had; or NULL */
    int64_t last_id;
    size_t running;                 /* number of running jobs, numbered or not */
    struct sf_job *first;           /* numbered, oldest first */
    sf_job_ended_fn *ended, *wrote; /* or NULL */
    void *ctx;
};

struct sf_jobs *sf_jobs_new(struct sf_loop *loop, const char *spill_dir)
{
    struct sf_jobs *jobs = sf_alloc(sizeof(*jobs));

    jobs->loop = loop;
    jobs->spill_dir = sf_strdup(spill_dir);
    return jobs;
}

/* Empties a file in which nobody can write any more; false: it is not what it was. */
static bool empty_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
              ftruncate(fd, 0) == 0;

    if (fd >= 0)
        close(fd);
    return ok;
}

/*
 * Making and removing a file for each command costs as much as starting one: file systems pass
 * over what was removed a moment ago, one by one. So one is kept for the next.
 */
static void drop_scratch(struct sf_job *job)
{
    struct sf_jobs *jobs = job->jobs;

    if (job->scratch && !jobs->spare && !job->child && !job->left_count &&
        empty_file(job->scratch)) {
        jobs->spare = job->scratch;
    } else if (job->scratch) {
        unlink(job->scratch);
        free(job->scratch);
    }
    job->scratch = NULL;
}

char *sf_jobs_scratch(struct sf_jobs *jobs, struct sf_error *err)
{
    char *path = jobs->spare;
    int fd;

    jobs->spare = NULL;
    if (path && access(path, W_OK) == 0)
        return path;
    free(path);
    path = NULL;
    fd = sf_file_new_private(jobs->spill_dir, "cwd", "", &path, err);
    if (fd < 0)
        return NULL;
    close(fd);
    return path;
}

static void free_job(struct sf_job *job)
{
    drop_scratch(job);
    sf_output_free(job->output);
    sf_strbuf_release(&job->aftermath);
    free(job->title);
    free(job);
}

void sf_job_free(struct sf_job *job)
{
    assert(!job->running && !job->id);
    free_job(job);
}

void sf_jobs_watch(struct sf_jobs *jobs, sf_job_ended_fn *fn, sf_job_ended_fn *wrote, void *ctx)
{
    jobs->ended = fn;
    jobs->wrote = wrote;
    jobs->ctx = ctx;
}

bool sf_jobs_stop(struct sf_jobs *jobs)
{
    for (struct sf_job *job = jobs->first; job; job = job->next)
        sf_job_cancel(job);
    return !jobs->running;
}

void sf_jobs_free(struct sf_jobs *jobs)
{
    if (!jobs)
        return;
    while (!sf_jobs_stop(jobs))
        sf_loop_turn(jobs->loop, -1);
    while (jobs->first) {
        struct sf_job *job = jobs->first;

        jobs->first = job->next;
        free_job(job);
    }
    if (jobs->spare)
        unlink(jobs->spare);
    free(jobs->spare);
    free(jobs->spill_dir);
    free(jobs);
}

static void on_output(void *ctx, enum sf_child_stream stream, const char *data, size_t len)
{
    struct sf_job *job = ctx;

    (void)stream;
    sf_output_add(job->output, data, len);
    if (!job->id)
        job->events->on_output(job->ctx, data, len);
    else if (job->jobs->wrote)
        job->jobs->wrote(job->jobs->ctx, job->id);
}

static void on_deadline(void *ctx, struct sf_child *child)
{
    struct sf_job *job = ctx;

    (void)child;
    if (!job->id)
        job->events->on_deadline(job->ctx);
}

static void note_end(struct sf_job *job, const struct sf_child_result *result)
{
    job->child = NULL;
    job->how = result->how;
    job->limit = result->limit;
    job->code = result->code;
    job->signo = result->signo;
    job->duration_ms = result->duration_ms;
    job->error = result->error;
    job->left_count = result->left_count;
    memcpy(job->left, result->left, sizeof(job->left));
    sf_output_end(job->output);
}

/* Nothing is left to be done after the command. */
static void report_end(void *ctx)
{
    struct sf_job *job = ctx;
    bool owned_by_starter = !job->id;

    job->running = false;
    job->jobs->running--;
    job->exit_code = job->how == SF_CHILD_SIGNALLED ? 128 + job->signo : job->code;
    if (job->id)
        drop_scratch(job);
    if (job->id && job->jobs->ended)
        job->jobs->ended(job->jobs->ctx, job->id);
    while (job->waits) {
        struct sf_job_wait *wait = job->waits;

        job->waits = wait->next;
        wait->fn(wait->ctx);
    }
    if (owned_by_starter)
        job->events->on_end(job->ctx);
}

static void on_ended(void *ctx, const struct sf_child_result *result)
{
    struct sf_job *job = ctx;
    const struct sf_tool_cage *cage = job->last.cage;
    const struct sf_job_end end = { report_end, job };

    note_end(job, result);
    if (cage && job->cancelled)
        cage->hurry(cage->ctx, job->last.held);
    if (!cage || cage->ended(cage->ctx, job->last.held, &job->aftermath, &end))
        report_end(job);
}

struct sf_job *sf_job_start(struct sf_jobs *jobs, const struct sf_child_spec *spec, char *scratch,
                            const struct sf_job_events *events, void *ctx, struct sf_error *err)
{
    static const struct sf_child_events child_events = { on_output, on_deadline, on_ended };
    struct sf_job *job = sf_alloc(sizeof(*job));

    job->jobs = jobs;
    job->scratch = scratch;
    job->events = events;
    job->ctx = ctx;
    job->code = -1;
    sf_strbuf_init(&job->aftermath);
    job->started_ms = sf_clock_monotonic_ms();
    job->output = sf_output_new(jobs->spill_dir, SF_OUTPUT_SHOWN);
    job->child = sf_child_start(jobs->loop, spec, &child_events, job, err);
    if (!job->child) {
        free_job(job);
        return NULL;
    }
    job->running = true;
    job->exit_code = -1;
    jobs->running++;
    return job;
}

static void count(const struct sf_jobs *jobs, size_t *all, size_t *running)
{
    *all = *running = 0;
    for (const struct sf_job *job = jobs->first; job; job = job->next) {
        *all += 1;
        *running += job->running;
    }
}

static void list(const struct sf_jobs *jobs, bool ended_too, struct sf_strbuf *out)
{
    for (const struct sf_job *job = jobs->first; job; job = job->next) {
        if (!job->running && !ended_too)
            continue;
        sf_strbuf_addf(out, "%s%lld (", out->len ? ", " : "", (long long)job->id);
        sf_job_status(job, out);
        sf_strbuf_adds(out, ")");
    }
}

bool sf_jobs_room(const struct sf_jobs *jobs, struct sf_error *err)
{
    struct sf_strbuf names = SF_STRBUF_INIT;
    size_t all, running;

    count(jobs, &all, &running);
    if (running < SF_JOBS_MAX)
        return true;
    list(jobs, false, &names);
    sf_fail(err, SF_E_LIMIT, "%d jobs run in the background already: %s", SF_JOBS_MAX, names.buf);
    sf_hint(err, "end one with BashKill first");
    sf_strbuf_release(&names);
    return false;
}

/* Removes the oldest ended job. */
static void forget_one(struct sf_jobs *jobs)
{
    for (struct sf_job **at = &jobs->first; *at; at = &(*at)->next) {
        struct sf_job *job = *at;

        if (job->running)
            continue;
        *at = job->next;
        free_job(job);
        return;
    }
}

static void add(struct sf_jobs *jobs, struct sf_job *job)
{
    struct sf_job **at = &jobs->first;
    size_t all, running;

    count(jobs, &all, &running);
    if (all >= SF_JOBS_KEPT)
        forget_one(jobs);
    while (*at)
        at = &(*at)->next;
    *at = job;
}

void sf_job_number(struct sf_job *job)
{
    assert(!job->id && job->running);
    add(job->jobs, job);
    job->id = ++job->jobs->last_id;
}

void sf_jobs_recall(struct sf_jobs *jobs, int64_t id, const char *title, const char *status,
                    int64_t took_ms)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_job *job = sf_jobs_find(jobs, id, &ignored);

    if (!job) {
        job = sf_alloc(sizeof(*job));
        *job = (struct sf_job){
            .jobs = jobs, .id = id, .how = SF_CHILD_FAILED, .code = -1, .exit_code = -1
        };
        sf_strbuf_init(&job->aftermath);
        job->output = sf_output_new(jobs->spill_dir, SF_OUTPUT_SHOWN);
        job->title = sf_strdup(title);
        sf_output_end(job->output);
        add(jobs, job);
    }
    if (!job->running) {
        sf_fail(&job->error, SF_E_NONE, "%s", status);
        job->duration_ms = took_ms;
    }
    if (jobs->last_id < id)
        jobs->last_id = id;
}

void sf_job_cancel(struct sf_job *job)
{
    const struct sf_tool_cage *cage = job->last.cage;

    if (job->running && job->child) {
        job->cancelled = true;
        sf_child_cancel(job->child);
    } else if (job->running && cage) {
        cage->hurry(cage->ctx, job->last.held);
    }
}

struct sf_job *sf_jobs_find(struct sf_jobs *jobs, int64_t id, struct sf_error *err)
{
    struct sf_strbuf names = SF_STRBUF_INIT;

    for (struct sf_job *job = jobs->first; job; job = job->next)
        if (job->id == id)
            return job;
    list(jobs, true, &names);
    sf_fail(err, SF_E_NOENT, "there is no job %lld; %s%s", (long long)id,
            names.len ? "there are " : "none was started", names.buf);
    sf_strbuf_release(&names);
    return NULL;
}

void sf_job_wait(struct sf_job *job, struct sf_job_wait *wait)
{
    struct sf_job_wait **at = &job->waits;

    while (*at)
        at = &(*at)->next;
    wait->next = NULL;
    *at = wait;
}

void sf_job_unwait(struct sf_job *job, struct sf_job_wait *wait)
{
    for (struct sf_job_wait **at = &job->waits; *at; at = &(*at)->next) {
        if (*at == wait) {
            *at = wait->next;
            return;
        }
    }
}

static void add_signal(struct sf_strbuf *out, int signo)
{
    const char *name = sigabbrev_np(signo);

    if (name)
        sf_strbuf_addf(out, "SIG%s", name);
    else
        sf_strbuf_addf(out, "signal %d", signo);
}

/* A shell reports a signal that ended its last program as 128 plus its number. */
static void add_code(struct sf_strbuf *out, int code)
{
    sf_strbuf_addf(out, "exit code %d", code);
    if (code > 128 && code <= 128 + SIGRTMAX && sigabbrev_np(code - 128)) {
        sf_strbuf_adds(out, ", as after ");
        add_signal(out, code - 128);
    }
}

void sf_jobs_each(const struct sf_jobs *jobs, void (*fn)(void *ctx, struct sf_job *job), void *ctx)
{
    for (struct sf_job *job = jobs->first; job; job = job->next)
        fn(ctx, job);
}

void sf_job_status(const struct sf_job *job, struct sf_strbuf *out)
{
    char text[SF_DURATION_MAX];

    if (job->running && !job->child) {
        sf_strbuf_adds(out, "ended; what it left behind is being looked at");
        return;
    }
    if (job->running) {
        sf_duration_format(text, (sf_clock_monotonic_ms() - job->started_ms) / 1000 * 1000);
        sf_strbuf_addf(out, "running for %s", text);
        return;
    }
    switch (job->how) {
    case SF_CHILD_EXITED:
        add_code(out, job->code);
        break;
    case SF_CHILD_SIGNALLED:
        sf_strbuf_adds(out, "ended by ");
        add_signal(out, job->signo);
        break;
    case SF_CHILD_FAILED:
        sf_strbuf_adds(out, job->error.msg);
        break;
    case SF_CHILD_DEADLINE:
    case SF_CHILD_CANCELLED:
        sf_strbuf_adds(out, "cancelled");
        break;
    case SF_CHILD_LIMIT:
        sf_strbuf_addf(out, "ended with all it had started: %s", job->error.msg);
        break;
    }
}

void sf_job_add_left(const struct sf_job *job, struct sf_strbuf *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_child_say_left(&text, job->left, job->left_count);
    if (text.len)
        sf_strbuf_addf(out, "[%s]\n", text.buf);
    sf_strbuf_release(&text);
}
