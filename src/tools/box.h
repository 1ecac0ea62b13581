/*
 * box: the fields of a toolbox, for the tools only. Workers may use only the fields that say so:
 * the root and the protected places never change, and the record of seen files has its own lock.
 */
#ifndef SF_TOOLS_BOX_H
#define SF_TOOLS_BOX_H

#include "base/base.h"
#include "io/io.h"
#include "tools/call.h"
#include "tools/jobs.h"
#include "tools/toolbox.h"

struct sf_seen_files; /* seen.c: path to sf_file_seen, safe to use from workers */

struct sf_toolbox {
    struct sf_loop *loop;
    struct sf_workers *workers;
    const struct sf_place_root *root;    /* workers may read it */
    const struct sf_path_places *places; /* workers may read it */
    char *spill_dir;                     /* workers may read it */
    struct sf_seen_files *seen;          /* workers may use it */
    struct sf_jobs *jobs;                /* running commands; loop only */
    struct sf_strlist child_env;         /* environment of commands; loop only */
    struct sf_strlist reading_env;       /* the same of those that only read */
    char *shell;                         /* the shell that runs commands */
    char *stand;                         /* where relative paths begin; workers may read it */
    char *cwd;                           /* their directory, below the root; loop only */
    char *proxy, *ca_file;               /* or NULL */
    int64_t fetch_ms, search_ms;
    bool by_name;
    int64_t (*clock_ms)(void);       /* or NULL; workers may call it */
    const struct sf_tool_cage *cage; /* or NULL */
    size_t running;                  /* calls that have not ended */
};

/* The call has its result: `done` follows from the loop. Call it on the loop, once per call. */
void sf_toolbox_finish(struct sf_toolbox *box, struct sf_tool_call *call);

/* Passes on live output of the call. */
void sf_toolbox_output(struct sf_toolbox *box, struct sf_tool_call *call, const char *text,
                       size_t len);

#endif
