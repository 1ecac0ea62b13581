/*
 * line.c: lines of make and of shells. make speaks of one target of perhaps many, so its words decide
 * only where nothing else was printed.
 */
#include "verify/line.h"

#include <string.h>
#include <strings.h>

#include "base/base.h"

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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool sf_line_is_said(const char *line, size_t len)
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
bool sf_line_is_unstarted(const char *line, size_t len)
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

bool sf_line_is_idle(const char *line, size_t len)
{
    return (begins(line, len, "make") || begins(line, len, "gmake")) &&
           contains_any(line, len, make_idle, SF_COUNT(make_idle));
}
