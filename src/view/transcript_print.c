/*
 * transcript_print.c: the conversation line by line, for a terminal that keeps what was shown. An
 * item is printed when nothing can change it any more: an answer that was sealed, a call that has
 * ended, and everything before them.
 */
#include "view/transcript_items.h"

static bool has_ended(const struct sf_item *item)
{
    return item->kind != SF_ITEM_CALL || item->state >= SF_ITEM_CALL_DONE;
}

size_t sf_transcript_settled(const struct sf_transcript *t, size_t from)
{
    size_t end = t->open < t->count ? t->open : t->count;

    while (from < end && has_ended(t->items[from]))
        from++;
    return from;
}

size_t sf_transcript_lines(struct sf_transcript *t, size_t from, size_t to, int cols)
{
    size_t lines = 0;

    if (t->width != cols) {
        t->width = cols;
        t->layout++;
    }
    sf_transcript_settle(t);
    for (size_t i = from; i < to && i < t->count; i++)
        lines += sf_item_lines(t, i);
    return lines;
}

void sf_transcript_print(struct sf_transcript *t, size_t from, size_t skip, struct sf_area area,
                         const struct sf_transcript_now *now)
{
    struct sf_spot at = { .item = from };
    int row = 0;

    for (; at.item < t->count && row < area.rows; at.item++) {
        size_t lines = sf_item_lines(t, at.item);

        for (at.line = skip < lines ? skip : lines; at.line < lines && row < area.rows; at.line++)
            sf_transcript_draw_line(t, &at, area, row++, now);
        skip = skip < lines ? 0 : skip - lines;
    }
}

void sf_transcript_put_away(struct sf_transcript *t, size_t to)
{
    for (size_t i = to < t->count ? to : t->count; i-- > 0 && t->items[i]->laid;) {
        sf_page_release(&t->items[i]->page);
        t->items[i]->laid = false;
    }
}
