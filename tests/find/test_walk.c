/*
 * The walk: it sees every file once, stays where it was put, and opens nothing it should not.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find/find.h"
#include "support/swapper.h"
#include "support/test.h"
#include "support/tree.h"

struct seen {
    pthread_mutex_t lock;
    struct sf_strlist paths;
    atomic_bool *cancel; /* set at the first file */
    bool stop;           /* said at the first file */
    size_t below;
};

static bool note(void *ctx, const struct sf_walk_entry *entry)
{
    struct seen *s = ctx;
    struct stat st;

    pthread_mutex_lock(&s->lock);
    sf_strlist_add(&s->paths, entry->path);
    s->below = entry->below;
    pthread_mutex_unlock(&s->lock);
    if (s->cancel)
        atomic_store(s->cancel, true);
    return !s->stop && fstatat(entry->dir, entry->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           strlen(entry->path) == entry->len;
}

static bool walk(const char *dir, struct sf_walk_request request, struct seen *seen,
                 struct sf_walk_tally *tally, struct sf_error *err)
{
    bool ok;

    pthread_mutex_init(&seen->lock, NULL);
    request.root = tree_open(dir);
    ok = sf_walk(&request, note, seen, tally, err);
    close(request.root);
    pthread_mutex_destroy(&seen->lock);
    sf_strlist_sort(&seen->paths);
    return ok;
}

static void expect(const char *name, const char *dir, struct sf_walk_request request,
                   const char *want)
{
    struct seen seen = { .paths = SF_STRLIST_INIT };
    struct sf_strbuf got = SF_STRBUF_INIT;
    struct sf_walk_tally tally;
    struct sf_error err = SF_ERROR_INIT;

    if (!walk(dir, request, &seen, &tally, &err))
        fail_msg("%s: %s", name, err.msg);
    for (size_t i = 0; i < seen.paths.count; i++)
        sf_strbuf_addf(&got, "%s%s", i ? " " : "", seen.paths.items[i]);
    if (strcmp(got.buf, want) != 0)
        fail_msg("%s: <%s>, want <%s>", name, got.buf, want);
    assert_int_equal(tally.files, seen.paths.count);
    sf_strlist_release(&seen.paths);
    sf_strbuf_release(&got);
}

static void make_odd_things(const char *dir)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    char *path = test_path(dir, "sub/fifo");
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    tree_puts(dir, "a.c", "");
    tree_puts(dir, ".hidden", "");
    tree_puts(dir, "sub/b.c", "");
    tree_puts(dir, "sub/deep/er/c.c", "");
    tree_puts(dir, ".git/HEAD", "");
    tree_puts(dir, "sub/.hg/x", "");
    tree_puts(dir, "sub/.svn/x", "");
    tree_puts(dir, "sub/.jj/x", "");
    tree_puts(dir, "sub/.github/x", "");
    assert_int_equal(mkfifo(path, 0600), 0);
    free(path);
    path = test_path(dir, "sub/link");
    assert_int_equal(symlink("..", path), 0);
    free(path);
    path = test_path(dir, "out");
    assert_int_equal(symlink("/etc", path), 0);
    free(path);
    path = test_path(dir, "s");
    assert_true(strlen(path) < sizeof(addr.sun_path));
    memcpy(addr.sun_path, path, strlen(path) + 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
    close(fd);
    free(path);
}

static bool no_secrets(void *ctx, const char *path, bool dir)
{
    (void)ctx;
    return dir ? !strcmp(path, "sub/deep") : strstr(path, "b.c") != NULL;
}

static void test_what_is_seen(void **state)
{
    const char *dir = *state;

    make_odd_things(dir);
    expect("all", dir, (struct sf_walk_request){ 0 },
           ".hidden a.c sub/.github/x sub/b.c sub/deep/er/c.c");
    expect("one thread", dir, (struct sf_walk_request){ .threads = 1, .all = true },
           ".hidden a.c sub/.github/x sub/b.c sub/deep/er/c.c");
    expect("from a directory", dir, (struct sf_walk_request){ .start = "./sub//deep/" },
           "sub/deep/er/c.c");
    expect("one file", dir, (struct sf_walk_request){ .start = "sub/b.c" }, "sub/b.c");
    expect("what was vetoed is not", dir, (struct sf_walk_request){ .veto = no_secrets },
           ".hidden a.c sub/.github/x");
}

static void test_vetoes_are_counted(void **state)
{
    struct seen seen = { .paths = SF_STRLIST_INIT };
    struct sf_walk_tally tally;
    struct sf_error err = SF_ERROR_INIT;
    const char *dir = *state;

    make_odd_things(dir);
    assert_true(walk(dir, (struct sf_walk_request){ .veto = no_secrets }, &seen, &tally, &err));
    assert_int_equal(tally.vetoed, 2);
    assert_false(walk(dir, (struct sf_walk_request){ .veto = no_secrets, .start = "sub/b.c" },
                      &seen, &tally, &err));
    assert_non_null(strstr(err.msg, "sub/b.c is protected"));
    assert_int_equal(tally.vetoed, 1);
    sf_strlist_release(&seen.paths);
}

static const struct {
    const char *name, *start, *words;
} refused[] = {
    { "not there", "none", "cannot search none: no such file" },
    { "not there, deeper", "sub/none/x", "cannot search" },
    { "absolute", "/etc", "not relative" },
    { "upward", "sub/../..", "leads out" },
    { "a link", "out", "out is a link" },
    { "through a link", "sub/link/sub", "cannot search" },
    { "a FIFO", "sub/fifo", "neither a file nor a directory" },
    { "a socket", "s", "neither a file nor a directory" },
    { "below a file", "a.c/x", "cannot search" },
};

static void test_refused_starts(void **state)
{
    const char *dir = *state;

    make_odd_things(dir);
    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        struct seen seen = { .paths = SF_STRLIST_INIT };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_walk_tally tally;

        if (walk(dir, (struct sf_walk_request){ .start = refused[i].start }, &seen, &tally, &err) ||
            seen.paths.count || !strstr(err.msg, refused[i].words))
            fail_msg("%s: %s", refused[i].name, err.msg);
    }
}

/* Many files in one directory, many directories, and a deep one: each file exactly once. */
static void test_everything_once(void **state)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct sf_strlist want = SF_STRLIST_INIT;
    const char *dir = *state;

    for (int i = 0; i < 1500; i++) {
        sf_strbuf_reset(&path);
        if (i < 700)
            sf_strbuf_addf(&path, "flat/%d", i);
        else if (i < 1400)
            sf_strbuf_addf(&path, "wide/%d/%d", i % 90, i);
        else
            for (int k = 0; k < i - 1390; k++)
                sf_strbuf_adds(&path, k ? "/d" : "deep");
        if (i >= 1400)
            sf_strbuf_adds(&path, "/file");
        tree_puts(dir, path.buf, "");
        sf_strlist_add(&want, path.buf);
    }
    sf_strlist_sort(&want);
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        struct seen seen = { .paths = SF_STRLIST_INIT };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_walk_tally tally;

        assert_true(walk(dir, (struct sf_walk_request){ .threads = threads }, &seen, &tally, &err));
        tree_same("once", &seen.paths, &want);
        sf_strlist_release(&seen.paths);
    }
    sf_strlist_release(&want);
    sf_strbuf_release(&path);
}

static void test_cancelling(void **state)
{
    atomic_bool cancel = false;
    struct seen seen = { .paths = SF_STRLIST_INIT, .cancel = &cancel };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_walk_tally tally;
    const char *dir = *state;

    for (int i = 0; i < 300; i++) {
        char name[32];

        snprintf(name, sizeof(name), "%d/%d", i % 10, i);
        tree_puts(dir, name, "");
    }
    assert_false(walk(dir, (struct sf_walk_request){ .cancel = &cancel, .threads = 2 }, &seen,
                      &tally, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    assert_true(seen.paths.count >= 1 && seen.paths.count <= 2);
    sf_strlist_release(&seen.paths);
    seen = (struct seen){ .paths = SF_STRLIST_INIT, .stop = true };
    assert_true(walk(dir, (struct sf_walk_request){ .threads = 2 }, &seen, &tally, &err));
    assert_true(seen.paths.count >= 1 && seen.paths.count <= 2);
    sf_strlist_release(&seen.paths);
}

static void test_unreadable_directories(void **state)
{
    struct seen seen = { .paths = SF_STRLIST_INIT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_walk_tally tally;
    const char *dir = *state;
    char *closed = test_path(dir, "closed");
    bool root = geteuid() == 0;

    tree_puts(dir, "closed/x", "");
    tree_puts(dir, "open/x", "");
    assert_int_equal(chmod(closed, 0), 0);
    assert_true(walk(dir, (struct sf_walk_request){ 0 }, &seen, &tally, &err));
    assert_int_equal(tally.unreadable, root ? 0 : 1);
    assert_int_equal(seen.paths.count, root ? 2 : 1);
    assert_int_equal(chmod(closed, 0700), 0);
    sf_strlist_release(&seen.paths);
    free(closed);
}

/* While a directory and a link to the outside change places, nothing outside is ever seen. */
static void test_swapped_directories(void **state)
{
    const char *dir = *state;
    char *one = test_path(dir, "ws/dir"), *other = test_path(dir, "ws/lnk");
    char *ws = test_path(dir, "ws");
    struct swapper *swapper;
    size_t seen_files = 0;

    tree_puts(dir, "outside/secret", "");
    tree_puts(dir, "ws/dir/fine", "");
    assert_int_equal(symlink("../outside", other), 0);
    swapper = swapper_start(one, other);
    for (int i = 0; i < 400; i++) {
        struct seen seen = { .paths = SF_STRLIST_INIT };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_walk_tally tally;

        assert_true(walk(ws, (struct sf_walk_request){ .threads = 2 }, &seen, &tally, &err));
        for (size_t k = 0; k < seen.paths.count; k++)
            assert_null(strstr(seen.paths.items[k], "secret"));
        seen_files += seen.paths.count;
        sf_strlist_release(&seen.paths);
    }
    assert_true(swapper_stop(swapper) > 0);
    assert_true(seen_files > 0);
    free(one);
    free(other);
    free(ws);
}

/* From here on this process has a kernel without openat2. */
static bool forget_openat2(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { SF_COUNT(code), code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* 0: everything inside was seen and nothing outside, and links were refused. */
static int walk_by_steps(const char *dir)
{
    struct seen seen = { .paths = SF_STRLIST_INIT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_walk_tally tally;
    int code = 0;

    if (!forget_openat2())
        return 77;
    if (!walk(dir, (struct sf_walk_request){ .threads = 1 }, &seen, &tally, &err) ||
        seen.paths.count != 5)
        code |= 1;
    if (walk(dir, (struct sf_walk_request){ .start = "sub/link/sub" }, &seen, &tally, &err) ||
        seen.paths.count != 5)
        code |= 2;
    if (!walk(dir, (struct sf_walk_request){ .start = "sub/deep" }, &seen, &tally, &err) ||
        seen.paths.count != 6)
        code |= 4;
    sf_strlist_release(&seen.paths);
    return code;
}

static void test_older_kernels(void **state)
{
    int status = 0;
    pid_t pid;

    make_odd_things(*state);
    pid = fork();
    if (pid == 0)
        _exit(walk_by_steps(*state));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        test_not_run("tracing is not allowed here");
    assert_int_equal(WEXITSTATUS(status), 0);
}

static atomic_int looks;

static int64_t hurries(void)
{
    return atomic_fetch_add(&looks, 1);
}

static int64_t stands_still(void)
{
    return 7;
}

/* When the time is over, what was seen so far is the answer, and says that it is not all. */
static void test_ends_in_time(void **state)
{
    struct seen late = { .stop = false }, calm = { .stop = false };
    struct sf_walk_tally tally;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_dir_new();

    (void)state;
    for (int i = 0; i < 50; i++) {
        char name[32];

        snprintf(name, sizeof(name), "d%d/file", i);
        tree_puts(dir, name, "");
    }
    assert_true(walk(dir,
                     (struct sf_walk_request){ .threads = 1, .within_ms = 20, .clock_ms = hurries },
                     &late, &tally, &err));
    assert_true(tally.late);
    assert_true(late.paths.count < 50);
    assert_true(walk(
        dir, (struct sf_walk_request){ .threads = 2, .within_ms = 1, .clock_ms = stands_still },
        &calm, &tally, &err));
    assert_false(tally.late);
    assert_int_equal(calm.paths.count, 50);
    sf_strlist_release(&late.paths);
    sf_strlist_release(&calm.paths);
    test_dir_free(dir);
}

int main(void)
{
#define IN_DIR(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_in_time), IN_DIR(test_what_is_seen),
        IN_DIR(test_vetoes_are_counted),     IN_DIR(test_refused_starts),
        IN_DIR(test_everything_once),        IN_DIR(test_cancelling),
        IN_DIR(test_unreadable_directories), IN_DIR(test_swapped_directories),
        IN_DIR(test_older_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
