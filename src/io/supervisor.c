/*
 * supervisor.c: what runs in the forked process. From the fork on nothing here may allocate,
 * lock or use stdio, since another thread may have held any lock at that moment.
 *
 * The supervisor is a subreaper: a descendant that loses its parent becomes its child. So all
 * descendants are gone exactly when there is no child left to wait for.
 */
#include "io/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/clock.h"
#include "io/proctree.h"

#define SWEEP_MS      5
#define WATCH_MS      100 /* least time between two measurements of the descendants */
#define WATCH_SHARE   50  /* at least this many times as long as a measurement took */
#define WATCH_BLIND   20  /* the command is killed after so many failed measurements in a row */
#define FIRST_FREE_FD 3

/* Another signal than SIGTERM, to tell the death of the parent from a SIGTERM sent to us. */
#define SIGNAL_PARENT_GONE SIGUSR1

enum phase { RUNNING, TERMINATING, KILLING };

struct supervisor {
    const struct sf_supervisor_job *job;
    pid_t command;
    int signals;
    int channel[2]; /* from the command's process, for the descriptor of its writing calls */
    int listener;   /* that descriptor; -1: none */
    enum phase phase;
    bool told_to_stop, ended, gave_up;
    bool sees;      /* this system shows processes */
    unsigned blind; /* failed measurements in a row */
    int64_t kill_at, give_up_at, sweep_at, watch_at;
};

/* Errors are ignored: if the reader is gone, the report matters to no one. */
static void report(const struct sf_supervisor_job *job, const struct sf_supervisor_report *r)
{
    const char *at = (const char *)r;
    size_t len = sizeof(*r);

    while (len > 0) {
        ssize_t n = write(job->status, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        at += n;
        len -= (size_t)n;
    }
}

static SF_NORETURN void refuse(const struct sf_supervisor_job *job, enum sf_launch_stage stage)
{
    const struct sf_supervisor_report r = { .kind = SF_REPORT_REFUSED,
                                            .stage = stage,
                                            .error = errno };

    report(job, &r);
    _exit(127);
}

/* A stopped process handles SIGTERM only after SIGCONT. */
static void send_signal(pid_t pid, int signo)
{
    kill(pid, signo);
    if (signo == SIGTERM)
        kill(pid, SIGCONT);
}

/*
 * The pids are a moment old. Those of our direct children cannot be reused, since only we reap
 * them; the pid of a deeper one could, if all pids of the system wrapped around in that moment.
 */
static void signal_descendants(const struct supervisor *s, int signo)
{
    size_t count;
    bool whole = sf_proctree_look(&count);

    for (size_t i = 0; i < count; i++)
        if (sf_proctree[i].ours)
            send_signal(sf_proctree[i].pid, signo);
    /* If the scan was incomplete, at least the command and its group get the signal. */
    if (!whole && !s->ended)
        send_signal(-s->command, signo);
}

static void report_left(const struct supervisor *s)
{
    struct sf_supervisor_report r = { .kind = SF_REPORT_LEFT };
    size_t count;

    sf_proctree_look(&count);
    for (size_t i = 0; i < count; i++) {
        if (!sf_proctree[i].ours || sf_proctree[i].state == 'Z')
            continue;
        if (r.left_count < SF_CHILD_LEFT_MAX)
            r.left[r.left_count] = sf_proctree[i].pid;
        r.left_count++;
    }
    /* At least one process is left when this is called, even if no list could be read. */
    if (!r.left_count)
        r.left_count = 1;
    report(s->job, &r);
}

static int64_t to_ms(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000 + t.tv_usec / 1000;
}

static void report_end(struct supervisor *s, int status, const struct rusage *use)
{
    const struct sf_supervisor_report r = {
        .kind = SF_REPORT_ENDED,
        .pid = s->command,
        .status = status,
        .user_ms = to_ms(use->ru_utime),
        .system_ms = to_ms(use->ru_stime),
        .max_rss_kib = use->ru_maxrss,
    };

    s->ended = true;
    report(s->job, &r);
}

/* Reaps dead children; false when no child is left. */
static bool reap(struct supervisor *s)
{
    for (;;) {
        struct rusage use;
        int status;
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &use);

        if (pid < 0 && errno == EINTR)
            continue;
        if (pid <= 0)
            return pid == 0;
        if (pid == s->command && !s->ended)
            report_end(s, status, &use);
    }
}

static void begin_termination(struct supervisor *s, int64_t now, int64_t grace_ms)
{
    s->phase = TERMINATING;
    s->kill_at = now + grace_ms;
    signal_descendants(s, SIGTERM);
}

static void sweep(struct supervisor *s, int64_t now)
{
    if (now >= s->give_up_at) {
        s->gave_up = true;
        if (reap(s))
            report_left(s);
    } else if (now >= s->sweep_at) {
        signal_descendants(s, SIGKILL);
        s->sweep_at = now + SWEEP_MS;
    }
}

static bool is_watching(const struct supervisor *s)
{
    return s->job->watch.memory || s->job->watch.processes;
}

/*
 * The supervisor has to be faster than a fork bomb, even on a machine that is busy with it. With
 * the privilege to do so (then RLIMIT_NPROC does not help either) it runs at real-time priority. It
 * sleeps nearly all the time.
 */
static void hurry(void)
{
    const struct sched_param first = { .sched_priority = 1 };

    if (sched_setscheduler(0, SCHED_RR, &first) < 0)
        setpriority(PRIO_PROCESS, 0, -20);
}

/* After a limit was passed there is no grace: the command would go on growing. */
static void end_for(struct supervisor *s, enum sf_child_limit limit, uint64_t amount, int64_t now)
{
    const struct sf_supervisor_report r = { .kind = SF_REPORT_LIMIT,
                                            .limit = (int32_t)limit,
                                            .amount = amount };

    report(s->job, &r);
    s->phase = KILLING;
    s->give_up_at = now + SF_SUPERVISOR_LIMIT_MS;
}

/*
 * Why the supervisor measures, instead of the kernel: RLIMIT_AS and RLIMIT_DATA count reserved
 * memory, and node, Go, the JVM and sanitizers reserve far more than they use; both count each
 * process alone. A cgroup would be exact, but needs one that was delegated to the user, which is
 * rare. RLIMIT_NPROC does not bind root. Actual use can be read by any parent, late by the time
 * between two measurements, for which the default of half the memory leaves room. A command that
 * makes measuring impossible, by forbidding us to open files, is killed for it.
 */
static void watch(struct supervisor *s, int64_t now)
{
    const struct sf_child_watch *bounds = &s->job->watch;
    struct sf_proctree_use use;
    int64_t after;

    s->blind = sf_proctree_measure(&use, bounds->memory) ? 0 : s->blind + 1;
    if (s->sees && s->blind == WATCH_BLIND)
        end_for(s, SF_LIMIT_UNSEEN, 0, now);
    else if (bounds->memory && use.memory > bounds->memory)
        end_for(s, SF_LIMIT_MEMORY, use.memory, now);
    else if (bounds->processes && use.processes > bounds->processes)
        end_for(s, SF_LIMIT_PROCESSES, use.processes, now);
    after = sf_clock_monotonic_ms();
    s->watch_at =
        after + (WATCH_SHARE * (after - now) > WATCH_MS ? WATCH_SHARE * (after - now) : WATCH_MS);
}

/* Moves through the phases as far as the moment allows. */
static void advance(struct supervisor *s)
{
    int64_t now = sf_clock_monotonic_ms();

    if (s->phase == RUNNING && !s->ended && is_watching(s) && now >= s->watch_at)
        watch(s, now);
    if (s->phase == RUNNING && s->ended)
        begin_termination(s, now, SF_SUPERVISOR_LEFTOVER_MS);
    else if (s->phase == RUNNING && s->told_to_stop)
        begin_termination(s, now, s->job->grace_ms);
    /* Once the command is gone, its descendants do not get the whole grace period. */
    if (s->phase == TERMINATING && s->ended && s->kill_at > now + SF_SUPERVISOR_LEFTOVER_MS)
        s->kill_at = now + SF_SUPERVISOR_LEFTOVER_MS;
    if (s->phase == TERMINATING && now >= s->kill_at) {
        s->phase = KILLING;
        s->give_up_at = now + SF_SUPERVISOR_GIVE_UP_MS;
    }
    if (s->phase == KILLING)
        sweep(s, now);
}

static int wait_ms(const struct supervisor *s)
{
    int64_t left;

    if (s->phase == RUNNING && !is_watching(s))
        return -1;
    left = (s->phase == RUNNING       ? s->watch_at
            : s->phase == TERMINATING ? s->kill_at
                                      : s->sweep_at) -
           sf_clock_monotonic_ms();
    if (left < 0)
        return 0;
    return left < INT_MAX ? (int)left : INT_MAX;
}

static void read_signals(struct supervisor *s)
{
    struct signalfd_siginfo info;

    while (read(s->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        /* The parent signal also comes when merely the thread that forked us ends. */
        if (info.ssi_signo != SIGNAL_PARENT_GONE || getppid() != s->job->parent)
            s->told_to_stop = true;
    }
}

/* The kernel hangs up when no process is left that could tell. */
static void answer(struct supervisor *s, short events)
{
    if ((events & POLLIN) && sf_write_notes_answer(&s->job->notes, s->listener))
        return;
    close(s->listener);
    s->listener = -1;
}

static void supervise(struct supervisor *s)
{
    while (reap(s)) {
        struct pollfd fds[] = {
            { .fd = s->signals, .events = POLLIN },
            /* Not polled after its end was seen: poll would report it forever. */
            { .fd = s->told_to_stop ? -1 : s->job->control, .events = POLLIN },
            { .fd = s->listener, .events = POLLIN },
        };

        advance(s);
        if (s->gave_up)
            return;
        if (poll(fds, SF_COUNT(fds), wait_ms(s)) <= 0)
            continue;
        if (fds[0].revents)
            read_signals(s);
        if (fds[1].revents)
            s->told_to_stop = true;
        if (fds[2].revents)
            answer(s, fds[2].revents);
    }
}

static bool redirect(const struct sf_supervisor_job *job)
{
    return dup2(job->in, STDIN_FILENO) >= 0 && dup2(job->out, STDOUT_FILENO) >= 0 &&
           dup2(job->err, STDERR_FILENO) >= 0;
}

/*
 * The command's process up to exec, in the supervisor's memory, which stands still meanwhile.
 * `dumpable` is what the program had before the fork: whoever is not cannot open its own files in
 * /proc, as a setup must; from the setup's end on the memory is out of reach again.
 */
static SF_NORETURN void run_command(const struct supervisor *s, pid_t supervisor, int dumpable)
{
    const struct sf_supervisor_job *job = s->job;
    const struct sf_supervisor_report started = { .kind = SF_REPORT_STARTED, .pid = getpid() };
    sigset_t none;

    report(job, &started);
    setsid();
    /* If the supervisor is killed, the command at least does not outlive it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(127);
    prctl(PR_SET_DUMPABLE, dumpable);
    if (!redirect(job))
        refuse(job, SF_LAUNCH_PREPARE);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (job->cwd && chdir(job->cwd) < 0)
        refuse(job, SF_LAUNCH_CHDIR);
    if (job->setup && !job->setup(job->setup_ctx))
        refuse(job, SF_LAUNCH_SETUP);
    /* If it fails, nothing is sent, and the notes say that they are not complete. */
    if (job->notes.file >= 0)
        sf_write_notes_ask(s->channel[1]);
    prctl(PR_SET_DUMPABLE, 0);
    /* Again, as rights that were gained on the way have taken it back. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(127);
    /* Only now, to cover what the setup left open; exec closes the status pipe if it succeeds. */
    if (close_range(FIRST_FREE_FD, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
        refuse(job, SF_LAUNCH_PREPARE);
    if (job->program)
        execve(job->program, job->argv, job->envp);
    else
        errno = job->program_error;
    refuse(job, SF_LAUNCH_EXEC);
}

/*
 * A copy of the memory costs more than all that is done before the exec, which ends the sharing.
 * Until then the supervisor waits: somebody who wants to stop meanwhile kills it, and by that the
 * command. What the new process writes lies deeper on the stack than anything that is used here.
 */
static pid_t start_command(const struct supervisor *s, pid_t supervisor, int dumpable)
{
    pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */

    if (pid == 0)
        run_command(s, supervisor, dumpable); /* NOLINT(clang-analyzer-unix.Vfork): see above */
    prctl(PR_SET_DUMPABLE, 0); /* also when it was refused in the middle of its setup */
    return pid;
}

/* Closes everything but the job's own descriptors; those are few, so they are sorted by hand. */
static bool close_others(const struct supervisor *s)
{
    const struct sf_supervisor_job *job = s->job;
    int keep[] = { job->status,       job->control, s->signals, job->notes.file,
                   job->notes.images, s->listener,  -1,         -1 };
    unsigned from = FIRST_FREE_FD;

    sf_proctree_fds(&keep[6]);

    for (size_t i = 1; i < SF_COUNT(keep); i++) {
        for (size_t k = i; k > 0 && keep[k - 1] > keep[k]; k--) {
            int other = keep[k];

            keep[k] = keep[k - 1];
            keep[k - 1] = other;
        }
    }
    for (size_t i = 0; i < SF_COUNT(keep); i++) {
        if (keep[i] < FIRST_FREE_FD)
            continue;
        if ((unsigned)keep[i] > from && close_range(from, (unsigned)keep[i] - 1, 0) < 0)
            return false;
        from = (unsigned)keep[i] + 1;
    }
    return close_range(from, ~0U, 0) == 0;
}

/* The supervisor must not keep the terminal or the program's own pipes open. */
static void leave_stdio(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < FIRST_FREE_FD; fd++)
        if (fd != null && (null < 0 || dup3(null, fd, O_CLOEXEC) < 0))
            close(fd);
    if (null >= FIRST_FREE_FD)
        close(null);
}

/* The program's handlers would write into the program's pipes. */
static void reset_signals(void)
{
    struct sigaction action = { .sa_handler = SIG_DFL }, now;

    for (int signo = 1; signo <= SIGRTMAX; signo++)
        if (sigaction(signo, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
            sigaction(signo, &action, NULL);
}

static int open_signals(void)
{
    static const int wanted[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGNAL_PARENT_GONE };
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < SF_COUNT(wanted); i++)
        sigaddset(&set, wanted[i]);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void listen_to_writes(struct supervisor *s)
{
    s->listener = sf_write_notes_take(s->channel[0]);
    if (s->listener < 0)
        sf_write_notes_unsure(&s->job->notes);
}

SF_NORETURN void sf_supervisor_run(const struct sf_supervisor_job *job)
{
    struct supervisor s = { .job = job, .signals = -1, .channel = { -1, -1 }, .listener = -1 };
    int dumpable = prctl(PR_GET_DUMPABLE);
    pid_t self = getpid();

    setsid(); /* away from the terminal and its signals */
    reset_signals();
    prctl(PR_SET_NAME, "sf-supervisor");
    /* This is a copy of the program's memory: no core file, no reading by other processes. */
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || prctl(PR_SET_PDEATHSIG, SIGNAL_PARENT_GONE) < 0)
        refuse(job, SF_LAUNCH_PREPARE);
    if (getppid() != job->parent)
        _exit(0);
    leave_stdio();
    s.signals = open_signals();
    if (s.signals < 0)
        refuse(job, SF_LAUNCH_PREPARE);
    s.sees = sf_proctree_open(); /* before the fork: the command can forbid us to open files */
    if (job->notes.file >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s.channel) < 0)
        refuse(job, SF_LAUNCH_PREPARE);
    s.command = start_command(&s, self, dumpable);
    if (s.command < 0)
        refuse(job, SF_LAUNCH_PREPARE);
    /* Only now, as the setup may have use for what the program has open. */
    if (job->notes.file >= 0)
        listen_to_writes(&s);
    if (!close_others(&s))
        s.told_to_stop = true;
    s.watch_at = sf_clock_monotonic_ms() + WATCH_MS;
    if (is_watching(&s))
        hurry();
    supervise(&s);
    _exit(0);
}
