/*
 * walk: every regular file below a place in a tree, found by a few threads at once. The caller
 * gives the directory handle of the root and a path below it. Nothing outside the handle is
 * opened and no link is followed; between the root and the start only ignore files are read.
 *
 *     root ──ignore files on the way──► start ──► files, in no order, on `threads` threads
 *
 * All of it happens within the call, which blocks: run it on a worker. `fn` is called from
 * several threads; `entry->worker` tells them apart. Order is made by whoever collects (hits.h).
 *
 * What is left out: what the ignore files say (ignore.h), .git and its like, what the filter does
 * not want, what the veto refuses (counted, so that the caller can say so), links, and whatever
 * is neither file nor directory. When the start is itself a file, that file alone is looked at;
 * start and file are never ignored, since they were asked for by name, but the veto holds.
 */
#ifndef SF_FIND_WALK_H
#define SF_FIND_WALK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "find/filter.h"

enum { SF_WALK_THREADS_MAX = 16 };

/* True: this path must not be opened. Called from several threads; `path` is below the root. */
typedef bool sf_walk_veto_fn(void *ctx, const char *path, bool dir);

/* Everything is borrowed for the call. */
struct sf_walk_request {
    int root;
    const char *start;              /* NULL, "" and ".": the root */
    bool all;                       /* ignore files count for nothing */
    const char *user_ignore;        /* the user's own patterns, as text, or NULL */
    const struct sf_filter *filter; /* or NULL */
    unsigned threads;               /* 0: as many as there are processors, at most 4 */
    const atomic_bool *cancel;      /* or NULL; set by anybody, the call soon returns */
    int64_t within_ms;              /* then it ends with what it has seen; 0: when it is through */
    int64_t (*clock_ms)(void);      /* what measures that; NULL: the monotonic clock */
    sf_walk_veto_fn *veto;          /* or NULL */
    void *veto_ctx;
};

struct sf_walk_entry {
    int dir;          /* the handle of its directory */
    const char *name; /* in that directory */
    const char *path; /* below the root */
    size_t len;       /* of the path */
    size_t below;     /* path + below: the path below the start */
    unsigned worker;  /* 0 … threads-1 */
};

/* False ends the whole walk, without an error. */
typedef bool sf_walk_fn(void *ctx, const struct sf_walk_entry *entry);

struct sf_walk_tally {
    uint64_t files, dirs; /* seen: given to `fn`, and entered */
    uint64_t ignored;     /* left out by ignore files; a directory counts once */
    uint64_t vetoed;
    uint64_t unreadable; /* directories that could not be opened or read to their end */
    bool late;           /* the time was over before the tree was */
};

/* How many workers a request will have at most; 1 or more. */
unsigned sf_walk_workers(const struct sf_walk_request *request);

/*
 * False when the start is not there, is neither file nor directory, is vetoed, or when cancelled
 * (SF_E_CANCELLED). The tally is filled in any case.
 */
bool sf_walk(const struct sf_walk_request *request, sf_walk_fn *fn, void *ctx,
             struct sf_walk_tally *tally, struct sf_error *err) SF_MUST_CHECK;

#endif
