/*
 * files.c: the files of the workspace, for completion, written as from where the user stands. A
 * worker walks the tree and reports each name from its own thread, so that a hundred thousand files
 * do not block the loop.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "find/find.h"
#include "port/internal.h"

enum { FILES_MAX = 200000 };

struct sf_file_list {
    struct sf_file_list_wish wish;
    char *root, *stand;
    struct sf_strbuf path;
    size_t count;
    atomic_bool cancel;
};

static bool add_file(void *ctx, const struct sf_walk_entry *entry)
{
    struct sf_file_list *l = ctx;

    sf_strbuf_reset(&l->path);
    sf_stand_spell(&l->path, l->stand, entry->path);
    l->wish.add(l->wish.ctx, l->path.buf, l->path.len);
    return ++l->count < FILES_MAX;
}

static void walk(void *ctx)
{
    struct sf_file_list *l = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_walk_request request = { .root = -1, .threads = 1, .cancel = &l->cancel };
    struct sf_walk_tally tally;
    bool ok;

    request.root = open(l->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = request.root >= 0 && sf_walk(&request, add_file, l, &tally, &ignored);
    (void)ok; /* offers what was found; other names can be typed */
    if (request.root >= 0)
        close(request.root);
}

static void walked(void *ctx)
{
    struct sf_file_list *l = ctx;

    l->wish.done(l->wish.ctx);
    free(l->root);
    free(l->stand);
    sf_strbuf_release(&l->path);
    free(l);
}

struct sf_file_list *sf_port_list_files(struct sf_port *p, const struct sf_file_list_wish *wish)
{
    struct sf_file_list *l = sf_alloc(sizeof(*l));

    l->wish = *wish;
    l->root = sf_strdup(sf_port_workspace(p));
    l->stand = sf_strdup(p->setup.session.below);
    sf_strbuf_init(&l->path);
    sf_workers_start(p->setup.session.workers, walk, walked, l);
    return l;
}

void sf_file_list_cancel(struct sf_file_list *l)
{
    atomic_store(&l->cancel, true);
}
