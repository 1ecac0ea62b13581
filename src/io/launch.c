/*
 * launch.c: everything before the fork, and the fork itself. Whatever allocates memory or may fail
 * with a message happens here, because the forked process may do neither.
 */
#include "io/launch.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/env.h"
#include "io/file.h"
#include "io/supervisor.h"

#define DEFAULT_PATH  "/usr/local/bin:/usr/bin:/bin"
#define FIRST_FREE_FD 3
#define STAT_MAX      4096

enum lane { LANE_CONTROL, LANE_STATUS, LANE_IN, LANE_OUT, LANE_ERR, LANE_COUNT };

/* The two ends of each pipe; -1: closed or never opened. */
struct lanes {
    int ours[LANE_COUNT], theirs[LANE_COUNT];
};

static const bool lane_is_ours_to_write[LANE_COUNT] = {
    [LANE_CONTROL] = true,
    [LANE_IN] = true,
};

/* 0, or the errno that says why the program cannot be run. Any failure of stat is ENOENT. */
static int judge_program(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return ENOENT;
    return S_ISREG(st.st_mode) && !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? 0 : EACCES;
}

/*
 * As the shell does, but relative entries of PATH are skipped: they would run any program that the
 * workspace calls "git". NULL with errno set when there is no such program.
 */
static char *search_path(const char *name, const char *path)
{
    int problem = ENOENT;

    while (*path) {
        size_t len = strcspn(path, ":");
        char *dir = sf_strndup(path, len);
        char *program = *dir == '/' ? sf_path_join(dir, name) : NULL;
        int found = program ? judge_program(program) : ENOENT;

        free(dir);
        if (program && !found)
            return program;
        free(program);
        if (found == EACCES)
            problem = EACCES;
        path += len + (path[len] == ':');
    }
    errno = problem;
    return NULL;
}

static char *find_program(const char *name, char *const *envp)
{
    const char *path = DEFAULT_PATH;

    if (strchr(name, '/'))
        return sf_strdup(name);
    if (!*name) {
        errno = ENOENT;
        return NULL;
    }
    for (; envp && *envp; envp++)
        if (!strncmp(*envp, "PATH=", 5))
            path = *envp + 5;
    return search_path(name, path);
}

/* If standard descriptors are closed, a pipe may get number 0, 1 or 2 and collide with them. */
static int lift(int fd)
{
    int lifted;

    if (fd < 0 || fd >= FIRST_FREE_FD)
        return fd;
    lifted = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    close(fd);
    return lifted;
}

static bool open_lane(struct lanes *lanes, enum lane lane)
{
    bool we_write = lane_is_ours_to_write[lane];
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    lanes->ours[lane] = lift(ends[we_write ? 1 : 0]);
    lanes->theirs[lane] = lift(ends[we_write ? 0 : 1]);
    return lanes->ours[lane] >= 0 && lanes->theirs[lane] >= 0 &&
           fcntl(lanes->ours[lane], F_SETFL, O_NONBLOCK) == 0;
}

static bool open_lanes(struct lanes *lanes, const struct sf_child_spec *spec)
{
    if (!open_lane(lanes, LANE_CONTROL) || !open_lane(lanes, LANE_STATUS) ||
        !open_lane(lanes, LANE_OUT))
        return false;
    if (!spec->merge_stderr && !open_lane(lanes, LANE_ERR))
        return false;
    if (spec->input)
        return open_lane(lanes, LANE_IN);
    lanes->theirs[LANE_IN] = spec->pass_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE_FD)
                                              : lift(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return lanes->theirs[LANE_IN] >= 0;
}

static void close_all(int fds[LANE_COUNT])
{
    for (size_t i = 0; i < LANE_COUNT; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static struct {
    void *start;
    size_t len;
} left_out[64]; /* more than that is copied, which only takes longer */
static atomic_size_t left_out_count;
static pthread_mutex_t left_out_lock = PTHREAD_MUTEX_INITIALIZER;

void sf_child_leave_out(void *start, size_t len)
{
    size_t n;

    pthread_mutex_lock(&left_out_lock);
    n = atomic_load(&left_out_count);
    if (n < SF_COUNT(left_out)) {
        left_out[n].start = start;
        left_out[n].len = len;
        atomic_store(&left_out_count, n + 1);
    }
    pthread_mutex_unlock(&left_out_lock);
}

/* For the moment of the fork alone: others that fork may run handlers that lie in there. */
static void set_left_out(int advice)
{
    size_t n = atomic_load(&left_out_count);

    for (size_t i = 0; i < n; i++)
        madvise(left_out[i].start, left_out[i].len, advice);
}

/* The 47th field of /proc/self/stat; 0: not known. */
static uintptr_t heap_start(void)
{
    enum { FIELDS_BEHIND_NAME = 45 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    uintptr_t start = 0;
    const char *at;

    if (sf_file_read("/proc/self/stat", STAT_MAX, &text, &ignored)) {
        at = strrchr(text.buf, ')');
        for (int i = 0; at && i < FIELDS_BEHIND_NAME; i++)
            at = strchr(at + 1, ' ');
        start = at ? (uintptr_t)strtoull(at, NULL, 10) : 0;
    }
    sf_strbuf_release(&text);
    return start;
}

/*
 * The heap is left out as well: its page tables would be copied, and each page when this program
 * writes to it next. The kernel knows where it begins; with another allocator there is none, and
 * nothing is left out.
 */
static void set_heap(int advice)
{
    static _Atomic uintptr_t start;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = atomic_load(&start), to = (uintptr_t)sbrk(0) / page * page;

    if (!from) {
        from = (heap_start() + page - 1) / page * page;
        atomic_store(&start, from);
    }
    if (from && from < to)
        madvise((void *)from, to - from, advice);
}

/* With all signals blocked, so that no handler of ours ever runs in the new process. */
static pid_t fork_supervisor(const struct sf_supervisor_job *job)
{
    sigset_t all, before;
    int saved;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    set_left_out(MADV_DONTFORK);
    set_heap(MADV_DONTFORK);
    pid = _Fork();
    if (pid == 0)
        sf_supervisor_run(job);
    saved = errno;
    set_heap(MADV_DOFORK);
    set_left_out(MADV_DOFORK);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return pid;
}

static const char *keep(struct sf_arena *arena, const char *text)
{
    return text ? sf_arena_strndup(arena, text, strlen(text)) : NULL;
}

static char *const *keep_list(struct sf_arena *arena, const char *const *items)
{
    size_t count = 0;
    char **kept;

    while (items[count])
        count++;
    kept = sf_arena_alloc(arena, (count + 1) * sizeof(*kept));
    for (size_t i = 0; i < count; i++)
        kept[i] = sf_arena_strndup(arena, items[i], strlen(items[i]));
    return kept;
}

/* A list that was never added to has no items, not even the last. */
static char *const *keep_env(struct sf_arena *arena, const char *const *envp)
{
    static const char *const none[] = { NULL };
    struct sf_strlist safe = SF_STRLIST_INIT;
    char *const *kept;

    if (envp)
        return keep_list(arena, envp);
    sf_env_safe(&safe);
    kept = keep_list(arena, safe.count ? (const char *const *)safe.items : none);
    sf_strlist_release(&safe);
    return kept;
}

static void fill_job(struct sf_supervisor_job *job, const struct sf_child_spec *spec,
                     const struct lanes *lanes)
{
    job->in = lanes->theirs[LANE_IN];
    job->out = lanes->theirs[LANE_OUT];
    job->err = lanes->theirs[spec->merge_stderr ? LANE_OUT : LANE_ERR];
    job->status = lanes->theirs[LANE_STATUS];
    job->control = lanes->theirs[LANE_CONTROL];
    job->parent = getpid();
    job->grace_ms = spec->grace_ms > 0 ? spec->grace_ms : SF_CHILD_GRACE_MS;
    job->watch = spec->watch;
    job->notes = sf_write_record_notes(spec->record);
    job->setup = spec->setup;
    job->setup_ctx = spec->setup_ctx;
}

static void fill_launch(struct sf_launch *launch, pid_t supervisor, const struct lanes *lanes)
{
    launch->supervisor = supervisor;
    launch->end = pidfd_open(supervisor, 0);
    launch->control = lanes->ours[LANE_CONTROL];
    launch->status = lanes->ours[LANE_STATUS];
    launch->in = lanes->ours[LANE_IN];
    launch->out = lanes->ours[LANE_OUT];
    launch->err = lanes->ours[LANE_ERR];
}

bool sf_launch_start(const struct sf_child_spec *spec, struct sf_launch *launch,
                     struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_MAPPED_INIT;
    struct lanes lanes = { { -1, -1, -1, -1, -1 }, { -1, -1, -1, -1, -1 } };
    struct sf_supervisor_job job = { 0 };
    char *program;
    pid_t pid = -1;

    assert(spec->argv && spec->argv[0]);
    job.argv = keep_list(&arena, spec->argv);
    job.envp = keep_env(&arena, spec->envp);
    job.cwd = keep(&arena, spec->cwd);
    program = find_program(spec->argv[0], job.envp);
    job.program_error = errno;
    job.program = keep(&arena, program);
    if (open_lanes(&lanes, spec)) {
        fill_job(&job, spec, &lanes);
        job.notes.root = keep(&arena, job.notes.root);
        pid = fork_supervisor(&job);
    }
    if (pid < 0) {
        sf_fail_errno(err, "cannot start %s", spec->argv[0]);
        close_all(lanes.ours);
    } else {
        fill_launch(launch, pid, &lanes);
    }
    close_all(lanes.theirs);
    free(program);
    sf_arena_release(&arena);
    return pid >= 0;
}
