/*
 * Server-sent events: every way to end a line, every way to cut the stream, and ceilings that
 * hold against lines without an end.
 */
#include "base/base.h"
#include "support/test.h"
#include "wire/sse.h"

enum { MAX = 64 };

static bool record(void *ctx, const char *name, const char *data, size_t len)
{
    struct sf_strbuf *log = ctx;

    assert_int_equal(strlen(data), len);
    sf_strbuf_addf(log, "<%s|%s>", name, data);
    return strcmp(data, "stop") != 0;
}

static const struct {
    const char *name, *stream, *want;
} cases[] = {
    { "one event", "data: a\n\n", "<|a>" },
    { "no space behind the colon", "data:a\n\n", "<|a>" },
    { "only one space is taken", "data:  a\n\n", "<| a>" },
    { "a name", "event: ping\ndata: a\n\n", "<ping|a>" },
    { "the last name counts", "event: a\nevent: b\ndata: c\n\n", "<b|c>" },
    { "a name does not stay", "event: a\ndata: b\n\ndata: c\n\n", "<a|b><|c>" },
    { "lines of data are joined", "data: a\ndata: b\ndata\n\n", "<|a\nb\n>" },
    { "CRLF", "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n", "<x|a><|b>" },
    { "CR", "data: a\r\rdata: b\r\r", "<|a><|b>" },
    { "a mix of line ends", "data: a\r\n\ndata: b\n\r\ndata: c\r\r\n", "<|a><|b><|c>" },
    { "comments", ": hello\n:\ndata: a\n: more\n\n", "<|a>" },
    { "other fields", "id: 7\nretry: 100\nfoo: bar\nlongfieldname: x\ndata: a\n\n", "<|a>" },
    { "a field that begins like ours", "dat: x\ndatas: y\ndata: a\n\n", "<|a>" },
    { "an event without data is none", "event: x\n\n\n\ndata: a\n\n", "<|a>" },
    { "empty data is an event", "data:\n\ndata\n\n", "<|><|>" },
    { "a mark in front",
      "\xef\xbb\xbf"
      "data: a\n\n",
      "<|a>" },
    { "half a mark is part of the line",
      "\xef\xbb"
      "data: a\ndata: b\n\n",
      "<|b>" },
    { "a mark later is no mark",
      "data: a\n\n\xef\xbb\xbf"
      "data: b\n\ndata: c\n\n",
      "<|a><|c>" },
    { "colons in the value", "data: {\"a\":\"b: c\"}\n\n", "<|{\"a\":\"b: c\"}>" },
    { "the end without an empty line", "data: a\n\ndata: b\n", "<|a><|b>" },
    { "the end inside a line", "data: a\n\ndata: b", "<|a><|b>" },
    { "nothing", "", "" },
    { "a receiver that has enough", "data: a\n\ndata: stop\n\ndata: b\n\n", "<|a><|stop>" },
};

static int setup(void **state)
{
    struct sf_strbuf *log = sf_alloc(sizeof(*log));

    sf_strbuf_init(log);
    *state = log;
    return 0;
}

static int teardown(void **state)
{
    sf_strbuf_release(*state);
    free(*state);
    return 0;
}

static void run(struct sf_strbuf *log, const char *stream, size_t first, size_t step)
{
    size_t len = strlen(stream), at = first < len ? first : len;
    struct sf_sse sse;

    sf_strbuf_reset(log);
    sf_sse_init(&sse, 4096, record, log);
    sf_sse_feed(&sse, stream, at);
    for (; at < len; at += step)
        sf_sse_feed(&sse, stream + at, step < len - at ? step : len - at);
    sf_sse_finish(&sse);
    sf_sse_release(&sse);
}

static void test_cases_in_any_cut(void **state)
{
    struct sf_strbuf *log = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        size_t len = strlen(cases[i].stream);

        for (size_t first = 0; first <= len; first++) {
            run(log, cases[i].stream, first, len);
            if (strcmp(log->buf, cases[i].want) != 0)
                fail_msg("%s, cut at %zu: %s", cases[i].name, first, log->buf);
        }
        for (size_t step = 1; step < 4; step++) {
            run(log, cases[i].stream, 0, step);
            if (strcmp(log->buf, cases[i].want) != 0)
                fail_msg("%s, in pieces of %zu: %s", cases[i].name, step, log->buf);
        }
    }
}

static bool feed_all(struct sf_strbuf *log, const char *stream, size_t step)
{
    size_t len = strlen(stream);
    struct sf_sse sse;
    bool ok = true;

    sf_strbuf_reset(log);
    sf_sse_init(&sse, MAX, record, log);
    for (size_t at = 0; at < len; at += step)
        ok = sf_sse_feed(&sse, stream + at, step < len - at ? step : len - at);
    ok = sf_sse_finish(&sse) && ok;
    sf_sse_release(&sse);
    return ok;
}

static void add_line(struct sf_strbuf *sb, const char *begin, size_t filler)
{
    sf_strbuf_adds(sb, begin);
    sf_strbuf_fill(sb, 'x', filler);
    sf_strbuf_addch(sb, '\n');
}

static void test_ceilings(void **state)
{
    static const struct {
        const char *name, *begin;
        size_t filler, lines;
        bool ok;
    } rows[] = {
        { "a line just short enough", "data: ", MAX - 6, 1, true },
        { "a line one too long", "data: ", MAX - 5, 1, false },
        { "a comment too long", ":", MAX, 1, false },
        { "a field without a colon", "", MAX + 1, 1, false },
        { "data just short enough", "data: ", 31, 2, true },
        { "data one too long", "data: ", 32, 2, false },
        { "many empty lines of data", "data:", 0, MAX + 2, false },
        { "a long name is cut, not refused", "event: ", MAX - 7, 40, true },
        { "many comments", ": ", 20, 1000, true },
    };
    struct sf_strbuf *log = *state, stream = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        sf_strbuf_reset(&stream);
        for (size_t n = 0; n < rows[i].lines; n++)
            add_line(&stream, rows[i].begin, rows[i].filler);
        for (size_t step = 1; step <= stream.len; step = step * 3 + 1)
            if (feed_all(log, stream.buf, step) != rows[i].ok)
                fail_msg("%s, in pieces of %zu", rows[i].name, step);
    }
    sf_strbuf_release(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases_in_any_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ceilings, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
