/*
 * place: where a path really leads, and the only way there. A path as asked is walked component
 * by component from the workspace's directory handle, links followed by hand, and the directory
 * it ends in stays open. The path guard judges the real path; reading and writing then go
 * through the open handle, so that what was judged is what is touched.
 *
 *     asked ──resolve──► place (real path, held directory) ──judge──► read, replace, create …
 *
 * A place remembers what it found. A writer first makes sure that the held directory still lies
 * at the judged path and the file is still the one that was seen; otherwise it refuses with
 * SF_E_BUSY and nothing has changed. Life: SF_PLACE_INIT, sf_place_resolve, use,
 * sf_place_release. The root must outlive its places.
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

/* The workspace: what lies beneath this directory is inside, however it was reached. */
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

/* What the path is wanted for; anything else that is found there is an error. */
enum sf_place_want {
    SF_WANT_FILE, /* a regular file, or nothing yet */
    SF_WANT_DIR,  /* a directory that is there */
    SF_WANT_ANY,  /* either, or nothing yet */
    SF_WANT_NAME, /* the name itself, to remove or move it: a link in the end is not followed */
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
    struct stat st; /* of what is there; zero for nothing. st_nlink counts its names. */

    /*
     * The handle: O_PATH of the deepest directory that exists, `dir_len` bytes of `real` long.
     * Behind it come `missing`, directories still to be made ("" or "a/b"), and `name`. When
     * the place is itself a directory, the handle is that directory and `name` is ".".
     */
    int dir;
    size_t dir_len;
    char *missing;
    char *name;

    /*
     * One for each link followed: where the link lies, and what was still to come behind it, as
     * spelled. Below the root, or absolute when it begins with "/". Rules about names hold for
     * these too, or a link called .sf would unprotect what is reached through it.
     */
    struct sf_strlist via;

    /*
     * The path lies in a git directory by its shape, whatever that is called, or would complete
     * one: HEAD, objects/ and refs/ side by side make git read the config beside them.
     */
    bool git_dir;
};

/* clang-format off */
#define SF_PLACE_INIT { .dir = -1 }
/* clang-format on */

/*
 * Relative paths start at the root. Refused, in words: empty paths; NUL, control and direction
 * characters and damaged UTF-8; components and paths that are too long; link loops; anything
 * reached through a link of /proc, even when it would end inside; ".." behind something that is
 * not there; a slash behind a file; FIFOs, sockets and devices; and what is not as wanted.
 */
bool sf_place_resolve(const struct sf_place_root *root, const char *path, size_t len,
                      enum sf_place_want want, struct sf_place *place,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_place_release(struct sf_place *place);

/* A descriptor for reading the file (never waits) or listing the directory; -1 with `err`. */
int sf_place_open_read(const struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;
int sf_place_open_dir(const struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;

/* The whole file, as sf_file_read. */
bool sf_place_read(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                   struct sf_error *err) SF_MUST_CHECK;

bool sf_place_read_head(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                        struct sf_error *err) SF_MUST_CHECK; /* as sf_file_read_head */

/*
 * Replaces the file in one step; mode and, where permitted, owner stay. The inode is a new one:
 * another name of the old file (a hard link, perhaps outside) keeps the old bytes. Afterwards
 * the place stands for the new file.
 */
bool sf_place_replace(struct sf_place *place, const void *data, size_t len,
                      struct sf_error *err) SF_MUST_CHECK;

/*
 * Makes a file where nothing is, in one step, with the directories that are missing; `mode`
 * minus the umask. SF_E_EXIST when somebody was faster. On failure the directories made go again.
 */
bool sf_place_create(struct sf_place *place, const void *data, size_t len, mode_t mode,
                     struct sf_error *err) SF_MUST_CHECK;

/* Removes the name: a link goes, its target stays. Directories are refused. */
bool sf_place_remove(struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;

/* Moves a file or link to where nothing is. Directories and other file systems are refused. */
bool sf_place_move(struct sf_place *from, struct sf_place *to, struct sf_error *err) SF_MUST_CHECK;

#endif
