/*
 * history: what git has recorded outlives every command. Before a command the references, logs,
 * packs and loose objects of the workspace's repository, its submodules and its linked worktrees are
 * kept in a directory of sf's own; after it, what is gone or emptied and is still needed is put
 * back, and told.
 *
 *     before   stat of each reference and log, of the directory of packs, of 256 directories of loose
 *              objects; what is new there is kept
 *     after    the same again, and of each object; only what differs is read
 *
 * What git itself removes stays removed: a reference whose log went with it, entries of a log, objects
 * that nothing needs. It is told, and what was kept of it stays for some weeks, see history_gone.h.
 *
 * Both block, for seconds where much is gone: they are for any thread but the one of the loop, and
 * for one at a time.
 */
#ifndef SF_CAGE_HISTORY_H
#define SF_CAGE_HISTORY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/base.h"
#include "cage/repositories.h"

struct sf_git_history_how {
    bool git_alone;                /* nothing but git ran: what it removed was meant */
    const char *const *may_change; /* what the command named and was allowed to; or NULL */
    const atomic_bool *hurry;      /* true: git is not waited for any more; or NULL */
};

struct sf_git_history;

/* `git_dir` is the workspace's own, `store` a directory that commands cannot write; both copied. */
struct sf_git_history *sf_git_history_new(const char *git_dir, const char *store);
void sf_git_history_free(struct sf_git_history *h); /* NULL is welcome */

/* Before a command. Each is followed by one sf_git_history_settle. */
void sf_git_history_keep(struct sf_git_history *h, const struct sf_repositories_found *found);

/* After it: puts back what must be and appends lines "[sf] …" about it; nothing: all is well. */
void sf_git_history_settle(struct sf_git_history *h, const struct sf_git_history_how *how,
                           struct sf_strbuf *out);

#endif
