/*
 * repair: making the JSON of sloppy services readable. Private to wire. Models emit tokens, not
 * characters, and some servers cut them up: half a character ends one event and begins the next,
 * half a surrogate pair stands alone, a NUL slips through. The strict reader refuses all of that.
 *
 * Repairing hides each byte that is not UTF-8 in a character of its own, so that after parsing
 * sf_repair_undo gives back the very bytes, and halves that come in two events meet again. What
 * cannot be mended (a NUL, half a pair written as escapes) becomes U+FFFD.
 */
#ifndef SF_WIRE_REPAIR_H
#define SF_WIRE_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* False when there is nothing to repair, or `out` would grow beyond `max`. */
bool sf_repair_json(struct sf_strbuf *out, const char *text, size_t len, size_t max);

/* Appends text from a repaired document as it was meant; may hold bytes that are not UTF-8. */
void sf_repair_undo(struct sf_strbuf *out, const char *text, size_t len);

#endif
