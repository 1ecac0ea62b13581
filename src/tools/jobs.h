/*
 * jobs: the running commands of a session. A job begins in the foreground of one call; with a
 * number it continues in the background, where BashOutput and BashKill find it. A job ends when its
 * command and all descendants are gone and what they left behind is put right, at the latest with
 * the session.
 *
 * Life: sf_job_start; then either sf_job_free when it has ended, or sf_job_number, after which the
 * list owns it. Ended jobs stay in the list until it has SF_JOBS_KEPT. On the loop only.
 */
#ifndef SF_TOOLS_JOBS_H
#define SF_TOOLS_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/output.h"
#include "tools/toolbox.h"

enum {
    SF_JOBS_MAX = 16,  /* running in the background */
    SF_JOBS_KEPT = 32, /* in the list, including ended ones */
};

struct sf_jobs;

/*
 * What is done when the command has ended and before that is reported: the cage, and its handle.
 * Until then the job counts as running.
 */
struct sf_job_last {
    const struct sf_tool_cage *cage; /* or NULL */
    void *held;
};

struct sf_job {
    struct sf_jobs *jobs;
    int64_t id;     /* 0: in the foreground */
    char *title;    /* one line, set before it gets its number; else NULL */
    char *scratch;  /* a file that is removed when the job ends; or NULL */
    bool cancelled; /* ended by the user or the model */
    int64_t started_ms;
    struct sf_output *output;

    bool running;          /* also while what it left behind is looked at: then without a child */
    enum sf_child_how how; /* this and the following fields are set when it has ended */
    enum sf_child_limit limit;
    int code, signo;
    int exit_code; /* like a shell's: 128 plus the signal; -1 while it runs */
    int64_t duration_ms;
    size_t left_count; /* processes that could not be ended */
    pid_t left[SF_CHILD_LEFT_MAX];
    struct sf_error error;
    struct sf_strbuf aftermath; /* lines about what was put back after it */
    struct sf_job_last last;    /* set by the caller of sf_job_start, before the next loop turn */

    /* The rest is private to jobs.c. */
    struct sf_child *child;
    const struct sf_job_events *events;
    void *ctx;
    struct sf_job_wait *waits;
    struct sf_job *next;
};

/* For the caller of sf_job_start, until the job has a number. None may be NULL. */
struct sf_job_events {
    void (*on_output)(void *ctx, const char *data, size_t len);
    void (*on_deadline)(void *ctx);
    void (*on_end)(void *ctx);
};

struct sf_jobs *sf_jobs_new(struct sf_loop *loop, const char *spill_dir);

/* `fn` is called at the end of each numbered job, before those that wait for it. */
typedef void sf_job_ended_fn(void *ctx, int64_t id);
/* `wrote` is called for each piece of output of a numbered job. Either may be NULL. */
void sf_jobs_watch(struct sf_jobs *jobs, sf_job_ended_fn *fn, sf_job_ended_fn *wrote, void *ctx);

/* Cancels all jobs; false: some have not ended. */
bool sf_jobs_stop(struct sf_jobs *jobs);
/* Runs the loop until the last job has ended; where none runs, a callback may call it too. */
void sf_jobs_free(struct sf_jobs *jobs);

/* An empty file for one job to write, the caller's. */
char *sf_jobs_scratch(struct sf_jobs *jobs, struct sf_error *err) SF_MUST_CHECK;

/* Takes ownership of `scratch` (or NULL), even on failure. `events` must outlive the job. */
struct sf_job *sf_job_start(struct sf_jobs *jobs, const struct sf_child_spec *spec, char *scratch,
                            const struct sf_job_events *events, void *ctx,
                            struct sf_error *err) SF_MUST_CHECK;

/* Whether another job can go to the background. */
bool sf_jobs_room(const struct sf_jobs *jobs, struct sf_error *err);

/* Moves the job to the background. There must be room; its events are not called any more. */
void sf_job_number(struct sf_job *job);

void sf_job_cancel(struct sf_job *job); /* its end is reported from the loop, or was */
void sf_job_free(struct sf_job *job);   /* only without a number, after it has ended */

struct sf_job *sf_jobs_find(struct sf_jobs *jobs, int64_t id, struct sf_error *err);

/* Calls `fn` once when the job ends. The caller owns the struct, which must exist until then. */
struct sf_job_wait {
    sf_loop_fn *fn;
    void *ctx;
    struct sf_job_wait *next;
};

void sf_job_wait(struct sf_job *job, struct sf_job_wait *wait);
void sf_job_unwait(struct sf_job *job, struct sf_job_wait *wait); /* no effect if not waiting */

/* Visits all numbered jobs, oldest first. */
void sf_jobs_each(const struct sf_jobs *jobs, void (*fn)(void *ctx, struct sf_job *job), void *ctx);

/*
 * Adds a job of an earlier process, which does not run any more. `took_ms` is its duration, or -1.
 * Ids are not reused.
 */
void sf_jobs_recall(struct sf_jobs *jobs, int64_t id, const char *title, const char *status,
                    int64_t took_ms);

/* Appends the status: "exit code 2", "ended by SIGSEGV", "running for 3s". */
void sf_job_status(const struct sf_job *job, struct sf_strbuf *out);
/* Appends a line in brackets about processes that could not be ended. */
void sf_job_add_left(const struct sf_job *job, struct sf_strbuf *out);

#endif
