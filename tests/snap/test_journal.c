/*
 * test_journal.c: a restore that stopped half-way goes on as it was meant: what is somebody else's
 * stays, by the lineage that the journal carries, and a journal that was cut off is set aside.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

enum { SMALL = 64 * 1024, LARGE = 256 * 1024 };

static void expect_text(struct snap_case *c, const char *name, const char *file, const char *want)
{
    char *path = test_path(c->work, file), *text = NULL;

    if (access(path, F_OK) == 0)
        text = test_read(path, NULL);
    if ((want == NULL) != (text == NULL) || (want && strcmp(text, want) != 0))
        fail_msg("%s: %s has '%s', not '%s'", name, file, text ? text : "(nothing)",
                 want ? want : "(nothing)");
    free(text);
    free(path);
}

static char *journal_path(struct snap_case *c)
{
    char *path = tree_run(c->state, "printf %s \"$PWD\"/snapshots.git/sf/restore-*", NULL);

    assert_int_equal(access(path, F_OK), 0);
    return path;
}

/* A restore that fails at the largest file, since files may not grow beyond a bound. */
static void stop_half_way(struct snap_case *c, const struct sf_snap_goal *goal)
{
    struct rlimit was, less;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    less = (struct rlimit){ SMALL, was.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    sf_snap_restored_release(&c->restored);
    c->restored = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    ok = sf_snap_restore(c->snap, goal, &c->restored, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_false(ok);
    assert_non_null(strstr(err.msg, "cannot restore large"));
    assert_non_null(strstr(err.hint, "sf restore resume"));
}

static void resume(struct snap_case *c, const char *name, bool back)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_snap_restored_release(&c->restored);
    c->restored = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    if (!sf_snap_resume(c->snap, back, &c->restored, &err))
        fail_msg("%s: %s", name, err.msg);
}

/*
 * The states: the goal, where every file has "1" and one is large; the end of a turn, where it is
 * not; a stop, where `turn` and `both` have "2"; the present, where `both` and `late` have "3".
 */
struct story {
    char goal[SF_SNAP_ID + 1], stop[SF_SNAP_ID + 1];
    struct sf_snap_lineage lineage;
};

static void tell_story(struct snap_case *c, bool ours, struct story *s)
{
    static char large[LARGE];

    memset(large, 'x', sizeof(large));
    tree_puts(c->work, "turn", "1");
    tree_puts(c->work, "both", "1");
    tree_puts(c->work, "late", "1");
    tree_put(c->work, "large", large, sizeof(large));
    memcpy(s->goal, snap_take(c), sizeof(s->goal));
    tree_puts(c->work, "large", "2");
    sf_snap_lineage_add(&s->lineage, snap_take(c), true);
    tree_puts(c->work, "turn", "2");
    tree_puts(c->work, "both", "2");
    memcpy(s->stop, snap_take(c), sizeof(s->stop));
    sf_snap_lineage_add(&s->lineage, s->stop, ours);
    tree_puts(c->work, "both", "3");
    tree_puts(c->work, "late", "3");
}

static const struct row {
    const char *name;
    bool lineage, ours, running; /* whose the stop is, and whose what came after it */
    bool overwrite, back;
    const char *path; /* only this and the large file; NULL: all */
    const char *turn, *both, *late;
} rows[] = {
    { "nobody else works here", false, true, false, false, false, NULL, "1", "1", "1" },
    { "a turn, then somebody else", true, true, false, false, false, NULL, "1", "3", "3" },
    { "a turn that is still running", true, true, true, false, false, NULL, "1", "1", "1" },
    { "somebody else, then a turn", true, false, true, false, false, NULL, "2", "3", "1" },
    { "somebody else all the time", true, false, false, false, false, NULL, "2", "3", "3" },
    { "their work is to be overwritten", true, true, false, true, false, NULL, "1", "1", "1" },
    { "back where it began", true, true, false, false, true, NULL, "2", "3", "3" },
    { "back, with nobody else there", false, true, false, false, true, NULL, "2", "3", "3" },
    { "only some paths", false, true, false, false, false, "late", "2", "3", "1" },
};

static void expect_row(struct snap_case *c, const struct row *row)
{
    char *size = tree_run(c->work, "stat -c %s large", NULL);

    expect_text(c, row->name, "turn", row->turn);
    expect_text(c, row->name, "both", row->both);
    expect_text(c, row->name, "late", row->late);
    if (atoi(size) != (row->back ? 1 : LARGE))
        fail_msg("%s: large has %s bytes", row->name, size);
    free(size);
}

static void check_row(struct snap_case *c, const struct row *row)
{
    struct story s = { .goal = "" };
    struct sf_strlist paths = SF_STRLIST_INIT;
    const struct sf_snap_goal goal = { .id = s.goal,
                                       .lineage = row->lineage ? &s.lineage : NULL,
                                       .paths = &paths,
                                       .overwrite = row->overwrite };
    char waiting[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];

    tell_story(c, row->ours, &s);
    s.lineage.running = row->running;
    if (row->path) {
        sf_strlist_add(&paths, row->path);
        sf_strlist_add(&paths, "large");
    }
    stop_half_way(c, &goal);
    assert_true(sf_snap_interrupted(c->snap, waiting, before));
    assert_string_equal(waiting, s.goal);
    resume(c, row->name, row->back);
    assert_string_equal(c->restored.before, before);
    assert_false(sf_snap_interrupted(c->snap, waiting, before));
    expect_row(c, row);
    sf_strlist_release(&paths);
    sf_snap_lineage_release(&s.lineage);
}

static void test_resume(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        void *c = NULL;

        assert_int_equal(snap_setup(&c), 0);
        check_row(c, &rows[i]);
        snap_teardown(&c);
    }
}

/* Stops a restore half-way, with somebody else's work behind the turn. */
static char *waiting_journal(struct snap_case *c, struct story *s)
{
    const struct sf_snap_goal goal = { .id = s->goal, .lineage = &s->lineage };

    tell_story(c, true, s);
    stop_half_way(c, &goal);
    sf_snap_lineage_release(&s->lineage);
    return journal_path(c);
}

/* The first version of the journal knew one stop at most. */
static void test_first_version(void **state)
{
    static const struct {
        const char *name;
        bool stop;
        struct row want;
    } versions[] = {
        { "one stop", true, { .turn = "1", .both = "3", .late = "3" } },
        { "no stop", false, { .turn = "1", .both = "1", .late = "1" } },
    };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(versions); i++) {
        struct story s = { .goal = "" };
        struct sf_strbuf text = SF_STRBUF_INIT;
        char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1], *path;
        void *c = NULL;

        assert_int_equal(snap_setup(&c), 0);
        path = waiting_journal(c, &s);
        assert_true(sf_snap_interrupted(((struct snap_case *)c)->snap, goal, before));
        sf_strbuf_addf(&text, "sf restore 1\n%s\n%s\n%s\n0\n.sf-tmp-0123456789abcdef\n", goal,
                       before, versions[i].stop ? s.stop : "-");
        test_write(path, text.buf, text.len);
        resume(c, versions[i].name, false);
        expect_row(c, &versions[i].want);
        sf_strbuf_release(&text);
        free(path);
        snap_teardown(&c);
    }
}

/* Cut off anywhere in its head, it names nothing; the next restore sets it aside and goes on. */
static void test_cut_off(void **state)
{
    struct snap_case *c = *state;
    struct story s = { .goal = "" };
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1], *path = waiting_journal(c, &s);
    size_t len;
    char *text = test_read(path, &len);

    for (size_t n = 0; n < len; n++) {
        struct sf_error err = SF_ERROR_INIT;

        test_write(path, text, n);
        if (sf_snap_interrupted(c->snap, goal, before))
            fail_msg("a journal of %zu of %zu bytes is believed", n, len);
        if (n % 20)
            continue;
        assert_false(sf_snap_resume(c->snap, false, &c->restored, &err));
        assert_int_equal(err.code, SF_E_DAMAGED);
    }
    text[3] = 'R'; /* of no version there is */
    test_write(path, text, len);
    assert_false(sf_snap_interrupted(c->snap, goal, before));
    snap_restore_id(c, s.goal);
    expect_text(c, "set aside", "both", "1");
    free(path);
    path = test_path(c->state, "snapshots.git/sf/damaged-restore");
    assert_int_equal(access(path, F_OK), 0);
    free(path);
    free(text);
}

/* No other restore begins before the one that waits is finished. */
static void test_one_at_a_time(void **state)
{
    struct snap_case *c = *state;
    struct story s = { .goal = "" };
    struct sf_error err = SF_ERROR_INIT;
    char *path = waiting_journal(c, &s);
    const struct sf_snap_goal goal = { .id = s.goal };

    assert_false(sf_snap_restore(c->snap, &goal, &c->restored, &err));
    assert_int_equal(err.code, SF_E_EXIST);
    assert_non_null(strstr(err.hint, "--back"));
    expect_text(c, "nothing was done", "late", "3");
    resume(c, "the one that waits", false);
    err = (struct sf_error)SF_ERROR_INIT;
    assert_false(sf_snap_resume(c->snap, false, &c->restored, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    free(path);
}

/* What the journal names outlives any budget. */
static void test_pinned(void **state)
{
    struct snap_case *c = *state;
    struct story s = { .goal = "" };
    const struct sf_snap_budget one = { .count = 1 };
    const struct sf_snap_request request = { .budget = &one };
    char *path = waiting_journal(c, &s);

    for (int i = 0; i < 3; i++) {
        struct sf_error err = SF_ERROR_INIT;

        sf_snap_result_release(&c->result);
        c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
        assert_true(sf_snap_take(c->snap, &request, &c->result, &err));
    }
    resume(c, "after pruning", false);
    expect_text(c, "after pruning", "turn", "1");
    expect_text(c, "after pruning", "late", "3");
    free(path);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, snap_setup, snap_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_first_version),
        CASE(test_cut_off),
        CASE(test_one_at_a_time),
        CASE(test_pinned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
