/*
 * What a command can use up, and that nothing of it stays: memory, processes and file sizes beyond
 * their bounds, cancels and deadlines of commands that hide, all inside the cage and for real. As
 * root and as an ordinary user, because limits of the kernel do not hold root.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/cage.h"
#include "support/cagecase.h"
#include "support/child.h"
#include "support/test.h"
#include "support/tree.h"

#define MIB (UINT64_C(1) << 20)

/* ---- bounds ---- */

static const struct {
    const char *name, *script;
    uint64_t memory_mib, processes;
    enum sf_child_limit limit; /* it is ended for; none: it passes */
    bool or_refused;           /* the kernel may refuse first: then it ends by itself */
} bounds[] = {
    { "one that takes too much", "perl -e '$x = \"x\" x (300 << 20); sleep 60'", 128, 0,
      SF_LIMIT_MEMORY, false },
    { "four that do together",
      "for i in 1 2 3 4; do perl -e '$x = \"x\" x (60 << 20); sleep 60' & done; wait", 160, 0,
      SF_LIMIT_MEMORY, false },
    { "one that hides in a session of its own",
      "setsid perl -e 'exit if fork; $x = \"x\" x (300 << 20); sleep 60'; sleep 60", 128, 0,
      SF_LIMIT_MEMORY, false },
    { "enough for what it takes",
      "perl -e '$x = \"x\" x (40 << 20); select(undef,undef,undef,0.4)'", 256, 0, SF_LIMIT_NONE,
      false },
    { "shared memory counts once",
      "perl -e '$x = \"x\" x (80 << 20); fork; fork; fork; select(undef,undef,undef,0.4)'; wait",
      300, 0, SF_LIMIT_NONE, false },
    { "what is reserved is not used",
      "python3 -c 'import mmap,time; m = mmap.mmap(-1, 16 << 30); time.sleep(0.4)'", 128, 0,
      SF_LIMIT_NONE, false },
    { "a tree of processes",
      "f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) & f $(($1 - 1)) & wait; else sleep 3; fi; }; "
      "f 9",
      0, 100, SF_LIMIT_PROCESSES, true },
    { "a bomb, which would end by itself at the eleventh generation",
      "b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) | b $(($1 - 1)) & else sleep 3; fi; }; b 11; "
      "sleep 3",
      0, 150, SF_LIMIT_PROCESSES, true },
    { "threads count too",
      "python3 -c 'import threading,time\n"
      "for i in range(300): threading.Thread(target=time.sleep, args=(2,), daemon=True).start()\n"
      "time.sleep(2)'",
      0, 100, SF_LIMIT_PROCESSES, true },
    { "enough processes", "for i in 1 2 3 4 5; do sleep 0.3 & done; wait", 0, 100, SF_LIMIT_NONE,
      false },
};

static bool is_right(size_t i, const struct sf_child_result *r)
{
    if (bounds[i].or_refused && geteuid() != 0 && r->how != SF_CHILD_LIMIT)
        return r->limit == SF_LIMIT_NONE;
    return bounds[i].limit ? r->how == SF_CHILD_LIMIT && r->limit == bounds[i].limit
                           : r->how == SF_CHILD_EXITED && r->code == 0;
}

static void test_bounds(void **state)
{
    struct cage_sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(bounds); i++) {
        const struct sf_child_result *r;
        struct sf_cage_plan plan;

        print_message("  %s\n", bounds[i].name);
        cage_sandbox_plan(w, &plan);
        plan.limits.memory = bounds[i].memory_mib * MIB;
        if (bounds[i].processes)
            plan.limits.processes = bounds[i].processes;
        r = cage_sandbox_run(w, sf_kernel(), &plan, bounds[i].script);
        if (!is_right(i, r) || r->left_count)
            fail_msg("%s: how %d, limit %d (%s), code %d, %zu left\n%s", bounds[i].name, r->how,
                     r->limit, r->error.msg, r->code, r->left_count, r->output[0].buf);
        sf_cage_plan_release(&plan);
    }
}

static void test_message(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_child_result *r;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    plan.limits.memory = 64 * MIB;
    r = cage_sandbox_run(w, sf_kernel(), &plan, bounds[0].script);
    assert_non_null(strstr(r->error.msg, "64 MiB is allowed"));
    assert_int_equal(r->error.code, SF_E_LIMIT);
    sf_cage_plan_release(&plan);
}

static void test_file_size(void **state)
{
    struct cage_sandbox *w = *state;
    char *path = test_path(w->ws, "big");
    struct sf_cage_plan plan;
    struct stat st;

    cage_sandbox_plan(w, &plan);
    plan.limits.file_bytes = MIB;
    cage_sandbox_run(w, sf_kernel(), &plan, "head -c 3m /dev/zero > big");
    assert_int_equal(stat(path, &st), 0);
    assert_true((uint64_t)st.st_size <= MIB);
    sf_cage_plan_release(&plan);
    free(path);
}

/* ---- ends ---- */

/* $1 marks what must be gone; each says "up" when it is there. */
static const struct {
    const char *name, *script;
} hiders[] = {
    { "in the background", "sleep 1000.$1 & echo up; sleep 1000.$1" },
    { "a session of its own",
      "(setsid sh -c 'echo up; exec sleep 1000.$1' x $1 &); sleep 1000.$1" },
    { "forked twice", "((sh -c 'echo up; sleep 1000.$1' x $1 &) &); sleep 1000.$1" },
    { "deaf to polite signals",
      "trap '' HUP INT QUIT TERM; (setsid sh -c 'trap \"\" HUP INT QUIT TERM; echo up; while :; do "
      "sleep 1000.$1; done' x $1 &); while :; do sleep 1000.$1; done" },
    { "stopped", "sleep 1000.$1 & kill -STOP $!; echo up; sleep 1000.$1" },
};

struct ending {
    struct sf_child *child;
    struct sf_loop *loop;
    bool cancel; /* at the first output; else it has a deadline */
    enum sf_child_how how;
    size_t left;
};

static void on_output(void *ctx, enum sf_child_stream stream, const char *data, size_t len)
{
    struct ending *e = ctx;

    (void)stream;
    (void)data;
    (void)len;
    if (e->cancel)
        sf_child_cancel(e->child);
}

static void on_exit_of_child(void *ctx, const struct sf_child_result *result)
{
    struct ending *e = ctx;

    e->how = result->how;
    e->left = result->left_count;
    sf_loop_stop(e->loop);
}

/* Runs the script in a cage; ends it by a cancel or by its deadline. */
static void end_one(struct cage_sandbox *w, const char *script, const char *marker,
                    struct ending *e)
{
    static const struct sf_child_events events = { .on_output = on_output,
                                                   .on_exit = on_exit_of_child };
    const char *argv[] = { "/bin/sh", "-c", script, "sh", marker, NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_child_spec spec = { .argv = argv,
                                  .cwd = w->ws,
                                  .merge_stderr = true,
                                  .grace_ms = 200,
                                  .deadline_ms = e->cancel ? 0 : 300,
                                  .setup = sf_cage_enter };
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    spec.setup_ctx = sf_cage_new(&plan, sf_kernel(), NULL, &err);
    assert_non_null(spec.setup_ctx);
    e->loop = sf_loop_new(&err);
    e->child = sf_child_start(e->loop, &spec, &events, e, &err);
    assert_non_null(e->child);
    sf_loop_run(e->loop);
    sf_loop_free(e->loop);
    sf_cage_free(spec.setup_ctx);
    sf_cage_plan_release(&plan);
}

static void test_nothing_stays(void **state)
{
    char marker[32];

    for (size_t i = 0; i < 2 * SF_COUNT(hiders); i++) {
        const char *name = hiders[i / 2].name;
        struct ending e = { .cancel = i % 2 == 0 };
        int left;

        snprintf(marker, sizeof(marker), "%d%03zu", (int)getpid(), i);
        end_one(*state, hiders[i / 2].script, marker, &e);
        left = child_count_marked(marker);
        if (e.how != (e.cancel ? SF_CHILD_CANCELLED : SF_CHILD_DEADLINE) || left || e.left)
            fail_msg("%s, %s: how %d, %d left", name, e.cancel ? "cancelled" : "out of time", e.how,
                     left);
    }
}

/* The command's own end is what counts: whoever still holds its pipe goes too. */
static void test_grandchild_holds_the_pipe(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_child_result *r;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    r = cage_sandbox_run(
        w, sf_kernel(), &plan,
        "(setsid sh -c 'trap \"\" TERM; while :; do sleep 1000; done' &); echo told");
    assert_int_equal(r->how, SF_CHILD_EXITED);
    assert_int_equal(r->code, 0);
    assert_string_equal(r->output[SF_CHILD_STREAM_OUT].buf, "told\n");
    assert_int_equal(r->left_count, 0);
    sf_cage_plan_release(&plan);
}

/*
 * A cage that is gone has left no descriptor open: a session makes thousands of them. The home lies
 * elsewhere, so that the command gets a /tmp of its own, with a place for the workspace in it.
 */
static void test_descriptors(void **state)
{
    char *dir = test_dir_new(), *root = test_path(dir, "a/ws"), *temp = test_path(dir, "temp");
    const struct sf_cage_wish wish = {
        .root = root, .home = "/nowhere", .temp = temp, .need = SF_CAGE_NEED_AUTO
    };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_cage_plan plan;
    int before = 0;

    (void)state;
    tree_puts(root, "file", "");
    tree_puts(temp, "file", "");
    sf_cage_plan_make(&plan, &wish);
    for (int i = 0; i < 3; i++) {
        struct sf_cage *cage = sf_cage_new(&plan, sf_kernel(), NULL, &err);

        if (!cage)
            fail_msg("%s", err.msg);
        sf_cage_free(cage);
        if (i == 0) /* what is looked up once may stay open */
            before = child_count_fds();
    }
    assert_int_equal(child_count_fds(), before);
    sf_cage_plan_release(&plan);
    test_dir_free(dir);
    free(root);
    free(temp);
}

static int run_group(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, cage_sandbox_setup, cage_sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_bounds),
        CASE(test_message),
        CASE(test_file_size),
        CASE(test_nothing_stays),
        CASE(test_grandchild_holds_the_pipe),
        CASE(test_descriptors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    int failed = cage_as_user(run_group);

    return run_group() + failed;
}
