/*
 * toolbox: what the tools of one session share: the loop and its workers, the workspace, the files
 * that were seen, the shell's directory and its background jobs, and the directory for spilled
 * output.
 */
#ifndef SF_TOOLS_TOOLBOX_H
#define SF_TOOLS_TOOLBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/call.h"

struct sf_toolbox; /* fields live in box.h, for the tools only */

/* What is called on the loop, once, when everything is in order after a command. */
struct sf_job_end {
    sf_loop_fn *fn;
    void *ctx;
};

/*
 * How commands are confined. `open` prepares one command, adds to its spec what confines it, and
 * returns a handle. `report` is a file that the command must be able to write. If `open` fails, the
 * command is not run. `close` is called as soon as the child was started or could not be. Then
 * either `ended`, when the command and all its descendants are gone, or `drop`, if it never ran;
 * both free the handle.
 */
struct sf_tool_cage {
    void *(*open)(void *ctx, const struct sf_tool_call *call, const char *report,
                  struct sf_child_spec *spec, struct sf_error *err);
    void (*close)(void *ctx, void *handle);
    /* Adds lines about what was put back after the command. False: they are not all there yet, and
     * `end` is called when they are. */
    bool (*ended)(void *ctx, void *handle, struct sf_strbuf *out, const struct sf_job_end *end);
    void (*hurry)(void *ctx, void *handle); /* somebody waits for the end; before it was called */
    void (*drop)(void *ctx, void *handle);
    /* Adds lines about how the cage may have caused a failure; or NULL. */
    void (*explain)(void *ctx, const struct sf_tool_call *call, bool failed,
                    const struct sf_strbuf *output, struct sf_strbuf *out);
    void *ctx;
};

struct sf_toolbox_setup {
    struct sf_loop *loop;
    struct sf_workers *workers;          /* shared by all sessions of the process */
    const struct sf_place_root *root;    /* the workspace; must outlive the box */
    const struct sf_path_places *places; /* protected places, which searches skip */
    const char *stand;                   /* where sf was started, below the root; or NULL */
    const char *spill_dir;               /* made when needed; for spilled output */
    const char *const *child_env;        /* environment of commands; NULL: sf_env_safe */
    const struct sf_tool_cage *cage;     /* must outlive the box; NULL: no confinement */
    const char *proxy, *ca_file;         /* for fetches, as in http_api.h; may be NULL */
    int64_t fetch_ms;                    /* time limit of a fetch; 0: 30 s */
    int64_t search_ms;                   /* time limit of a search; 0: 30 s */
    bool by_name;                        /* files are listed in an order that no time changes */
    int64_t (*clock_ms)(void);           /* clock for searches; NULL: the monotonic clock */
    void (*job_ended)(void *ctx, int64_t id); /* a background job ended; on the loop; or NULL */
    void (*job_wrote)(void *ctx, int64_t id); /* it wrote something; likewise */
    void *ctx;
};

struct sf_toolbox *sf_toolbox_new(const struct sf_toolbox_setup *setup);

/* Ends background jobs; all calls must have ended before. */
void sf_toolbox_free(struct sf_toolbox *box);
bool sf_toolbox_busy(const struct sf_toolbox *box); /* some calls have not ended */

typedef void sf_tool_call_done_fn(void *ctx, struct sf_tool_call *call);
typedef void sf_tool_call_output_fn(void *ctx, struct sf_tool_call *call, const char *text,
                                    size_t len);

/*
 * Starts a call that was allowed and whose targets are resolved. `done` is called exactly once from
 * the loop, even after a cancel. `output` (or NULL) gets live output of a command, as raw bytes.
 */
void sf_toolbox_start(struct sf_toolbox *box, struct sf_tool_call *call, sf_tool_call_done_fn *done,
                      sf_tool_call_output_fn *output, void *ctx);
void sf_toolbox_cancel(struct sf_toolbox *box, struct sf_tool_call *call);

/*
 * Tries on a worker whether the call would succeed now, for a tool that has `rehearse`. `done` is
 * called as above: the result is an error, or at most a diff, and the call can be started.
 */
void sf_toolbox_rehearse(struct sf_toolbox *box, struct sf_tool_call *call,
                         sf_tool_call_done_fn *done, void *ctx);

/* Restores a file seen earlier in the session, from the log. */
void sf_toolbox_remember(struct sf_toolbox *box, const struct sf_file_seen *seen);

/* After the conversation was summarised: Read no longer answers "shown already". */
void sf_toolbox_forget_shown(struct sf_toolbox *box);

/* Visits background jobs, oldest first, including ended ones. Borrowed for the call. */
struct sf_job_view {
    int64_t id;
    const char *title;
    bool running;
    int64_t age_ms;     /* how long it has run, or ran; -1: unknown */
    const char *status; /* "running for 3s", "exit code 2" */
};
typedef void sf_job_view_fn(void *ctx, const struct sf_job_view *job);
void sf_toolbox_each_job(const struct sf_toolbox *box, sf_job_view_fn *fn, void *ctx);
/* Adds a line of Markdown about the job, and what it has written: whole, or head and tail. */
bool sf_toolbox_job_output(const struct sf_toolbox *box, int64_t id, struct sf_strbuf *about,
                           struct sf_strbuf *output, struct sf_error *err) SF_MUST_CHECK;
bool sf_toolbox_end_job(struct sf_toolbox *box, int64_t id); /* false: not running */
bool sf_toolbox_stop_jobs(struct sf_toolbox *box); /* all of them; false: some have not ended */

/* Adds a job of an earlier process, see tools/jobs.h. */
void sf_toolbox_recall_job(struct sf_toolbox *box, int64_t id, const char *title,
                           const char *status, int64_t took_ms);

/* The shell's working directory, below the workspace ("" is its root). */
const char *sf_toolbox_cwd(const struct sf_toolbox *box);
void sf_toolbox_set_cwd(struct sf_toolbox *box, const char *dir);

#endif
