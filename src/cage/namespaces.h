/*
 * namespaces: a view of mounts and networks of the command's own; internal to the room. All but
 * sf_namespaces_ids runs between fork and exec: system calls alone, errno says why not.
 */
#ifndef SF_CAGE_NAMESPACES_H
#define SF_CAGE_NAMESPACES_H

#include <stdbool.h>
#include <stddef.h>

struct sf_namespaces {
    bool user, mounts, nets;
    char uid_map[32], gid_map[32]; /* everybody stays who they are */
};

void sf_namespaces_ids(struct sf_namespaces *spaces);
bool sf_namespaces_enter(const struct sf_namespaces *spaces);
bool sf_namespaces_loopback_up(void);
bool sf_namespaces_read_only(void); /* every mount there is now */

enum sf_mount_how {
    SF_MOUNT_WRITABLE, /* SOURCE at PATH, as it is */
    SF_MOUNT_READONLY,
    SF_MOUNT_NOTHING, /* an empty device in the place of a file */
    SF_MOUNT_MEMORY,  /* an empty file system in memory */
    SF_MOUNT_COVER,   /* a device in the place of a file, on which open fails, also for root */
    SF_MOUNT_EMPTY,   /* an empty directory that cannot be entered, in the place of a directory */
};

struct sf_mount {
    const char *path, *source; /* real, absolute */
    enum sf_mount_how how;
    bool optional; /* what is gone by now needs no mount */
};

enum { SF_MOUNTS_MAX = 512 };

/*
 * Takes hold of all sources, makes the tree read-only when `fence`, then mounts in order. The
 * working directory is entered again, as what it was is covered now.
 */
bool sf_namespaces_mount(const struct sf_mount *mounts, size_t count, bool fence);

#endif
