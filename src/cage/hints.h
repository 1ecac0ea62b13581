/*
 * hints: why a command may have failed in the cage, told from what it printed. A guess by known
 * words, so it is said only about what was really closed for the command, and beside its output,
 * never instead of it.
 */
#ifndef SF_CAGE_HINTS_H
#define SF_CAGE_HINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* What was closed for the command. */
struct sf_cage_closed {
    bool network;
    bool sockets;             /* of other programs */
    bool writing;             /* outside */
    bool readonly;            /* and in the workspace: the command was judged to read only */
    bool settings;            /* of git */
    bool succeeded;           /* all the same: then only what it cannot mean otherwise is told */
    const char *unsearched;   /* a directory of PATH in which no program is looked for, or NULL */
    struct sf_strlist kept;   /* names of the workspace that are read-only, as programs tell them */
    struct sf_strlist hidden; /* real paths of the workspace's secrets */
    bool bare;                /* without mounts of its own: what is closed is a refusal like any */
    const char *root;         /* the workspace, where refusals have other reasons; or NULL */
};

/* Appends a line "[sf] …" for each thing that its output speaks of. */
void sf_cage_hint(const struct sf_cage_closed *closed, const char *text, size_t len,
                  struct sf_strbuf *out);

#endif
