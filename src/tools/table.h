/*
 * table: the row of each tool, in the order models see them. The order never changes within a
 * session, nor does the list under one profile, so that the caches of services hold.
 */
#ifndef SF_TOOLS_TABLE_H
#define SF_TOOLS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/guard.h"
#include "tools/args.h"

struct sf_tool_call;
struct sf_toolbox;

/* Who does the work. */
enum sf_tool_where {
    SF_TOOL_WORKER,  /* `run` in a worker thread */
    SF_TOOL_CHILD,   /* `start` on the loop, which begins a child or a transfer */
    SF_TOOL_SESSION, /* the session itself: its own state, questions, sub-agents */
};

struct sf_tool {
    const char *name;
    const char *help; /* for the model: when to use it and what to expect; several sentences */
    const struct sf_tool_arg *args;
    size_t arg_count;
    enum sf_act act;       /* the most it does */
    enum sf_profile least; /* offered from this profile up */
    bool needs_shell;      /* without commands it has nothing to do */
    bool delegates;        /* it begins a sub-agent */
    enum sf_tool_where where;
    bool parallel;        /* calls of one message may run side by side: it only reads */
    bool instead_of_edit; /* ApplyPatch: offered to models that prefer it, in Edit's place */
    bool is_edit;         /* Edit and MultiEdit: not offered to those */
    const char *amends;   /* the argument whose text people may change before it runs; or NULL */

    /* Names what the call would touch; looks at nothing. NULL: nothing. */
    bool (*describe)(struct sf_tool_call *call, struct sf_error *err);

    /* SF_TOOL_WORKER: fills call->result, watching call->cancelled. */
    void (*run)(struct sf_toolbox *box, struct sf_tool_call *call);

    /* The same without doing it: fails the call when `run` would, or leaves it as it is; or NULL. */
    void (*rehearse)(struct sf_toolbox *box, struct sf_tool_call *call);

    /* SF_TOOL_CHILD: begins; the result is announced by sf_toolbox_finish, also when it fails. */
    void (*start)(struct sf_toolbox *box, struct sf_tool_call *call);
    void (*stop)(struct sf_toolbox *box, struct sf_tool_call *call); /* cancelled; may be NULL */
};

extern const struct sf_tool *const sf_tools[]; /* each row lives in its tool's file */
extern const size_t sf_tool_count;

const struct sf_tool *sf_tool_find(const char *name); /* exact; NULL: unknown */

#endif
