/*
 * child.c: this program's side of a running command: pipes, records from the supervisor, the
 * deadline, and the end, which is when the supervisor was reaped.
 *
 * A supervisor that is stopped or stuck would keep the end from coming. A watchdog kills it then,
 * and the command dies with it.
 */
#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/clock.h"
#include "io/launch.h"
#include "io/supervisor.h"

#define READ_CHUNK  16384
#define TURN_BYTES  65536 /* read from a stream in one turn: a full pipe of the usual size */
#define WATCHDOG_MS (SF_SUPERVISOR_LEFTOVER_MS + SF_SUPERVISOR_GIVE_UP_MS + 300)

struct channel {
    int fd; /* -1: closed */
    uint64_t watch;
};

struct sf_child {
    struct sf_loop *loop;
    struct sf_child_events events;
    void *ctx;
    char *name;
    int64_t started, grace_ms;
    pid_t supervisor, command;

    struct channel end;    /* pidfd of the supervisor; closed where the kernel has none */
    struct channel status; /* records, as in supervisor.h */
    int control;           /* closing it tells the supervisor to stop */
    struct channel streams[2];
    struct channel input;
    struct sf_strbuf feed;
    size_t fed;

    uint64_t deadline, watchdog; /* timers */
    bool refused, ended, stopping, late;
    struct sf_child_watch bounds;
    size_t room; /* bytes of output still to be kept */
    struct sf_supervisor_report report;
    size_t report_len; /* bytes of `report` that have arrived */
    struct sf_child_result result;
    struct sf_child_result *deliver_to; /* takes the result over, in sf_child_run */
};

static void reset_result(struct sf_child_result *result)
{
    *result = (struct sf_child_result){ .code = -1, .output = { SF_STRBUF_INIT, SF_STRBUF_INIT } };
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_channel(struct sf_child *child, struct channel *channel)
{
    sf_loop_remove(child->loop, channel->watch);
    channel->watch = 0;
    close_fd(&channel->fd);
}

static void keep_output(struct sf_child *child, enum sf_child_stream stream, const char *data,
                        size_t len)
{
    size_t kept = len < child->room ? len : child->room;

    child->result.total[stream] += len;
    child->room -= kept;
    sf_strbuf_add(&child->result.output[stream], data, kept);
    if (child->events.on_output)
        child->events.on_output(child->ctx, stream, data, len);
}

/* Reads what is there, but not much more than `budget` bytes. */
static void read_stream(struct sf_child *child, enum sf_child_stream stream, size_t budget)
{
    struct channel *channel = &child->streams[stream];
    char chunk[READ_CHUNK];

    for (size_t got = 0; got < budget && channel->fd >= 0;) {
        ssize_t n = read(channel->fd, chunk, sizeof(chunk));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close_channel(child, channel);
            return;
        }
        got += (size_t)n;
        keep_output(child, stream, chunk, (size_t)n);
    }
}

/* Reads no more than the pipe can hold, so that a process still writing cannot delay the end. */
static void drain_stream(struct sf_child *child, enum sf_child_stream stream)
{
    int size = child->streams[stream].fd < 0 ? -1 : fcntl(child->streams[stream].fd, F_GETPIPE_SZ);

    if (size > 0)
        read_stream(child, stream, (size_t)size);
}

static void on_out(void *ctx, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    read_stream(ctx, SF_CHILD_STREAM_OUT, TURN_BYTES);
}

static void on_err(void *ctx, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    read_stream(ctx, SF_CHILD_STREAM_ERR, TURN_BYTES);
}

/*
 * The standard input is a pipe, not a socket, because programs reopen /dev/stdin and sockets cannot
 * be reopened. Pipes have no MSG_NOSIGNAL, so SIGPIPE is blocked in this thread and consumed if
 * this write raised it.
 */
static ssize_t write_quietly(int fd, const void *data, size_t len)
{
    static const struct timespec no_wait;
    sigset_t pipe_only, pending, before;
    bool was_pending;
    int saved;
    ssize_t n;

    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGPIPE) > 0;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    n = write(fd, data, len);
    saved = errno;
    if (n < 0 && saved == EPIPE && !was_pending)
        while (sigtimedwait(&pipe_only, NULL, &no_wait) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return n;
}

/* It is not an error if a command does not read its input to the end. */
static void on_input(void *ctx, int fd, unsigned events)
{
    struct sf_child *child = ctx;
    ssize_t n = write_quietly(fd, child->feed.buf + child->fed, child->feed.len - child->fed);

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0)
        child->fed += (size_t)n;
    if (n < 0 || child->fed == child->feed.len) {
        close_channel(child, &child->input);
        sf_strbuf_release(&child->feed);
    }
}

/* The pid cannot have been reused: the supervisor is our child and was not reaped. */
static void on_watchdog(void *ctx)
{
    struct sf_child *child = ctx;

    kill(child->supervisor, SIGKILL);
}

static void arm_watchdog(struct sf_child *child, int64_t after_ms)
{
    sf_loop_remove(child->loop, child->watchdog);
    child->watchdog = sf_loop_add_timer(child->loop, after_ms, 0, on_watchdog, child);
}

static void stop(struct sf_child *child)
{
    if (child->stopping || child->ended)
        return;
    child->stopping = true;
    close_fd(&child->control);
    arm_watchdog(child, child->grace_ms + WATCHDOG_MS);
}

void sf_child_cancel(struct sf_child *child)
{
    stop(child);
}

static void on_deadline(void *ctx)
{
    struct sf_child *child = ctx;

    if (child->stopping || child->ended)
        return;
    if (child->events.on_deadline) {
        child->events.on_deadline(child->ctx, child);
        return;
    }
    child->late = true;
    stop(child);
}

static void note_refusal(struct sf_child *child, const struct sf_supervisor_report *r)
{
    static const char *const words[] = {
        [SF_LAUNCH_PREPARE] = "prepare a process for",
        [SF_LAUNCH_CHDIR] = "enter the working directory of",
        [SF_LAUNCH_SETUP] = "confine",
        [SF_LAUNCH_EXEC] = "run",
    };

    child->refused = true;
    errno = r->error;
    sf_fail_errno(&child->result.error, "cannot %s %s", words[r->stage], child->name);
}

static void note_end(struct sf_child *child, const struct sf_supervisor_report *r)
{
    struct sf_child_result *result = &child->result;

    child->ended = true;
    if (WIFEXITED(r->status))
        result->code = WEXITSTATUS(r->status);
    else if (WIFSIGNALED(r->status))
        result->signo = WTERMSIG(r->status);
    result->duration_ms = sf_clock_monotonic_ms() - child->started;
    result->user_ms = r->user_ms;
    result->system_ms = r->system_ms;
    result->max_rss_kib = r->max_rss_kib;
    sf_loop_remove(child->loop, child->deadline);
    if (!result->limit)
        arm_watchdog(child, WATCHDOG_MS);
}

/* From 10 GiB on in tenths of a GiB, below in MiB. */
static void say_memory(struct sf_strbuf *out, uint64_t bytes)
{
    if (bytes >= UINT64_C(10) << 30)
        sf_strbuf_addf(out, "%.1f GiB", (double)bytes / (1 << 30));
    else
        sf_strbuf_addf(out, "%llu MiB", (unsigned long long)(bytes >> 20));
}

static void note_limit(struct sf_child *child, const struct sf_supervisor_report *r)
{
    struct sf_strbuf used = SF_STRBUF_INIT, bound = SF_STRBUF_INIT;

    child->result.limit = (enum sf_child_limit)r->limit;
    if (child->result.limit == SF_LIMIT_MEMORY) {
        say_memory(&used, r->amount);
        say_memory(&bound, child->bounds.memory);
        sf_fail(&child->result.error, SF_E_LIMIT, "it used %s of memory, %s is allowed", used.buf,
                bound.buf);
    } else if (child->result.limit == SF_LIMIT_UNSEEN) {
        sf_fail(&child->result.error, SF_E_LIMIT, "what it used could not be seen any more");
    } else {
        sf_fail(&child->result.error, SF_E_LIMIT, "it ran %llu processes, %llu are allowed",
                (unsigned long long)r->amount, (unsigned long long)child->bounds.processes);
    }
    sf_loop_remove(child->loop, child->deadline);
    arm_watchdog(child, SF_SUPERVISOR_LIMIT_MS + WATCHDOG_MS);
    sf_strbuf_release(&used);
    sf_strbuf_release(&bound);
}

void sf_child_say_left(struct sf_strbuf *out, const pid_t *left, size_t count)
{
    if (!count)
        return;
    sf_strbuf_addf(out, "could not end %zu process%s", count, count == 1 ? "" : "es");
    for (size_t i = 0; i < count && i < SF_CHILD_LEFT_MAX; i++)
        if (left[i])
            sf_strbuf_addf(out, ", %d", (int)left[i]);
}

static void note_left(struct sf_child *child, const struct sf_supervisor_report *r)
{
    child->result.left_count = (size_t)r->left_count;
    for (int i = 0; i < r->left_count && i < SF_CHILD_LEFT_MAX; i++)
        child->result.left[i] = r->left[i];
}

static void note(struct sf_child *child, const struct sf_supervisor_report *r)
{
    switch ((enum sf_report_kind)r->kind) {
    case SF_REPORT_STARTED:
        child->command = r->pid;
        break;
    case SF_REPORT_REFUSED:
        note_refusal(child, r);
        break;
    case SF_REPORT_ENDED:
        note_end(child, r);
        break;
    case SF_REPORT_LIMIT:
        note_limit(child, r);
        break;
    case SF_REPORT_LEFT:
        note_left(child, r);
        break;
    }
}

/* Takes in what has arrived; false when the supervisor's end of the pipe is closed. */
static bool read_reports(struct sf_child *child)
{
    while (child->status.fd >= 0) {
        char *at = (char *)&child->report + child->report_len;
        ssize_t n = read(child->status.fd, at, sizeof(child->report) - child->report_len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return true;
        if (n <= 0)
            return false;
        child->report_len += (size_t)n;
        if (child->report_len == sizeof(child->report)) {
            child->report_len = 0;
            note(child, &child->report);
        }
    }
    return false;
}

static void judge(struct sf_child *child)
{
    struct sf_child_result *result = &child->result;

    if (!child->ended)
        result->duration_ms = sf_clock_monotonic_ms() - child->started;
    if (child->refused) {
        result->how = SF_CHILD_FAILED;
        result->code = -1;
    } else if (result->limit) {
        result->how = SF_CHILD_LIMIT;
    } else if (child->stopping) {
        result->how = child->late ? SF_CHILD_DEADLINE : SF_CHILD_CANCELLED;
    } else if (child->ended) {
        result->how = result->signo ? SF_CHILD_SIGNALLED : SF_CHILD_EXITED;
    } else {
        result->how = SF_CHILD_FAILED;
        sf_fail(&result->error, SF_E_IO, "%s lost the process that watched over it", child->name);
    }
}

static void free_child(struct sf_child *child)
{
    sf_loop_remove(child->loop, child->deadline);
    sf_loop_remove(child->loop, child->watchdog);
    close_channel(child, &child->end);
    close_channel(child, &child->status);
    close_channel(child, &child->input);
    close_channel(child, &child->streams[SF_CHILD_STREAM_OUT]);
    close_channel(child, &child->streams[SF_CHILD_STREAM_ERR]);
    close_fd(&child->control);
    sf_strbuf_release(&child->feed);
    sf_child_result_release(&child->result);
    free(child->name);
    free(child);
}

/* The supervisor has ended, hence everything below it; what it wrote is still in the pipes. */
static void finish(struct sf_child *child)
{
    while (waitpid(child->supervisor, NULL, 0) < 0 && errno == EINTR)
        ;
    read_reports(child);
    drain_stream(child, SF_CHILD_STREAM_OUT);
    drain_stream(child, SF_CHILD_STREAM_ERR);
    /*
     * A supervisor that was killed has not cleaned up. The command died with it; the rest of its
     * process group is killed here, at once, while the group id can hardly have been reused.
     */
    if (!child->ended && child->command)
        kill(-child->command, SIGKILL);
    judge(child);
    if (child->events.on_exit)
        child->events.on_exit(child->ctx, &child->result);
    if (child->deliver_to) {
        *child->deliver_to = child->result;
        reset_result(&child->result);
    }
    free_child(child);
}

static void on_end(void *ctx, int fd, unsigned events)
{
    (void)fd;
    (void)events;
    finish(ctx);
}

static void on_status(void *ctx, int fd, unsigned events)
{
    struct sf_child *child = ctx;

    (void)fd;
    (void)events;
    if (read_reports(child))
        return;
    /* Without a pidfd, the end of the pipe means the end of the process. */
    if (child->end.fd < 0)
        finish(child);
    else
        close_channel(child, &child->status);
}

static void adopt(struct channel *channel, struct sf_loop *loop, int fd, sf_loop_fd_fn *fn,
                  struct sf_child *child)
{
    unsigned events = fn == on_input ? SF_FD_WRITE : SF_FD_READ;

    channel->fd = fd;
    if (fd >= 0)
        channel->watch = sf_loop_watch_fd(loop, fd, events, fn, child);
}

struct sf_child *sf_child_start(struct sf_loop *loop, const struct sf_child_spec *spec,
                                const struct sf_child_events *events, void *ctx,
                                struct sf_error *err)
{
    struct sf_launch launch;
    struct sf_child *child;

    if (!sf_launch_start(spec, &launch, err))
        return NULL;
    child = sf_alloc(sizeof(*child));
    child->loop = loop;
    child->events = *events;
    child->ctx = ctx;
    child->name = sf_strdup(spec->argv[0]);
    child->started = sf_clock_monotonic_ms();
    child->grace_ms = spec->grace_ms > 0 ? spec->grace_ms : SF_CHILD_GRACE_MS;
    child->supervisor = launch.supervisor;
    child->control = launch.control;
    child->room = spec->output_cap;
    child->bounds = spec->watch;
    reset_result(&child->result);
    sf_strbuf_init(&child->feed);
    sf_strbuf_add(&child->feed, spec->input, spec->input_len);
    adopt(&child->status, loop, launch.status, on_status, child);
    adopt(&child->streams[SF_CHILD_STREAM_OUT], loop, launch.out, on_out, child);
    adopt(&child->streams[SF_CHILD_STREAM_ERR], loop, launch.err, on_err, child);
    adopt(&child->input, loop, launch.in, on_input, child);
    adopt(&child->end, loop, launch.end, on_end, child);
    if (spec->deadline_ms > 0)
        child->deadline = sf_loop_add_timer(loop, spec->deadline_ms, 0, on_deadline, child);
    return child;
}

bool sf_child_run(const struct sf_child_spec *spec, struct sf_child_result *result,
                  struct sf_error *err)
{
    const struct sf_child_events events = { 0 };
    struct sf_loop *loop = sf_loop_new(err);
    struct sf_child *child = NULL;

    if (!loop)
        return false;
    child = sf_child_start(loop, spec, &events, NULL, err);
    if (child) {
        child->deliver_to = result;
        sf_loop_run(loop); /* the loop has nothing else, so it ends with the child */
    }
    sf_loop_free(loop);
    return child != NULL;
}

void sf_child_result_release(struct sf_child_result *result)
{
    sf_strbuf_release(&result->output[SF_CHILD_STREAM_OUT]);
    sf_strbuf_release(&result->output[SF_CHILD_STREAM_ERR]);
}
