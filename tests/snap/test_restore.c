/*
 * Restoring: whatever happened in between, the tree is what it was, down to permissions, links
 * and empty directories; undoing gives back what was there; the user's repository is untouched.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

enum { ROUNDS = 500, KEPT = 5 };

static unsigned rounds(void)
{
    const char *text = getenv("SF_SNAP_ROUNDS");

    return text ? (unsigned)strtoul(text, NULL, 10) : ROUNDS;
}

static bool is_ignored(const char *path)
{
    return !strcmp(path, ".git") || !strcmp(path, "build") || !strcmp(path, "x.log");
}

static bool is_not_ignored(const char *path)
{
    return !is_ignored(path) && strncmp(path, "build/", 6) != 0 && strncmp(path, ".git/", 5) != 0;
}

static void make_repository(struct snap_case *c)
{
    free(tree_run(c->work,
                  "git init -q . && git config user.email a@b && git config user.name a && "
                  "echo '*.log' >.gitignore && echo build/ >>.gitignore && mkdir build && "
                  "echo out >build/out && echo log >x.log && echo hi >a.txt && git add -A && "
                  "git commit -qm one && echo more >>a.txt && git add a.txt",
                  NULL));
}

struct past {
    char ids[KEPT][SF_SNAP_ID + 1];
    struct sf_strlist trees[KEPT];
};

static void round_trip(struct snap_case *c, struct tree_random *r, struct past *past)
{
    unsigned n = tree_pick(r, KEPT);

    snap_listing(c->work, is_ignored, &c->a); /* the present */
    snap_restore_id(c, past->ids[n]);
    snap_listing(c->work, is_ignored, &c->b);
    snap_same("restored", &c->b, &past->trees[n]);
    if (tree_pick(r, 2))
        return;
    snap_restore_id(c, c->restored.before);
    snap_listing(c->work, is_ignored, &c->b);
    snap_same("undone", &c->b, &c->a);
}

static void test_random_trees(void **state)
{
    struct snap_case *c = *state;
    struct tree_random r = { 42 };
    struct past past = { 0 };
    struct sf_strlist left = SF_STRLIST_INIT, now = SF_STRLIST_INIT;
    char *fsck;

    make_repository(c);
    snap_listing(c->work, is_not_ignored, &left);
    for (unsigned i = 0; i < KEPT + rounds(); i++) {
        unsigned slot = i < KEPT ? i : tree_pick(&r, KEPT);

        snap_scramble(c->work, &r, 1 + tree_pick(&r, 12));
        snap_listing(c->work, is_ignored, &past.trees[slot]);
        memcpy(past.ids[slot], snap_take(c), sizeof(past.ids[slot]));
        snap_scramble(c->work, &r, tree_pick(&r, 12));
        if (i >= KEPT)
            round_trip(c, &r, &past);
    }
    snap_listing(c->work, is_not_ignored, &now);
    snap_same("the repository and ignored files", &now, &left);
    fsck = tree_run(c->state, "git --git-dir=snapshots.git fsck --full --no-dangling 2>&1", NULL);
    if (strstr(fsck, "error") || strstr(fsck, "fatal") || strstr(fsck, "missing"))
        fail_msg("git finds fault with the snapshots: %s", fsck);
    free(fsck);
    for (int i = 0; i < KEPT; i++)
        sf_strlist_release(&past.trees[i]);
    sf_strlist_release(&left);
    sf_strlist_release(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_trees, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
