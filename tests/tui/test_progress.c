/*
 * What the running turn is doing, as the line above the composer tells it: by the last event that
 * says so, with the tokens of the answers so far. And changes of the modes, which a user walks
 * through: one note tells where the walk led, while the log keeps each step.
 */
#include <string.h>

#include "support/test.h"
#include "support/tui_case.h"
#include "tui/internal.h"

/* Events of one turn in their order, and what the line says after each. */
static const struct {
    const char *name;
    enum sf_event_kind kind;
    const char *tool; /* of the call that it is about */
    int depth;
    int64_t tokens;
    const char *line;
} cases[] = {
    { "the prompt is on its way", SF_EVENT_PROMPT, NULL, 0, 0, "waiting for the model" },
    { "reasoning", SF_EVENT_REASONING, NULL, 0, 0, "thinking" },
    { "the answer", SF_EVENT_TEXT, NULL, 0, 0, "writing" },
    { "the connection broke", SF_EVENT_RETRY, NULL, 0, 0, "waiting for the model" },
    { "again", SF_EVENT_TEXT, NULL, 0, 0, "writing" },
    { "what was said is void", SF_EVENT_RESTART, NULL, 0, 0, "waiting for the model" },
    { "counted", SF_EVENT_USAGE, NULL, 0, 200, "waiting for the model · 200 tokens" },
    { "a call", SF_EVENT_CALL, "Bash", 0, 0, "running Bash · 200 tokens" },
    { "the user is asked", SF_EVENT_ASKED, "Bash", 0, 0, "waiting for your answer · 200 tokens" },
    { "and has answered", SF_EVENT_ANSWERED, "Bash", 0, 0, "running Bash · 200 tokens" },
    { "its output", SF_EVENT_OUTPUT, "Bash", 0, 0, "running Bash · 200 tokens" },
    { "a second call", SF_EVENT_CALL, "Read", 0, 0, "running 2 tools · 200 tokens" },
    { "a sub-agent thinks", SF_EVENT_REASONING, NULL, 1, 0, "running 2 tools · 200 tokens" },
    { "a sub-agent is counted", SF_EVENT_USAGE, NULL, 1, 5000, "running 2 tools · 200 tokens" },
    { "one has ended", SF_EVENT_RESULT, "Read", 0, 0, "running a tool · 200 tokens" },
    { "both have", SF_EVENT_RESULT, "Bash", 0, 0, "waiting for the model · 200 tokens" },
    { "the next answer", SF_EVENT_TEXT, NULL, 0, 0, "writing · 200 tokens" },
    { "the sum", SF_EVENT_USAGE, NULL, 0, 1000, "writing · 1.2k tokens" },
    { "a plan waits", SF_EVENT_SUBMITTED, "Plan", 0, 0, "waiting for your answer · 1.2k tokens" },
};

static void take(struct sf_progress *p, size_t i)
{
    const struct sf_event_call call = { .id = "1", .name = cases[i].tool };
    const struct sf_usage tokens = { .output = cases[i].tokens };
    struct sf_event event = { .kind = cases[i].kind, .depth = cases[i].depth };

    event.call = cases[i].tool ? &call : NULL;
    if (event.kind == SF_EVENT_USAGE)
        event.usage.tokens = &tokens;
    sf_progress_take(p, &event);
}

static void test_phases(void **state)
{
    struct sf_progress p = { .turn_ms = 0 };
    struct sf_strbuf line = SF_STRBUF_INIT;

    (void)state;
    take(&p, 1); /* between turns nothing is told */
    assert_string_equal(p.phase, "");
    sf_progress_begin(&p);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        take(&p, i);
        sf_strbuf_reset(&line);
        sf_progress_add(&p, &line);
        if (strcmp(line.buf, cases[i].line) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].name, line.buf, cases[i].line);
    }
    sf_progress_begin(&p); /* the next turn counts from the beginning */
    sf_strbuf_reset(&line);
    sf_progress_add(&p, &line);
    assert_string_equal(line.buf, "waiting for the model");
    sf_strbuf_release(&line);
}

static int64_t transitions(struct tui_case *c)
{
    char *count = tui_case_sql(c, "SELECT count(*) FROM mode_transitions");
    int64_t n = strtoll(count, NULL, 10);

    free(count);
    return n;
}

static void test_walk(void **state)
{
    struct tui_case *c = *state;
    int64_t before;

    tui_case_open(c, "--mode chat --model-mode smart", 24, 80);
    before = transitions(c);
    vt_type(c->vt, "\030d");
    vt_wait_text(c->vt, "smart → deep");
    vt_type(c->vt, "\030d");
    vt_wait_text(c->vt, "smart → fast"); /* the same note, with another end */
    vt_wait_no_text(c->vt, "smart → deep");
    vt_type(c->vt, "\030d");
    vt_wait_no_text(c->vt, "→"); /* back at the start */
    assert_int_equal(transitions(c), before + 3);
    vt_type(c->vt, "\030d");
    vt_wait_text(c->vt, "smart → deep");
    tui_case_say(c, "!true");
    vt_wait_text(c->vt, "Ran");
    vt_type(c->vt, "\030d");
    vt_wait_text(c->vt, "deep → fast"); /* something happened in between: a walk of its own */
    vt_wait_text(c->vt, "smart → deep");
    assert_int_equal(transitions(c), before + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test_setup_teardown(test_walk, tui_case_setup, tui_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
