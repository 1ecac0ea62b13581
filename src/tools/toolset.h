/*
 * toolset: the tools of one session. Today these are the built-in ones; servers and skills will add
 * rows here, without changes elsewhere. Guard's registry decides which of them may be called, from
 * the terms that the toolset gives for each.
 *
 * A plain value: sf_toolset_init fills it, and nothing has to be released.
 */
#ifndef SF_TOOLS_TOOLSET_H
#define SF_TOOLS_TOOLSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/guard.h"
#include "tools/table.h"

enum { SF_TOOLSET_DEPTH = 3 }; /* nesting of sub-agents */

struct sf_toolset {
    const struct sf_tool *const *rows; /* in the order models see them */
    size_t count;
    bool patches; /* the model prefers ApplyPatch to Edit and MultiEdit */
    int depth;    /* 0: the user's own session; else the nesting of the sub-agent */
};

void sf_toolset_init(struct sf_toolset *set, bool patches, int depth);

const struct sf_tool *sf_toolset_find(const struct sf_toolset *set, const char *name); /* or NULL */
/* The same, but an unknown name is an error that suggests the nearest. */
const struct sf_tool *sf_toolset_get(const struct sf_toolset *set, const char *name,
                                     struct sf_error *err);

/* The terms on which this session offers the tool, for guard's registry. */
struct sf_offer_terms sf_toolset_terms(const struct sf_toolset *set, const struct sf_tool *tool);

/* Checks a list of grants: each must name a tool, and its limit must be able to match. */
bool sf_toolset_check(const struct sf_toolset *set, const struct sf_strlist *grants,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
