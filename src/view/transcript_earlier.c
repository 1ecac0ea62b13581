/*
 * transcript_earlier.c: what is put in front of what is there already. Places in the conversation are numbers
 * of items, so each that is remembered moves along.
 */
#include <string.h>

#include "view/transcript_items.h"

static void move_spot(struct sf_spot *spot, size_t drop, size_t added)
{
    if (spot->item == SIZE_MAX)
        return;
    if (spot->item < drop)
        *spot = (struct sf_spot){ .item = added };
    else
        spot->item += added - drop;
}

static void move_places(struct sf_transcript *t, size_t drop, size_t added)
{
    move_spot(&t->top, drop, added);
    move_spot(&t->from, drop, added);
    move_spot(&t->to, drop, added);
    for (int row = 0; t->drawn && row < t->rows; row++)
        move_spot(&t->drawn[row], drop, added);
    t->open = t->open < drop ? added : t->open + added - drop;
}

static void shift_spot(struct sf_spot *spot, size_t at)
{
    if (spot->item != SIZE_MAX && spot->item >= at)
        spot->item++;
}

void sf_transcript_shift(struct sf_transcript *t, size_t at)
{
    shift_spot(&t->top, at);
    shift_spot(&t->from, at);
    shift_spot(&t->to, at);
    for (int row = 0; t->drawn && row < t->rows; row++)
        shift_spot(&t->drawn[row], at);
}

/* The next answer may have begun before what was known so far. */
static void join_answer(struct sf_transcript *t, size_t from)
{
    for (size_t i = from; i < t->count; i++) {
        enum sf_item_kind kind = t->items[i]->kind;

        if (kind == SF_ITEM_ANSWER || kind == SF_ITEM_PLAIN)
            sf_item_join(t, i);
        if (kind == SF_ITEM_ANSWER || kind == SF_ITEM_PLAIN || kind == SF_ITEM_USER)
            return;
    }
}

size_t sf_transcript_prepend(struct sf_transcript *t, struct sf_transcript *older)
{
    size_t drop = t->count && t->items[0]->kind == SF_ITEM_EARLIER, added, matches = 0;

    sf_transcript_seal(older);
    added = older->count;
    if (!added)
        return 0;
    if (drop)
        sf_item_free(t->items[0]);
    for (size_t i = 0; i < added; i++)
        matches += sf_item_matches(older->items[i], &t->needle);
    t->items = sf_grow(t->items, &t->cap, t->count + added, sizeof(struct sf_item *));
    memmove(t->items + added, t->items + drop, (t->count - drop) * sizeof(struct sf_item *));
    memcpy(t->items, older->items, added * sizeof(struct sf_item *));
    t->count += added - drop;
    t->found += matches;
    t->runs += older->runs;
    older->count = older->open = older->runs = 0;
    move_places(t, drop, added);
    if (added < t->count)
        sf_item_join(t, added);
    join_answer(t, added);
    return matches;
}
