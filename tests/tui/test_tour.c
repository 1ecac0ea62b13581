/* The tour, walked from its first step to its last, and left on the way. */
#include "support/pty_case.h"
#include "support/test.h"

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, sitting_setup, sitting_teardown)

static void begin(struct sitting *s)
{
    world_setenv(s->world, "TMPDIR", s->world->dir);
    sitting_begin(s, "tour");
    vt_wait_text(s->vt, "Tour 1 of 9");
}

static void allow(struct sitting *s)
{
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "y");
}

static void test_whole(void **state)
{
    struct sitting *s = *state;

    begin(s);
    sitting_type(s, "\030m", "plan | manual");
    sitting_type(s, "\030m", "Tour 2 of 9");
    sitting_type(s, "find TODO in src\r", "Tour 3 of 9");
    vt_type(s->vt, "replace world with you in src/hello.c\r");
    allow(s);
    vt_wait_text(s->vt, "Tour 4 of 9");
    sitting_type(s, "/mode plan\r", "Tour 5 of 9");
    sitting_type(s, "create src/notes.txt with remember the milk\r", "Tour 6 of 9");
    sitting_type(s, "/mode build\r", "build | manual");
    vt_type(s->vt, "create src/notes.txt with remember the milk\r");
    allow(s);
    vt_wait_text(s->vt, "Tour 7 of 9");
    vt_type(s->vt, "/undo\r");
    allow(s);
    vt_wait_text(s->vt, "Tour 8 of 9");
    sitting_type(s, "\004", "Enter does that now");
    sitting_type(s, "\r", "Tour 9 of 9");
    vt_wait_text(s->vt, "build | manual"); /* as it was left, not as the tour began */
    vt_wait_text(s->vt, "⊘ Refused  src/notes.txt");
    vt_wait_text(s->vt, "created src/notes.txt");
    vt_type(s->vt, "\004");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    assert_true(sitting_sees(s, "That was the tour."));
    sitting_expect_restored(s->vt, "after the tour");
}

/* A refused card is no edit, and a step is not over before it is done. */
static void test_left(void **state)
{
    struct sitting *s = *state;

    begin(s);
    sitting_type(s, "/mode build\r", "Tour 2 of 9");
    sitting_type(s, "list src\r", "Tour 3 of 9");
    vt_type(s->vt, "replace world with you in src/hello.c\r");
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "n");
    vt_wait_no_text(s->vt, "waiting for you");
    vt_wait_no_text(s->vt, "Esc cancels");
    vt_wait_text(s->vt, "Tour 3 of 9");
    sitting_type(s, "find TODO in src\r", "1 match");
    vt_wait_text(s->vt, "Tour 3 of 9");
    vt_type(s->vt, "\004");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    assert_true(sitting_sees(s, "stopped at step 3 of 9"));
}

static void test_no_terminal(void **state)
{
    struct sitting *s = *state;

    world_expect(s->world, "tour", 2, "", "the tour needs a terminal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_DESK(test_whole),
        AT_DESK(test_left),
        AT_DESK(test_no_terminal),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
