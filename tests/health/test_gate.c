/*
 * The gate: what keeps work from being dispatched, what does not, and a check that cannot look.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/health_case.h"
#include "support/test.h"

#define GIT                                                                                 \
    "cd work && git init -q . && git config user.email a@b.c && git config user.name a && " \
    "echo 1 >a && git add a && git commit -qm one && git branch -M trunk && "

static const struct {
    const char *name, *shell, *check; /* NULL: nothing blocks */
} worlds[] = {
    { "no repository", "true", NULL },
    { "a sound repository", GIT "true", NULL },
    { "a new one", "cd work && git init -q .", NULL },
    { "a detached HEAD is the user's choice", GIT "git checkout -q --detach", NULL },
    { "a stale lock is not in the way of reading", GIT "touch -d '1 hour ago' .git/index.lock",
      NULL },
    { "a conflict",
      GIT "git switch -qc x && echo 2 >a && git commit -qam x && git switch -q trunk "
          "&& echo 3 >a && git commit -qam y && ! git merge x",
      "unmerged" },
    { "a merge", GIT "touch .git/MERGE_HEAD", "operation" },
    { "a rebase", GIT "mkdir .git/rebase-merge", "operation" },
    { "a missing branch", GIT "echo 'ref: refs/heads/gone' >.git/HEAD", "branch" },
    { "a broken HEAD", GIT "echo junk >.git/HEAD", "refs" },
    { "an index that cannot be read", GIT "echo junk >.git/index", "unmerged" },
    { "a store of junk", "mkdir state && echo junk >state/sf.db", "store-opens" },
    { "a state directory that is a file", "touch state", "state" },
    { "snapshots that are not whole", "mkdir -p state/snapshots.git", "side-repository" },
    { "no workspace any more", "rmdir work", "writable" },
};

static bool has(const struct sf_health_report *r, const char *check)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->items[i].name, check))
            return *r->items[i].text && *r->items[i].hint;
    return false;
}

static void test_worlds(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(worlds); i++) {
        struct sf_health_report blocking = { 0 };
        void *fixture = NULL;
        struct health_case *w;
        bool open;

        health_case_setup(&fixture);
        w = fixture;
        health_case_sh(w, worlds[i].shell);
        open = sf_health_gate(&w->workspace, w->at.state_dir, &blocking);
        if (open != !worlds[i].check || (worlds[i].check && !has(&blocking, worlds[i].check)))
            fail_msg("%s: %s", worlds[i].name, blocking.count ? blocking.items[0].text : "open");
        sf_health_release(&blocking);
        health_case_teardown(&fixture);
    }
}

/* Where nothing can be looked at, every check of the gate fails, and none of them lets work pass. */
static void test_cannot_look(void **state)
{
    struct sf_health_report blocking = { 0 };

    (void)state;
    assert_false(sf_health_gate(NULL, NULL, &blocking));
    for (size_t i = 0; i < sf_health_check_count; i++)
        if (sf_health_checks[i].blocks && strcmp(sf_health_checks[i].group, "disk") != 0) {
            bool found = false;

            for (size_t j = 0; j < blocking.count; j++)
                found = found || !strcmp(blocking.items[j].name, sf_health_checks[i].name);
            if (!found)
                fail_msg("%s lets work pass", sf_health_checks[i].name);
        }
    sf_health_release(&blocking);
}

static void *ask(void *ctx)
{
    struct health_case *w = ctx;
    struct sf_health_report blocking = { 0 };
    bool open = sf_health_gate(&w->workspace, w->at.state_dir, &blocking);

    sf_health_release(&blocking);
    return open ? w : NULL;
}

static void test_on_a_worker(void **state)
{
    struct health_case *w = *state;
    pthread_t threads[4];
    void *got;

    health_case_sh(w, GIT "true");
    health_case_snap(w);
    for (size_t i = 0; i < SF_COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, w), 0);
    for (size_t i = 0; i < SF_COUNT(threads); i++) {
        assert_int_equal(pthread_join(threads[i], &got), 0);
        assert_ptr_equal(got, w);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, health_case_setup, health_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_worlds),
                                        cmocka_unit_test(test_cannot_look),
                                        CASE(test_on_a_worker) };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
