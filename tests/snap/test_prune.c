/*
 * test_prune.c: the budget takes the oldest snapshots and what only they held; whatever a snapshot
 * that stays needs is still there, in packs and beside them, and leftovers of killed processes go.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

static void take_within(struct snap_case *c, const struct sf_snap_budget *budget)
{
    const struct sf_snap_request request = { .session = "test", .budget = budget };
    struct sf_error err = SF_ERROR_INIT;

    sf_snap_result_release(&c->result);
    c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
    if (!sf_snap_take(c->snap, &request, &c->result, &err))
        fail_msg("take: %s", err.msg);
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

static void expect_sound(struct snap_case *c)
{
    char *out = tree_run(
        c->state, "git --git-dir=snapshots.git fsck --full --strict --no-dangling 2>&1", NULL);

    if (strstr(out, "error") || strstr(out, "fatal") || strstr(out, "missing"))
        fail_msg("git finds fault with the snapshots: %s", out);
    free(out);
}

static int count_of(struct snap_case *c, const char *command)
{
    char *out = tree_run(c->state, command, NULL);
    int count = atoi(out);

    free(out);
    return count;
}

static void reopen(struct snap_case *c)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_snap_close(c->snap);
    c->snap = sf_snap_open(c->state, c->work, &err);
    if (!c->snap)
        fail_msg("cannot open it again: %s", err.msg);
}

static void expect_restored(struct snap_case *c, const char *what)
{
    snap_listing(c->work, NULL, &c->a);
    free(tree_run(c->work, "rm -rf ./*", NULL));
    reopen(c); /* so that nothing is held in memory or by a handle */
    snap_restore_id(c, c->result.id);
    snap_listing(c->work, NULL, &c->b);
    snap_same(what, &c->b, &c->a);
}

/* A pack that is mostly alive stays, with its index; both halves are counted. */
static void test_living_pack(void **state)
{
    struct snap_case *c = *state;
    const struct sf_snap_budget one = { .count = 1 };
    char *before, *after;

    write_many(c, "few", 100);
    write_many(c, "many", 400);
    snap_take(c);
    before = tree_run(c->state, "ls snapshots.git/objects/pack", NULL);
    assert_non_null(strstr(before, ".idx"));
    assert_non_null(strstr(before, ".pack"));
    free(tree_run(c->work, "rm -r few", NULL));
    snap_take(c);
    take_within(c, &one);
    assert_int_equal(c->result.pruned.count, 1);
    after = tree_run(c->state, "ls snapshots.git/objects/pack", NULL);
    assert_string_equal(after, before);
    expect_sound(c);
    expect_restored(c, "from the living pack");
    free(before);
    free(after);
}

/* Of a pack that goes both halves go, and no other file does. */
static void test_dead_pack(void **state)
{
    struct snap_case *c = *state;
    const struct sf_snap_budget one = { .count = 1 };

    write_many(c, "few", 100);
    write_many(c, "many", 400);
    snap_take(c);
    free(tree_run(c->work, "rm -r many", NULL));
    snap_take(c);
    take_within(c, &one);
    assert_int_equal(count_of(c, "ls snapshots.git/objects/pack/*.idx | wc -l"), 1);
    assert_int_equal(count_of(c, "ls snapshots.git/objects/pack/*.pack | wc -l"), 1);
    expect_sound(c);
    expect_restored(c, "from the copied pack");
}

static const struct {
    const char *name, *file;
    bool stays;
} leftovers[] = {
    { "a pack that was begun", "objects/pack/tmp_1.pack", false },
    { "a pack without its index", "objects/pack/pack-0123.pack", false },
    { "an index that was begun", "objects/pack/.sf-tmp-0123456789abcdef", false },
    { "an object that was begun", "objects/ab/tmp_obj_1", false },
    { "an object nobody names", "objects/ab/cdef0123456789abcdef0123456789abcdef01", false },
    { "a pack's note of another program", "objects/pack/pack-0123.keep", true },
    { "something else among objects", "objects/ab/README", true },
};

static void test_leftovers(void **state)
{
    struct snap_case *c = *state;
    const struct sf_snap_budget one = { .count = 1 };
    char *dir = test_path(c->state, "snapshots.git"), *path;

    write_many(c, "some", 300);
    snap_take(c);
    snap_take(c);
    free(tree_run(dir, "mkdir -p objects/ab", NULL));
    for (size_t i = 0; i < SF_COUNT(leftovers); i++)
        tree_puts(dir, leftovers[i].file, "left behind");
    take_within(c, &one);
    for (size_t i = 0; i < SF_COUNT(leftovers); i++) {
        path = test_path(dir, leftovers[i].file);
        if ((access(path, F_OK) == 0) != leftovers[i].stays)
            fail_msg("%s %s", leftovers[i].name, leftovers[i].stays ? "went" : "stayed");
        free(path);
    }
    expect_restored(c, "beside leftovers");
    free(dir);
}

/* Sets how old a snapshot is, in hours. */
static void age(struct snap_case *c, const char *id, int hours)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "touch -d '%d hours ago' snapshots.git/refs/sf/%s", hours, id);
    free(tree_run(c->state, line.buf, NULL));
    sf_strbuf_release(&line);
}

/* As many as the budget says, and the oldest go first. */
static void test_count(void **state)
{
    struct snap_case *c = *state;
    const struct sf_snap_budget three = { .count = 3 };
    char ids[6][SF_SNAP_ID + 1];

    for (int i = 0; i < 6; i++) {
        struct sf_strbuf text = SF_STRBUF_INIT;

        sf_strbuf_addf(&text, "%d", i);
        tree_puts(c->work, "f", text.buf);
        sf_strbuf_release(&text);
        take_within(c, &three);
        memcpy(ids[i], c->result.id, sizeof(ids[i]));
        age(c, ids[i], 100 - i);
        assert_int_equal(c->result.pruned.count, i >= 3);
        if (i >= 3)
            assert_string_equal(c->result.pruned.items[0], ids[i - 3]);
        assert_int_equal(count_of(c, "find snapshots.git/refs/sf -type f | wc -l"),
                         i < 3 ? i + 1 : 3);
    }
}

static void test_age(void **state)
{
    struct snap_case *c = *state;
    const struct sf_snap_budget day = { .age_ms = INT64_C(24) * 3600 * 1000 };
    char old[SF_SNAP_ID + 1], young[SF_SNAP_ID + 1];

    tree_puts(c->work, "f", "1");
    memcpy(old, snap_take(c), sizeof(old));
    tree_puts(c->work, "f", "2");
    memcpy(young, snap_take(c), sizeof(young));
    age(c, old, 23);
    age(c, young, 22);
    take_within(c, &day);
    assert_int_equal(c->result.pruned.count, 0);
    age(c, old, 25);
    take_within(c, &day);
    assert_int_equal(c->result.pruned.count, 1);
    assert_string_equal(c->result.pruned.items[0], old);
}

/* What the header and the documents promise. */
static void test_default(void **state)
{
    (void)state;
    assert_int_equal(sf_snap_budget_default.bytes, UINT64_C(2147483648));
    assert_int_equal(sf_snap_budget_default.count, 1000);
    assert_int_equal(sf_snap_budget_default.age_ms, INT64_C(2592000000));
    assert_null(sf_snap_budget_default.live);
}

/* Thousands of objects that lie about become one pack; dead ones are not among those counted. */
static void test_gather(void **state)
{
    static const struct {
        const char *name;
        int files;
        int packs;
    } amounts[] = { { "not so many", 3500, 0 }, { "too many", 4100, 1 } };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(amounts); i++) {
        const struct sf_snap_budget one = { .count = 1 };
        struct snap_case *c;
        void *made = NULL;
        int packs;

        assert_int_equal(snap_setup(&made), 0);
        c = made;
        write_many(c, "dead", 1000);
        snap_take(c);
        free(tree_run(c->work, "rm -r dead", NULL));
        write_many(c, "many", amounts[i].files);
        snap_take(c);
        free(tree_run(c->state,
                      "cd snapshots.git && mkdir aside && mv objects/pack/* aside && "
                      "for p in aside/*.pack; do git --git-dir=. unpack-objects -q <$p; done",
                      NULL));
        reopen(c);
        take_within(c, &one);
        packs = count_of(c, "ls snapshots.git/objects/pack | grep -c pack$");
        if (packs != amounts[i].packs)
            fail_msg("%s: %d packs", amounts[i].name, packs);
        expect_sound(c);
        expect_restored(c, amounts[i].name);
        snap_teardown(&made);
    }
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_living_pack),
        CASE(test_dead_pack),
        CASE(test_leftovers),
        CASE(test_count),
        CASE(test_age),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
