/*
 * child: commands that run beside the loop. Each one has a supervisor process of its own, which
 * is the parent of everything the command leaves behind: when the command ends, is cancelled,
 * passes its deadline, or when this program dies in whatever way, the supervisor ends all
 * descendants, also those that forked twice or opened a session of their own.
 *
 * The command is waited for, never the end of a pipe. It gets descriptors 0, 1 and 2 and no
 * others, its own session, default signals, and only the environment it is given. Output beyond
 * the cap is read, counted and thrown away, so a flood neither blocks it nor costs memory.
 *
 * A started child belongs to its loop. The pointer is good until `on_exit` returns; `on_exit` is
 * called exactly once, from the loop, when the command and its descendants are gone. Processes that
 * cannot be ended (stuck in the kernel, or running with other rights) are listed in the result.
 */
#ifndef SF_IO_CHILD_H
#define SF_IO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"
#include "io/loop.h"
#include "io/write_record.h"

struct sf_child;

#define SF_CHILD_GRACE_MS 1000
#define SF_CHILD_LEFT_MAX 8

/*
 * Runs in the new process between fork and exec, after the redirections: only calls that are
 * safe in a signal handler. False stops the start, and errno says why.
 */
typedef bool sf_child_setup_fn(void *ctx);

/*
 * Limits for the command and all its descendants together; 0: no limit. The supervisor checks them
 * at intervals while the command runs, and kills all processes at once when a limit is passed.
 */
struct sf_child_watch {
    uint64_t memory;    /* bytes */
    uint64_t processes; /* with their threads */
};

/* Everything is borrowed for the duration of the call. */
struct sf_child_spec {
    /* argv[0] without a slash is searched in the absolute directories of the child's PATH. */
    const char *const *argv;
    const char *const *envp; /* NULL: the variables of sf_env_safe */
    const char *cwd;         /* NULL: the directory of this program */
    const void *input;       /* the child's standard input; NULL: /dev/null */
    size_t input_len;
    bool pass_input;     /* without `input`, this program's standard input instead of /dev/null */
    bool merge_stderr;   /* standard error goes where standard output goes, in order */
    size_t output_cap;   /* bytes of output kept, both streams together: the first ones */
    int64_t deadline_ms; /* 0: none */
    int64_t grace_ms;    /* between SIGTERM and SIGKILL; 0: SF_CHILD_GRACE_MS */
    struct sf_child_watch watch;
    struct sf_write_record *record; /* notes what is written; NULL: nobody wants to know */
    sf_child_setup_fn *setup;
    void *setup_ctx; /* not on the heap, nor anything it points to: SF_ARENA_MAPPED_INIT */
};

enum sf_child_stream { SF_CHILD_STREAM_OUT, SF_CHILD_STREAM_ERR };

enum sf_child_how {
    SF_CHILD_EXITED,
    SF_CHILD_SIGNALLED,
    SF_CHILD_FAILED, /* could not be started, or lost its supervisor: see `error` */
    SF_CHILD_DEADLINE,
    SF_CHILD_CANCELLED,
    SF_CHILD_LIMIT, /* a limit of the watch was passed: see `limit` and `error` */
};

enum sf_child_limit { SF_LIMIT_NONE, SF_LIMIT_MEMORY, SF_LIMIT_PROCESSES, SF_LIMIT_UNSEEN };

struct sf_child_result {
    enum sf_child_how how;
    int code;  /* exit code, -1 when there is none */
    int signo; /* the signal that ended it, or 0 */
    enum sf_child_limit limit;
    struct sf_error error; /* filled for SF_CHILD_FAILED and SF_CHILD_LIMIT */
    struct sf_strbuf output[2];
    uint64_t total[2]; /* bytes written, kept or not */
    int64_t duration_ms;
    int64_t user_ms, system_ms; /* of the command and the children it waited for */
    int64_t max_rss_kib;
    size_t left_count;             /* processes that could not be ended */
    pid_t left[SF_CHILD_LEFT_MAX]; /* the first of them; 0: unknown */
};

/* "could not be ended: 2 processes, 17, 18"; nothing when `count` is 0. */
void sf_child_say_left(struct sf_strbuf *out, const pid_t *left, size_t count);

/* All but on_exit may be NULL. The data and the result are borrowed for the call. */
struct sf_child_events {
    /* Gets every byte as it arrives, including those beyond the cap. */
    void (*on_output)(void *ctx, enum sf_child_stream stream, const char *data, size_t len);
    /* Called once at the deadline, and decides what to do; if NULL, the child is ended. */
    void (*on_deadline)(void *ctx, struct sf_child *child);
    void (*on_exit)(void *ctx, const struct sf_child_result *result);
};

/*
 * NULL with `err` filled when no process could be made; then nothing is called. A command that
 * does not exist or cannot be executed is reported by on_exit.
 */
struct sf_child *sf_child_start(struct sf_loop *loop, const struct sf_child_spec *spec,
                                const struct sf_child_events *events, void *ctx,
                                struct sf_error *err);

/*
 * SIGTERM to the command and all its descendants, SIGKILL after the grace; on_exit follows from
 * the loop. May be called from any callback of the child, and more than once.
 */
void sf_child_cancel(struct sf_child *child);

/*
 * Runs the command to its end on a loop of its own. False only when no process could be made;
 * otherwise `result` is filled, even if the command failed, and the caller releases it.
 */
bool sf_child_run(const struct sf_child_spec *spec, struct sf_child_result *result,
                  struct sf_error *err) SF_MUST_CHECK;

void sf_child_result_release(struct sf_child_result *result);

/*
 * Code and data that are mapped for good and that nothing between fork and exec uses: they are left
 * out when the memory is copied for a supervisor, which takes longer the more is mapped. From any
 * thread.
 */
void sf_child_leave_out(void *start, size_t len);

#endif
