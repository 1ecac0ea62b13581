/*
 * disk: what is on the disk of a plan's paths; internal to the room.
 *
 * Landlock only grants, and a grant covers all beneath. To hide ~/.ssh everything else has to be
 * granted: each directory on the way down to something hidden is split, its other entries are
 * granted one by one.
 *
 *     /            split: etc usr var … granted
 *     └ home       split
 *       └ ann      split: src .bashrc … granted
 *         ├ .ssh        hidden: simply not granted
 *         └ .config     split …
 *
 * Listing directories is granted for all of /: names are seen, contents are not. An entry that
 * appears later in a directory that is split stays unreadable to commands that run already.
 */
#ifndef SF_CAGE_DISK_H
#define SF_CAGE_DISK_H

#include "base/base.h"
#include "cage/listing.h"
#include "cage/plan.h"

enum {
    SF_CAGE_DISK_LEAVES_MAX = 8192,
    SF_CAGE_DISK_SOCKETS_MAX = 256,
};

struct sf_cage_disk {
    struct sf_listings *listings; /* borrowed: what is known of directories */
    struct sf_strlist hidden;     /* real paths, of what exists and could be read */
    struct sf_strlist leaves;     /* to be granted */
    uint64_t *versions;           /* for each leaf that of the listing it is from */
    size_t versions_cap;
    struct sf_strlist sockets; /* of other programs, that could be connected to */
    bool cut;                  /* there were more leaves: the rest stays unreadable */
    bool sockets_cut;          /* there were more sockets */
};

void sf_cage_disk_make(struct sf_cage_disk *survey, const struct sf_cage_plan *plan,
                       struct sf_listings *listings);

/* Whether `path` may be there, by what is in the home directory; `home` may be NULL. */
bool sf_cage_disk_may_have(struct sf_listing *home, const struct sf_cage_plan *plan,
                           const char *path);
void sf_cage_disk_sockets(struct sf_cage_disk *survey, const struct sf_cage_plan *plan);
void sf_cage_disk_release(struct sf_cage_disk *survey);

#endif
