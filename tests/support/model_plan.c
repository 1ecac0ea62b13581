/*
 * model_plan.c: pieces in one growing buffer. A piece is its pattern and a total; reading takes
 * byte k of it as pattern[k % len].
 */
#include "support/model_plan.h"

#include <unistd.h>

#include "support/model_words.h"

enum { GZIP_MAX = 64 * 1024 * 1024, STORED_MAX = 65535, PATTERN = 4096, LOOK_MS = 10 };

void model_plan_release(struct model_plan *plan)
{
    sf_strbuf_release(&plan->bytes);
    free(plan->pieces);
    plan->pieces = NULL;
    plan->count = plan->cap = plan->next = 0;
    plan->done = 0;
}

static struct model_piece *add_piece(struct model_plan *plan, enum model_piece_kind kind)
{
    struct model_piece *piece;

    plan->pieces = sf_grow(plan->pieces, &plan->cap, plan->count + 1, sizeof(*plan->pieces));
    piece = &plan->pieces[plan->count++];
    *piece = (struct model_piece){ .kind = kind, .at = plan->bytes.len };
    return piece;
}

void model_plan_repeat(struct model_plan *plan, const char *bytes, size_t len, uint64_t times)
{
    struct model_piece *piece;
    uint64_t copies = len < PATTERN ? PATTERN / (len + 1) + 1 : 1; /* short ones would crawl */

    if (!len || !times)
        return;
    piece = add_piece(plan, MODEL_PIECE_BYTES);
    copies = copies < times ? copies : times;
    piece->len = len * copies;
    piece->total = len * times;
    for (; copies; copies--)
        sf_strbuf_add(&plan->bytes, bytes, len);
}

/* Neighbours that come once share a piece. */
static void add_once(struct model_plan *plan, const char *bytes, size_t len)
{
    struct model_piece *last = plan->count ? &plan->pieces[plan->count - 1] : NULL;

    if (last && last->kind == MODEL_PIECE_BYTES && last->total == last->len) {
        last->len += len;
        last->total += len;
        sf_strbuf_add(&plan->bytes, bytes, len);
    } else {
        model_plan_repeat(plan, bytes, len, 1);
    }
}

void model_plan_add(struct model_plan *plan, const char *bytes, size_t len)
{
    const char *end = bytes + len, *from = bytes, *at = bytes;

    while ((at = memchr(at, '$', (size_t)(end - at)))) {
        size_t fill, token = model_fill_token(at, (size_t)(end - at), &fill);

        if (token) {
            add_once(plan, from, (size_t)(at - from));
            model_plan_repeat(plan, "x", 1, fill);
            from = at + token;
        }
        at += token ? token : 1;
    }
    if (end > from)
        add_once(plan, from, (size_t)(end - from));
}

void model_plan_delay(struct model_plan *plan, int64_t ms)
{
    add_piece(plan, MODEL_PIECE_DELAY)->ms = ms;
}

/* The path stands in the bytes, and counts for none. */
void model_plan_until(struct model_plan *plan, const char *path)
{
    struct model_piece *piece = add_piece(plan, MODEL_PIECE_DELAY);

    piece->len = strlen(path) + 1;
    piece->ms = LOOK_MS;
    sf_strbuf_add(&plan->bytes, path, piece->len);
}

uint64_t model_plan_total(const struct model_plan *plan)
{
    uint64_t total = 0;

    for (size_t i = 0; i < plan->count; i++)
        total += plan->pieces[i].total;
    return total;
}

void model_plan_end(struct model_plan *plan, uint64_t at, enum model_piece_kind how)
{
    uint64_t before = 0;
    size_t i;

    for (i = 0; i < plan->count && before + plan->pieces[i].total <= at; i++)
        before += plan->pieces[i].total;
    if (i < plan->count && before < at) {
        plan->pieces[i].total = at - before;
        i++;
    }
    plan->count = i;
    add_piece(plan, how);
}

bool model_plan_read(struct model_plan *plan, size_t max, struct sf_strbuf *out,
                     enum model_piece_kind *kind, int64_t *ms)
{
    const struct model_piece *piece;
    size_t room = max;

    if (plan->next == plan->count)
        return false;
    piece = &plan->pieces[plan->next];
    *kind = piece->kind;
    *ms = piece->ms;
    if (piece->kind != MODEL_PIECE_BYTES) {
        if (!piece->len || !access(plan->bytes.buf + piece->at, F_OK))
            plan->next++;
        return true;
    }
    while (room && plan->done < piece->total) {
        size_t from = (size_t)(plan->done % piece->len), n = piece->len - from;

        n = n < room ? n : room;
        if (n > piece->total - plan->done)
            n = (size_t)(piece->total - plan->done);
        sf_strbuf_add(out, plan->bytes.buf + piece->at + from, n);
        plan->done += n;
        room -= n;
    }
    if (plan->done == piece->total) {
        plan->next++;
        plan->done = 0;
    }
    return true;
}

static uint32_t crc32(const char *data, size_t len)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

static void add_little(struct sf_strbuf *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        sf_strbuf_addch(out, (char)(value >> (8 * i) & 0xff));
}

bool model_plan_gzip(struct model_plan *plan)
{
    static const char header[] = { 0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    struct sf_strbuf raw = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    enum model_piece_kind kind;
    int64_t ms;

    if (model_plan_total(plan) > GZIP_MAX)
        return false;
    while (model_plan_read(plan, GZIP_MAX, &raw, &kind, &ms))
        ;
    sf_strbuf_add(&out, header, sizeof(header));
    for (size_t at = 0; at < raw.len || !at; at += STORED_MAX) {
        size_t n = raw.len - at < STORED_MAX ? raw.len - at : STORED_MAX;

        add_little(&out, at + n == raw.len, 1);
        add_little(&out, (uint32_t)n, 2);
        add_little(&out, ~(uint32_t)n, 2);
        sf_strbuf_add(&out, raw.buf + at, n);
    }
    add_little(&out, crc32(raw.buf, raw.len), 4);
    add_little(&out, (uint32_t)raw.len, 4);
    model_plan_release(plan);
    model_plan_repeat(plan, out.buf, out.len, 1);
    sf_strbuf_release(&raw);
    sf_strbuf_release(&out);
    return true;
}
