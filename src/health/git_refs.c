/*
 * git_refs.c: checks of what leads to commits: HEAD, branches, references, linked worktrees.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "health/internal.h"
#include "io/io.h"

enum { REFS_MAX = 20000, REFS_DEPTH = 10, SHOWN = 5 };

/* ---- HEAD and its branch ---- */

/* A rebase or bisection detaches HEAD as well; that it is under way is said elsewhere. */
static bool is_under_way(const struct sf_health_git *git)
{
    static const char *const traces[] = { "rebase-merge", "rebase-apply", "BISECT_LOG" };

    for (size_t i = 0; i < SF_COUNT(traces); i++)
        if (sf_health_exists(git->dir, traces[i]))
            return true;
    return false;
}

void sf_health_look_head(struct sf_health *h)
{
    struct sf_health_git git;
    char *name = NULL, *id = NULL;

    if (sf_health_git_begin(h, &git)) {
        id = sf_health_git_resolve(&git, "HEAD", &name);
        if (id && !strcmp(name, "HEAD") && !is_under_way(&git))
            sf_health_say(h, SF_HEALTH_WARNING, "git switch -c NAME gives the work a branch",
                          "HEAD is detached at %.10s: commits are on no branch", id);
        else if (id && strcmp(name, "HEAD") != 0)
            sf_health_say(h, SF_HEALTH_OK, "", "on %s",
                          !strncmp(name, "refs/heads/", 11) ? name + 11 : name);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "HEAD is on no branch");
    }
    free(name);
    free(id);
    sf_health_git_release(&git);
}

static bool any_file(void *ctx, const char *path, const struct stat *st)
{
    (void)path;
    *(bool *)ctx = S_ISREG(st->st_mode);
    return !*(bool *)ctx;
}

/* A repository without any branch is merely new. */
static bool has_branches(const struct sf_health_git *git)
{
    char *heads = sf_path_join(git->common, "refs/heads");
    bool found = false;
    struct sf_health_walk walk = {
        .fn = any_file, .ctx = &found, .depth = REFS_DEPTH, .left = REFS_MAX
    };

    sf_health_walk(&walk, heads);
    free(heads);
    return found || sf_health_exists(git->common, "packed-refs");
}

void sf_health_look_branch(struct sf_health *h)
{
    struct sf_health_git git;
    char *name = NULL, *id = NULL;

    if (sf_health_git_begin(h, &git)) {
        id = sf_health_git_resolve(&git, "HEAD", &name);
        if (!id || *id) /* whether HEAD can be read at all is another check */
            sf_health_say(h, SF_HEALTH_OK, "", "there is a commit to start from");
        else if (has_branches(&git))
            sf_health_say(h, SF_HEALTH_WARNING, "git switch to a branch of `git branch -a`",
                          "the branch that HEAD is on is missing: %s", name);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "there is no commit yet");
    }
    free(name);
    free(id);
    sf_health_git_release(&git);
}

/* ---- broken references ---- */

struct broken {
    const struct sf_health_git *git;
    struct sf_strlist names;
    size_t count;
};

static void note_broken(struct broken *b, const char *name)
{
    if (b->count++ < SHOWN)
        sf_strlist_add(&b->names, name);
}

static bool look_ref(void *ctx, const char *path, const struct stat *st)
{
    struct broken *b = ctx;
    const char *ref = path + strlen(b->git->common) + 1;
    char *name = NULL, *id;
    size_t len = strlen(path);

    if (!S_ISREG(st->st_mode) || (len > 5 && !strcmp(path + len - 5, ".lock")))
        return true;
    id = sf_health_git_resolve(b->git, ref, &name);
    /* A symbolic reference to a branch that a remote deleted is common, and harms nobody. */
    if (!id || (*id && !sf_health_git_has(b->git, id)))
        note_broken(b, ref);
    free(name);
    free(id);
    return true;
}

static void find_broken(struct broken *b)
{
    char *refs = sf_path_join(b->git->common, "refs"), *name = NULL;
    char *head = sf_health_git_resolve(b->git, "HEAD", &name);
    struct sf_health_walk walk = {
        .fn = look_ref, .ctx = b, .depth = REFS_DEPTH, .left = REFS_MAX
    };

    /* A branch that cannot be read is found below; here it is HEAD that must be well. */
    if ((!head && !strcmp(name, "HEAD")) ||
        (head && *head && !strcmp(name, "HEAD") && !sf_health_git_has(b->git, head)))
        note_broken(b, "HEAD");
    sf_health_walk(&walk, refs);
    free(refs);
    free(name);
    free(head);
}

void sf_health_look_refs(struct sf_health *h)
{
    struct sf_health_git git;
    struct broken b = { .git = &git, .names = SF_STRLIST_INIT };

    if (sf_health_git_begin(h, &git)) {
        find_broken(&b);
        for (size_t i = 0; i < b.names.count; i++)
            sf_health_say(h, SF_HEALTH_PROBLEM, "git fsck tells more; git reflog where it was",
                          "%s is broken, or leads to an object that is not there",
                          b.names.items[i]);
        if (b.count > b.names.count)
            sf_health_say(h, SF_HEALTH_PROBLEM, "git fsck", "and %zu references more",
                          b.count - b.names.count);
        if (!b.count)
            sf_health_say(h, SF_HEALTH_OK, "", "HEAD and all references can be read");
    }
    sf_strlist_release(&b.names);
    sf_health_git_release(&git);
}

/* ---- linked worktrees ---- */

struct trees {
    struct sf_health *health;
    const struct sf_health_git *git;
    size_t gone;
};

/* The directory a worktree was in; "gitdir" names the file .git in it. Owned. */
static char *place_of(const char *entry)
{
    char *dot = sf_health_line(entry, "gitdir"), *slash = dot ? strrchr(dot, '/') : NULL;

    if (slash && slash > dot && *dot == '/') {
        *slash = '\0';
        return dot;
    }
    free(dot);
    return NULL;
}

static bool look_worktree(void *ctx, const char *path, const struct stat *st)
{
    struct trees *t = ctx;
    char *place = S_ISDIR(st->st_mode) ? place_of(path) : NULL;

    /* `git worktree lock` is for places that come and go. */
    if (place && !sf_health_exists(place, ".git") && !sf_health_exists(path, "locked")) {
        t->gone++;
        sf_health_say(t->health, SF_HEALTH_WARNING,
                      "sf doctor fix worktrees moves its entry away; git worktree prune drops it",
                      "a worktree is listed, but gone: %s", place);
        if (t->git->own)
            sf_health_offer(t->health, SF_HEALTH_MOVE, path, NULL, NULL);
    }
    free(place);
    return true;
}

void sf_health_look_worktrees(struct sf_health *h)
{
    struct sf_health_git git;
    struct trees t = { .health = h, .git = &git };
    struct sf_health_walk walk = { .fn = look_worktree, .ctx = &t, .left = REFS_MAX };
    char *dir;

    if (sf_health_git_begin(h, &git)) {
        dir = sf_path_join(git.common, "worktrees");
        sf_health_walk(&walk, dir);
        if (!t.gone)
            sf_health_say(h, SF_HEALTH_OK, "", "every linked worktree is there");
        free(dir);
    }
    sf_health_git_release(&git);
}
