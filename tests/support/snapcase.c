/*
 * snapcase.c: fixtures and random trees for snapshots.
 */
#include "support/snapcase.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "support/test.h"

/* In memory where possible: restores wait for the disk, and many tests at once wear it out. */
static char *make_top(void)
{
    char name[] = "/dev/shm/sf-snap-XXXXXX";

    return mkdtemp(name) ? sf_strdup(name) : test_dir_new();
}

int snap_setup(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct snap_case *c = sf_alloc(sizeof(*c));

    c->top = make_top();
    c->work = test_path(c->top, "work");
    c->state = test_path(c->top, "state");
    if (mkdir(c->work, 0755) < 0)
        return -1;
    c->snap = sf_snap_open(c->state, c->work, &err);
    if (!c->snap)
        print_error("%s\n", err.msg);
    *state = c;
    return c->snap ? 0 : -1;
}

int snap_teardown(void **state)
{
    struct snap_case *c = *state;

    sf_snap_close(c->snap);
    sf_snap_result_release(&c->result);
    sf_snap_restored_release(&c->restored);
    sf_strlist_release(&c->a);
    sf_strlist_release(&c->b);
    test_dir_free(c->top);
    free(c->work);
    free(c->state);
    free(c);
    return 0;
}

static void fresh_result(struct snap_case *c)
{
    sf_snap_result_release(&c->result);
    c->result = (struct sf_snap_result)SF_SNAP_RESULT_INIT;
}

const char *snap_take_extra(struct snap_case *c, const struct sf_strlist *extra)
{
    const struct sf_snap_request request = { .kind = SF_SNAP_BEFORE,
                                             .session = "test",
                                             .extra = extra };
    struct sf_error err = SF_ERROR_INIT;

    fresh_result(c);
    if (!sf_snap_take(c->snap, &request, &c->result, &err))
        fail_msg("take: %s", err.msg);
    return c->result.id;
}

const char *snap_take(struct snap_case *c)
{
    return snap_take_extra(c, NULL);
}

void snap_restore(struct snap_case *c, const struct sf_snap_goal *goal)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_snap_restored_release(&c->restored);
    c->restored = (struct sf_snap_restored)SF_SNAP_RESTORED_INIT;
    if (!sf_snap_restore(c->snap, goal, &c->restored, &err))
        fail_msg("restore: %s", err.msg);
}

void snap_restore_id(struct snap_case *c, const char *id)
{
    char own[SF_SNAP_ID + 1];
    const struct sf_snap_goal goal = { .id = own };

    snprintf(own, sizeof(own), "%s", id); /* it may lie in what is reset */
    snap_restore(c, &goal);
}

/* ---- listings ---- */

static void add_name(const char *path, const char *below, const struct stat *st,
                     struct sf_strlist *out)
{
    char hex[SF_SHA256_HEX + 1] = "", link[PATH_MAX] = "";

    if (S_ISREG(st->st_mode)) {
        size_t len;
        char *text = test_read(path, &len);

        sf_sha256_hex(text, len, hex);
        free(text);
    } else if (S_ISLNK(st->st_mode) && readlink(path, link, sizeof(link) - 1) < 0) {
        fail_msg("cannot read the link %s", path);
    }
    sf_strlist_addf(out, "%s %o %.12s%s", below, (unsigned)st->st_mode, hex, link);
}

static void list(const char *dir, const char *below, snap_skip_fn *leave, struct sf_strlist *out)
{
    DIR *d = opendir(dir);
    struct dirent *entry;

    while (d && (entry = readdir(d))) {
        char *path = test_path(dir, entry->d_name);
        char *rest = *below ? test_path(below, entry->d_name) : sf_strdup(entry->d_name);
        struct stat st;

        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !(leave && leave(rest)) && lstat(path, &st) == 0) {
            add_name(path, rest, &st, out);
            if (S_ISDIR(st.st_mode))
                list(path, rest, leave, out);
        }
        free(path);
        free(rest);
    }
    if (d)
        closedir(d);
}

void snap_listing(const char *dir, snap_skip_fn *leave, struct sf_strlist *out)
{
    sf_strlist_release(out);
    list(dir, "", leave, out);
    sf_strlist_sort(out);
}

void snap_same(const char *name, const struct sf_strlist *got, const struct sf_strlist *want)
{
    for (size_t i = 0; i < got->count || i < want->count; i++) {
        const char *g = i < got->count ? got->items[i] : "(nothing)";
        const char *w = i < want->count ? want->items[i] : "(nothing)";

        if (strcmp(g, w) != 0)
            fail_msg("%s: got %s, want %s", name, g, w);
    }
}

/* ---- random trees ---- */

static const char *const names[] = {
    "a",    "b",          "B",     "c.txt", "new\nline", "\xff\xfe", "sp ace",
    ".dot", "\xc3\xbcni", "-dash", "a.b",   "=",         "+a",       "'quote\"",
};

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st;
    (void)flag;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *path)
{
    struct stat st;

    if (lstat(path, &st) < 0)
        return;
    if (S_ISDIR(st.st_mode))
        nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    else
        unlink(path);
}

static void pick_path(struct tree_random *r, struct sf_strbuf *out)
{
    unsigned depth = tree_pick(r, 3) + 1;

    for (unsigned i = 0; i < depth; i++) {
        if (i)
            sf_strbuf_addch(out, '/');
        sf_strbuf_adds(out, names[tree_pick(r, SF_COUNT(names))]);
    }
}

static void write_random(const char *path, struct tree_random *r)
{
    static const mode_t modes[] = { 0644, 0755, 0600, 0640, 0700, 0444, 0664 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    unsigned lines = tree_pick(r, 20);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

    for (unsigned i = 0; i < lines; i++)
        sf_strbuf_addf(&text, "line %u%c", tree_pick(r, 1000), tree_pick(r, 50) ? '\n' : '\0');
    if (fd >= 0) {
        if (!sf_fd_write_all(fd, text.buf, text.len) ||
            fchmod(fd, modes[tree_pick(r, SF_COUNT(modes))]) < 0)
            fail_msg("cannot write %s", path);
        close(fd);
    }
    sf_strbuf_release(&text);
}

static void change_one(const char *path, struct tree_random *r)
{
    static const char *const links[] = { "a", "../b", "/etc/passwd", "nowhere", "." };
    static const mode_t modes[] = { 0755, 0700, 0775, 0750 };
    struct stat st;

    switch (tree_pick(r, 8)) {
    case 0:
        remove_tree(path);
        break;
    case 1:
        remove_tree(path);
        (void)!symlink(links[tree_pick(r, SF_COUNT(links))], path);
        break;
    case 2:
        remove_tree(path);
        (void)!mkdir(path, modes[tree_pick(r, SF_COUNT(modes))]);
        break;
    case 3:
        if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
            (void)!chmod(path, modes[tree_pick(r, SF_COUNT(modes))]);
        break;
    default:
        if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && tree_pick(r, 4) == 0)
            remove_tree(path);
        write_random(path, r);
        break;
    }
}

void snap_scramble(const char *dir, struct tree_random *r, unsigned changes)
{
    for (unsigned i = 0; i < changes; i++) {
        struct sf_strbuf path = SF_STRBUF_INIT;

        sf_strbuf_addf(&path, "%s/", dir);
        pick_path(r, &path);
        for (char *at = path.buf + strlen(dir) + 1; (at = strchr(at, '/')); at++) {
            struct stat st;

            *at = '\0';
            if (lstat(path.buf, &st) == 0 && !S_ISDIR(st.st_mode) && tree_pick(r, 3) == 0)
                remove_tree(path.buf);
            (void)!mkdir(path.buf, 0755);
            *at = '/';
        }
        change_one(path.buf, r);
        sf_strbuf_release(&path);
    }
}
