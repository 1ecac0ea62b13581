/*
 * gitlinks.c: versions 2 to 4 of the format, with short and long hashes. The length of a name
 * stands in the entry as well, which tells whether the hash's size was guessed right.
 */
#include "cage/gitlinks.h"

#include <stdint.h>
#include <string.h>

enum {
    HEADER = 12,
    STAT = 40, /* in front of the hash */
    MODE_AT = 24,
    GITLINK = 0160000,
    TYPE = 0170000,
    EXTENDED = 0x4000,
    NAME_MASK = 0xfff,
    LINKS_MAX = 1024,
};

struct index {
    const unsigned char *data;
    size_t len, at, hash;
    uint32_t version;
    struct sf_strbuf name; /* of the entry before, in version 4 its beginning is left out */
};

static uint32_t number(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* How many bytes of the name before are dropped; git's own variable-length number. */
static bool read_strip(struct index *x, size_t *strip)
{
    size_t value;

    if (x->at >= x->len)
        return false;
    value = x->data[x->at] & 127;
    while (x->data[x->at] & 128) {
        if (++x->at >= x->len || value > SIZE_MAX >> 8)
            return false;
        value = ((value + 1) << 7) | (x->data[x->at] & 127);
    }
    x->at++;
    *strip = value;
    return true;
}

static bool read_name(struct index *x, size_t start, unsigned length)
{
    const unsigned char *end;
    size_t strip = x->name.len, n;

    if (x->version == 4 && (!read_strip(x, &strip) || strip > x->name.len))
        return false;
    sf_strbuf_truncate(&x->name, x->name.len - strip);
    end = x->at < x->len ? memchr(x->data + x->at, '\0', x->len - x->at) : NULL;
    if (!end)
        return false;
    n = (size_t)(end - (x->data + x->at));
    sf_strbuf_add(&x->name, (const char *)x->data + x->at, n);
    x->at += n + 1;
    if (x->version < 4)
        x->at = start + ((x->at - 1 - start + 8) & ~(size_t)7);
    return x->at <= x->len && (length == NAME_MASK || length == x->name.len);
}

static bool read_entry(struct index *x, struct sf_strlist *out)
{
    size_t start = x->at;
    uint32_t mode, flags;

    if (x->len - x->at < STAT + x->hash + 4)
        return false;
    mode = number(x->data + start + MODE_AT);
    x->at += STAT + x->hash;
    flags = (uint32_t)x->data[x->at] << 8 | x->data[x->at + 1];
    x->at += flags & EXTENDED ? 4 : 2;
    if (!read_name(x, start, flags & NAME_MASK))
        return false;
    if ((mode & TYPE) == GITLINK && out->count < LINKS_MAX)
        sf_strlist_add(out, x->name.buf);
    return out->count < LINKS_MAX;
}

/* A shared index holds entries too. */
static bool is_whole(const struct index *x)
{
    size_t at = x->at;

    while (at + x->hash + 8 <= x->len) {
        uint32_t size = number(x->data + at + 4);

        if (!memcmp(x->data + at, "link", 4) || size > x->len - at - 8)
            return false;
        at += 8 + size;
    }
    return true;
}

static bool read_all(struct index *x, struct sf_strlist *out)
{
    uint32_t count = number(x->data + 8);
    bool ok = true;

    x->at = HEADER;
    x->version = number(x->data + 4);
    sf_strbuf_init(&x->name);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = read_entry(x, out);
    ok = ok && is_whole(x);
    sf_strbuf_release(&x->name);
    return ok;
}

bool sf_gitlinks_read(const unsigned char *data, size_t len, struct sf_strlist *out)
{
    static const size_t hashes[] = { 20, 32 };

    if (len < HEADER || memcmp(data, "DIRC", 4) != 0 || number(data + 4) < 2 ||
        number(data + 4) > 4)
        return false;
    for (size_t i = 0; i < SF_COUNT(hashes); i++) {
        struct index x = { .data = data, .len = len, .hash = hashes[i] };
        struct sf_strlist found = SF_STRLIST_INIT;
        bool ok = read_all(&x, &found);

        for (size_t k = 0; ok && k < found.count; k++)
            sf_strlist_add(out, found.items[k]);
        sf_strlist_release(&found);
        if (ok)
            return true;
    }
    return false;
}
