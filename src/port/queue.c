/*
 * queue.c: prompts for later turns: stored, ordered, and sent when the current turn is over.
 */
#include "port/queue.h"

#include <string.h>

#include "port/internal.h"

/* ---- the list ---- */

static bool add_item(void *ctx, int64_t id, const char *text)
{
    struct sf_queue *q = ctx;

    q->items = sf_grow(q->items, &q->cap, q->count + 1, sizeof(*q->items));
    q->items[q->count++] = (struct sf_queued_prompt){ .id = id, .text = sf_strdup(text) };
    return q->count < SF_QUEUE_MAX;
}

void sf_queue_release(struct sf_queue *q)
{
    for (size_t i = 0; i < q->count; i++)
        free(q->items[i].text);
    free(q->items);
    *q = (struct sf_queue){ 0 };
}

void sf_queue_load(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_queue_release(&p->queue);
    if (sf_port_owner(p))
        return;
    if (!sf_store_each_queued(p->setup.session.store, sf_session_id(p->session), add_item,
                              &p->queue, &err))
        sf_port_fail(p, &err);
    else if (p->queue.count && p->setup.sends_queue)
        sf_port_note_while(p, SF_HOLDS_QUEUED,
                           "%zu queued from before; Enter on an empty line sends the first",
                           p->queue.count);
}

size_t sf_queue_find(const struct sf_queue *q, int64_t id)
{
    size_t i = 0;

    while (i < q->count && q->items[i].id != id)
        i++;
    return i;
}

bool sf_port_queue_add(struct sf_port *p, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t id;

    if (p->queue.count >= SF_QUEUE_MAX) {
        sf_port_note(p, true, "%d drafts wait already", SF_QUEUE_MAX);
        return false;
    }
    if (!sf_store_queue_add(p->setup.session.store, sf_session_id(p->session), text, &id, &err)) {
        sf_port_fail(p, &err);
        return false;
    }
    add_item(&p->queue, id, text);
    p->queue.held = !sf_session_busy(p->session);
    return true;
}

bool sf_queue_hold(struct sf_port *p, const char *text)
{
    if (!sf_port_restoring(p) || !sf_port_queue_add(p, text))
        return false;
    p->queue.held = true;
    return true;
}

static struct sf_queued_prompt take_item(struct sf_port *p, size_t index)
{
    struct sf_queue *q = &p->queue;
    struct sf_queued_prompt item = q->items[index];

    memmove(q->items + index, q->items + index + 1, (--q->count - index) * sizeof(*q->items));
    sf_port_changed(p);
    return item;
}

bool sf_port_queue_end(struct sf_port *p, int64_t row, struct sf_error *err)
{
    return sf_store_queue_end(p->setup.session.store, row, SF_QUEUE_DROPPED, err);
}

static void end_item(struct sf_port *p, const struct sf_queued_prompt *item, enum sf_queue_end how)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_end(p->setup.session.store, item->id, how, &err))
        sf_port_fail(p, &err);
}

void sf_port_queue_drop(struct sf_port *p, size_t index)
{
    struct sf_queued_prompt item = take_item(p, index);

    end_item(p, &item, SF_QUEUE_DROPPED);
    free(item.text);
}

static void swap(struct sf_port *p, size_t a, size_t b)
{
    struct sf_queued_prompt *items = p->queue.items, kept = items[a];
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_queue_swap(p->setup.session.store, items[a].id, items[b].id, &err)) {
        sf_port_fail(p, &err);
        return;
    }
    items[a] = items[b];
    items[b] = kept;
}

/* Swaps neighbours step by step, so that the order in the store is valid at every moment. */
void sf_port_queue_move(struct sf_port *p, size_t from, size_t to)
{
    for (; from < to; from++)
        swap(p, from, from + 1);
    for (; from > to; from--)
        swap(p, from, from - 1);
    sf_port_changed(p);
}

/* ---- sending ---- */

static void send_soon(struct sf_port *p);

void sf_port_queue_send(struct sf_port *p)
{
    char session[SF_ID_LEN + 1];
    struct sf_queued_prompt item;
    bool said;

    if (!p->queue.count || sf_session_busy(p->session))
        return;
    if (sf_port_restoring(p)) {
        p->queue.held = true;
        return;
    }
    snprintf(session, sizeof(session), "%s", sf_session_id(p->session));
    item = take_item(p, 0);
    said = sf_port_is_words(p, item.text);
    end_item(p, &item, said ? SF_QUEUE_TAKEN : SF_QUEUE_DROPPED);
    p->shown = false;
    sf_port_line(p, item.text);
    /* A line that begins no turn is followed by the next one at once, unless it switched the
     * session or gave a response that is to be read. */
    if (!said && !p->shown && p->session && !strcmp(session, sf_session_id(p->session)))
        send_soon(p);
    free(item.text);
}

static void queue_due(void *ctx)
{
    struct sf_port *p = ctx;

    p->queue.timer = 0;
    p->queue.held = sf_port_works(p);
    if (!p->queue.held)
        sf_port_queue_send(p);
}

static void send_soon(struct sf_port *p)
{
    if (p->queue.count && !p->queue.timer)
        p->queue.timer = sf_loop_add_timer(p->loop, 0, 0, queue_due, p);
}

void sf_queue_after_shell(struct sf_port *p, bool ok)
{
    if (p->queue.held && !sf_session_busy(p->session))
        sf_queue_after(p, ok);
}

void sf_queue_after(struct sf_port *p, bool ok)
{
    p->queue.held = false;
    if (!p->setup.sends_queue)
        return;
    if (ok)
        send_soon(p);
    else if (p->queue.count)
        sf_port_note_while(p, SF_HOLDS_QUEUED,
                           "%zu queued: kept; Enter on an empty line sends the first",
                           p->queue.count);
}

const struct sf_queue *sf_port_queue(const struct sf_port *p)
{
    return &p->queue;
}

/* ---- the command ---- */

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "place", "words", NULL };
    struct sf_response r;
    char value[32];

    if (!p->queue.count) {
        sf_port_say(p, "the queue is empty: while a turn runs, Tab queues what is written");
        return;
    }
    sf_response_init(&r, SF_RESPONSE_TABLE, "Queue");
    r.columns = columns;
    r.align = "rl";
    for (size_t i = 0; i < p->queue.count; i++) {
        const char *text = p->queue.items[i].text;

        snprintf(value, sizeof(value), "%lld", (long long)p->queue.items[i].id);
        sf_response_row(&r, value);
        sf_response_cell(&r, "%zu", i + 1);
        sf_response_cell(&r, "%.*s", (int)strcspn(text, "\n\t"), text);
    }
    sf_port_respond(p, &r);
}

/* The row is dropped only after the text was saved as the draft. */
void sf_port_queue_edit(struct sf_port *p, size_t index)
{
    struct sf_queued_prompt item = take_item(p, index);
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_DRAFT, "");
    sf_strbuf_adds(&r.text, item.text);
    r.queued = item.id;
    sf_port_respond(p, &r);
    free(item.text);
}

/* "[list|clear|edit N|drop N|move N M]" */
void sf_command_queue(struct sf_port *p, const char *args)
{
    char verb[8] = "";
    unsigned n = 0, to = 0;
    int given = sscanf(args, "%7s %u %u", verb, &n, &to);

    if (given < 1 || !strcmp(verb, "list")) {
        list(p);
    } else if (!strcmp(verb, "clear")) {
        while (p->queue.count)
            sf_port_queue_drop(p, p->queue.count - 1);
        sf_port_note(p, false, "the queue is empty");
    } else if (given >= 2 && (n < 1 || n > p->queue.count)) {
        sf_port_usage(p, "there is no queued draft %u", n);
    } else if (given == 2 && !strcmp(verb, "edit")) {
        sf_port_queue_edit(p, n - 1);
    } else if (given == 2 && !strcmp(verb, "drop")) {
        sf_port_queue_drop(p, n - 1);
        sf_port_note(p, false, "dropped; %zu left", p->queue.count);
    } else if (given == 3 && !strcmp(verb, "move") && to >= 1) {
        to = to > p->queue.count ? (unsigned)p->queue.count : to;
        sf_port_queue_move(p, n - 1, to - 1);
        sf_port_note(p, false, "moved to place %u", to);
    } else {
        sf_port_usage(p, "/queue, /queue edit N, drop N, move N M, clear");
    }
}
