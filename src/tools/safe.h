/*
 * safe: text as it may go to a model and, from there, to a terminal. Every visible character
 * stays as it is, also what looks odd, for a model must be able to quote a line back; only what
 * commands a terminal or hides text is replaced. Showing it on a screen is another step (see
 * sf_text_sanitize), which may change more.
 */
#ifndef SF_TOOLS_SAFE_H
#define SF_TOOLS_SAFE_H

#include <stddef.h>

#include "base/base.h"

/*
 * Appends the text: valid UTF-8, "\r\n" as "\n", other C0 controls but "\n" and "\t" as their
 * pictures, C1, bidi overrides, line separators and tag characters as U+FFFD. Returns how many
 * damaged parts there were.
 */
size_t sf_safe_add(struct sf_strbuf *out, const char *text, size_t len);

/* The text on one line, cut to so many columns; owned by the caller. */
char *sf_safe_line(const char *text, size_t columns);

#endif
