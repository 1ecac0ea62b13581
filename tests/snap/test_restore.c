/*
 * test_restore.c: whatever happened in between, the tree is what it was, down to permissions, links
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

/* ---- turns, and people between them ---- */

/*
 * A few files, each with a number for what is in it: 0 is nothing, more than LARGE is one that no
 * snapshot keeps. The model says what a restore must leave behind, and what it must name.
 */
enum { FILES = 12, TURNS = 6, EPISODES = 25, LARGE = 1000, STOPS = 2 * TURNS + 1 };

struct model {
    int now[FILES];
    int stops[STOPS][FILES]; /* before and after, by turns */
    char ids[STOPS][SF_SNAP_ID + 1];
    size_t count;
    int last; /* number that was given */
};

static void path_of(int file, struct sf_strbuf *out)
{
    sf_strbuf_reset(out);
    sf_strbuf_addf(out, "%c/%d", 'a' + file % 3, file);
}

static void put(struct snap_case *c, struct model *m, int file, int value)
{
    struct sf_strbuf line = SF_STRBUF_INIT, path = SF_STRBUF_INIT;

    path_of(file, &path);
    sf_strbuf_addf(&line, "mkdir -p a b c; rm -f %s", path.buf);
    if (value > LARGE)
        sf_strbuf_addf(&line, "; truncate -s %d %s", 11000000 + value, path.buf);
    else if (value)
        sf_strbuf_addf(&line, "; echo %d > %s", value, path.buf);
    free(tree_run(c->work, line.buf, NULL));
    m->now[file] = value;
    sf_strbuf_release(&line);
    sf_strbuf_release(&path);
}

static void work(struct snap_case *c, struct model *m, struct tree_random *r, unsigned changes)
{
    for (unsigned i = 0; i < changes; i++) {
        unsigned kind = tree_pick(r, 8);
        int value = kind == 0 ? 0 : ++m->last + (kind == 1 ? LARGE : 0);

        put(c, m, (int)tree_pick(r, FILES), value);
    }
    if (tree_pick(r, 6) == 0)
        free(tree_run(c->work, "git init -q a; echo '*' > a/.git/info/exclude", NULL));
    if (tree_pick(r, 6) == 0)
        free(tree_run(c->work, "rm -rf a/.git", NULL));
}

static void stop_here(struct snap_case *c, struct model *m)
{
    memcpy(m->ids[m->count], snap_take(c), sizeof(m->ids[0]));
    memcpy(m->stops[m->count++], m->now, sizeof(m->now));
}

/*
 * Whether somebody else's change would be lost; stops with an odd number end a turn. What happened
 * to a file while it was too large nobody can say for sure: then it is what is `possible`.
 */
static bool is_others(const struct model *m, size_t goal, int file, bool possible)
{
    int want = m->stops[goal][file], last = want, before = want;
    bool others = false, lost = false;

    for (size_t i = goal + 1; i <= m->count; i++) {
        int value = i < m->count ? m->stops[i][file] : m->now[file];

        if (i == m->count || i % 2 == 0)
            others = others || possible || value != before;
        before = value;
        if (value > LARGE)
            continue;
        lost = value == want ? false : lost || (others && value != last);
        last = value;
        others = false;
    }
    return lost;
}

static bool names(const struct sf_strlist *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strncmp(list->items[i], path, strlen(path)) && list->items[i][strlen(path)] == ':')
            return true;
    return false;
}

static void expect_one(struct snap_case *c, const struct model *m, size_t goal, int file)
{
    struct sf_strbuf path = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    int now = m->now[file], want = m->stops[goal][file];
    bool lost = want > LARGE && now != want;
    bool kept = now != want && !lost && (now > LARGE || is_others(m, goal, file, false));
    int left;

    path_of(file, &path);
    if (now != want && !lost && !kept && is_others(m, goal, file, true))
        kept = names(&c->restored.kept, path.buf);
    left = lost || kept ? now : want;
    if (left > LARGE)
        sf_strbuf_addf(&line, "test $(stat -c %%s %s) = %d", path.buf, 11000000 + left);
    else if (left)
        sf_strbuf_addf(&line, "test \"$(cat %s)\" = %d", path.buf, left);
    else
        sf_strbuf_addf(&line, "test ! -e %s", path.buf);
    sf_strbuf_adds(&line, " && echo yes || ls -l a b c");
    {
        char *answer = tree_run(c->work, line.buf, NULL);

        if (strcmp(answer, "yes\n") != 0)
            fail_msg("%s: was %d, is %d, want %d\n%s", path.buf, want, now, left, answer);
        free(answer);
    }
    if (names(&c->restored.lost, path.buf) != lost || names(&c->restored.kept, path.buf) != kept)
        fail_msg("%s: was %d, is %d, lost %d, kept %d", path.buf, want, now, lost, kept);
    sf_strbuf_release(&path);
    sf_strbuf_release(&line);
}

static void episode(struct snap_case *c, struct tree_random *r)
{
    struct model m = { .last = 0 };
    struct sf_snap_lineage lineage = { 0 };
    struct sf_snap_goal goal = { .lineage = &lineage };
    unsigned turns = 1 + tree_pick(r, TURNS);
    size_t at;

    free(tree_run(c->work, "rm -rf a b c; mkdir a b c; touch a/x b/x c/x", NULL));
    work(c, &m, r, 8);
    for (unsigned i = 0; i < turns; i++) {
        stop_here(c, &m);
        work(c, &m, r, 1 + tree_pick(r, 4));
        stop_here(c, &m);
        work(c, &m, r, tree_pick(r, 3));
    }
    at = (size_t)2 * tree_pick(r, turns);
    goal.id = m.ids[at];
    for (size_t i = at + 1; i < m.count; i++)
        sf_snap_lineage_add(&lineage, m.ids[i], i % 2);
    snap_restore(c, &goal);
    for (int file = 0; file < FILES; file++)
        expect_one(c, &m, at, file);
    sf_snap_lineage_release(&lineage);
}

static void test_random_turns(void **state)
{
    struct snap_case *c = *state;
    struct tree_random r = { 7 };

    free(tree_run(c->work, "git init -q .", NULL));
    for (unsigned i = 0; i < EPISODES; i++)
        episode(c, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_trees, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_random_turns, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
