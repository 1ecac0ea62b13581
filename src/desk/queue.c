/*
 * queue.c: words for the turns that follow. They are rows of the store from the moment they are
 * queued, so whoever resumes the session finds them; what is on the screen is a copy of those rows.
 * A row is taken before its words are said; where the program ends in between, it waits again.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

enum { QUEUE_ROWS = 3 };

/* ---- the list ---- */

static bool add_item(void *ctx, int64_t id, const char *text)
{
    struct sf_queue *q = ctx;

    q->items = sf_grow(q->items, &q->cap, q->count + 1, sizeof(*q->items));
    q->items[q->count++] = (struct sf_queued){ .id = id, .text = sf_strdup(text) };
    return q->count < SF_DESK_QUEUE;
}

void sf_queue_release(struct sf_queue *q)
{
    for (size_t i = 0; i < q->count; i++)
        free(q->items[i].text);
    free(q->items);
    *q = (struct sf_queue){ 0 };
}

void sf_queue_load(struct sf_desk *d)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_queue_release(&d->queue);
    if (sf_desk_watches(d))
        return;
    if (!sf_store_each_queued(d->setup.talk.store, sf_talk_id(d->talk), add_item, &d->queue, &err))
        sf_desk_fail(d, &err);
    else if (d->queue.count)
        sf_desk_say(d, false, "%zu queued from before; Enter on an empty line sends the first",
                    d->queue.count);
}

bool sf_queue_add(struct sf_desk *d, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    if (d->queue.count >= SF_DESK_QUEUE) {
        sf_desk_say(d, true, "%d drafts wait already", SF_DESK_QUEUE);
        return false;
    }
    if (!sf_store_queue_add(d->setup.talk.store, sf_talk_id(d->talk), text, &id, &err)) {
        sf_desk_fail(d, &err);
        return false;
    }
    add_item(&d->queue, id, text);
    return true;
}

/* The item leaves the list; its text is the caller's. */
static struct sf_queued remove_item(struct sf_desk *d, size_t index)
{
    struct sf_queue *q = &d->queue;
    struct sf_queued item = q->items[index];

    memmove(q->items + index, q->items + index + 1, (--q->count - index) * sizeof(*q->items));
    sf_desk_dirty(d);
    return item;
}

static void end_item(struct sf_desk *d, const struct sf_queued *item, enum sf_queue_end how)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_end(d->setup.talk.store, item->id, how, &err))
        sf_desk_fail(d, &err);
}

void sf_queue_drop(struct sf_desk *d, size_t index)
{
    struct sf_queued item = remove_item(d, index);

    end_item(d, &item, SF_QUEUE_DROPPED);
    free(item.text);
}

/* Its row goes when the draft's file holds the words, and not before. */
void sf_queue_edit(struct sf_desk *d, size_t index)
{
    struct sf_queued item = remove_item(d, index);

    sf_draft_replace(d, item.text, strlen(item.text));
    sf_draft_save_queued(d, item.id);
    free(item.text);
}

static void swap(struct sf_desk *d, size_t a, size_t b)
{
    struct sf_queued *items = d->queue.items, kept = items[a];
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_swap(d->setup.talk.store, items[a].id, items[b].id, &err)) {
        sf_desk_fail(d, &err);
        return;
    }
    items[a] = items[b];
    items[b] = kept;
}

/* Step by step, so that every moment of it is an order. */
static void move_item(struct sf_desk *d, size_t from, size_t to)
{
    for (; from < to; from++)
        swap(d, from, from + 1);
    for (; from > to; from--)
        swap(d, from, from - 1);
    sf_desk_dirty(d);
}

/* ---- sending ---- */

/* What begins no turn is followed at once, unless it led elsewhere. */
static void go_on(struct sf_desk *d, const char *session)
{
    if (!d->quitting && !d->overlay && !strcmp(session, sf_talk_id(d->talk)))
        sf_queue_send_soon(d);
}

void sf_queue_send(struct sf_desk *d)
{
    char session[SF_ID_LEN + 1];
    struct sf_queued item;
    bool said;

    if (!d->queue.count || sf_talk_busy(d->talk))
        return;
    snprintf(session, sizeof(session), "%s", sf_talk_id(d->talk));
    item = remove_item(d, 0);
    said = sf_desk_is_said(d, item.text);
    end_item(d, &item, said ? SF_QUEUE_TAKEN : SF_QUEUE_DROPPED);
    sf_desk_enter(d, item.text);
    if (!said)
        go_on(d, session);
    free(item.text);
}

static void queue_due(void *ctx)
{
    struct sf_desk *d = ctx;

    d->queue_timer = 0;
    d->queue.held = sf_desk_works(d);
    if (!d->queue.held)
        sf_queue_send(d);
}

void sf_queue_send_soon(struct sf_desk *d)
{
    if (d->queue.count && !d->queue_timer)
        d->queue_timer = sf_loop_add_timer(d->loop, 0, 0, queue_due, d);
}

void sf_queue_after_shell(struct sf_desk *d, bool ok)
{
    if (d->queue.held && !sf_talk_busy(d->talk))
        sf_queue_after(d, ok);
}

void sf_queue_after(struct sf_desk *d, bool ok)
{
    d->queue.held = false;
    if (ok)
        sf_queue_send_soon(d);
    else if (d->queue.count)
        sf_desk_say(d, false, "%zu queued: kept; Enter on an empty line sends the first",
                    d->queue.count);
}

/* ---- above the composer ---- */

int sf_queue_rows(const struct sf_desk *d)
{
    return d->queue.count < QUEUE_ROWS ? (int)d->queue.count : QUEUE_ROWS;
}

void sf_queue_draw(const struct sf_desk *d, struct sf_area area)
{
    const struct sf_look dim = sf_look(SF_LOOK_DIM);
    char number[32];

    for (int row = 0; row < area.rows; row++) {
        size_t left = d->queue.count - (size_t)row;
        bool rest = row == area.rows - 1 && left > 1;

        snprintf(number, sizeof(number), rest ? "%zu more" : "%zu", rest ? left : (size_t)row + 1);
        sf_area_puts(area, row, 1, rest ? "…" : "⋮", dim);
        sf_area_puts(area, row, 3, number, dim);
        if (!rest)
            sf_area_put_cut(area, row, 6, area.cols - 7, d->queue.items[row].text, dim);
    }
}

/* ---- the overlay and the command ---- */

static size_t index_of(const struct sf_desk *d, const char *value)
{
    int64_t id = strtoll(value, NULL, 10);
    size_t i = 0;

    while (i < d->queue.count && d->queue.items[i].id != id)
        i++;
    return i;
}

static void fill(struct sf_desk *d)
{
    char value[32];

    for (size_t i = 0; i < d->queue.count; i++) {
        const char *text = d->queue.items[i].text;

        snprintf(value, sizeof(value), "%lld", (long long)d->queue.items[i].id);
        sf_overlay_row(d, value, "%zu\t%.*s", i + 1, (int)strcspn(text, "\n\t"), text);
    }
}

static void chosen(struct sf_desk *d, const char *value)
{
    size_t index = index_of(d, value);

    if (index < d->queue.count)
        sf_queue_edit(d, index);
}

static bool key(struct sf_desk *d, uint32_t code, const char *value)
{
    size_t index = index_of(d, value);

    if (index == d->queue.count || (code != 'd' && code != 'k' && code != 'j'))
        return false;
    if (code == 'd')
        sf_queue_drop(d, index);
    else if (code == 'k' ? index > 0 : index + 1 < d->queue.count)
        move_item(d, index, code == 'k' ? index - 1 : index + 1);
    sf_overlay_renew(d);
    return true;
}

static void show(struct sf_desk *d)
{
    static const struct sf_overlay_kind kind = {
        .title = "Queue",
        .keys = "Enter edit   d drop   k up   j down",
        .align = "rl",
        .chosen = chosen,
        .key = key,
        .renew = fill,
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (d->queue.count) {
        sf_overlay_list(d, &kind);
        fill(d);
    } else {
        sf_strbuf_adds(&text, "Nothing waits. While a turn runs, Tab queues what is written.");
        sf_overlay_page(d, "Queue", &text);
    }
    sf_strbuf_release(&text);
}

/* "[list|clear|edit N|drop N|move N M]" */
void sf_do_queue(struct sf_desk *d, const char *args)
{
    char verb[8] = "";
    unsigned n = 0, to = 0;
    int given = sscanf(args, "%7s %u %u", verb, &n, &to);

    if (given < 1 || !strcmp(verb, "list")) {
        show(d);
    } else if (!strcmp(verb, "clear")) {
        while (d->queue.count)
            sf_queue_drop(d, d->queue.count - 1);
        sf_desk_say(d, false, "the queue is empty");
    } else if (given >= 2 && (n < 1 || n > d->queue.count)) {
        sf_desk_say(d, true, "there is no queued draft %u", n);
    } else if (given == 2 && !strcmp(verb, "edit")) {
        sf_queue_edit(d, n - 1);
    } else if (given == 2 && !strcmp(verb, "drop")) {
        sf_queue_drop(d, n - 1);
        sf_desk_say(d, false, "dropped; %zu left", d->queue.count);
    } else if (given == 3 && !strcmp(verb, "move") && to >= 1) {
        to = to > d->queue.count ? (unsigned)d->queue.count : to;
        move_item(d, n - 1, to - 1);
        sf_desk_say(d, false, "moved to place %u", to);
    } else {
        sf_desk_say(d, true, "/queue, /queue edit N, drop N, move N M, clear");
    }
}
