/*
 * action: what a tool call would do, as the engine sees it. Every surface and every tool
 * describes its call in these terms before anything runs; the engine knows no tool by name.
 * All pointers are borrowed for the call.
 */
#ifndef SF_GUARD_ACTION_H
#define SF_GUARD_ACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/path.h"
#include "guard/registry.h"
#include "modes/modes.h"
#include "shell/shell.h"

enum sf_act {
    SF_ACT_OWN,      /* sf's own state: plans, questions, scopes; nothing outside it */
    SF_ACT_READ,     /* reads files */
    SF_ACT_WRITE,    /* makes, changes or moves files through the file tools */
    SF_ACT_DELETE,   /* removes files through the file tools */
    SF_ACT_SHELL,    /* runs a command */
    SF_ACT_FETCH,    /* reads from another host */
    SF_ACT_EXTERNAL, /* a paid or external service, a server's tool with side effects */
    SF_ACT_REVERT,   /* puts the workspace back as a snapshot has it */
    SF_ACT_NOTE,     /* leaves words that all later sessions are begun with */
    SF_ACT_SUBMIT,   /* hands in a plan, for somebody to accept */
    SF_ACT_ACCEPT,   /* accepts a plan, which is built then */
};

struct sf_action_path {
    const char *path;       /* the real one: below the workspace, or absolute outside of it */
    enum sf_path_zone zone; /* what it means */
    bool refused;           /* it cannot be resolved; `rule` and `reason` say why */
    bool outside;           /* it lies outside of the workspace, whatever the zone */
    bool added;             /* outside, in a directory that the user added to the session */
    bool writes;
    bool named;         /* to a build, which may write it: protected, and in the workspace */
    bool shared;        /* the file has another name, perhaps outside */
    const char *rule;   /* of protected, credential and refused ones; else "" */
    const char *reason; /* the same in words: "it is …"; else "" */
    size_t at, len;     /* where the command names it; a length of 0: nowhere */
};

/* What an action would delete, as far as it was looked up. */
struct sf_deletion {
    bool known;              /* `paths` is all of it */
    bool whole;              /* a snapshot brings all of it back */
    struct sf_strlist paths; /* below the workspace; "": its root */
    char *lacks;             /* if not `whole`: what no snapshot would hold; or NULL */
};

struct sf_action {
    const char *tool; /* "Edit", "Bash": for texts and rows */
    enum sf_act act;
    struct sf_offer_terms terms;         /* on which the tool is offered */
    const struct sf_shell_report *shell; /* of SF_ACT_SHELL */
    const char *command;                 /* its text; NULL: no approval speaks of it */
    size_t command_len;
    const char *cwd; /* where the command starts, below the workspace; NULL: its root */
    const char *url; /* of SF_ACT_FETCH */
    const struct sf_action_path *paths;
    size_t path_count;
    const char *const *hosts;           /* NULL-terminated, or NULL */
    bool caged;                         /* a command would run confined by the kernel */
    const struct sf_deletion *deletion; /* NULL: nobody looked */
    bool delegated; /* a sub-agent would do it, not the session the user talks to */
};

/* ---- asked by the engine and by whoever acts on its verdict ---- */

/* What holds for every action of a kind; of a command its class says more. */
struct sf_act_row {
    bool own;        /* changes nothing but sf's own state */
    bool writes;     /* writing is what it is for */
    bool may_change; /* files of the workspace could be others afterwards */
    bool looks;      /* only looks */
};

extern const struct sf_act_row sf_acts[]; /* by enum sf_act */

/* Whether writing is what it is for: what work mode chat asks about. */
bool sf_action_writes(const struct sf_action *action);

/* Whether files of the workspace could be others afterwards: what a snapshot is taken for. */
bool sf_action_may_change(const struct sf_action *action);

/* Whether it only looks; what came of it another call may bring as well. */
bool sf_action_looks(const struct sf_action *action);

/* Whether it has nothing to do where commands are switched off. */
bool sf_action_needs_shell(const struct sf_action *action);

#endif
