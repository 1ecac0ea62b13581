/*
 * fd: the loops around read, write and fsync that every user of a descriptor needs. `shown` is the
 * name of the file in messages.
 */
#ifndef SF_IO_FD_H
#define SF_IO_FD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Appends all bytes; on failure `out` is as before. SF_E_LIMIT beyond `max`. */
bool sf_fd_read_all(int fd, const char *shown, size_t max, struct sf_strbuf *out,
                    struct sf_error *err) SF_MUST_CHECK;

/* Appends at most the first `max` bytes; a longer file is not an error. */
bool sf_fd_read_head(int fd, const char *shown, size_t max, struct sf_strbuf *out,
                     struct sf_error *err) SF_MUST_CHECK;

/* Both set errno when they return false. */
bool sf_fd_write_all(int fd, const void *data, size_t len) SF_MUST_CHECK;
bool sf_fd_sync(int fd) SF_MUST_CHECK;

/* Makes a rename durable; `dir` may be an O_PATH handle. */
bool sf_fd_sync_dir(int dir, const char *shown, struct sf_error *err) SF_MUST_CHECK;

#endif
