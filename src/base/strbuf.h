/*
 * strbuf: a growing byte string, always NUL-terminated, bytes of any kind inside.
 * Life: SF_STRBUF_INIT, use, sf_strbuf_release. `buf` is never NULL.
 */
#ifndef SF_BASE_STRBUF_H
#define SF_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct sf_strbuf {
    char *buf;
    size_t len;
    size_t cap; /* 0: buf is the shared empty string */
};

extern char sf_strbuf_empty[1];

#define SF_STRBUF_INIT        \
    {                         \
        sf_strbuf_empty, 0, 0 \
    }

void sf_strbuf_init(struct sf_strbuf *sb);
void sf_strbuf_release(struct sf_strbuf *sb);
void sf_strbuf_reset(struct sf_strbuf *sb);
char *sf_strbuf_detach(struct sf_strbuf *sb); /* the text is the caller's; sb is empty again */

/* Room for `more` bytes behind the text; returns where they go. Finish with sf_strbuf_grew. */
char *sf_strbuf_room(struct sf_strbuf *sb, size_t more);
void sf_strbuf_grew(struct sf_strbuf *sb, size_t more);

void sf_strbuf_add(struct sf_strbuf *sb, const void *data, size_t len);
void sf_strbuf_adds(struct sf_strbuf *sb, const char *text);
void sf_strbuf_addch(struct sf_strbuf *sb, char c);
void sf_strbuf_fill(struct sf_strbuf *sb, char c, size_t times);
void sf_strbuf_addf(struct sf_strbuf *sb, const char *format, ...) SF_PRINTF(2, 3);
void sf_strbuf_vaddf(struct sf_strbuf *sb, const char *format, va_list args) SF_PRINTF(2, 0);

/* Replaces `remove` bytes at `at` with `len` bytes of `data`. */
void sf_strbuf_splice(struct sf_strbuf *sb, size_t at, size_t remove, const void *data, size_t len);
void sf_strbuf_truncate(struct sf_strbuf *sb, size_t len);

#endif
