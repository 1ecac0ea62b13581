/*
 * sse: server-sent events out of a stream of bytes, however it is cut. Private to wire. Lines end
 * in LF, CRLF or CR; a mark at the very start, comments and fields other than `event` and `data`
 * are passed over without being kept. Life: sf_sse_init, feed, finish, sf_sse_release.
 */
#ifndef SF_WIRE_SSE_H
#define SF_WIRE_SSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_SSE_FIELD_MAX = 8, SF_SSE_NAME_MAX = 256 };

/* One event; `name` is "" when it has none. Borrowed. False: no more, please. */
typedef bool sf_sse_fn(void *ctx, const char *name, const char *data, size_t len);

struct sf_sse {
    sf_sse_fn *fn;
    void *ctx;
    size_t max; /* bytes of one line, and of the data of one event */
    struct sf_strbuf name, data;
    char field[SF_SSE_FIELD_MAX];
    size_t field_len;  /* of the line's field so far; longer than `field` means unknown */
    size_t line;       /* bytes of the present line */
    size_t bom;        /* bytes of a mark seen at the start; behind it: more than it has */
    bool value, space; /* the colon is past; the next byte, if a space, belongs to it */
    bool cr, has_data;
    bool over;
};

void sf_sse_init(struct sf_sse *sse, size_t max, sf_sse_fn *fn, void *ctx);
void sf_sse_release(struct sf_sse *sse);

/* False when a ceiling was reached, and always after `fn` said false. */
bool sf_sse_feed(struct sf_sse *sse, const char *data, size_t len);

/* The stream has ended: an event without its empty line is delivered too. */
bool sf_sse_finish(struct sf_sse *sse);

#endif
