/*
 * html: a page as text a model can read: headings as #, lists as - and 1., tables as rows of
 * cells, preformatted text as it is, links as text with a number and their addresses at the end.
 * Scripts, styles, drawings and forms are left out, entities are decoded, blanks collapse.
 *
 * It is a reader of tags, not a browser: it builds no tree, takes any bytes, and takes time in
 * proportion to them. Nothing is run and nothing is fetched.
 */
#ifndef SF_TOOLS_HTML_H
#define SF_TOOLS_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_HTML_LINKS = 200,                /* addresses that are listed */
    SF_HTML_TEXT_MAX = 8 * 1024 * 1024, /* bytes of text; what comes behind is left out */
};

/*
 * Appends the text. `base` is the page's own address, which makes links whole; NULL lists only
 * whole ones. Bytes that are no UTF-8 come through as they are; no control but newline and tab
 * does. False when the text was cut at SF_HTML_TEXT_MAX.
 */
bool sf_html_text(const char *html, size_t len, const struct sf_url *base, struct sf_strbuf *out);

#endif
