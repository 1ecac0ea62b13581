/*
 * entries.c: getdents64 in large bites. The kind comes with the name on nearly every file system;
 * the others are asked, never through a link.
 */
#include "find/entries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"

static enum sf_entry_kind kind_of_mode(mode_t mode)
{
    if (S_ISREG(mode))
        return SF_ENTRY_FILE;
    if (S_ISDIR(mode))
        return SF_ENTRY_DIR;
    return S_ISLNK(mode) ? SF_ENTRY_LINK : SF_ENTRY_OTHER;
}

static enum sf_entry_kind kind_of(int fd, const struct dirent64 *d)
{
    struct stat st;

    if (d->d_type != DT_UNKNOWN)
        return kind_of_mode(DTTOIF(d->d_type));
    if (fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return SF_ENTRY_OTHER;
    return kind_of_mode(st.st_mode);
}

static void add(struct sf_entries *entries, int fd, const struct dirent64 *d)
{
    const char *name = d->d_name;
    struct sf_entry entry = { entries->names.len, SF_ENTRY_OTHER };

    if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
        return;
    if (name[0] == '.')
        sf_ignore_sees(&entries->seen, name);
    entry.kind = kind_of(fd, d);
    sf_strbuf_add(&entries->names, name, strlen(name) + 1);
    entries->items = sf_grow(entries->items, &entries->cap, entries->count + 1, sizeof(entry));
    entries->items[entries->count++] = entry;
}

bool sf_entries_read(struct sf_entries *entries, int fd)
{
    _Alignas(struct dirent64) char block[32768];

    sf_strbuf_reset(&entries->names);
    entries->count = 0;
    entries->cut = false;
    entries->seen = (struct sf_ignore_seen){ false, false, false };
    for (;;) {
        ssize_t n = getdents64(fd, block, sizeof(block));

        if (n <= 0)
            return n == 0;
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *d = (const void *)(block + at);

            add(entries, fd, d);
            at += d->d_reclen;
        }
        if (entries->names.len > SF_ENTRIES_BYTES_MAX) {
            entries->cut = true;
            return true;
        }
    }
}

static int by_name(const void *a, const void *b, void *names)
{
    const struct sf_entry *x = a, *y = b;

    return strcmp((const char *)names + x->at, (const char *)names + y->at);
}

void sf_entries_sort(struct sf_entries *entries)
{
    if (entries->count)
        qsort_r(entries->items, entries->count, sizeof(*entries->items), by_name,
                entries->names.buf);
}

void sf_entries_release(struct sf_entries *entries)
{
    sf_strbuf_release(&entries->names);
    free(entries->items);
    *entries = (struct sf_entries)SF_ENTRIES_INIT;
}

const char *sf_entries_name(const struct sf_entries *entries, size_t i)
{
    return entries->names.buf + entries->items[i].at;
}
