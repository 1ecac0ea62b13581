/*
 * history_gone: what a command removed from a repository and nothing puts back, since git may have
 * been told to. Its copies move from the mirror to a directory of this command's, laid out as the git
 * directory is, so that copying that over brings everything back. Such directories stay for a time;
 * internal to the room.
 */
#ifndef SF_CAGE_HISTORY_GONE_H
#define SF_CAGE_HISTORY_GONE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "cage/keeper.h"

/* Of one command. Life: all zero, use, sf_history_gone_release. */
struct sf_history_gone {
    char *place;            /* below the mirror; NULL: nothing has moved */
    struct sf_strlist refs; /* paths below the git directory */
    size_t logs, shortened, objects;
    size_t unkept; /* those that there was no copy of */
};

void sf_history_gone_release(struct sf_history_gone *g);

/* The copy of this file moves. */
void sf_history_gone_take(struct sf_history_gone *g, const struct sf_keeper *k, const char *path);

/* A reference that had no file of its own; false: it is there already. */
bool sf_history_gone_write(struct sf_history_gone *g, const struct sf_keeper *k, const char *path,
                           const char *value);

/* Appends one line, or nothing. `store` is the path of the mirror. */
void sf_history_gone_tell(const struct sf_history_gone *g, const char *git_dir, const char *store,
                          struct sf_strbuf *out);

#endif
