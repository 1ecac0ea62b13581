/*
 * transcript_items: the fields of a transcript, shared by the files that make it up.
 *
 *     transcript.c         items, and laying them out
 *     transcript_earlier.c what comes in front of others
 *     transcript_draw.c    what is on screen
 *     transcript_select.c  selecting, copying, finding
 *     transcript_print.c   items one after the other, for paper
 */
#ifndef SF_VIEW_TRANSCRIPT_ITEMS_H
#define SF_VIEW_TRANSCRIPT_ITEMS_H

#include "view/markdown.h"
#include "view/page.h"
#include "view/transcript.h"

struct sf_item {
    enum sf_item_kind kind;
    struct sf_strbuf text;
    int64_t wall_ms;
    bool label;                   /* the speaker is named */
    bool gap;                     /* a blank line in front */
    bool open;                    /* shown unfolded, whatever holds for the rest */
    bool flip;                    /* the user clicked on it, which turns folding around */
    struct sf_markdown_code code; /* of an answer: the block its text begins in */

    /* of calls */
    char *id, *verb, *what, *note;
    struct sf_strbuf diff;
    enum sf_item_call_state state;
    int depth;
    int64_t started_ms, took_ms;

    struct sf_page page; /* without the call's own line */
    bool laid;
    uint32_t layout; /* the transcript's, when it was laid out */
};

/* A place in the conversation: a line of an item, a column of the screen. */
struct sf_spot {
    size_t item;
    size_t line;
    int col;
};

struct sf_transcript {
    struct sf_item **items;
    size_t count, cap;
    size_t open; /* the first item of the answer that may still be taken back */
    bool sealed; /* the next text begins a new item */
    bool unfolded;
    uint32_t layout; /* grows when everything is to be laid out again */
    int width, rows;
    size_t runs; /* calls that run */

    bool follow;
    struct sf_spot top;
    struct sf_spot *drawn; /* of each row of the last drawing; item SIZE_MAX: nothing */
    size_t drawn_cap;

    bool selecting;
    struct sf_spot from, to;
    struct sf_strbuf needle;
    size_t found; /* number of the match the view went to, from 1 */
};

/* Blocks of the answer that cannot change any more become items of their own. */
void sf_transcript_settle(struct sf_transcript *t);

/* An item was put in there: the places behind it move along. */
void sf_transcript_shift(struct sf_transcript *t, size_t at);

void sf_item_free(struct sf_item *item);
void sf_item_join(struct sf_transcript *t, size_t index); /* to what stands before it */

/* How often what is looked for occurs in the item. */
size_t sf_item_matches(const struct sf_item *item, const struct sf_strbuf *needle);

/* Lines of the item, blank one in front included; lays it out if need be. */
size_t sf_item_lines(struct sf_transcript *t, size_t index);

/* The page's line for a line of the item; SIZE_MAX: a blank one or the call's own. */
size_t sf_item_page_line(const struct sf_item *item, size_t line);
bool sf_item_is_head(const struct sf_item *item, size_t line); /* the call's own line */

void sf_transcript_draw_line(struct sf_transcript *t, const struct sf_spot *at, struct sf_area area,
                             int row, const struct sf_transcript_now *now);

/* Columns before the text. */
int sf_transcript_gutter(int width);

#endif
