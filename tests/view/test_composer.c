/*
 * The composer as it is used: scripts of keys, and what stands there afterwards; then its limits,
 * its words for completion, and that nothing a random hand does breaks it.
 */
#include <stdlib.h>
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
    { "nothing", "", "|" },
    { "typing", "hello", "hello|" },
    { "typing in the middle", "held<left>l<left>l<backspace>o", "helo|ld" },
    { "a newline", "a<newline>b", "a\nb|" },
    { "a newline typed", "a\nb", "a\nb|" },
    { "a tab is text", "a\tb", "a\tb|" },
    { "several characters at once", "<typed:one two>", "one two|" },

    { "left", "abc<left>", "ab|c" },
    { "left over the border", "a<left><true><left><false>", "|a" },
    { "right", "abc<first><right*2>", "ab|c" },
    { "right over the border", "a<right><false>", "a|" },
    { "left over a line break", "a\nb<left*2>", "a|\nb" },
    { "left over a wide character", "漢字<left>", "漢|字" },
    { "left over marks", "e\xcc\x81x<left*2>", "|e\xcc\x81x" },
    { "left over a joined emoji", "👩‍💻x<left*2>", "|👩‍💻x" },
    { "left over a flag", "🇩🇪🇫🇷<left>", "🇩🇪|🇫🇷" },
    { "left over a skin tone", "👍🏽<left>", "|👍🏽" },
    { "right over a joined emoji", "👩‍💻x<first><right>", "👩‍💻|x" },
    { "right over hangul parts", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab!<first><right>",
      "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab|!" },

    { "word left", "one two<word-left>", "one |two" },
    { "word left twice", "one two<word-left*2>", "|one two" },
    { "word left from spaces", "one two  <word-left>", "one |two  " },
    { "word left stops at signs", "a.b<word-left>", "a.|b" },
    { "word left takes signs as one", "a+=b<word-left*2>", "a|+=b" },
    { "word left over an underscore", "a_b<word-left>", "|a_b" },
    { "word left over umlauts", "grüße<word-left>", "|grüße" },
    { "word left over wide punctuation", "漢字。仮名<word-left>", "漢字。|仮名" },
    { "word left over a line break", "a\nb<word-left*2>", "|a\nb" },
    { "word left at the border", "<word-left><false>", "|" },
    { "word right", "one two<first><word-right>", "one| two" },
    { "word right twice", "one two<first><word-right*2>", "one two|" },
    { "word right stops at signs", "ab.c<first><word-right>", "ab|.c" },
    { "word right at the end", "a  <word-right><false>", "a  |" },
    { "word right over spaces to the end", "a  <first><word-right*2>", "a  |" },

    { "home", "abc<home>", "|abc" },
    { "home of a line", "a\nbc<home>", "a\n|bc" },
    { "home again", "a\nbc<home*2>", "|a\nbc" },
    { "home at the start", "a<home><true><home><false>", "|a" },
    { "end", "abc<home><end>", "abc|" },
    { "end of a line", "ab\nc<first><end>", "ab|\nc" },
    { "end again", "ab\nc<first><end*2>", "ab\nc|" },
    { "end at the end", "a<end><false>", "a|" },
    { "first and last", "a\nb<first>x<last>y", "xa\nby|" },
    { "first when there", "<first><false>", "|" },

    { "up", "one\ntwo<up>", "one|\ntwo" },
    { "up to a shorter line", "a\nlong<up>", "a|\nlong" },
    { "up keeps the column", "long\na\nlong<up*2>", "long|\na\nlong" },
    { "another move forgets the column", "long\na\nlong<up><left><up>", "|long\na\nlong" },
    { "up at the top", "abc<up><false>", "abc|" },
    { "down", "one\ntwo<first><down>", "one\n|two" },
    { "down at the bottom", "abc<first><down><false>", "|abc" },
    { "down keeps the column", "long\n\nlong<first><end><down*2>", "long\n\nlong|" },
    { "up by rows", "<width:5>abcdefgh<up>", "abc|defgh" },
    { "up by rows, broken at a space", "<width:6>one two three<up>", "one two| three" },
    { "down by rows", "<width:5>abcdefgh<first><right><down>", "abcdef|gh" },
    { "down to a row's end stays in it", "<width:5>abcdefghijkl<first><end><up*2>",
      "ab|cdefghijkl" },
    { "up over wide characters", "<width:20>漢字仮名\nabcde<up>", "漢字|仮名\nabcde" },
    { "up at the top of a broken line", "<width:5>abcdefgh<up><true><up><false>", "abc|defgh" },
    { "up before anything was drawn", "a\nb<up>", "a|\nb" },

    { "backspace", "abc<backspace>", "ab|" },
    { "backspace at the start", "<backspace><false>", "|" },
    { "backspace over a line break", "a\nb<left><backspace>", "a|b" },
    { "backspace takes a whole emoji", "a👩‍💻<backspace>", "a|" },
    { "backspace takes letter and marks", "ae\xcc\x81<backspace>", "a|" },
    { "backspace takes a chip", "a<chip><backspace>", "a|" },
    { "delete", "abc<first><delete>", "|bc" },
    { "delete at the end", "abc<delete><false>", "abc|" },
    { "delete a line break", "a\nb<first><right><delete>", "a|b" },
    { "delete a chip", "a<chip>b<first><right><delete>", "a|b" },
    { "deleting what kept marks apart", "ax\xcc\x81y<left*2><backspace>", "|x\xcc\x81y" },
    { "marks join and the cursor leaves them", "a\n\xcc\x81y<left*2><backspace>", "a\xcc\x81|y" },

    { "kill word", "one two.three<kill-word>", "one |" },
    { "kill word with spaces", "one two  <kill-word>", "one |" },
    { "kill word at the start", "<kill-word><false>", "|" },
    { "kill word stops at a chip", "a <chip>b<kill-word>", "a §|" },
    { "kill word takes a chip", "a <chip><kill-word>", "a |" },
    { "kill a word back", "one two.three<kill-word-back>", "one two.|" },
    { "kill a word forward", "one two<first><kill-word-forward>", "| two" },
    { "kill a word forward at the end", "a<kill-word-forward><false>", "a|" },
    { "kill the line's rest", "one two<first><word-right><kill-line>", "one|" },
    { "kill the line break", "a\nb<first><end><kill-line>", "a|b" },
    { "kill at the end", "a<kill-line><false>", "a|" },
    { "kill to the start", "a\none two<kill-start>", "a\n|" },
    { "kill the line break before", "a\nb<home><kill-start>", "a|b" },
    { "kill to the start at the start", "<kill-start><false>", "|" },
    { "yank", "one two<kill-word><first><yank>", "two|one " },
    { "yank twice", "x<kill-word><yank><yank>", "xx|" },
    { "yank without a kill", "a<yank><false>", "a|" },
    { "kills in a row are one", "a b c<kill-word*3><yank>", "a b c|" },
    { "kills to the right in a row", "a\nb<first><kill-line*3><yank>", "a\nb|" },
    { "kills both ways", "one two three<word-left><kill-word><kill-line><yank>", "one two three|" },
    { "a move parts kills", "a b<kill-word><first><kill-line><yank>", "a |" },
    { "typing parts kills", "ab<kill-word>c<kill-word><yank>", "c|" },
    { "yank pop", "a<kill-word>b<kill-word><yank><yank-pop>", "a|" },
    { "yank pop goes round", "a<kill-word>b<kill-word><yank><yank-pop*2>", "b|" },
    { "yank pop needs a yank", "a<kill-word>b<kill-word>c<yank-pop><false>", "c|" },
    { "yank pop needs a second kill", "a<kill-word><yank><yank-pop><false>", "a|" },
    { "yank pop in the middle", "aa<kill-word>b<kill-word>xy<left><yank><yank-pop>", "xaa|y" },
    { "kill and yank a chip", "<chip><kill-word>a<yank>", "a§|" },
    { "yank a chip twice", "<chip><kill-word><yank> <yank>", "§ §|" },
    { "deleting is no kill", "ab<kill-word>c<backspace><yank>", "ab|" },

    { "transpose", "abc<left><transpose>", "acb|" },
    { "transpose at the end", "abc<transpose>", "acb|" },
    { "transpose at the start", "abc<first><transpose><false>", "|abc" },
    { "transpose one character", "a<transpose><false>", "a|" },
    { "transpose at a line's end", "ab\nc<first><end><transpose>", "ba|\nc" },
    { "transpose over a line break", "a\nb<left><transpose><false>", "a\n|b" },
    { "transpose clusters", "a👩‍💻<transpose>", "👩‍💻a|" },
    { "transpose a chip", "a<chip><transpose>", "§a|" },

    { "undo typing", "hello<undo>", "|" },
    { "undo a word at a time", "hello world<undo>", "hello|" },
    { "undo two words", "hello world<undo*2>", "|" },
    { "undo with nothing done", "<undo><false>", "|" },
    { "redo", "hello world<undo*2><redo>", "hello|" },
    { "redo all", "hello world<undo*2><redo*2>", "hello world|" },
    { "redo with nothing undone", "a<redo><false>", "a|" },
    { "typing forgets what was undone", "ab cd<undo>x<redo><false>", "abx|" },
    { "a move begins a step", "ab<left>c<undo>", "a|b" },
    { "undo backspaces together", "abc<left><right><backspace*2><undo>", "abc|" },
    { "undo deletes together", "abc<first><delete*2><undo>", "|abc" },
    { "undo a kill", "one two<kill-word><undo>", "one two|" },
    { "undo kills one by one", "one two<kill-word*2><undo>", "one |" },
    { "undo a yank", "x<kill-word><yank><undo>", "|" },
    { "undo a paste as one", "a<paste:b c d><undo>", "a|" },
    { "undo a chip's deletion", "a<chip><backspace><undo>", "a§|" },
    { "undo a chip", "a<chip><undo>", "a|" },
    { "redo a chip", "a<chip><undo><redo>", "a§|" },
    { "undo clear", "one two<clear><undo>", "one two|" },
    { "undo set", "one<set:two><undo>", "one|" },
    { "undo a transposition", "ab<transpose><undo>", "ab|" },
    { "undo a completion", "see @sr<at:@src/a.c ><undo>", "see @sr|" },
    { "undo brings the cursor back", "abc<first><kill-line><undo>", "|abc" },
    { "undo a newline with the next word", "ab\ncd<undo>", "ab|" },

    { "a short paste is text", "<paste:a\nb>", "a\nb|" },
    { "a paste of eight lines is text", "<paste:1\n2\n3\n4\n5\n6\n7\n8\n><left>",
      "1\n2\n3\n4\n5\n6\n7\n8|\n" },
    { "a paste of nine is a chip", "<chip><left>", "|§" },
    { "the cursor goes over a chip", "a<chip>b<left*2>", "a|§b" },
    { "and back", "a<chip>b<left*2><right>", "a§|b" },
    { "words go over a chip", "a <chip> b<word-left*2>", "a |§ b" },
    { "words go forward over a chip", "a<chip>b<first><word-right*2>", "a§|b" },
    { "two chips are two", "<chip><chip><left>", "§|§" },
    { "word left between chips", "<chip><chip><word-left>", "§|§" },
    { "unfold a chip behind", "a<chip><unfold><true><left>", "a1\n2\n3\n4\n5\n6\n7\n8\n|9" },
    { "unfold a chip under the cursor", "<chip>b<first><unfold><left>",
      "1\n2\n3\n4\n5\n6\n7\n8\n|9b" },
    { "unfold where there is none", "ab<unfold><false>", "ab|" },
    { "undo unfolding", "<chip><unfold><undo><left>", "|§" },
    { "type between chips", "<chip><chip><left>x", "§x|§" },
    { "set a large text", "<set:1\n2\n3\n4\n5\n6\n7\n8\n9><left>", "|§" },
    { "set a small one", "a<set:b\nc><left>", "b\n|c" },
    { "DOS line ends", "<paste:a\r\nb\rc>", "a\nb\nc|" },
    { "pasted controls stay outside", "<paste:a\x1b[31mb\x07\x1a\x7f\xc2\x9b>", "a[31mb|" },
    { "typed controls stay outside", "<typed:a\x1b\x01\x1az>", "az|" },
    { "damage is replaced", "<typed:a\xff\xc3>", "a\xef\xbf\xbd\xef\xbf\xbd|" },
    { "a forged mark is no chip", "<chip><paste:\x1a\xf3\xb0\x80\x80><left>",
      "§|\xf3\xb0\x80\x80" },

    { "complete", "see @sr<at:@src/main.c >", "see @src/main.c |" },
    { "complete in the middle of a word", "@srx y<left*3><at:@src>", "@src| y" },
    { "complete without a word", "see sr<at:@src>", "see sr|" },
    { "complete an address does nothing", "a@b<at:@c>", "a@b|" },
    { "complete behind a bracket", "(@a<at:@abc>", "(@abc|" },
};

static void test_scripts(void **state)
{
    struct sf_composer **c = (struct sf_composer **)state;
    int wrong = 0;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        sf_composer_free(*c);
        *c = sf_composer_new();
        compose_run(*c, cases[i].script, cases[i].name);
        wrong += !compose_shows(*c, cases[i].want, cases[i].name);
    }
    assert_int_equal(wrong, 0);
}

static void test_words(void **state)
{
    static const struct {
        const char *script;
        char sigil;
        const char *want;
    } words[] = {
        { "@", '@', "@" },          { "@src/a", '@', "@src/a" },
        { "see @a", '@', "@a" },    { "a@b", '@', NULL },
        { "@a b", '@', NULL },      { "/mo", '/', "/mo" },
        { "a/b", '/', NULL },       { "", '@', NULL },
        { "\"@x", '@', "@x" },      { "@abc<left>", '@', "@ab" },
        { "@a<first>", '@', NULL }, { "<chip>@a", '@', NULL },
        { "@a/@b", '@', "@a/@b" },
    };
    struct sf_composer **c = (struct sf_composer **)state;

    for (size_t i = 0; i < SF_COUNT(words); i++) {
        size_t len = 0;
        const char *got;

        sf_composer_free(*c);
        *c = sf_composer_new();
        compose_run(*c, words[i].script, words[i].script);
        got = sf_composer_word(*c, words[i].sigil, &len);
        if (!got != !words[i].want ||
            (got && (strlen(words[i].want) != len || memcmp(got, words[i].want, len) != 0)))
            fail_msg("%s: \"%.*s\"", words[i].script, (int)len, got ? got : "");
    }
}

static void test_beginnings(void **state)
{
    static const struct {
        const char *script;
        char sigil;
        bool want;
    } texts[] = {
        { "/mode x", '/', true }, { "!ls", '!', true },     { "", '/', false },
        { "a/b", '/', false },    { "/a\nb", '/', false },  { "/ask <chip>", '/', false },
        { "#note", '#', true },   { " /mode", '/', false },
    };
    struct sf_composer **c = (struct sf_composer **)state;

    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        sf_composer_free(*c);
        *c = sf_composer_new();
        compose_run(*c, texts[i].script, texts[i].script);
        if (sf_composer_begins_with(*c, texts[i].sigil) != texts[i].want)
            fail_msg("%s", texts[i].script);
    }
}

/* One megabyte, pasted: one draft, nothing lost, and what is shown stays small. */
static void test_a_large_paste(void **state)
{
    struct sf_composer *c = *state;
    struct sf_strbuf paste = SF_STRBUF_INIT, got = SF_STRBUF_INIT;

    while (paste.len < 1 << 20)
        sf_strbuf_addf(&paste, "line %zu of a long paste\n", paste.len);
    assert_true(sf_composer_paste(c, paste.buf, paste.len));
    assert_int_equal(sf_composer_rows(c, 80), 1);
    sf_composer_text(c, &got);
    assert_int_equal(got.len, paste.len);
    assert_memory_equal(got.buf, paste.buf, paste.len);
    assert_true(sf_composer_do(c, SF_COMPOSE_BACKSPACE));
    assert_true(sf_composer_is_empty(c));
    assert_true(sf_composer_do(c, SF_COMPOSE_UNDO));
    assert_true(sf_composer_unfold(c));
    assert_int_equal(compose_cursor(c), paste.len);
    assert_true(sf_composer_type(c, "x", 1));
    assert_true(sf_composer_rows(c, 80) > 10000);
    sf_strbuf_release(&paste);
    sf_strbuf_release(&got);
}

static void test_a_long_line_is_a_chip(void **state)
{
    struct sf_composer *c = *state;
    char line[SF_PASTE_BYTES + 1];

    memset(line, 'x', sizeof(line));
    assert_true(sf_composer_paste(c, line, SF_PASTE_BYTES));
    assert_true(sf_composer_rows(c, 80) > 1);
    sf_composer_clear(c);
    assert_true(sf_composer_paste(c, line, sizeof(line)));
    assert_int_equal(sf_composer_rows(c, 80), 1);
    assert_int_equal(compose_cursor(c), sizeof(line));
}

/* What is too long is refused whole, and what was there stays. */
static void test_the_limit(void **state)
{
    struct sf_composer *c = *state;
    struct sf_strbuf big = SF_STRBUF_INIT, got = SF_STRBUF_INIT;

    sf_strbuf_fill(&big, 'x', SF_COMPOSER_MAX);
    assert_true(sf_composer_type(c, "a", 1));
    assert_false(sf_composer_paste(c, big.buf, big.len));
    assert_false(sf_composer_type(c, big.buf, big.len));
    assert_true(sf_composer_paste(c, big.buf, big.len - 1));
    assert_false(sf_composer_type(c, "b", 1));
    assert_false(sf_composer_do(c, SF_COMPOSE_NEWLINE));
    assert_true(sf_composer_do(c, SF_COMPOSE_KILL_WORD));
    assert_true(sf_composer_do(c, SF_COMPOSE_YANK));
    assert_false(sf_composer_do(c, SF_COMPOSE_YANK));
    sf_strbuf_fill(&big, 'x', 1);
    assert_false(sf_composer_set(c, big.buf, big.len));
    sf_composer_text(c, &got);
    assert_int_equal(got.len, SF_COMPOSER_MAX);
    assert_int_equal(got.buf[0], 'a');
    /* damage takes three bytes for one, and counts as what it becomes */
    memset(big.buf, 0xff, big.len);
    assert_false(sf_composer_set(c, big.buf, SF_COMPOSER_MAX));
    assert_int_equal(compose_cursor(c), SF_COMPOSER_MAX);
    sf_strbuf_release(&big);
    sf_strbuf_release(&got);
}

/* Steps beyond the limit are forgotten from the oldest on. */
static void test_undo_is_bounded(void **state)
{
    struct sf_composer *c = *state;
    int undone = 0;

    for (int i = 0; i < 2 * SF_COMPOSER_UNDO; i++) {
        assert_true(sf_composer_type(c, "x", 1));
        sf_composer_do(c, SF_COMPOSE_HOME);
    }
    while (sf_composer_do(c, SF_COMPOSE_UNDO))
        undone++;
    assert_int_equal(undone, SF_COMPOSER_UNDO);
    assert_int_equal(sf_composer_rows(c, 2 * SF_COMPOSER_UNDO), 1);
    sf_composer_do(c, SF_COMPOSE_LAST);
    assert_int_equal(compose_cursor(c), SF_COMPOSER_UNDO);
}

/* Many large pastes, cut and cleared: the kill ring keeps the newest. */
static void test_many_large_pastes(void **state)
{
    struct sf_composer *c = *state;
    struct sf_strbuf big = SF_STRBUF_INIT;

    sf_strbuf_fill(&big, 'x', SF_COMPOSER_MAX / 2);
    for (int i = 0; i < 40; i++) {
        assert_true(sf_composer_paste(c, big.buf, big.len));
        assert_true(sf_composer_do(c, SF_COMPOSE_KILL_WORD));
        assert_true(sf_composer_type(c, "y", 1));
        sf_composer_clear(c);
    }
    assert_true(sf_composer_do(c, SF_COMPOSE_YANK));
    assert_int_equal(compose_cursor(c), SF_COMPOSER_MAX / 2);
    sf_strbuf_release(&big);
}

static void test_the_kill_ring_is_bounded(void **state)
{
    struct sf_composer *c = *state;
    char text[16];

    for (int i = 0; i < SF_COMPOSER_KILLS + 4; i++) {
        snprintf(text, sizeof(text), "k%d", i);
        assert_true(sf_composer_type(c, text, strlen(text)));
        assert_true(sf_composer_do(c, SF_COMPOSE_KILL_WORD));
    }
    compose_run(c, "<yank><yank-pop*15>", "ring");
    assert_true(compose_shows(c, "k4|", "the oldest that is kept"));
    compose_run(c, "<yank-pop>", "ring");
    assert_true(compose_shows(c, "k19|", "and round to the newest"));
}

/* ---- a random hand ---- */

static const char *const pieces[] = {
    "a",        "b ",           " ",  "\n", "word",         "ä",   "漢",       "e\xcc\x81",
    "\xcc\x81", "👩‍💻",  "🇩🇪", "\t", "\xe2\x80\x8d", "x.y", "👍🏽", "\xff",
    "\x1b[1m",  "\xed\xa0\x80", "한",
};

static void check_whole(const struct sf_composer *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t at = 0, cursor = compose_cursor(c);

    sf_composer_text(c, &text);
    assert_true(sf_utf8_valid(text.buf, text.len, NULL));
    while (at < cursor)
        at += sf_grapheme_next(text.buf + at, text.len - at);
    assert_int_equal(at, cursor);
    sf_strbuf_release(&text);
}

static void do_something(struct sf_composer *c, unsigned roll)
{
    const char *piece = pieces[roll / 64 % SF_COUNT(pieces)];

    switch (roll % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        sf_composer_type(c, piece, strlen(piece));
        break;
    case 4:
        sf_composer_paste(c, piece, strlen(piece));
        break;
    case 5:
        if (roll / 16 % 4 == 0) /* its edges join with nothing */
            sf_composer_paste(c, "\n" COMPOSE_CHIP "\n", strlen(COMPOSE_CHIP) + 2);
        break;
    case 6:
        sf_composer_rows(c, (int)(roll / 16 % 30));
        break;
    case 7:
        if (roll / 16 % 16 == 0)
            sf_composer_clear(c);
        else
            sf_composer_unfold(c);
        break;
    case 8:
        sf_composer_click(c, (int)(roll / 16 % 9), (int)(roll / 256 % 33));
        break;
    default:
        if (roll / 16 % SF_COMPOSE_ACTIONS < SF_COMPOSE_UNDO)
            sf_composer_do(c, (enum sf_compose)(roll / 16 % SF_COMPOSE_ACTIONS));
        break;
    }
}

static char *text_of(const struct sf_composer *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_composer_text(c, &text);
    return sf_strbuf_detach(&text);
}

static void assert_text(const struct sf_composer *c, const char *want)
{
    char *got = text_of(c);

    assert_string_equal(got, want);
    free(got);
}

static void check_frame(struct sf_composer *c, int rows, int cols)
{
    struct sf_frame frame = SF_FRAME_INIT;

    sf_frame_resize(&frame, rows, cols);
    sf_composer_draw(c, sf_frame_area(&frame), "› ", sf_look(SF_LOOK_ACCENT), "write");
    assert_true(frame.cursor);
    sf_frame_release(&frame);
}

static void test_a_random_hand(void **state)
{
    struct sf_composer *c = *state;
    unsigned seed = 1;

    for (int round = 0; round < 200; round++) {
        char *before = text_of(c), *after;
        int undone = 0;

        for (int i = 0; i < 100; i++) {
            seed = seed * 1664525u + 1013904223u;
            do_something(c, seed >> 8);
            check_whole(c);
        }
        check_frame(c, 1 + round % 7, 1 + round % 40);
        after = text_of(c);
        while (sf_composer_do(c, SF_COMPOSE_UNDO)) {
            check_whole(c);
            undone++;
        }
        assert_true(undone <= SF_COMPOSER_UNDO);
        if (!round)
            assert_text(c, before);
        while (sf_composer_do(c, SF_COMPOSE_REDO))
            check_whole(c);
        assert_text(c, after);
        free(before);
        free(after);
        if (round % 8 == 7) {
            sf_composer_free(c);
            *state = c = sf_composer_new();
        }
    }
}

/* From a text that stands, whatever is done is undone to it. */
static void test_undo_returns_to_the_start(void **state)
{
    struct sf_composer *c = *state;
    unsigned seed = 7;

    for (int round = 0; round < 60; round++) {
        sf_composer_free(c);
        *state = c = sf_composer_new();
        for (int i = 0; i < SF_COMPOSER_UNDO - 10; i++) {
            seed = seed * 1664525u + 1013904223u;
            do_something(c, seed >> 8);
        }
        while (sf_composer_do(c, SF_COMPOSE_UNDO))
            continue;
        assert_true(sf_composer_is_empty(c));
        assert_int_equal(compose_cursor(c), 0);
    }
}

/* Laying out what an edit touched gives the same rows as laying out everything. */
static void test_rows_follow_edits(void **state)
{
    struct sf_composer *c = *state, *fresh;
    unsigned seed = 3;

    for (int i = 0; i < 2000; i++) {
        struct sf_frame a = SF_FRAME_INIT, b = SF_FRAME_INIT;
        char *text;

        seed = seed * 1664525u + 1013904223u;
        if ((seed >> 8) % 16 != 5) /* a chip set again would not be one */
            do_something(c, seed >> 8);
        if (i % 300 == 299)
            sf_composer_clear(c);
        sf_composer_rows(c, 13);
        sf_composer_do(c, SF_COMPOSE_LAST);
        text = text_of(c);
        fresh = sf_composer_new();
        sf_composer_type(fresh, text, strlen(text));
        assert_int_equal(sf_composer_rows(c, 13), sf_composer_rows(fresh, 13));
        sf_frame_resize(&a, 9, 13);
        sf_frame_resize(&b, 9, 13);
        sf_composer_draw(c, sf_frame_area(&a), "", sf_look(SF_LOOK_TEXT), NULL);
        sf_composer_draw(fresh, sf_frame_area(&b), "", sf_look(SF_LOOK_TEXT), NULL);
        assert_int_equal(a.cursor_row, b.cursor_row);
        assert_int_equal(a.cursor_col, b.cursor_col);
        sf_composer_free(fresh);
        sf_frame_release(&a);
        sf_frame_release(&b);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scripts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_beginnings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_large_paste, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_long_line_is_a_chip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_undo_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_large_pastes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_kill_ring_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_random_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(test_undo_returns_to_the_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows_follow_edits, setup, teardown),
    };

    return cmocka_run_group_tests_name("composer", tests, NULL, NULL);
}
