/*
 * markdown: what models write, laid out into a page. Headings, lists, tables, quotes, rules,
 * inline and fenced code with highlighting, links as text with their address. A line break stays
 * one. Whatever is not Markdown is shown as the text it is; nothing is lost but the marks
 * themselves.
 *
 * A long text that is still coming in is laid out piece by piece: sf_markdown_split says where
 * the part that cannot change any more ends.
 */
#ifndef SF_VIEW_MARKDOWN_H
#define SF_VIEW_MARKDOWN_H

#include "view/page.h"

/* Appends to the page; `first` and `rest` lead the lines, as in sf_page_begin. */
void sf_markdown_lay(struct sf_page *page, const char *text, size_t len, const char *first,
                     const char *rest, struct sf_look lead);

/*
 * Bytes in front that later text cannot change: up to a blank line outside fences, lists, quotes
 * and tables, after which a new top-level block begins. 0: none yet.
 */
size_t sf_markdown_split(const char *text, size_t len);

#endif
