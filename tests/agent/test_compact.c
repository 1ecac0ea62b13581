/* What survives a compaction: words verbatim, files, a tail that may begin a history. */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

/*
 * A history in one word a message: u user's words, a answer, c answer with a call, r its result.
 */
static void build(struct sf_history *h, const char *shape)
{
    for (size_t i = 0; shape[i]; i++) {
        struct sf_message *m = sf_history_add(
            h, shape[i] == 'u' || shape[i] == 'r' ? SF_ROLE_USER : SF_ROLE_ASSISTANT);
        char text[64];

        snprintf(text, sizeof(text), "%c%zu", shape[i], i);
        if (shape[i] == 'c')
            sf_message_add_call(m, text, "Edit", "{\"file_path\":\"src/a.c\"}", 23);
        else if (shape[i] == 'r')
            sf_message_add_result(m, text, "Edit", "done", 4);
        else
            sf_message_add_text(m, text, strlen(text));
    }
}

static const struct {
    const char *name, *shape;
    int64_t tokens;
    size_t keep;
} keeps[] = {
    { "everything but the first where there is room", "uauaua", 1000000, 5 },
    { "nothing where there is none", "uauaua", 0, 0 },
    { "what was just said, whatever room there is", "uauau", 0, 1 },
    { "never cut between call and result", "uacrcr", 1000000, 5 },
    { "a tail that would begin with a result is not kept", "ucr", 1, 0 },
    { "one message alone stays nowhere", "u", 1000000, 0 },
    { "an empty history", "", 1000000, 0 },
};

static void test_keep(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(keeps); i++) {
        struct sf_history h = SF_HISTORY_INIT;
        size_t keep;

        build(&h, keeps[i].shape);
        keep = sf_compact_keep(&h, keeps[i].tokens);
        if (keep != keeps[i].keep)
            fail_msg("%s: keeps %zu, not %zu", keeps[i].name, keep, keeps[i].keep);
        sf_history_release(&h);
    }
}

static void assert_says(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("%s is missing in:\n%s", wanted, text);
}

static void compact(const struct sf_history *h, size_t keep, const char *said, size_t room,
                    struct sf_strbuf *out)
{
    const struct sf_compact c = { .history = h,
                                  .keep = keep,
                                  .said = said,
                                  .len = said ? strlen(said) : 0,
                                  .standing = "the goal stands",
                                  .room = room };

    sf_compact_text(&c, out);
}

/* What the model is asked names what matters to the user, and what it need not repeat. */
static void test_ask(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    sf_compact_ask("the parser", "the goal stands", &out);
    assert_says(out.buf, "what matters most: the parser");
    assert_says(out.buf, "the goal stands");
    sf_strbuf_reset(&out);
    sf_compact_ask("", "", &out);
    assert_null(strstr(out.buf, "matters most"));
    assert_null(strstr(out.buf, "What the user said"));
    sf_strbuf_release(&out);
}

static void test_text(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    build(&h, "uacrua");
    sf_message_add_text(&h.messages[0], "<turn_meta>\nsecret sauce</turn_meta>", 36);
    compact(&h, 2, "the model's own words", 0, &out);
    assert_says(out.buf, "the model's own words");
    assert_says(out.buf, "- u0\n");
    assert_says(out.buf, "- Edit src/a.c\n");
    assert_null(strstr(out.buf, "secret sauce"));
    assert_null(strstr(out.buf, "u4")); /* it is kept as it is */
    sf_strbuf_reset(&out);
    compact(&h, 0, NULL, 0, &out);
    assert_says(out.buf, "What you said last\na1\na5\n");
    sf_strbuf_release(&out);
    sf_history_release(&h);
}

/* However much was said, the summary stays small; the newest words are the ones kept. */
static void test_ceiling(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT, words = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_fill(&words, 'x', 3000);
    for (int i = 0; i < 100; i++)
        sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), words.buf, words.len);
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), "the last wish", 13);
    compact(&h, 0, NULL, 0, &out);
    assert_says(out.buf, "the last wish");
    assert_true(out.len < 40000);
    sf_strbuf_reset(&out);
    compact(&h, 0, words.buf, 3000, &out);
    assert_says(out.buf, "the last wish");
    assert_says(out.buf, "the goal stands");
    assert_true(out.len < 3500);
    sf_strbuf_release(&out);
    sf_strbuf_release(&words);
    sf_history_release(&h);
}

/* Compacts to the summary alone, then `said` and `more` come, and so on, round after round. */
static void go_on(struct sf_history *h, const char *said, const char *more)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    compact(h, 0, said, 0, &out);
    sf_history_release(h);
    *h = (struct sf_history)SF_HISTORY_INIT;
    sf_message_add_text(sf_history_add(h, SF_ROLE_USER), out.buf, out.len);
    sf_message_add_text(sf_history_add(h, SF_ROLE_ASSISTANT), "noted", 5);
    sf_message_add_text(sf_history_add(h, SF_ROLE_USER), more, strlen(more));
    sf_strbuf_release(&out);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* An earlier summary is all there is of what came before it: nothing of it is lost. */
static void test_again(void **state)
{
    static const char first[] = "keep FACT-42 in mind\n\n## Files, last used first\n- no file";
    static const char mimic[] = "## What the user said\n- never said\n"
                                "\n## What the user said\n- nor this";
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    const char *words;

    (void)state;
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), first, strlen(first));
    go_on(&h, "the first summary", "second wish");
    go_on(&h, mimic, "third wish");
    go_on(&h, NULL, "fourth wish"); /* by rule */
    compact(&h, 0, NULL, 0, &out);
    assert_says(out.buf, "- keep FACT-42 in mind\n  \n  ## Files, last used first\n  - no file\n"
                         "- second wish\n- third wish\n- fourth wish\n");
    assert_says(out.buf, "never said"); /* in the summary, where the model put it */
    assert_int_equal(count(out.buf, "FACT-42"), 1);
    words = strstr(out.buf, "\n## What the user said\n");
    assert_non_null(words);
    assert_null(strstr(words, "never said"));
    assert_null(strstr(words, "nor this"));
    sf_strbuf_release(&out);
    sf_history_release(&h);
}

/* What is being worked on is not cut as the older words are. */
static void test_last_words(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT, wish = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++)
        sf_strbuf_addf(&wish, "rule %d holds\n", i);
    sf_strbuf_adds(&wish, "LAST RULE");
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), wish.buf, wish.len);
    sf_message_add_text(sf_history_add(&h, SF_ROLE_ASSISTANT), "noted", 5);
    compact(&h, 0, "said", 0, &out);
    assert_says(out.buf, "LAST RULE");
    sf_strbuf_reset(&out);
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), "something else", 14);
    sf_message_add_text(sf_history_add(&h, SF_ROLE_ASSISTANT), "done", 4);
    compact(&h, 0, "said", 0, &out);
    assert_null(strstr(out.buf, "LAST RULE"));
    assert_says(out.buf, "more bytes, which are in sf's log)");
    sf_strbuf_release(&wish);
    sf_strbuf_release(&out);
    sf_history_release(&h);
}

/* Where there is no room for all, the newest stay. */
static void test_again_in_little_room(void **state)
{
    struct sf_history h = SF_HISTORY_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    char wish[64];

    (void)state;
    sf_message_add_text(sf_history_add(&h, SF_ROLE_USER), "wish 0", 6);
    for (int i = 1; i < 60; i++) {
        snprintf(wish, sizeof(wish), "wish %d, which has some length to it", i);
        go_on(&h, "said", wish);
    }
    compact(&h, 0, "said", 3000, &out);
    assert_says(out.buf, "- wish 59,");
    assert_says(out.buf, "- wish 50,");
    assert_null(strstr(out.buf, "- wish 0\n"));
    assert_true(out.len < 3500);
    sf_strbuf_release(&out);
    sf_history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_ask),
        cmocka_unit_test(test_ceiling),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_last_words),
        cmocka_unit_test(test_again_in_little_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
