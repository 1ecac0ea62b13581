/*
 * entries: what one directory holds, read through its handle in one go: names and kinds, without
 * "." and "..", in the file system's order until sorted. The list keeps its memory from one
 * directory to the next. Life: SF_ENTRIES_INIT, sf_entries_read …, sf_entries_release.
 */
#ifndef SF_FIND_ENTRIES_H
#define SF_FIND_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "find/ignore.h"

enum sf_entry_kind {
    SF_ENTRY_FILE,
    SF_ENTRY_DIR,
    SF_ENTRY_LINK,
    SF_ENTRY_OTHER, /* FIFOs, sockets, devices */
};

enum { SF_ENTRIES_BYTES_MAX = 64 * 1024 * 1024 }; /* names of one directory; the rest is not read */

struct sf_entry {
    size_t at; /* of the name in `names` */
    enum sf_entry_kind kind;
};

struct sf_entries {
    struct sf_strbuf names;
    struct sf_entry *items;
    size_t count, cap;
    struct sf_ignore_seen seen; /* files about ignoring that are among them */
    bool cut;                   /* there were too many */
};

/* clang-format off */
#define SF_ENTRIES_INIT { SF_STRBUF_INIT, NULL, 0, 0, { false, false, false }, false }
/* clang-format on */

bool sf_entries_read(struct sf_entries *entries, int fd); /* false with errno */
void sf_entries_sort(struct sf_entries *entries);         /* by bytes */
void sf_entries_release(struct sf_entries *entries);

const char *sf_entries_name(const struct sf_entries *entries, size_t i);

#endif
