/*
 * git_index: git's list of tracked files, read from the bytes of `.git/index`. Nothing in them is
 * trusted: sizes, order and names are checked, and what is not understood is an error.
 */
#ifndef SF_SNAP_GIT_INDEX_H
#define SF_SNAP_GIT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modules/modules.h"

/* One tracked file. Borrowed until the next entry is read. */
struct sf_git_entry {
    uint32_t ctime_s, ctime_ns, mtime_s, mtime_ns, mode, size;
    struct sf_oid oid;
    int stage;      /* not 0: a conflict */
    bool unwatched; /* git was told not to look at the file in the worktree */
    bool promised;  /* the file is to be added, without a content so far */
    const char *path;
    size_t len;
};

/* Reads entry by entry. Life: sf_git_index_open, _next, sf_git_index_close. */
struct sf_git_index {
    const unsigned char *data; /* borrowed */
    size_t len, at;
    uint32_t version, left;
    struct sf_strbuf path;
    bool has_root; /* after the last entry: `root` is the tree that a commit now would have */
    struct sf_oid root;
};

bool sf_git_index_open(struct sf_git_index *index, const struct sf_strbuf *data,
                       struct sf_error *err) SF_MUST_CHECK;

/* Returns 1, 0 behind the last entry, -1 with `err`. */
int sf_git_index_next(struct sf_git_index *index, struct sf_git_entry *entry, struct sf_error *err);
void sf_git_index_close(struct sf_git_index *index);

#endif
