/* The tour, walked from its first step to its last, and left on the way. */
#include <glob.h>
#include <unistd.h>

#include "support/pty_case.h"
#include "support/test.h"

#define AT_TERMINAL(test) cmocka_unit_test_setup_teardown(test, pty_case_setup, pty_case_teardown)

static void begin(struct pty_case *s)
{
    sandbox_setenv(s->sandbox, "TMPDIR", s->sandbox->dir);
    pty_case_begin(s, "tour");
    vt_wait_text(s->vt, "Tour 1 of 9");
}

static void allow(struct pty_case *s)
{
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "y");
}

/* Whether the tour's own directory has the file, with the words in it. */
static bool has(struct pty_case *s, const char *file, const char *words)
{
    char *pattern = test_path(s->sandbox->dir, "sf-tour-*"), *path, *text = NULL;
    glob_t found;
    bool is;

    assert_int_equal(glob(pattern, GLOB_NOSORT, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    path = test_path(found.gl_pathv[0], file);
    if (access(path, F_OK) == 0)
        text = test_read(path, NULL);
    is = text && strstr(text, words);
    globfree(&found);
    free(pattern);
    free(path);
    free(text);
    return is;
}

/* The turn is over, and whatever it did to the tour has been drawn with that. */
static void wait_at_rest(struct pty_case *s, const char *step)
{
    vt_wait_no_text(s->vt, "waiting for you");
    vt_wait_no_text(s->vt, "Esc cancels");
    assert_true(pty_case_sees(s, step));
}

static void test_whole(void **state)
{
    struct pty_case *s = *state;

    begin(s);
    pty_case_type(s, "\030m", "plan | manual");
    pty_case_type(s, "\030m", "Tour 2 of 9");
    pty_case_type(s, "find TODO in src\r", "Tour 3 of 9");
    vt_type(s->vt, "replace world with you in src/hello.c\r");
    vt_wait_text(s->vt, "waiting for you");
    assert_true(has(s, "src/hello.c", "hello, world"));
    allow(s);
    vt_wait_text(s->vt, "Tour 4 of 9");
    assert_true(has(s, "src/hello.c", "hello, you"));
    pty_case_type(s, "/mode plan\r", "Tour 5 of 9");
    pty_case_type(s, "create src/notes.txt with remember the milk\r", "Tour 6 of 9");
    assert_false(has(s, "src/notes.txt", ""));
    pty_case_type(s, "/mode build\r", "build | manual");
    vt_type(s->vt, "create src/notes.txt with remember the milk\r");
    allow(s);
    vt_wait_text(s->vt, "Tour 7 of 9");
    assert_true(has(s, "src/notes.txt", "remember the milk"));
    vt_type(s->vt, "/undo\r");
    allow(s);
    vt_wait_text(s->vt, "Tour 8 of 9");
    assert_false(has(s, "src/notes.txt", ""));
    assert_true(has(s, "src/hello.c", "hello, you")); /* of the turns only the last is undone */
    pty_case_type(s, "\004", "Enter does that now");
    pty_case_type(s, "\r", "Tour 9 of 9");
    vt_wait_text(s->vt, "build | manual"); /* as it was left, not as the tour began */
    vt_wait_text(s->vt, "⊘ Refused  src/notes.txt");
    vt_wait_text(s->vt, "created src/notes.txt");
    vt_type(s->vt, "\004");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    assert_true(pty_case_sees(s, "That was the tour."));
    pty_case_expect_restored(s->vt, "after the tour");
}

/* A refused card is no edit, and a step is not over before it is done. */
static void test_left(void **state)
{
    struct pty_case *s = *state;

    begin(s);
    pty_case_type(s, "/mode build\r", "Tour 2 of 9");
    pty_case_type(s, "list src\r", "Tour 3 of 9");
    vt_type(s->vt, "replace world with you in src/hello.c\r");
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "n");
    wait_at_rest(s, "Tour 3 of 9");
    assert_true(has(s, "src/hello.c", "hello, world"));
    pty_case_type(s, "find TODO in src\r", "1 match");
    wait_at_rest(s, "Tour 3 of 9");
    vt_type(s->vt, "\004");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    assert_true(pty_case_sees(s, "stopped at step 3 of 9"));
}

static void test_no_terminal(void **state)
{
    struct pty_case *s = *state;

    sandbox_expect(s->sandbox, "tour", 2, "", "the tour needs a terminal");
}

/* From inside a session: the tour has the terminal, and the session is there again behind it. */
static void test_from_a_session(void **state)
{
    struct pty_case *s = *state;

    sandbox_setenv(s->sandbox, "TMPDIR", s->sandbox->dir);
    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "you  list");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "/tour\r", "Tour 1 of 9");
    pty_case_lacks(s, "you  list");
    pty_case_type(s, "/tour\r", "you are on the tour");
    vt_type(s->vt, "\004");
    vt_wait_text(s->vt, "back from the tour");
    assert_true(pty_case_sees(s, "you  list"));
    assert_true(has(s, "src/hello.c", "hello, world"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_from_a_session),
        AT_TERMINAL(test_whole),
        AT_TERMINAL(test_left),
        AT_TERMINAL(test_no_terminal),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
