/*
 * beneath: opening what lies below a directory handle and nothing else. No link is followed, in
 * no component; only directories and regular files are opened, and none of it ever waits, so a
 * FIFO or a device under a hostile name hangs nobody.
 */
#ifndef SF_FIND_BENEATH_H
#define SF_FIND_BENEATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/base.h"

/* The path is relative, without empty, "." and ".." components; "" is the root itself. */
int sf_beneath_open_dir(int root, const char *path); /* -1 with errno */

/* A regular file in a directory; -1 with errno, EINVAL when it is something else. */
int sf_beneath_open_file(int dir, const char *name, struct stat *st);

/* At most `max` bytes, read to the end and appended; what is cut off does not show. */
bool sf_beneath_read(int fd, size_t max, struct sf_strbuf *out);

/*
 * Puts a path in the form above: "./a//b/" becomes "a/b", "." becomes "". False with `err` for
 * absolute paths, "..", and paths that are too long.
 */
bool sf_beneath_normalize(const char *path, struct sf_strbuf *out, struct sf_error *err);

#endif
