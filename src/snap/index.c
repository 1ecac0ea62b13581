/*
 * index.c: the stat index of a worktree: for each directory its trees, for each entry the result of
 * stat and the object. The index only saves work: one that is missing, damaged or of another
 * version counts as empty. Its objects are those of one scan, all reachable from the trees of the
 * root, which pruning therefore keeps.
 *
 *     "sfindex1" { dir record, entries } … checksum          in this machine's byte order
 */
#include "base/base.h"
#include "snap/internal.h"

enum { INDEX_MAX = 1024 * 1024 * 1024, MAGIC = 8, SUM = 8 };

static const char magic[MAGIC + 1] = "sfindex1";

struct record {
    uint32_t bytes; /* size of the record with its entries */
    uint32_t path_len, count;
    struct sf_oid files, modes;
};

static uint64_t sum_of(const char *data, size_t len)
{
    uint64_t sum = 0xcbf29ce484222325, word;

    for (; len >= sizeof(word); data += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, data, sizeof(word));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 29;
    }
    for (; len; data++, len--)
        sum = (sum ^ (unsigned char)*data) * 0x100000001b3;
    return sum;
}

static bool is_sound(const struct sf_strbuf *data)
{
    uint64_t sum;

    if (data->len < MAGIC + SUM || memcmp(data->buf, magic, MAGIC) != 0)
        return false;
    memcpy(&sum, data->buf + data->len - SUM, SUM);
    return sum == sum_of(data->buf, data->len - SUM);
}

/* The checksum is right, so the records should be too; the bounds are checked nevertheless. */
static bool map_dirs(struct sf_index *index)
{
    size_t at = MAGIC, end = index->data.len - SUM;

    while (at < end) {
        struct record r;
        const char *path = index->data.buf + at + sizeof(r);

        if (end - at < sizeof(r))
            return false;
        memcpy(&r, index->data.buf + at, sizeof(r));
        if (r.bytes > end - at || r.bytes < sizeof(r) || r.path_len > r.bytes - sizeof(r))
            return false;
        sf_map_add(&index->dirs, path, r.path_len, index->data.buf + at);
        at += r.bytes;
    }
    return true;
}

void sf_index_load(const char *path, struct sf_index *out)
{
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_file_read(path, INDEX_MAX, &out->data, &ignored) && is_sound(&out->data) &&
        map_dirs(out))
        return;
    sf_index_release(out);
}

bool sf_index_find(const struct sf_index *index, const char *path, size_t len,
                   struct sf_index_dir *out)
{
    const char *at = sf_map_get(&index->dirs, path, len);
    struct record r;

    if (!at)
        return false;
    memcpy(&r, at, sizeof(r));
    *out = (struct sf_index_dir){ .files = r.files,
                                  .modes = r.modes,
                                  .count = r.count,
                                  .at = at + sizeof(r) + r.path_len,
                                  .end = at + r.bytes };
    return true;
}

bool sf_index_next(struct sf_index_dir *dir, struct sf_index_stat *stat, const char **name)
{
    size_t left = (size_t)(dir->end - dir->at);

    if (left < sizeof(*stat))
        return false;
    memcpy(stat, dir->at, sizeof(*stat));
    if (stat->name_len >= left - sizeof(*stat))
        return false;
    *name = dir->at + sizeof(*stat);
    dir->at += sizeof(*stat) + stat->name_len + 1;
    return true;
}

void sf_index_release(struct sf_index *index)
{
    sf_map_release(&index->dirs);
    sf_strbuf_release(&index->data);
    *index = (struct sf_index)SF_INDEX_INIT;
}

void sf_index_start(struct sf_strbuf *out)
{
    sf_strbuf_add(out, magic, MAGIC);
}

size_t sf_index_add_dir(struct sf_strbuf *out, const char *path, size_t len,
                        const struct sf_snap_item *trees, uint32_t count)
{
    const struct record r = {
        .path_len = (uint32_t)len, .count = count, .files = trees->oid, .modes = trees->modes
    };
    size_t at = out->len;

    sf_strbuf_add(out, &r, sizeof(r));
    sf_strbuf_add(out, path, len);
    return at;
}

void sf_index_add(struct sf_strbuf *out, const struct sf_index_stat *stat, const char *name)
{
    sf_strbuf_add(out, stat, sizeof(*stat));
    sf_strbuf_add(out, name, (size_t)stat->name_len + 1);
}

void sf_index_end_dir(struct sf_strbuf *out, size_t at)
{
    uint32_t bytes = (uint32_t)(out->len - at);

    memcpy(out->buf + at, &bytes, sizeof(bytes));
}

void sf_index_finish(struct sf_strbuf *out)
{
    uint64_t sum = sum_of(out->buf, out->len);

    sf_strbuf_add(out, &sum, sizeof(sum));
}

bool sf_index_root(const char *path, struct sf_oid *files, struct sf_oid *modes)
{
    struct sf_index index = SF_INDEX_INIT;
    struct sf_index_dir root;
    bool found;

    sf_index_load(path, &index);
    found = sf_index_find(&index, "", 0, &root);
    if (found) {
        *files = root.files;
        *modes = root.modes;
    }
    sf_index_release(&index);
    return found;
}
