/*
 * review_secrets.c: lines that stood in files which may hold secrets. A secret that was copied to
 * another name keeps its lines, however little else the two files have in common, so lines are
 * compared rather than files.
 */
#include <stdlib.h>
#include <string.h>

#include "agent/review_diff.h"

enum {
    LINE_MIN = 8,       /* bytes: shorter ones stand everywhere */
    LINE_BYTES = 1024,  /* of a line are compared */
    LINES_MAX = 400000, /* of all files together */
};

/* The line without blanks around it, up to a NUL; false: it is too short to tell anything. */
static bool trim(const char **line, size_t *len)
{
    *len = strnlen(*line, *len);
    while (*len && strchr(" \t\r", **line))
        ++*line, --*len;
    while (*len && strchr(" \t\r", (*line)[*len - 1]))
        --*len;
    if (*len > LINE_BYTES)
        *len = LINE_BYTES;
    return *len >= LINE_MIN;
}

bool sf_review_secrets_add(struct sf_review_secrets *secrets, const char *text, size_t len,
                           bool patch, struct sf_error *err)
{
    for (size_t n; len; text += n, len -= n) {
        const char *newline = memchr(text, '\n', len), *line = text;
        size_t rest = newline ? (size_t)(newline - text) : len;

        n = rest + (newline != NULL);
        if (patch && (!rest || *line != '+'))
            continue;
        line += patch;
        rest -= patch;
        if (!trim(&line, &rest))
            continue;
        if (secrets->lines.count == LINES_MAX)
            return sf_fail(err, SF_E_LIMIT, "files that may hold secrets have too many lines");
        sf_strlist_adopt(&secrets->lines, sf_strndup(line, rest));
    }
    return true;
}

void sf_review_secrets_settle(struct sf_review_secrets *secrets)
{
    sf_strlist_sort(&secrets->lines);
}

void sf_review_secrets_release(struct sf_review_secrets *secrets)
{
    sf_strlist_release(&secrets->lines);
}

struct line {
    const char *text;
    size_t len;
};

static int compare(const void *key, const void *item)
{
    const struct line *line = key;
    const char *known = *(char *const *)item;
    int order = strncmp(line->text, known, line->len);

    return order ? order : -(int)(known[line->len] != '\0');
}

bool sf_review_secrets_have(const struct sf_review_secrets *secrets, const char *text, size_t len)
{
    struct line line = { text, len };

    return secrets->lines.count && trim(&line.text, &line.len) &&
           bsearch(&line, secrets->lines.items, secrets->lines.count, sizeof(*secrets->lines.items),
                   compare);
}
