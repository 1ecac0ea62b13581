/*
 * git_reach.c: finds git directories as git does, from a directory upwards. What is not sure counts
 * as a doubt, and a doubt as a program that runs.
 */
#include "judge/git_reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cage/cage.h"
#include "io/io.h"
#include "judge/git_home.h"

enum {
    DEPTH_MAX = 8, /* repositories inside repositories */
    ENTERED_MAX = 128,
    SETTINGS_MAX = 1 << 20,
    POINTER_MAX = 8192,
    SETTLED_MS = 2000,
};

struct sf_git_reach {
    const char *root;
    struct sf_repositories *repositories;
    char *git_dir;
    const char *git_dirs[2];
    char *index; /* the last that was read, as it was then */
    struct stat seen;
    struct sf_strlist links;
    bool known;
};

/* One search. */
struct look {
    struct sf_git_reach *reach;
    struct sf_git_helpers *found;
    unsigned depth;
    size_t entered;
    size_t entries; /* of directories, that may still be looked at for the places of data */
};

static bool is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool has(const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    struct stat st;
    bool yes = lstat(path, &st) == 0;

    free(path);
    return yes;
}

/* The git directory behind a path that ends in .git; NULL: git finds none. */
static char *git_dir_at(const char *dot)
{
    struct stat st;

    if (lstat(dot, &st) == 0 && S_ISDIR(st.st_mode))
        return sf_strdup(dot);
    return sf_repositories_target(dot);
}

struct sf_git_reach *sf_git_reach_new(const char *root, const char *home)
{
    struct sf_git_reach *reach = sf_alloc(sizeof(*reach));
    char *dot = sf_path_join(root, ".git");

    reach->root = root;
    reach->git_dir = git_dir_at(dot);
    reach->git_dirs[0] = reach->git_dir;
    reach->repositories = sf_repositories_new(root, home, reach->git_dirs);
    free(dot);
    return reach;
}

void sf_git_reach_free(struct sf_git_reach *reach)
{
    if (!reach)
        return;
    sf_repositories_free(reach->repositories);
    sf_strlist_release(&reach->links);
    free(reach->git_dir);
    free(reach->index);
    free(reach);
}

/* ---- one repository ---- */

struct reading {
    struct look *look;
    const char *dir, *top;
    bool shared; /* the settings of a repository that a linked worktree belongs to */
};

/* The files of another tree would be looked at, and the repositories in there. */
static void judge_worktree(const struct reading *r, const struct sf_git_setting *setting)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *text = sf_git_setting_text(setting);
    char *path = text && *text != '/' ? sf_path_join(r->dir, text) : sf_strdup(text ? text : "");
    char *real = sf_path_real(path, &ignored);

    if (!real || strcmp(real, r->top) != 0)
        r->look->found->doubt = "core.worktree in the repository's own git settings";
    free(text);
    free(path);
    free(real);
}

/* Which hooks lie where core.hooksPath points, from the top of the tree. */
static void judge_hooks_path(const struct reading *r, const struct sf_git_setting *setting)
{
    char *text = sf_git_setting_text(setting);
    char *path = text && *text != '/' ? sf_path_join(r->top, text) : sf_strdup(text ? text : "");

    if (!text)
        r->look->found->doubt = "core.hookspath in the repository's own git settings";
    sf_git_helpers_hooks(r->look->found, path);
    free(text);
    free(path);
}

static void add_setting(void *ctx, const struct sf_git_setting *setting)
{
    const struct reading *r = ctx;

    sf_git_helpers_add(r->look->found, setting);
    if (r->top && !strcmp(setting->section, "core") && !strcmp(setting->key, "hookspath"))
        judge_hooks_path(r, setting);
    if (r->top && !r->shared && !strcmp(setting->section, "core") &&
        !strcmp(setting->key, "worktree"))
        judge_worktree(r, setting);
}

/* A file that is there and cannot be read may say anything. */
static void read_settings(struct reading *r, const char *name)
{
    char *path = sf_path_join(r->dir, name);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_file_read(path, SETTINGS_MAX, &text, &err)
            ? !sf_git_settings_read(text.buf, text.len, add_setting, r)
            : err.code != SF_E_NOENT)
        r->look->found->doubt = "a settings file of git's that sf cannot read";
    sf_strbuf_release(&text);
    free(path);
}

/* A linked worktree keeps the shared settings where "commondir" says. */
static char *common_dir(struct look *l, const char *dir)
{
    char *path = sf_path_join(dir, "commondir"), *common = NULL;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_file_read(path, POINTER_MAX, &text, &err)) {
        text.buf[strcspn(text.buf, "\n")] = '\0';
        common = text.buf[0] == '/' ? sf_strdup(text.buf) : sf_path_join(dir, text.buf);
    } else if (err.code != SF_E_NOENT) {
        l->found->doubt = "a file of a worktree's that sf cannot read";
    }
    sf_strbuf_release(&text);
    free(path);
    return common;
}

static void read_hooks(struct look *l, const char *dir)
{
    char *hooks = sf_path_join(dir, "hooks");

    sf_git_helpers_hooks(l->found, hooks);
    free(hooks);
}

/* The last index is not read again as long as it is the same. */
static bool read_links(struct sf_git_reach *r, const char *index, struct sf_strlist *out)
{
    struct stat st;

    if (stat(index, &st) < 0)
        return true;
    if (!r->index || strcmp(r->index, index) != 0 || st.st_ino != r->seen.st_ino ||
        st.st_ctim.tv_sec != r->seen.st_ctim.tv_sec ||
        st.st_ctim.tv_nsec != r->seen.st_ctim.tv_nsec ||
        sf_clock_wall_ms() - (int64_t)st.st_ctim.tv_sec * 1000 <= SETTLED_MS) {
        sf_strlist_release(&r->links);
        free(r->index);
        r->index = sf_strdup(index);
        r->seen = st;
        r->known = sf_repositories_links(index, &r->links);
    }
    for (size_t i = 0; i < r->links.count; i++)
        sf_strlist_add(out, r->links.items[i]);
    return r->known;
}

static void climb(struct look *l, const char *real);

/* What git enters by itself when it asks how the files stand. */
static void enter_links(struct look *l, const char *dir, const char *top)
{
    char *index = sf_path_join(dir, "index");
    struct sf_strlist links = SF_STRLIST_INIT;

    if (!read_links(l->reach, index, &links))
        l->found->doubt = "an index of git's that sf cannot read";
    for (size_t i = 0; i < links.count; i++) {
        char *path = sf_path_join(top, links.items[i]);

        if (has(path, ".git"))
            climb(l, path);
        free(path);
    }
    sf_strlist_release(&links);
    free(index);
}

/* `top`: where its files lie; NULL: nobody knows, or they are looked up otherwise. */
static void enter(struct look *l, const char *dir, const char *top)
{
    char *common = common_dir(l, dir);

    if (l->depth == DEPTH_MAX || l->entered++ == ENTERED_MAX) {
        l->found->doubt = "more repositories inside each other than sf looks into";
    } else {
        l->depth++;
        read_settings(&(struct reading){ l, dir, top, false }, "config");
        read_settings(&(struct reading){ l, dir, top, false }, "config.worktree");
        if (common)
            read_settings(&(struct reading){ l, common, top, true }, "config");
        read_hooks(l, common ? common : dir);
        if (top)
            enter_links(l, dir, top);
        l->depth--;
    }
    free(common);
}

/* Where the data lies of a repository that `dot`, in the workspace, leads git to. */
static void look_for_home(struct look *l, const char *dot)
{
    char *away = !*l->found->away && sf_cage_below(l->reach->root, dot)
                     ? sf_git_home_away(l->reach->root, dot, &l->entries)
                     : NULL;

    if (away)
        snprintf(l->found->away, sizeof(l->found->away), "%s", away);
    free(away);
}

static bool looks_like_git_dir(const char *dir)
{
    return has(dir, "HEAD") && (has(dir, "objects") || has(dir, "commondir"));
}

/* From a directory upwards, to the first repository. */
static void climb(struct look *l, const char *real)
{
    char *dir = sf_strdup(real), *slash;
    bool found;

    do {
        char *dot = sf_path_join(dir, ".git");
        char *git = has(dir, ".git") ? git_dir_at(dot) : NULL;

        found = git != NULL;
        if (looks_like_git_dir(dir)) {
            look_for_home(l, dir);
            enter(l, dir, NULL);
        }
        if (git) {
            look_for_home(l, dot);
            enter(l, git, dir);
        }
        free(git);
        free(dot);
        slash = strrchr(dir, '/');
        if (slash)
            *slash = '\0';
    } while (!found && slash && *dir);
    free(dir);
}

bool sf_git_reach_from(struct sf_git_reach *reach, const char *path, struct sf_git_helpers *helpers)
{
    struct look look = { .reach = reach, .found = helpers, .entries = SF_GIT_HOME_ENTRIES };
    struct sf_error ignored = SF_ERROR_INIT;
    char *real = sf_path_real(path, &ignored), *git = NULL;

    if (!real)
        return false;
    if (is_dir(real)) {
        climb(&look, real);
    } else {
        git = git_dir_at(real);
        look_for_home(&look, real);
        if (git)
            enter(&look, git, NULL);
    }
    free(git);
    free(real);
    return true;
}

/* ---- all of them ---- */

void sf_git_reach_all(struct sf_git_reach *reach, struct sf_git_helpers *helpers)
{
    struct look look = { .reach = reach, .found = helpers, .entries = SF_GIT_HOME_ENTRIES };
    const struct sf_repositories_found *found = sf_repositories_look(reach->repositories);

    if (found->cut || found->skips)
        helpers->doubt = "a repository that lies where sf does not search";
    for (size_t i = 0; i < found->count; i++) {
        look_for_home(&look, found->dirs[i].path);
        enter(&look, found->dirs[i].path, NULL);
    }
    for (size_t i = 0; i < found->pointers.count; i++) {
        char *target = sf_repositories_target(found->pointers.items[i]);

        look_for_home(&look, found->pointers.items[i]);
        if (target)
            enter(&look, target, NULL);
        free(target);
    }
    sf_git_reach_from(reach, reach->root, helpers);
}

bool sf_git_reach_is_top(const char *dir)
{
    return has(dir, ".git");
}
