/*
 * test_take.c: only what changed is read again, what is left out is told, ignored files come along
 * when asked for, budgets hold, and places that must not be taken are refused.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

static bool has_skip(const struct snap_case *c, const char *text)
{
    return sf_strlist_has(&c->result.skips, text);
}

/* Makes stamps old enough to be believed. */
static void age(struct snap_case *c)
{
    free(tree_run(c->work, "find . -exec touch -h -d '2020-01-01 00:00:00.5' {} +; sleep 0.2",
                  NULL));
}

static void test_incremental(void **state)
{
    struct snap_case *c = *state;
    char tree[SF_SNAP_ID + 1];

    tree_puts(c->work, "a/one", "1");
    tree_puts(c->work, "a/two", "2");
    tree_puts(c->work, "b/three", "3");
    age(c);
    snap_take(c);
    assert_int_equal(c->result.files, 3);
    assert_int_equal(c->result.read, 3);
    memcpy(tree, c->result.tree, sizeof(tree));
    snap_take(c);
    assert_int_equal(c->result.read, 0);
    assert_string_equal(c->result.tree, tree);
    tree_puts(c->work, "a/two", "3");
    snap_take(c);
    assert_int_equal(c->result.read, 1);
    assert_string_not_equal(c->result.tree, tree);
}

/* A second write within the same tick of the clock is not missed. */
static void test_racy(void **state)
{
    struct snap_case *c = *state;
    char tree[SF_SNAP_ID + 1];

    for (int i = 0; i < 50; i++) {
        tree_puts(c->work, "f", "a");
        memcpy(tree, (snap_take(c), c->result.tree), sizeof(tree));
        tree_puts(c->work, "f", "b");
        snap_take(c);
        assert_string_not_equal(c->result.tree, tree);
    }
}

static void test_left_out(void **state)
{
    struct snap_case *c = *state;
    char *big = test_path(c->work, "big");

    tree_puts(c->work, "small", "s");
    test_write(big, "", 0);
    assert_int_equal(truncate(big, SF_SNAP_FILE_MAX + 1), 0);
    free(tree_run(c->work, "mkfifo pipe; git init -q nested; echo x >nested/x; ln -s /etc link",
                  NULL));
    snap_take(c);
    assert_int_equal(c->result.files, 1);
    assert_int_equal(c->result.links, 1);
    assert_int_equal(c->result.repositories, 1);
    assert_int_equal(c->result.skipped, 2);
    assert_true(has_skip(c, "big: too large"));
    assert_true(has_skip(c, "pipe: neither file, link nor directory"));

    /* none of them is touched by a restore */
    snap_listing(c->work, NULL, &c->a);
    free(tree_run(c->work, "rm small link; echo y >new; echo more >nested/y", NULL));
    snap_restore_id(c, c->result.id);
    free(tree_run(c->work, "rm nested/y", NULL));
    snap_listing(c->work, NULL, &c->b);
    snap_same("with things left out", &c->b, &c->a);
    free(big);
}

/* What a snapshot could not save is not overwritten either. */
static void test_grown(void **state)
{
    struct snap_case *c = *state;
    char *grown = test_path(c->work, "grown");
    struct stat st;

    tree_puts(c->work, "grown", "small");
    snap_take(c);
    assert_int_equal(truncate(grown, SF_SNAP_FILE_MAX + 1), 0);
    snap_restore_id(c, c->result.id);
    assert_int_equal(c->restored.tally.kept, 1);
    assert_string_equal(c->restored.kept.items[0], "grown: too large");
    assert_int_equal(stat(grown, &st), 0);
    assert_int_equal(st.st_size, SF_SNAP_FILE_MAX + 1);
    free(grown);
}

static void test_ignored(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist extra = SF_STRLIST_INIT;
    char id[SF_SNAP_ID + 1], *text;
    char *touched = test_path(c->work, "out/deep/touched"),
         *other = test_path(c->work, "out/other");

    tree_puts(c->work, ".gitignore", "out/\n*.log\n");
    tree_puts(c->work, "out/deep/touched", "before");
    tree_puts(c->work, "out/other", "before");
    sf_strlist_add(&extra, "out/deep/touched");
    memcpy(id, snap_take_extra(c, &extra), sizeof(id));
    assert_int_equal(c->result.files, 2);
    tree_puts(c->work, "out/deep/touched", "after");
    tree_puts(c->work, "out/other", "after");
    snap_restore_id(c, id);
    text = test_read(touched, NULL);
    assert_string_equal(text, "before");
    free(text);
    text = test_read(other, NULL);
    assert_string_equal(text, "after");
    free(text);
    sf_strlist_release(&extra);
    free(touched);
    free(other);
}

/* A file the old rules ignored was perhaps there then; it stays. */
static void test_rules_change(void **state)
{
    struct snap_case *c = *state;
    char id[SF_SNAP_ID + 1], *log = test_path(c->work, "d/a.log");

    tree_puts(c->work, ".gitignore", "*.log\n");
    tree_puts(c->work, "d/a.log", "log");
    tree_puts(c->work, "d/a.txt", "txt");
    memcpy(id, snap_take(c), sizeof(id));
    tree_puts(c->work, ".gitignore", "*.txt\n");
    tree_puts(c->work, "d/a.txt", "changed");
    tree_puts(c->work, "new", "new");
    snap_restore_id(c, id);
    assert_int_equal(access(log, F_OK), 0);
    assert_int_equal(c->restored.tally.kept, 1);
    assert_int_equal(c->restored.tally.changed, 2);
    assert_int_equal(c->restored.tally.removed, 1);
    free(log);
}

/* What the user changed since the base stays, unless told otherwise. */
static void test_conflicts(void **state)
{
    struct snap_case *c = *state;
    char id[SF_SNAP_ID + 1], *text, *mine = test_path(c->work, "mine");
    struct sf_snap_lineage lineage = { 0 };
    struct sf_snap_goal goal = { .id = id, .lineage = &lineage };

    tree_puts(c->work, "mine", "1");
    tree_puts(c->work, "agents", "1");
    memcpy(id, snap_take(c), sizeof(id));
    tree_puts(c->work, "mine", "2");
    tree_puts(c->work, "agents", "2");
    sf_snap_lineage_add(&lineage, snap_take(c), true);
    tree_puts(c->work, "mine", "3");
    tree_puts(c->work, "own", "own");
    snap_restore(c, &goal);
    assert_int_equal(c->restored.tally.changed, 1);
    assert_int_equal(c->restored.tally.kept, 2);
    text = test_read(mine, NULL);
    assert_string_equal(text, "3");
    free(text);
    goal.overwrite = true;
    snap_restore(c, &goal);
    assert_int_equal(c->restored.tally.kept, 0);
    text = test_read(mine, NULL);
    assert_string_equal(text, "1");
    sf_snap_lineage_release(&lineage);
    free(text);
    free(mine);
}

static void test_paths(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist paths = SF_STRLIST_INIT;
    char id[SF_SNAP_ID + 1];
    const struct sf_snap_goal goal = { .id = id, .paths = &paths };

    tree_puts(c->work, "a/b/one", "1");
    tree_puts(c->work, "a/two", "2");
    memcpy(id, snap_take(c), sizeof(id));
    free(tree_run(c->work, "rm -r a", NULL));
    sf_strlist_add(&paths, "./a/b/");
    snap_restore(c, &goal);
    assert_int_equal(c->restored.tally.added, 1);
    snap_listing(c->work, NULL, &c->a);
    assert_int_equal(c->a.count, 3);
    sf_strlist_release(&paths);
}

static void test_blob(void **state)
{
    struct snap_case *c = *state;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    uint32_t mode;

    tree_puts(c->work, "d/f", "text");
    snap_take(c);
    assert_true(sf_snap_read_blob(c->snap, c->result.id, "d/f", &out, &mode, &err));
    assert_string_equal(out.buf, "text");
    assert_true(S_ISREG(mode));
    assert_true(sf_snap_read_blob(c->snap, c->result.id, "d/none", &out, &mode, &err));
    assert_int_equal(mode, 0);
    assert_false(sf_snap_read_blob(c->snap, "nonsense", "d/f", &out, &mode, &err));
    sf_strbuf_release(&out);
}

static bool count_change(void *ctx, const struct sf_snap_change *change)
{
    size_t *counts = ctx;

    counts[change->how]++;
    return true;
}

static void test_diff(void **state)
{
    struct snap_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    size_t counts[3] = { 0 };

    tree_puts(c->work, "same", "1");
    tree_puts(c->work, "changed", "1");
    tree_puts(c->work, "gone", "1");
    snap_take(c);
    free(tree_run(c->work, "rm gone; echo 2 >changed; echo 3 >new", NULL));
    assert_true(sf_snap_diff(c->snap, c->result.id, NULL, count_change, counts, &err));
    for (int i = 0; i < 3; i++)
        assert_int_equal(counts[i], 1);
}

static bool stop_at_once(void *ctx, const struct sf_snap_change *change)
{
    (void)change;
    ++*(int *)ctx;
    return false;
}

/* Who has seen enough gets no error; who compares with what is not there does. */
static void test_diff_ends(void **state)
{
    struct snap_case *c = *state;
    struct sf_error err = SF_ERROR_INIT;
    int told = 0;

    tree_puts(c->work, "a", "1");
    tree_puts(c->work, "b", "1");
    snap_take(c);
    free(tree_run(c->work, "echo 2 >a; echo 2 >b", NULL));
    assert_true(sf_snap_diff(c->snap, c->result.id, NULL, stop_at_once, &told, &err));
    assert_int_equal(told, 1);
    assert_int_equal(err.code, SF_E_NONE);
    assert_false(sf_snap_diff(c->snap, "nonsense", NULL, stop_at_once, &told, &err));
    assert_int_not_equal(err.code, SF_E_NONE);
    assert_int_equal(told, 1);
}

static bool take_within(struct snap_case *c, const char *session,
                        const struct sf_snap_budget *budget, struct sf_error *err)
{
    const struct sf_snap_request request = { .session = session, .budget = budget };

    sf_snap_result_release(&c->result);
    c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    return sf_snap_take(c->snap, &request, &c->result, err);
}

static void write_noise(struct snap_case *c, struct tree_random *r)
{
    static char noise[65536];

    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (char)tree_pick(r, 256);
    tree_put(c->work, "noise", noise, sizeof(noise));
}

static void test_budget(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist live = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_snap_budget budget = { .bytes = 1 << 20, .count = 10, .live = &live };
    struct tree_random r = { 3 };
    char kept[SF_SNAP_ID + 1], first[SF_SNAP_ID + 1];
    struct sf_strbuf out = SF_STRBUF_INIT;
    size_t pruned = 0;
    uint32_t mode;

    sf_strlist_add(&live, "alive");
    write_noise(c, &r);
    assert_true(take_within(c, "alive", &budget, &err));
    memcpy(kept, c->result.id, sizeof(kept));
    for (int i = 0; i < 60; i++) {
        write_noise(c, &r);
        if (!take_within(c, "dead", &budget, &err))
            fail_msg("%s", err.msg);
        if (!i)
            memcpy(first, c->result.id, sizeof(first));
        pruned += c->result.pruned.count;
        assert_false(sf_strlist_has(&c->result.pruned, kept));
    }
    assert_true(pruned >= 50);
    assert_true(sf_snap_read_blob(c->snap, kept, "noise", &out, &mode, &err));
    assert_false(sf_snap_read_blob(c->snap, first, "noise", &out, &mode, &err));
    snap_listing(c->work, NULL, &c->a);
    snap_restore_id(c, c->result.id);
    snap_listing(c->work, NULL, &c->b);
    snap_same("after pruning", &c->b, &c->a);
    sf_strbuf_release(&out);
    sf_strlist_release(&live);
}

static void expect_sound(struct snap_case *c)
{
    char *out = tree_run(
        c->state, "git --git-dir=snapshots.git fsck --full --strict --no-dangling 2>&1", NULL);

    if (strstr(out, "error") || strstr(out, "fatal") || strstr(out, "missing"))
        fail_msg("git finds fault with the snapshots: %s", out);
    free(out);
}

static int count_packs(struct snap_case *c)
{
    char *out = tree_run(c->state, "ls snapshots.git/objects/pack/*.idx | wc -l", NULL);
    int count = atoi(out);

    free(out);
    return count;
}

static void write_many(struct snap_case *c, const char *dir, int count)
{
    for (int i = 0; i < count; i++) {
        struct sf_strbuf name = SF_STRBUF_INIT;

        sf_strbuf_addf(&name, "%s/%d/%d", dir, i % 7, i);
        tree_puts(c->work, name.buf, name.buf);
        sf_strbuf_release(&name);
    }
}

/* Many objects make one pack; one that is mostly dead is copied and goes. */
static void test_packs(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist live = SF_STRLIST_INIT;
    const struct sf_snap_budget one = { .count = 1, .live = &live };
    const struct sf_snap_request request = { .kind = SF_SNAP_AFTER, .budget = &one };
    struct sf_error err = SF_ERROR_INIT;
    char *before, *after;

    write_many(c, "few", 100);
    write_many(c, "many", 400);
    snap_take(c);
    assert_int_equal(count_packs(c), 1);
    expect_sound(c);
    free(tree_run(c->work, "rm -r many", NULL));
    before = tree_run(c->state, "ls snapshots.git/objects/pack", NULL);
    snap_take(c);
    snap_listing(c->work, NULL, &c->a);
    sf_snap_result_release(&c->result);
    c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    assert_true(sf_snap_take(c->snap, &request, &c->result, &err));
    assert_int_equal(c->result.pruned.count, 1);
    after = tree_run(c->state, "ls snapshots.git/objects/pack", NULL);
    assert_int_equal(count_packs(c), 1);
    assert_string_not_equal(before, after);
    expect_sound(c);
    free(tree_run(c->work, "rm -r few", NULL));
    snap_restore_id(c, c->result.id);
    snap_listing(c->work, NULL, &c->b);
    snap_same("from the copied pack", &c->b, &c->a);
    free(before);
    free(after);
}

/* Two worktrees of one project share content, and neither sees the other's index. */
static void test_worktrees(void **state)
{
    struct snap_case *c = *state, other = *c;
    struct sf_error err = SF_ERROR_INIT;
    uint64_t bytes;

    free(tree_run(c->work,
                  "git init -q . && git config user.email a@b && git config user.name a && "
                  "seq 20000 >big && git add big && git commit -qm one && "
                  "git worktree add -q ../linked",
                  NULL));
    snap_take(c);
    bytes = c->result.bytes;
    other.work = test_path(c->top, "linked");
    other.snap = sf_snap_open(c->state, other.work, &err);
    assert_non_null(other.snap);
    other.result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    other.restored = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    other.a = other.b = (struct sf_strlist)SF_STRLIST_INIT;
    snap_take(&other);
    assert_int_equal(other.result.files, 1);
    assert_true(other.result.bytes < bytes / 10);
    snap_listing(other.work, NULL, &other.a);
    free(tree_run(other.work, "rm big; echo new >new", NULL));
    snap_restore_id(&other, other.result.id);
    snap_listing(other.work, NULL, &other.b);
    snap_same("in a linked worktree", &other.b, &other.a);
    sf_snap_close(other.snap);
    sf_snap_result_release(&other.result);
    sf_snap_restored_release(&other.restored);
    sf_strlist_release(&other.a);
    sf_strlist_release(&other.b);
    free(other.work);
}

/* When everything belongs to live sessions, nothing goes and nothing more is taken. */
static void test_full(void **state)
{
    struct snap_case *c = *state;
    struct sf_strlist live = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_snap_budget budget = { .bytes = 300000, .live = &live };
    struct tree_random r = { 4 };
    int taken = 0;

    sf_strlist_add(&live, "alive");
    for (bool ok = true; ok && taken < 20; taken += ok) {
        write_noise(c, &r);
        ok = take_within(c, "alive", &budget, &err);
        assert_int_equal(c->result.pruned.count, 0);
    }
    assert_in_range(taken, 3, 5);
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strlist_release(&live);
}

static void test_refused(void **state)
{
    static const char *const places[] = { "/", "/usr", "/etc", "/tmp", "/proc/self", "/dev" };
    struct snap_case *c = *state;

    for (size_t i = 0; i < SF_COUNT(places); i++) {
        struct sf_error err = SF_ERROR_INIT;

        assert_null(sf_snap_open(c->state, places[i], &err));
        assert_non_null(strstr(err.msg, "no snapshots of"));
    }
    for (int i = 0; i < 2; i++) {
        struct sf_error err = SF_ERROR_INIT;
        const char *home = i ? c->work : c->top;

        setenv("HOME", c->work, 1);
        assert_null(sf_snap_open(c->state, home, &err));
        assert_non_null(strstr(err.msg, "home"));
    }
    unsetenv("HOME");
}

static void test_cancel(void **state)
{
    struct snap_case *c = *state;
    atomic_bool cancel = true;
    const struct sf_snap_request request = { .cancel = &cancel };
    struct sf_error err = SF_ERROR_INIT;

    tree_puts(c->work, "f", "f");
    assert_false(sf_snap_take(c->snap, &request, &c->result, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    snap_take(c);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_incremental), CASE(test_racy),         CASE(test_left_out),  CASE(test_grown),
        CASE(test_ignored),     CASE(test_rules_change), CASE(test_conflicts), CASE(test_paths),
        CASE(test_blob),        CASE(test_diff),         CASE(test_diff_ends), CASE(test_budget),
        CASE(test_full),        CASE(test_packs),        CASE(test_worktrees), CASE(test_refused),
        CASE(test_cancel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
