/*
 * strbuf.c: the growing byte string. Invariant: buf[len] is NUL, and cap counts that byte.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

char sf_strbuf_empty[1];

void sf_strbuf_init(struct sf_strbuf *sb)
{
    *sb = (struct sf_strbuf)SF_STRBUF_INIT;
}

void sf_strbuf_release(struct sf_strbuf *sb)
{
    if (sb->cap)
        free(sb->buf);
    sf_strbuf_init(sb);
}

void sf_strbuf_reset(struct sf_strbuf *sb)
{
    sf_strbuf_truncate(sb, 0);
}

char *sf_strbuf_detach(struct sf_strbuf *sb)
{
    char *text = sb->cap ? sb->buf : sf_strdup("");

    sf_strbuf_init(sb);
    return text;
}

char *sf_strbuf_room(struct sf_strbuf *sb, size_t more)
{
    size_t need = more > SIZE_MAX - sb->len - 1 ? SIZE_MAX : sb->len + more + 1;

    sb->buf = sf_grow(sb->cap ? sb->buf : NULL, &sb->cap, need, 1);
    sb->buf[sb->len] = '\0';
    return sb->buf + sb->len;
}

void sf_strbuf_grew(struct sf_strbuf *sb, size_t more)
{
    assert(sb->len + more < sb->cap);
    sb->len += more;
    sb->buf[sb->len] = '\0';
}

void sf_strbuf_add(struct sf_strbuf *sb, const void *data, size_t len)
{
    if (!len)
        return;
    memcpy(sf_strbuf_room(sb, len), data, len);
    sf_strbuf_grew(sb, len);
}

void sf_strbuf_adds(struct sf_strbuf *sb, const char *text)
{
    sf_strbuf_add(sb, text, strlen(text));
}

void sf_strbuf_addch(struct sf_strbuf *sb, char c)
{
    *sf_strbuf_room(sb, 1) = c;
    sf_strbuf_grew(sb, 1);
}

void sf_strbuf_fill(struct sf_strbuf *sb, char c, size_t times)
{
    memset(sf_strbuf_room(sb, times), c, times);
    sf_strbuf_grew(sb, times);
}

void sf_strbuf_vaddf(struct sf_strbuf *sb, const char *format, va_list args)
{
    va_list again;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    assert(n >= 0);
    vsnprintf(sf_strbuf_room(sb, (size_t)n), (size_t)n + 1, format, again);
    sf_strbuf_grew(sb, (size_t)n);
    va_end(again);
}

void sf_strbuf_addf(struct sf_strbuf *sb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(sb, format, args);
    va_end(args);
}

void sf_strbuf_splice(struct sf_strbuf *sb, size_t at, size_t remove, const void *data, size_t len)
{
    size_t tail;

    assert(at <= sb->len && remove <= sb->len - at);
    tail = sb->len - at - remove;
    sf_strbuf_room(sb, len);
    memmove(sb->buf + at + len, sb->buf + at + remove, tail);
    if (len)
        memcpy(sb->buf + at, data, len);
    sb->len = at + len + tail;
    sb->buf[sb->len] = '\0';
}

void sf_strbuf_truncate(struct sf_strbuf *sb, size_t len)
{
    assert(len <= sb->len);
    sb->len = len;
    if (sb->cap)
        sb->buf[len] = '\0';
}
