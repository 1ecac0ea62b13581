/*
 * A conversation as golden screens: what streams in, what tools do, how answers are set, what goes
 * wrong with the model.
 */
#include "support/screen_case.h"

#define BUILD                                                         \
    "[defaults]\nwork_mode = \"build\"\nrun_control = \"assisted\"\n" \
    "permission_profile = \"trusted\"\n"

static void test_streaming(void **state)
{
    static const struct screen_step steps[] = {
        SEE("test-model answers"),
        SHOT("start_connected", AT_SOME | AT_120),
        KEYS("the last element of a range is dropped, why?\r"),
        SEE("loop"),
        SHOT("streaming", AT_ALL),
        KEYS("and does the test"),
        SHOT("streaming_draft", AT_SOME),
        KEYS(" cover it?\r"),
        SEE("at its next step"),
        SHOT("steering", AT_SOME | AT_120),
        KEYS("then update the changelog"),
        SEE("changelog"),
        KEYS("\t"),
        SEE("1 queued"),
        SHOT("queued", AT_ALL),
        KEYS("and 日本語 too\t"),
        SEE("2 queued"),
        SHOT("queued_two", AT_SOME),
        KEYS("/queue\r"),
        SEE("Esc close"),
        SHOT("overlay_queue", AT_SOME | AT_120),
        KEYS(ESC),
        KEYS("/tasks\r"),
        SEE("Tasks"),
        SHOT("overlay_tasks_running", AT_SOME | AT_120),
        KEYS(ESC),
        UNSEE("Esc close"),
        KEYS("/steer mode build after-current-unit\r"),
        SEE("→build"),
        SHOT("badge_pending", AT_ALL),
        KEYS(ESC),
        SEE("stopped"),
        SHOT("cancelled", AT_ALL),
        END,
    };
    static const struct screen_run run = {
        .name = "streaming",
        .scenario =
            "reply\n    usage input=3000 output=200\n    text delta=20 \"The **loop** in `range_sum` stops one short: \"\n"
            "    delay 60000\n    text \"never\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_reasoning(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("think first\r"),
        SEE("Thinking"),
        SHOT("reasoning_streaming", AT_SOME | AT_120),
        KEYS("\017"),
        SEE("half-open"),
        SHOT("reasoning_streaming_open", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "reasoning",
        .scenario =
            "reply\n    usage input=3000 output=200\n    reasoning \"The range is half-open, so the last one is left out. "
            "I should look at the callers before I change that.\"\n"
            "    delay 60000\n    text \"never\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_reasoned(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("think first\r"),
        SEE("so I leave it"),
        UNSEE("Esc cancels"),
        SHOT("reasoned", AT_SOME | AT_120),
        KEYS("\017"),
        SEE("half-open"),
        SHOT("reasoned_open", AT_SOME | AT_120),
        KEYS(LEADER "w"),
        SHOT("times", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "reasoned",
        .scenario =
            "reply\n    usage input=3000 output=200\n    reasoning \"The range is half-open.\\n\\nThe callers know it.\"\n"
            "    text \"Callers rely on it, so I leave it.\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static const char answers[] =
    "reply\n    usage input=3000 output=200\n    text <<END\n"
    "        # The range module\n\n"
    "        It sums **half-open** ranges; see [the notes](https://example.org/notes).\n\n"
    "        1. `range_sum` adds them up\n"
    "        2. nobody *checks* for overflow\n"
    "           - not even the tests\n"
    "           - ~~nor the docs~~\n\n"
    "        > A range without its last element\n"
    "        > is half a range.\n\n"
    "        - [x] read\n"
    "        - [ ] fixed\n\n"
    "        ---\n\n"
    "        The rule above and the rule below.\n"
    "        END\n"
    "reply\n    usage input=3000 output=200\n    text <<END\n"
    "        | function | what it does | cost |\n"
    "        |---|---|--:|\n"
    "        | `range_sum` | adds all numbers of a half-open range, one by one, in a loop | "
    "12 |\n"
    "        | `range_len` | how many numbers there are | 1 |\n"
    "        | 範囲 | 日本語の説明文はここにあります | 1,234 |\n\n"
    "        A table and half a page of text.\n"
    "        END\n"
    "reply\n    usage input=3000 output=200\n    text <<END\n"
    "        In `src/range.c`:\n\n"
    "        ```c\n"
    "        /* sums lo to hi */\n"
    "        int range_sum(int lo, int hi)\n"
    "        {\n"
    "            return lo < hi ? lo + range_sum(lo + 1, hi) : 0; /* recursion has its price, as "
    "this very long comment shows */\n"
    "        }\n"
    "        ```\n\n"
    "        and as a change:\n\n"
    "        ```diff\n"
    "        @@ -7,1 +7,1 @@\n"
    "        -    for (int i = lo; i < hi; i++)\n"
    "        +    for (int i = lo; i <= hi; i++)\n"
    "        ```\n\n"
    "        That is all.\n"
    "        END\n"
    "reply\n    usage input=3000 output=200\n    text <<END\n"
    "        漢字かな交じり文は二列の幅を持ち、行の終わりで正しく折り返される必要があります。"
    "한국어도 마찬가지입니다.\n\n"
    "        Emoji 😀 👍🏽 🇩🇪 ❤️ and combining e\u0301 a\u0302 o\u0323\u0302, a word that is "
    "supercalifragilisticexpialidociousandlongerthananyline, tabs\tand the end of wide.\n"
    "        END\n";

static const char levels[] =
    "reply\n    usage input=3000 output=200\n    text <<END\n"
    "        # What the module does\n\n"
    "        It sums ranges; this sentence goes on for so long that a screen which is wide enough for "
    "all of it has it in two lines all the same, since nobody reads lines of two hundred columns.\n\n"
    "        ## In words\n\n"
    "        - the loop runs from `lo` to `hi`:\n\n"
    "          ```c\n"
    "          for (int i = lo; i < hi; i++)\n\n"
    "              sum += i;\n"
    "          ```\n\n"
    "        ### In a shell\n\n"
    "        ```\n"
    "        ./range 1 3\n"
    "        ```\n\n"
    "        Levels and panels.\n"
    "        END\n";

static void test_levels(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("explain it\r"),
        SEE("and panels."),
        UNSEE("Esc cancels"),
        SHOT("answer_levels", AT_SMALL | AT_80 | AT_120 | AT_200),
        END,
    };
    static const struct screen_run run = { .name = "answers", .scenario = levels, .steps = steps };

    screen_play(state, &run);
}

static void test_answers(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("show me everything\r"),
        SEE("rule below"),
        UNSEE("Esc cancels"),
        SHOT("answer_text", AT_ALL),
        KEYS("a table\r"),
        SEE("half a page"),
        UNSEE("Esc cancels"),
        SHOT("answer_table", AT_ALL),
        KEYS("code\r"),
        SEE("That is all"),
        UNSEE("Esc cancels"),
        SHOT("answer_code", AT_ALL),
        KEYS("wide characters\r"),
        SEE("of wide"),
        UNSEE("Esc cancels"),
        SHOT("answer_wide", AT_ALL),
        KEYS(PGUP),
        SEE("more below"),
        SHOT("scrolled", AT_SMALL | AT_79 | AT_80),
        KEYS("\006range"),
        SEE(" of "),
        SHOT("find", AT_SMALL | AT_79 | AT_80),
        KEYS("xyz"),
        SEE("nothing found"),
        SHOT("find_nothing", AT_SOME),
        END,
    };
    static const struct screen_run run = {
        .name = "answers",
        .scenario = answers,
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_tools(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("fix it\r"),
        SEE("Fixed;"),
        UNSEE("Esc cancels"),
        SHOT("tools_done", AT_ALL),
        KEYS("\017"),
        SEE("sum += i"),
        SHOT("tools_open", AT_ALL),
        KEYS("\017"),
        KEYS("/diff\r"),
        SEE("Esc close"),
        SHOT("overlay_diff", AT_ALL),
        KEYS(ESC),
        UNSEE("Esc close"),
        KEYS("what fails\r"),
        SEE("Three things"),
        UNSEE("Esc cancels"),
        SHOT("tools_failed", AT_ALL),
        KEYS("\017"),
        SHOT("tools_failed_open", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "tools",
        .settings = BUILD,
        .scenario =
            "reply\n    usage input=3000 output=200\n    text \"The loop stops one short. I will fix it and cover it.\"\n"
            "    call Read {\"file_path\": \"src/range.c\"}\n"
            "    call Grep {\"pattern\": \"TODO\", \"path\": \"tests\"}\n"
            "reply\n    usage input=3000 output=200\n"
            "    call Edit {\"file_path\": \"src/range.c\", \"old_string\": \"i < hi\", "
            "\"new_string\": \"i <= hi\"}\n"
            "reply\n    usage input=3000 output=200\n"
            "    call Write {\"file_path\": \"src/len.c\", \"content\": \"int range_len(int lo, int "
            "hi)\\n{\\n    return hi - lo;\\n}\\n\"}\n"
            "    call Bash {\"command\": \"printf 'one\\\\ntwo\\\\nthree\\\\n'\"}\n"
            "reply\n    usage input=3000 output=200\n    text \"Fixed; all 48 tests pass.\"\n"
            "reply\n    usage input=3000 output=200\n"
            "    call Bash {\"command\": \"printf 'first\\\\nsecond\\\\n'; exit 3\"}\n"
            "    call Read {\"file_path\": \"src/none.c\"}\n"
            "    call Bash {\"command\": \"git push\"}\n"
            "reply\n    usage input=3000 output=200\n    text \"Three things failed.\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_running(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("build it\r"),
        SEE("four"),
        SHOT("tool_running", AT_ALL),
        KEYS("\017"),
        SEE("one"),
        SHOT("tool_running_open", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "running",
        .settings = BUILD,
        .scenario = "reply\n    usage input=3000 output=200\n    text \"One moment.\"\n"
                    "    call Bash {\"command\": \"printf 'one\\\\ntwo\\\\nthree\\\\nfour\\\\n'; "
                    "sleep 45\"}\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_shell(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("!ls src\r"),
        SEE("range.h"),
        SHOT("shell", AT_ALL),
        KEYS("#the tests are in tests\r"),
        SEE("noted"),
        SHOT("note", AT_SOME),
        END,
    };
    static const struct screen_run run = {
        .name = "shell",
        .settings = BUILD,
        .scenario = "reply\n    usage input=3000 output=200\n    text \"x\"\n",
        .steps = steps
    };

    screen_play(state, &run);
}

static void test_plan(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("plan it\r"),
        SEE("That is the plan"),
        SHOT("plan", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "plan",
        .settings = BUILD,
        .scenario =
            "reply\n    usage input=3000 output=200\n    call Plan {\"items\": [{\"content\": \"read the module\", \"status\": "
            "\"completed\"}, {\"content\": \"fix the loop, and every caller that relied on the "
            "half-open range until now\", \"status\": \"in_progress\"}, {\"content\": \"cover "
            "it\", \"status\": \"pending\"}]}\n"
            "reply\n    usage input=3000 output=200\n    text \"That is the plan.\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_failing_model(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("hello\r"),
        SEE("try 2"),
        SHOT("error_retrying", AT_SOME | AT_120),
        KEYS(ESC),
        UNSEE("Esc cancels"),
        SHOT("error_retrying_left", AT_SOME),
        END,
    };
    static const struct screen_run run = {
        .name = "a model that is busy",
        .scenario = "reply repeat=9\n    status 529 \"overloaded\"\n",
        .settings = "[network]\nretry_wait = 60.0\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

static void test_refusing_model(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"), KEYS("hello\r"), SEE("✗"), SHOT("error_provider", AT_ALL), END,
    };
    static const struct screen_run run = {
        .name = "a model that refuses the key",
        .scenario = "key another-key\nreply\n    text \"never\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_streaming, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_reasoning, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_reasoned, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_answers, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_levels, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_tools, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_running, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_shell, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_plan, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_failing_model, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_refusing_model, screen_setup, screen_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
