/*
 * toolbox: what the tools of one session share: the loop and its workers, the workspace, what
 * files were seen, the shell's directory and its background jobs, and the place where long
 * output is kept whole.
 */
#ifndef SF_TOOLS_TOOLBOX_H
#define SF_TOOLS_TOOLBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/call.h"

struct sf_toolbox; /* fields live in box.h, for the tools alone */

/*
 * How commands are confined. `open` makes what one command needs: `setup` runs in the child with
 * `setup_ctx`. `report` is a file the command must be able to write, `dir` where it starts. When
 * it fails, the command is not run. `close` follows as soon as the child has been started, `ended`
 * when the command and all it started are gone, or did not come to run: the handle goes with it.
 */
struct sf_tool_cage {
    void *(*open)(void *ctx, const struct sf_tool_call *call, const char *report, const char *dir,
                  struct sf_error *err);
    void (*close)(void *ctx, void *setup_ctx);
    /* Adds lines about what was put back behind it. */
    void (*ended)(void *ctx, void *setup_ctx, struct sf_strbuf *out);
    /* Adds lines about what the cage had to do with a failure; NULL: never. */
    void (*explain)(void *ctx, const struct sf_tool_call *call, bool failed,
                    const struct sf_strbuf *output, struct sf_strbuf *out);
    sf_child_setup_fn *setup;
    void *ctx;
    struct sf_child_watch watch; /* of every command */
};

struct sf_toolbox_setup {
    struct sf_loop *loop;
    struct sf_workers *workers;          /* shared by all sessions of the process */
    const struct sf_place_root *root;    /* the workspace; must outlive the box */
    const struct sf_path_places *places; /* what is protected, so that searches skip it */
    const char *spill_dir;               /* made when needed; holds whole outputs */
    const char *const *child_env;        /* environment of commands; NULL: the safe one */
    const struct sf_tool_cage *cage;     /* must outlive the box; NULL: commands run free */
    const char *proxy, *ca_file;         /* of fetches, as in http_api.h; may be NULL */
    int64_t fetch_ms;                    /* how long a fetch may take; 0: 30 s */
    int64_t search_ms;                   /* how long a search may take; 0: 30 s */
    int64_t (*clock_ms)(void);           /* what measures searches; NULL: the monotonic clock */
    void (*job_ended)(void *ctx, int64_t id); /* of the background, from the loop; or NULL */
    void *ctx;
};

struct sf_toolbox *sf_toolbox_new(const struct sf_toolbox_setup *setup);

/* Background jobs are ended; calls must have come back before. */
void sf_toolbox_free(struct sf_toolbox *box);
bool sf_toolbox_busy(const struct sf_toolbox *box); /* calls have not come back */

typedef void sf_tool_call_done_fn(void *ctx, struct sf_tool_call *call);
typedef void sf_tool_call_output_fn(void *ctx, struct sf_tool_call *call, const char *text,
                                    size_t len);

/*
 * The verdict was allow, and the targets' places are resolved. `done` comes exactly once from
 * the loop, also after a cancel. `output` (may be NULL) is live output of a command, raw bytes.
 */
void sf_toolbox_start(struct sf_toolbox *box, struct sf_tool_call *call, sf_tool_call_done_fn *done,
                      sf_tool_call_output_fn *output, void *ctx);
void sf_toolbox_cancel(struct sf_toolbox *box, struct sf_tool_call *call);

/*
 * Tries in a worker whether the call could succeed as things are, for a tool that has `rehearse`.
 * `done` comes as above: the result is an error, or still empty and the call can be started.
 */
void sf_toolbox_rehearse(struct sf_toolbox *box, struct sf_tool_call *call,
                         sf_tool_call_done_fn *done, void *ctx);

/* Files seen earlier in the session, as read back from the log. */
void sf_toolbox_remember(struct sf_toolbox *box, const struct sf_file_seen *seen);

/* After the conversation was shortened: Read no longer answers "shown already". */
void sf_toolbox_forget_shown(struct sf_toolbox *box);

/* The commands in the background, oldest first, ended ones too. Borrowed for the call. */
struct sf_job_view {
    int64_t id;
    const char *title;
    bool running;
    int64_t age_ms;     /* how long it has run, or ran; -1: unknown */
    const char *status; /* "running for 3s", "exit code 2" */
};
typedef void sf_job_view_fn(void *ctx, const struct sf_job_view *job);
void sf_toolbox_each_job(const struct sf_toolbox *box, sf_job_view_fn *fn, void *ctx);
bool sf_toolbox_end_job(struct sf_toolbox *box, int64_t id); /* false: it does not run */
void sf_toolbox_end_jobs(struct sf_toolbox *box); /* all, and waits, by turns of the loop */

/* One of an earlier process, see tools/jobs.h. */
void sf_toolbox_recall_job(struct sf_toolbox *box, int64_t id, const char *title,
                           const char *status, int64_t took_ms);

/* The shell's working directory, below the workspace ("" is its root). */
const char *sf_toolbox_cwd(const struct sf_toolbox *box);
void sf_toolbox_set_cwd(struct sf_toolbox *box, const char *dir);

#endif
