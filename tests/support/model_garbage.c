/*
 * model_garbage.c: a proper stream of a random reply is written, cut into its events and then
 * mistreated, event by event and as a whole.
 */
#include "support/model_garbage.h"

enum { EVENTS_MAX = 64, HURTS_MAX = 6 };

struct heap {
    uint64_t random;
    struct sf_strbuf events[EVENTS_MAX];
    size_t count;
};

static size_t pick(struct heap *h, size_t below)
{
    return (size_t)(model_random(&h->random) % below);
}

static void add_noise(struct heap *h, struct sf_strbuf *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        sf_strbuf_addch(out, (char)(model_random(&h->random) & 0xff));
}

/* Each takes one event; there is always at least one byte in it. */
static void hurt_cut(struct heap *h, struct sf_strbuf *event)
{
    sf_strbuf_truncate(event, pick(h, event->len));
}

static void hurt_bytes(struct heap *h, struct sf_strbuf *event)
{
    for (size_t n = 1 + pick(h, 8); n; n--)
        event->buf[pick(h, event->len)] = (char)(model_random(&h->random) & 0xff);
}

static void hurt_utf8(struct heap *h, struct sf_strbuf *event)
{
    static const char *const bad[] = { "\xff",     "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                       "\xe2\x82", "\x80",     "\xfe\xfe",     "\xf8\x88\x80\x80" };
    const char *text = bad[pick(h, SF_COUNT(bad))];

    sf_strbuf_splice(event, pick(h, event->len), 0, text, strlen(text));
}

static void hurt_noise(struct heap *h, struct sf_strbuf *event)
{
    add_noise(h, event, 1 + pick(h, 200));
}

static void hurt_lines(struct heap *h, struct sf_strbuf *event)
{
    static const char *const ends[] = { "\r\n", "\r", "\n\n", "\r\r\n", "" };

    for (size_t i = 0; i < event->len; i++)
        if (event->buf[i] == '\n' && pick(h, 2)) {
            const char *end = ends[pick(h, SF_COUNT(ends))];

            sf_strbuf_splice(event, i, 1, end, strlen(end));
            i += strlen(end);
        }
}

static void hurt_quote(struct heap *h, struct sf_strbuf *event)
{
    char *at = memchr(event->buf, "\"{}[]:,"[pick(h, 7)], event -> len);

    if (at)
        sf_strbuf_splice(event, (size_t)(at - event->buf), 1, "", 0);
}

static void hurt_index(struct heap *h, struct sf_strbuf *event)
{
    static const char *const values[] = { "-1",    "7",    "99999999999999999999",
                                          "\"0\"", "null", "1e309" };
    static const char key[] = "index\":";
    const char *at = memmem(event->buf, event->len, key, sizeof(key) - 1);
    const char *value = values[pick(h, SF_COUNT(values))];

    if (at)
        sf_strbuf_splice(event, (size_t)(at - event->buf) + sizeof(key) - 1, 1, value,
                         strlen(value));
}

static void hurt_drop(struct heap *h, struct sf_strbuf *event)
{
    (void)h;
    sf_strbuf_reset(event);
}

static void hurt_twice(struct heap *h, struct sf_strbuf *event)
{
    struct sf_strbuf copy = SF_STRBUF_INIT;

    (void)h;
    sf_strbuf_add(&copy, event->buf, event->len);
    sf_strbuf_add(event, copy.buf, copy.len);
    sf_strbuf_release(&copy);
}

static void hurt_deep(struct heap *h, struct sf_strbuf *event)
{
    sf_strbuf_adds(event, "data: ");
    sf_strbuf_fill(event, pick(h, 2) ? '[' : '{', 1 + pick(h, 20000));
    sf_strbuf_adds(event, "\n\n");
}

static void hurt_swap(struct heap *h, struct sf_strbuf *event)
{
    struct sf_strbuf *other = &h->events[pick(h, h->count)], held = *event;

    *event = *other;
    *other = held;
}

static void (*const hurts[])(struct heap *h, struct sf_strbuf *event) = {
    hurt_cut,   hurt_bytes, hurt_utf8,  hurt_noise, hurt_lines, hurt_quote,
    hurt_index, hurt_drop,  hurt_twice, hurt_deep,  hurt_swap,
};

/* A reply of a few steps; texts are borrowed from here. */
static size_t make_steps(struct heap *h, struct model_step *steps, size_t max)
{
    static const struct model_step kinds[] = {
        { .kind = MODEL_STEP_TEXT,
          .text = "Gr\xc3\xbc\xc3\x9f"
                  "e \xf0\x9f\x8c\x8d",
          .len = 12,
          .times = 1 },
        { .kind = MODEL_STEP_REASONING, .text = "let me think", .len = 12, .times = 1 },
        { .kind = MODEL_STEP_CALL,
          .name = "bash",
          .text = "{\"command\":\"echo no\"}",
          .len = 21,
          .times = 1 },
        { .kind = MODEL_STEP_CALL,
          .name = "read",
          .text = "{\"file_path\":\"a.md\"}",
          .len = 20,
          .times = 2 },
        { .kind = MODEL_STEP_CALL,
          .name = "write",
          .id = "call_0",
          .text = "{\"file_path\":\"x\"",
          .len = 16,
          .times = 1 },
        { .kind = MODEL_STEP_UNKNOWN, .text = "", .times = 1 },
        { .kind = MODEL_STEP_ERROR, .name = "overloaded_error", .text = "", .times = 1 },
    };
    size_t count = 1 + pick(h, max);

    for (size_t i = 0; i < count; i++) {
        steps[i] = kinds[pick(h, SF_COUNT(kinds))];
        steps[i].delta = 1 + pick(h, 12);
    }
    return count;
}

/* Splits what was written at its empty lines; the rest stays in the last event. */
static void split_events(struct heap *h, struct model_plan *plan)
{
    struct sf_strbuf all = SF_STRBUF_INIT;
    enum model_piece_kind kind;
    int64_t ms;
    size_t at = 0;

    while (model_plan_read(plan, SF_JSON_BYTES, &all, &kind, &ms))
        ;
    while (at < all.len) {
        const char *end = memmem(all.buf + at, all.len - at, "\n\n", 2);
        size_t len =
            end && h->count + 1 < EVENTS_MAX ? (size_t)(end + 2 - all.buf) - at : all.len - at;

        sf_strbuf_init(&h->events[h->count]);
        sf_strbuf_add(&h->events[h->count++], all.buf + at, len);
        at += len;
    }
    sf_strbuf_release(&all);
    model_plan_release(plan);
}

/* What is wrong with the answer as a whole. */
static void hurt_answer(struct heap *h, struct model_reply *reply, uint64_t total)
{
    static const char *const types[] = { "text/plain", "application/json", "text/event-stream;x",
                                         "\xff\xfe" };

    reply->framing = (enum model_framing)pick(h, 3);
    if (!pick(h, 6))
        reply->content_type = types[pick(h, SF_COUNT(types))];
    if (reply->framing == MODEL_FRAMING_LENGTH && pick(h, 2))
        reply->length = (int64_t)pick(h, (size_t)total * 2 + 2);
    if (!pick(h, 3))
        reply->cut_at = (int64_t)pick(h, (size_t)total + 1);
    reply->cut_resets = pick(h, 2);
    if (!pick(h, 4))
        reply->write_size = 1 + pick(h, 64);
    if (!pick(h, 12))
        reply->gzip = pick(h, 2) ? MODEL_GZIP_DECLARED : MODEL_GZIP_HIDDEN;
}

void model_garbage(struct model_answer *answer, uint64_t seed, struct model_reply *reply)
{
    struct heap *h = sf_alloc(sizeof(*h));
    struct model_step steps[6];
    const struct model_reply *before = answer->reply;
    struct model_plan *plan = answer->plan;

    h->random = seed;
    reply->kind = MODEL_REPLY_STEPS;
    reply->steps = steps;
    reply->step_count = make_steps(h, steps, SF_COUNT(steps));
    reply->same_ids = !pick(h, 4);
    reply->no_end = !pick(h, 3);
    answer->reply = reply;
    answer->request->service->stream(answer);
    split_events(h, plan);
    for (size_t n = pick(h, HURTS_MAX + 1); n; n--) {
        struct sf_strbuf *event = &h->events[pick(h, h->count)];

        if (event->len)
            hurts[pick(h, SF_COUNT(hurts))](h, event);
    }
    for (size_t i = 0; i < h->count; i++) {
        model_plan_repeat(plan, h->events[i].buf, h->events[i].len, 1);
        sf_strbuf_release(&h->events[i]);
    }
    hurt_answer(h, reply, model_plan_total(plan));
    reply->steps = NULL;
    reply->step_count = 0;
    answer->reply = before;
    free(h);
}
