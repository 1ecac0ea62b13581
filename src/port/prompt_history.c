/*
 * prompt_history.c: a list of texts, newest last in memory and newest first for callers. `back` is
 * the current position: 0 is the draft, 1 the newest entry.
 */
#include "port/prompt_history.h"

#include <stdint.h>

#include "base/base.h"

struct entry {
    char *text;
    size_t len;
};

struct sf_prompt_history {
    struct entry *entries;
    size_t count, cap, bytes;
    struct sf_strbuf draft;
    size_t back;
};

struct sf_prompt_history *sf_prompt_history_new(void)
{
    struct sf_prompt_history *h = sf_alloc(sizeof(*h));

    sf_strbuf_init(&h->draft);
    return h;
}

void sf_prompt_history_free(struct sf_prompt_history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->count; i++)
        free(h->entries[i].text);
    free(h->entries);
    sf_strbuf_release(&h->draft);
    free(h);
}

static void drop_oldest(struct sf_prompt_history *h)
{
    h->bytes -= h->entries[0].len;
    free(h->entries[0].text);
    memmove(h->entries, h->entries + 1, --h->count * sizeof(*h->entries));
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n')
            return false;
    return true;
}

bool sf_prompt_history_add(struct sf_prompt_history *h, const char *text, size_t len)
{
    const struct entry *newest = h->count ? &h->entries[h->count - 1] : NULL;

    sf_prompt_history_stop(h);
    if (len > SF_PAST_BYTES || is_blank(text, len))
        return false;
    if (newest && newest->len == len && !memcmp(newest->text, text, len))
        return false;
    h->entries = sf_grow(h->entries, &h->cap, h->count + 1, sizeof(*h->entries));
    h->entries[h->count++] = (struct entry){ sf_strndup(text, len), len };
    h->bytes += len;
    while (h->count > SF_PAST_ENTRIES || h->bytes > SF_PAST_BYTES)
        drop_oldest(h);
    return true;
}

size_t sf_prompt_history_count(const struct sf_prompt_history *h)
{
    return h->count;
}

const char *sf_prompt_history_at(const struct sf_prompt_history *h, size_t index, size_t *len)
{
    const struct entry *e;

    if (index >= h->count)
        return NULL;
    e = &h->entries[h->count - 1 - index];
    *len = e->len;
    return e->text;
}

/* ---- going back and forward ---- */

const char *sf_prompt_history_previous(struct sf_prompt_history *h, const char *draft,
                                       size_t draft_len, size_t *len)
{
    if (h->back == h->count)
        return NULL;
    if (!h->back) {
        sf_strbuf_reset(&h->draft);
        sf_strbuf_add(&h->draft, draft, draft_len);
    }
    return sf_prompt_history_at(h, h->back++, len);
}

const char *sf_prompt_history_next(struct sf_prompt_history *h, size_t *len)
{
    if (!h->back)
        return NULL;
    if (--h->back)
        return sf_prompt_history_at(h, h->back - 1, len);
    *len = h->draft.len;
    return h->draft.buf;
}

void sf_prompt_history_stop(struct sf_prompt_history *h)
{
    h->back = 0;
}
