/*
 * What a review covers, as data: what the words behind /review mean, how one report follows
 * another, and which files of a change count as seen.
 */
#include <stdlib.h>

#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

/* ---- words ---- */

static const struct {
    const char *name, *words;
    bool ok;
    enum sf_severity fail_on;
    const char *focus, *hint;
} words[] = {
    { "nothing", "", true, SF_SEVERITY_MAJOR, NULL, NULL },
    { "a severity", "main --fail-on minor", true, SF_SEVERITY_MINOR, NULL, NULL },
    { "a severity behind a sign", "main --fail-on=minor", true, SF_SEVERITY_MINOR, NULL, NULL },
    { "a severity first", "--fail-on=note main", true, SF_SEVERITY_NOTE, NULL, NULL },
    { "a severity within the focus", "main the --fail-on note locks", true, SF_SEVERITY_NOTE,
      "the locks", NULL },
    { "a dash in the focus", "main locks - all of them", true, SF_SEVERITY_MAJOR,
      "locks - all of them", NULL },
    { "a mistyped severity", "main --fail-on=mino", false, SF_SEVERITY_MAJOR, NULL, "minor" },
    { "a mistyped option", "main --failon minor", false, SF_SEVERITY_MAJOR, NULL, "--fail-on" },
    { "a mistyped option first", "--stagde", false, SF_SEVERITY_MAJOR, NULL, "--staged" },
    { "an option of nobody", "main --bogus", false, SF_SEVERITY_MAJOR, NULL, "as in /review" },
    { "two things at once", "main --staged", false, SF_SEVERITY_MAJOR, NULL, "as in /review" },
    { "what would be an option is a path behind dashes", "main -- --bogus", true, SF_SEVERITY_MAJOR,
      NULL, NULL },
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(words); i++) {
        struct sf_review_what what;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_review_what_parse(&what, words[i].words, &err);

        if (ok != words[i].ok || (words[i].hint && !strstr(err.hint, words[i].hint)))
            fail_msg("%s: %d, %s (%s)", words[i].name, ok, err.msg, err.hint);
        if (!ok)
            continue;
        if (what.fail_on != words[i].fail_on ||
            strcmp(what.focus ? what.focus : "", words[i].focus ? words[i].focus : "") != 0)
            fail_msg("%s: %d, focus %s", words[i].name, what.fail_on, what.focus);
        sf_review_what_release(&what);
    }
}

static const struct {
    const char *word;
    bool prose;
} prose[] = {
    { "please", true },       { "Security,", true },
    { "don't", true },        { "thread-safety", true },
    { "Größe", true },        { "face", true },
    { "orign/main", false },  { "abcdef1", false },
    { "deadbee", false },     { "v1", false },
    { "HEAD~1", false },      { "a.c", false },
    { "src/nothere", false }, { "feature_x", false },
    { "@", false },           { "", false },
    { "-", false },           { "...", false },
};

static void test_prose(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(prose); i++)
        if (sf_review_is_prose(prose[i].word) != prose[i].prose)
            fail_msg("%s", prose[i].word);
}

/* ---- one report behind another ---- */

static void read_report(struct sf_review_report *r, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, strlen(text), NULL, &err);

    assert_non_null(json);
    if (!sf_review_report_read(r, json, &err))
        fail_msg("%s: %s", text, err.msg);
    sf_json_free(json);
}

#define ONE(file, line, severity, title)                                                         \
    "{\"file\":\"" file "\",\"line\":" #line ",\"severity\":\"" severity "\",\"title\":\"" title \
    "\"}"
#define REPORT(findings) "{\"findings\":[" findings "]}"

static const struct {
    const char *name, *first, *then, *tally;
} joins[] = {
    { "the second is empty", REPORT(ONE("a.c", 4, "major", "odd")), REPORT(""),
      "1 finding: 1 major" },
    { "the first is empty", REPORT(""), REPORT(ONE("a.c", 4, "major", "odd")),
      "1 finding: 1 major" },
    { "the same title at another place", REPORT(ONE("a.c", 400, "major", "odd")),
      REPORT(ONE("a.c", 4, "major", "odd")), "1 finding: 1 major" },
    { "the same, made harmless", REPORT(ONE("a.c", 4, "critical", "odd")),
      REPORT(ONE("a.c", 4, "note", "it is fine")), "1 finding: 1 critical" },
    { "the same, and worse", REPORT(ONE("a.c", 4, "note", "odd")),
      REPORT(ONE("a.c", 4, "major", "odd")), "1 finding: 1 major" },
    { "another one", REPORT(ONE("a.c", 4, "major", "odd")), REPORT(ONE("b.c", 1, "note", "new")),
      "2 findings: 1 major, 1 note" },
};

static void test_join(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(joins); i++) {
        struct sf_review_report first, then;
        struct sf_strbuf tally = SF_STRBUF_INIT;

        read_report(&first, joins[i].first);
        read_report(&then, joins[i].then);
        sf_review_report_join(&then, &first);
        sf_review_tally_add(&then, &tally);
        if (strcmp(tally.buf, joins[i].tally) != 0)
            fail_msg("%s: %s", joins[i].name, tally.buf);
        sf_strbuf_release(&tally);
        sf_review_report_release(&first);
        sf_review_report_release(&then);
    }
}

/* However many are joined, the ceiling holds and the worst stay. */
static void test_join_many(void **state)
{
    struct sf_review_report first, then;
    struct sf_strbuf json = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&json, "{\"findings\":[");
    for (int i = 0; i < SF_FINDINGS_MAX; i++)
        sf_strbuf_addf(&json,
                       "%s{\"file\":\"a.c\",\"line\":%d,\"severity\":\"note\",\"title\":\"n%d\"}",
                       i ? "," : "", i + 1, i);
    sf_strbuf_adds(&json, "]}");
    read_report(&first, json.buf);
    read_report(&then, REPORT(ONE("b.c", 1, "critical", "worst")));
    sf_review_report_join(&then, &first);
    assert_int_equal(then.count, SF_FINDINGS_MAX);
    assert_string_equal(then.findings[0].title, "worst");
    sf_review_report_release(&first);
    sf_review_report_release(&then);
    sf_strbuf_release(&json);
}

/* ---- what was seen ---- */

enum { NONE, FIRST, BOTH };

static const struct {
    const char *name;
    int seen; /* of the two files */
    const char *report, *withheld;
    enum sf_review_verdict verdict;
    size_t unseen;
} covers[] = {
    { "all of it", BOTH, REPORT(""), NULL, SF_REVIEW_CLEAN, 0 },
    { "a part of it", FIRST, REPORT(""), NULL, SF_REVIEW_PART, 1 },
    { "nothing", NONE, REPORT(""), NULL, SF_REVIEW_NOT_DONE, 2 },
    { "nothing, and a finding", NONE, REPORT(ONE("a", 1, "note", "t")), NULL, SF_REVIEW_FINDINGS,
      2 },
    { "a part, and a finding", FIRST, REPORT(ONE("a", 1, "note", "t")), NULL, SF_REVIEW_FINDINGS,
      1 },
    { "all but a file that is withheld", BOTH, REPORT(""), ".env", SF_REVIEW_PART, 1 },
    { "a report that claims to be clean", NONE, "{\"verdict\":\"clean\",\"findings\":[]}", NULL,
      SF_REVIEW_NOT_DONE, 2 },
    { "a report that says itself what it did not see", BOTH,
      "{\"findings\":[],\"unseen\":[\"x\"],\"unseen_count\":7}", NULL, SF_REVIEW_CLEAN, 0 },
};

static void test_cover(void **state)
{
    static const char stat[] = "-\t-\ta\0"
                               "7000\t0\tb\0"
                               "0\t0\trenamed";

    (void)state;
    for (size_t i = 0; i < SF_COUNT(covers); i++) {
        struct sf_review_diff diff = { .count = 0 };
        struct sf_review_report r;
        struct sf_strlist withheld = SF_STRLIST_INIT;

        assert_true(sf_review_diff_stat(&diff, stat, sizeof(stat)));
        if (covers[i].withheld)
            sf_strlist_add(&withheld, covers[i].withheld);
        if (covers[i].seen != NONE)
            sf_review_diff_saw(&diff, "a");
        if (covers[i].seen == BOTH)
            sf_review_diff_saw(&diff, "b");
        read_report(&r, covers[i].report);
        sf_review_report_cover(&r, &diff, &withheld);
        if (r.verdict != covers[i].verdict || r.unseen_count != covers[i].unseen)
            fail_msg("%s: %s, %zu", covers[i].name, sf_review_verdict_names[r.verdict],
                     r.unseen_count);
        sf_review_report_release(&r);
        sf_review_diff_release(&diff);
        sf_strlist_release(&withheld);
    }
}

static const struct {
    const char *command, *path;
    bool shows;
} commands[] = {
    { "cat src/big.c", "src/big.c", true },
    { "cat ./src/big.c", "src/big.c", true },
    { "git show 0123abc:src/big.c | head -200", "src/big.c", true },
    { "sed -n '1,90p' 'src/big.c' 2>/dev/null", "src/big.c", true },
    { "git diff HEAD -- src/big.c", "src/big.c", true },
    { "cat src/big.cc", "src/big.c", false },
    { "cat osrc/big.c", "src/big.c", false },
    { "cat other/src/big.c", "src/big.c", false },
    { "echo src/big.c", "src/big.c", false },
    { "ls src/big.c", "src/big.c", false },
    { "cat src/big.c >/dev/null", "src/big.c", false },
    { "cat", "src/big.c", false },
};

static void test_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(commands); i++)
        if (sf_review_command_shows(commands[i].command, commands[i].path) != commands[i].shows)
            fail_msg("%s", commands[i].command);
}

/* ---- the report as others get it ---- */

static void test_unseen_in_texts(void **state)
{
    struct sf_review_report r;
    struct sf_strbuf text = SF_STRBUF_INIT, page = SF_STRBUF_INIT;

    (void)state;
    read_report(&r, "{\"what\":\"main\",\"verdict\":\"reviewed in part\",\"findings\":[],"
                    "\"unseen\":[\"a_b.c\",\"x\"],\"unseen_count\":3}");
    sf_review_text_add(&r, &text);
    assert_string_equal(text.buf, "not seen: a_b.c\nnot seen: x\nnot seen: and 1 more\n"
                                  "no findings; not seen: 3 files\n");
    sf_review_page_add(&r, &page);
    assert_string_equal(page.buf, "**Review of main:** no findings; not seen: 3 files\n\n"
                                  "Not seen: a\\_b.c, x, and 1 more\n");
    sf_review_report_release(&r);
    sf_strbuf_release(&text);
    sf_strbuf_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_prose),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_join_many),
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_unseen_in_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
