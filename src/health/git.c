/*
 * git.c: checks of git and of the workspace's repository: conflicts, operations under way, locks
 * that stayed, files that nobody keeps. Only the version of git is asked of git itself.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "judge/judge.h"
#include "snap/snap.h"

enum {
    INDEX_MAX = 256 * 1024 * 1024,
    PATHS_SHOWN = 5,
    LOCK_MS = 10000, /* a younger lock may be somebody's who is at work */
    REFS_MAX = 20000,
    UNTRACKED_MAX = 20000,
};

/* ---- git itself ---- */

static void check_helpers(struct sf_health *h, const struct sf_workspace *workspace)
{
    struct sf_git_helpers helpers = { 0 };
    struct sf_git_reach *reach = sf_git_reach_new(workspace->root, NULL);

    sf_git_reach_from(reach, workspace->root, &helpers);
    sf_git_reach_free(reach);
    if (sf_git_helpers_key(&helpers, NULL))
        sf_health_say(h, SF_HEALTH_WARNING,
                      "look at .git/config; sf asks before the git commands it is about",
                      "%s of this repository makes git run a program",
                      sf_git_helpers_key(&helpers, NULL));
}

static void check_repository(struct sf_health *h, const struct sf_workspace *workspace)
{
    char *git = sf_path_join(workspace->root, ".git");
    struct stat st;

    if (lstat(git, &st) < 0) {
        sf_health_say(h, SF_HEALTH_OK, "", "the workspace is no repository");
    } else {
        sf_health_say(h, SF_HEALTH_OK, "", "%s",
                      S_ISDIR(st.st_mode) ? "the workspace is a repository"
                                          : "the workspace is a linked worktree");
        check_helpers(h, workspace);
    }
    free(git);
}

void sf_health_look_git(struct sf_health *h)
{
    static const char *const ask[] = { "git", "--version", NULL };
    char *version = sf_health_ask(ask, NULL);

    if (version)
        sf_health_say(h, SF_HEALTH_OK, "", "%s", version);
    else
        sf_health_say(h, SF_HEALTH_WARNING, "install git: agents use it, and people to undo them",
                      "git is not there, or does not run");
    if (h->at->workspace)
        check_repository(h, h->at->workspace);
    free(version);
}

/* ---- git's index ---- */

struct tracked {
    size_t count, unmerged;
    struct sf_strlist shown;
};

static bool count_tracked(const char *dir, struct tracked *out, struct sf_error *err)
{
    struct sf_strbuf data = SF_STRBUF_INIT;
    char *path = sf_path_join(dir, "index"), *last = NULL;
    struct sf_git_index index;
    struct sf_git_entry e;
    bool ok = sf_file_read(path, INDEX_MAX, &data, err);
    int got = 0;

    if (!ok && err->code == SF_E_NOENT) {
        ok = true; /* nothing was added yet */
    } else if (ok && (ok = sf_git_index_open(&index, &data, err))) {
        while ((got = sf_git_index_next(&index, &e, err)) > 0) {
            out->count++;
            if (!e.stage || (last && !strcmp(last, e.path)))
                continue;
            free(last);
            last = sf_strdup(e.path);
            if (out->unmerged++ < PATHS_SHOWN)
                sf_strlist_add(&out->shown, e.path);
        }
        ok = got == 0;
        sf_git_index_close(&index);
    }
    sf_strbuf_release(&data);
    free(last);
    free(path);
    return ok;
}

static void say_unmerged(struct sf_health *h, const struct tracked *t)
{
    struct sf_strbuf names = SF_STRBUF_INIT;

    for (size_t i = 0; i < t->shown.count; i++)
        sf_strbuf_addf(&names, "%s%s", i ? ", " : "", t->shown.items[i]);
    if (t->unmerged > t->shown.count)
        sf_strbuf_addf(&names, " and %zu more", t->unmerged - t->shown.count);
    sf_health_say(h, SF_HEALTH_PROBLEM, "settle the conflicts, then git add them: git status",
                  "%zu path%s with conflicts: %s", t->unmerged, t->unmerged == 1 ? "" : "s",
                  names.buf);
    sf_strbuf_release(&names);
}

void sf_health_look_unmerged(struct sf_health *h)
{
    struct tracked t = { .shown = SF_STRLIST_INIT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_health_git git;

    if (sf_health_git_begin(h, &git)) {
        if (!count_tracked(git.dir, &t, &err)) {
            sf_hint(&err, "git status; if that fails too: git reset makes the index anew");
            sf_health_error(h, SF_HEALTH_PROBLEM, &err);
        } else if (t.unmerged) {
            say_unmerged(h, &t);
        } else {
            sf_health_say(h, SF_HEALTH_OK, "", "no conflicts");
        }
    }
    sf_strlist_release(&t.shown);
    sf_health_git_release(&git);
}

void sf_health_look_untracked(struct sf_health *h)
{
    struct tracked t = { .shown = SF_STRLIST_INIT };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap_survey survey;
    struct sf_health_git git;
    uint64_t others = 0;

    if (sf_health_git_begin(h, &git) && count_tracked(git.dir, &t, &err)) {
        if (!sf_snap_look(h->at->workspace->root, "", NULL, &survey, &err)) {
            sf_health_error(h, SF_HEALTH_WARNING, &err);
        } else {
            others = survey.files - survey.ignored;
            others = others > t.count ? others - t.count : 0;
            if (others > UNTRACKED_MAX)
                sf_health_say(h, SF_HEALTH_WARNING, "add what is made by programs to .gitignore",
                              "%s%llu files are neither tracked nor ignored: snapshots and "
                              "searches take them all",
                              survey.late ? "more than " : "about ", (unsigned long long)others);
            else
                sf_health_say(h, SF_HEALTH_OK, "", "%zu tracked files", t.count);
        }
    } else if (git.dir) { /* why the index cannot be read is said by the check of conflicts */
        sf_health_say(h, SF_HEALTH_OK, "", "git's index cannot be read: not looked at");
    }
    sf_strlist_release(&t.shown);
    sf_health_git_release(&git);
}

/* ---- operations under way ---- */

/* Files that an unfinished operation leaves in a git directory. */
static const struct {
    const char *file, *text, *hint;
} traces[] = {
    { "MERGE_HEAD", "a merge is under way", "git merge --continue, or git merge --abort" },
    { "rebase-merge", "a rebase is under way", "git rebase --continue, or git rebase --abort" },
    { "rebase-apply", "a rebase is under way",
      "git rebase --continue, or git rebase --abort; for git am the same" },
    { "CHERRY_PICK_HEAD", "a cherry-pick is under way",
      "git cherry-pick --continue, or git cherry-pick --abort" },
    { "REVERT_HEAD", "a revert is under way", "git revert --continue, or git revert --abort" },
    { "BISECT_LOG", "a bisection is under way", "git bisect reset ends it" },
};

void sf_health_look_operation(struct sf_health *h)
{
    struct sf_health_git git;
    bool found = false;

    if (sf_health_git_begin(h, &git)) {
        for (size_t i = 0; i < SF_COUNT(traces); i++)
            if (sf_health_exists(git.dir, traces[i].file)) {
                sf_health_say(h, SF_HEALTH_WARNING, traces[i].hint, "%s", traces[i].text);
                found = true;
            }
        if (!found)
            sf_health_say(h, SF_HEALTH_OK, "", "nothing is under way");
    }
    sf_health_git_release(&git);
}

/* ---- locks ---- */

/* Whether a process called git runs, or one has a file open: then no lock is known to be stale. */
static bool has_open(const char *pid, const struct sf_strlist *files)
{
    struct sf_strbuf dir = SF_STRBUF_INIT;
    const struct dirent *entry;
    bool found = false;
    char target[4096];
    DIR *fds;

    sf_strbuf_addf(&dir, "/proc/%s/fd", pid);
    fds = opendir(dir.buf);
    while (fds && !found && (entry = readdir(fds))) {
        ssize_t n = readlinkat(dirfd(fds), entry->d_name, target, sizeof(target) - 1);

        target[n < 0 ? 0 : n] = '\0';
        found = sf_strlist_has(files, target);
    }
    if (fds)
        closedir(fds);
    sf_strbuf_release(&dir);
    return found;
}

static bool is_git(const char *pid)
{
    struct sf_strbuf dir = SF_STRBUF_INIT;
    char *name;
    bool yes;

    sf_strbuf_addf(&dir, "/proc/%s", pid);
    name = sf_health_line(dir.buf, "comm");
    yes = name && !strncmp(name, "git", 3);
    sf_strbuf_release(&dir);
    free(name);
    return yes;
}

static bool somebody_works(const struct sf_strlist *files)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    bool works = !proc; /* nobody can tell */

    while (proc && !works && (entry = readdir(proc)))
        if (isdigit((unsigned char)entry->d_name[0]))
            works = is_git(entry->d_name) || has_open(entry->d_name, files);
    if (proc)
        closedir(proc);
    return works;
}

static bool take_lock(void *ctx, const char *path, const struct stat *st)
{
    size_t len = strlen(path);

    if (S_ISREG(st->st_mode) && len > 5 && !strcmp(path + len - 5, ".lock") &&
        sf_health_age_ms(st) >= LOCK_MS)
        sf_strlist_add(ctx, path);
    return true;
}

static void find_locks(const struct sf_health_git *git, struct sf_strlist *out)
{
    static const char *const no[] = { "objects", "hooks", "lfs", "modules", "worktrees", NULL };
    struct sf_health_walk walk = {
        .fn = take_lock, .ctx = out, .depth = 8, .left = REFS_MAX, .no = no
    };

    sf_health_walk(&walk, git->dir);
    if (strcmp(git->dir, git->common) != 0)
        sf_health_walk(&walk, git->common);
}

void sf_health_look_git_locks(struct sf_health *h)
{
    struct sf_strlist locks = SF_STRLIST_INIT;
    struct sf_health_git git;

    if (sf_health_git_begin(h, &git))
        find_locks(&git, &locks);
    if (git.dir && !locks.count)
        sf_health_say(h, SF_HEALTH_OK, "", "no lock was left");
    else if (locks.count && somebody_works(&locks))
        sf_health_say(h, SF_HEALTH_OK, "", "git is at work: %s", locks.items[0]);
    else
        for (size_t i = 0; i < locks.count; i++) {
            sf_health_say(h, SF_HEALTH_WARNING,
                          git.own ? "sf doctor fix git-locks moves it away"
                                  : "if no git runs there, remove it",
                          "a lock of git stayed, and no git runs: %s", locks.items[i]);
            if (git.own)
                sf_health_offer(h, SF_HEALTH_MOVE, locks.items[i], NULL, NULL);
        }
    sf_strlist_release(&locks);
    sf_health_git_release(&git);
}

/* ---- the owner ---- */

void sf_health_look_owner(struct sf_health *h)
{
    struct sf_health_git git;
    struct stat st;

    if (sf_health_git_begin(h, &git)) {
        if (stat(git.common, &st) == 0 && st.st_uid != geteuid())
            sf_health_say(h, SF_HEALTH_WARNING,
                          "become its owner, or: git config --global --add safe.directory DIR",
                          "the repository belongs to user %u: git refuses to work in it",
                          (unsigned)st.st_uid);
        else
            sf_health_say(h, SF_HEALTH_OK, "", "the repository is yours");
    }
    sf_health_git_release(&git);
}
