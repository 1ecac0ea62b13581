/*
 * git_home.c: follows what leads git to its data, as git does. Two trees are at home: the workspace,
 * and the repository outside that knows this worktree. What cannot be told counts as away.
 */
#include "judge/git_home.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cage/cage.h"
#include "io/io.h"
#include "shell/shell.h"

enum {
    ENTRIES_MAX = 20000, /* of one directory of git's */
    STORES_MAX = 6,      /* alternates of alternates, as git follows them */
    POINTER_MAX = 8192,
    LIST_MAX = 1 << 20,
};

struct home {
    const char *root;
    const char *known; /* outside; NULL: nothing there knows this worktree */
    size_t *left;      /* entries that may still be looked at */
    char *away;
};

static char *real_path(const char *path)
{
    struct sf_error ignored = SF_ERROR_INIT;

    return sf_path_real(path, &ignored);
}

static char *parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash > path ? sf_strndup(path, (size_t)(slash - path)) : sf_strdup("/");
}

static char *joined(const char *dir, const char *text)
{
    return *text == '/' ? sf_strdup(text) : sf_path_join(dir, text);
}

/* What a file of one line in a git directory names, real; NULL: there is none, or nothing there. */
static char *named_in(const char *dir, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = sf_path_join(dir, name), *real = NULL;

    if (sf_file_read(path, POINTER_MAX, &text, &ignored) && text.len) {
        char *target;

        text.buf[strcspn(text.buf, "\r\n")] = '\0';
        target = joined(dir, text.buf);
        real = real_path(target);
        free(target);
    }
    sf_strbuf_release(&text);
    free(path);
    return real;
}

static char *git_dir_of(const char *dot)
{
    struct stat st;

    if (lstat(dot, &st) == 0 && S_ISDIR(st.st_mode))
        return real_path(dot);
    return sf_repositories_target(dot);
}

/* ---- who knows this worktree ---- */

/* COMMON/worktrees/NAME/gitdir names the file called .git. */
static bool is_linked_worktree(const char *git, const char *common, const char *dot)
{
    char *all = parent_of(git), *owner = parent_of(all);
    char *back = named_in(git, "gitdir"), *here = real_path(dot);
    const char *slash = strrchr(all, '/');
    bool is = slash && !strcmp(slash, "/worktrees") && !strcmp(owner, common) && back && here &&
              !strcmp(back, here);

    free(all);
    free(owner);
    free(back);
    free(here);
    return is;
}

struct worktree {
    const char *git, *top;
    bool is;
};

static void compare_worktree(void *ctx, const struct sf_git_setting *setting)
{
    struct worktree *w = ctx;
    char *text, *path, *real;

    if (strcmp(setting->section, "core") != 0 || strcmp(setting->key, "worktree") != 0)
        return;
    text = sf_git_setting_text(setting);
    path = text ? joined(w->git, text) : NULL;
    real = path ? real_path(path) : NULL;
    w->is = real && w->top && !strcmp(real, w->top);
    free(text);
    free(path);
    free(real);
}

/* The settings of a submodule's git directory name its files. */
static bool is_submodule(const char *git, const char *dot)
{
    char *config = sf_path_join(git, "config"), *above = parent_of(dot), *top = real_path(above);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct worktree w = { .git = git, .top = top };
    bool read = sf_file_read(config, LIST_MAX, &text, &ignored) &&
                sf_git_settings_read(text.buf, text.len, compare_worktree, &w);

    sf_strbuf_release(&text);
    free(config);
    free(above);
    free(top);
    return read && w.is;
}

/* ---- where the data lies ---- */

static bool is_home(const struct home *h, const char *real)
{
    return sf_cage_below(h->root, real) || (h->known && sf_cage_below(h->known, real));
}

/* Notes the place if it is there and away; true: it is. */
static bool note(struct home *h, const char *path)
{
    char *real = h->away ? NULL : real_path(path);

    if (real && !is_home(h, real))
        h->away = real;
    else
        free(real);
    return h->away != NULL;
}

/* What git reads no content from. */
static bool is_harmless(const char *name)
{
    static const char *const names[] = { ".", "..", "hooks", "lfs", "annex", "description" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Every entry costs time to read, also one that is no link. */
static bool is_too_much(struct home *h, size_t count)
{
    if (count > ENTRIES_MAX || !*h->left)
        return true;
    (*h->left)--;
    return false;
}

/* Links among the entries of a directory, and the directory itself. */
static void look_at_links(struct home *h, const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    DIR *list = note(h, path) ? NULL : opendir(path);
    const struct dirent *entry;
    size_t count = 0;

    while (list && !h->away && (entry = readdir(list))) {
        char *item;

        if (is_too_much(h, ++count))
            h->away = sf_strdup(path);
        if (h->away || (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) ||
            is_harmless(entry->d_name))
            continue;
        item = sf_path_join(path, entry->d_name);
        note(h, item);
        free(item);
    }
    if (list)
        closedir(list);
    free(path);
}

static void look_at_store(struct home *h, const char *objects, unsigned depth);

/* One line of "alternates"; git reads a quoted one in its own way. */
static void look_at_alternate(struct home *h, const char *objects, const char *line, unsigned depth)
{
    char *path = joined(objects, line);

    if (*line == '"' && !h->away)
        h->away = sf_strdup(line);
    else if (*line && *line != '#' && !note(h, path))
        look_at_store(h, path, depth + 1);
    free(path);
}

static void look_at_store(struct home *h, const char *objects, unsigned depth)
{
    char *list = sf_path_join(objects, "info/alternates");
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *at, *next;

    look_at_links(h, objects, "");
    look_at_links(h, objects, "pack");
    look_at_links(h, objects, "info");
    if (!h->away && depth < STORES_MAX && !sf_file_read(list, LIST_MAX, &text, &err) &&
        err.code != SF_E_NOENT)
        h->away = sf_strdup(list);
    for (at = text.len ? text.buf : NULL; at && !h->away; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        look_at_alternate(h, objects, at, depth);
    }
    sf_strbuf_release(&text);
    free(list);
}

static void look_at_dirs(struct home *h, const char *git, const char *common)
{
    char *objects = sf_path_join(common, "objects");

    look_at_links(h, git, "");
    if (strcmp(git, common) != 0)
        look_at_links(h, common, "");
    look_at_links(h, common, "refs");
    look_at_links(h, common, "refs/heads");
    look_at_store(h, objects, 0);
    free(objects);
}

char *sf_git_home_away(const char *root, const char *dot, size_t *left)
{
    struct home h = { .root = root, .left = left };
    char *git = git_dir_of(dot), *common;

    if (!git)
        return NULL;
    common = named_in(git, "commondir");
    if (!sf_cage_below(root, git)) {
        if (common && is_linked_worktree(git, common, dot))
            h.known = common;
        else if (!common && is_submodule(git, dot))
            h.known = git;
    }
    note(&h, git);
    look_at_dirs(&h, git, common ? common : git);
    free(common);
    free(git);
    return h.away;
}
