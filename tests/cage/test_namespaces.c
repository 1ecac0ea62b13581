/*
 * test_namespaces.c: mounts of a command's own either all stand or the command does not start; only
 * what was allowed to be gone may be missing, and only for the reason that it is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "cage/namespaces.h"
#include "support/test.h"
#include "support/tree.h"

enum { FAILED = 0, MOUNTED = 1, NO_SPACES = 2 };

struct scene {
    const char *dir;
    struct sf_mount mount;
    const char *probe; /* a file that must open, or with '!' must not; NULL: nothing to probe */
};

static bool probe(const char *dir, const char *what)
{
    bool want = *what != '!';
    char *path = test_path(dir, what + !want);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool ok = (fd >= 0) == want;

    free(path);
    if (fd >= 0)
        close(fd);
    return ok;
}

static int enter(const struct scene *s)
{
    struct sf_namespaces spaces = { .user = geteuid() != 0, .mounts = true };

    sf_namespaces_ids(&spaces);
    if (!sf_namespaces_enter(&spaces))
        return NO_SPACES;
    if (!sf_namespaces_mount(&s->mount, 1, false))
        return FAILED;
    return s->probe && !probe(s->dir, s->probe) ? 3 : MOUNTED;
}

static int run(const struct scene *s)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(enter(s));
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const struct {
    const char *name, *path, *source;
    enum sf_mount_how how;
    bool optional;
    int want;
    const char *probe;
} rows[] = {
    { "a directory as it is", "d", "d", SF_MOUNT_WRITABLE, false, MOUNTED, "d/f" },
    { "a directory read-only", "d", "d", SF_MOUNT_READONLY, false, MOUNTED, "!d/f" },
    { "a directory nobody may enter", "d", "d", SF_MOUNT_EMPTY, false, MOUNTED, "!d/f" },
    { "memory in its place", "d", "d", SF_MOUNT_MEMORY, false, MOUNTED, "!d/f" },
    { "a source that is gone", "d", "gone", SF_MOUNT_READONLY, false, FAILED, NULL },
    { "a source that may be gone", "d", "gone", SF_MOUNT_READONLY, true, MOUNTED, "d/f" },
    { "a source below a file", "d", "d/f/x", SF_MOUNT_READONLY, true, MOUNTED, "d/f" },
    { "a place that is gone", "gone", "d", SF_MOUNT_READONLY, false, FAILED, NULL },
    { "a place that may be gone", "gone", "d", SF_MOUNT_READONLY, true, MOUNTED, NULL },
    { "a place of memory that is gone", "gone", "d", SF_MOUNT_MEMORY, false, FAILED, NULL },
    { "a place of memory that may be gone", "gone", "d", SF_MOUNT_MEMORY, true, MOUNTED, NULL },
    { "a place below a file, not to be missing", "d/f/x", "d", SF_MOUNT_EMPTY, false, FAILED,
      NULL },
    { "a place that may be gone, but is a circle", "loop/x", "d", SF_MOUNT_READONLY, true, FAILED,
      NULL },
    { "a source that may be gone, but is a circle", "d", "loop/x", SF_MOUNT_READONLY, true, FAILED,
      NULL },
    { "a directory on a file", "d/f", "d", SF_MOUNT_WRITABLE, false, FAILED, NULL },
};

static void test_rows(void **state)
{
    const char *dir = *state;

    free(tree_run(dir, "mkdir d && echo x >d/f && ln -s loop loop", NULL));
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        char *path = test_path(dir, rows[i].path), *source = test_path(dir, rows[i].source);
        const struct scene s = { dir,
                                 { path, source, rows[i].how, rows[i].optional },
                                 rows[i].probe };
        int got = run(&s);

        free(path);
        free(source);
        if (got == NO_SPACES)
            test_not_run("this place has no namespaces to enter");
        if (got != rows[i].want)
            fail_msg("%s: %d, not %d", rows[i].name, got, rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, test_dir_setup, test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
