/*
 * internal: declarations shared by the files of this room only.
 */
#ifndef SF_SNAP_INTERNAL_H
#define SF_SNAP_INTERNAL_H

#include "find/find.h"
#include "io/io.h"
#include "modules/modules.h"
#include "snap/snap.h"

/* ---- tree.c: directories as objects ---- */

bool sf_oid_none(const struct sf_oid *oid);
bool sf_oid_same(const struct sf_oid *a, const struct sf_oid *b);
void sf_oid_text(const struct sf_oid *oid, char out[SF_OID_HEX + 1]);
bool sf_oid_read(const char *text, struct sf_oid *out); /* the first 40 digits */

struct sf_snap_item {
    const char *name; /* not always NUL-terminated in a parsed tree: see len */
    size_t len;
    uint32_t mode;       /* type and permissions */
    struct sf_oid oid;   /* of the blob or tree */
    struct sf_oid modes; /* for a directory: the tree of permissions below it */
};

/* The entries of one directory, ordered by the bytes of their names. */
struct sf_snap_dir {
    struct sf_snap_item *items;
    size_t count, cap;
    struct sf_strbuf text; /* owns the names */
};

/* clang-format off */
#define SF_SNAP_DIR_INIT { NULL, 0, 0, SF_STRBUF_INIT }
/* clang-format on */

/* A cached directory. */
struct sf_snap_recent {
    struct sf_oid files, modes;
    struct sf_snap_dir dir;
    uint64_t used; /* number of the last request for it; 0: the slot is empty */
};

struct sf_snap {
    const struct sf_git_api *git;
    struct sf_odb *odb;
    struct sf_place_root root;
    int fd; /* of the root, for reading */
    char *objects, *refs, *own, *lock, *index, *journal;
    struct sf_snap_recent recent[16]; /* see recent.c */
    uint64_t asked;                   /* number of requests to the cache */
};

void sf_snap_dir_release(struct sf_snap_dir *dir);
const struct sf_snap_item *sf_snap_dir_find(const struct sf_snap_dir *dir, const char *name,
                                            size_t len);

/* Reads the trees; no `files` gives an empty directory. */
bool sf_snap_dir_load(struct sf_snap *snap, const struct sf_oid *files, const struct sf_oid *modes,
                      struct sf_snap_dir *out, struct sf_error *err) SF_MUST_CHECK;

/* Writes the trees of a directory with these items; fills out->oid and out->modes. */
bool sf_snap_dir_write(struct sf_snap *snap, const struct sf_snap_item *items, size_t count,
                       struct sf_snap_item *out, struct sf_error *err) SF_MUST_CHECK;

/* ---- recent.c: a cache of directories ---- */

/* Borrowed until the next call; NULL with `err` if it cannot be read. */
const struct sf_snap_dir *sf_snap_recent_get(struct sf_snap *snap, const struct sf_oid *files,
                                             const struct sf_oid *modes, struct sf_error *err);
void sf_snap_recent_drop(struct sf_snap *snap);

/* ---- commit.c: snapshots as objects ---- */

struct sf_snap_state {
    struct sf_oid files, modes;
    struct sf_oid skipped; /* blob, see skips.c, or none */
    struct sf_oid absent;  /* blob: "PATH\0" …, or none */
    struct sf_oid exclude; /* blob: the .git/info/exclude that was used; none: not recorded */
    struct sf_oid times;   /* blob, see times.c, or none */
    bool partial;          /* has some files only */
};

struct sf_snap_about {
    enum sf_snap_kind kind;
    char session[64];
    int64_t time_ms;
    bool partial;
};

bool sf_snap_commit(struct sf_snap *snap, const struct sf_snap_state *state,
                    const struct sf_snap_request *request, struct sf_snap_result *out,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_load(struct sf_snap *snap, const char *id, struct sf_snap_state *out,
                  struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_about(struct sf_snap *snap, const struct sf_oid *id, struct sf_snap_about *out,
                   struct sf_oid *tree, struct sf_error *err) SF_MUST_CHECK;

/* Finds the item at the path; mode 0: none. */
bool sf_snap_lookup(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                    struct sf_snap_item *out, struct sf_error *err) SF_MUST_CHECK;

/* ---- repo.c: files around the objects ---- */

bool sf_snap_repo_make(struct sf_snap *snap, const char *dir, struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_odb_open(struct sf_snap *snap, struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_lock(struct sf_snap *snap, const atomic_bool *cancel, struct sf_lock *lock,
                  struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_ref_add(struct sf_snap *snap, const char *id, struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_ref_list(struct sf_snap *snap, struct sf_strlist *out,
                      struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_sync(struct sf_snap *snap, struct sf_error *err) SF_MUST_CHECK;

/* Replaces the file atomically, without syncing it. */
bool sf_snap_put(const char *path, const void *data, size_t len,
                 struct sf_error *err) SF_MUST_CHECK;

/* ---- index.c: the stat index ---- */

/* The fixed part of an entry, as in the file; the name with its NUL follows. */
struct sf_index_stat {
    int64_t modified, changed; /* nanoseconds: st_mtim, st_ctim */
    uint64_t size, ino;
    uint32_t mode;
    uint32_t racy; /* changed so recently that a further change might not show */
    struct sf_oid oid;
    uint32_t name_len;
};

/* Borrowed from the index; `at` moves over the entries. */
struct sf_index_dir {
    struct sf_oid files, modes;
    uint32_t count;
    const char *at, *end;
};

struct sf_index {
    struct sf_strbuf data;
    struct sf_map dirs; /* from paths to offsets in data */
};

/* clang-format off */
#define SF_INDEX_INIT { SF_STRBUF_INIT, SF_MAP_INIT }
/* clang-format on */

void sf_index_load(const char *path, struct sf_index *out); /* a damaged index counts as empty */
bool sf_index_find(const struct sf_index *index, const char *path, size_t len,
                   struct sf_index_dir *out);
bool sf_index_next(struct sf_index_dir *dir, struct sf_index_stat *stat, const char **name);
void sf_index_release(struct sf_index *index);

/* Writing a new index. */
void sf_index_start(struct sf_strbuf *out);
size_t sf_index_add_dir(struct sf_strbuf *out, const char *path, size_t len,
                        const struct sf_snap_item *trees, uint32_t count);
void sf_index_add(struct sf_strbuf *out, const struct sf_index_stat *stat, const char *name);
void sf_index_end_dir(struct sf_strbuf *out, size_t at); /* `at` is from sf_index_add_dir */
void sf_index_finish(struct sf_strbuf *out);

/* Reads only the trees of the root from the index file; false: no usable file. */
bool sf_index_root(const char *path, struct sf_oid *files, struct sf_oid *modes);

/* ---- skips.c: paths that were left out ---- */

extern const char sf_skip_unreadable[], sf_skip_large[], sf_skip_special[], sf_skip_deep[];
extern const char sf_skip_names[], sf_skip_unreachable[], sf_skip_repository[], sf_skip_hidden[];

struct sf_skip {
    const char *path, *why; /* `why` is a static string */
    bool known;             /* `stat` is valid */
    struct sf_index_stat stat;
};

/* Sorted by path. Life: SF_SKIPS_INIT, sf_skips_load, sf_skips_release. */
struct sf_skips {
    struct sf_skip *items;
    size_t count, cap;
    struct sf_strbuf text; /* owns the paths */
};

/* clang-format off */
#define SF_SKIPS_INIT { NULL, 0, 0, SF_STRBUF_INIT }
/* clang-format on */

/* Appends an entry to the text of a list; `stat` NULL: only the path and the reason are known. */
void sf_skips_write(struct sf_strbuf *out, const char *path, const char *why,
                    const struct sf_index_stat *stat);
bool sf_skips_load(struct sf_snap *snap, const struct sf_oid *blob, struct sf_skips *out,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_skips_release(struct sf_skips *list);
const struct sf_skip *sf_skips_find(const struct sf_skips *list, const char *path); /* or NULL */
/* Whether the list has the path or a directory above it. */
bool sf_skips_touch(const struct sf_skips *list, const char *path);

/* NULL: on this side, the path is neither in the list nor in the trees. */
struct sf_skip_change {
    const struct sf_skip *from, *to;
    bool ignored; /* the other side ignores the path, so it may have existed there too */
};
typedef bool sf_skip_fn(void *ctx, const struct sf_skip_change *change, struct sf_error *err);

struct sf_skips_pair {
    const struct sf_snap_state *from, *to;
    const struct sf_skips *from_list, *to_list;
};

/* Visits every path that was left out and has changed; `fn` may fail. */
bool sf_skips_compare(struct sf_snap *snap, const struct sf_skips_pair *pair, sf_skip_fn *fn,
                      void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* ---- times.c: when files were changed ---- */

/* Sorted by path. Life: SF_TIMES_INIT, sf_times_load, sf_times_release. */
struct sf_times {
    struct sf_time {
        const char *path;
        int64_t modified; /* in nanoseconds */
    } * items;
    size_t count, cap;
    struct sf_strbuf text; /* owns the paths */
};

/* clang-format off */
#define SF_TIMES_INIT { NULL, 0, 0, SF_STRBUF_INIT }
/* clang-format on */

void sf_times_write(struct sf_strbuf *out, const char *path, int64_t modified);
bool sf_times_load(struct sf_snap *snap, const struct sf_oid *blob, struct sf_times *out,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_times_release(struct sf_times *times);
int64_t sf_times_find(const struct sf_times *times, const char *path); /* 0: not recorded */

/* ---- scan.c: the workspace as trees ---- */

struct sf_scan_request {
    const struct sf_strlist *extra;     /* or NULL */
    const struct sf_snap_state *target; /* include all paths of this state, even ignored; or NULL */
    bool strict;                        /* include what the target's rules do not ignore */
    const struct sf_snap_state *exclude; /* whose .git/info/exclude to use; NULL: the current */
    const atomic_bool *cancel;
    uint64_t room; /* limit of the batch in bytes; 0: none */
};

/* Fills `state`, and counts and skips of `out`. Flushes the objects; the lock must be held. */
bool sf_snap_scan(struct sf_snap *snap, const struct sf_scan_request *request,
                  struct sf_snap_state *state, struct sf_snap_result *out,
                  struct sf_error *err) SF_MUST_CHECK;

/* What was found under a name. */
struct sf_snap_found {
    struct sf_snap_item item; /* mode 0: nothing, or left out */
    struct sf_index_stat stat;
    const char *skip; /* why it was left out, or NULL */
};

/* Reads one file or link of a directory and adds it to the batch; the name is borrowed. */
bool sf_snap_read_item(struct sf_snap *snap, int dir, const char *name, struct sf_snap_found *out,
                       struct sf_error *err) SF_MUST_CHECK;

/*
 * take.c: makes a partial state of the listed files, flushed; the lock must be held. Without
 * `images` the files are taken as they are now.
 */
bool sf_snap_keep_locked(struct sf_snap *snap, const struct sf_strlist *paths,
                         const struct sf_snap_request *images, struct sf_snap_state *state,
                         struct sf_snap_result *out, struct sf_error *err) SF_MUST_CHECK;

/* Records the files of the list that are left out and do not exist: a restore may remove them. */
bool sf_snap_note_absent(struct sf_snap *snap, const struct sf_strlist *paths,
                         struct sf_snap_state *state, struct sf_snap_result *out,
                         struct sf_error *err) SF_MUST_CHECK;

/* ---- prune.c ---- */

/* Prunes; the lock must be held. `*room`: bytes left, 0: no limit. SF_E_LIMIT: no room. */
bool sf_snap_make_room(struct sf_snap *snap, const struct sf_snap_budget *budget,
                       struct sf_strlist *pruned, uint64_t *room,
                       struct sf_error *err) SF_MUST_CHECK;

/* ---- diff.c ---- */

struct sf_tree_change {
    const char *path;
    size_t len;
    struct sf_snap_item from, to; /* mode 0: nothing */
};
typedef bool sf_diff_fn(void *ctx, const struct sf_tree_change *change, struct sf_error *err);

/* Visits every path that differs, a directory before its contents; `fn` may fail. */
bool sf_snap_diff_trees(struct sf_snap *snap, const struct sf_snap_state *from,
                        const struct sf_snap_state *to, sf_diff_fn *fn, void *ctx,
                        struct sf_error *err) SF_MUST_CHECK;

/* ---- lineage.c: who changed a path ---- */

struct sf_lineage;

struct sf_lineage *sf_lineage_load(struct sf_snap *snap, const struct sf_snap_lineage *from,
                                   struct sf_error *err);
void sf_lineage_free(struct sf_lineage *lineage); /* NULL is welcome */

/* Whether others changed the path between the goal and now. */
bool sf_lineage_is_others(struct sf_lineage *lineage, const char *path,
                          const struct sf_snap_item *goal, const struct sf_snap_item *now,
                          bool *out, struct sf_error *err) SF_MUST_CHECK;

/* Compares mode and content, but not the contents of directories. */
bool sf_snap_same_item(const struct sf_snap_item *a, const struct sf_snap_item *b);

/* ---- plan.c ---- */

extern const char sf_snap_was_ignored[]; /* reason of a kept step that an audit does not report */

struct sf_snap_step {
    char *path;
    struct sf_snap_item from, to; /* names are NULL */
    int64_t modified;             /* when `to` was changed; 0: not recorded */
    const char *kept;             /* why the step is not done, or NULL */
    bool lost;                    /* the step cannot be done: no snapshot has a copy */
};

struct sf_snap_plan {
    struct sf_snap_step *steps;
    size_t count, cap;
    struct sf_snap_tally tally;
};

struct sf_plan_request {
    const struct sf_snap_state *now, *target;
    const struct sf_snap_state *before;    /* when resuming: the state before the restore */
    const struct sf_snap_lineage *lineage; /* or NULL */
    const struct sf_strlist *paths;
    bool (*spares)(void *ctx, const char *path, bool dir); /* paths to skip silently; or NULL */
    void *ctx;
    bool overwrite;
    const char *temp; /* name of temporary files left by an earlier attempt */
};

bool sf_snap_plan_make(struct sf_snap *snap, const struct sf_plan_request *request,
                       struct sf_snap_plan *out, struct sf_error *err) SF_MUST_CHECK;
void sf_snap_plan_release(struct sf_snap_plan *plan);

struct sf_snap_change sf_snap_step_change(const struct sf_snap_step *step);

/* Reports each step until `fn` returns false. */
void sf_snap_plan_tell(const struct sf_snap_plan *plan, sf_snap_change_fn *fn, void *ctx);

/* Makes a random name for temporary files. */
enum { SF_SNAP_TEMP = 32 };
bool sf_snap_temp_name(char out[SF_SNAP_TEMP], struct sf_error *err) SF_MUST_CHECK;

/* Marks a step as kept after it turned out to be impossible. */
void sf_snap_plan_keep(struct sf_snap_plan *plan, struct sf_snap_step *step, const char *why);

/* Adds the paths that the state records as absent, and sorts the list. */
bool sf_snap_absent(struct sf_snap *snap, const struct sf_snap_state *state, struct sf_strlist *out,
                    struct sf_error *err) SF_MUST_CHECK;
bool sf_snap_absent_has(const struct sf_strlist *sorted, const char *path);
/* The path or one below it: a directory that is not there either. */
bool sf_snap_absent_below(const struct sf_strlist *sorted, const char *path);

/* ---- ignored.c: the ignore rules of a snapshot ---- */

/* Whether the state leaves the path out, as ignored or as that of another repository. */
bool sf_snap_ignores(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                     bool dir, bool *out, struct sf_error *err) SF_MUST_CHECK;

/* The length of the outermost directory that is left out with it, or of the path; 0: it is not. */
bool sf_snap_ignored_top(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                         bool dir, size_t *top, struct sf_error *err) SF_MUST_CHECK;

/* The ignore rules of a directory in the snapshot; `above` stays owned by the caller. */
struct sf_ignore *sf_snap_rules(struct sf_snap *snap, const struct sf_snap_state *state,
                                const char *dir, struct sf_ignore *above);

/* Appends the .git/info/exclude recorded in the state, or the current one if none is recorded. */
void sf_snap_exclude(struct sf_snap *snap, const struct sf_snap_state *state,
                     struct sf_strbuf *out);

/* ---- stage.c: new contents, written before anything is removed ---- */

struct sf_snap_stage {
    int root, fd; /* of the workspace and of the directory in it; -1: nothing is staged */
    char name[SF_SNAP_TEMP]; /* of that directory */
    bool *has;               /* for each step of the plan: its content lies there */
    size_t count;
};

/* The name of the directory, by that of the restore's temporary files. */
void sf_snap_stage_name(const char *temp, char out[SF_SNAP_TEMP]);
void sf_snap_stage_open(struct sf_snap_stage *stage, struct sf_snap *snap,
                        const struct sf_snap_plan *plan, const char *temp);
void sf_snap_stage_fill(struct sf_snap_stage *stage, struct sf_snap *snap,
                        const struct sf_snap_plan *plan, const atomic_bool *cancel);

/* Renames the content of a step into place; false: it has to be made there. */
bool sf_snap_stage_move(struct sf_snap_stage *stage, size_t index, int dir, const char *name);
void sf_snap_stage_close(struct sf_snap_stage *stage); /* removes what is left */

/* ---- apply.c ---- */

/* Makes a file that was not there; false with errno. */
bool sf_snap_make_file(int dir, const char *name, mode_t mode, const struct sf_strbuf *text);

/* Does all steps that are not kept, in a workable order; paths that changed meanwhile are kept. */
bool sf_snap_apply(struct sf_snap *snap, struct sf_snap_plan *plan, const char *temp,
                   const atomic_bool *cancel, struct sf_error *err) SF_MUST_CHECK;

#endif
