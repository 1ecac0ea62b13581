/*
 * snap: the workspace as it was. Snapshots lie in a git repository of their own beside the
 * project's store, shared by all its sessions and worktrees; the user's repository is neither
 * read nor written, and there need not be one.
 *
 *     DIR/snapshots.git/objects     content, each piece once
 *                       refs/sf/    one file for each snapshot that is kept
 *                       sf/         lock, stat indexes and journals, one for each worktree
 *
 * A snapshot is a commit without parents; its tree holds `files`, which plain git can read, and
 * what git has no place for: permissions (`modes`), what was left out (`skipped`), what
 * .git/info/exclude said (`exclude`), and for the pre-images of edits what was not there
 * (`absent`). Empty directories are empty trees. Left out are ignored files that nobody asked for,
 * files larger than SF_SNAP_FILE_MAX, whatever is neither file, link nor directory, and the
 * insides of other repositories, unless they were the workspace's own before.
 *
 * Everything here blocks: run it on a worker. A snap belongs to one thread at a time. Killed at
 * any moment, what was finished before is whole; a restore cut short can be finished or taken
 * back. Ids are the 40 digits of a commit.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The first snapshot is one pack.
 *   Problem: libgit2 writes loose objects, one file each, or packs of what is there already.
 *   Decision: A few hundred lines of our own write a pack as the walk goes, and plain git reads it.
 *   Cost: We own the format's details.
 *   Enforced by: snap/take
 *
 * - What git has no place for stands beside the tree.
 *   Problem: Git keeps neither permissions nor what was left out.
 *   Decision: Permissions are a second tree of the same shape, so that it is shared as well. What
 *     was left out is a list, so that a restore never takes an omission for a deletion. Empty
 *     directories are empty trees.
 *   Cost: Plain git shows only the half called `files`.
 *   Enforced by: snap/take, snap/restore
 *
 * - A restore is a plan made anew.
 *   Problem: A restore can be interrupted at any moment, and people change files meanwhile.
 *   Decision: Its journal names snapshots only: goal, before, and the lineage. What is as before is
 *     still to do, what is as the goal is done, anything else is somebody's and stays. An
 *     interrupted restore is finished or taken back by the same code.
 *   Cost: Resuming compares the whole workspace again.
 *   Enforced by: snap/journal, snap/kill, snap/restore
 *
 * - What is not sf's is kept by following it.
 *   Problem: Going back must not undo what people did between turns.
 *   Decision: Between goal and now lie the states of turns. A path that changed in a stretch that
 *     is no finished turn's is somebody else's, and stays unless `--overwrite` says otherwise. A
 *     turn that was cut short claims nothing.
 *   Cost: Two snapshots for each turn that changes files.
 *   Enforced by: snap/restore, app/turns
 *
 * - Snapshots have no parents.
 *   Problem: A chain of commits keeps everything it ever held.
 *   Decision: Each snapshot is a commit of its own with one reference, so that any can go. What a
 *     killed process left behind has no reference and goes with the next pruning.
 *   Cost: Plain git shows no history.
 *   Enforced by: snap/take, snap/kill, snap/prune
 */
#ifndef SF_SNAP_SNAP_H
#define SF_SNAP_SNAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

enum {
    SF_SNAP_FILE_MAX = 10 * 1024 * 1024, /* bytes of a file that is kept */
    SF_SNAP_FILES_MAX = 1000000,         /* entries of a workspace; more of them are an error */
    SF_SNAP_DEPTH_MAX = 200,             /* directories in each other */
    SF_SNAP_SKIPS_MAX = 1000,            /* entries of a list of skipped paths */
    SF_SNAP_ID = 40,
};

struct sf_snap;

/*
 * For the worktree `root` of the project whose state lies in `dir`; made as needed. Refused with
 * SF_E_ARG and a reason: /, the home directory and what is above it, directories of the system,
 * and whatever holds `dir` itself.
 */
struct sf_snap *sf_snap_open(const char *dir, const char *root, struct sf_error *err);
void sf_snap_close(struct sf_snap *snap); /* NULL is welcome */

/* ---- taking ---- */

enum sf_snap_kind {
    SF_SNAP_BEFORE,  /* the first side effect of a turn */
    SF_SNAP_AFTER,   /* a turn */
    SF_SNAP_EDIT,    /* pre-images of some files */
    SF_SNAP_RESTORE, /* a restore, so that it can be undone */
    SF_SNAP_MARK     /* a command whose writes are looked at afterwards */
};
extern const char *const sf_snap_kind_names[]; /* "before" … NULL */

/* 0 sets no bound. Snapshots of live sessions never go; the oldest of the others go first. */
struct sf_snap_budget {
    uint64_t bytes;
    size_t count;
    int64_t age_ms;
    const struct sf_strlist *live; /* ids of sessions, or NULL */
};
extern const struct sf_snap_budget sf_snap_budget_default; /* 2 GiB, 1000, 30 days */

/* Everything is borrowed for the call; what is NULL is not said. */
struct sf_snap_request {
    enum sf_snap_kind kind;
    const char *label, *session;
    const struct sf_strlist *extra;      /* paths below the root to keep although ignored */
    const char *since;                   /* .git/info/exclude counts as it did for this snapshot */
    const struct sf_snap_budget *budget; /* looked after before anything is written */
    const atomic_bool *cancel;           /* set by anybody; SF_E_CANCELLED */
};

struct sf_snap_result {
    char id[SF_SNAP_ID + 1];
    char tree[SF_SNAP_ID + 1];       /* equal when nothing changed in between */
    uint64_t files, links, dirs;     /* in the snapshot */
    uint64_t repositories, ignored;  /* noted but not entered; left out */
    uint64_t read;                   /* files whose content had to be read */
    uint64_t bytes;                  /* added to the repository, about */
    uint64_t skipped;                /* all of them; `skips` has the first, as "PATH: why" */
    struct sf_strlist skips, pruned; /* pruned: ids that are no more */
    struct sf_strlist extra;         /* of those asked for: the ignored ones */
};

/* clang-format off */
#define SF_SNAP_RESULT_INIT { .id = "", .skips = SF_STRLIST_INIT, .pruned = SF_STRLIST_INIT, \
                              .extra = SF_STRLIST_INIT }
/* clang-format on */

void sf_snap_result_release(struct sf_snap_result *result);

/* The whole workspace. SF_E_LIMIT when the budget has no room left. */
bool sf_snap_take(struct sf_snap *snap, const struct sf_snap_request *request,
                  struct sf_snap_result *out, struct sf_error *err) SF_MUST_CHECK;

/*
 * Files of request->extra that the snapshot left out because they are ignored join it as they are
 * now; those that are not there are noted as missing. The result is a new snapshot in place of
 * the old one; "" in out->id: nothing was lacking.
 */
bool sf_snap_amend(struct sf_snap *snap, const char *id, const struct sf_snap_request *request,
                   struct sf_snap_result *out, struct sf_error *err) SF_MUST_CHECK;

void sf_snap_forget(struct sf_snap *snap, const char *id); /* it may go; unknown: welcome */

/* ---- looking ---- */

enum sf_snap_how { SF_SNAP_HOW_ADDED, SF_SNAP_HOW_CHANGED, SF_SNAP_HOW_REMOVED };

/* Modes have type and permissions, 0: nothing; SF_SNAP_REPOSITORY: another repository. */
#define SF_SNAP_REPOSITORY 0160000
struct sf_snap_change {
    enum sf_snap_how how;
    const char *path; /* below the root; any bytes but NUL */
    uint32_t from_mode, to_mode;
    const char *kept; /* of a plan: why it would be left as it is, of both: why there is no copy */
    bool lost;        /* it cannot be put back: the snapshot it would come from left it out */
};

/* Borrowed for the call. False ends the walk, which is then a success. */
typedef bool sf_snap_change_fn(void *ctx, const struct sf_snap_change *change);

/*
 * From one snapshot to another; `to` NULL: to the workspace as it is now. Sorted by path; behind
 * that comes what both left out.
 */
bool sf_snap_diff(struct sf_snap *snap, const char *from, const char *to, sf_snap_change_fn *fn,
                  void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Appends the file's or link's content; `*mode` 0: it was not there. */
bool sf_snap_read_blob(struct sf_snap *snap, const char *id, const char *path,
                       struct sf_strbuf *out, uint32_t *mode, struct sf_error *err) SF_MUST_CHECK;

/*
 * What lies under a path and below it, and how much of that a snapshot taken now would not hold.
 * Asks for no snapshots, so none need be open. The look is a short one: `late` says there is more.
 */
struct sf_snap_survey {
    uint64_t files;            /* all of them, links that are named included */
    uint64_t ignored, large;   /* of those: left out, and why */
    uint64_t repositories;     /* other ones, whose files are not counted, nor kept */
    bool is_dir, is_machinery; /* the path itself: .git and the like are never kept */
    bool is_there, late;
};

bool sf_snap_look(const char *root, const char *path, const atomic_bool *cancel,
                  struct sf_snap_survey *out, struct sf_error *err) SF_MUST_CHECK;

/* The names in a directory that a pattern in the last part of `path` stands for, `max` at most. */
bool sf_snap_match(const char *root, const char *path, size_t max, struct sf_strlist *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* ---- going back ---- */

/* The states since the goal, oldest first; what follows the last one is the present. */
struct sf_snap_lineage {
    struct sf_snap_stop {
        char id[SF_SNAP_ID + 1];
        bool ours; /* sf led here from the one before; otherwise somebody else may have */
    } * items;
    size_t count, cap;
    bool running; /* what came after the last one is sf's */
};

void sf_snap_lineage_add(struct sf_snap_lineage *lineage, const char *id, bool ours);
void sf_snap_lineage_release(struct sf_snap_lineage *lineage);

/*
 * What changed along the trail while sf was not at work was changed by somebody else; such paths
 * are kept unless `overwrite`. Kept in any case: other repositories, what the snapshot left out or
 * ignored, and what is too large to be saved first.
 */
struct sf_snap_goal {
    const char *id;
    const struct sf_snap_lineage *lineage; /* NULL: no other process works here */
    const struct sf_strlist *paths; /* only these and what lies below them; NULL or empty: all */
    bool overwrite;
    const char *session;
    const struct sf_strlist *extra; /* as in sf_snap_request, for the snapshot made first */
    const atomic_bool *cancel;
};

struct sf_snap_tally {
    size_t added, changed, removed; /* files and links, and directories whose mode changes */
    size_t dirs;                    /* directories made and removed */
    size_t kept, since;             /* left alone; of those: changed since by somebody else */
    size_t lost;                    /* gone or changed, and no copy was kept */
};

/* Says what a restore would do now, and changes nothing. */
bool sf_snap_restore_plan(struct sf_snap *snap, const struct sf_snap_goal *goal,
                          sf_snap_change_fn *fn, void *ctx, struct sf_snap_tally *tally,
                          struct sf_error *err) SF_MUST_CHECK;

struct sf_snap_restored {
    char before[SF_SNAP_ID + 1]; /* restore this to undo it */
    char after[SF_SNAP_ID + 1];
    struct sf_snap_tally tally;
    struct sf_strlist kept, lost; /* "PATH: why", the first of them */
    struct sf_strlist moved;      /* "removed PATH", the first of them; where somebody looked */
};

/* clang-format off */
#define SF_SNAP_RESTORED_INIT \
    { .before = "", .kept = SF_STRLIST_INIT, .lost = SF_STRLIST_INIT, .moved = SF_STRLIST_INIT }
/* clang-format on */

void sf_snap_restored_release(struct sf_snap_restored *restored);

/*
 * Saves the present state, then makes the workspace what the snapshot says; each file in one
 * step. Fails with SF_E_EXIST while an interrupted one waits. On failure half-way the journal
 * stays, and sf_snap_resume goes on or back.
 */
bool sf_snap_restore(struct sf_snap *snap, const struct sf_snap_goal *goal,
                     struct sf_snap_restored *out, struct sf_error *err) SF_MUST_CHECK;

/* ---- fences ---- */

/* Paths a command may change are left alone, and so is whatever is ignored. */
struct sf_snap_fence {
    const char *mark; /* the state before the command */
    bool (*may)(void *ctx, const char *path, bool dir);
    void *ctx;
    bool put_back; /* otherwise it is only told */
    const char *session, *label;
};

/*
 * Finds what changed since the mark beyond the fence, by the ignore rules of the mark, tells each
 * path, and puts it back; `kept` says why that was not possible. What is put back is saved first:
 * `saved` takes the ids, oldest first. On failure some paths may have been put back; all were told.
 */
bool sf_snap_audit(struct sf_snap *snap, const struct sf_snap_fence *fence, sf_snap_change_fn *fn,
                   void *ctx, struct sf_strlist *saved, struct sf_error *err) SF_MUST_CHECK;

/* A restore of this worktree was cut short; its goal and the state before it. */
bool sf_snap_interrupted(struct sf_snap *snap, char goal[SF_SNAP_ID + 1],
                         char before[SF_SNAP_ID + 1]);

/* Finishes it, or with `back` puts everything back as it was before. */
bool sf_snap_resume(struct sf_snap *snap, bool back, struct sf_snap_restored *out,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
