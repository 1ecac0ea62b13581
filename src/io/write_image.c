/*
 * write_image.c: keeps the content of a file from before the first call by which a command could
 * change it. The command waits meanwhile, so there are limits.
 */
#include "io/write_image.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

static uint64_t used; /* bytes of the file */

/* By the kernel where both lie in one file system, else through a buffer. */
static ssize_t copy_some(int from, int to, off_t *at, size_t len)
{
    static char buffer[64 * 1024];
    ssize_t n = copy_file_range(from, NULL, to, at, len, 0);

    if (n >= 0 || (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP))
        return n;
    n = read(from, buffer, len < sizeof(buffer) ? len : sizeof(buffer));
    if (n > 0 && pwrite(to, buffer, (size_t)n, *at) != n)
        return -1;
    *at += n;
    return n;
}

/* A file may have become larger or smaller since; the copy has what there is, within the limits. */
static bool copy_file(int file, const struct sf_write_place *place, struct sf_write_image *out)
{
    int from = sf_write_place_open(place);
    off_t at = (off_t)used;
    ssize_t n = from < 0 ? -1 : 1;

    while (n > 0 && (uint64_t)at - used <= SF_WRITE_IMAGE_MAX)
        n = copy_some(from, file, &at, SF_WRITE_IMAGE_MAX + 1 - (size_t)((uint64_t)at - used));
    if (from >= 0)
        close(from);
    out->size = (uint64_t)at - used;
    return n == 0 && out->size <= SF_WRITE_IMAGE_MAX;
}

static bool copy_link(int file, const struct sf_write_place *place, struct sf_write_image *out)
{
    char text[PATH_MAX];
    ssize_t n = readlinkat(place->fd, "", text, sizeof(text));

    out->size = n > 0 ? (uint64_t)n : 0;
    return n > 0 && n < (ssize_t)sizeof(text) && pwrite(file, text, (size_t)n, (off_t)used) == n;
}

void sf_write_image_take(int file, const struct sf_write_place *place, struct sf_write_image *out)
{
    const struct stat *st = &place->stat;
    bool ok = file >= 0 && place->fd >= 0 && st->st_size <= SF_WRITE_IMAGE_MAX &&
              used + (uint64_t)st->st_size <= SF_WRITE_IMAGES_MAX;

    *out = (struct sf_write_image){
        .mode = (uint32_t)(st->st_mode & (S_IFMT | (S_ISREG(st->st_mode) ? 0777 : 0))),
        .modified = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
        .size = (uint64_t)st->st_size,
        .offset = used,
        .device = S_ISREG(st->st_mode) && st->st_nlink > 1 ? st->st_dev : 0,
        .inode = S_ISREG(st->st_mode) && st->st_nlink > 1 ? st->st_ino : 0,
    };
    if (ok && S_ISREG(st->st_mode))
        ok = copy_file(file, place, out);
    else
        ok = ok && S_ISLNK(st->st_mode) && copy_link(file, place, out);
    out->copied = ok;
    if (ok)
        used += out->size;
    else
        out->size = (uint64_t)st->st_size;
}
