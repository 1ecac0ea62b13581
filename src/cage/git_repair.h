/*
 * git_repair: what a mount cannot hold, as it is not there when a command starts, or must stay
 * writable: files that decide which programs git runs. They are looked at before a command and
 * after it, and what would run something at the user's next `git status` is put back.
 *
 *     settings   what is not tame and was not there is taken out
 *     hooks      what was there is as before, what is new can no longer be run
 *     exact      attributes and objects of others: as before, or gone
 *     pointers   a .git that leads elsewhere, a commondir: as before, or gone
 *     .sf        where there was none: told, as it only narrows until somebody trusts it
 *     obeyed     what a shell, an editor, an agent or a program obeys: as before, or moved aside
 *
 * What a mount held is passed over: whoever changed that was not the command.
 *
 * What git has recorded is kept by a history.h that all commands share. That can take seconds, so it
 * is apart: sf_git_repair_keep and sf_git_repair_settle_history run on any thread, but for one
 * history one at a time. Life: new, keep, the command, settle, settle_history, free.
 */
#ifndef SF_CAGE_GIT_REPAIR_H
#define SF_CAGE_GIT_REPAIR_H

#include <stdbool.h>

#include "base/base.h"
#include "cage/history.h"
#include "cage/repositories.h"

struct sf_git_repair_how {
    bool held;                      /* the mounts of the plan are in force */
    bool git_alone;                 /* the command is git's alone: it may write its settings */
    bool any;                       /* and somebody allowed it settings that run programs */
    const char *const *may_change;  /* of what others obey, as in plan.h; borrowed for the call */
    struct sf_git_history *history; /* must outlive it; NULL: nothing is kept */
};

struct sf_git_repair;

/* Before the command. `all` must outlive it. */
struct sf_git_repair *sf_git_repair_new(struct sf_repositories *all,
                                        const struct sf_git_repair_how *how);
void sf_git_repair_free(struct sf_git_repair *care); /* NULL is welcome */

/* Blocks. Keeps what git has recorded; the command may start afterwards. */
void sf_git_repair_keep(struct sf_git_repair *care);

/* After it: puts back what must be and appends lines "[sf] …" about it; nothing: all is well. */
void sf_git_repair_settle(struct sf_git_repair *care, struct sf_strbuf *out);

/* Blocks. The same for what git has recorded; also when the command did not start. */
void sf_git_repair_settle_history(struct sf_git_repair *care, struct sf_strbuf *out);

/* From any thread: what settles does not wait for git any more, and so puts back more. */
void sf_git_repair_hurry(struct sf_git_repair *care);

#endif
