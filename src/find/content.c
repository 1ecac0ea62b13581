/*
 * content.c: open, look, read, close: four calls for nearly every file.
 */
#include "find/content.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "find/beneath.h"

enum {
    KEEP = 4 * 1024 * 1024, /* a larger buffer goes back after its file */
    PADDING = 64            /* zeroes behind the text: compiled patterns look at whole vectors */
};

/* Up to `max` bytes and one more, by which the caller sees that there are too many. */
static bool read_file(int fd, size_t size, size_t max, struct sf_strbuf *out)
{
    size_t want = size < max ? size + 1 : max + 1;

    for (;;) {
        ssize_t n = read(fd, sf_strbuf_room(out, want + PADDING), want);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        sf_strbuf_grew(out, (size_t)n);
        if ((size_t)n < want || out->len > max) /* a file gives less only at its end */
            return true;
        want = max + 1 - out->len < KEEP ? max + 1 - out->len : KEEP;
    }
}

static unsigned unit(const char *at, bool big)
{
    const unsigned char *u = (const unsigned char *)at;

    return big ? (unsigned)u[0] << 8 | u[1] : (unsigned)u[1] << 8 | u[0];
}

/* UTF-16 behind its mark; half a pair and an odd byte at the end become U+FFFD. */
static void convert(const struct sf_strbuf *raw, bool big, struct sf_strbuf *out)
{
    size_t at = 2;

    while (at + 1 < raw->len) {
        uint32_t cp = unit(raw->buf + at, big);

        at += 2;
        if (cp >= 0xd800 && cp < 0xdc00 && at + 1 < raw->len) {
            uint32_t low = unit(raw->buf + at, big);

            if (low >= 0xdc00 && low < 0xe000) {
                cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
                at += 2;
            }
        }
        sf_utf8_add(out, cp);
    }
    if (at < raw->len)
        sf_utf8_add(out, SF_UTF8_REPLACEMENT);
}

static void pad(struct sf_strbuf *sb)
{
    memset(sf_strbuf_room(sb, PADDING), 0, PADDING);
}

/* Points `text` at what is to be searched. */
static void decode(struct sf_content *c)
{
    const struct sf_strbuf *raw = &c->raw;
    bool little = raw->len >= 2 && !memcmp(raw->buf, "\xff\xfe", 2);
    bool big = raw->len >= 2 && !memcmp(raw->buf, "\xfe\xff", 2);
    size_t skip = raw->len >= 3 && !memcmp(raw->buf, "\xef\xbb\xbf", 3) ? 3 : 0;

    c->text = raw->buf + skip;
    c->len = raw->len - skip;
    if (little || big) {
        sf_strbuf_reset(&c->converted);
        convert(raw, big, &c->converted);
        pad(&c->converted);
        c->text = c->converted.buf;
        c->len = c->converted.len;
    }
}

static enum sf_content_kind judge(struct sf_content *c)
{
    const char *nul = memchr(c->text, '\0', c->len);
    const char *lf;

    c->text_len = c->len;
    if (!nul)
        return SF_CONTENT_TEXT;
    if (nul - c->text < SF_CONTENT_SNIFF)
        return SF_CONTENT_BINARY;
    lf = memrchr(c->text, '\n', (size_t)(nul - c->text));
    c->text_len = lf ? (size_t)(lf - c->text) + 1 : 0;
    return SF_CONTENT_TEXT;
}

static void reset(struct sf_strbuf *sb)
{
    if (sb->cap > KEEP)
        sf_strbuf_release(sb);
    else
        sf_strbuf_reset(sb);
}

enum sf_content_kind sf_content_load(struct sf_content *content, int dir, const char *name,
                                     size_t max)
{
    struct stat st;
    int fd = sf_beneath_open_file(dir, name, &st);
    bool ok;

    if (fd < 0)
        return SF_CONTENT_UNREADABLE;
    reset(&content->raw);
    reset(&content->converted);
    if (st.st_size < 0 || (size_t)st.st_size > max) {
        close(fd);
        return SF_CONTENT_LARGE;
    }
    ok = read_file(fd, (size_t)st.st_size, max, &content->raw);
    close(fd);
    if (!ok)
        return SF_CONTENT_UNREADABLE;
    if (content->raw.len > max)
        return SF_CONTENT_LARGE;
    pad(&content->raw);
    decode(content);
    return judge(content);
}

void sf_content_release(struct sf_content *content)
{
    sf_strbuf_release(&content->raw);
    sf_strbuf_release(&content->converted);
}
