/*
 * Killed at any moment, taking and restoring leave a state the next process can use: what was
 * finished is whole, and a restore is finished or taken back.
 */
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/io.h"
#include "snap/snap.h"
#include "support/snapcase.h"
#include "support/test.h"

enum { KILLS = 100, FILES = 150, RESTORE_SPAN = 60000, JOURNAL_SPAN = 15000 };

static unsigned kills(void)
{
    const char *text = getenv("SF_SNAP_KILLS");

    return text ? (unsigned)strtoul(text, NULL, 10) : KILLS;
}

typedef bool child_fn(struct sf_snap *snap, const char *id, struct sf_error *err);

static bool do_take(struct sf_snap *snap, const char *id, struct sf_error *err)
{
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    const struct sf_snap_request request = { .kind = SF_SNAP_AFTER };
    bool ok = sf_snap_take(snap, &request, &result, err);

    (void)id;
    sf_snap_result_release(&result);
    return ok;
}

static bool do_restore(struct sf_snap *snap, const char *id, struct sf_error *err)
{
    struct sf_snap_restored out = SF_SNAP_RESTORED_INIT;
    const struct sf_snap_goal goal = { .id = id };
    bool ok = sf_snap_restore(snap, &goal, &out, err);

    sf_snap_restored_release(&out);
    return ok;
}

/* Waits until the journal is there, or the child is not. */
static void wait_for_journal(struct snap_case *c, pid_t pid)
{
    const struct timespec moment = { .tv_nsec = 100000 };
    struct sf_strbuf pattern = SF_STRBUF_INIT;
    siginfo_t info = { .si_pid = 0 };
    bool there = false;

    sf_strbuf_addf(&pattern, "%s/snapshots.git/sf/restore-*[0-9a-f]", c->state);
    while (!there && !info.si_pid) {
        glob_t found;

        nanosleep(&moment, NULL);
        there = glob(pattern.buf, GLOB_NOSORT, NULL, &found) == 0;
        if (there)
            globfree(&found);
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
    }
    sf_strbuf_release(&pattern);
}

/*
 * Runs `fn` in a process of its own; true when it ended before it was killed. With `journal` the
 * time counts from the moment there is one.
 */
static bool run_and_kill(struct snap_case *c, child_fn *fn, const char *id, unsigned after_us,
                         bool journal)
{
    const struct timespec span = { .tv_sec = after_us / 1000000,
                                   .tv_nsec = (long)(after_us % 1000000) * 1000 };
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_snap *snap = sf_snap_open(c->state, c->work, &err);
        bool ok = snap && fn(snap, id, &err);

        if (!ok)
            fprintf(stderr, "child: %s\n", err.msg);
        _exit(ok ? 0 : 1);
    }
    if (journal)
        wait_for_journal(c, pid);
    nanosleep(&span, NULL);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        fail_msg("the child failed by itself");
    return WIFEXITED(status);
}

static void reopen(struct snap_case *c)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_snap_close(c->snap);
    c->snap = sf_snap_open(c->state, c->work, &err);
    if (!c->snap)
        fail_msg("cannot open it again: %s", err.msg);
}

static void fill(struct snap_case *c, struct tree_random *r)
{
    for (int i = 0; i < FILES; i++) {
        struct sf_strbuf name = SF_STRBUF_INIT;

        sf_strbuf_addf(&name, "%u/%u/f%d", tree_pick(r, 4), tree_pick(r, 4), i);
        tree_puts(c->work, name.buf, name.buf);
        sf_strbuf_release(&name);
    }
}

/* Whether two listings are the same, without failing. */
static bool equal(const struct sf_strlist *a, const struct sf_strlist *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = !strcmp(a->items[i], b->items[i]);
    return same;
}

static void test_take(void **state)
{
    struct snap_case *c = *state;
    struct tree_random r = { 7 };
    unsigned span = 60000, finished = 0;

    fill(c, &r);
    for (unsigned i = 0; i < kills(); i++) {
        char *index = tree_run(c->state, "rm -f snapshots.git/sf/index-*", NULL);

        free(index);
        snap_scramble(c->work, &r, 60);
        finished += run_and_kill(c, do_take, NULL, tree_pick(&r, span), false);
        reopen(c);
        snap_listing(c->work, NULL, &c->a);
        snap_take(c);
        snap_scramble(c->work, &r, 10);
        snap_restore_id(c, c->result.id);
        snap_listing(c->work, NULL, &c->b);
        snap_same("after a killed snapshot", &c->b, &c->a);
        span = finished * 2 > i ? span - span / 8 : span + span / 8;
    }
    print_message("%u of %u ended before they were killed\n", finished, kills());
}

static void test_restore(void **state)
{
    struct snap_case *c = *state;
    struct tree_random r = { 8 };
    struct sf_strlist goal = SF_STRLIST_INIT;
    unsigned resumed = 0;
    char id[SF_SNAP_ID + 1], waiting[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];

    fill(c, &r);
    for (unsigned i = 0; i < kills(); i++) {
        struct sf_error err = SF_ERROR_INIT;
        bool back = i % 3 == 2;

        snap_scramble(c->work, &r, 60);
        snap_listing(c->work, NULL, &goal);
        memcpy(id, snap_take(c), sizeof(id));
        snap_scramble(c->work, &r, 120);
        snap_listing(c->work, NULL, &c->a);
        if (i % 2)
            run_and_kill(c, do_restore, id, tree_pick(&r, JOURNAL_SPAN), true);
        else
            run_and_kill(c, do_restore, id, tree_pick(&r, RESTORE_SPAN), false);
        reopen(c);
        if (sf_snap_interrupted(c->snap, waiting, before)) {
            resumed++;
            sf_snap_restored_release(&c->restored);
            c->restored = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
            if (!sf_snap_resume(c->snap, back, &c->restored, &err))
                fail_msg("resume: %s", err.msg);
            if (c->restored.tally.kept)
                fail_msg("kept %s", c->restored.kept.items[0]);
            snap_listing(c->work, NULL, &c->b);
            snap_same(back ? "taken back" : "finished", &c->b, back ? &c->a : &goal);
            assert_false(sf_snap_interrupted(c->snap, waiting, before));
        } else {
            snap_listing(c->work, NULL, &c->b);
            if (!equal(&c->b, &c->a)) /* it had not begun */
                snap_same("done", &c->b, &goal);
        }
    }
    print_message("%u of %u were cut short and resumed\n", resumed, kills());
    assert_true(resumed > 0);
    sf_strlist_release(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_take, snap_setup, snap_teardown),
        cmocka_unit_test_setup_teardown(test_restore, snap_setup, snap_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
