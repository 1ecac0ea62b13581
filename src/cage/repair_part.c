/*
 * repair_part.c: one list of parts, made before a command and after it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/plan.h"
#include "cage/repair.h"
#include "io/io.h"

/* In a git directory. */
static const struct {
    const char *name;
    enum sf_repair_kind kind;
} parts_of_git[] = {
    { "config", SF_MEND_SETTINGS },
    { "config.worktree", SF_MEND_SETTINGS },
    { "hooks", SF_MEND_HOOKS },
    { "commondir", SF_MEND_COMMON },
    { "gitdir", SF_MEND_BACK },
    { "info/attributes", SF_MEND_EXACT },
    { "objects/info/alternates", SF_MEND_EXACT },
};

/* Beneath .sf: what is not policy. */
static const char *const works_of_sf[] = { "plans", "tasks", "research" };

static void read_text(int dir, const char *name, struct sf_repair_part *p)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char chunk[4096];
    ssize_t n;

    while (fd >= 0 && p->text.len <= SF_MEND_TEXT_MAX && (n = read(fd, chunk, sizeof(chunk))) > 0)
        sf_strbuf_add(&p->text, chunk, (size_t)n);
    if (fd >= 0)
        close(fd);
}

static void read_policy(int dir, struct sf_repair_part *p)
{
    DIR *stream = fdopendir(dir);
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && p->items.count < SF_MEND_TOLD_MAX) {
        bool work = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");

        for (size_t i = 0; !work && i < SF_COUNT(works_of_sf); i++)
            work = !strcmp(entry->d_name, works_of_sf[i]);
        if (!work)
            sf_strlist_add(&p->items, entry->d_name);
    }
    if (stream)
        closedir(stream);
    else
        close(dir);
}

static void look_into(struct sf_repair_part *p, int dir, const char *name, const struct stat *st)
{
    char target[PATH_MAX];
    ssize_t n;
    int fd;

    if (S_ISLNK(st->st_mode)) {
        n = readlinkat(dir, name, target, sizeof(target) - 1);
        p->link = sf_strndup(target, n > 0 ? (size_t)n : 0);
    } else if (S_ISREG(st->st_mode)) {
        p->regular = true;
        read_text(dir, name, p);
    } else if (S_ISDIR(st->st_mode) && p->kind == SF_MEND_POLICY) {
        fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0)
            read_policy(fd, p);
    }
}

bool sf_repair_has(const struct sf_repair_parts *parts, const char *path)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!strcmp(parts->list[i].path, path))
            return true;
    return false;
}

struct sf_repair_part *sf_repair_add(struct sf_repair_parts *parts,
                                     const struct sf_repair_part *like)
{
    struct sf_repair_part p = *like;
    const char *name;
    struct stat st;
    int dir = sf_repair_open_parent(p.path, &name);

    sf_strbuf_init(&p.text);
    p.there = dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (p.there) {
        p.mode = st.st_mode & 0777;
        look_into(&p, dir, name, &st);
    }
    p.held = p.held && p.there && !p.link;
    if (dir >= 0)
        close(dir);
    parts->list = sf_grow(parts->list, &parts->cap, parts->count + 1, sizeof(*parts->list));
    parts->list[parts->count] = p;
    return &parts->list[parts->count++];
}

/* With what lies in a directory of hooks, where no mount holds that. */
static void add_any(struct sf_repair_parts *parts, const struct sf_repair_part *like)
{
    const struct sf_repair_part *p = sf_repair_add(parts, like);

    if (p->kind == SF_MEND_HOOKS && p->there && !p->link && !p->held)
        sf_repair_add_hooks(parts, p->path);
}

static void add_git_dir(struct sf_repair_parts *parts, const struct sf_git_dir *dir,
                        const struct sf_git_repair_how *how)
{
    bool held = how->held && dir->kept;

    for (size_t i = 0; i < SF_COUNT(parts_of_git); i++) {
        enum sf_repair_kind kind = parts_of_git[i].kind;
        const struct sf_repair_part part = { .kind = kind,
                                             .path = sf_path_join(dir->path, parts_of_git[i].name),
                                             .linked = dir->linked,
                                             .held = held && kind != SF_MEND_EXACT &&
                                                     (kind == SF_MEND_HOOKS ? !dir->linked
                                                                            : !how->git_alone) };

        add_any(parts, &part);
    }
}

static void add_paths(struct sf_repair_parts *parts, enum sf_repair_kind kind,
                      const struct sf_strlist *paths, bool held)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct sf_repair_part part = { .kind = kind, .held = held };

        if (sf_repair_has(parts, paths->items[i]))
            continue;
        part.path = sf_strdup(paths->items[i]);
        add_any(parts, &part);
    }
}

const struct sf_repositories_found *sf_repair_take(struct sf_repair_parts *parts,
                                                   struct sf_repositories *all,
                                                   const struct sf_git_repair_how *how)
{
    const struct sf_repositories_found *found = sf_repositories_look(all);
    const struct sf_repair_part policy = { .kind = SF_MEND_POLICY,
                                           .path = sf_path_join(sf_repositories_root(all), ".sf"),
                                           .held = how->held };

    for (size_t i = 0; i < found->count; i++)
        add_git_dir(parts, &found->dirs[i], how);
    add_paths(parts, SF_MEND_HOOKS, &found->hooks, how->held);
    add_paths(parts, SF_MEND_SETTINGS, &found->settings, how->held);
    add_paths(parts, SF_MEND_POINTER, &found->pointers, false);
    for (size_t i = 0; !how->git_alone && i < found->obeyed.count; i++)
        sf_repair_add_obeyed(parts, found->obeyed.items[i],
                             how->held &&
                                 !sf_cage_is_named(how->may_change, found->obeyed.items[i]));
    sf_repair_add(parts, &policy);
    for (size_t i = 0; i < parts->count; i++)
        sf_map_add(&parts->by_path, parts->list[i].path, strlen(parts->list[i].path),
                   &parts->list[i]);
    return found;
}

void sf_repair_drop(struct sf_repair_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->list[i].path);
        free(parts->list[i].link);
        sf_strbuf_release(&parts->list[i].text);
        sf_strlist_release(&parts->list[i].items);
    }
    free(parts->list);
    sf_map_release(&parts->by_path);
    *parts = (struct sf_repair_parts){ 0 };
}

bool sf_repair_same_text(const struct sf_repair_part *a, const struct sf_repair_part *b)
{
    return a->text.len == b->text.len &&
           (!a->text.len || !memcmp(a->text.buf, b->text.buf, a->text.len));
}
