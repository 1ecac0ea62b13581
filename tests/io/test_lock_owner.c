/*
 * Who holds a lock: named while that process lives and is the one it says, unknown otherwise.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static void test_signs_for_itself(void **state)
{
    char *path = test_path(*state, "lock");
    int64_t before = sf_clock_wall_ms();
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char wanted[64];
    struct sf_lock_owner h;

    assert_true(sf_lock_take(path, 0, &lock, &err));
    sf_lock_owner_sign(&lock);
    h = sf_lock_owner_read(path);
    assert_int_equal(h.pid, getpid());
    assert_true(h.since_ms >= before && h.since_ms <= sf_clock_wall_ms());
    sf_lock_owner_add(&h, sf_clock_wall_ms(), &text);
    snprintf(wanted, sizeof(wanted), "process %d", (int)getpid());
    assert_non_null(strstr(text.buf, wanted));
    assert_non_null(strstr(text.buf, "(since "));
    sf_strbuf_release(&text);
    sf_lock_drop(&lock);
    free(path);
}

/* The file of a process that was killed names nobody, and its lock can be had at once. */
static void test_dead_is_nobody(void **state)
{
    char *path = test_path(*state, "lock");
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (!sf_lock_take(path, 0, &lock, &err))
            _exit(1);
        sf_lock_owner_sign(&lock);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(sf_lock_owner_read(path).pid, 0);
    assert_true(sf_lock_take(path, 0, &lock, &err));
    sf_lock_drop(&lock);
    free(path);
}

static void test_what_makes_no_sense(void **state)
{
    static const struct {
        const char *name, *before, *after; /* of our own number */
        bool without;
    } cases[] = {
        { "nothing", "", "", true },
        { "a number alone", "", "", false },
        { "another time of its beginning", "", " 1 1700000000000 pts/1\n", false },
        { "no end of the line", "", " 1 1700000000000 pts/1", false },
        { "a terminal that is an escape", "", " 1 1700000000000 \033[2J\n", false },
        { "words", "held by ", "\n", false },
        { "a negative number", "-", " 1 1700000000000 -\n", false },
    };
    char *path = test_path(*state, "lock");

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf text = SF_STRBUF_INIT, said = SF_STRBUF_INIT;
        struct sf_lock_owner h;

        if (!cases[i].without)
            sf_strbuf_addf(&text, "%s%d%s", cases[i].before, (int)getpid(), cases[i].after);
        test_write(path, text.buf, text.len);
        h = sf_lock_owner_read(path);
        sf_lock_owner_add(&h, 0, &said);
        if (h.pid || strcmp(said.buf, "another process") != 0)
            fail_msg("%s: taken for %s", cases[i].name, said.buf);
        sf_strbuf_release(&said);
        sf_strbuf_release(&text);
    }
    free(path);
}

/* Its own line, with one field changed: only the whole truth is believed. */
static void test_escape_in_an_otherwise_true_line(void **state)
{
    char *path = test_path(*state, "lock"), *text;
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;

    assert_true(sf_lock_take(path, 0, &lock, &err));
    sf_lock_owner_sign(&lock);
    text = test_read(path, NULL);
    *strrchr(text, ' ') = '\0';
    sf_strbuf_addf(&line, "%s \033]0;x\007\n", text);
    test_write(path, line.buf, line.len);
    assert_int_equal(sf_lock_owner_read(path).pid, 0);
    sf_strbuf_reset(&line);
    sf_strbuf_addf(&line, "%s pts/77\n", text);
    test_write(path, line.buf, line.len);
    assert_int_equal(sf_lock_owner_read(path).pid, getpid());
    assert_string_equal(sf_lock_owner_read(path).tty, "pts/77");
    sf_strbuf_release(&line);
    sf_lock_drop(&lock);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_signs_for_itself, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_dead_is_nobody, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_what_makes_no_sense, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_escape_in_an_otherwise_true_line, test_dir_setup,
                                        test_dir_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
