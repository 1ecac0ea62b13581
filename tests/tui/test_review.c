/*
 * A review on the screen, as golden screens: while it runs, its report in the conversation, the list
 * of findings, one of them with what stands around it, and words in the composer that ask for a fix.
 */
#include "support/screen_case.h"

#define USAGE "    usage input=3000 output=200\n"

/* A repository of the demo, with three changes on top of its first commit. */
static const char plant[] = "git init -q 2>/dev/null && git add README.md src tests && "
                            "git -c user.name=n -c user.email=e@x commit -qm base && "
                            "sed -i 's/i < hi/i <= hi + 1/; s/int sum = 0/int sum/' src/range.c && "
                            "echo '/* the TODO is gone */' >tests/test_range.c";

static void test_running(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("/review\r"),
        SEE("review"),
        SEE("Esc cancels"),
        UNSEE("collecting"),
        SHOT("review_running", AT_40 | AT_80 | AT_200),
        KEYS(ESC),
        SEE("not reviewed"),
        UNSEE("Esc cancels"),
        SHOT("review_cancelled", AT_40 | AT_80),
        END,
    };
    static const struct screen_run run = { .name = "running",
                                           .scenario = "reply\n    stall headers\n",
                                           .prepare = plant,
                                           .steps = steps };

    screen_play(state, &run);
}

static const char scenario[] =
    "reply\n" USAGE "    call Grep {\"pattern\": \"range_sum\"}\n"
    "reply\n" USAGE "    call Write {\"file_path\": \"src/range.c\", \"content\": \"\"}\n"
    "reply\n" USAGE
    "    call Findings {\"findings\": [{\"file\": \"src/range.c\", \"line\": 7, \"severity\": "
    "\"major\", \"title\": \"the sum runs two elements too far\", \"explanation\": \"`hi` was "
    "excluded; now `hi` and `hi + 1` are added. `range_sum(0, 3)` gives 10 instead of 3.\", "
    "\"suggestion\": \"Keep `i < hi`.\"}, {\"file\": \"src/range.c\", \"line\": 5, \"severity\": "
    "\"critical\", \"title\": \"sum is used before it has a value\", \"explanation\": \"Nothing "
    "sets it before the loop adds to it.\"}, {\"file\": \"tests/test_range.c\", \"line\": 90, "
    "\"severity\": \"minor\", \"title\": \"nothing is tested any more\", \"explanation\": \"The "
    "file has no test.\"}]}\n"
    "reply\n" USAGE "    text \"Three faults; the first two change results.\"\n";

static void test_review(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("/review\r"),
        SEE("change results"),
        UNSEE("Esc cancels"),
        SHOT("review_report", AT_40 | AT_80 | AT_200),
        KEYS("/review list\r"),
        SEE("ask for a fix"),
        SHOT("review_list", AT_40 | AT_80 | AT_200),
        KEYS(DOWN "\r"),
        SEE("Suggestion"),
        SHOT("review_detail", AT_40 | AT_80 | AT_200),
        KEYS(ESC),
        UNSEE("Suggestion"),
        KEYS("/review list\r"),
        SEE("ask for a fix"),
        KEYS("f"),
        SEE("Fix this one finding"),
        SHOT("review_fix", AT_40 | AT_80),
        END,
    };
    static const struct screen_run run = {
        .name = "review", .scenario = scenario, .prepare = plant, .steps = steps
    };

    screen_play(state, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_running, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_review, screen_setup, screen_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
