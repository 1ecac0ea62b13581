/*
 * place: resolves a path and holds its directory open. The path is walked component by component
 * from the workspace's directory handle, following links explicitly, and the directory it ends in
 * stays open. The path guard judges the real path; reading and writing then go through the open
 * handle, so that the file that was judged is the file that is touched.
 *
 *     asked ──resolve──► place (real path, held directory) ──judge──► read, replace, create …
 *
 * A place remembers what it found. A writer first checks that the held directory is still at the
 * judged path and the file is still the one that was seen; otherwise it fails with SF_E_BUSY and
 * changes nothing. Life: SF_PLACE_INIT, sf_place_resolve, use, sf_place_release. The root must
 * outlive its places.
 */
#ifndef SF_IO_PLACE_H
#define SF_IO_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/base.h"

enum {
    SF_PLACE_PATH_MAX = 4095, /* bytes of a path, asked or real below the root */
    SF_PLACE_HOPS_MAX = 40,   /* links followed, as many as the kernel does */
};

/* The workspace: everything below this directory is inside, however it was reached. */
struct sf_place_root {
    int fd;     /* O_PATH; -1: not open */
    char *path; /* real, absolute */
    dev_t dev;
    ino_t ino;
};

/* clang-format off */
#define SF_PLACE_ROOT_INIT { -1, NULL, 0, 0 }
/* clang-format on */

bool sf_place_root_open(struct sf_place_root *root, const char *path,
                        struct sf_error *err) SF_MUST_CHECK;
void sf_place_root_close(struct sf_place_root *root);

/* The expected kind of the path; anything else found there is an error. */
enum sf_place_want {
    SF_WANT_FILE, /* a regular file, or nothing yet */
    SF_WANT_DIR,  /* an existing directory */
    SF_WANT_ANY,  /* either, or nothing yet */
    SF_WANT_NAME, /* the name itself, to remove or move it: a final link is not followed */
};

enum sf_place_kind {
    SF_PLACE_NOTHING,
    SF_PLACE_FILE,
    SF_PLACE_DIR,
    SF_PLACE_LINK, /* with SF_WANT_NAME only */
    SF_PLACE_FIFO,
    SF_PLACE_SOCKET,
    SF_PLACE_DEVICE,
};

struct sf_place {
    const struct sf_place_root *root;
    char *shown; /* the path as asked, safe to print */
    bool inside;
    char *real; /* inside: below the root, "" is the root itself; outside: absolute */
    enum sf_place_kind kind;
    struct stat st; /* of what was found; all zero for nothing. st_nlink counts its names. */

    /*
     * The handle: O_PATH of the deepest existing directory, whose path is the first `dir_len` bytes
     * of `real`. Then follow `missing`, directories still to be made ("" or "a/b"), and `name`.
     * When the place is itself a directory, the handle is that directory and `name` is ".".
     */
    int dir;
    size_t dir_len;
    char *missing;
    char *name;

    /*
     * One path for each link followed: the link itself and the rest of the path behind it, as
     * spelled. Below the root, or absolute when it begins with "/". Rules about names apply to
     * these too, or a link called .sf would unprotect what is reached through it.
     */
    struct sf_strlist via;

    /*
     * The path lies in a directory with the structure of a git directory, whatever its name, or
     * would complete one: HEAD, objects/ and refs/ together make git read the config beside them.
     */
    bool git_dir;
};

/* clang-format off */
#define SF_PLACE_INIT { .dir = -1 }
/* clang-format on */

/*
 * Relative paths start at the root. Refused with a message: empty paths; NUL, control and direction
 * characters and invalid UTF-8; components and paths that are too long; link loops; anything
 * reached through a link of /proc, even when it would end inside; ".." after a component that does
 * not exist; a slash after a file; FIFOs, sockets and devices; and anything not of the wanted kind.
 */
bool sf_place_resolve(const struct sf_place_root *root, const char *path, size_t len,
                      enum sf_place_want want, struct sf_place *place,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_place_release(struct sf_place *place);

/* Messages about the place name it by this text, for somebody who gave the path in another form. */
void sf_place_show_as(struct sf_place *place, const char *path);

/* The absolute path, which does not end with a slash unless it is "/"; owned by the caller. */
char *sf_place_path(const struct sf_place *place);

/* A descriptor for reading the file (never waits) or listing the directory; -1 with `err`. */
int sf_place_open_read(const struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;
int sf_place_open_dir(const struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;

/* Reads the whole file, like sf_file_read. */
bool sf_place_read(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                   struct sf_error *err) SF_MUST_CHECK;

bool sf_place_read_head(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                        struct sf_error *err) SF_MUST_CHECK; /* as sf_file_read_head */

/*
 * Replaces the file atomically; mode and, where permitted, owner stay. The inode is a new one:
 * another name of the old file (a hard link, perhaps outside) keeps the old bytes. Afterwards
 * the place refers to the new file.
 */
bool sf_place_replace(struct sf_place *place, const void *data, size_t len,
                      struct sf_error *err) SF_MUST_CHECK;

/*
 * Makes a new file atomically, with the missing directories; `mode` minus the umask. SF_E_EXIST
 * when the name was taken meanwhile. On failure the new directories are removed again.
 */
bool sf_place_create(struct sf_place *place, const void *data, size_t len, mode_t mode,
                     struct sf_error *err) SF_MUST_CHECK;

/* Removes the name; for a link, the target stays. Directories are refused. */
bool sf_place_remove(struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;

/* Moves a file or link to an unused name. Directories and other file systems are refused. */
bool sf_place_move(struct sf_place *from, struct sf_place *to, struct sf_error *err) SF_MUST_CHECK;

#endif
