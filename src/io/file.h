/*
 * file: whole files and directories. Reading takes regular files only and never waits, so a
 * FIFO or a device under a hostile name cannot hang the program. Writing replaces the file
 * atomically: a reader sees the old bytes or the new ones, never a mixture, even after a full disk
 * or a power cut.
 *
 * Paths are passed to the kernel as they are; permission to touch them is decided elsewhere.
 */
#ifndef SF_IO_FILE_H
#define SF_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/base.h"

/*
 * Appends the file's bytes to `out`; on failure `out` is as before. SF_E_NOENT when the file does
 * not exist, SF_E_LIMIT when it has more than `max` bytes, SF_E_ARG when it is not a regular file.
 */
bool sf_file_read(const char *path, size_t max, struct sf_strbuf *out,
                  struct sf_error *err) SF_MUST_CHECK;

/* The same for at most the first `max` bytes; a longer file is not an error. */
bool sf_file_read_head(const char *path, size_t max, struct sf_strbuf *out,
                       struct sf_error *err) SF_MUST_CHECK;

/*
 * Writes a temporary file beside the target, syncs it, renames it over the target and syncs the
 * directory. An existing file keeps its mode and, where permitted, its owner; a new one gets
 * `mode_if_new` minus the umask. A symbolic link stays a link and its target is replaced, also
 * when the target does not exist yet. A file the user may not write is refused, although a
 * rename could replace it. Other names of the same file (hard links) keep the old bytes.
 * False after the rename is possible only when the directory cannot be synced: the new bytes are
 * there, but a power cut may still take them back.
 */
bool sf_file_write_atomic(const char *path, const void *data, size_t len, mode_t mode_if_new,
                          struct sf_error *err) SF_MUST_CHECK;

/* Makes all missing directories of the path, each with `mode` minus the umask. */
bool sf_dir_make(const char *path, mode_t mode, struct sf_error *err) SF_MUST_CHECK;

/*
 * Makes a private file in DIR (made with mode 0700 if missing), open for reading and writing, with
 * mode 0600 and a name that cannot be guessed: STEM, 128 random bits, SUFFIX. Returns the
 * descriptor and sets `*path`, which the caller owns; -1 with `err` filled on failure.
 */
int sf_file_new_private(const char *dir, const char *stem, const char *suffix, char **path,
                        struct sf_error *err) SF_MUST_CHECK;

/* DIR/NAME with one slash between; an absolute NAME is joined too and does not replace DIR. */
char *sf_path_join(const char *dir, const char *name);

/*
 * The directory of the running program, without a trailing slash; false when the kernel cannot
 * tell. Never derived from argv[0] or the environment.
 */
bool sf_program_dir(char *buf, size_t size) SF_MUST_CHECK;

/* The absolute path without links, "." and ".."; every component must exist. */
char *sf_path_real(const char *path, struct sf_error *err);

#endif
