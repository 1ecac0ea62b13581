/*
 * Vim's keys: scripts that begin in insert mode, and what stands there afterwards with the cursor
 * on its character; then which keys are taken, the modes, and a random hand.
 */
#include <string.h>

#include "base/base.h"
#include "support/compose.h"
#include "support/test.h"

static int setup(void **state)
{
    *state = sf_composer_new();
    return 0;
}

static int teardown(void **state)
{
    sf_composer_free(*state);
    return 0;
}

static const struct {
    const char *name, *script, *want;
} cases[] = {
    { "escape goes left", "abc<esc>", "ab|c" },
    { "escape at the start stays", "<esc>", "|" },
    { "escape at a line's start stays", "a\n<esc>", "a\n|" },
    { "i", "abc<esc>iX", "abX|c" },
    { "a", "abc<esc>aX", "abcX|" },
    { "a in the middle", "abc<esc>0aX", "aX|bc" },
    { "I", "  abc<esc>IX", "  X|abc" },
    { "A", "abc<esc>0AX", "abcX|" },
    { "o", "a\nb<esc>ggoX", "a\nX|\nb" },
    { "O", "a\nb<esc>OX", "a\nX|\nb" },
    { "O in the first line", "a<esc>OX", "X|\na" },
    { "o at the end", "a<esc>oX", "a\nX|" },
    { "a count for i", "<esc>3iab<esc>", "ababa|b" },
    { "a count for A", "x<esc>2A!<esc>", "x!|!" },

    { "h", "abc<esc>h", "a|bc" },
    { "h with a count", "abc<esc>2h", "|abc" },
    { "h stays in the line", "a\nb<esc>hh", "a\n|b" },
    { "l", "abc<esc>0l", "a|bc" },
    { "l stays on the last", "abc<esc>lll", "ab|c" },
    { "l over an emoji", "👩‍💻b<esc>0l", "👩‍💻|b" },
    { "h over a chip", "a<chip>b<esc>hh", "|a§b" },
    { "j", "ab\ncd<esc>ggj", "ab\n|cd" },
    { "j keeps the column", "abc\n\nabc<esc>gg$jj", "abc\n\nab|c" },
    { "k", "ab\ncd<esc>k", "a|b\ncd" },
    { "k with a count", "a\nb\nc<esc>2k", "|a\nb\nc" },
    { "j at the last line stays", "ab<esc>j", "a|b" },
    { "w", "one two<esc>0w", "one |two" },
    { "w stops at signs", "a.b<esc>0w", "a|.b" },
    { "W does not", "a.b c<esc>0W", "a.b |c" },
    { "w with a count", "a b c d<esc>03w", "a b c |d" },
    { "w over lines", "a\n  b<esc>ggw", "a\n  |b" },
    { "w stops at an empty line", "a\n\nb<esc>ggw", "a\n|\nb" },
    { "w at the end", "ab<esc>0w", "a|b" },
    { "w over a chip", "a <chip> b<esc>0ww", "a § |b" },
    { "b", "one two<esc>b", "one |two" },
    { "b twice", "one two<esc>bb", "|one two" },
    { "b stops at signs", "a.b<esc>b", "a|.b" },
    { "B does not", "x a.b<esc>B", "x |a.b" },
    { "e", "one two<esc>0e", "on|e two" },
    { "e again", "one two<esc>0ee", "one tw|o" },
    { "E", "a.b c<esc>0E", "a.|b c" },
    { "0", "  ab<esc>0", "|  ab" },
    { "^", "  ab<esc>0^", "  |ab" },
    { "$", "abc<esc>0$", "ab|c" },
    { "gg", "a\nb<esc>gg", "|a\nb" },
    { "G", "a\nb<esc>ggG", "a\n|b" },
    { "G with a line", "a\nb\nc<esc>2G", "a\n|b\nc" },
    { "gg with a line", "a\nb\nc<esc>2gg", "a\n|b\nc" },
    { "g and another key", "ab<esc>gx", "a|b" },
    { "f", "one two<esc>0ft", "one |two" },
    { "f with a count", "a.b.c<esc>02f.", "a.b|.c" },
    { "f without a match", "abc<esc>0fx", "|abc" },
    { "f stays in the line", "a\nx<esc>ggfx", "|a\nx" },
    { "f of a wide character", "a漢b<esc>0f漢", "a|漢b" },
    { "t", "one two<esc>0tw", "one |two" },
    { "F", "one two<esc>Fn", "o|ne two" },
    { "T", "one two<esc>Tn", "on|e two" },
    { "; and ,", "a.b.c.d<esc>0f.;;,", "a.b|.c.d" },
    { "; of t goes on", "a.b.c<esc>0t.;", "a.|b.c" },
    { "; without a find", "abc<esc>;", "ab|c" },

    { "x", "abc<esc>0x", "|bc" },
    { "x at the end", "abc<esc>x", "a|b" },
    { "x with a count", "abcd<esc>02x", "|cd" },
    { "x with more than there is", "abc\nd<esc>gg9x", "|\nd" },
    { "x of nothing", "<esc>x", "|" },
    { "x takes a chip", "a<chip>b<esc>hx", "a|b" },
    { "X", "abc<esc>X", "a|c" },
    { "dw", "one two<esc>0dw", "|two" },
    { "dw of the last word of a line", "a b\nc<esc>ggwdw", "a| \nc" },
    { "dw with a count", "a b c d<esc>02dw", "|c d" },
    { "a count behind d", "a b c d<esc>0d2w", "|c d" },
    { "both counts", "a b c d e<esc>02d2w", "|e" },
    { "db", "one two<esc>db", "one |o" },
    { "de", "one two<esc>0de", "| two" },
    { "d$", "one two<esc>0wd$", "one| " },
    { "D", "one two<esc>0wD", "one| " },
    { "d0", "one two<esc>0wd0", "|two" },
    { "dd", "a\nb\nc<esc>kdd", "a\n|c" },
    { "dd of the last line", "a\nb<esc>dd", "|a" },
    { "dd of all", "a<esc>dd", "|" },
    { "dd with a count", "a\nb\nc<esc>gg2dd", "|c" },
    { "dj", "a\nb\nc<esc>ggdj", "|c" },
    { "dk", "a\nb\nc<esc>dk", "|a" },
    { "dG", "a\nb\nc<esc>ggjdG", "|a" },
    { "dgg", "a\nb\nc<esc>kdgg", "|c" },
    { "dfx", "abxc<esc>0dfx", "|c" },
    { "dtx", "abxc<esc>0dtx", "|xc" },
    { "dFa", "abxc<esc>dFb", "a|c" },
    { "d and an unknown key", "abc<esc>dq", "ab|c" },
    { "d and escape", "abc<esc>d<esc>w", "ab|c" },
    { "cw", "one two<esc>0cwX<esc>", "|X two" },
    { "cw on a word's last letter", "one two<esc>0ecwX<esc>", "on|X two" },
    { "cw on spaces", "a  b<esc>0lcwX<esc>", "a|Xb" },
    { "c2w", "a b c<esc>0c2wX<esc>", "|X c" },
    { "cc", "a\nbcd\ne<esc>ggjccX<esc>", "a\n|X\ne" },
    { "S", "abc<esc>SX<esc>", "|X" },
    { "C", "abcd<esc>0lCX<esc>", "a|X" },
    { "s", "abc<esc>0sX<esc>", "|Xbc" },
    { "s with a count", "abc<esc>02sX<esc>", "|Xc" },
    { "yw and P", "one two<esc>0ywP", "one| one two" },
    { "yy and p", "a\nb<esc>ggyyp", "a\n|a\nb" },
    { "yy and P", "a\nb<esc>yyP", "a\n|b\nb" },
    { "Y with a count", "a\nb\nc<esc>gg2YGp", "a\nb\nc\n|a\nb" },
    { "dd and p", "a\nb<esc>ggddp", "b\n|a" },
    { "xp swaps", "abc<esc>0xp", "b|ac" },
    { "p with a count", "ab<esc>0x3p", "baa|a" },
    { "P", "ab<esc>xP", "|ba" },
    { "p of nothing", "a<esc>p", "|a" },
    { "p puts a chip back", "<chip>a<esc>0xp", "a|§" },
    { "yank in insert mode puts what d took", "one two<esc>0dwA <yank><esc>", "two one| " },
    { "r", "abc<esc>0rX", "|Xbc" },
    { "r with a count", "abc<esc>02rX", "X|Xc" },
    { "r with too large a count", "abc<esc>09rX", "|abc" },
    { "r with a wide character", "abc<esc>0r漢", "|漢bc" },
    { "~", "abC<esc>0~~~", "AB|c" },
    { "~ with a count", "abc<esc>02~", "AB|c" },
    { "J", "a\nb<esc>ggJ", "a| b" },
    { "J drops the indentation", "a\n   b<esc>ggJ", "a| b" },
    { "J with a count", "a\nb\nc<esc>gg3J", "a b| c" },
    { "J at the last line", "ab<esc>J", "a|b" },
    { "J before a bracket", "f(a\n)<esc>ggJ", "f(a|)" },

    { "u", "abc<esc>xu", "ab|c" },
    { "u takes an insertion as one", "one two three<esc>u", "|" },
    { "u takes a change as one", "one two<esc>0cwX Y<esc>u", "|one two" },
    { "u with a count", "abc<esc>xx2u", "ab|c" },
    { "ctrl r", "abc<esc>xu<ctrl-r>", "a|b" },
    { ". of x", "abcd<esc>0x.", "|cd" },
    { ". of dw", "a b c<esc>0dw.", "|c" },
    { ". of cw", "a b c<esc>0cwX<esc>w.", "X |X c" },
    { ". of i", "<esc>iab<esc>.", "aa|bb" },
    { ". of A", "x<esc>A!<esc>.", "x!|!" },
    { ". of o", "a<esc>ob<esc>.", "a\nb\n|b" },
    { ". of dd", "a\nb\nc<esc>ggdd.", "|c" },
    { ". of p", "ab<esc>0xp.", "ba|a" },
    { ". of r", "abc<esc>0rXl.", "X|Xc" },
    { ". of dfx", "axbxc<esc>0dfx.", "|c" },
    { ". with a count", "abcdef<esc>0x3.", "|ef" },
    { ". keeps the count", "abcdef<esc>02x.", "|ef" },
    { ". of diw", "a b<esc>0diww.", "| " },
    { ". of nothing", "ab<esc>.", "a|b" },
    { "backspaces while inserting count for .", "<esc>iab<backspace>c<esc>.", "aa|cc" },
    { "u takes . alone", "abc<esc>0x.u", "|bc" },

    { "diw", "one two six<esc>0wdiw", "one | six" },
    { "daw", "one two six<esc>0wdaw", "one |six" },
    { "daw of the last word", "one two<esc>daw", "on|e" },
    { "diw on spaces", "a   b<esc>0ldiw", "a|b" },
    { "ciw", "one two<esc>0ciwX<esc>", "|X two" },
    { "yiw and P", "ab cd<esc>yiw0P", "c|dab cd" },
    { "diW", "a.b c<esc>0diW", "| c" },
    { "di\"", "a \"bc\" d<esc>0di\"", "a \"|\" d" },
    { "da\"", "a \"bc\" d<esc>0da\"", "a | d" },
    { "ci' from inside", "a 'bc'<esc>hci'X<esc>", "a '|X'" },
    { "di` without a pair", "a `b<esc>di`", "a `|b" },
    { "di(", "f(a, (b))<esc>0fadi(", "f(|)" },
    { "di( of the inner one", "f(a, (b))<esc>0fbdi(", "f(a, (|))" },
    { "da)", "f(a)!<esc>0fada)", "f|!" },
    { "dib on the bracket", "f(a)<esc>0f(dib", "f(|)" },
    { "dib on the closing one", "f(a)<esc>0f)dib", "f(|)" },
    { "di{ over lines", "{\na\n}<esc>kdi{", "{|}" },
    { "di[ outside", "a [b]<esc>0di[", "|a [b]" },
    { "ci< of an empty one", "<esc>i()<esc>ci(X<esc>", "(|X)" },

    { "v and d", "abcd<esc>0lvld", "a|d" },
    { "v and c", "abcd<esc>0lvlcX<esc>", "a|Xd" },
    { "v and y", "abcd<esc>0vlyP", "a|babcd" },
    { "v backwards", "abcd<esc>vhhd", "|a" },
    { "v with a word", "one two<esc>0ved", "| two" },
    { "v and an object", "one two<esc>0viwd", "| two" },
    { "v over lines", "ab\ncd<esc>gg0lvjd", "|a" },
    { "v and escape", "abc<esc>0v<esc>x", "|bc" },
    { "v twice", "abc<esc>0vvx", "|bc" },
    { "v and o", "abcd<esc>0lvlohd", "|d" },
    { "v over a chip", "a<chip>b<esc>0lvd", "a|b" },

    { "a large count is bounded", "a b<esc>99999999999w", "a |b" },
    { "unknown keys do nothing", "abc<esc>qZ!&", "ab|c" },
    { "arrows settle on a character", "abc<esc><right>", "ab|c" },
    { "typing in normal mode is commands", "abc<esc><typed:0x>", "|bc" },
    { "and may lead to insert mode", "abc<esc><typed:0ixyz>", "xyz|abc" },
};

static void test_scripts(void **state)
{
    struct sf_composer **c = (struct sf_composer **)state;
    int wrong = 0;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        sf_composer_free(*c);
        *c = sf_composer_new();
        sf_composer_set_vim(*c, true);
        compose_run(*c, cases[i].script, cases[i].name);
        wrong += !compose_shows(*c, cases[i].want, cases[i].name);
    }
    assert_int_equal(wrong, 0);
}

static void test_modes(void **state)
{
    struct sf_composer *c = *state;

    assert_null(sf_composer_vim_mode(c));
    assert_false(sf_composer_vim_escape(c));
    assert_false(sf_composer_vim_key(c, 'x', 0));
    sf_composer_set_vim(c, true);
    assert_string_equal(sf_composer_vim_mode(c), "INSERT");
    assert_false(sf_composer_vim_key(c, 'x', 0));
    assert_true(sf_composer_vim_escape(c));
    assert_string_equal(sf_composer_vim_mode(c), "NORMAL");
    assert_false(sf_composer_vim_escape(c));
    assert_true(sf_composer_vim_key(c, 'v', 0));
    assert_string_equal(sf_composer_vim_mode(c), "VISUAL");
    assert_true(sf_composer_vim_escape(c));
    assert_true(sf_composer_vim_key(c, 'd', 0));
    assert_true(sf_composer_vim_escape(c)); /* the d that waited */
    assert_false(sf_composer_vim_escape(c));
    sf_composer_set_vim(c, false);
    assert_null(sf_composer_vim_mode(c));
    assert_true(sf_composer_type(c, "x", 1));
    assert_int_equal(compose_cursor(c), 1);
}

/* Chords and keys that are no characters are left to others, and end a command half typed. */
static void test_keys_of_others(void **state)
{
    struct sf_composer *c = *state;

    sf_composer_set_vim(c, true);
    compose_run(c, "one two<esc>0d", "keys");
    assert_false(sf_composer_vim_key(c, 0x110001, 0));
    assert_true(sf_composer_vim_key(c, 'w', 0));
    assert_true(compose_shows(c, "one |two", "the d was forgotten"));
    assert_false(sf_composer_vim_key(c, 'x', 4));
    assert_false(sf_composer_vim_key(c, 'm', 2));
    assert_false(sf_composer_vim_key(c, '\n', 0));
    assert_false(sf_composer_vim_key(c, 0x9b, 0));
    assert_true(sf_composer_vim_key(c, 'q', 0));
    assert_true(sf_composer_vim_key(c, 'D', 1));
    assert_true(compose_shows(c, "one| ", "Shift is part of the character"));
}

/* Counts cannot make it larger than it may be, or slow. */
static void test_counts_are_bounded(void **state)
{
    struct sf_composer *c = *state;

    sf_composer_set_vim(c, true);
    compose_run(c, "<esc>1000iaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa<esc>", "counts");
    assert_int_equal(compose_cursor(c), 32 * 1000 - 1);
    compose_run(c, "yy1000p", "counts");
    compose_run(c, "ggyG1000p", "counts"); /* 32 GB: refused */
    compose_run(c, "G$", "counts");
    assert_true(compose_cursor(c) <= SF_COMPOSER_MAX);
}

static void test_a_random_hand(void **state)
{
    static const char *const keys[] = {
        "h",      "j",        "k",        "l",           "w",      "b",           "e",
        "W",      "B",        "E",        "0",           "^",      "$",           "g",
        "G",      "f",        "t",        "F",           "T",      ";",           ",",
        "1",      "2",        "3",        "d",           "c",      "y",           "x",
        "X",      "D",        "C",        "s",           "S",      "r",           "~",
        "J",      "p",        "P",        "o",           "O",      "i",           "a",
        "I",      "A",        "u",        ".",           "v",      "\"",          "(",
        "ä",      "漢",       "<esc>",    "<esc>",       "<esc>",  "<ctrl-r>",    "<chip>",
        "\n",     " ",        "\xcc\x81", "👩‍💻", "<left>", "<kill-word>", "<backspace>",
        "<undo>", "<unfold>", "<clear>",
    };
    struct sf_composer *c = *state;
    unsigned seed = 5;

    sf_composer_set_vim(c, true);
    for (int i = 0; i < 20000; i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        seed = seed * 1664525u + 1013904223u;
        compose_run(c, keys[(seed >> 8) % SF_COUNT(keys)], "a random key");
        if (i % 16)
            continue;
        sf_composer_text(c, &text);
        assert_true(sf_utf8_valid(text.buf, text.len, NULL));
        assert_true(compose_cursor(c) <= text.len);
        sf_strbuf_release(&text);
        if (sf_composer_rows(c, 40) > 400)
            sf_composer_clear(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scripts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_modes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keys_of_others, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counts_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_random_hand, setup, teardown),
    };

    return cmocka_run_group_tests_name("vim", tests, NULL, NULL);
}
