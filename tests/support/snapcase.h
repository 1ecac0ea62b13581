/*
 * snapcase: what tests of snapshots share: a workspace and a state directory, an open snap, and
 * the workspace as text, to be compared.
 */
#ifndef SF_TESTS_SUPPORT_SNAPCASE_H
#define SF_TESTS_SUPPORT_SNAPCASE_H

#include "base/base.h"
#include "snap/snap.h"
#include "support/tree.h"

struct snap_case {
    char *top, *work, *state;
    struct sf_snap *snap;
    struct sf_snap_result result; /* of the last take */
    struct sf_snap_restored restored;
    struct sf_strlist a, b;
};

int snap_setup(void **state); /* cmocka fixtures: *state is a struct snap_case */
int snap_teardown(void **state);

/* Takes one or fails the test; the id is borrowed until the next. */
const char *snap_take(struct snap_case *c);
const char *snap_take_extra(struct snap_case *c, const struct sf_strlist *extra);

/* Restores or fails the test. */
void snap_restore(struct snap_case *c, const struct sf_snap_goal *goal);
void snap_restore_id(struct snap_case *c, const char *id);

/*
 * Every name below DIR with kind, permissions and digest of its content, sorted. What `leave`
 * says (NULL: nothing) is left out with all below it.
 */
typedef bool snap_skip_fn(const char *path);
void snap_listing(const char *dir, snap_skip_fn *leave, struct sf_strlist *out);

/* Fails the test with the first difference. */
void snap_same(const char *name, const struct sf_strlist *got, const struct sf_strlist *want);

/* A random change below DIR: files, links, directories, permissions, kinds. */
void snap_scramble(const char *dir, struct tree_random *r, unsigned changes);

#endif
