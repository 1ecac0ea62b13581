/*
 * diff_read.c: a unified diff as rows. The counts of a hunk's header say how far it goes, so a
 * removed line that looks like a header is not taken for one; a line that the counts do not allow
 * ends the hunk.
 */
#include <ctype.h>
#include <string.h>

#include "view/diff_parts.h"

enum { DIGITS_MAX = 15 }; /* no file has more lines */

static size_t line_len(const struct sf_diff_reader *r, size_t at)
{
    const char *newline = at < r->len ? memchr(r->text + at, '\n', r->len - at) : NULL;

    return newline ? (size_t)(newline - r->text) - at : r->len - at;
}

static bool starts(const char *text, size_t len, const char *with)
{
    return strlen(with) <= len && !memcmp(text, with, strlen(with));
}

static bool read_number(const char **text, const char *end, uint64_t *value)
{
    const char *start = *text;

    for (*value = 0; *text < end && isdigit((unsigned char)**text); ++*text)
        if (*text - start < DIGITS_MAX)
            *value = *value * 10 + (uint64_t)(**text - '0');
    return *text > start && *text - start <= DIGITS_MAX;
}

/* "-12,3": a place and a count, which is 1 when it is not said. */
static bool read_range(const char **text, const char *end, uint64_t *line, uint64_t *count)
{
    *count = 1;
    if (!read_number(text, end, line))
        return false;
    if (*text == end || **text != ',')
        return true;
    ++*text;
    return read_number(text, end, count);
}

static bool read_hunk(struct sf_diff_reader *r, const char *text, size_t len,
                      struct sf_diff_row *row)
{
    const char *end = text + len;

    if (!starts(text, len, "@@ -"))
        return false;
    text += strlen("@@ -");
    if (!read_range(&text, end, &r->old_line, &r->old_left) ||
        !starts(text, (size_t)(end - text), " +"))
        goto bad;
    text += strlen(" +");
    if (!read_range(&text, end, &r->new_line, &r->new_left) ||
        !starts(text, (size_t)(end - text), " @@"))
        goto bad;
    text += strlen(" @@");
    *row = (struct sf_diff_row){ .kind = SF_DIFF_HUNK, .text = text };
    row->len = (size_t)(end - text);
    return true;
bad:
    r->old_left = r->new_left = 0;
    return false;
}

/* A line of the hunk we are in, if the counts still allow it. */
static bool read_body(struct sf_diff_reader *r, const char *text, size_t len,
                      struct sf_diff_row *row)
{
    bool bare = !len || *text == '\r'; /* some tools drop the space of an empty line */
    size_t skip = bare ? 0 : 1;

    *row = (struct sf_diff_row){ .text = text + skip, .len = len - skip };
    if ((bare || *text == ' ') && r->old_left && r->new_left) {
        row->kind = SF_DIFF_CONTEXT;
        row->number = r->new_line++;
        row->before = r->old_line++;
        r->old_left--;
        r->new_left--;
    } else if (!bare && *text == '-' && r->old_left) {
        row->kind = SF_DIFF_REMOVED;
        row->number = r->old_line++;
        r->old_left--;
    } else if (!bare && *text == '+' && r->new_left) {
        row->kind = SF_DIFF_ADDED;
        row->number = r->new_line++;
        r->new_left--;
    } else {
        return false;
    }
    return true;
}

bool sf_diff_read(struct sf_diff_reader *r, struct sf_diff_row *row)
{
    size_t len = line_len(r, r->at), next = r->at + len + 1;
    const char *text = r->text + r->at;

    if (r->at >= r->len)
        return false;
    r->at = next;
    if (starts(text, len, "\\ ")) {
        *row = (struct sf_diff_row){ .kind = SF_DIFF_NOTE, .text = text, .len = len };
        return true;
    }
    if ((r->old_left || r->new_left) && read_body(r, text, len, row))
        return true;
    r->old_left = r->new_left = 0;
    if (read_hunk(r, text, len, row))
        return true;
    *row = (struct sf_diff_row){ .kind = SF_DIFF_OTHER, .text = text, .len = len };
    if (starts(text, len, "--- ") && next < r->len &&
        starts(r->text + next, r->len - next, "+++ ")) {
        row->kind = SF_DIFF_FILE;
        row->more = r->text + next;
        row->more_len = line_len(r, next);
        r->at = next + row->more_len + 1;
    }
    return true;
}
