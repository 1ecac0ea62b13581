/* What fills the window: every block in its part, parts that add up, bars that never lie long. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

enum { LONG = 3000 };

static void add_text(struct sf_history *h, enum sf_role role, const char *begin)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, begin);
    sf_strbuf_fill(&text, 'x', LONG);
    sf_message_add_text(sf_history_add(h, role), text.buf, text.len);
    sf_strbuf_release(&text);
}

static const struct {
    const char *name, *begin;
    enum sf_role role;
    enum sf_context_part part;
} blocks[] = {
    { "the user's words", "", SF_ROLE_USER, SF_CONTEXT_USER },
    { "an answer", "", SF_ROLE_ASSISTANT, SF_CONTEXT_ASSISTANT },
    { "an answer that looks like sf's", "<turn_meta>", SF_ROLE_ASSISTANT, SF_CONTEXT_ASSISTANT },
    { "turn_meta", "<turn_meta>\n", SF_ROLE_USER, SF_CONTEXT_NOTES },
    { "a command of the user's", "<user_shell>\n", SF_ROLE_USER, SF_CONTEXT_NOTES },
    { "pins", "<pinned>\n", SF_ROLE_USER, SF_CONTEXT_PINNED },
    { "a summary", "[sf] The conversation up to here was", SF_ROLE_USER, SF_CONTEXT_SUMMARY },
    { "a word of sf's", "[sf] Go on", SF_ROLE_USER, SF_CONTEXT_NOTES },
};

static void test_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(blocks); i++) {
        struct sf_history h = SF_HISTORY_INIT;
        const struct sf_context_facts facts = { .history = &h };
        struct sf_context c;

        add_text(&h, blocks[i].role, blocks[i].begin);
        sf_context_weigh(&facts, &c);
        for (int part = 0; part < SF_CONTEXT_COUNT; part++)
            if ((c.tokens[part] > LONG / 8) != (part == (int)blocks[i].part))
                fail_msg("%s: %lld of %s", blocks[i].name, (long long)c.tokens[part],
                         sf_context_names[part]);
        sf_history_release(&h);
    }
}

static void test_calls(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    const struct sf_context_facts facts = { .history = &h };
    struct sf_context c;

    (void)state;
    sf_message_add_call(sf_history_add(&h, SF_ROLE_ASSISTANT), "a", "Read", "{}", 2);
    sf_message_add_result(sf_history_add(&h, SF_ROLE_USER), "a", "Read", "text", 4);
    sf_context_weigh(&facts, &c);
    assert_true(c.tokens[SF_CONTEXT_ASSISTANT] > 0);
    assert_true(c.tokens[SF_CONTEXT_RESULTS] > 0);
    assert_int_equal(c.tokens[SF_CONTEXT_USER], 0);
    sf_history_release(&h);
}

static const struct {
    const char *name;
    struct sf_context_facts facts;
    int64_t used, answer, free;
} sums[] = {
    { "an empty one", { .window = 1000, .max_output = 100 }, 0, 100, 900 },
    { "as guessed",
      { .system = 100, .tools = 50, .window = 1000, .max_output = 100 },
      150,
      100,
      750 },
    { "as counted",
      { .system = 100, .tools = 50, .memory = 33, .total = 500, .window = 1000, .max_output = 100 },
      500,
      100,
      400 },
    { "counted as less",
      { .system = 100, .tools = 50, .memory = 33, .total = 7, .window = 1000, .max_output = 100 },
      7,
      100,
      893 },
    { "no room for a whole answer",
      { .system = 950, .window = 1000, .max_output = 100 },
      950,
      50,
      0 },
    { "more than there is", { .system = 2000, .window = 1000, .max_output = 100 }, 2000, 0, 0 },
    { "a window nobody knows", { .system = 100 }, 100, 0, 0 },
};

static void test_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(sums); i++) {
        struct sf_history h = SF_HISTORY_INIT;
        struct sf_context_facts facts = sums[i].facts;
        struct sf_context c;
        int64_t all = 0;

        facts.history = &h;
        sf_context_weigh(&facts, &c);
        for (int part = 0; part < SF_CONTEXT_ANSWER; part++)
            all += c.tokens[part];
        if (c.used != sums[i].used || all != c.used ||
            c.tokens[SF_CONTEXT_ANSWER] != sums[i].answer ||
            c.tokens[SF_CONTEXT_FREE] != sums[i].free)
            fail_msg("%s: used %lld, answer %lld, free %lld", sums[i].name, (long long)c.used,
                     (long long)c.tokens[SF_CONTEXT_ANSWER], (long long)c.tokens[SF_CONTEXT_FREE]);
    }
}

static const struct {
    int64_t tokens, of;
    int cells, want;
} bars[] = {
    { 0, 100, 40, 0 },    { 1, 1000000, 40, 1 }, { 50, 100, 40, 20 },
    { 100, 100, 40, 40 }, { 500, 100, 40, 40 },  { 5, 0, 40, 0 },
    { 5, 10, 0, 0 },      { -1, 10, 40, 0 },     { 999, 1000, 10, 10 },
};

static void test_bars(void **state)
{
    struct sf_context c = { .used = 50, .window = 200 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(bars); i++)
        assert_int_equal(sf_context_cells(bars[i].tokens, bars[i].of, bars[i].cells), bars[i].want);
    assert_int_equal(sf_context_percent(&c, 50), 25);
    c.window = 0;
    assert_int_equal(sf_context_percent(&c, 50), 100);
    c.used = 0;
    assert_int_equal(sf_context_percent(&c, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_bars),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
