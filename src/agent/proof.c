/*
 * proof.c: what a check proves, by its exit code and by how many tests it says it ran. The exit code
 * comes first: a check that fails has failed, whatever else it says. A runner that finds no test ends
 * well as a rule, so its words are read: numbers in known surroundings are added up, and some
 * sentences say that there was nothing to run. make's own speak of one target of perhaps many, and
 * decide only where nothing else was printed.
 */
#include "agent/proof.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, COUNT_MAX = 1000000 };

const char *const sf_proof_names[] = { "not verified", "passed", "failed", NULL };

/* A number of tests stands between these two, in any case. */
static const struct {
    const char *before, *after;
} counts[] = {
    { "ran ", " test" },       /* unittest */
    { "running ", " test" },   /* cargo, cmocka, googletest */
    { "collected ", " item" }, /* pytest */
    { "tests run: ", "," },    /* JUnit */
    { "# tests ", "" },        /* node --test */
    { "\xe2\x84\xb9 tests ", "" },
    { " out of ", "" }, /* ctest */
    { "1..", "" },      /* TAP */
    { "# pass: ", "" }, /* automake, whose total has those that were skipped as well */
    { "# fail: ", "" },
    { "# xfail: ", "" },
    { "# xpass: ", "" },
    { "", " passed" },  /* pytest, jest, cargo */
    { "", " passing" }, /* mocha */
    { "", " example" }, /* rspec */
};

static const char *const nothing[] = {
    "no tests ran",      "no tests were found",  "no test files",
    "no tests to run",   "no tests found",       "no test files found",
    "no tests executed", "no test is available", "no tests collected",
};

/* A runner that found no test says so and fails for that reason alone. */
static const struct {
    int code;
    const char *words;
} none_found[] = {
    { 5, "no tests ran" }, /* pytest, unittest */
    { 1, "no tests found, exiting with code 1" },
    { 1, "no test files found, exiting with code 1" },
};

static const char *const make_idle[] = { "nothing to be done for", "' is up to date." };

/* How lines begin that are make's, or sf's own about the command. */
static const char *const not_said[] = {
    "make: ", "make[", "make ", "gmake: ", "gmake[", "making check in ", "making all in ", "[sf] ",
};

struct tests {
    int64_t run;
    bool counted; /* Some number was told. */
    bool nothing; /* A sentence says that there was nothing to run. */
    bool idle;    /* make says that there was nothing to do for a target. */
    bool said;    /* Something was printed besides make's own lines. */
};

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
    for (size_t i = 0; i < len; i++)
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

static bool is_said(const char *line, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(not_said); i++)
        if (begins(line, len, not_said[i]))
            return false;
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r", line[i]))
            return true;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Numbers that stand in a column have several blanks before them, which count as one. */
static void add_number(struct tests *t, const char *line, size_t len, size_t from, size_t to)
{
    int64_t n = 0;

    for (size_t i = from; i < to; i++)
        n = n < COUNT_MAX ? n * 10 + (line[i] - '0') : n;
    while (from > 1 && line[from - 1] == ' ' && line[from - 2] == ' ')
        from--;
    for (size_t i = 0; i < SF_COUNT(counts); i++)
        if (ends(line, from, counts[i].before) && begins(line + to, len - to, counts[i].after)) {
            t->run += n;
            t->counted = true;
            return;
        }
}

/* "ok  package 0.1s" is how go tells of a package whose tests passed. */
static void read_line(struct tests *t, const char *line, size_t len)
{
    t->nothing = t->nothing || contains_any(line, len, nothing, SF_COUNT(nothing));
    if (contains_any(line, len, make_idle, SF_COUNT(make_idle)))
        t->idle = true;
    else
        t->said = t->said || is_said(line, len);
    if (begins(line, len, "ok  \t") && !contains(line, len, "[no tests to run]")) {
        t->run++;
        t->counted = true;
    }
    for (size_t i = 0, end; i < len; i = end) {
        end = i + 1;
        if (!is_digit(line[i]))
            continue;
        while (end < len && is_digit(line[end]))
            end++;
        add_number(t, line, len, i, end);
    }
}

static struct tests read_output(const char *output, size_t len)
{
    struct tests t = { 0 };

    while (len) {
        const char *newline = memchr(output, '\n', len);
        size_t n = newline ? (size_t)(newline - output) : len;

        read_line(&t, output, n);
        n += newline != NULL;
        output += n;
        len -= n;
    }
    return t;
}

static bool ran_none(int exit_code, const char *output, size_t len)
{
    const struct tests t = read_output(output, len);

    if (t.run)
        return false;
    if (!exit_code)
        return t.counted || t.nothing || (t.idle && !t.said);
    for (size_t i = 0; i < SF_COUNT(none_found); i++)
        if (exit_code == none_found[i].code && contains(output, len, none_found[i].words))
            return true;
    return false;
}

enum sf_proof sf_proof_of(int exit_code, const char *output, size_t len, const char **why)
{
    *why = "";
    if (exit_code < 0)
        *why = "it did not come to an end";
    else if (exit_code == NOT_FOUND)
        *why = "there is no such command";
    else if (exit_code == NOT_EXECUTABLE)
        *why = "the command cannot be executed";
    else if (ran_none(exit_code, output, len))
        *why = "it ran no test";
    if (**why)
        return SF_PROOF_NONE;
    return exit_code ? SF_PROOF_FAILED : SF_PROOF_PASSED;
}
