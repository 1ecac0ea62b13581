/*
 * jobs: the commands of a session that run. A job begins as the foreground of one call; given a
 * number it goes on in the background, for BashOutput and BashKill to find. It ends when its
 * command and all it started are gone, and at the latest with the session.
 *
 * Life: sf_job_start; then either sf_job_free when it has ended, or sf_job_number, after which
 * the list owns it. Ended jobs stay on the list until SF_JOBS_KEPT are there. On the loop only.
 */
#ifndef SF_TOOLS_JOBS_H
#define SF_TOOLS_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/output.h"

enum {
    SF_JOBS_MAX = 16,  /* that run in the background */
    SF_JOBS_KEPT = 32, /* on the list, ended ones included */
};

struct sf_jobs;

/* What is to be done as soon as a job has ended, before anybody hears of it; adds to `aftermath`. */
struct sf_job_last {
    void (*fn)(void *ctx, void *held, struct sf_strbuf *out); /* NULL: nothing */
    void *ctx, *held;
};

struct sf_job {
    struct sf_jobs *jobs;
    int64_t id;     /* 0: in the foreground */
    char *title;    /* one line; set by whoever starts it, or NULL */
    char *scratch;  /* a file that goes with the job's end; or NULL */
    bool cancelled; /* somebody ended it */
    int64_t started_ms;
    struct sf_output *output;

    bool running;
    enum sf_child_how how; /* from here on: when it has ended */
    enum sf_child_limit limit;
    int code, signo;
    int exit_code; /* as a shell would tell it: 128 and more for a signal; -1 while it runs */
    int64_t duration_ms;
    size_t left_count; /* processes that could not be ended */
    pid_t left[SF_CHILD_LEFT_MAX];
    struct sf_error error;
    struct sf_strbuf aftermath; /* lines about what was put back behind it */
    struct sf_job_last last;    /* set by whoever starts it, before the loop turns again */

    /* The rest is for jobs.c. */
    struct sf_child *child;
    const struct sf_job_events *events;
    void *ctx;
    struct sf_job_wait *waits;
    struct sf_job *next;
};

/* For the one who started it, until the job has a number. None may be NULL. */
struct sf_job_events {
    void (*on_output)(void *ctx, const char *data, size_t len);
    void (*on_deadline)(void *ctx);
    void (*on_end)(void *ctx);
};

struct sf_jobs *sf_jobs_new(struct sf_loop *loop, const char *spill_dir);

/* `fn` hears of the end of each job that has a number, before anybody who waits for it. */
typedef void sf_job_ended_fn(void *ctx, int64_t id);
void sf_jobs_watch(struct sf_jobs *jobs, sf_job_ended_fn *fn, void *ctx);

/* Ends what runs and waits for it, by turns of the loop; so not from a callback of the loop. */
void sf_jobs_end(struct sf_jobs *jobs);
void sf_jobs_free(struct sf_jobs *jobs);

/* An empty file for one job to write, the caller's. */
char *sf_jobs_scratch(struct sf_jobs *jobs, struct sf_error *err) SF_MUST_CHECK;

/* `scratch` (or NULL) is adopted, also on failure. `events` must outlive the job. */
struct sf_job *sf_job_start(struct sf_jobs *jobs, const struct sf_child_spec *spec, char *scratch,
                            const struct sf_job_events *events, void *ctx,
                            struct sf_error *err) SF_MUST_CHECK;

bool sf_jobs_room(const struct sf_jobs *jobs, struct sf_error *err); /* for one more number */

/* Into the background. There must be room; the events come no more. */
void sf_job_number(struct sf_job *job);

void sf_job_cancel(struct sf_job *job); /* its end follows from the loop */
void sf_job_free(struct sf_job *job);   /* one without a number, when it has ended */

struct sf_job *sf_jobs_find(struct sf_jobs *jobs, int64_t id, struct sf_error *err);

/* Calls `fn` once when the job ends. The struct is the caller's and stays until then. */
struct sf_job_wait {
    sf_loop_fn *fn;
    void *ctx;
    struct sf_job_wait *next;
};

void sf_job_wait(struct sf_job *job, struct sf_job_wait *wait);
void sf_job_unwait(struct sf_job *job, struct sf_job_wait *wait); /* not waiting: welcome */

/* All with a number, oldest first. */
void sf_jobs_each(const struct sf_jobs *jobs, void (*fn)(void *ctx, struct sf_job *job), void *ctx);

/*
 * One that an earlier process had, and what is known of it; it does not run. `took_ms` is how long it
 * ran, or -1. Ids are not reused.
 */
void sf_jobs_recall(struct sf_jobs *jobs, int64_t id, const char *title, const char *status,
                    int64_t took_ms);

/* "exit code 2", "ended by SIGSEGV", "running for 3s": what became of it. */
void sf_job_status(const struct sf_job *job, struct sf_strbuf *out);
void sf_job_add_left(const struct sf_job *job, struct sf_strbuf *out); /* as a line in brackets */

#endif
