/*
 * flow: builds running text. Whitespace collapses, and line breaks are requested before it is known
 * whether any text follows; both are written when the next visible character comes, so there is
 * never whitespace at the end of a line or more than one empty line in a row.
 */
#ifndef SF_TOOLS_FLOW_H
#define SF_TOOLS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_flow {
    struct sf_strbuf *out;
    size_t start, max; /* where the text begins in `out`, and its maximum length */
    bool exact;        /* preformatted: whitespace is kept */

    /* The rest is private to flow.c. */
    int breaks;
    bool space;
    size_t bars;
    size_t shown, row_shown; /* visible bytes so far, and where the row began */
    char prefix[48];
};

/* The next text starts a new line; with 2, after an empty line. No effect in an empty cell. */
void sf_flow_break(struct sf_flow *flow, int breaks);
void sf_flow_line(struct sf_flow *flow); /* adds a line break, up to one empty line */

/* A prefix for the next text; added to earlier prefixes. */
void sf_flow_prefix(struct sf_flow *flow, const char *prefix);
bool sf_flow_clear(struct sf_flow *flow); /* drops the prefix; false: it was written already */

/* Separates two cells; bars of empty cells are written when a later cell has text. */
void sf_flow_bar(struct sf_flow *flow);
void sf_flow_end_row(struct sf_flow *flow);

void sf_flow_text(struct sf_flow *flow, const char *text, size_t len);
void sf_flow_char(struct sf_flow *flow, uint32_t cp);

/* Writes at once, directly after the last character. */
void sf_flow_mark(struct sf_flow *flow, const char *text);

size_t sf_flow_shown(const struct sf_flow *flow); /* counts visible bytes */
bool sf_flow_full(const struct sf_flow *flow);

#endif
