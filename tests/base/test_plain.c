/*
 * Terminal output as plain text: what is left of sequences, overwritten lines and damage, and
 * that neither the chunking nor the length of a line changes it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name, *in, *want;
} cases[] = {
    { "plain text", "one\ntwo\n", "one\ntwo\n" },
    { "no newline at the end", "one", "one" },
    { "nothing", "", "" },
    { "tabs stay", "a\tb\n", "a\tb\n" },
    { "umlauts and wide characters", "ä漢🙂\n", "ä漢🙂\n" },
    { "joined emoji stay whole", "👩‍💻 ❤️\n", "👩‍💻 ❤️\n" },
    { "colours", "\033[1;31mred\033[0m \033[38;5;12mblue\033[m\n", "red blue\n" },
    { "colours with colons", "\033[38:2::1:2:3mx\033[0m\n", "x\n" },
    { "private modes", "\033[?25lx\033[?1049h\n", "x\n" },
    { "odd parameters are no movement", "abc\033[?2K\033[>2Kd\n", "abcd\n" },
    { "intermediates", "\033[4 qx\033[!p\n", "x\n" },
    { "character sets", "\033(Bx\033)0\n", "x\n" },
    { "short escapes", "\0337x\0338\033=\033c\033M\n", "x\n" },
    { "title, ended by a bell", "\033]0;title\ax\n", "x\n" },
    { "title, ended by ST", "\033]0;title\033\\x\n", "x\n" },
    { "title, ended by C1 ST", "\033]0;title\302\234x\n", "x\n" },
    { "link", "\033]8;;http://a/\033\\text\033]8;;\033\\\n", "text\n" },
    { "device control", "\033P1$r0m\033\\x\n", "x\n" },
    { "application, privacy, string", "\033_Gx\033\\a\033^p\033\\b\033Xs\033\\c\n", "abc\n" },
    { "C1 control sequence", "\302\2331mx\302\2330m\n", "x\n" },
    { "C1 string", "\302\2350;t\ax\302\220q\302\234y\n", "xy\n" },
    { "other C1 controls go", "a\302\205b\302\204c\n", "abc\n" },
    { "raw C1 bytes are damage", "a\233b\n", "a�b\n" },
    { "cancelled sequence", "\033[3\030mx\033]0;t\032y\n", "mxy\n" },
    { "a sequence restarted", "\033[3\033[1mx\n", "x\n" },
    { "a sequence cut by the end", "x\033[31", "x" },
    { "an escape cut by the end", "x\033", "x" },
    { "an open string hides one line at most", "a\033]0;b\nc\n", "a\nc\n" },
    { "an open sequence too", "a\033[3\nmc\n", "a\nmc\n" },
    { "a sequence with a character that cannot be", "\033[3äx\033ßy\n", "äxßy\n" },
    { "controls within a sequence act", "abc\033[\r1Cx\n", "axc\n" },
    { "progress bar", "10%\r50%\r100%\n", "100%\n" },
    { "a shorter state leaves the rest", "hello\rj\n", "jello\n" },
    { "erased to the end", "hello\rj\033[K\n", "j\n" },
    { "erased whole", "hello\033[2K\rj\n", "j\n" },
    { "erased before the cursor is not followed", "hello\033[1Kj\n", "helloj\n" },
    { "DOS line ends", "a\r\nb\r\n", "a\nb\n" },
    { "several returns", "a\r\r\r\nb\n", "a\nb\n" },
    { "backspaces", "abc\b\bX\n", "aXc\n" },
    { "backspaces beyond the start", "a\b\b\b\bX\n", "X\n" },
    { "bold and underlined as in manuals", "N\bNA\bAM\bM _\bx\n", "NAM x\n" },
    { "cursor left and right", "abcd\033[2DX\033[5C!\n", "abXd!\n" },
    { "cursor right behind the end", "a\033[40Cb\n", "a b\n" },
    { "cursor to a column", "abcd\033[2GX\033[99GY\033[GZ\n", "ZXcdY\n" },
    { "huge numbers", "ab\033[99999999999999999999DX\n", "Xb\n" },
    { "bells and shifts go", "a\a\016b\017\n", "ab\n" },
    { "other controls are pictured", "a\001\v\f\177b\n", "a␁␋␌␡b\n" },
    { "damage", "a\377\376b\303(\n", "a��b�(\n" },
    { "a character cut by the end", "a\342\202", "a�" },
    { "overlong and surrogate", "\300\257\355\240\200\n", "�����\n" },
    { "direction marks", "a\342\200\256b\342\201\246c\n", "a�b�c\n" },
    { "tags nobody sees", "a\363\240\201\201b\n", "a�b\n" },
    { "line separators", "a\342\200\250b\n", "a�b\n" },
};

static void plain(const char *in, size_t len, size_t chunk, struct sf_strbuf *out)
{
    struct sf_plain p = SF_PLAIN_INIT;

    for (size_t at = 0; at < len; at += chunk)
        sf_plain_add(&p, in + at, len - at < chunk ? len - at : chunk, out);
    sf_plain_end(&p, out);
    sf_plain_release(&p);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        size_t len = strlen(cases[i].in);

        for (size_t chunk = 1; chunk <= len + 1; chunk++) {
            struct sf_strbuf out = SF_STRBUF_INIT;

            plain(cases[i].in, len, chunk, &out);
            if (strcmp(out.buf, cases[i].want) != 0)
                fail_msg("%s, by %zu: got \"%s\"", cases[i].name, chunk, out.buf);
            sf_strbuf_release(&out);
        }
    }
}

static void test_nul_is_pictured(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    plain("a\0b\0", 4, 4, &out);
    assert_string_equal(out.buf, "a␀b␀");
    sf_strbuf_release(&out);
}

static void test_unfinished_line_can_be_seen(void **state)
{
    struct sf_plain p = SF_PLAIN_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT, line = SF_STRBUF_INIT;

    (void)state;
    sf_plain_add(&p, "done\n10%\r20\342\202", 13, &out);
    sf_plain_line(&p, &line);
    assert_string_equal(out.buf, "done\n");
    assert_string_equal(line.buf, "20%");
    sf_plain_add(&p, "\254\n", 2, &out);
    assert_string_equal(out.buf, "done\n20€\n");
    sf_strbuf_release(&line);
    sf_strbuf_release(&out);
    sf_plain_release(&p);
}

static void test_long_lines_lose_nothing(void **state)
{
    enum { LEN = 3 * SF_PLAIN_LINE + 17 };
    struct sf_strbuf in = SF_STRBUF_INIT, fast = SF_STRBUF_INIT, slow = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < LEN; i++)
        sf_strbuf_addch(&in, (char)('a' + i % 26));
    sf_strbuf_adds(&in, "\r\n");
    plain(in.buf, in.len, in.len, &fast);
    plain(in.buf, in.len, 1, &slow);
    assert_int_equal(fast.len, LEN + 1);
    assert_memory_equal(fast.buf, in.buf, LEN);
    assert_string_equal(slow.buf, fast.buf);
    sf_strbuf_release(&slow);
    sf_strbuf_release(&fast);
    sf_strbuf_release(&in);
}

/* What has gone out already stays, and the next state stands on a line of its own. */
static void test_long_line_overwritten(void **state)
{
    struct sf_strbuf in = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_fill(&in, 'x', SF_PLAIN_LINE + 10);
    sf_strbuf_adds(&in, "\rnew\n");
    plain(in.buf, in.len, 100, &out);
    assert_int_equal(out.len, SF_PLAIN_LINE + 10 + 5);
    assert_string_equal(out.buf + SF_PLAIN_LINE + 10, "\nnew\n");
    sf_strbuf_release(&out);
    sf_strbuf_release(&in);
}

static void test_endless_string_is_given_up(void **state)
{
    struct sf_strbuf in = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&in, "\033]0;");
    sf_strbuf_fill(&in, 'x', SF_PLAIN_SKIP + 100);
    plain(in.buf, in.len, 100, &out);
    assert_in_range(out.len, 90, 110);
    sf_strbuf_release(&out);
    sf_strbuf_release(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_nul_is_pictured),
        cmocka_unit_test(test_unfinished_line_can_be_seen),
        cmocka_unit_test(test_long_lines_lose_nothing),
        cmocka_unit_test(test_long_line_overwritten),
        cmocka_unit_test(test_endless_string_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
