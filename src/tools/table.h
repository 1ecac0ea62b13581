/*
 * table: the row of each tool, in the order models see them. The order never changes within a
 * session, nor does the list for one profile, so that prompt caches stay valid.
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

/* Where the work is done. */
enum sf_tool_where {
    SF_TOOL_WORKER,  /* `run` in a worker thread */
    SF_TOOL_CHILD,   /* `start` on the loop, which starts a child or a transfer */
    SF_TOOL_SESSION, /* in the session itself: its state, questions, sub-agents */
};

struct sf_tool {
    const char *name;
    const char *help; /* for the model: when to use it and what to expect; several sentences */
    const struct sf_tool_arg *args;
    size_t arg_count;
    enum sf_act act;       /* the strongest act of the tool */
    enum sf_profile least; /* offered from this profile up */
    bool needs_shell;      /* useless where shell commands are not allowed */
    bool delegates;        /* starts a sub-agent */
    enum sf_tool_where where;
    bool parallel;        /* only reads, so calls of one message may run in parallel */
    bool instead_of_edit; /* ApplyPatch: offered to models that prefer it to Edit */
    bool is_edit;         /* Edit and MultiEdit: not offered to those models */
    const char *amends;   /* the argument that the user may edit before it runs; or NULL */

    /* Names what the call would touch, without looking at files. NULL: nothing. */
    bool (*describe)(struct sf_tool_call *call, struct sf_error *err);

    /* SF_TOOL_WORKER: fills call->result, watching call->cancelled. */
    void (*run)(struct sf_toolbox *box, struct sf_tool_call *call);

    /* Like `run` without changing files: fails if `run` would; may leave a diff. Or NULL. */
    void (*rehearse)(struct sf_toolbox *box, struct sf_tool_call *call);

    /* SF_TOOL_CHILD: starts; sf_toolbox_finish announces the result, even a failure. */
    void (*start)(struct sf_toolbox *box, struct sf_tool_call *call);
    void (*stop)(struct sf_toolbox *box, struct sf_tool_call *call); /* cancelled; may be NULL */
};

extern const struct sf_tool *const sf_tools[]; /* each row lives in its tool's file */
extern const size_t sf_tool_count;

const struct sf_tool *sf_tool_find(const char *name); /* exact; NULL: unknown */

#endif
