/*
 * The first five minutes, with nothing configured: the screens that docs/FIRST.md shows, taken from
 * the program. check_docs.sh holds the document against them.
 */
#include "support/screen_case.h"

static void test_first(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome to demo"),
        SHOT("first_start", AT_80),
        KEYS("find TODO in tests"),
        SEE("› find TODO in tests"),
        KEYS("\r"),
        SEE("1 match"),
        SEE("sf   tests/test_range.c"),
        SHOT("first_found", AT_80),
        KEYS("replace i < hi with i <= hi in src/range.c"),
        SEE("in src/range.c"),
        KEYS("\r"),
        SEE("waiting for you"),
        SHOT("first_card", AT_80),
        KEYS("y"),
        SEE("Edited   src/range.c"),
        SEE("sf   "),
        SHOT("first_edited", AT_80),
        KEYS("/undo\r"),
        SEE("waiting for you"),
        SHOT("first_undo", AT_80),
        KEYS("y"),
        SEE("files are as they were"),
        SHOT("first_restored", AT_80),
        KEYS("\t"),
        SEE("plan | manual"),
        SHOT("first_plan", AT_80),
        END,
    };
    static const struct screen_run run = { .name = "first", .steps = steps };

    screen_play(state, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first, screen_setup, screen_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
