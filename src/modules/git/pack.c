/*
 * pack.c: a pack and its index, version 2, as gitformat-pack(5) has them; no deltas. The number
 * of objects stands in front of all and is known last, so the checksum over the file is made in
 * a second pass over what is still in the cache.
 *
 * The pack is put in place first, then its index: readers look for indexes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/git/parts.h"

enum { HEADER = 12, CHUNK = 256 * 1024, LEVEL = 1 };

struct object {
    struct sf_oid oid;
    uint32_t crc;
    uint64_t at;
};

struct sf_pack {
    char *dir, *temp;
    int fd;
    uint64_t written;     /* bytes in the file */
    struct sf_strbuf out; /* bytes on their way there */
    struct object *objects;
    size_t count, cap;
    z_stream z;
};

static bool fail(const struct sf_pack *pack, struct sf_error *err)
{
    return sf_fail_errno(err, "cannot write %s", pack->temp);
}

static bool pour(struct sf_pack *pack, struct sf_error *err)
{
    if (!sf_fd_write_all(pack->fd, pack->out.buf, pack->out.len))
        return fail(pack, err);
    pack->written += pack->out.len;
    sf_strbuf_reset(&pack->out);
    return true;
}

struct sf_pack *sf_pack_new(const char *dir, struct sf_error *err)
{
    static const char header[HEADER] = "PACK\0\0\0\2";
    struct sf_pack *pack = sf_alloc(sizeof(*pack));

    sf_strbuf_init(&pack->out);
    pack->dir = sf_strdup(dir);
    pack->fd = -1;
    if (deflateInit(&pack->z, LEVEL) != Z_OK) {
        sf_fail(err, SF_E_IO, "cannot compress: %s", pack->z.msg ? pack->z.msg : "no memory");
        sf_pack_free(pack);
        return NULL;
    }
    pack->fd = sf_file_new_private(dir, "tmp_", ".pack", &pack->temp, err);
    if (pack->fd < 0) {
        sf_pack_free(pack);
        return NULL;
    }
    sf_strbuf_add(&pack->out, header, sizeof(header));
    return pack;
}

void sf_pack_free(struct sf_pack *pack)
{
    if (!pack)
        return;
    deflateEnd(&pack->z);
    if (pack->fd >= 0)
        close(pack->fd);
    if (pack->temp)
        unlink(pack->temp);
    sf_strbuf_release(&pack->out);
    free(pack->objects);
    free(pack->temp);
    free(pack->dir);
    free(pack);
}

uint64_t sf_pack_bytes(const struct sf_pack *pack)
{
    return pack->written + pack->out.len;
}

/* Kind and length in front of an object: four bits, then seven in each further byte. */
static void add_length(struct sf_strbuf *out, enum sf_object_kind kind, size_t len)
{
    unsigned char c = (unsigned char)((unsigned)kind << 4 | (len & 15));

    for (len >>= 4; len; len >>= 7) {
        sf_strbuf_addch(out, (char)(c | 0x80));
        c = len & 0x7f;
    }
    sf_strbuf_addch(out, (char)c);
}

bool sf_pack_add(struct sf_pack *pack, enum sf_object_kind kind, const struct sf_oid *oid,
                 const void *data, size_t len, struct sf_error *err)
{
    struct object object = { .oid = *oid, .at = sf_pack_bytes(pack) };
    size_t start = pack->out.len, bound;

    if (len > UINT32_MAX / 2 || object.at > INT32_MAX - (uint64_t)len - CHUNK)
        return sf_fail(err, SF_E_LIMIT, "an object of %zu bytes is too large for a snapshot", len);
    add_length(&pack->out, kind, len);
    deflateReset(&pack->z);
    bound = deflateBound(&pack->z, (uLong)len);
    pack->z.next_in = data;
    pack->z.avail_in = (uInt)len;
    pack->z.next_out = (Bytef *)sf_strbuf_room(&pack->out, bound);
    pack->z.avail_out = (uInt)bound;
    if (deflate(&pack->z, Z_FINISH) != Z_STREAM_END)
        return sf_fail(err, SF_E_IO, "cannot compress: %s", pack->z.msg ? pack->z.msg : "?");
    sf_strbuf_grew(&pack->out, bound - pack->z.avail_out);
    object.crc =
        (uint32_t)crc32(0, (const Bytef *)pack->out.buf + start, (uInt)(pack->out.len - start));
    pack->objects = sf_grow(pack->objects, &pack->cap, pack->count + 1, sizeof(*pack->objects));
    pack->objects[pack->count++] = object;
    return pack->out.len < CHUNK || pour(pack, err);
}

static void add_u32(struct sf_strbuf *out, uint64_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        sf_strbuf_addch(out, (char)(value >> shift));
}

/* Writes the count, reads all of it back, and puts the checksum at the end. */
static bool seal(struct sf_pack *pack, unsigned char sum[SF_OID_SIZE], struct sf_error *err)
{
    struct sf_strbuf *buf = &pack->out;
    struct sf_sha1 hash;
    off_t at = 0;
    ssize_t n;

    if (!pour(pack, err))
        return false;
    add_u32(buf, pack->count);
    if (pwrite(pack->fd, buf->buf, buf->len, 8) != (ssize_t)buf->len)
        return fail(pack, err);
    sf_strbuf_reset(buf);
    sf_sha1_init(&hash);
    while ((n = pread(pack->fd, sf_strbuf_room(buf, CHUNK), CHUNK, at)) > 0) {
        sf_sha1_update(&hash, buf->buf, (size_t)n);
        at += n;
    }
    if (n < 0 || (uint64_t)at != pack->written)
        return fail(pack, err);
    sf_sha1_final(&hash, sum);
    sf_strbuf_add(buf, sum, SF_OID_SIZE);
    if (!pour(pack, err))
        return false;
    return sf_fd_sync(pack->fd) || fail(pack, err);
}

static int by_oid(const void *a, const void *b)
{
    return memcmp(((const struct object *)a)->oid.id, ((const struct object *)b)->oid.id,
                  SF_OID_SIZE);
}

static void add_index(struct sf_pack *pack, const unsigned char sum[SF_OID_SIZE],
                      struct sf_strbuf *out)
{
    struct sf_sha1 hash;
    unsigned char own[SF_OID_SIZE];
    size_t n = 0;

    sf_strbuf_add(out, "\377tOc\0\0\0\2", 8);
    for (unsigned first = 0; first < 256; first++) {
        while (n < pack->count && pack->objects[n].oid.id[0] == first)
            n++;
        add_u32(out, n);
    }
    for (size_t i = 0; i < pack->count; i++)
        sf_strbuf_add(out, pack->objects[i].oid.id, SF_OID_SIZE);
    for (size_t i = 0; i < pack->count; i++)
        add_u32(out, pack->objects[i].crc);
    for (size_t i = 0; i < pack->count; i++)
        add_u32(out, pack->objects[i].at);
    sf_strbuf_add(out, sum, SF_OID_SIZE);
    sf_sha1_init(&hash);
    sf_sha1_update(&hash, out->buf, out->len);
    sf_sha1_final(&hash, own);
    sf_strbuf_add(out, own, SF_OID_SIZE);
}

/* Named after its checksum, as git does. */
static bool place(struct sf_pack *pack, const unsigned char sum[SF_OID_SIZE], struct sf_error *err)
{
    struct sf_strbuf index = SF_STRBUF_INIT, path = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_addf(&path, "%s/pack-", pack->dir);
    for (int i = 0; i < SF_OID_SIZE; i++)
        sf_strbuf_addf(&path, "%02x", sum[i]);
    sf_strbuf_adds(&path, ".pack");
    add_index(pack, sum, &index);
    ok = rename(pack->temp, path.buf) == 0 || fail(pack, err);
    if (ok) {
        free(pack->temp);
        pack->temp = NULL;
        sf_strbuf_truncate(&path, path.len - 4);
        sf_strbuf_adds(&path, "idx");
        ok = sf_file_write_atomic(path.buf, index.buf, index.len, 0600, err);
    }
    sf_strbuf_release(&index);
    sf_strbuf_release(&path);
    return ok;
}

bool sf_pack_finish(struct sf_pack *pack, struct sf_error *err)
{
    unsigned char sum[SF_OID_SIZE] = { 0 };
    bool ok = seal(pack, sum, err);

    if (ok && pack->count) {
        qsort(pack->objects, pack->count, sizeof(*pack->objects), by_oid);
        ok = place(pack, sum, err);
    }
    sf_pack_free(pack);
    return ok;
}
