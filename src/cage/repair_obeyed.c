/*
 * repair_obeyed.c: files that somebody obeys, runs or believes later on: those that were there are
 * as before, new ones are moved aside to a name that nobody obeys.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/plan.h"
#include "cage/repair.h"
#include "io/io.h"

enum {
    OBEYED_MAX = 256, /* files in directories that others obey */
    OBEYED_DEPTH = 3,
};

static void add_at(struct sf_repair_parts *parts, const char *path, bool held, unsigned depth);

static void add_obeyed_below(struct sf_repair_parts *parts, const char *dir, unsigned depth)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && parts->obeyed < OBEYED_MAX) {
        char *path;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        path = sf_path_join(dir, entry->d_name);
        add_at(parts, path, false, depth);
        free(path);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
}

/* What a mount holds is not looked into. */
static void add_at(struct sf_repair_parts *parts, const char *path, bool held, unsigned depth)
{
    const struct sf_repair_part part = { .kind = SF_MEND_OBEYED,
                                         .path = sf_strdup(path),
                                         .held = held };
    const struct sf_repair_part *p = sf_repair_add(parts, &part);

    parts->obeyed++;
    if (p->there && !p->regular && !p->link && !p->held && depth < OBEYED_DEPTH)
        add_obeyed_below(parts, path, depth + 1);
}

/* A name that nobody obeys, beside it; what it holds is not lost. */
static bool move_aside(const char *path)
{
    const char *name;
    int dir = sf_repair_open_parent(path, &name);
    bool ok = false;

    for (unsigned i = 1; dir >= 0 && !ok && i < 100; i++) {
        struct sf_strbuf aside = SF_STRBUF_INIT;

        sf_strbuf_addf(&aside, "%s.refused-%u", name + (*name == '.'), i);
        ok = renameat2(dir, name, dir, aside.buf, RENAME_NOREPLACE) == 0;
        if (!ok && errno != EEXIST)
            i = 100;
        sf_strbuf_release(&aside);
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

void sf_repair_add_obeyed(struct sf_repair_parts *parts, const char *path, bool held)
{
    if (!sf_repair_has(parts, path))
        add_at(parts, path, held, 0);
}

static void tell_obeyed(struct sf_repair *m, bool ok, const char *path, const char *what)
{
    const char *root = sf_repositories_root(m->care->all);

    if (ok)
        sf_strlist_addf(&m->obeyed, "%s (%s)", path + strlen(root) + 1, what);
    else
        sf_repair_tell(m, false, path, "not as it was");
}

static bool is_named(const struct sf_repair *m, const char *path)
{
    for (size_t i = 0; i < m->care->may_change.count; i++)
        if (sf_cage_below(m->care->may_change.items[i], path))
            return true;
    return false;
}

/* What lies in a directory that was moved aside is gone from where it was found. */
void sf_repair_mend_obeyed(struct sf_repair *m, const struct sf_repair_part *now,
                           const struct sf_repair_part *before)
{
    struct stat st;

    if (is_named(m, now->path) || lstat(now->path, &st) < 0)
        return;
    if (!before || !before->there)
        tell_obeyed(m, move_aside(now->path), now->path, "new, moved aside");
    else if (before->regular && (!now->regular || !sf_repair_same_text(now, before)))
        tell_obeyed(m, sf_repair_restore(before), now->path, "as before again");
    else if (before->link ? !now->link || strcmp(before->link, now->link) != 0 : now->link != NULL)
        tell_obeyed(m, move_aside(now->path), now->path, "replaced, moved aside");
}

/* Git alone removes what it does not check out. */
static bool comes_back(const struct sf_repair *m, const struct sf_repair_part *was)
{
    switch (was->kind) {
    case SF_MEND_OBEYED:
        return !is_named(m, was->path);
    case SF_MEND_HOOK:
    case SF_MEND_EXACT:
        return !m->care->how.git_alone;
    case SF_MEND_SETTINGS:
    case SF_MEND_HOOKS:
    case SF_MEND_COMMON:
    case SF_MEND_BACK:
    case SF_MEND_POINTER:
    case SF_MEND_POLICY:
    case SF_MEND_KINDS:
        break;
    }
    return false;
}

void sf_repair_bring_back(struct sf_repair *m, const struct sf_repair_parts *now)
{
    const struct sf_repair_parts *before = &m->care->before;

    for (size_t i = 0; i < before->count; i++) {
        const struct sf_repair_part *was = &before->list[i],
                                    *is = sf_map_gets(&now->by_path, was->path);

        if (!was->regular || was->held || (is && is->there) || !comes_back(m, was))
            continue;
        if (was->kind == SF_MEND_OBEYED)
            tell_obeyed(m, sf_repair_restore(was), was->path, "there again");
        else
            sf_repair_tell(m, sf_repair_restore(was), was->path, "there again");
    }
}
