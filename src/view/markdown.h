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

#include "view/code.h"

/* Appends to the page; `first` and `rest` lead the lines, as in sf_page_begin. */
void sf_markdown_lay(struct sf_page *page, const char *text, size_t len, const char *first,
                     const char *rest, struct sf_look lead);

/*
 * Bytes in front that later text cannot change, not many more than `enough`: up to a blank line outside fences, lists, quotes
 * and tables, after which a new top-level block begins. 0: none yet.
 */
size_t sf_markdown_split(const char *text, size_t len, size_t enough);

/*
 * A fenced block that is long is taken apart too, at the ends of its lines: where the parts behind
 * the first begin. `on` is false for text that begins outside of a fence.
 */
struct sf_markdown_code {
    bool on;
    char mark; /* of the fence */
    size_t marks, indent;
    const struct sf_language *language;
    struct sf_lex_state state;
};

/*
 * Bytes in front that are a part of the block the text begins in or with: about `enough` whole
 * lines, or the rest of the block and the line that closes it, which only a text that begins within
 * it can have. `code` is then what follows begins with. 0: there are not as many yet.
 */
size_t sf_markdown_split_code(const char *text, size_t len, size_t enough,
                              struct sf_markdown_code *code);

/* Lays out a part that begins within the block, as sf_markdown_lay would lay out the whole. */
void sf_markdown_lay_code(struct sf_page *page, const char *text, size_t len,
                          const struct sf_markdown_code *code, const char *lead,
                          struct sf_look look);

#endif
