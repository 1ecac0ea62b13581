/*
 * keeper: copies of a git directory's files in a directory of sf's own, which mirrors it; internal
 * to the room. A second name of a file outlives the removal of the first, but shares whatever is
 * written: it serves only for what nobody writes in place. Paths are relative to both directories,
 * and no link in them is followed.
 */
#ifndef SF_CAGE_KEEPER_H
#define SF_CAGE_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/base.h"

struct sf_keeper {
    int live, store; /* handles on the git directory and on the mirror; -1: not open */
};

/* The mirror is made when it is missing. False: there is nothing to keep, or nowhere. */
bool sf_keeper_open(struct sf_keeper *k, const char *git_dir, const char *store);
void sf_keeper_close(struct sf_keeper *k);

/* A directory below one of the two handles, to be listed; -1: there is none. */
int sf_keeper_dir(int root, const char *path);

/* Handles on a directory of both, the second one made if it is missing; -1: cannot be had. */
void sf_keeper_dirs(const struct sf_keeper *k, const char *path, struct sf_keeper *out);

enum sf_keeper_how {
    SF_KEEPER_COPY,  /* a file of its own, up to 64 MiB */
    SF_KEEPER_SHARE, /* the same up to 1 MiB; a larger one shares blocks, or is a second name */
    SF_KEEPER_LINK   /* a second name, else as above */
};

/* Whether it is kept now as `st` describes it. */
bool sf_keeper_keep(const struct sf_keeper *k, const char *path, const struct stat *st,
                    enum sf_keeper_how how);

/* What is kept, if it is no second name of what lies in the git directory. */
bool sf_keeper_has_copy(const struct sf_keeper *k, const char *path, struct stat *kept);

/* In its place again as it was kept, with the directories above it. */
bool sf_keeper_put_back(const struct sf_keeper *k, const char *path, enum sf_keeper_how how);

void sf_keeper_drop(const struct sf_keeper *k, const char *path);

/* Appends at most `max` bytes of a file below one of the handles; false: it cannot be read. */
bool sf_keeper_read(int root, const char *path, size_t max, struct sf_strbuf *out);

/* The names in a directory below one of the handles, without . and .. */
void sf_keeper_list(int root, const char *path, struct sf_strlist *out);

#endif
