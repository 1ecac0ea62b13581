/*
 * checkout.c: what is known of the checkout: its name, the branch, and whether tracked files differ
 * from the last commit. The branch is one small file, read at once with a ceiling; the files are
 * compared on a worker.
 */
#include "port/checkout.h"

#include <stdlib.h>
#include <string.h>

#include "port/internal.h"

enum { HEAD_MAX = 4096 };

/* ---- the branch ---- */

/* HEAD is a file in .git, or in the directory that a file called .git names. */
static bool read_head(const char *root, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *git = sf_path_join(root, ".git"), *head = sf_path_join(git, "HEAD");
    bool ok = sf_file_read(head, HEAD_MAX, out, &ignored);

    if (!ok && sf_file_read(git, HEAD_MAX, out, &ignored) && !strncmp(out->buf, "gitdir: ", 8)) {
        char *dir = sf_strndup(out->buf + 8, strcspn(out->buf + 8, "\n"));
        char *whole = dir[0] == '/' ? sf_strdup(dir) : sf_path_join(root, dir);

        free(head);
        head = sf_path_join(whole, "HEAD");
        sf_strbuf_reset(out);
        ok = sf_file_read(head, HEAD_MAX, out, &ignored);
        free(whole);
        free(dir);
    }
    free(head);
    free(git);
    return ok;
}

/* A detached HEAD has no branch: its commit is shown shortened. */
static void read_branch(struct sf_port *p)
{
    struct sf_strbuf head = SF_STRBUF_INIT;
    const char *name = "";
    size_t len = 0;

    if (read_head(sf_port_workspace(p), &head)) {
        name = head.buf;
        if (!strncmp(name, "ref: refs/heads/", 16))
            name += 16;
        len = strcspn(name, "\n");
        len = name == head.buf && len > 8 ? 8 : len;
    }
    free(p->checkout.branch);
    p->checkout.branch = sf_strndup(name, len);
    sf_strbuf_release(&head);
}

const char *sf_port_branch(struct sf_port *p)
{
    if (!p->checkout.branch)
        read_branch(p);
    return p->checkout.branch;
}

const char *sf_port_project(const struct sf_port *p)
{
    const char *root = sf_port_workspace(p), *slash = strrchr(root, '/');

    return slash && slash[1] ? slash + 1 : root;
}

/* ---- the files ---- */

static void checkout_known(void *ctx, enum sf_dirty dirty)
{
    struct sf_port *p = ctx;
    struct sf_port_checkout *c = &p->checkout;
    bool again = c->again && !p->ending, before = c->dirty;

    c->look = NULL;
    c->again = false;
    c->dirty = dirty == SF_DIRTY_YES;
    if (c->dirty != before) /* Most looks find what was known: then no frame is drawn. */
        sf_port_changed(p);
    if (again)
        sf_port_look_checkout(p);
}

void sf_port_look_checkout(struct sf_port *p)
{
    struct sf_port_checkout *c = &p->checkout;

    c->wanted = true;
    read_branch(p);
    if (c->look)
        c->again = true;
    else if (!p->ending)
        c->look =
            sf_checkout_look(p->setup.session.workers, sf_port_workspace(p), checkout_known, p);
}

void sf_port_checkout_changed(struct sf_port *p)
{
    if (p->checkout.wanted)
        sf_port_look_checkout(p);
}

bool sf_port_is_dirty(const struct sf_port *p)
{
    return p->checkout.dirty;
}

/* ---- the end ---- */

void sf_port_checkout_close(struct sf_port *p)
{
    if (p->checkout.look)
        sf_checkout_cancel(p->checkout.look);
    while (p->checkout.look)
        sf_loop_turn(p->loop, -1);
}

void sf_port_checkout_release(struct sf_port *p)
{
    free(p->checkout.branch);
}
