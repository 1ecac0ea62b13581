/*
 * Memory that is always there: zeroed, overflow-checked, and an end with dignity when it is not.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"

static void test_alloc(void **state)
{
    unsigned char *p = sf_alloc(1000), *none = sf_alloc(0);
    int *list = sf_alloc_array(10, sizeof(*list));

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(list[i], 0);
    assert_non_null(none);
    list[9] = 7;
    list = sf_realloc_array(list, 1000, sizeof(*list));
    assert_int_equal(list[9], 7);
    free(p);
    free(none);
    free(list);
}

static void test_copies(void **state)
{
    char *whole = sf_strdup("abc"), *part = sf_strndup("a\0bcd", 4), *none = sf_strndup(NULL, 0);

    (void)state;
    assert_string_equal(whole, "abc");
    assert_memory_equal(part, "a\0bc", 5);
    assert_string_equal(none, "");
    free(whole);
    free(part);
    free(none);
}

static void test_grow(void **state)
{
    size_t cap = 0;
    int *list = NULL, *same;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        size_t before = cap;

        list = sf_grow(list, &cap, (size_t)i + 1, sizeof(*list));
        assert_true(cap > (size_t)i && (cap == before || cap >= 2 * before));
        list[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    same = sf_grow(list, &cap, cap, sizeof(*list));
    assert_ptr_equal(same, list);
    list = sf_grow(same, &cap, 5000, sizeof(*list));
    assert_in_range(cap, 5000, 10000);
    free(list);
}

static int pipe_end;

static void hook(void)
{
    if (write(pipe_end, "h", 1) != 1)
        _exit(3);
}

static void *unused;

static void array_overflows(void)
{
    unused = sf_alloc_array(SIZE_MAX, 2);
}

static void realloc_overflows(void)
{
    unused = sf_realloc_array(NULL, SIZE_MAX / 2, 3);
}

static void growth_overflows(void)
{
    size_t cap = 0;

    unused = sf_grow(NULL, &cap, SIZE_MAX, 1);
}

static void text_overflows(void)
{
    unused = sf_strndup("x", SIZE_MAX);
}

static void strbuf_overflows(void)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_room(&sb, SIZE_MAX);
}

/* Runs `fn` in a child with the hook set; gathers how it ended and what came down the pipe. */
static int run_child(void (*fn)(void), char *said, size_t size)
{
    int fds[2], status = 0;
    size_t n = 0;
    ssize_t got;
    pid_t pid;

    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        pipe_end = fds[1];
        dup2(fds[1], STDERR_FILENO);
        sf_set_oom_hook(hook);
        fn();
        _exit(0);
    }
    close(fds[1]);
    while ((got = read(fds[0], said + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR))
        n += got > 0 ? (size_t)got : 0;
    said[n] = '\0';
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static const struct {
    const char *name;
    void (*fn)(void);
} overflows[] = {
    { "an array", array_overflows },  { "a reallocation", realloc_overflows },
    { "growth", growth_overflows },   { "a copy", text_overflows },
    { "a string", strbuf_overflows },
};

static void test_out_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(overflows); i++) {
        char said[256];
        int status = run_child(overflows[i].fn, said, sizeof(said));

        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            fail_msg("%s: ended with %d", overflows[i].name, status);
        if (strcmp(said, "hsf: out of memory\n") != 0)
            fail_msg("%s: said %s", overflows[i].name, said);
    }
}

static void removes_the_hook(void)
{
    sf_set_oom_hook(NULL);
    array_overflows();
}

static void test_no_hook(void **state)
{
    char said[256];
    int status = run_child(removes_the_hook, said, sizeof(said));

    (void)state;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(said, "sf: out of memory\n");
}

/* A hook that needs memory itself must not be called again by its own failure. */
static void greedy_hook(void)
{
    hook();
    array_overflows();
}

static void has_a_greedy_hook(void)
{
    sf_set_oom_hook(greedy_hook);
    array_overflows();
}

static void test_hook_runs_once(void **state)
{
    char said[256];
    int status = run_child(has_a_greedy_hook, said, sizeof(said));

    (void)state;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(said, "hsf: out of memory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_grow),    cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_no_hook), cmocka_unit_test(test_hook_runs_once),
    };

    return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
