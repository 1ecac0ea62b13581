/*
 * The toolbox: every call comes back once and from the loop, whatever becomes of it; and results
 * are safe and bounded whatever is put into them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/store_case.h"
#include "support/test.h"
#include "support/toolcase.h"
#include "tools/box.h"

enum { MANY = 200 };

struct parallel {
    struct toolcase *t;
    struct sf_tool_call *calls[MANY];
    int done[MANY];
    int total;
};

static void on_done(void *ctx, struct sf_tool_call *call)
{
    struct parallel *c = ctx;

    for (int i = 0; i < MANY; i++)
        if (c->calls[i] == call)
            c->done[i]++;
    c->total++;
}

static struct sf_tool_call *read_call(struct toolcase *t, const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_tool_call *call;

    sf_strbuf_addf(&sb, "{\"file_path\":\"%s\"}", path);
    call = sf_tool_call_new(sf_tool_find("Read"), "id", sb.buf, sb.len, &err);
    sf_strbuf_release(&sb);
    assert_non_null(call);
    assert_true(sf_place_resolve(&t->root, path, strlen(path), call->targets[0].want,
                                 &call->targets[0].place, &err));
    return call;
}

static void start_crowd(struct parallel *c, struct toolcase *t)
{
    *c = (struct parallel){ .t = t };
    tool_puts(t, "f", "text\n");
    for (int i = 0; i < MANY; i++)
        c->calls[i] = read_call(t, "f");
    for (int i = 0; i < MANY; i++)
        sf_toolbox_start(t->box, c->calls[i], on_done, NULL, c);
}

static void check_crowd(struct parallel *c)
{
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(c->done[i], 1);
        assert_true(c->calls[i]->result.text.len > 0);
        sf_tool_call_free(c->calls[i]);
    }
    assert_int_equal(c->total, MANY);
}

static void test_many_at_once(void **state)
{
    struct toolcase *t = *state;
    struct parallel c;

    start_crowd(&c, t);
    assert_int_equal(c.total, 0);
    assert_int_equal(t->box->running, MANY);
    sf_loop_run(t->loop);
    assert_int_equal(t->box->running, 0);
    check_crowd(&c);
}

static void test_cancelled_ones_come_back_too(void **state)
{
    struct toolcase *t = *state;
    struct parallel c;

    start_crowd(&c, t);
    for (int i = 0; i < MANY; i++) {
        sf_toolbox_cancel(t->box, c.calls[i]);
        sf_toolbox_cancel(t->box, c.calls[i]); /* twice is welcome */
    }
    sf_loop_run(t->loop);
    for (int i = 0; i < MANY; i++) {
        const char *text = c.calls[i]->result.text.buf;

        assert_true(c.calls[i]->result.is_error ? !strcmp(text, "cancelled before it began")
                                                : strstr(text, "text") || strstr(text, "above"));
        sf_toolbox_cancel(t->box, c.calls[i]); /* too late is welcome */
    }
    check_crowd(&c);
}

static void test_the_sessions_own_are_refused(void **state)
{
    tool_fails(*state, "Remember", "{'note':'x'}", "Remember cannot be done here");
    tool_fails(*state, "Plan", "{'items':[{'content':'x','status':'done'}]}",
               "it is one of: pending, in_progress, completed");
}

static void test_results_are_bounded(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_tool_call *call = sf_tool_call_new(sf_tool_find("LS"), "1", "{}", 2, &err);
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 100000; i++)
        sf_strbuf_adds(&sb, "\xe2\x82\xac");
    sf_tool_call_add_text(call, sb.buf, sb.len);
    sf_tool_call_add_text(call, sb.buf, sb.len);
    sf_tool_call_addf(call, "more");
    sf_strbuf_release(&sb);
    assert_true(call->result.text.len <= SF_TOOL_CALL_TEXT_MAX);
    assert_true(sf_utf8_valid(call->result.text.buf, call->result.text.len, NULL));
    assert_non_null(strstr(call->result.text.buf, "\n[cut here: a result holds no more]\n"));
    assert_null(strstr(call->result.text.buf, "more\n]"));
    sf_tool_call_failf(call, "it %s", "failed"); /* an error takes the place of all that */
    assert_string_equal(call->result.text.buf, "it failed");
    sf_tool_call_free(call);
}

static void test_results_are_safe(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_tool_call *call = sf_tool_call_new(sf_tool_find("LS"), "1", "{}", 2, &err);

    (void)state;
    sf_tool_call_add_text(call, "a\x1b[2J\x9b\r\nb\rc\0d\xff", 14);
    assert_string_equal(call->result.text.buf, "a\xe2\x90\x9b[2J\xef\xbf\xbd\nb\xe2\x90\x8d"
                                               "c\xe2\x90\x80"
                                               "d\xef\xbf\xbd");
    sf_tool_call_summary(call, "two\nlines \x1b[0m");
    assert_string_equal(call->result.summary, "two lines \xe2\x90\x9b[0m");
    sf_tool_call_free(call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TOOLS(test_many_at_once),
        WITH_TOOLS(test_cancelled_ones_come_back_too),
        WITH_TOOLS(test_the_sessions_own_are_refused),
        WITH_TOOLS(test_results_are_bounded),
        WITH_TOOLS(test_results_are_safe),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
