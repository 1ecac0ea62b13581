/*
 * excerpt: the lines of one file that are shown for its matches, as grep writes them: with the
 * path and the number in front, ":" for a line that matches and "-" for one around it, and "--"
 * between groups that do not touch. Long lines are cut to a window around the match, with a note.
 *
 * Matches come in order. When there are enough lines the rest is not written, and `full` says so.
 */
#ifndef SF_FIND_EXCERPT_H
#define SF_FIND_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "find/pattern.h"

struct sf_excerpt {
    /* set by the caller */
    const char *path; /* as shown */
    const char *text;
    size_t len;
    size_t before, after; /* lines around a match */
    size_t columns_max;   /* bytes of a line */
    size_t lines_max, bytes_max;
    struct sf_strbuf *out; /* appended to */

    /* begins at zero */
    size_t lines;
    bool full;
    size_t done;      /* all before this is shown or passed over */
    size_t pending;   /* lines still to be shown behind the last match */
    size_t number_at; /* there `number` lines have ended */
    uint64_t number;
};

void sf_excerpt_match(struct sf_excerpt *e, const struct sf_span *span);
void sf_excerpt_finish(struct sf_excerpt *e);

/* A path without what could command a terminal or pass for another line. */
void sf_excerpt_show_path(struct sf_strbuf *out, const char *path);

#endif
