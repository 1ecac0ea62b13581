/*
 * The decoder of keys: what terminals send, by the encodings they use, is told as the same events
 * whether it comes whole, byte by byte or in threes; what nobody knows is dropped whole; nothing
 * makes it deaf.
 */
#include "base/base.h"
#include "support/key_log.h"
#include "support/test.h"
#include "term/decoder_cases.h"
#include "term/term.h"

struct fixture {
    struct sf_term_decoder *decoder;
    struct key_log log;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->log = (struct key_log)KEY_LOG_INIT;
    f->decoder = sf_term_decoder_new(key_log_hear, &f->log);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_term_decoder_free(f->decoder);
    sf_strbuf_release(&f->log.text);
    free(f);
    return 0;
}

static void start_anew(struct fixture *f)
{
    sf_term_decoder_free(f->decoder);
    f->decoder = sf_term_decoder_new(key_log_hear, &f->log);
}

static void feed_in(struct fixture *f, const char *bytes, size_t len, size_t step)
{
    for (size_t at = 0; at < len; at += step)
        sf_term_decoder_feed(f->decoder, bytes + at, len - at < step ? len - at : step);
}

static void feed(struct fixture *f, const char *text)
{
    sf_term_decoder_feed(f->decoder, text, strlen(text));
}

/* As an owner with a timer does; false when it never stops waiting. */
static bool wait_out(struct fixture *f)
{
    for (int i = 0; i < 100 && sf_term_decoder_waits(f->decoder); i++)
        sf_term_decoder_timeout(f->decoder);
    return !sf_term_decoder_waits(f->decoder);
}

static void test_encodings(void **state)
{
    static const size_t steps[] = { 1000, 1, 3 };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(decoder_cases); i++)
        for (size_t s = 0; s < SF_COUNT(steps); s++) {
            start_anew(f);
            key_log_reset(&f->log);
            feed_in(f, decoder_cases[i].bytes, strlen(decoder_cases[i].bytes), steps[s]);
            for (int t = 0; t < decoder_cases[i].timeouts; t++)
                sf_term_decoder_timeout(f->decoder);
            if (strcmp(f->log.text.buf, decoder_cases[i].want) != 0)
                fail_msg("%s, by %zu: got \"%s\", want \"%s\"", decoder_cases[i].name, steps[s],
                         f->log.text.buf, decoder_cases[i].want);
            if (sf_term_decoder_waits(f->decoder))
                fail_msg("%s, by %zu: still waits", decoder_cases[i].name, steps[s]);
        }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Sequences in a row mean what they mean alone, however they are cut. */
static void test_random_rows_in_random_chunks(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf row = SF_STRBUF_INIT, want = SF_STRBUF_INIT;
    bool same = true;
    uint32_t seed = 7;

    for (int round = 0; same && round < 2000; round++) {
        sf_strbuf_reset(&row);
        sf_strbuf_reset(&want);
        key_log_reset(&f->log);
        for (int n = 0; n < 12; n++) {
            size_t i = next_random(&seed) % SF_COUNT(decoder_cases);

            if (decoder_cases[i].timeouts)
                continue;
            start_anew(f);
            feed(f, decoder_cases[i].bytes);
            sf_strbuf_adds(&row, decoder_cases[i].bytes);
        }
        sf_strbuf_add(&want, f->log.text.buf, f->log.text.len);
        key_log_reset(&f->log);
        start_anew(f);
        for (size_t at = 0; at < row.len;) {
            size_t n = 1 + next_random(&seed) % 9;

            n = n < row.len - at ? n : row.len - at;
            sf_term_decoder_feed(f->decoder, row.buf + at, n);
            at += n;
        }
        same = !strcmp(want.buf, f->log.text.buf);
        if (!same)
            print_error("want %s\ngot  %s\n", want.buf, f->log.text.buf);
    }
    sf_strbuf_release(&row);
    sf_strbuf_release(&want);
    assert_true(same);
}

static void test_nul_is_ctrl_space(void **state)
{
    struct fixture *f = *state;

    sf_term_decoder_feed(f->decoder, "\0\033\0", 3);
    assert_string_equal(f->log.text.buf, "<Ctrl+Space> <Ctrl+Alt+Space>");
}

static void test_text_of_one_feed_is_one_event(void **state)
{
    struct fixture *f = *state;

    feed(f, "a sentence that was dictated \xe4\xbd\xa0\xe5\xa5\xbd");
    assert_int_equal(f->log.events, 1);
    feed(f, "b\033[27;2;66~");
    assert_int_equal(f->log.events, 2);
}

static void test_when_it_waits(void **state)
{
    static const struct {
        const char *bytes;
        bool waits;
    } steps[] = {
        { "a", false },     { "\033", true },     { "[", true },     { "1;5", true },
        { "C", false },     { "\xe4\xbd", true }, { "\xa0", false }, { "\033]1", true },
        { "1;x\a", false }, { "\033[200", true }, { "~", false },    { "text\033", false },
        { "[201", false },  { "~", false },       { "\033O", true }, { "P", false },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        feed(f, steps[i].bytes);
        if (sf_term_decoder_waits(f->decoder) != steps[i].waits)
            fail_msg("step %zu: %s", i, steps[i].waits ? "does not wait" : "waits");
    }
    assert_string_equal(f->log.text.buf, "text:a <Ctrl+Right> text:\xe4\xbd\xa0 paste:text <F1>");
}

static void test_a_slow_line_cuts_no_sequence(void **state)
{
    static const char *const pieces[] = { "\033[1;", "5C",       "\033]11;rgb:00/",
                                          "00/00\a", "\033P>|x", "term\033\\" };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(pieces); i++) {
        feed(f, pieces[i]);
        if (sf_term_decoder_waits(f->decoder))
            sf_term_decoder_timeout(f->decoder);
    }
    assert_string_equal(f->log.text.buf, "<Ctrl+Right> colour:11=000000 version:xterm");
}

static void test_what_never_ends_is_given_up(void **state)
{
    static const char *const beginnings[] = { "\033]0;title", "\033Pq",   "\033_x",  "\033[1;",
                                              "\033[<0;1",    "\033[M ",  "\033[[",  "\033O5",
                                              "\033",         "\xf0\x9f", "\033\xc3" };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(beginnings); i++) {
        feed(f, beginnings[i]);
        if (!wait_out(f))
            fail_msg("%zu waits for ever", i);
        key_log_reset(&f->log);
        feed(f, "a");
        if (strcmp(f->log.text.buf, "text:a") != 0)
            fail_msg("behind %zu: \"%s\"", i, f->log.text.buf);
    }
}

static void test_a_flood_is_swallowed_up_to_a_ceiling(void **state)
{
    struct fixture *f = *state;
    char block[1024];

    memset(block, '7', sizeof(block));
    feed(f, "\033]52;c;");
    for (int i = 0; i < 60; i++)
        sf_term_decoder_feed(f->decoder, block, sizeof(block));
    feed(f, "\aok");
    assert_string_equal(f->log.text.buf, "text:ok");

    feed(f, "\033[");
    for (int i = 0; i < 60; i++)
        sf_term_decoder_feed(f->decoder, block, sizeof(block));
    feed(f, "A!");
    assert_string_equal(f->log.text.buf, "text:ok!");

    feed(f, "\033_");
    for (int i = 0; i < 100; i++)
        sf_term_decoder_feed(f->decoder, block, sizeof(block));
    key_log_reset(&f->log);
    feed(f, "heard");
    assert_string_equal(f->log.text.buf, "text:heard");
}

/* ---- pastes ---- */

static void fill_lines(struct sf_strbuf *text, size_t bytes)
{
    while (text->len < bytes)
        sf_strbuf_addf(text, "line %zu \xc3\xa4\xe4\xbd\xa0\n", text->len);
}

static void check_big_paste(struct fixture *f, const struct sf_strbuf *text, size_t step)
{
    key_log_reset(&f->log);
    feed(f, "\033[200~");
    feed_in(f, text->buf, text->len, step);
    feed(f, "\033[201~");
    assert_int_equal(f->log.events, 1);
    assert_int_equal(f->log.text.len, strlen("paste:") + text->len);
    assert_memory_equal(f->log.text.buf + strlen("paste:"), text->buf, text->len);
}

static void test_a_megabyte_is_one_paste(void **state)
{
    static const size_t steps[] = { 1, 4096, 10000000 };
    struct sf_strbuf text = SF_STRBUF_INIT;

    fill_lines(&text, (size_t)1 << 20);
    for (size_t i = 0; i < SF_COUNT(steps); i++)
        check_big_paste(*state, &text, steps[i]);
    sf_strbuf_release(&text);
}

static void test_a_paste_has_a_ceiling(void **state)
{
    struct fixture *f = *state;
    const size_t border = SF_PASTE_MAX - 1;
    char *block = sf_alloc(border);

    memset(block, 'x', border);
    feed(f, "\033[200~");
    sf_term_decoder_feed(f->decoder, block, border);
    feed(f, "\xc3\xa4z");
    sf_term_decoder_feed(f->decoder, block, border);
    feed(f, "\033[201~after");
    free(block);
    assert_int_equal(f->log.events, 2);
    assert_int_equal(f->log.text.len, strlen("cut:") + border + strlen(" text:after"));
    assert_memory_equal(f->log.text.buf, "cut:x", 5);
}

static const struct {
    const char *name, *bytes, *now, *later; /* told at once, and behind the timeout */
} bursts[] = {
    { "two lines", "the first line\rthe second", "", "paste:the first line\nthe second" },
    { "a break at the end is Enter", "one long line of text\r", "text:one long line of text",
      "text:one long line of text <Enter>" },
    { "so are two", "one long line of text\r\r", "text:one long line of text",
      "text:one long line of text <Enter> <Enter>" },
    { "Ctrl+J stays what it is", "one long line of text\n", "text:one long line of text",
      "text:one long line of text <Ctrl+J>" },
    { "a short line is sent at once", "fix the bug\r", "text:fix the bug <Enter>",
      "text:fix the bug <Enter>" },
    { "Enter held down", "\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r",
      "<Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> "
      "<Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter>",
      "<Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter> "
      "<Enter> <Enter> <Enter> <Enter> <Enter> <Enter> <Enter>" },
    { "a long line and a key behind it", "one long line of text\r\033[A",
      "text:one long line of text <Enter> <Up>", "text:one long line of text <Enter> <Up>" },
    { "wide letters count by their bytes",
      "\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\r"
      "\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0",
      "", "paste:\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\n\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0" },
    { "tabs belong to it", "\tindented code here\r\tmore of it", "",
      "paste:\tindented code here\n\tmore of it" },
    { "short text is typed", "a\rb", "text:a <Enter> text:b", "text:a <Enter> text:b" },
    { "keys are no text", "\033[A\033[A\033[A\033[A\033[A\r\033[B",
      "<Up> <Up> <Up> <Up> <Up> <Enter> <Down>", "<Up> <Up> <Up> <Up> <Up> <Enter> <Down>" },
    { "answers are no text", "\033P>|terminal(1.2.3)\033\\\ry",
      "version:terminal(1.2.3) <Enter> text:y", "version:terminal(1.2.3) <Enter> text:y" },
    { "escapes in it do nothing", "the first line\r\nthe second\033\r\033[A\003", "",
      "paste:the first line\nthe second\n[A" },
};

static void test_bursts(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(bursts); i++) {
        start_anew(f);
        key_log_reset(&f->log);
        sf_term_decoder_burst(f->decoder, 16);
        feed(f, bursts[i].bytes);
        if (strcmp(f->log.text.buf, bursts[i].now) != 0)
            fail_msg("%s: at once \"%s\"", bursts[i].name, f->log.text.buf);
        if (!wait_out(f) || strcmp(f->log.text.buf, bursts[i].later) != 0)
            fail_msg("%s: later \"%s\"", bursts[i].name, f->log.text.buf);
    }
}

static void test_a_burst_in_pieces_is_one_paste(void **state)
{
    struct fixture *f = *state;

    sf_term_decoder_burst(f->decoder, 16);
    feed(f, "the first line\rthe second\xe4");
    feed(f, "\xbd\xa0\r");
    feed(f, "end\r");
    assert_true(sf_term_decoder_waits(f->decoder));
    sf_term_decoder_timeout(f->decoder);
    feed(f, "\r");
    assert_string_equal(f->log.text.buf,
                        "paste:the first line\nthe second\xe4\xbd\xa0\nend\n <Enter>");
}

/* A read that ends with a line of the paste sends nothing, if the next one comes in time. */
static void test_a_break_between_two_reads(void **state)
{
    static const struct {
        const char *name, *first, *second, *told;
        bool in_time;
    } cases[] = {
        { "the paste goes on", "one long line of text\r", "and another",
          "text:one long line of text paste:\nand another", true },
        { "with an empty line", "one long line of text\r", "\rx",
          "text:one long line of text paste:\n\nx", true },
        { "a break of two bytes is one", "one long line of text\r", "\nx",
          "text:one long line of text paste:\nx", true },
        { "another key", "one long line of text\r", "\033[A",
          "text:one long line of text <Enter> <Up>", true },
        { "somebody types on", "one long line of text\r", "and another",
          "text:one long line of text <Enter> text:and another", false },
        { "a short line in time", "fix the bug\r", "y", "text:fix the bug <Enter> text:y", true },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        start_anew(f);
        key_log_reset(&f->log);
        sf_term_decoder_burst(f->decoder, 16);
        feed(f, cases[i].first);
        if (!cases[i].in_time)
            sf_term_decoder_timeout(f->decoder);
        feed(f, cases[i].second);
        wait_out(f);
        if (strcmp(f->log.text.buf, cases[i].told) != 0)
            fail_msg("%s: \"%s\"", cases[i].name, f->log.text.buf);
        assert_false(sf_term_decoder_bursts(f->decoder));
    }
}

static void test_without_bursts_every_break_is_a_key(void **state)
{
    struct fixture *f = *state;

    feed(f, "the first line\rthe second line");
    assert_string_equal(f->log.text.buf, "text:the first line <Enter> text:the second line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_encodings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_rows_in_random_chunks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nul_is_ctrl_space, setup, teardown),
        cmocka_unit_test_setup_teardown(test_text_of_one_feed_is_one_event, setup, teardown),
        cmocka_unit_test_setup_teardown(test_when_it_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_slow_line_cuts_no_sequence, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_never_ends_is_given_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_flood_is_swallowed_up_to_a_ceiling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_megabyte_is_one_paste, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_paste_has_a_ceiling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bursts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_burst_in_pieces_is_one_paste, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_break_between_two_reads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_bursts_every_break_is_a_key, setup, teardown),
    };

    return cmocka_run_group_tests_name("decoder", tests, NULL, NULL);
}
