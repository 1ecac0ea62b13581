/*
 * Edit and MultiEdit: exact bytes for a table of files and edits, what a failure tells, and the
 * ceilings. Where no result is given the edit must be refused with the code given.
 */
#include "edit/edit.h"
#include "support/test.h"

struct bytes {
    const char *data;
    size_t len;
};

#define B(s)             \
    {                    \
        s, sizeof(s) - 1 \
    }
#define NONE    \
    {           \
        NULL, 0 \
    }
#define OK(s) B(s), SF_E_NONE
#define ALL   1
#define STALE 2

#define EXACT  SF_RUNG_EXACT
#define TRAIL  SF_RUNG_TRAILING
#define INDENT SF_RUNG_INDENT
#define PUNCT  SF_RUNG_PUNCTUATION
#define LOOSE  SF_RUNG_LOOSE

#define BOM   "\xef\xbb\xbf"
#define LEFT  "\xe2\x80\x9c" /* a left double quote */
#define RIGHT "\xe2\x80\x9d"
#define APOS  "\xe2\x80\x99"
#define DASH  "\xe2\x80\x93"
#define NBSP  "\xc2\xa0"

static const struct {
    const char *name;
    struct bytes before, old_text, new_text;
    int flags;
    struct bytes after;
    enum sf_errc code;
    enum sf_rung rung;
} cases[] = {
    /* the plain things */
    { "a word", B("one two three\n"), B("two"), B("2"), 0, OK("one 2 three\n"), EXACT },
    { "at the start", B("abc"), B("a"), B("X"), 0, OK("Xbc"), EXACT },
    { "at the end", B("abc"), B("c"), B("X"), 0, OK("abX"), EXACT },
    { "the whole file", B("abc"), B("abc"), B("X"), 0, OK("X"), EXACT },
    { "deleted", B("abc"), B("b"), B(""), 0, OK("ac"), EXACT },
    { "the whole file deleted", B("abc\n"), B("abc\n"), B(""), 0, OK(""), EXACT },
    { "a line", B("a\nb\nc\n"), B("b\n"), B("x\n"), 0, OK("a\nx\nc\n"), EXACT },
    { "a line deleted", B("a\nb\nc\n"), B("b\n"), B(""), 0, OK("a\nc\n"), EXACT },
    { "lines", B("a\nb\nc\n"), B("a\nb"), B("x"), 0, OK("x\nc\n"), EXACT },
    { "more lines", B("a\nb\n"), B("a\n"), B("a\nx\ny\n"), 0, OK("a\nx\ny\nb\n"), EXACT },
    { "only a newline", B("a\nb"), B("\n"), B(", "), 0, OK("a, b"), EXACT },
    { "the last newline", B("a\n"), B("a\n"), B("a"), 0, OK("a"), EXACT },
    { "a newline is added at the end", B("a"), B("a"), B("a\n"), 0, OK("a\n"), EXACT },
    { "tabs", B("\tif x\n\t\ty\n"), B("\t\ty"), B("\t\tz"), 0, OK("\tif x\n\t\tz\n"), EXACT },
    { "the new text holds the old", B("x"), B("x"), B("axa"), 0, OK("axa"), EXACT },
    { "everywhere, the new text holds the old", B("x x"), B("x"), B("xx"), ALL, OK("xx xx"),
      EXACT },
    { "dollars and backslashes are letters", B("a b"), B("b"), B("$& $1 \\1 \\n $$"), 0,
      OK("a $& $1 \\1 \\n $$"), EXACT },
    { "so are percent signs", B("a b"), B("b"), B("%s%n"), 0, OK("a %s%n"), EXACT },
    { "patterns are letters", B("a.b axb"), B("a.b"), B("-"), 0, OK("- axb"), EXACT },
    { "brackets too", B("x[0]*(y)"), B("[0]*("), B("+"), 0, OK("x+y)"), EXACT },
    { "trailing white space outside stays", B("a  \nb\t\n"), B("b"), B("c"), 0, OK("a  \nc\t\n"),
      EXACT },
    { "upper case is another text", B("abc def\n"), B("ABC"), B("x"), 0, NONE, SF_E_NOENT, EXACT },

    /* several places */
    { "twice: refused", B("a b a"), B("a"), B("x"), 0, NONE, SF_E_EXIST, EXACT },
    { "all of them", B("a b a"), B("a"), B("x"), ALL, OK("x b x"), EXACT },
    { "all of one", B("a b"), B("a"), B("x"), ALL, OK("x b"), EXACT },
    { "all of none", B("b"), B("a"), B("x"), ALL, NONE, SF_E_NOENT, EXACT },
    { "overlapping places are several", B("aaa"), B("aa"), B("x"), 0, NONE, SF_E_EXIST, EXACT },
    { "all, without overlaps", B("aaaaa"), B("aa"), B("x"), ALL, OK("xxa"), EXACT },
    { "all, grown", B("a\na\n"), B("a"), B("a\na"), ALL, OK("a\na\na\na\n"), EXACT },
    { "all, across lines", B("a\nb\na\nb\n"), B("a\nb"), B("x"), ALL, OK("x\nx\n"), EXACT },
    { "all, deleted", B("a-b-c"), B("-"), B(""), ALL, OK("abc"), EXACT },
    { "twice, told apart by their endings only", B("a\nb\na\r\nb\n"), B("a\nb"), B("x"), 0, NONE,
      SF_E_EXIST, EXACT },

    /* CRLF */
    { "CRLF: a word", B("a\r\nb\r\n"), B("b"), B("x"), 0, OK("a\r\nx\r\n"), EXACT },
    { "CRLF: lines", B("a\r\nb\r\nc\r\n"), B("a\nb\n"), B("x\ny\n"), 0, OK("x\r\ny\r\nc\r\n"),
      EXACT },
    { "CRLF: asked with CRLF", B("a\r\nb\r\n"), B("a\r\nb"), B("x\r\ny"), 0, OK("x\r\ny\r\n"),
      EXACT },
    { "CRLF: more lines", B("a\r\nb\r\n"), B("a"), B("a\nx\ny"), 0, OK("a\r\nx\r\ny\r\nb\r\n"),
      EXACT },
    { "CRLF: fewer lines", B("a\r\nb\r\nc"), B("a\nb\nc"), B("x"), 0, OK("x"), EXACT },
    { "CRLF: only the newline", B("a\r\nb"), B("\n"), B(" "), 0, OK("a b"), EXACT },
    { "CRLF: all", B("a\r\nb\r\na\r\nb\r\n"), B("a\nb"), B("x\ny"), ALL, OK("x\r\ny\r\nx\r\ny\r\n"),
      EXACT },
    { "CRLF: at the end without newline", B("a\r\nb"), B("b"), B("b\nc"), 0, OK("a\r\nb\r\nc"),
      EXACT },
    { "CRLF into a file without endings", B("a"), B("a"), B("a\r\nb\r\n"), 0, OK("a\r\nb\r\n"),
      EXACT },
    { "LF: asked with CRLF", B("a\nb\n"), B("a\r\nb"), B("x\r\ny"), 0, OK("x\ny\n"), EXACT },
    { "only the endings differ: the same", B("a\r\nb\r\n"), B("a\r\nb"), B("a\nb"), 0, NONE,
      SF_E_ARG, EXACT },

    /* mixed endings and CR */
    { "mixed: unchanged lines keep theirs", B("a\nb\r\nc\n"), B("a\nb\nc\n"), B("a\nX\nc\n"), 0,
      OK("a\nX\r\nc\n"), EXACT },
    { "mixed: lines before and behind", B("a\r\nb\nc\r\nd\n"), B("b\nc\n"), B("b\nX\nc\n"), 0,
      OK("a\r\nb\nX\r\nc\r\nd\n"), EXACT },
    { "mixed: two changes", B("a\r\nb\nc\r\nd\n"), B("a\nb\nc\nd\n"), B("A\nb\nC\nd\n"), 0,
      OK("A\r\nb\nC\r\nd\n"), EXACT },
    { "mixed: in a CRLF line", B("a\nb\r\nc\n"), B("b"), B("b\nx"), 0, OK("a\nb\r\nx\r\nc\n"),
      EXACT },
    { "mixed: in an LF line", B("a\nb\r\nc\n"), B("c"), B("c\nx"), 0, OK("a\nb\r\nc\nx\n"), EXACT },
    { "CR: lines", B("a\rb\rc\r"), B("a\nb\n"), B("x\ny\n"), 0, OK("x\ry\rc\r"), EXACT },
    { "CR: more lines", B("a\rb\r"), B("b"), B("b\nc"), 0, OK("a\rb\rc\r"), EXACT },
    { "all three kinds", B("a\rb\r\nc\nd"), B("a\nb\nc\nd"), B("a\nb\nX\nd"), 0, OK("a\rb\r\nX\nd"),
      EXACT },
    { "CR CR LF is two endings", B("a\r\r\nb"), B("a\n\nb"), B("a\n\nc"), 0, OK("a\r\r\nc"),
      EXACT },
    { "a stray CR elsewhere stays", B("a\rz\nb\n"), B("b"), B("c"), 0, OK("a\rz\nc\n"), EXACT },

    /* final newline */
    { "no final newline: none is added", B("a\nb"), B("b"), B("c"), 0, OK("a\nc"), EXACT },
    { "asked with a final newline that is not there", B("a\nb"), B("b\n"), B("c\n"), 0, OK("a\nc"),
      TRAIL },
    { "the same, deleted", B("a\nb"), B("b\n"), B(""), 0, OK("a\n"), TRAIL },
    { "the same, lines added", B("a\r\nb"), B("b\n"), B("b\nc\n"), 0, OK("a\r\nb\r\nc"), TRAIL },

    /* byte order marks and encodings */
    { "BOM: stays", B(BOM "a\n"), B("a"), B("b"), 0, OK(BOM "b\n"), EXACT },
    { "BOM: asked with it", B(BOM "a\n"), B(BOM "a"), B(BOM "b"), 0, OK(BOM "b\n"), EXACT },
    { "BOM: asked with it, answered without", B(BOM "a\n"), B(BOM "a"), B("b"), 0, OK(BOM "b\n"),
      EXACT },
    { "BOM: all deleted but the mark", B(BOM "a"), B("a"), B(""), 0, OK(BOM), EXACT },
    { "BOM: the mark alone is nothing", B(BOM), B(""), B("a\n"), 0, OK(BOM "a\n"), EXACT },
    { "BOM: with CRLF", B(BOM "a\r\nb\r\n"), B("a\nb"), B("x\ny"), 0, OK(BOM "x\r\ny\r\n"), EXACT },
    { "UTF-16LE",
      B("\xff\xfe"
        "a\0\n\0b\0"),
      B("b"), B("c"), 0,
      OK("\xff\xfe"
         "a\0\n\0c\0"),
      EXACT },
    { "UTF-16BE, beyond the first plane", B("\xfe\xff\0a\xd8\x3d\xde\x00\0b"),
      B("a\xf0\x9f\x98\x80"), B("\xc3\xa9\xf0\x9f\x98\x81"), 0,
      OK("\xfe\xff\0\xe9\xd8\x3d\xde\x01\0b"), EXACT },
    { "UTF-16LE with CRLF",
      B("\xff\xfe"
        "a\0\r\0\n\0b\0"),
      B("a\nb"), B("a\nx\nb"), 0,
      OK("\xff\xfe"
         "a\0\r\0\n\0x\0\r\0\n\0b\0"),
      EXACT },
    { "damaged UTF-16",
      B("\xff\xfe\x3d\xd8"
        "a\0"),
      B("a"), B("b"), 0, NONE, SF_E_SYNTAX, EXACT },
    { "UTF-16 takes no broken UTF-8",
      B("\xff\xfe"
        "a\0"),
      B("a"), B("\xe9"), 0, NONE, SF_E_ARG, EXACT },
    { "Latin-1: other bytes stay", B("caf\xe9 a \xff\n"), B("a "), B("b "), 0,
      OK("caf\xe9 b \xff\n"), EXACT },
    { "Latin-1: its own bytes", B("caf\xe9 na\xefve\n"), B("caf\xe9"), B("th\xe9"), 0,
      OK("th\xe9 na\xefve\n"), EXACT },
    { "Latin-1 asked in UTF-8 is another text", B("caf\xe9\n"), B("caf\xc3\xa9"), B("x"), 0, NONE,
      SF_E_NOENT, EXACT },
    { "half a character of UTF-8", B("h\xc3\xa9\n"), B("\xa9"), B("x"), 0, NONE, SF_E_ARG, EXACT },
    { "UTF-8 takes no broken text", B("a\n"), B("a"), B("\xc3"), 0, NONE, SF_E_ARG, EXACT },
    { "binary", B("a\0b"), B("a"), B("x"), 0, NONE, SF_E_SYNTAX, EXACT },
    { "an image", B("\x89PNG\r\n\x1a\n\0\0\0\r"), B("PNG"), B("GIF"), 0, NONE, SF_E_SYNTAX, EXACT },
    { "a NUL in the new text", B("a\n"), B("a"), B("x\0y"), 0, NONE, SF_E_ARG, EXACT },
    { "a NUL in the old text", B("a\n"), B("a\0"), B("x"), 0, NONE, SF_E_ARG, EXACT },
    { "UTF-8 letters", B("na\xc3\xafve caf\xc3\xa9\n"), B("caf\xc3\xa9"), B("th\xc3\xa9"), 0,
      OK("na\xc3\xafve th\xc3\xa9\n"), EXACT },
    { "composed and decomposed are different texts", B("cafe\xcc\x81\n"), B("caf\xc3\xa9"), B("x"),
      0, NONE, SF_E_NOENT, EXACT },
    { "decomposed, asked so", B("cafe\xcc\x81 x\n"), B("cafe\xcc\x81"), B("tea"), 0, OK("tea x\n"),
      EXACT },
    { "emoji with joiners", B("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb ok\n"), B("ok"),
      B("no"), 0, OK("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb no\n"), EXACT },

    /* empty and same */
    { "creates", B(""), B(""), B("a\r\nb\n"), 0, OK("a\r\nb\n"), EXACT },
    { "empty old text, file with text", B("a"), B(""), B("x"), 0, NONE, SF_E_ARG, EXACT },
    { "empty old text, file with a newline", B("\n"), B(""), B("x"), 0, NONE, SF_E_ARG, EXACT },
    { "old text, empty file", B(""), B("a"), B("x"), 0, NONE, SF_E_NOENT, EXACT },
    { "both the same", B("a"), B("a"), B("a"), 0, NONE, SF_E_ARG, EXACT },
    { "both empty", B(""), B(""), B(""), 0, NONE, SF_E_ARG, EXACT },

    /* trailing white space */
    { "trailing blanks in the file", B("f() {  \n  x;\t\n}\n"), B("f() {\n  x;\n}"),
      B("f() {\n  y;\n}"), 0, OK("f() {  \n  y;\n}\n"), TRAIL },
    { "trailing blanks in the old text", B("a\nb\n"), B("a  \nb"), B("a  \nc"), 0, OK("a\nc\n"),
      TRAIL },
    { "trailing blanks, lines beside stay", B("p  \na \nb\nq  \n"), B("a\nb"), B("x\ny"), 0,
      OK("p  \nx\ny\nq  \n"), TRAIL },
    { "trailing blanks and CRLF", B("a \r\nb\r\n"), B("a\nb\n"), B("a\nc\n"), 0, OK("a \r\nc\r\n"),
      TRAIL },
    { "a blank line with blanks in it", B("a\n   \nb\n"), B("a\n\nb"), B("a\n\nc"), 0,
      OK("a\n   \nc\n"), TRAIL },
    { "blanks at the very end of the old text", B("a\nb\nc"), B("b  "), B("x"), 0, OK("a\nx\nc"),
      TRAIL },
    { "and they are no part of a longer word", B("foobar\n"), B("foo "), B("x"), 0, NONE,
      SF_E_NOENT, EXACT },
    { "the last line's blanks, nothing there", B("a\n\nb\n"), B("a\n  "), B("x\n"), 0,
      OK("x\n\nb\n"), TRAIL },
    { "two loose places: refused", B("a \nb\na  \nb\n"), B("a\nb"), B("x"), 0, NONE, SF_E_EXIST,
      TRAIL },
    { "two loose places: refused with all, too", B("a \nb\na  \nb\n"), B("a\nb"), B("x"), ALL, NONE,
      SF_E_EXIST, TRAIL },
    { "one loose place with all", B("a \nb\n"), B("a\nb"), B("x"), ALL, OK("x\n"), TRAIL },
    { "the change is there already", B("a\n"), B("a "), B("a"), 0, NONE, SF_E_ARG, TRAIL },
    { "only white space finds nothing loosely", B("a\n  b\n"), B("\n\n \n"), B("x"), 0, NONE,
      SF_E_NOENT, EXACT },

    /* indentation */
    { "indentation missing", B("    if x:\n        a()\n    c\n"), B("if x:\n    a()\n"),
      B("if x:\n    b()\n"), 0, OK("    if x:\n        b()\n    c\n"), INDENT },
    { "a deeper line is added", B("\tif x:\n\t\ta()\n"), B("if x:\n    a()\n"),
      B("if x:\n    a()\n    if y:\n        b()\n"), 0,
      OK("\tif x:\n\t\ta()\n\t\tif y:\n\t\t\tb()\n"), INDENT },
    { "too much indentation", B("a {\n  b\n}\n"), B("    a {\n      b\n    }\n"),
      B("    a {\n      c\n    }\n"), 0, OK("a {\n  c\n}\n"), INDENT },
    { "blank lines do not count", B("  a\n\n  b\n"), B("a\n\nb\n"), B("a\n\nc\n"), 0,
      OK("  a\n\n  c\n"), INDENT },
    { "untouched lines keep their white space", B("\ta  \n\tb\n\tc \n"), B("a\nb\nc\n"),
      B("a\nx\nc\n"), 0, OK("\ta  \n\tx\n\tc \n"), INDENT },
    { "indentation that does not follow: refused", B("  a\n    b\n"), B("a\nb\n"), B("x\ny\n"), 0,
      NONE, SF_E_NOENT, EXACT },
    { "no part of a line", B("  xa\n    b\n"), B("a\n b\n"), B("y\n"), 0, NONE, SF_E_NOENT, EXACT },
    { "CRLF and indentation", B("  a\r\n  b\r\n"), B("a\nb\n"), B("a\nx\nb\n"), 0,
      OK("  a\r\n  x\r\n  b\r\n"), INDENT },
    { "without a final newline", B("  a\n  b"), B("a\nb\n"), B("a\nc\n"), 0, OK("  a\n  c"),
      INDENT },

    /* punctuation */
    { "quotes", B("say " LEFT "hi" RIGHT " now\n"), B("say \"hi\""), B("shout \"hi\""), 0,
      OK("shout " LEFT "hi" RIGHT " now\n"), PUNCT },
    { "quotes beside the change keep their form", B("it" APOS "s a " LEFT "b" RIGHT "\n"),
      B("it's a \"b\""), B("it's a \"c\""), 0, OK("it" APOS "s a " LEFT "c" RIGHT "\n"), PUNCT },
    { "quotes elsewhere stay", B(LEFT "a" RIGHT "\n" LEFT "b" RIGHT "\n"), B("\"b\""), B("c"), 0,
      OK(LEFT "a" RIGHT "\nc\n"), PUNCT },
    { "the other way round", B("say \"hi\"\n"), B("say " LEFT "hi" RIGHT), B("x"), 0, OK("x\n"),
      PUNCT },
    { "dashes", B("1" DASH "2\n"), B("1-2"), B("1-3"), 0, OK("1" DASH "3\n"), PUNCT },
    { "a space that does not break", B("a" NBSP "b\n"), B("a b"), B("a c"), 0, OK("a" NBSP "c\n"),
      PUNCT },
    { "lines between keep theirs", B("a\n" LEFT "q" RIGHT "\nb\n"), B("a\n\"q\"\nb\n"),
      B("x\n\"q\"\ny\n"), 0, OK("x\n" LEFT "q" RIGHT "\ny\n"), PUNCT },
    { "punctuation and indentation", B("    say(" LEFT "hi" RIGHT ")\n    b\n"),
      B("say(\"hi\")\nb\n"), B("say(\"ho\")\nb\n"), 0, OK("    say(" LEFT "ho" RIGHT ")\n    b\n"),
      LOOSE },
    { "in Latin-1 bytes stay bytes", B("\xe9 " LEFT "a" RIGHT "\n"), B("\"a\""), B("b"), 0,
      OK("\xe9 b\n"), PUNCT },

    /* a file that changed since it was read */
    { "stale, one place", B("a b\n"), B("a"), B("x"), STALE, OK("x b\n"), EXACT },
    { "stale, several places with all", B("a a\n"), B("a"), B("x"), STALE | ALL, NONE, SF_E_EXIST,
      EXACT },
    { "stale, one place with all", B("a b\n"), B("a"), B("x"), STALE | ALL, OK("x b\n"), EXACT },
    { "stale, only loosely there", B("  a\n  b\n"), B("a\nb\n"), B("x\n"), STALE, NONE, SF_E_NOENT,
      EXACT },
    { "stale, gone", B("b\n"), B("a"), B("x"), STALE, NONE, SF_E_NOENT, EXACT },
};

static struct sf_edit edit_of(struct bytes old_text, struct bytes new_text, bool all)
{
    return (struct sf_edit){ old_text.data, new_text.data, old_text.len, new_text.len, all };
}

static void test_exact_bytes(void **state)
{
    struct sf_edit_result r;

    (void)state;
    sf_edit_result_init(&r);
    assert_true(SF_COUNT(cases) >= 100);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_edit edit = edit_of(cases[i].old_text, cases[i].new_text, cases[i].flags & ALL);
        struct sf_edit_job job = { cases[i].before.data, cases[i].before.len,
                                   cases[i].flags & STALE, &edit, 1 };
        bool ok = sf_edit_apply(&job, &r, &err);

        if (ok != (cases[i].after.data != NULL) || (!ok && err.code != cases[i].code))
            fail_msg("%s: %s (%d)\n%s", cases[i].name, ok ? "done" : err.msg, err.code,
                     ok ? r.bytes.buf : r.detail.buf);
        if (ok && cases[i].after.data &&
            (r.bytes.len != cases[i].after.len ||
             memcmp(r.bytes.buf, cases[i].after.data, r.bytes.len) != 0))
            fail_msg("%s:\n--- got\n%s\n--- want\n%s", cases[i].name, r.bytes.buf,
                     cases[i].after.data);
        if (ok && (r.rung != cases[i].rung || r.stale != (bool)(cases[i].flags & STALE)))
            fail_msg("%s: found %s", cases[i].name, sf_rung_name(r.rung));
        if (!ok && r.bytes.len)
            fail_msg("%s: refused, but bytes are left", cases[i].name);
    }
    sf_edit_result_release(&r);
}

static const char sample[] = "#include <stdio.h>\n"
                             "\n"
                             "int main(void)\n"
                             "{\n"
                             "    int total = 0;\n"
                             "    for (int i = 0; i < 10; i++)\n"
                             "        total += i;\n"
                             "    printf(\"%d\\n\", total);\n"
                             "    return 0;\n"
                             "}\n";

static const struct {
    const char *name, *old_text, *msg, *detail;
    size_t line, differs;
} misses[] = {
    { "a line with a small mistake", "    for (int i = 0; i < 20; i++)\n",
      "the nearest text is at line 6", "6:     for (int i = 0; i < 10; i++)\n", 6, 6 },
    { "lines, the second one wrong", "    int total = 0;\n    for (int k = 0; k < 10; k++)\n",
      "at line 5", "line 6 differs; expected:\n    for (int k = 0; k < 10; k++)\n", 5, 6 },
    { "one line too many in between", "    return 0;\n\n}\n", "at line 9", "9:     return 0;\n", 9,
      10 },
    { "nothing like it", "completely different words\n", "not in the file",
      "nothing in the file is like it", 0, 0 },
};

static void test_a_miss_shows_the_nearest_text(void **state)
{
    struct sf_edit_result r;

    (void)state;
    sf_edit_result_init(&r);
    for (size_t i = 0; i < SF_COUNT(misses); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_edit edit = { misses[i].old_text, "x", strlen(misses[i].old_text), 1, false };
        struct sf_edit_job job = { sample, sizeof(sample) - 1, false, &edit, 1 };

        assert_false(sf_edit_apply(&job, &r, &err));
        if (r.nearest.line != misses[i].line || r.nearest.differs != misses[i].differs ||
            !strstr(err.msg, misses[i].msg) || !strstr(r.detail.buf, misses[i].detail))
            fail_msg("%s: line %zu, differs %zu, %s\n%s", misses[i].name, r.nearest.line,
                     r.nearest.differs, err.msg, r.detail.buf);
    }
    sf_edit_result_release(&r);
}

static void test_lookalikes_are_told(void **state)
{
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { "the caf\xc3\xa9 is open", "x", 17, 1, false };
    struct sf_edit_job job = { "a\nthe cafe\xcc\x81 is open\n", 21, false, &edit, 1 };

    (void)state;
    sf_edit_result_init(&r);
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(r.nearest.line, 2);
    assert_true(r.nearest.lookalike);
    assert_non_null(strstr(r.detail.buf, "look the same"));
    sf_edit_result_release(&r);
}

static void test_too_many_places_are_listed(void **state)
{
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { "x", "y", 1, 1, false };
    struct sf_edit_job job = { "x\n-\nx x\n", 8, false, &edit, 1 };
    char many[100];

    (void)state;
    sf_edit_result_init(&r);
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_string_equal(err.msg, "old_string is there 3 times: lines 1, 3, 3");
    assert_int_equal(r.places.count, 3);
    assert_int_equal(r.lines[1], 3);

    memset(many, 'x', sizeof(many));
    job.bytes = many;
    job.len = sizeof(many);
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_non_null(strstr(err.msg, "16 times or more"));
    sf_edit_result_release(&r);
}

static void test_a_change_made_already_is_told(void **state)
{
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { "old line", "new line", 8, 8, false };
    struct sf_edit_job job = { "a\nnew line\n", 11, false, &edit, 1 };

    (void)state;
    sf_edit_result_init(&r);
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_non_null(strstr(err.hint, "already"));
    sf_edit_result_release(&r);
}

static const struct {
    const char *name, *before;
    struct {
        const char *old_text, *new_text;
        bool all;
    } edits[4];
    const char *after; /* NULL: refused */
    size_t failed, culprit;
} jobs[] = {
    { "in order", "a b c", { { "a", "1", false }, { "b", "2", false } }, "1 2 c", 0, 0 },
    { "on what the last one left", "a", { { "a", "b", false }, { "b", "c", false } }, "c", 0, 0 },
    { "created and edited", "", { { "", "a b", false }, { "b", "c", false } }, "a c", 0, 0 },
    { "the second one is not there",
      "a b",
      { { "a", "1", false }, { "z", "2", false } },
      NULL,
      1,
      SIZE_MAX },
    { "the first one takes the second one's text",
      "one two",
      { { "one two", "three", false }, { "two", "2", false } },
      NULL,
      1,
      0 },
    { "the same edit twice", "a b", { { "a", "x", false }, { "a", "x", false } }, NULL, 1, 0 },
    { "the first one makes a second place",
      "a b",
      { { "a", "b", false }, { "b", "c", false } },
      NULL,
      1,
      0 },
    { "the second of three is to blame",
      "a b c",
      { { "a", "1", false }, { "b c", "2", false }, { "c", "3", false } },
      NULL,
      2,
      1 },
    { "a bad edit at the end undoes all",
      "a",
      { { "a", "b", false }, { "b", "b", false } },
      NULL,
      1,
      SIZE_MAX },
};

static void test_several_edits(void **state)
{
    struct sf_edit_result r;

    (void)state;
    sf_edit_result_init(&r);
    for (size_t i = 0; i < SF_COUNT(jobs); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_edit edits[4];
        struct sf_edit_job job = { jobs[i].before, strlen(jobs[i].before), false, edits, 0 };
        bool ok;

        for (; job.count < 4 && jobs[i].edits[job.count].old_text; job.count++)
            edits[job.count] = (struct sf_edit){ jobs[i].edits[job.count].old_text,
                                                 jobs[i].edits[job.count].new_text,
                                                 strlen(jobs[i].edits[job.count].old_text),
                                                 strlen(jobs[i].edits[job.count].new_text),
                                                 jobs[i].edits[job.count].all };
        ok = sf_edit_apply(&job, &r, &err);
        if (ok != (jobs[i].after != NULL) || (ok && strcmp(r.bytes.buf, jobs[i].after) != 0))
            fail_msg("%s: %s", jobs[i].name, ok ? r.bytes.buf : err.msg);
        if (!ok && (r.failed != jobs[i].failed || r.culprit != jobs[i].culprit))
            fail_msg("%s: edit %zu failed because of %zu: %s", jobs[i].name, r.failed, r.culprit,
                     err.msg);
        if (!ok && (r.bytes.len || !strstr(err.msg, "edit ")))
            fail_msg("%s: %s", jobs[i].name, err.msg);
    }
    sf_edit_result_release(&r);
}

static void test_what_a_success_says(void **state)
{
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { "\"a\"", "\xc3\xa9", 3, 2, false };
    struct sf_edit_job job = { "\xe9 " LEFT "a" RIGHT "\n", 10, false, &edit, 1 };
    struct sf_strbuf out = SF_STRBUF_INIT;

    (void)state;
    sf_edit_result_init(&r);
    assert_true(sf_edit_apply(&job, &r, &err));
    assert_true(r.foreign);
    sf_edit_describe(&r, &out);
    assert_string_equal(out.buf, "replaced 1 place; the text was found ignoring typographic "
                                 "punctuation; the file is not UTF-8, and the new text went in "
                                 "as UTF-8\n");
    sf_strbuf_release(&out);
    sf_edit_result_release(&r);
}

static void test_ceilings(void **state)
{
    size_t len = SF_TEXTFILE_MAX;
    char *text = sf_alloc(len + 1);
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { "b", "cc", 1, 2, false }, *many;
    struct sf_edit_job job = { text, len + 1, false, &edit, 1 };

    (void)state;
    sf_edit_result_init(&r);
    memset(text, 'a', len + 1);
    text[1000] = 'b';
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    job.len = len;
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_int_equal(r.bytes.len, 0);
    edit.new_len = 1;
    assert_true(sf_edit_apply(&job, &r, &err));
    assert_int_equal(r.bytes.len, len);
    assert_int_equal(r.bytes.buf[1000], 'c');
    edit = (struct sf_edit){ "a", "b", 1, 1, true };
    job.len = SF_REPLACED_MAX + 1;
    assert_true(sf_edit_apply(&job, &r, &err)); /* one of them is a "b" already */
    assert_int_equal(r.done[0].replaced, SF_REPLACED_MAX);
    job.len++;
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_LIMIT);

    many = sf_alloc_array(SF_EDITS_MAX + 1, sizeof(*many));
    job = (struct sf_edit_job){ "a", 1, false, many, SF_EDITS_MAX + 1 };
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    job.count = 0;
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_ARG);
    free(many);
    free(text);
    sf_edit_result_release(&r);
}

/* Texts made to match almost everywhere take no longer than others. */
static void test_hostile_repetition(void **state)
{
    size_t len = 1 << 20, half = len / 2;
    char *text = sf_alloc(len), *old = sf_alloc(half);
    struct sf_edit_result r;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit edit = { old, "x", half, 1, false };
    struct sf_edit_job job = { text, len, false, &edit, 1 };

    (void)state;
    sf_edit_result_init(&r);
    memset(text, 'a', len - 1);
    text[len - 1] = 'b';
    memset(old, 'a', half);
    old[half - 1] = ' ';
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    memset(text, '\n', len);
    old[half - 1] = 'b';
    assert_false(sf_edit_apply(&job, &r, &err));
    for (size_t i = 0; i < len; i += 2)
        text[i] = '\r';
    for (size_t i = 0; i + 1 < half; i++)
        old[i] = '\n';
    assert_false(sf_edit_apply(&job, &r, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    sf_edit_result_release(&r);
    free(text);
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_bytes),
        cmocka_unit_test(test_a_miss_shows_the_nearest_text),
        cmocka_unit_test(test_lookalikes_are_told),
        cmocka_unit_test(test_too_many_places_are_listed),
        cmocka_unit_test(test_a_change_made_already_is_told),
        cmocka_unit_test(test_several_edits),
        cmocka_unit_test(test_what_a_success_says),
        cmocka_unit_test(test_ceilings),
        cmocka_unit_test(test_hostile_repetition),
    };

    return cmocka_run_group_tests_name("replace", tests, NULL, NULL);
}
