/*
 * transcript_select.c: selecting with the mouse, copying what was selected, and finding words. A
 * selection is two places in the conversation, so it holds while text streams in.
 */
#include <string.h>

#include "view/transcript_items.h"

static bool spot_of(const struct sf_transcript *t, int row, int col, struct sf_spot *out)
{
    if (t->rows <= 0 || !t->drawn)
        return false;
    row = row < 0 ? 0 : row >= t->rows ? t->rows - 1 : row;
    while (row > 0 && t->drawn[row].item == SIZE_MAX)
        row--;
    if (t->drawn[row].item >= t->count)
        return false;
    *out = t->drawn[row];
    out->col = col < 0 ? 0 : col;
    return true;
}

void sf_transcript_select(struct sf_transcript *t, int row, int col)
{
    t->selecting = spot_of(t, row, col, &t->from);
    t->to = t->from;
}

void sf_transcript_extend(struct sf_transcript *t, int row, int col)
{
    struct sf_spot to;

    if (t->selecting && spot_of(t, row, col, &to))
        t->to = to;
}

void sf_transcript_unselect(struct sf_transcript *t)
{
    t->selecting = false;
}

static bool is_after(const struct sf_spot *a, const struct sf_spot *b)
{
    if (a->item != b->item)
        return a->item > b->item;
    return a->line != b->line ? a->line > b->line : a->col > b->col;
}

static void copy_item(const struct sf_item *item, size_t first, int first_col, size_t last,
                      int last_col, struct sf_strbuf *out)
{
    size_t from = sf_item_page_line(item, first), to = sf_item_page_line(item, last);

    if (item->kind == SF_ITEM_CALL && first <= (size_t)item->gap)
        sf_strbuf_addf(out, "%s %s", item->verb ? item->verb : "", item->what ? item->what : "");
    if (to == SIZE_MAX || !item->page.count)
        return;
    if (item->kind == SF_ITEM_CALL && first <= (size_t)item->gap)
        sf_strbuf_addch(out, '\n');
    sf_page_copy(&item->page, from == SIZE_MAX ? 0 : from, from == SIZE_MAX ? 0 : first_col, to,
                 last_col, out);
}

bool sf_transcript_copy(const struct sf_transcript *t, struct sf_strbuf *out)
{
    bool swap = is_after(&t->from, &t->to);
    const struct sf_spot *from = swap ? &t->to : &t->from, *to = swap ? &t->from : &t->to;
    size_t before = out->len;

    if (!t->selecting)
        return false;
    for (size_t i = from->item; i <= to->item && i < t->count; i++) {
        const struct sf_item *item = t->items[i];
        bool first = i == from->item, last = i == to->item;

        if (!item->laid)
            continue;
        if (i > from->item)
            sf_strbuf_adds(out, item->gap ? "\n\n" : "\n");
        copy_item(item, first ? from->line : 0, first ? from->col : 0,
                  last ? to->line : SIZE_MAX - 1, last ? to->col : SF_FRAME_COLS, out);
    }
    return out->len > before;
}

/* ---- finding ---- */

static const char *find_text(const char *text, size_t len, const struct sf_strbuf *needle)
{
    for (size_t i = 0; needle->len && i + needle->len <= len; i++)
        if (!strncasecmp(text + i, needle->buf, needle->len))
            return text + i;
    return NULL;
}

size_t sf_item_matches(const struct sf_item *item, const struct sf_strbuf *needle)
{
    const char *at = item->text.buf, *end = at + item->text.len;
    size_t count = 0;

    if (item->kind == SF_ITEM_CALL || item->kind == SF_ITEM_EARLIER) /* output is folded away */
        return 0;
    while ((at = find_text(at, (size_t)(end - at), needle))) {
        count++;
        at += needle->len;
    }
    return count;
}

size_t sf_transcript_find(struct sf_transcript *t, const char *words)
{
    size_t count = 0;

    sf_strbuf_reset(&t->needle);
    sf_strbuf_adds(&t->needle, words);
    for (size_t i = 0; i < t->count; i++)
        count += sf_item_matches(t->items[i], &t->needle);
    t->found = count + 1; /* going back from the end finds the last one first */
    return count;
}

/* The line of the item in which its `nth` match, from 0, begins. */
static size_t line_of(struct sf_transcript *t, size_t index, size_t nth)
{
    const struct sf_item *item = t->items[index];
    size_t lines = sf_item_lines(t, index);

    for (size_t line = 0; line < lines; line++) {
        size_t at = sf_item_page_line(item, line);
        const char *text, *end;

        if (at == SIZE_MAX)
            continue;
        text = item->page.text.buf + item->page.lines[at].at;
        end = text + item->page.lines[at].len;
        while ((text = find_text(text, (size_t)(end - text), &t->needle))) {
            if (!nth--)
                return line;
            text += t->needle.len;
        }
    }
    return 0;
}

size_t sf_transcript_find_next(struct sf_transcript *t, int direction)
{
    size_t total = 0, seen = 0, want;

    for (size_t i = 0; i < t->count; i++)
        total += sf_item_matches(t->items[i], &t->needle);
    if (!total)
        return 0;
    if (t->found > total + 1)
        t->found = total + 1;
    want = direction < 0 ? (t->found > 1 ? t->found - 1 : total) : t->found % total + 1;
    for (size_t i = 0; i < t->count; i++) {
        size_t here = sf_item_matches(t->items[i], &t->needle);

        if (seen + here >= want) {
            t->follow = false;
            t->top = (struct sf_spot){ .item = i, .line = line_of(t, i, want - seen - 1) };
            sf_transcript_scroll(t, -(t->rows / 3));
            break;
        }
        seen += here;
    }
    t->found = want;
    return want;
}
