/*
 * snap: snapshots of the workspace. They are kept in a git repository of their own beside the
 * project's store, shared by all its sessions and worktrees. The workspace need not be a git
 * repository; of the user's repository only .git/info/exclude is read, and put back by an audit.
 *
 *     DIR/snapshots.git/objects     content, each piece once
 *                       refs/sf/    one file for each snapshot
 *                       sf/         lock, stat indexes and journals, one for each worktree
 *
 * A snapshot is a commit without parents; its tree has `files`, which plain git can read, and what
 * git does not store: permissions (`modes`), the list of paths left out (`skipped`), the contents
 * of .git/info/exclude (`exclude`), for the pre-images of edits the paths that did not exist
 * (`absent`), and for ignored files when they were changed (`times`). Empty directories are empty
 * trees. Left out are ignored files and files of other repositories that were not asked for, files
 * larger than SF_SNAP_FILE_MAX, and anything but files, links and directories. A repository that
 * was made of a part of the workspace is still part of it.
 *
 * Everything here blocks: run it on a worker. A snap belongs to one thread at a time. If the
 * process is killed, finished snapshots stay intact, and an interrupted restore can be finished or
 * undone. Ids are the 40 digits of a commit.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The first snapshot is one pack.
 *   Problem: libgit2 writes loose objects, one file each, or packs of objects that exist already.
 *   Decision: A few hundred lines of our own write a pack during the walk, and plain git reads it.
 *   Cost: We have to get the details of the format right.
 *   Enforced by: snap/take
 *
 * - What git does not store is kept beside the tree.
 *   Problem: Git keeps neither permissions nor a list of what was left out.
 *   Decision: Permissions are a second tree of the same shape, so that unchanged parts are shared
 *     as well. Paths that were left out are a list, so that a restore never takes an omission for
 *     a deletion. Empty directories are empty trees.
 *   Cost: Plain git shows only the half called `files`.
 *   Enforced by: snap/take, snap/restore
 *
 * - Resuming a restore means planning it again.
 *   Problem: A restore can be interrupted at any moment, and people change files meanwhile.
 *   Decision: The journal of a restore names only snapshots: goal, before, and the lineage. A file
 *     as in `before` is still to do, a file as in the goal is done, any other was changed by others
 *     and stays. The same code finishes or undoes an interrupted restore.
 *   Cost: Resuming compares the whole workspace again.
 *   Enforced by: snap/journal, snap/kill, snap/restore
 *
 * - Changes by others are found by following each path.
 *   Problem: A restore must not undo what people did between turns.
 *   Decision: Between the goal and now lie the snapshots around turns. A path that changed outside
 *     of a finished turn was changed by others, and stays unless `--overwrite` is given; so does
 *     one that neither a tool nor a recorded command of the turn wrote. A turn that was cut off
 *     claims only files that its tools wrote and that are as they left them.
 *   Cost: Two snapshots for each turn that changes files.
 *   Enforced by: snap/restore, app/turns
 *
 * - Snapshots have no parents.
 *   Problem: In a chain of commits, nothing can ever be deleted.
 *   Decision: Each snapshot is a commit of its own with one reference, so that any can be deleted.
 *     Objects of a killed process have no reference, and the next pruning removes them.
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
#include "snap/git_dirty.h"
#include "snap/git_index.h"

enum {
    SF_SNAP_FILE_MAX = 10 * 1024 * 1024, /* larger files are left out */
    SF_SNAP_FILES_MAX = 1000000,         /* entries of a workspace; more are an error */
    SF_SNAP_DEPTH_MAX = 200,             /* nested directories */
    SF_SNAP_SKIPS_MAX = 1000,            /* entries of a list of skipped paths */
    SF_SNAP_ID = 40,
};

struct sf_snap;

/*
 * Opens the snapshots of the worktree `root`, for the project with the state directory `dir`; made
 * as needed. Refused with SF_E_ARG and a reason: /, the home directory and everything above it,
 * system directories, and any directory that contains `dir` itself.
 */
struct sf_snap *sf_snap_open(const char *dir, const char *root, struct sf_error *err);
void sf_snap_close(struct sf_snap *snap); /* NULL is welcome */

/* ---- taking ---- */

enum sf_snap_kind {
    SF_SNAP_BEFORE,  /* before the first side effect of a turn */
    SF_SNAP_AFTER,   /* after a turn */
    SF_SNAP_EDIT,    /* pre-images of some files */
    SF_SNAP_RESTORE, /* before a restore, so that it can be undone */
    SF_SNAP_MARK     /* before a command that will be audited */
};
extern const char *const sf_snap_kind_names[]; /* "before" … NULL */

/* 0: no limit. Snapshots of live sessions are never deleted; of the others, the oldest go first. */
struct sf_snap_budget {
    uint64_t bytes;
    size_t count;
    int64_t age_ms;
    const struct sf_strlist *live; /* ids of sessions, or NULL */
};
extern const struct sf_snap_budget sf_snap_budget_default; /* 2 GiB, 1000, 30 days */

/* What was at a path before a command touched it. */
struct sf_snap_image {
    uint32_t mode;    /* type and permissions; 0: nothing was there */
    int64_t modified; /* in nanoseconds */
    struct sf_strbuf text;
};

/* Fills `out`, whose text is empty; false: the image cannot be read. */
typedef bool sf_snap_image_fn(void *ctx, const char *path, struct sf_snap_image *out);

/* Everything is borrowed for the call, and every pointer may be NULL. */
struct sf_snap_request {
    enum sf_snap_kind kind;
    const char *label, *session;
    const struct sf_strlist *extra; /* paths below the root to keep although they are left out */
    sf_snap_image_fn *image;        /* what was at these paths; NULL: what is there now */
    void *image_ctx;
    const char *since;                   /* use .git/info/exclude as it was in this snapshot */
    const struct sf_snap_budget *budget; /* enforced before anything is written */
    const atomic_bool *cancel;           /* set from any thread; fails with SF_E_CANCELLED */
};

struct sf_snap_result {
    char id[SF_SNAP_ID + 1];
    char tree[SF_SNAP_ID + 1];       /* the same for two snapshots if nothing changed in between */
    uint64_t files, links, dirs;     /* in the snapshot */
    uint64_t repositories, ignored;  /* noted but not entered; left out */
    uint64_t read;                   /* files whose content had to be read */
    uint64_t bytes;                  /* added to the repository, approximately */
    uint64_t skipped;                /* number of all; `skips` has the first, as "PATH: why" */
    struct sf_strlist skips, pruned; /* pruned: ids of deleted snapshots */
    struct sf_strlist extra;         /* those of request->extra that would be left out */
};

/* clang-format off */
#define SF_SNAP_RESULT_INIT { .id = "", .skips = SF_STRLIST_INIT, .pruned = SF_STRLIST_INIT, \
                              .extra = SF_STRLIST_INIT }
/* clang-format on */

void sf_snap_result_release(struct sf_snap_result *result);

/* Takes a snapshot of the whole workspace. SF_E_LIMIT when the budget has no room left. */
bool sf_snap_take(struct sf_snap *snap, const struct sf_snap_request *request,
                  struct sf_snap_result *out, struct sf_error *err) SF_MUST_CHECK;

/*
 * Adds the files of request->extra that the snapshot left out as ignored or as those of another
 * repository; files that did not exist are recorded as absent. The result is a new snapshot that
 * replaces the old one; "" in out->id: nothing had to be added.
 */
bool sf_snap_amend(struct sf_snap *snap, const char *id, const struct sf_snap_request *request,
                   struct sf_snap_result *out, struct sf_error *err) SF_MUST_CHECK;

void sf_snap_forget(struct sf_snap *snap, const char *id); /* drops its reference, if any */

/*
 * Which of the paths the snapshot left out, as ignored or as those of another repository: `tops`
 * gets for each the length of the outermost directory that is left out with it, or of the path
 * itself; 0: the snapshot knows what was there, or the path is the machinery of a repository.
 */
bool sf_snap_lacks(struct sf_snap *snap, const char *id, const struct sf_strlist *paths,
                   size_t *tops, struct sf_error *err) SF_MUST_CHECK;

/* ---- looking ---- */

enum sf_snap_how { SF_SNAP_HOW_ADDED, SF_SNAP_HOW_CHANGED, SF_SNAP_HOW_REMOVED };

/*
 * A mode has type and permissions; 0: nothing there; SF_SNAP_REPOSITORY: another repository. A
 * directory with SF_SNAP_SOME is one of which the snapshot has the files that were asked for.
 */
#define SF_SNAP_REPOSITORY 0160000
#define SF_SNAP_SOME       04000
struct sf_snap_change {
    enum sf_snap_how how;
    const char *path; /* below the root; any bytes but NUL */
    uint32_t from_mode, to_mode;
    const char *kept; /* why a plan leaves the path as it is, or why there is no copy; or NULL */
    bool lost;        /* the path cannot be restored: the snapshot left it out */
};

/* Borrowed for the call. False ends the walk, which is then a success. */
typedef bool sf_snap_change_fn(void *ctx, const struct sf_snap_change *change);

/*
 * Compares two snapshots; `to` NULL: the current workspace. Changes are sorted by path; paths that
 * were left out of a snapshot come last.
 */
bool sf_snap_diff(struct sf_snap *snap, const char *from, const char *to, sf_snap_change_fn *fn,
                  void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Appends the content of the file or link; `*mode` 0: the snapshot does not have it. */
bool sf_snap_read_blob(struct sf_snap *snap, const char *id, const char *path,
                       struct sf_strbuf *out, uint32_t *mode, struct sf_error *err) SF_MUST_CHECK;

/*
 * Counts the files at and below a path, and how many of them a snapshot taken now would leave out.
 * Needs no open snap. The time is limited: `late` says that there are more files.
 */
struct sf_snap_survey {
    uint64_t files;            /* all files, including a link if the path is one */
    uint64_t ignored, large;   /* of those, how many are left out, by reason */
    uint64_t unkept;           /* and how many of the others cannot be read, or are no files */
    uint64_t repositories;     /* nested repositories, whose files are neither counted nor kept */
    bool is_dir, is_machinery; /* about the path itself; machinery, such as .git, is never kept */
    bool is_there, late;
};

bool sf_snap_look(const char *root, const char *path, const atomic_bool *cancel,
                  struct sf_snap_survey *out, struct sf_error *err) SF_MUST_CHECK;

/* Adds the names that match the pattern in the last part of `path`, at most `max`. */
bool sf_snap_match(const char *root, const char *path, size_t max, struct sf_strlist *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* ---- restoring ---- */

/* The snapshots since the goal, oldest first; after the last one comes the present. */
struct sf_snap_lineage {
    struct sf_snap_stop {
        char id[SF_SNAP_ID + 1];
        bool ours; /* sf made the changes since the previous one; otherwise others may have */
        struct sf_strlist except; /* files of which the opposite is true */
    } * items;
    size_t count, cap;
    bool running; /* sf made the changes since the last one */
};

/* The new stop, valid until the next is added. */
struct sf_snap_stop *sf_snap_lineage_add(struct sf_snap_lineage *lineage, const char *id,
                                         bool ours);
void sf_snap_lineage_release(struct sf_snap_lineage *lineage);

/*
 * Paths that changed along the lineage while sf was not at work were changed by others; they are
 * kept unless `overwrite`. Always kept: other repositories as a whole, paths that the snapshot left
 * out or ignored, and files too large to be saved first. Ignored files get the time of their last
 * change back too, lest a build takes an old product for a new one.
 */
struct sf_snap_goal {
    const char *id;
    const struct sf_snap_lineage *lineage; /* NULL: no other process works here */
    const struct sf_strlist *paths;        /* only these paths and below; NULL or empty: all */
    bool overwrite;
    const char *session;
    const struct sf_strlist *extra; /* as in sf_snap_request, for the snapshot taken first */
    const atomic_bool *cancel;
};

struct sf_snap_tally {
    size_t added, changed, removed; /* files and links, and directories whose mode changes */
    size_t dirs;                    /* directories made and removed */
    size_t kept, since;             /* left alone; of those, changed by others since */
    size_t lost;                    /* gone or changed, without a copy in the snapshot */
};

/* Reports what a restore would do now, and changes nothing. */
bool sf_snap_restore_plan(struct sf_snap *snap, const struct sf_snap_goal *goal,
                          sf_snap_change_fn *fn, void *ctx, struct sf_snap_tally *tally,
                          struct sf_error *err) SF_MUST_CHECK;

struct sf_snap_restored {
    char before[SF_SNAP_ID + 1]; /* restoring this undoes the restore */
    char after[SF_SNAP_ID + 1];
    struct sf_snap_tally tally;
    struct sf_strlist kept, lost; /* "PATH: why", the first of them */
    struct sf_strlist moved;      /* "removed PATH", the first of them; filled by journal/undo.c */
};

/* clang-format off */
#define SF_SNAP_RESTORED_INIT \
    { .before = "", .kept = SF_STRLIST_INIT, .lost = SF_STRLIST_INIT, .moved = SF_STRLIST_INIT }
/* clang-format on */

void sf_snap_restored_release(struct sf_snap_restored *restored);

/*
 * Saves the present state, then restores the snapshot, each file atomically. Fails with SF_E_EXIST
 * while an interrupted restore waits. After a failure in the middle the journal stays, and
 * sf_snap_resume finishes or undoes the restore.
 */
bool sf_snap_restore(struct sf_snap *snap, const struct sf_snap_goal *goal,
                     struct sf_snap_restored *out, struct sf_error *err) SF_MUST_CHECK;

/* ---- audits ---- */

/* Paths that a command may change are left alone, and so are ignored paths. */
struct sf_snap_fence {
    const char *mark; /* the snapshot before the command */
    bool (*may)(void *ctx, const char *path, bool dir);
    /* Why a change is not put back although it lies outside; NULL: it is. Or no function. */
    const char *(*leaves)(void *ctx, const struct sf_snap_change *change);
    void *ctx;
    bool put_back; /* otherwise changes are only reported */
    const char *session, *label;
};

/*
 * Finds what changed outside the fence since the mark, using the ignore rules of the mark, reports
 * each path, and puts it back; `kept` says why that was not possible. The state is saved first:
 * `saved` gets the ids, oldest first. On failure some paths may have been put back; all were
 * reported.
 */
bool sf_snap_audit(struct sf_snap *snap, const struct sf_snap_fence *fence, sf_snap_change_fn *fn,
                   void *ctx, struct sf_strlist *saved, struct sf_error *err) SF_MUST_CHECK;

/* Whether a restore of this worktree was interrupted; its goal and the snapshot before it. */
bool sf_snap_interrupted(struct sf_snap *snap, char goal[SF_SNAP_ID + 1],
                         char before[SF_SNAP_ID + 1]);

/*
 * Whether the worktree lies between two states: a restore runs, or was interrupted. Opens nothing,
 * so that it can be asked before each turn.
 */
bool sf_snap_is_between(const char *dir, const char *root);

/* Finishes an interrupted restore, or with `back` undoes it. */
bool sf_snap_resume(struct sf_snap *snap, bool back, struct sf_snap_restored *out,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
