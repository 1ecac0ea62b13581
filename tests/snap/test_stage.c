/*
 * test_stage.c: a restore of many files writes all of them before it removes any, and what it does
 * for a file does not depend on how many there are.
 */
#include <limits.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

enum { FILES = 40 };

/* A third each of what a restore does: bring back, change, remove. */
static void change(struct snap_case *c, unsigned count)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_addf(&script,
                   "cd src && for i in $(seq 1 3 %u); do rm $i; done; for i in $(seq 2 3 %u); do "
                   "echo two >$i; done; for i in $(seq 3 3 %u); do echo new >n$i; done",
                   count, count, count);
    free(tree_run(c->work, script.buf, NULL));
    sf_strbuf_release(&script);
}

static void fill(struct snap_case *c, unsigned count)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_addf(&script, "rm -rf src; mkdir src; for i in $(seq 1 %u); do echo $i >src/$i; done",
                   count);
    free(tree_run(c->work, script.buf, NULL));
    sf_strbuf_release(&script);
}

struct seen {
    unsigned staged, made, removed, moved; /* `made`: in the directory itself */
    bool early;                            /* something was removed before anything was staged */
};

static void read_events(int fd, int root, struct seen *out)
{
    union {
        struct inotify_event event;
        char bytes[sizeof(struct inotify_event) + NAME_MAX + 1];
    } one;
    char buffer[65536];
    ssize_t n = read(fd, buffer, sizeof(buffer));

    *out = (struct seen){ 0 };
    for (ssize_t at = 0; at < n; at += (ssize_t)(sizeof(one.event) + one.event.len)) {
        memcpy(&one.event, buffer + at, sizeof(one.event));
        if (one.event.wd == root) {
            out->staged += (one.event.mask & IN_CREATE) != 0;
            continue;
        }
        out->made += (one.event.mask & IN_CREATE) != 0;
        out->moved += (one.event.mask & IN_MOVED_TO) != 0;
        out->removed += (one.event.mask & IN_DELETE) != 0;
        out->early = out->early || ((one.event.mask & IN_DELETE) && !out->staged);
    }
}

static void test_written_before_removed(void **state)
{
    struct snap_case *c = *state;
    char *src = test_path(c->work, "src");
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), root;
    struct seen seen;

    fill(c, FILES * 3);
    snap_take(c);
    snap_listing(c->work, NULL, &c->a);
    change(c, FILES * 3);
    root = inotify_add_watch(fd, c->work, IN_CREATE);
    inotify_add_watch(fd, src, IN_CREATE | IN_DELETE | IN_MOVED_TO);
    snap_restore_id(c, c->result.id);
    read_events(fd, root, &seen);
    assert_int_equal(seen.staged, 1);
    assert_false(seen.early);
    assert_int_equal(seen.made, 0);
    assert_int_equal(seen.moved, 2 * FILES);
    assert_int_equal(seen.removed, FILES);
    snap_listing(c->work, NULL, &c->b);
    snap_same("restored", &c->b, &c->a);
    close(fd);
    free(src);
}

/* Contents go into a directory that is not there yet, too; their own directory goes. */
static void test_nothing_is_left(void **state)
{
    struct snap_case *c = *state;
    char *said;

    fill(c, FILES);
    snap_take(c);
    free(tree_run(c->work, "rm -r src; echo x >src", NULL));
    snap_restore_id(c, c->result.id);
    said = tree_run(c->work, "ls -A", NULL);
    assert_string_equal(said, "src\n");
    free(said);
    assert_int_equal(c->restored.tally.added, FILES);
}

/* System calls of a child that restores; it works on a snap of its own. */
static unsigned long count_calls(struct snap_case *c)
{
    const struct sf_snap_goal goal = { .id = c->result.id };
    unsigned long calls = 0;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        struct sf_snap_restored out = SF_SNAP_RESTORED_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_snap *snap = sf_snap_open(c->state, c->work, &err);

        if (!snap || ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
            _exit(2);
        raise(SIGSTOP);
        _exit(sf_snap_restore(snap, &goal, &out, &err) ? 0 : 1);
    }
    assert_true(pid > 0);
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        calls++;
        ptrace(PTRACE_SYSCALL, pid, 0, 0);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return calls / 2;
}

static unsigned long calls_for(struct snap_case *c, unsigned count)
{
    fill(c, count);
    snap_take(c);
    change(c, count);
    return count_calls(c);
}

static void test_linear(void **state)
{
    struct snap_case *c = *state;
    unsigned long few = calls_for(c, FILES * 3), many = calls_for(c, FILES * 30);

    print_message("  %lu and %lu system calls\n", few, many);
    assert_true(many < few * 10 + few);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_written_before_removed),
        CASE(test_nothing_is_left),
        CASE(test_linear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
