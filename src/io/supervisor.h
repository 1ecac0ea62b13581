/*
 * supervisor: the process between this program and a command; internal to the room. It is
 * forked, never executed, and speaks in fixed records through the status pipe:
 *
 *     STARTED                the command's process exists (before it executes anything)
 *     REFUSED                it could not be set up or executed; errno and the stage say why
 *     ENDED                  it was reaped: wait status and resource use
 *     LIMIT                  a limit was passed and all are being killed: which limit, how much
 *     LEFT                   descendants that could not be ended, at most once, at the very end
 *
 * Closing the control pipe tells it to stop, which happens when this program cancels the command
 * and also when this program dies.
 */
#ifndef SF_IO_SUPERVISOR_H
#define SF_IO_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"
#include "io/child.h"
#include "io/write_notes.h"

/* After the command has ended, its descendants get this long between SIGTERM and SIGKILL. */
#define SF_SUPERVISOR_LEFTOVER_MS 100

/* How long it waits for killed processes to vanish before it lists them and exits. */
#define SF_SUPERVISOR_GIVE_UP_MS 500

/* The same after a limit was passed: many processes or much memory take longer to free. */
#define SF_SUPERVISOR_LIMIT_MS 10000

enum sf_report_kind {
    SF_REPORT_STARTED = 1,
    SF_REPORT_REFUSED,
    SF_REPORT_ENDED,
    SF_REPORT_LIMIT,
    SF_REPORT_LEFT,
};

enum sf_launch_stage { SF_LAUNCH_PREPARE, SF_LAUNCH_CHDIR, SF_LAUNCH_SETUP, SF_LAUNCH_EXEC };

struct sf_supervisor_report {
    int32_t kind;
    int32_t pid;
    int32_t stage, error;
    int32_t status;
    int32_t left_count;
    int32_t left[SF_CHILD_LEFT_MAX];
    int64_t user_ms, system_ms, max_rss_kib;
    int32_t limit;
    uint64_t amount; /* bytes or processes, as the limit says */
};

/* Made before the fork; the descriptors are all 3 or above and close on exec. */
struct sf_supervisor_job {
    const char *program; /* NULL: `program_error` says why it was not found */
    int program_error;
    char *const *argv;
    char *const *envp;
    const char *cwd;
    int in, out, err;
    int status, control;
    pid_t parent; /* this program */
    int64_t grace_ms;
    struct sf_child_watch watch;
    struct sf_write_notes notes;
    sf_child_setup_fn *setup;
    void *setup_ctx;
};

/* Called in the forked process, with all signals blocked. */
SF_NORETURN void sf_supervisor_run(const struct sf_supervisor_job *job);

#endif
