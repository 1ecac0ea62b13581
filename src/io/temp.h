/*
 * temp: a temporary file in the directory of the file it will replace. It is opened in a directory
 * handle, filled, synced and has an unused name by then; the caller renames or discards it.
 * Life: SF_TEMP_INIT, sf_temp_open, …, sf_temp_discard, which accepts every state.
 */
#ifndef SF_IO_TEMP_H
#define SF_IO_TEMP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/base.h"

struct sf_temp {
    const char *shown; /* name of the target in messages; borrowed */
    int dir;           /* borrowed */
    int fd;            /* -1: not open */
    char name[32];     /* empty: there is no name to remove */
};

/* clang-format off */
#define SF_TEMP_INIT { NULL, -1, -1, "" }
/* clang-format on */

/* Opens a new file for writing, with `mode` minus the umask; never an existing file or a link. */
bool sf_temp_open(struct sf_temp *temp, int dir, const char *shown, mode_t mode,
                  struct sf_error *err) SF_MUST_CHECK;

/* Copies mode and, where permitted, owner of the file to be replaced. */
bool sf_temp_keep(const struct sf_temp *temp, const struct stat *st,
                  struct sf_error *err) SF_MUST_CHECK;

/* Writes and syncs all bytes, and names the file; closes the descriptor even on failure. */
bool sf_temp_fill(struct sf_temp *temp, const void *data, size_t len,
                  struct sf_error *err) SF_MUST_CHECK;

/* Closes and removes the file. After a rename, set `name` to "" first. */
void sf_temp_discard(struct sf_temp *temp);

#endif
