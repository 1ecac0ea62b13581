/*
 * history_objects: packs and loose objects of one repository, see history.h; internal to the room.
 */
#ifndef SF_CAGE_HISTORY_OBJECTS_H
#define SF_CAGE_HISTORY_OBJECTS_H

#include "cage/history_git.h"
#include "cage/history_gone.h"
#include "cage/keeper.h"

struct sf_object_store;

/* `prefix` is the repository below the git directory: "" or "modules/sub/". Copied. */
struct sf_object_store *sf_object_store_new(const char *prefix);
void sf_object_store_free(struct sf_object_store *s); /* NULL is welcome */

void sf_object_store_keep(struct sf_object_store *s, const struct sf_keeper *k);

struct sf_objects_lost {
    size_t put_back;          /* packs and objects */
    struct sf_strlist failed; /* paths of those that could not be */
    bool missing;             /* git misses some that were not kept, or did not answer */
};

/* What is looked at afterwards. */
struct sf_objects_view {
    const struct sf_keeper *k;
    const char *git_dir; /* of the repository, for git to look at where objects are gone */
    bool git_alone;
    struct sf_git_asking *asking;
    struct sf_history_gone *gone; /* gets what nothing needs */
};

void sf_object_store_settle(struct sf_object_store *s, const struct sf_objects_view *view,
                            struct sf_objects_lost *out);

#endif
