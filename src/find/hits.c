/*
 * hits.c: a heap whose top is the hit that comes last. After each addition the top goes as long
 * as the others are enough by themselves; what is left in the end is therefore the shortest
 * beginning of the sorted list that is enough.
 */
#include "find/hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void sf_hits_init(struct sf_hits *hits, size_t want_lines, size_t want_bytes)
{
    *hits = (struct sf_hits){ .want_lines = want_lines, .want_bytes = want_bytes };
    pthread_mutex_init(&hits->lock, NULL);
}

static int compare(int64_t rank, const char *path, const struct sf_hit *other)
{
    if (rank != other->rank)
        return rank > other->rank ? -1 : 1;
    return strcmp(path, other->path);
}

static int by_order(const void *a, const void *b)
{
    const struct sf_hit *x = a, *y = b;

    return compare(x->rank, x->path, y);
}

static size_t bytes_of(const struct sf_hit *hit)
{
    return strlen(hit->path) + hit->text_len + sizeof(*hit);
}

static void swap(struct sf_hit *a, struct sf_hit *b)
{
    struct sf_hit spare = *a;

    *a = *b;
    *b = spare;
}

static void sift_up(struct sf_hits *h, size_t at)
{
    while (at && by_order(&h->items[at], &h->items[(at - 1) / 2]) > 0) {
        swap(&h->items[at], &h->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct sf_hits *h, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && by_order(&h->items[child + 1], &h->items[child]) > 0)
            child++;
        if (by_order(&h->items[child], &h->items[at]) <= 0)
            break;
        swap(&h->items[child], &h->items[at]);
    }
}

static void hit_release(struct sf_hit *hit)
{
    free(hit->path);
    free(hit->text);
}

/* Whether there is enough already without this one. */
static bool enough(const struct sf_hits *h, size_t lines, size_t bytes)
{
    return h->lines - lines >= h->want_lines || h->bytes - bytes >= h->want_bytes;
}

static void drop_last(struct sf_hits *h)
{
    struct sf_hit top = h->items[0];

    h->items[0] = h->items[--h->count];
    sift_down(h, 0);
    h->lines -= top.lines;
    h->bytes -= bytes_of(&top);
    h->dropped = true;
    hit_release(&top);
}

void sf_hits_add(struct sf_hits *hits, struct sf_hit hit)
{
    pthread_mutex_lock(&hits->lock);
    hits->items = sf_grow(hits->items, &hits->cap, hits->count + 1, sizeof(hit));
    hits->items[hits->count++] = hit;
    hits->lines += hit.lines;
    hits->bytes += bytes_of(&hit);
    sift_up(hits, hits->count - 1);
    while (hits->count && enough(hits, hits->items[0].lines, bytes_of(&hits->items[0])))
        drop_last(hits);
    pthread_mutex_unlock(&hits->lock);
}

bool sf_hits_wants(struct sf_hits *hits, int64_t rank, const char *path)
{
    bool wants;

    pthread_mutex_lock(&hits->lock);
    wants = !enough(hits, 0, 0) || (hits->count && compare(rank, path, &hits->items[0]) < 0);
    if (!wants)
        hits->dropped = true;
    pthread_mutex_unlock(&hits->lock);
    return wants;
}

void sf_hits_sort(struct sf_hits *hits)
{
    if (hits->count)
        qsort(hits->items, hits->count, sizeof(*hits->items), by_order);
}

void sf_hits_release(struct sf_hits *hits)
{
    for (size_t i = 0; i < hits->count; i++)
        hit_release(&hits->items[i]);
    free(hits->items);
    pthread_mutex_destroy(&hits->lock);
    *hits = (struct sf_hits){ 0 };
}
