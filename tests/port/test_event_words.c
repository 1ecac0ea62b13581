/*
 * What a question offers: an approval that lasts only where all of the call can be shown, whatever
 * a surface answers. And sums in words, which are the same on every surface.
 */
#include <string.h>

#include "support/port_case.h"
#include "support/test.h"

#define WRITE(path, content)                                                              \
    "reply\n    call Write {\"file_path\": \"" path "\", \"content\": \"" content "\"}\n" \
    "reply\n    text \"Done.\"\n"

static const struct {
    const char *name, *scenario; /* the same call twice */
    bool keeps;
    int asked; /* how often, with the answer "for the session" */
    const char *row;
} cases[] = {
    { "a change that is shown", WRITE("a.txt", "x\\n") WRITE("a.txt", "y\\n"), true, 1,
      "allow for the session\n" },
    { "many lines can be scrolled to", WRITE("b.txt", "${fill:900k}") WRITE("b.txt", "y\\n"), true,
      1, "allow for the session\n" },
    { "more than a card holds", WRITE("c.txt", "${fill:1200k}") WRITE("c.txt", "y\\n"), false, 2,
      "allow once\n" },
};

static bool add_answer(const struct sf_query_row *row, void *ctx)
{
    sf_strbuf_addf(ctx, "%s\n", row->values[0].bytes);
    return true;
}

static void expect_row(struct port_case *c, const char *want)
{
    struct sf_strbuf got = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = {
        .sql = "select answer from decisions where answer is not null order by id desc limit 1",
        .row = add_answer,
        .ctx = &got
    };

    assert_true(sf_store_query(c->parts->state_dir, &query, &err));
    assert_string_equal(got.buf, want);
    sf_strbuf_release(&got);
}

static void test_cases(void **state)
{
    struct port_case *c = *state;

    c->parts->attended = true;
    c->parts->reply = SF_REPLY_SESSION;
    session_case_window(c->parts, 4000000, 8000);
    sf_strlist_add(&c->parts->tools, "Write");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        int asked;

        session_case_serve(c->parts, SF_WIRE_ANTHROPIC, cases[i].scenario);
        port_case_open(c, NULL);
        port_case_line(c, "/control manual");
        port_case_line(c, "go");
        asked = c->events[SF_EVENT_ASK];
        if (!asked || c->keeps != cases[i].keeps)
            fail_msg("%s: asked %d times, %s", cases[i].name, asked,
                     c->keeps ? "to be kept" : "to be allowed once");
        expect_row(c, cases[i].row);
        port_case_line(c, "go");
        asked += c->events[SF_EVENT_ASK];
        if (asked != cases[i].asked)
            fail_msg("%s: asked %d times", cases[i].name, asked);
    }
}

/* Files that changed, and of the window as much as is known. */
static void test_sums(void **state)
{
    static const struct {
        struct sf_overview overview;
        const char *words;
    } changes[] = {
        { { .changed = 0 }, "" },
        { { .changed = 1, .plus = 2, .minus = 1 }, "1 file, +2 −1" },
        { { .changed = 2, .plus = 5 }, "2 files, +5" },
        { { .changed = 2, .minus = 5, .about = true }, "2 files, about −5" },
        { { .changed = 3, .about = true }, "3 files" },
    };
    static const struct {
        int64_t used, window;
        const char *words;
    } fills[] = { { 0, 100, "0%" }, { 37, 100, "37%" }, { -1, 100, "" }, { 37, 0, "" } };
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(changes); i++) {
        sf_strbuf_reset(&out);
        sf_changed_add(&out, &changes[i].overview);
        assert_string_equal(out.buf, changes[i].words);
    }
    for (size_t i = 0; i < SF_COUNT(fills); i++) {
        sf_strbuf_reset(&out);
        sf_context_percent_add(&out, fills[i].used, fills[i].window);
        assert_string_equal(out.buf, fills[i].words);
    }
    sf_strbuf_reset(&out);
    sf_limit_add(&out, 5000000);
    assert_string_equal(out.buf, "$5.00");
    sf_strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, port_case_setup, port_case_teardown),
        cmocka_unit_test(test_sums),
    };

    return cmocka_run_group_tests_name("event_words", tests, NULL, NULL);
}
