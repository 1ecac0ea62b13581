/*
 * markdown_parts: what the files of the Markdown layout share. A text is laid out in pieces that
 * cannot influence each other (markdown_split.c), each parsed on its own (markdown.c: blocks,
 * markdown_span.c: what is within them, markdown_table.c). Internal to the room.
 *
 * Pieces are made safe before they are parsed, and SF_MD_STOP is set where the parser must not
 * see a construct; it never occurs otherwise, and is dropped from all that comes out.
 */
#ifndef SF_VIEW_MARKDOWN_PARTS_H
#define SF_VIEW_MARKDOWN_PARTS_H

#include <md4c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/code_lex.h"
#include "view/page.h"

#define SF_MD_STOP '\x01'

enum {
    SF_MD_DEPTH = 24,      /* quotes, lists and items within each other; deeper ones share a lead */
    SF_MD_LOW_HEADING = 3, /* headings from this level on have no colour of their own */
    SF_MD_COLUMNS = 32,    /* a table with more is shown as text */
};

/* ---- pieces ---- */

/*
 * Bytes up to the next place where a new top-level block begins behind a blank line, or `len`.
 * While the text is `growing`, only places that more text cannot move count.
 */
size_t sf_md_piece(const char *text, size_t len, bool growing);

/* A block of code between fences, which is always a piece of its own outside of lists. */
struct sf_md_fence {
    const char *info, *code;
    size_t info_len, code_len;
    size_t indent; /* columns its lines stand in at most */
    char mark;     /* what the fence is made of, and of how many */
    size_t marks;
};

#define SF_MD_CODE_LEAD "  " /* code stands in a little */

/* Bytes of the fenced block in front, up to its end or the text's; 0: there is none. */
size_t sf_md_fence(const char *text, size_t len, struct sf_md_fence *fence, bool growing);

/* Where in the code the line begins that closes the fence, and the line behind that; or `len`. */
size_t sf_md_fence_end(const struct sf_md_fence *fence, const char *code, size_t len, bool growing,
                       size_t *next);

/*
 * "c", "{.python}", "rust,ignore": the language of what stands behind a fence; NULL: plain. Its name
 * as it was written goes to `label`, which may be NULL.
 */
const struct sf_language *sf_md_language(const char *info, size_t len, struct sf_strbuf *label);

/* The lines less as much indentation as the fence has. */
void sf_md_outdent(struct sf_strbuf *out, const char *code, size_t len, size_t indent);

/* A piece as the parser gets it: safe, and with bytes in it that are not the text's. */
struct sf_md_source {
    struct sf_strbuf text;
    size_t *extras; /* where dashes were added; ascending */
    size_t extra_count, extra_cap;
};

/* clang-format off */
#define SF_MD_SOURCE_INIT { .text = SF_STRBUF_INIT }
/* clang-format on */

void sf_md_defuse(struct sf_md_source *source, const char *text, size_t len);
void sf_md_source_release(struct sf_md_source *source);

/* Appends text the parser gave out, without what was added to it. */
void sf_md_restore(const struct sf_md_source *source, struct sf_strbuf *out, const char *text,
                   size_t len);

/* ---- tables ---- */

struct sf_md_cell {
    uint32_t row, column;
    uint32_t run, runs; /* of the table's runs; their text follows each other */
    uint32_t at;        /* where their text begins */
};

struct sf_md_table {
    struct sf_strbuf text;
    struct sf_text_run *runs;
    size_t run_count, run_cap;
    struct sf_md_cell *cells; /* in order; empty ones are not there */
    size_t cell_count, cell_cap;
    size_t rows, columns;
    uint8_t align[SF_MD_COLUMNS]; /* an MD_ALIGN of md4c for each column */
};

/* clang-format off */
#define SF_MD_TABLE_INIT { .text = SF_STRBUF_INIT }
/* clang-format on */

void sf_md_table_reset(struct sf_md_table *table);
void sf_md_table_release(struct sf_md_table *table);
void sf_md_table_cell(struct sf_md_table *table, size_t row, size_t column);
void sf_md_table_add(struct sf_md_table *table, const char *text, size_t len, struct sf_look look);

/* ---- the layout of one piece ---- */

enum sf_md_kind { SF_MD_TOP, SF_MD_QUOTE, SF_MD_LIST, SF_MD_ITEM };

struct sf_md_level {
    enum sf_md_kind kind;
    bool filled; /* something stands in it already */
    bool tight, ordered;
    size_t lead_len; /* the lead's length outside of it */
    uint64_t number; /* of the next item */
    size_t digits;
    char delimiter;
};

struct sf_md {
    struct sf_page *page;
    const char *first; /* NULL once it is used */
    struct sf_look lead_look;
    size_t rest_len;       /* of the lead that is the caller's */
    struct sf_strbuf lead; /* of the place we are at */
    struct sf_md_level levels[SF_MD_DEPTH];
    size_t depth, deeper; /* levels in use; those there is no room for */
    size_t quotes, lists;

    struct sf_strbuf marker; /* of the item that has no text yet, and where its line begins */
    struct sf_look marker_look;
    size_t marker_lead;

    bool open;                                            /* a paragraph is */
    unsigned heading;                                     /* its level; 0: we are in none */
    size_t heading_from;                                  /* its first line on the page */
    unsigned strong, emphasis, struck, link, image, code; /* spans we are in */
    struct sf_strbuf link_text;

    bool in_code, in_html;
    struct sf_strbuf block; /* text of a block of code or HTML */
    const struct sf_language *language;
    struct sf_strbuf label; /* the language as it was named */

    struct sf_md_table table;
    bool in_table, in_cell;
    size_t row, column;

    struct sf_md_source source; /* what is being parsed */
    size_t *counts;             /* items of each list, once an ordered one was met */
    size_t count_len, count_cap, list_index;
};

/* Ends the open paragraph, if there is one. */
void sf_md_close(struct sf_md *md);

/* Begins a paragraph with the leads of the place, the caller's first one and a pending marker. */
void sf_md_open(struct sf_md *md, bool keep);

/* Columns a line has here beside its lead; no paragraph may be open. */
size_t sf_md_room(struct sf_md *md);

/* Adds ──── of so many columns to the open paragraph. */
void sf_md_rule(struct sf_md *md, size_t columns);

/* Callbacks for what stands within blocks. */
int sf_md_enter_span(MD_SPANTYPE type, void *detail, void *md);
int sf_md_leave_span(MD_SPANTYPE type, void *detail, void *md);
int sf_md_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE len, void *md);

/* An attribute's text without entities and stops, appended. */
void sf_md_attribute(const struct sf_md *md, struct sf_strbuf *out, const MD_ATTRIBUTE *attribute);

void sf_md_lay_table(struct sf_md *md);

/* ---- entities ---- */

/* Appends what the entity, "&amp;" or "&#38;", stands for, or its own text when it is unknown. */
void sf_md_entity(struct sf_strbuf *out, const char *text, size_t len);

#endif
