/*
 * exact: text that somebody decides about, spelled so that nothing in it goes unseen. What a
 * terminal shows as nothing, as a blank or not at all gets a mark in its place:
 *
 *     line break        ↵, and the line ends
 *     tab               →, and the tab
 *     blanks at the end of a line          · for each
 *     many blanks in a row                 ⟨200 blanks⟩
 *     controls          their pictures: ␍ ␛
 *     other blanks, bidi controls, joiners, tags, unassigned   ⟨U+202E⟩
 *     bytes that are no UTF-8              ⟨0xFF⟩
 *
 * A selector, joiner or skin tone that belongs to a pictograph before it is left alone. Everything
 * else is passed on as it is and still has to be sanitised (sf_text_sanitize).
 */
#ifndef SF_BASE_EXACT_H
#define SF_BASE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum sf_exact_kind {
    SF_EXACT_PLAIN, /* the text itself */
    SF_EXACT_BLANK, /* a mark for a line break, a tab or blanks */
    SF_EXACT_ODD,   /* a mark for a character that nobody expects */
};

/* Walks `text` from `at` to `end`; what stands behind `end` decides what a blank means. */
struct sf_exact {
    const char *text;
    size_t len, at, end;
    bool one_line;    /* marks stand alone: no line ends, no tab follows */
    unsigned picture; /* set by the walk: what may follow the pictograph before */
    unsigned marks;   /* set by the walk: characters without a width in a row */
};

/* Appends the next piece; false at the end. */
bool sf_exact_next(struct sf_exact *e, struct sf_strbuf *out, enum sf_exact_kind *kind);

/* Appends all of it, for surfaces without colours. */
void sf_exact_add(struct sf_strbuf *out, const char *text, size_t len, bool one_line);

#endif
