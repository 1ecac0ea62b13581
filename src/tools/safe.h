/*
 * safe: sanitises text for a model and, from there, for a terminal. Every visible character stays
 * as it is, even an odd one, because a model must be able to quote a line back; only characters
 * that control a terminal or hide text are replaced. Displaying is another step (sf_text_sanitize),
 * which may change more.
 */
#ifndef SF_TOOLS_SAFE_H
#define SF_TOOLS_SAFE_H

#include <stddef.h>

#include "base/base.h"

/*
 * Appends the text: valid UTF-8, "\r\n" as "\n", other C0 controls except "\n" and "\t" as their
 * pictures, C1, bidi overrides, line separators and tag characters as U+FFFD. Returns the number of
 * invalid parts.
 */
size_t sf_safe_add(struct sf_strbuf *out, const char *text, size_t len);

/* The text on one line, cut to `columns`; owned by the caller. */
char *sf_safe_line(const char *text, size_t columns);

#endif
