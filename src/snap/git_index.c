/*
 * git_index.c: the format of git's index, versions 2 to 4. Entries are sorted; an index that is
 * split over two files, or that has whole directories for entries, is not read.
 */
#include "snap/git_index.h"

#include <string.h>

enum {
    HEADER = 12,
    FIXED = 62, /* bytes of an entry in front of its name */
    MTIME = 8,
    MODE = 24,
    SIZE = 36,
    OID = 40,
    FLAGS = 60,
    FLAG_UNWATCHED = 0x8000, /* assume-valid */
    FLAG_EXTENDED = 0x4000,
    FLAG_STAGE = 0x3000,
    MORE_SKIPPED = 0x4000,  /* skip-worktree */
    MORE_PROMISED = 0x2000, /* intent-to-add */
    CHECKSUM = SF_SHA1_SIZE,
};

static uint32_t number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool damaged(struct sf_error *err)
{
    return sf_fail(err, SF_E_DAMAGED, "git's index is not as expected");
}

static int broken(struct sf_error *err)
{
    damaged(err);
    return -1;
}

/* The last bytes are the SHA-1 of all others, or zeros where git was told not to compute it. */
static bool is_whole(const unsigned char *data, size_t len)
{
    static const unsigned char none[CHECKSUM];
    unsigned char digest[SF_SHA1_SIZE];
    struct sf_sha1 hash;

    if (!memcmp(data + len, none, CHECKSUM))
        return true;
    sf_sha1_init(&hash);
    sf_sha1_update(&hash, data, len);
    sf_sha1_final(&hash, digest);
    return !memcmp(digest, data + len, CHECKSUM);
}

bool sf_git_index_open(struct sf_git_index *x, const struct sf_strbuf *data, struct sf_error *err)
{
    *x = (struct sf_git_index){ .data = (const unsigned char *)data->buf,
                                .len = data->len,
                                .at = HEADER,
                                .path = SF_STRBUF_INIT };
    if (x->len < HEADER + CHECKSUM || memcmp(x->data, "DIRC", 4) != 0)
        return damaged(err);
    x->len -= CHECKSUM;
    x->version = number(x->data + 4);
    x->left = number(x->data + 8);
    if (x->version < 2 || x->version > 4 || !is_whole(x->data, x->len))
        return damaged(err);
    return true;
}

void sf_git_index_close(struct sf_git_index *x)
{
    sf_strbuf_release(&x->path);
}

/* Version 4 says how many bytes of the path before are dropped in front of the rest. */
static bool read_shared(struct sf_git_index *x, size_t *drop)
{
    size_t value = 0;

    for (int i = 0; i < 4 && x->at < x->len; i++) {
        unsigned char byte = x->data[x->at++];

        value = (i ? (value + 1) << 7 : 0) | (byte & 0x7f);
        if (!(byte & 0x80)) {
            *drop = value;
            return value <= x->path.len;
        }
    }
    return false;
}

static bool is_sorted(const struct sf_strbuf *before, const char *path, size_t len, int stage)
{
    size_t least = before->len < len ? before->len : len;
    int order = memcmp(before->buf, path, least);

    return order < 0 || (order == 0 && (before->len < len || (before->len == len && stage)));
}

static bool take_path(struct sf_git_index *x, size_t start, const struct sf_git_entry *e)
{
    size_t drop = 0, kept, len;
    const unsigned char *end;
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok;

    if (x->version == 4 && !read_shared(x, &drop))
        return false;
    end = memchr(x->data + x->at, '\0', x->len - x->at);
    if (!end)
        return false;
    len = (size_t)(end - (x->data + x->at));
    kept = x->version == 4 ? x->path.len - drop : 0;
    sf_strbuf_add(&path, x->path.buf, kept);
    sf_strbuf_add(&path, x->data + x->at, len);
    x->at += len + 1;
    if (x->version < 4) /* padded with zeros to a multiple of eight */
        x->at = start + ((x->at - 1 - start + 8) & ~(size_t)7);
    ok = x->at <= x->len && path.len && is_sorted(&x->path, path.buf, path.len, e->stage);
    sf_strbuf_release(&x->path);
    x->path = path;
    return ok;
}

/* The tree of the whole index, where git has computed it since the last change. */
static void take_tree(struct sf_git_index *x, const unsigned char *at, size_t len)
{
    const unsigned char *newline = memchr(at, '\n', len);
    size_t before = newline ? (size_t)(newline - at) + 1 : 0;

    if (len < 3 || at[0] != '\0' || at[1] == '-' || !newline || len - before < SF_OID_SIZE)
        return;
    memcpy(x->root.id, at + before, SF_OID_SIZE);
    x->has_root = true;
}

/* Extensions that begin with a capital letter may be passed over, others change the meaning. */
static bool read_extensions(struct sf_git_index *x)
{
    while (x->len - x->at >= 8) {
        const unsigned char *at = x->data + x->at;
        size_t size = number(at + 4);

        if (at[0] < 'A' || at[0] > 'Z' || size > x->len - x->at - 8)
            return false;
        if (!memcmp(at, "TREE", 4))
            take_tree(x, at + 8, size);
        x->at += 8 + size;
    }
    return x->at == x->len;
}

int sf_git_index_next(struct sf_git_index *x, struct sf_git_entry *e, struct sf_error *err)
{
    size_t start = x->at;
    const unsigned char *at = x->data + start;
    unsigned flags, more = 0;

    if (!x->left)
        return read_extensions(x) ? 0 : broken(err);
    if (x->len - x->at < FIXED)
        return broken(err);
    flags = number(at + FLAGS - 2) & 0xffff;
    *e = (struct sf_git_entry){ .ctime_s = number(at),
                                .ctime_ns = number(at + 4),
                                .mtime_s = number(at + MTIME),
                                .mtime_ns = number(at + MTIME + 4),
                                .mode = number(at + MODE),
                                .size = number(at + SIZE),
                                .stage = (flags & FLAG_STAGE) != 0 };
    memcpy(e->oid.id, at + OID, SF_OID_SIZE);
    x->at += FIXED;
    if (flags & FLAG_EXTENDED) {
        if (x->len - x->at < 2 || x->version < 3)
            return broken(err);
        more = (unsigned)x->data[x->at] << 8 | x->data[x->at + 1];
        x->at += 2;
    }
    e->unwatched = (flags & FLAG_UNWATCHED) || (more & MORE_SKIPPED);
    e->promised = more & MORE_PROMISED;
    if (!take_path(x, start, e))
        return broken(err);
    x->left--;
    e->path = x->path.buf;
    e->len = x->path.len;
    return 1;
}
