/*
 * tally.c: counting tests in the output of a check. Three tables know the runners: numbers between
 * words, whole lines that stand for one test, and sentences that say that there was nothing to run.
 * All of them are read in any case. Numbers are added up, because one check may start many runners.
 */
#include "agent/tally.h"

#include <string.h>
#include <strings.h>

#include "base/base.h"

enum { COUNT_MAX = 1000000 };

enum kind { TOTAL, PASSED, FAILED, SKIPPED, RUNNER };

/*
 * A number stands between the two words. Without a word before it, it stands in a list: at the start
 * of a line, behind a punctuation mark or in a column, and the word behind it ends the item.
 */
static const struct {
    const char *before, *after;
    enum kind kind;
} numbers[] = {
    { "[  passed  ] ", " test", PASSED },      /* cmocka, googletest */
    { "[  failed  ] ", " test", FAILED },      /* cmocka, googletest */
    { "[  skipped ] ", " test", SKIPPED },     /* cmocka, googletest */
    { "ran ", " test", TOTAL },                /* unittest, bun */
    { "running ", " test", TOTAL },            /* cargo, cmocka, googletest */
    { "collected ", " item", TOTAL },          /* pytest */
    { "tests run: ", ",", TOTAL },             /* JUnit with maven */
    { "number of tests run: ", "", TOTAL },    /* ScalaTest */
    { "# tests ", "", TOTAL },                 /* node */
    { "\xe2\x84\xb9 tests ", "", TOTAL },      /* node */
    { "# total: ", "", TOTAL },                /* automake */
    { "failed out of ", "", TOTAL },           /* ctest */
    { "^1..", "", TOTAL },                     /* TAP */
    { ", tests=", ",", TOTAL },                /* prove */
    { "ok (", " test", TOTAL },                /* PHPUnit, JUnit */
    { "tests: ", ", assertions", TOTAL },      /* PHPUnit */
    { ", total: ", "", TOTAL },                /* dotnet */
    { "test summary: total: ", "", TOTAL },    /* dotnet */
    { "total tests: ", "", TOTAL },            /* dotnet */
    { "executed ", " test", TOTAL },           /* XCTest */
    { "executed ", " of ", TOTAL },            /* Karma */
    { "test run with ", " test", TOTAL },      /* Swift */
    { "done ", " test", TOTAL },               /* gotestsum */
    { "all ", " test", TOTAL },                /* tasty, zig */
    { "assertions in ", " test case", TOTAL }, /* Catch2 */
    { "assertion in ", " test case", TOTAL },  /* Catch2 */
    { "", " example", TOTAL },                 /* rspec */
    { "", " examples", TOTAL },                /* rspec */
    { "", " tests completed", TOTAL },         /* gradle */
    { "", " test completed", TOTAL },          /* gradle */
    { "", " runs, ", TOTAL },                  /* minitest */
    { "", " tests, ", TOTAL },                 /* bats, ExUnit, test-unit */
    { "", " test, ", TOTAL },                  /* bats, ExUnit, test-unit */
    { "tests: ", " total", TOTAL },            /* Jest */
    { "", " passed", PASSED },                 /* pytest, Jest, cargo, Vitest, Playwright */
    { "", " xpassed", PASSED },                /* pytest */
    { "", " passing", PASSED },                /* mocha */
    { "", " pass", PASSED },                   /* bun */
    { "# pass: ", "", PASSED },                /* automake */
    { "^ok: ", "", PASSED },                   /* meson */
    { "^passed: ", "", PASSED },               /* dotnet */
    { ", passed: ", "", PASSED },              /* dotnet */
    { ", succeeded: ", "", PASSED },           /* dotnet */
    { "tests: succeeded ", "", PASSED },       /* ScalaTest */
    { "| pass ", " ]", PASSED },               /* testthat */
    { "", " failed", FAILED },                 /* pytest, Jest, cargo, Vitest, Playwright */
    { "", " failing", FAILED },                /* mocha */
    { "", " failure", FAILED },                /* rspec, bats, minitest */
    { "", " failures", FAILED },               /* rspec, bats, minitest */
    { "", " fail", FAILED },                   /* bun */
    { "", " error in ", FAILED },              /* pytest */
    { "", " errors in ", FAILED },             /* pytest */
    { "", " error occurred outside", FAILED }, /* rspec */
    { "", " errors occurred outside", FAILED },
    { " failures, ", " error", FAILED }, /* minitest */
    { " failure, ", " error", FAILED },  /* minitest */
    { "expected failures=", "", SKIPPED },
    { "failed (failures=", "", FAILED }, /* unittest */
    { "failed (errors=", "", FAILED },   /* unittest */
    { ", errors=", "", FAILED },         /* unittest */
    { "unexpected successes=", "", FAILED },
    { ", failures: ", "", FAILED },  /* maven, PHPUnit */
    { ", errors: ", "", FAILED },    /* maven, PHPUnit */
    { "- failed: ", "", FAILED },    /* dotnet */
    { ", failed: ", "", FAILED },    /* dotnet */
    { "^failed: ", "", FAILED },     /* dotnet */
    { ", failed ", ",", FAILED },    /* ScalaTest */
    { "with ", " failure", FAILED }, /* XCTest */
    { "skipped and ", " failure", FAILED },
    { "[ fail ", " |", FAILED },    /* testthat */
    { "# fail: ", "", FAILED },     /* automake */
    { "# xpass: ", "", FAILED },    /* automake */
    { "# error: ", "", FAILED },    /* automake */
    { "# fail ", "", FAILED },      /* node */
    { "# cancelled ", "", FAILED }, /* node */
    { "\xe2\x84\xb9 fail ", "", FAILED },
    { "\xe2\x84\xb9 cancelled ", "", FAILED },
    { "^fail: ", "", FAILED },            /* meson */
    { "^unexpected pass: ", "", FAILED }, /* meson */
    { "^timeout: ", "", FAILED },         /* meson */
    { "", " skipped", SKIPPED },
    { "", " skips", SKIPPED },
    { "", " skip", SKIPPED },
    { "", " ignored", SKIPPED },
    { "", " pending", SKIPPED },
    { "", " todo", SKIPPED },
    { "", " xfailed", SKIPPED },
    { "", " deselected", SKIPPED },
    { "", " tests collected in ", SKIPPED }, /* pytest --collect-only */
    { "", " test collected in ", SKIPPED },
    { "with ", " test skipped", SKIPPED }, /* XCTest */
    { "with ", " tests skipped", SKIPPED },
    { "(skipped=", "", SKIPPED }, /* unittest */
    { ", skipped=", "", SKIPPED },
    { ", skipped: ", "", SKIPPED }, /* maven, PHPUnit, dotnet */
    { ", incomplete: ", "", SKIPPED },
    { "^skipped: ", "", SKIPPED }, /* meson */
    { "# skip: ", "", SKIPPED },   /* automake */
    { "# xfail: ", "", SKIPPED },  /* automake */
    { "# skipped ", "", SKIPPED }, /* node */
    { "# todo ", "", SKIPPED },    /* node */
    { "\xe2\x84\xb9 skipped ", "", SKIPPED },
    { "\xe2\x84\xb9 todo ", "", SKIPPED },
};

/* A line that begins so and holds the other words stands for one; the first row that fits counts. */
static const struct {
    const char *begins, *holds;
    enum kind kind;
} lines[] = {
    { "ok  \t", "[no tests to run]", RUNNER }, /* go */
    { "ok  \t", "", TOTAL },                   /* go, of a package */
    { "--- pass: ", "", PASSED },              /* go -v */
    { "--- skip: ", "", SKIPPED },
    { "--- fail: ", "", FAILED },
    { "fail\t", "", FAILED },
    { "{", "\"output\":\"ok  \\t", TOTAL }, /* go -json */
    { "{", "\"output\":\"--- pass: ", PASSED },
    { "{", "\"output\":\"--- skip: ", SKIPPED },
    { "{", "\"output\":\"--- fail: ", FAILED },
    { "{", "\"output\":\"fail\\t", FAILED },
    { "ok ", "# skip", SKIPPED }, /* TAP */
    { "ok ", "# todo", SKIPPED },
    { "not ok ", "# skip", SKIPPED },
    { "not ok ", "# todo", SKIPPED },
    { "not ok ", "", FAILED },
    { "bail out!", "", FAILED },
    { "result: fail", "", FAILED },             /* prove */
    { "test result: failed", "", FAILED },      /* cargo */
    { "build failed", "", FAILED },             /* gradle, ant */
    { "make: *** ", "", FAILED },               /* make */
    { "\xe2\x9c\x94 /", "js (", SKIPPED },      /* node counts a file without tests as one */
    { "[info] --- ", "surefire", RUNNER },      /* maven */
    { "", "***skipped", SKIPPED },              /* ctest */
    { "", "no tests found in class", SKIPPED }, /* PHPUnit, which counts it as one */
};

static const char *const nothing[] = {
    "no tests ran",       "no tests were found", "no test files",        "no tests to run",
    "no tests found",     "no test files found", "no tests executed",    "no test is available",
    "no tests collected", "no tests defined",    "tests  no tests",      "tests are skipped",
    "result: notests",    "no examples found",   "no test suites found",
};

/* Lines about files and the like, in which only a failure tells of tests. */
static const char *const not_tests[] = { "test suites:", "test files ", "snapshots:" };

static const char *const nouns[] = { " tests ", " test ", " test(s) ", " specs ", " spec " };

static const char *const make_idle[] = { "nothing to be done for", "' is up to date." };

/* How lines begin that are make's, or sf's own about the command. */
static const char *const not_said[] = {
    "make: ", "make[", "make ", "gmake: ", "gmake[", "making check in ", "making all in ", "[sf] ",
};

/* How a line of a shell ends that could not start a command. */
static const char *const unstarted[] = { ": command not found", ": not found",
                                         ": no such file or directory", ": permission denied" };

static bool begins(const char *text, size_t len, const char *word)
{
    size_t n = strlen(word);

    return len >= n && !strncasecmp(text, word, n);
}

static bool ends(const char *text, size_t len, const char *word)
{
    size_t n = strlen(word);

    return len >= n && !strncasecmp(text + len - n, word, n);
}

static bool contains(const char *line, size_t len, const char *word)
{
    for (size_t i = 0; i <= len; i++)
        if (begins(line + i, len - i, word))
            return true;
    return false;
}

static bool contains_any(const char *line, size_t len, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (contains(line, len, words[i]))
            return true;
    return false;
}

static bool begins_any(const char *line, size_t len, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(line, len, words[i]))
            return true;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_said(const char *line, size_t len)
{
    if (begins_any(line, len, not_said, SF_COUNT(not_said)))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!is_blank(line[i]))
            return true;
    return false;
}

/* "line 1: x" of bash, "1: x" of other shells: the line that names x, which could not be started. */
static bool names_place(const char *text, size_t len)
{
    size_t from = begins(text, len, "line ") ? strlen("line ") : 0, i = from;

    while (i < len && is_digit(text[i]))
        i++;
    return i > from && begins(text + i, len - i, ": ") && len - i > strlen(": ");
}

/* "bash: line 1: pytest: command not found", "sh: 1: pytest: not found". */
static bool is_unstarted(const char *line, size_t len)
{
    size_t left = 0;

    for (size_t i = 0; !left && i < SF_COUNT(unstarted); i++)
        if (ends(line, len, unstarted[i]))
            left = len - strlen(unstarted[i]);
    for (size_t i = 0; i + 2 < left; i++)
        if (begins(line + i, left - i, ": ") && names_place(line + i + 2, left - i - 2))
            return true;
    return false;
}

static void add(struct sf_tally *t, enum kind kind, int64_t n)
{
    switch (kind) {
    case TOTAL:
        t->total += n;
        t->counted = true;
        break;
    case PASSED:
        t->passed += n;
        t->counted = true;
        break;
    case FAILED:
        t->failed += n;
        break;
    case SKIPPED:
        t->skipped += n;
        break;
    case RUNNER: /* It started; how many tests there are is told elsewhere, or there are none. */
        t->counted = true;
        break;
    }
}

/* The place of a number in a list: "2 passed, 1 failed" has two of them, "after 2 failed" none. */
static bool is_item(const char *line, size_t from)
{
    size_t i = from;

    while (i && is_blank(line[i - 1]))
        i--;
    if (!i || from - i >= 2)
        return true;
    if (from == i)
        return line[i - 1] == '(' || line[i - 1] == '|';
    return !is_letter(line[i - 1]) && !is_digit(line[i - 1]);
}

/* What follows an item: a punctuation mark, the time it took, or nothing. */
static bool ends_item(const char *text, size_t len)
{
    size_t i = 0;

    if (len && *text == ':')
        return false;
    while (i < len && is_blank(text[i]))
        i++;
    if (i == len || !(is_letter(text[i]) || is_digit(text[i])))
        return true;
    return i && (begins(text + i, len - i, "in ") || begins(text + i, len - i, "out of "));
}

static bool fits_behind(const char *text, size_t len, const char *after)
{
    size_t n = strlen(after);

    return begins(text, len, after) &&
           (after[n - 1] == ' ' || strchr(after + 1, ' ') || ends_item(text + n, len - n));
}

/* An item may name what it counts: "2 tests passed". */
static bool is_listed(const char *line, size_t len, size_t from, size_t to, const char *after)
{
    if (!is_item(line, from))
        return false;
    if (fits_behind(line + to, len - to, after))
        return true;
    for (size_t i = 0; i < SF_COUNT(nouns); i++)
        if (begins(line + to, len - to, nouns[i])) {
            to += strlen(nouns[i]) - 1;
            return fits_behind(line + to, len - to, after);
        }
    return false;
}

/* Numbers that stand in a column have several blanks before them, which count as one. */
static bool is_between(const char *line, size_t len, size_t from, size_t to, size_t row)
{
    const char *before = numbers[row].before;

    if (!*before)
        return is_listed(line, len, from, to, numbers[row].after);
    while (from > 1 && line[from - 1] == ' ' && line[from - 2] == ' ')
        from--;
    if (*before == '^' && from != strlen(++before))
        return false;
    return ends(line, from, before) && begins(line + to, len - to, numbers[row].after);
}

/* A summary that begins with what was skipped has nothing that passed. */
static bool is_first(const char *line, size_t from)
{
    while (from)
        if (is_digit(line[--from]))
            return false;
    return true;
}

static void add_number(struct sf_tally *t, const char *line, size_t len, size_t from, size_t to)
{
    const bool aside = begins_any(line, len, not_tests, SF_COUNT(not_tests));
    int64_t n = 0;

    for (size_t i = from; i < to; i++)
        n = n < COUNT_MAX ? n * 10 + (line[i] - '0') : n;
    for (size_t i = 0; i < SF_COUNT(numbers); i++)
        if (is_between(line, len, from, to, i)) {
            if (!aside || numbers[i].kind == FAILED)
                add(t, numbers[i].kind, n);
            if (!aside && numbers[i].kind == SKIPPED && n && is_first(line, from))
                t->counted = true;
            return;
        }
}

static void add_numbers(struct sf_tally *t, const char *line, size_t len)
{
    for (size_t i = 0, end; i < len; i = end) {
        end = i + 1;
        if (!is_digit(line[i]))
            continue;
        while (end < len && is_digit(line[end]))
            end++;
        add_number(t, line, len, i, end);
    }
}

static void read_line(struct sf_tally *t, const char *line, size_t len)
{
    while (len && is_blank(*line)) {
        line++;
        len--;
    }
    t->nothing = t->nothing || contains_any(line, len, nothing, SF_COUNT(nothing));
    t->missing = t->missing || is_unstarted(line, len);
    if (contains_any(line, len, make_idle, SF_COUNT(make_idle)))
        t->idle = true;
    else
        t->said = t->said || is_said(line, len);
    for (size_t i = 0; i < SF_COUNT(lines); i++)
        if (begins(line, len, lines[i].begins) && contains(line, len, lines[i].holds)) {
            add(t, lines[i].kind, 1);
            break;
        }
    add_numbers(t, line, len);
}

struct sf_tally sf_tally_read(const char *output, size_t len)
{
    struct sf_tally t = { .total = 0 };
    struct sf_plain plain = SF_PLAIN_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_plain_add(&plain, output, len, &text);
    sf_plain_end(&plain, &text);
    for (size_t at = 0; at < text.len;) {
        const char *newline = memchr(text.buf + at, '\n', text.len - at);
        size_t n = newline ? (size_t)(newline - text.buf) - at : text.len - at;

        read_line(&t, text.buf + at, n);
        at += n + 1;
    }
    sf_plain_release(&plain);
    sf_strbuf_release(&text);
    return t;
}

int64_t sf_tally_ran(const struct sf_tally *tally)
{
    int64_t ran = tally->total - tally->skipped;

    return ran > tally->passed ? ran : tally->passed;
}
