/*
 * tape.c: recorded events and the timer that plays them, a handful a turn.
 */
#include "model/tape.h"

#include <stdarg.h>

#include "base/base.h"

enum { EVENTS_A_TURN = 32 };

struct item {
    struct sf_stream_event event;
    char *text;
    struct sf_block block;
    struct sf_wire_error error;
    int64_t wait_ms; /* -1: an event */
};

struct sf_tape {
    struct sf_loop *loop;
    sf_stream_fn *fn;
    void *ctx;
    struct item *items;
    size_t count, cap, next;
    uint64_t timer;
    bool ended; /* its last event is an end */
    bool playing, dead;
};

struct sf_tape *sf_tape_new(struct sf_loop *loop, sf_stream_fn *fn, void *ctx)
{
    struct sf_tape *tape = sf_alloc(sizeof(*tape));

    tape->loop = loop;
    tape->fn = fn;
    tape->ctx = ctx;
    return tape;
}

static void release(struct sf_tape *tape)
{
    for (size_t i = 0; i < tape->count; i++) {
        free(tape->items[i].text);
        sf_block_release(&tape->items[i].block);
    }
    free(tape->items);
    free(tape);
}

void sf_tape_free(struct sf_tape *tape)
{
    if (!tape)
        return;
    sf_loop_remove(tape->loop, tape->timer);
    tape->timer = 0;
    tape->dead = true;
    if (!tape->playing)
        release(tape);
}

static struct item *add(struct sf_tape *tape)
{
    struct item *item;

    tape->items = sf_grow(tape->items, &tape->cap, tape->count + 1, sizeof(*tape->items));
    item = &tape->items[tape->count++];
    *item = (struct item){ .wait_ms = -1 };
    return item;
}

void sf_tape_record(void *ctx, const struct sf_stream_event *event)
{
    struct sf_tape *tape = ctx;
    struct item *item;

    if (tape->ended)
        return;
    item = add(tape);
    item->event = *event;
    item->text = sf_strndup(event->text ? event->text : "", event->text ? event->len : 0);
    if (event->block)
        sf_block_copy(&item->block, event->block);
    if (event->error)
        item->error = *event->error;
    tape->ended = event->kind == SF_STREAM_END || event->kind == SF_STREAM_ERROR;
}

void sf_tape_record_wait(struct sf_tape *tape, int64_t ms)
{
    if (!tape->ended)
        add(tape)->wait_ms = ms;
}

void sf_tape_record_error(struct sf_tape *tape, enum sf_fault fault, const char *format, ...)
{
    struct sf_wire_error error = { fault, 0, -1, "" };
    va_list args;

    va_start(args, format);
    vsnprintf(error.message, sizeof(error.message), format, args);
    va_end(args);
    sf_tape_record(tape, &(struct sf_stream_event){ .kind = SF_STREAM_ERROR, .error = &error });
}

static void play_event(struct sf_tape *tape, struct item *item)
{
    struct sf_stream_event event = item->event;

    event.text = item->text;
    event.block = event.block ? &item->block : NULL;
    event.error = event.error ? &item->error : NULL;
    tape->fn(tape->ctx, &event);
}

static void on_turn(void *ctx)
{
    struct sf_tape *tape = ctx;
    int64_t wait_ms = 0;

    tape->timer = 0;
    tape->playing = true;
    for (int i = 0; i < EVENTS_A_TURN && !tape->dead && tape->next < tape->count; i++) {
        struct item *item = &tape->items[tape->next++];

        if (item->wait_ms >= 0) {
            wait_ms = item->wait_ms;
            break;
        }
        play_event(tape, item);
    }
    tape->playing = false;
    if (tape->dead)
        release(tape);
    else if (tape->next < tape->count)
        tape->timer = sf_loop_add_timer(tape->loop, wait_ms, 0, on_turn, tape);
}

void sf_tape_play(struct sf_tape *tape)
{
    if (!tape->ended)
        sf_tape_record_error(tape, SF_FAULT_MALFORMED, "the answer has no end");
    tape->timer = sf_loop_add_timer(tape->loop, 0, 0, on_turn, tape);
}
