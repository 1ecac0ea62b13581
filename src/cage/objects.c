/*
 * objects.c: the name git gives a file's content, and looking for that name among loose objects
 * and in the indexes of packs. Everything read is a number that is compared, never followed, so
 * a hostile repository can only say yes about its own files or no about others.
 */
#include "cage/objects.h"

#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

enum { NAME_BYTES = 20, BLOCK = 64, PACKS_MAX = 256, FANOUT_AT = 8, NAMES_AT = 8 + 4 * 256 };

/* ---- SHA-1, as RFC 3174 has it; for names, not for secrets ---- */

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void sha1_block(uint32_t state[5], const unsigned char *block)
{
    static const uint32_t add[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    for (size_t i = 0; i < 16; i++) {
        memcpy(&w[i], block + 4 * i, 4);
        w[i] = be32toh(w[i]);
    }
    for (unsigned i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t mix = i < 20   ? (b & c) | (~b & d)
                       : i < 40 ? b ^ c ^ d
                       : i < 60 ? (b & c) | (b & d) | (c & d)
                                : b ^ c ^ d;
        uint32_t next = rotate(a, 5) + mix + e + w[i] + add[i / 20];

        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void sha1(const char *data, size_t len, unsigned char out[NAME_BYTES])
{
    uint32_t state[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    unsigned char last[2 * BLOCK] = { 0 };
    size_t whole = len / BLOCK * BLOCK, rest = len - whole;
    size_t end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    uint64_t bits = htobe64((uint64_t)len * 8);

    for (size_t at = 0; at < whole; at += BLOCK)
        sha1_block(state, (const unsigned char *)data + at);
    memcpy(last, data + whole, rest);
    last[rest] = 0x80;
    memcpy(last + end - 8, &bits, 8);
    for (size_t at = 0; at < end; at += BLOCK)
        sha1_block(state, last + at);
    for (size_t i = 0; i < 5; i++) {
        uint32_t word = htobe32(state[i]);

        memcpy(out + 4 * i, &word, 4);
    }
}

/* The file's content as git names it: a header with its size, then the bytes. */
static bool name_of(const char *path, unsigned char name[NAME_BYTES])
{
    struct sf_strbuf text = SF_STRBUF_INIT, object = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok = sf_file_read(path, SF_OBJECTS_FILE_MAX, &text, &ignored);

    if (ok) {
        sf_strbuf_addf(&object, "blob %zu", text.len);
        sf_strbuf_addch(&object, '\0');
        sf_strbuf_add(&object, text.buf, text.len);
        sha1(object.buf, object.len, name);
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&object);
    return ok;
}

/* ---- looking ---- */

static bool is_loose(int objects, const unsigned char name[NAME_BYTES])
{
    char path[2 * NAME_BYTES + 2];
    struct stat st;
    char *at = path;

    for (unsigned i = 0; i < NAME_BYTES; i++)
        at += snprintf(at, 4, i ? "%02x" : "%02x/", name[i]);
    return fstatat(objects, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

static bool read_at(int fd, void *out, size_t len, uint64_t offset)
{
    return pread(fd, out, len, (off_t)offset) == (ssize_t)len;
}

/* How many names begin with a byte up to this one. */
static bool read_fanout(int fd, unsigned byte, uint32_t *count)
{
    if (!read_at(fd, count, sizeof(*count), FANOUT_AT + 4 * (uint64_t)byte))
        return false;
    *count = be32toh(*count);
    return true;
}

static bool is_in_index(int fd, const unsigned char name[NAME_BYTES])
{
    static const unsigned char magic[8] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
    unsigned char there[NAME_BYTES];
    uint32_t low = 0, high;

    if (!read_at(fd, there, sizeof(magic), 0) || memcmp(there, magic, sizeof(magic)) != 0 ||
        !read_fanout(fd, name[0], &high) || (name[0] && !read_fanout(fd, name[0] - 1U, &low)))
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order;

        if (!read_at(fd, there, NAME_BYTES, NAMES_AT + (uint64_t)middle * NAME_BYTES))
            return false;
        order = memcmp(there, name, NAME_BYTES);
        if (!order)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_packed(int objects, const unsigned char name[NAME_BYTES])
{
    int fd = openat(objects, "pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    bool found = false;

    for (unsigned seen = 0; dir && !found && seen < PACKS_MAX && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        int index;

        if (n < 4 || strcmp(entry->d_name + n - 4, ".idx") != 0)
            continue;
        seen++;
        index = openat(fd, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        found = index >= 0 && is_in_index(index, name);
        if (index >= 0)
            close(index);
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return found;
}

bool sf_objects_hold(const char *git_dir, const char *path)
{
    char *objects = sf_path_join(git_dir, "objects");
    int fd = open(objects, O_PATH | O_DIRECTORY | O_CLOEXEC);
    unsigned char name[NAME_BYTES];
    bool found = fd >= 0 && name_of(path, name) && (is_loose(fd, name) || is_packed(fd, name));

    if (fd >= 0)
        close(fd);
    free(objects);
    return found;
}
