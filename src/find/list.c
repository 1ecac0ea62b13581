/*
 * list.c: one directory after the other, depth first, each through a handle opened anew beneath
 * the root.
 */
#include "find/list.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "find/beneath.h"
#include "find/ignore.h"

struct lister {
    const struct sf_list_request *request;
    struct sf_list_result *result;
    size_t max, below;
    unsigned depth_max;
    struct sf_strbuf path; /* below the root: of the directory or entry at hand */
};

static bool cancelled(const struct lister *l)
{
    return l->request->cancel && atomic_load(l->request->cancel);
}

static int64_t size_of(int fd, const char *name, enum sf_entry_kind kind)
{
    struct stat st;

    if (kind != SF_ENTRY_FILE || fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -1;
    return st.st_size;
}

/* Adds the entry at `path`; false when it is to be entered by nobody. */
static bool add(struct lister *l, int fd, const char *name, enum sf_entry_kind kind,
                struct sf_ignore *ignore)
{
    struct sf_list_result *r = l->result;
    const char *path = l->path.buf + l->below;
    struct sf_list_item item = { .kind = kind, .size = size_of(fd, name, kind) };

    item.ignored = sf_ignore_covers(ignore, l->path.buf, l->path.len, kind == SF_ENTRY_DIR);
    item.path = sf_strdup(path);
    item.name = strlen(path) - strlen(name);
    for (const char *c = path; *c; c++)
        item.depth += *c == '/';
    r->items = sf_grow(r->items, &r->cap, r->count + 1, sizeof(item));
    r->items[r->count++] = item;
    return kind == SF_ENTRY_DIR && !item.ignored && !sf_ignore_is_machinery(name) &&
           item.depth + 1 < l->depth_max;
}

static void list_dir(struct lister *l, int fd, struct sf_ignore *above, size_t parent);

/* What lies in the directory that was just added. */
static void descend(struct lister *l, struct sf_ignore *ignore)
{
    int fd = sf_beneath_open_dir(l->request->root, l->path.buf);

    if (fd < 0)
        return;
    list_dir(l, fd, ignore, l->result->count);
    close(fd);
}

/* `parent` is one more than the directory's own place among the items; 0: it is the start. */
static void list_dir(struct lister *l, int fd, struct sf_ignore *above, size_t parent)
{
    struct sf_entries entries = SF_ENTRIES_INIT;
    struct sf_list_result *r = l->result;
    size_t len = l->path.len, limit = parent ? l->request->dir_max : 0, i = 0;
    struct sf_ignore *ignore = NULL;

    if (!sf_entries_read(&entries, fd) || entries.cut)
        r->truncated = true;
    sf_entries_sort(&entries);
    if (!l->request->all)
        ignore = sf_ignore_load(above, fd, len, &entries.seen);
    for (; i < entries.count && r->count < l->max && !(limit && i == limit) && !cancelled(l); i++) {
        const char *name = sf_entries_name(&entries, i);

        if (len)
            sf_strbuf_addch(&l->path, '/');
        sf_strbuf_adds(&l->path, name);
        if (l->path.len < PATH_MAX && add(l, fd, name, entries.items[i].kind, ignore))
            descend(l, ignore);
        sf_strbuf_truncate(&l->path, len);
    }
    if (!parent)
        r->total = entries.count;
    else
        r->items[parent - 1].more = entries.count - i;
    r->truncated = r->truncated || i < entries.count;
    sf_ignore_unref(ignore);
    sf_entries_release(&entries);
}

static struct lister lister_for(const struct sf_list_request *request,
                                struct sf_list_result *result)
{
    unsigned depth = request->depth ? request->depth : 1;

    return (struct lister){
        .request = request,
        .result = result,
        .max = request->max && request->max < SF_LIST_MAX ? request->max : SF_LIST_MAX,
        .depth_max = depth < SF_LIST_DEPTH_MAX ? depth : SF_LIST_DEPTH_MAX,
        .path = SF_STRBUF_INIT,
    };
}

bool sf_list(const struct sf_list_request *request, struct sf_list_result *result,
             struct sf_error *err)
{
    struct lister l = lister_for(request, result);
    struct sf_ignore *above = NULL;
    bool ok = false;
    int fd = -1;

    *result = (struct sf_list_result){ 0 };
    if (!sf_beneath_normalize(request->start ? request->start : "", &l.path, err))
        goto out;
    fd = sf_beneath_open_dir(request->root, l.path.buf);
    if (fd < 0) {
        sf_fail_errno(err, "cannot list %s", l.path.len ? l.path.buf : "the directory");
        goto out;
    }
    l.below = l.path.len ? l.path.len + 1 : 0;
    if (!request->all)
        above = sf_ignore_load_above(request->root, l.path.buf, request->user_ignore);
    list_dir(&l, fd, above, 0);
    ok = !cancelled(&l) || sf_fail(err, SF_E_CANCELLED, "the listing was cancelled");
out:
    if (fd >= 0)
        close(fd);
    if (!ok)
        sf_list_release(result);
    sf_ignore_unref(above);
    sf_strbuf_release(&l.path);
    return ok;
}

void sf_list_release(struct sf_list_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        free(result->items[i].path);
    free(result->items);
    *result = (struct sf_list_result){ 0 };
}
