/*
 * hits: results from many threads in an order that does not depend on them, in bounded memory. A
 * hit is a path with a text of some lines. Only the hits that come first are kept: as many as it
 * takes to have `want_lines` lines or `want_bytes` bytes, whichever is reached sooner. Which ones
 * these are depends on the hits alone and not on when they came.
 *
 * Order: higher `rank` first (a time, or 0), then paths by bytes.
 * Life: sf_hits_init, sf_hits_add from any thread, then sf_hits_sort, read, sf_hits_release.
 */
#ifndef SF_FIND_HITS_H
#define SF_FIND_HITS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_hit {
    char *path; /* owned, like the text */
    char *text; /* or NULL */
    size_t text_len;
    size_t lines;
    int64_t rank;
    int64_t size;
};

struct sf_hits {
    pthread_mutex_t lock;
    struct sf_hit *items; /* until sorted a heap, the last one in order on top */
    size_t count, cap;
    size_t lines, bytes;
    size_t want_lines, want_bytes;
    bool dropped; /* some were not kept */
};

void sf_hits_init(struct sf_hits *hits, size_t want_lines, size_t want_bytes);

/* False when a hit with this rank and path would not be kept: its text need not be made. */
bool sf_hits_wants(struct sf_hits *hits, int64_t rank, const char *path);

void sf_hits_add(struct sf_hits *hits, struct sf_hit hit); /* adopts path and text */
void sf_hits_sort(struct sf_hits *hits);
void sf_hits_release(struct sf_hits *hits);

#endif
