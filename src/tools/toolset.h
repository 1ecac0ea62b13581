/*
 * toolset: the tools of one session. Those built in today; servers and skills will add rows here,
 * and nothing else has to know. Which of them may be called is guard's registry to say, from the
 * terms that the toolset gives for each.
 *
 * A plain value: sf_toolset_init fills it, nothing has to be released. Nothing set means the
 * built-in tools of a session of the user's own.
 */
#ifndef SF_TOOLS_TOOLSET_H
#define SF_TOOLS_TOOLSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/guard.h"
#include "tools/table.h"

enum { SF_TOOLSET_DEPTH = 3 }; /* sub-agents below sub-agents */

struct sf_toolset {
    const struct sf_tool *const *rows; /* in the order models see them */
    size_t count;
    bool patches; /* the model prefers ApplyPatch to Edit and MultiEdit */
    int depth;    /* 0: the user's own session; else how deep a sub-agent this is */
};

void sf_toolset_init(struct sf_toolset *set, bool patches, int depth);

const struct sf_tool *sf_toolset_find(const struct sf_toolset *set, const char *name); /* or NULL */
/* The same for a name somebody wrote: an unknown one is an error that names the nearest. */
const struct sf_tool *sf_toolset_get(const struct sf_toolset *set, const char *name,
                                     struct sf_error *err);

/* On which terms this session has the tool, for guard's registry. */
struct sf_offer_terms sf_toolset_terms(const struct sf_toolset *set, const struct sf_tool *tool);

/* A list of grants is refused when no tool has a name in it, or a limit could cover nothing. */
bool sf_toolset_check(const struct sf_toolset *set, const struct sf_strlist *grants,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
