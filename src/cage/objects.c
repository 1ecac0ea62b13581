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

enum { PACKS_MAX = 256, FANOUT_AT = 8, NAMES_AT = 8 + 4 * 256 };

/* The file's content as git names it: a header with its size, then the bytes. */
static bool name_of(const char *path, unsigned char name[SF_SHA1_SIZE])
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok = sf_file_read(path, SF_OBJECTS_FILE_MAX, &text, &ignored);
    struct sf_sha1 hash;
    char head[32];
    int len;

    if (ok) {
        len = snprintf(head, sizeof(head), "blob %zu", text.len);
        sf_sha1_init(&hash);
        sf_sha1_update(&hash, head, (size_t)len + 1); /* with its NUL */
        sf_sha1_update(&hash, text.buf, text.len);
        sf_sha1_final(&hash, name);
    }
    sf_strbuf_release(&text);
    return ok;
}

/* ---- looking ---- */

static bool is_loose(int objects, const unsigned char name[SF_SHA1_SIZE])
{
    char path[2 * SF_SHA1_SIZE + 2];
    struct stat st;
    char *at = path;

    for (unsigned i = 0; i < SF_SHA1_SIZE; i++)
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

static bool is_in_index(int fd, const unsigned char name[SF_SHA1_SIZE])
{
    static const unsigned char magic[8] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
    unsigned char there[SF_SHA1_SIZE];
    uint32_t low = 0, high;

    if (!read_at(fd, there, sizeof(magic), 0) || memcmp(there, magic, sizeof(magic)) != 0 ||
        !read_fanout(fd, name[0], &high) || (name[0] && !read_fanout(fd, name[0] - 1U, &low)))
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order;

        if (!read_at(fd, there, SF_SHA1_SIZE, NAMES_AT + (uint64_t)middle * SF_SHA1_SIZE))
            return false;
        order = memcmp(there, name, SF_SHA1_SIZE);
        if (!order)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_packed(int objects, const unsigned char name[SF_SHA1_SIZE])
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
    unsigned char name[SF_SHA1_SIZE];
    bool found = fd >= 0 && name_of(path, name) && (is_loose(fd, name) || is_packed(fd, name));

    if (fd >= 0)
        close(fd);
    free(objects);
    return found;
}
