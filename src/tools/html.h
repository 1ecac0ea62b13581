/*
 * html: converts a page to text for a model: headings as #, lists as - and 1., tables as rows of
 * cells, preformatted text as it is, links as text with a number and their addresses at the end.
 * Scripts, styles, drawings and forms are left out, entities are decoded, whitespace collapses.
 *
 * This is a tag scanner, not a browser: it builds no tree, accepts any bytes, and takes linear
 * time. Nothing is run and nothing is fetched.
 */
#ifndef SF_TOOLS_HTML_H
#define SF_TOOLS_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_HTML_LINKS = 200,                /* addresses that are listed */
    SF_HTML_TEXT_MAX = 8 * 1024 * 1024, /* bytes of text; the rest is left out */
};

/*
 * Appends the text. `base` is the page's own address, to resolve relative links; NULL lists only
 * absolute ones. Invalid UTF-8 is passed through; controls except newline and tab are not. False if
 * the text was cut at SF_HTML_TEXT_MAX.
 */
bool sf_html_text(const char *html, size_t len, const struct sf_url *base, struct sf_strbuf *out);

#endif
