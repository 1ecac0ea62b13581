/*
 * checkout.c: whether tracked files differ from the last commit, looked up on a worker. The look
 * belongs to the caller of sf_checkout_look, not to a session: nothing of it is logged.
 */
#include "session/checkout.h"

#include <stdlib.h>

#include "base/base.h"
#include "io/io.h"
#include "judge/judge.h"

struct sf_checkout_look {
    char *root;
    atomic_bool cancel;
    enum sf_dirty dirty;
    sf_checkout_fn *fn;
    void *ctx;
};

static void look(void *ctx)
{
    struct sf_checkout_look *l = ctx;
    size_t left = SF_GIT_HOME_ENTRIES;
    char *dot = sf_path_join(l->root, ".git"), *away = sf_git_home_away(l->root, dot, &left);

    l->dirty = away ? SF_DIRTY_UNKNOWN : sf_git_dirty(l->root, &l->cancel);
    free(away);
    free(dot);
}

static void looked(void *ctx)
{
    struct sf_checkout_look *l = ctx;

    l->fn(l->ctx, l->dirty);
    free(l->root);
    free(l);
}

struct sf_checkout_look *sf_checkout_look(struct sf_workers *workers, const char *root,
                                          sf_checkout_fn *fn, void *ctx)
{
    struct sf_checkout_look *l = sf_alloc(sizeof(*l));

    l->root = sf_strdup(root);
    l->fn = fn;
    l->ctx = ctx;
    sf_workers_start(workers, look, looked, l);
    return l;
}

void sf_checkout_cancel(struct sf_checkout_look *l)
{
    atomic_store(&l->cancel, true);
}
