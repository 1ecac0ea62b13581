/*
 * listing.c: slots of directories read before. A listing that is in use is never replaced: a walk
 * holds those of all directories it is in.
 */
#include "cage/listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"

enum { SETTLED_MS = 2000 };

struct dir {
    struct sf_listing listing; /* first, so that one leads to the other */
    struct sf_listing_entry *entries;
    size_t cap;
    struct sf_arena names;
    char *path;
    struct stat was;
    bool used, kept, sorted;
};

struct sf_listings {
    struct dir *dirs[SF_LISTING_DIRS];
    size_t next; /* to be replaced */
    uint64_t version;
};

struct sf_listings *sf_listings_new(void)
{
    return sf_alloc(sizeof(struct sf_listings));
}

static void dir_free(struct dir *d)
{
    if (!d)
        return;
    free(d->entries);
    free(d->path);
    sf_arena_release(&d->names);
    free(d);
}

void sf_listings_free(struct sf_listings *all)
{
    for (size_t i = 0; all && i < SF_LISTING_DIRS; i++)
        dir_free(all->dirs[i]);
    free(all);
}

static int64_t changed_ns(const struct stat *st)
{
    return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
}

static bool is_as_it_was(const struct dir *d, const struct stat *now)
{
    return d->was.st_dev == now->st_dev && d->was.st_ino == now->st_ino &&
           changed_ns(&d->was) == changed_ns(now);
}

static void add(struct dir *d, const struct dirent *entry)
{
    const char *name = sf_arena_strndup(&d->names, entry->d_name, strlen(entry->d_name));

    d->entries = sf_grow(d->entries, &d->cap, d->listing.count + 1, sizeof(*d->entries));
    d->entries[d->listing.count++] = (struct sf_listing_entry){ name, entry->d_type };
    d->listing.entries = d->entries;
}

static void read_entries(struct dir *d, DIR *stream)
{
    const struct dirent *entry;

    while ((entry = readdir(stream))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (d->listing.count == SF_LISTING_ENTRIES) {
            d->listing.cut = true;
            return;
        }
        add(d, entry);
    }
}

/* Its time is taken before its entries: what changes meanwhile shows the next time. */
static struct dir *read_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    struct dir *d;

    if (!stream) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    d = sf_alloc(sizeof(*d));
    d->names = (struct sf_arena)SF_ARENA_INIT;
    d->path = sf_strdup(path);
    d->kept =
        fstat(fd, &d->was) == 0 && sf_clock_wall_ms() - changed_ns(&d->was) / 1000000 > SETTLED_MS;
    read_entries(d, stream);
    closedir(stream);
    d->kept = d->kept && d->listing.count <= SF_LISTING_KEPT;
    return d;
}

static size_t slot_of(const struct sf_listings *all, const char *path)
{
    size_t i = 0;

    while (i < SF_LISTING_DIRS && (!all->dirs[i] || strcmp(all->dirs[i]->path, path) != 0))
        i++;
    return i;
}

static size_t slot_for_new(struct sf_listings *all)
{
    for (size_t tries = 0; tries < SF_LISTING_DIRS; tries++) {
        size_t i = all->next++ % SF_LISTING_DIRS;

        if (!all->dirs[i] || !all->dirs[i]->used)
            return i;
    }
    return SF_LISTING_DIRS;
}

struct sf_listing *sf_listings_read(struct sf_listings *all, const char *path)
{
    size_t at = slot_of(all, path);
    struct stat now;
    struct dir *d;

    if (at < SF_LISTING_DIRS && !all->dirs[at]->used && stat(path, &now) == 0 &&
        is_as_it_was(all->dirs[at], &now)) {
        all->dirs[at]->used = true;
        return &all->dirs[at]->listing;
    }
    d = read_dir(path);
    if (!d)
        return NULL;
    d->used = true;
    if (d->kept && at == SF_LISTING_DIRS)
        at = slot_for_new(all);
    d->kept = d->kept && at < SF_LISTING_DIRS && (!all->dirs[at] || !all->dirs[at]->used);
    if (d->kept) {
        d->listing.version = ++all->version;
        dir_free(all->dirs[at]);
        all->dirs[at] = d;
    }
    return &d->listing;
}

static int by_name(const void *a, const void *b)
{
    const struct sf_listing_entry *one = a, *other = b;

    return strcasecmp(one->name, other->name);
}

bool sf_listing_may_have(struct sf_listing *listing, const char *below)
{
    struct dir *d = (struct dir *)listing;
    size_t n = strcspn(below, "/");
    char name[NAME_MAX + 1];
    const struct sf_listing_entry wanted = { .name = name };

    if (listing->cut || n >= sizeof(name))
        return true;
    if (!d->sorted && listing->count)
        qsort(d->entries, listing->count, sizeof(*d->entries), by_name);
    d->sorted = true;
    memcpy(name, below, n);
    name[n] = '\0';
    return listing->count &&
           bsearch(&wanted, d->entries, listing->count, sizeof(*d->entries), by_name);
}

void sf_listing_done(struct sf_listing *listing)
{
    struct dir *d = (struct dir *)listing;

    if (!d)
        return;
    d->used = false;
    if (!d->kept)
        dir_free(d);
}
