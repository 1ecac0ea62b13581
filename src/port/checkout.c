/*
 * checkout.c: what is known of the checkout: its name, the branch, and whether tracked files differ
 * from the last commit. The branch is one small file, read at once with a ceiling; the files are
 * compared on a worker. Git's directory is watched, since git is used in other terminals as well.
 */
#include "port/checkout.h"

#include <stdlib.h>
#include <string.h>

#include "port/internal.h"

enum {
    HEAD_MAX = 4096,
    SETTLE_MS = 250, /* One command of git writes HEAD and the index several times. */
};

/* ---- the branch ---- */

/* The directory with HEAD and the index: .git, or what a file called .git names; "": there is none. */
static char *git_dir(const char *root)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf named = SF_STRBUF_INIT;
    char *dir = sf_path_join(root, ".git");

    if (sf_file_read(dir, HEAD_MAX, &named, &ignored)) {
        bool names = !strncmp(named.buf, "gitdir: ", 8);
        const char *path = named.buf + (names ? 8 : 0);
        char *to = sf_strndup(path, strcspn(path, "\n"));

        free(dir);
        dir = !names ? sf_strdup("") : to[0] == '/' ? sf_strdup(to) : sf_path_join(root, to);
        free(to);
    }
    sf_strbuf_release(&named);
    return dir;
}

static bool read_head(const char *root, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *dir = git_dir(root), *head = sf_path_join(dir, "HEAD");
    bool ok = *dir && sf_file_read(head, HEAD_MAX, out, &ignored);

    free(head);
    free(dir);
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

static void watch_git(struct sf_port *p);

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
    if (!c->notice && !p->ending)
        watch_git(p);
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

/* ---- what others do ---- */

/* The branch is new without a look that finds other files, so a frame is due when it differs. */
static void git_settled(void *ctx)
{
    struct sf_port *p = ctx;
    struct sf_port_checkout *c = &p->checkout;
    char *before = sf_strdup(sf_port_branch(p));

    c->timer = 0;
    sf_filewatch_free(c->notice); /* The directory may be another one by now. */
    c->notice = NULL;
    sf_port_look_checkout(p);
    if (strcmp(before, c->branch) != 0)
        sf_port_changed(p);
    free(before);
}

static void git_written(void *ctx, unsigned which)
{
    struct sf_port *p = ctx;

    (void)which;
    if (!p->checkout.timer)
        p->checkout.timer = sf_loop_add_timer(p->loop, SETTLE_MS, 0, git_settled, p);
}

/* Where the kernel has no watch left, the next key after a rest has to do. */
static void watch_git(struct sf_port *p)
{
    struct sf_port_checkout *c = &p->checkout;
    char *dir = git_dir(sf_port_workspace(p));

    c->notice = *dir ? sf_filewatch_new(p->loop, git_written, p) : NULL;
    if (c->notice && !sf_filewatch_add(c->notice, dir)) {
        sf_filewatch_free(c->notice);
        c->notice = NULL;
    }
    free(dir);
}

bool sf_port_is_dirty(const struct sf_port *p)
{
    return p->checkout.dirty;
}

/* ---- the end ---- */

void sf_port_checkout_close(struct sf_port *p)
{
    sf_loop_remove(p->loop, p->checkout.timer);
    p->checkout.timer = 0;
    sf_filewatch_free(p->checkout.notice);
    p->checkout.notice = NULL;
    if (p->checkout.look)
        sf_checkout_cancel(p->checkout.look);
    while (p->checkout.look)
        sf_loop_turn(p->loop, -1);
}

void sf_port_checkout_release(struct sf_port *p)
{
    free(p->checkout.branch);
}
