/*
 * plan: what one command may touch, as rules that can be read. Pure: made from a wish alone,
 * nothing is looked up, so what exists and what is a link is found out later.
 *
 * A rule of a file covers it, one of a directory all beneath. What no rule names is readable and
 * not writable. Life: sf_cage_plan_make, use, sf_cage_plan_release.
 */
#ifndef SF_CAGE_PLAN_H
#define SF_CAGE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "cage/repositories.h"
#include "guard/guard.h"

enum sf_cage_need {
    SF_CAGE_NEED_REQUIRE,
    SF_CAGE_NEED_AUTO,
    SF_CAGE_NEED_OFF
}; /* as [guard] cage lists them */

enum {
    SF_CAGE_PROCESSES = 8192, /* of the user, all together */
    SF_CAGE_FILE_GIB = 16,    /* of one file */
};

/* 0: as above, and no bound for memory. */
struct sf_cage_limits {
    uint64_t processes, file_bytes;
    uint64_t memory; /* bytes of all processes together; held by the supervisor of the command */
};

/* All paths are real and absolute; lists end with NULL and may be NULL. Borrowed. */
struct sf_cage_wish {
    const char *root;            /* the workspace */
    const char *home;            /* or NULL */
    const char *temp;            /* a directory of the session's own, or NULL */
    const char *const *git_dirs; /* .git of the workspace, that of its main work tree */
    bool git_settings;           /* the command is git's alone: its settings may change */
    const struct sf_repositories_found *repositories; /* below those and beside them, or NULL */
    const char *const *caches;                        /* as the user wrote them, with ~ */
    const struct sf_path_moved *moved; /* what the user has moved out of the home directory */
    size_t moved_count;
    const char *const *own;        /* sf's state and settings: out of reach */
    const char *const *may_read;   /* readable all the same: what the verdict allowed */
    const char *const *may_write;  /* and writable */
    const char *const *may_change; /* of what others obey: what was named, asked about, allowed */
    const char *const *secrets;    /* of the workspace: what is named so and was found */
    bool secrets_cut;              /* there may be more of them */
    bool show_secrets;             /* they are not looked for: commands may read them */
    bool trusted;                  /* the session's trust: writing outside is not fenced */
    bool readonly;                 /* the verdict was that it only reads: so the workspace stays */
    bool network;                  /* the verdict was about the network, and allowed it */
    enum sf_cage_need need;
    struct sf_cage_limits limits;
};

enum sf_cage_use {
    SF_CAGE_WRITE, /* read and written */
    SF_CAGE_KEEP,  /* read only, although it lies in what is written; needs a mount namespace */
    SF_CAGE_READ,  /* readable, although it lies in what is hidden */
    SF_CAGE_HIDE,  /* not readable */
    SF_CAGE_COVER, /* not readable, although it lies in what is written; needs the same */
};

struct sf_cage_rule {
    enum sf_cage_use use;
    char *path;
    const char *why; /* static text */
    bool make;       /* where nothing is, an empty directory is made, so that it can be kept */
};

struct sf_cage_plan {
    char *root, *home, *temp;
    struct sf_cage_rule *rules;
    size_t count, cap;
    struct sf_strlist notes; /* wishes that were not granted, and why */
    bool trusted, network, show_secrets;
    bool readonly;    /* the workspace is not written */
    bool secrets_cut; /* not all secrets of the workspace were found */
    bool git_cut;     /* not all repositories were found */
    enum sf_cage_need need;
    struct sf_cage_limits limits;
};

void sf_cage_plan_make(struct sf_cage_plan *plan, const struct sf_cage_wish *wish);
void sf_cage_plan_release(struct sf_cage_plan *plan);

/* For people, a few lines. */
void sf_cage_plan_explain(const struct sf_cage_plan *plan, struct sf_strbuf *out);

/* Whether one of the paths is `path`, in it or around it; `named` ends with NULL or is it. */
bool sf_cage_is_named(const char *const *named, const char *path);

/* Whether `path` is `dir` or lies below it. */
bool sf_cage_below(const char *dir, const char *path);

/* What of `path` lies below `dir`: "" for the directory itself, NULL when it is elsewhere. */
const char *sf_cage_rest(const char *dir, const char *path);

#endif
