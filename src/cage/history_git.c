/*
 * history_git.c: a question to git, which looks at many objects in a large repository: it is asked
 * only when something is gone, and not waited for long.
 */
#include "cage/history_git.h"

#include "base/base.h"
#include "io/io.h"

enum { ANSWER_MS = 3000, LOOK_MS = 20 };

/* A question, on a loop of its own. */
struct question {
    const struct sf_git_asking *asking;
    struct sf_loop *loop;
    struct sf_child *child;
    bool ok; /* git succeeded */
};

static void on_exit_of_git(void *ctx, const struct sf_child_result *result)
{
    struct question *q = ctx;

    q->child = NULL;
    q->ok = result->how == SF_CHILD_EXITED && result->code == 0;
    sf_loop_stop(q->loop);
}

static bool is_hurried(const struct sf_git_asking *asking)
{
    return asking->hurry && atomic_load(asking->hurry);
}

static void look_at_hurry(void *ctx)
{
    struct question *q = ctx;

    if (q->child && is_hurried(q->asking))
        sf_child_cancel(q->child);
}

static int64_t time_left(struct sf_git_asking *asking)
{
    int64_t now = sf_clock_monotonic_ms();

    if (!asking->until_ms)
        asking->until_ms = now + ANSWER_MS;
    return is_hurried(asking) ? 0 : asking->until_ms - now;
}

/* Whether git succeeded. */
static bool ask(struct sf_git_asking *asking, const char *const *argv)
{
    static const struct sf_child_events events = { .on_exit = on_exit_of_git };
    const char *const envp[] = { "PATH=/usr/local/bin:/usr/bin:/bin",
                                 "GIT_CONFIG_NOSYSTEM=1",
                                 "GIT_CONFIG_GLOBAL=/dev/null",
                                 "GIT_ALLOW_PROTOCOL=none",
                                 "GIT_NO_LAZY_FETCH=1",
                                 "GIT_OPTIONAL_LOCKS=0",
                                 NULL };
    const struct sf_child_spec spec = { .argv = argv,
                                        .envp = envp,
                                        .deadline_ms = time_left(asking) };
    struct sf_error ignored = SF_ERROR_INIT;
    struct question q = { .asking = asking };

    if (spec.deadline_ms > 0)
        q.loop = sf_loop_new(&ignored);
    if (q.loop)
        q.child = sf_child_start(q.loop, &spec, &events, &q, &ignored);
    if (q.child) {
        sf_loop_add_timer(q.loop, LOOK_MS, LOOK_MS, look_at_hurry, &q);
        sf_loop_run(q.loop);
    }
    sf_loop_free(q.loop);
    return q.ok;
}

bool sf_git_history_is_whole(struct sf_git_asking *asking, const char *git_dir)
{
    const char *const argv[] = {
        "git",   "--git-dir", git_dir,   "--no-replace-objects",       "rev-list", "--objects",
        "--all", "--reflog",  "--quiet", "--exclude-promisor-objects", NULL,
    };

    return ask(asking, argv);
}
