/*
 * coverage: how much of a plan this kernel enforces, in words for the decision's row, the card
 * and doctor. A fence that is not listed as standing is open.
 */
#ifndef SF_CAGE_COVERAGE_H
#define SF_CAGE_COVERAGE_H

#include <stdbool.h>

#include "base/base.h"
#include "cage/kernel.h"
#include "cage/plan.h"

enum sf_cage_fence {
    SF_FENCE_WRITE,     /* files outside the writable places stay as they are */
    SF_FENCE_TRUNCATE,  /* and cannot be emptied */
    SF_FENCE_METADATA,  /* nor get other modes, owners or times */
    SF_FENCE_READ,      /* secrets are not read */
    SF_FENCE_NETWORK,   /* no other host, nor the services of this one */
    SF_FENCE_SOCKETS,   /* local sockets of other programs */
    SF_FENCE_ABSTRACT,  /* and those without a file */
    SF_FENCE_SIGNALS,   /* other programs cannot be ended */
    SF_FENCE_PROCESSES, /* nor looked into */
    SF_FENCE_LIMITS,    /* nor get other limits or priorities, which can end them too */
    SF_FENCE_DEVICES,   /* device controls, typing into the terminal */
    SF_FENCE_SECRETS,   /* files of the workspace that are named like secrets */
    SF_FENCE_GIT,       /* git's hooks and settings, sf's settings of the project */
    SF_FENCE_HISTORY,   /* git's objects, references and logs */
    SF_FENCE_COUNT,
};

enum sf_cage_level {
    SF_CAGE_LEVEL_NONE,
    SF_CAGE_LEVEL_FILTER,
    SF_CAGE_LEVEL_LANDLOCK,
    SF_CAGE_LEVEL_FULL
};

/* Best last; each but the last is what is fallen back to when the next cannot be had. */
extern const struct sf_cage_level_row {
    const char *name, *what;
} sf_cage_levels[];

struct sf_cage_coverage {
    enum sf_cage_level level;
    int landlock; /* version */
    bool mounts;  /* what stays read-only in a writable place is held by mounts */
    bool filter;
    bool stands[SF_FENCE_COUNT];
};

const char *sf_cage_fence_name(enum sf_cage_fence fence);
const char *sf_cage_fence_help(enum sf_cage_fence fence);

struct sf_cage_coverage sf_cage_coverage(const struct sf_kernel *kernel,
                                         const struct sf_cage_plan *plan);

/* "landlock 7 + namespaces + seccomp: write, read …; open: …" */
void sf_cage_coverage_add(struct sf_strbuf *out, const struct sf_cage_coverage *coverage);

/* For the card: the level, what makes it, and only what is open. */
void sf_cage_coverage_brief(struct sf_strbuf *out, const struct sf_cage_coverage *coverage);

/* The same as a list for people, one fence a line. */
void sf_cage_coverage_explain(struct sf_strbuf *out, const struct sf_cage_coverage *coverage);

#endif
