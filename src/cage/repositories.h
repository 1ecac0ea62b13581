/*
 * repositories: the git directories that a command could write to, looked up again for each: that
 * of the workspace, those of its submodules and linked worktrees, and repositories anywhere in
 * the workspace. Git enters them on its own when somebody asks for the status, so what each of
 * them says about programs counts.
 *
 * Also what the settings in force name beside them: directories of hooks and included files that
 * lie in the workspace. Directories of fetched packages are not searched; a repository in there
 * is found when git's index knows it, as git itself finds it.
 *
 * On the way the walk notes files and directories that the guard's table of paths protects because
 * others obey or run them: a shell that enters a directory, an editor, another agent.
 */
#ifndef SF_CAGE_REPOSITORIES_H
#define SF_CAGE_REPOSITORIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_REPOSITORIES_MAX = 256,   /* found */
    SF_REPOSITORIES_KEPT = 64,   /* below the workspace's own: their files get mounts */
    SF_REPOSITORIES_OBEYED = 96, /* files and directories that others obey */
    SF_REPOSITORIES_DIRS = 2048, /* of the workspace, looked into, nearest first */
    SF_REPOSITORIES_DEPTH = 12,
};

struct sf_git_dir {
    char *path;  /* real */
    bool linked; /* of a linked worktree: it names the directory that it shares the rest with */
    bool kept;   /* the workspace's own, or below it */
};

/* Good until the next look. */
struct sf_repositories_found {
    struct sf_git_dir *dirs;
    size_t count, cap, kept_count;
    struct sf_strlist pointers; /* files and links named .git, that lead to such a directory */
    struct sf_strlist hooks;    /* directories of the workspace that settings name, there or not */
    struct sf_strlist settings; /* files of the workspace that settings include, likewise */
    struct sf_strlist obeyed; /* what editors, shells and agents obey: .envrc, .vscode and so on */
    bool cut;                 /* there may be more: the search came to a bound */
    bool skips;               /* directories of packages, or obeyed ones, were not searched */
};

struct sf_repositories;

/* Real and absolute, `home` may be NULL; borrowed, and must outlive it. */
struct sf_repositories *sf_repositories_new(const char *root, const char *home,
                                            const char *const *git_dirs);
void sf_repositories_free(struct sf_repositories *all); /* NULL is welcome */

const struct sf_repositories_found *sf_repositories_look(struct sf_repositories *all);

/* Of the last look; the first is made for it. */
bool sf_repositories_is_cut(struct sf_repositories *all);

/* Whether a command may write there, as far as git's data is concerned. */
bool sf_repositories_reach(const struct sf_repositories *all, const char *path);

/* Where a file or link named .git leads, real; NULL: nowhere. Owned. */
char *sf_repositories_target(const char *pointer);

/* Appends the repositories that an index of git's has as entries; false: there may be others. */
bool sf_repositories_links(const char *index, struct sf_strlist *out);

const char *sf_repositories_root(const struct sf_repositories *all);

#endif
