/*
 * flow: running text in the making. Blanks collapse, and line breaks are asked for before it is
 * known whether any text follows; both are written when the next visible character comes, so
 * there are never blanks at the end of a line or more than one empty line in a row.
 */
#ifndef SF_TOOLS_FLOW_H
#define SF_TOOLS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_flow {
    struct sf_strbuf *out;
    size_t start, max; /* where the text begins in `out`, and how long it may become */
    bool exact;        /* preformatted: blanks are kept */

    /* The rest is for flow.c. */
    int breaks;
    bool space;
    size_t bars;
    size_t shown, row_shown; /* visible bytes so far, and where the row began */
    char prefix[48];
};

/* The next text begins a line; with 2, behind an empty one. In a cell without text: nothing. */
void sf_flow_break(struct sf_flow *flow, int breaks);
void sf_flow_line(struct sf_flow *flow); /* one more line break, up to an empty line */

/* What the next text begins with; added to what was asked for before. */
void sf_flow_prefix(struct sf_flow *flow, const char *prefix);
bool sf_flow_clear(struct sf_flow *flow); /* no prefix any more; false: it was written */

/* A cell follows another one; bars of cells without text are written when a later one has some. */
void sf_flow_bar(struct sf_flow *flow);
void sf_flow_end_row(struct sf_flow *flow);

void sf_flow_text(struct sf_flow *flow, const char *text, size_t len);
void sf_flow_char(struct sf_flow *flow, uint32_t cp);

/* At once, right behind the last character. */
void sf_flow_mark(struct sf_flow *flow, const char *text);

size_t sf_flow_shown(const struct sf_flow *flow); /* grows with every visible character */
bool sf_flow_full(const struct sf_flow *flow);

#endif
