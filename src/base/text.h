/*
 * text: how wide text is on a terminal, where it may be cut, and how it is made safe to show.
 *
 * Columns are wcwidth's, as ncurses counts them, and never depend on the environment: the table
 * is always that of C.UTF-8. Grapheme clusters are Unicode's, cut at SF_GRAPHEME_MAX bytes so
 * that a flood of combining marks stays many small clusters instead of one endless one.
 *
 * The measuring functions take any bytes and count each code point as sf_text_sanitize with no
 * flags would show it (a control is one column, a dropped character none), but they do not
 * compose: sanitise first, then measure, and the two agree to the column.
 */
#ifndef SF_BASE_TEXT_H
#define SF_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum {
    SF_GRAPHEME_MAX = 64,   /* bytes */
    SF_TEXT_MARKS_MAX = 15, /* marks kept on one base character, fully decomposed */
};

/* What becomes of line breaks and tabs; without a flag they are shown like other controls. */
enum sf_text_flag {
    SF_TEXT_NEWLINES = 1 << 0, /* "\n" stays, "\r\n" becomes "\n" */
    SF_TEXT_TABS = 1 << 1,     /* "\t" stays */
    SF_TEXT_ONE_LINE = 1 << 2, /* each of "\n", "\r\n" and "\t" becomes a space */
};

/*
 * Appends the text as it may be shown: valid UTF-8 in composed form (NFC) without one control
 * character but those the flags let through, so no terminal that reads UTF-8 can be commanded
 * by it. For display only; never store the result in place of the text.
 *
 *   dropped   variation selectors, joiners, skin tones, soft hyphens and other marks that only
 *             pick a glyph and that terminals measure differently; marks beyond
 *             SF_TEXT_MARKS_MAX
 *   pictured  C0 controls and DEL, as U+2400 to U+2421: escape becomes U+241B
 *   U+FFFD    damage, C1 controls, bidi controls, tag and filler characters and other hidden
 *             text, code points without a width
 *
 * Sanitising twice changes nothing more. Takes time in proportion to the text.
 */
void sf_text_sanitize(struct sf_strbuf *out, const char *s, size_t len, unsigned flags);

/* Bidi controls, tags, fillers and other characters that are there and not seen. */
bool sf_text_is_hidden(uint32_t cp);

size_t sf_text_width(const char *s, size_t len); /* columns */

/* Bytes of the longest run of whole clusters in front that fits; `used` (or NULL): its columns. */
size_t sf_text_fit(const char *s, size_t len, size_t columns, size_t *used);

size_t sf_grapheme_next(const char *s, size_t len);  /* bytes of the first cluster; 0: none left */
size_t sf_grapheme_width(const char *s, size_t len); /* columns of that first cluster */

/* Tokens for people: 950, 12.3k, 1.5M. */
void sf_tokens_add(struct sf_strbuf *out, int64_t tokens);

#endif
