/*
 * review_git: collects the changes that are to be reviewed. git is asked, in a cage that can write
 * nothing, with everything switched off that would make it run a program of the repository's
 * choosing: external diffs, text conversions, filters, fsmonitor, hooks, transports. Files that may
 * hold secrets are left out and named.
 *
 * Blocks: run it on a worker. Life: fill in the first part of a zeroed struct, sf_review_look, use
 * the second part, sf_review_look_release.
 */
#ifndef SF_SESSION_REVIEW_GIT_H
#define SF_SESSION_REVIEW_GIT_H

#include <stdatomic.h>

#include "agent/agent.h"
#include "base/base.h"
#include "cage/cage.h"
#include "io/io.h"

struct sf_path_places;

struct sf_review_look {
    struct sf_review_what what;
    const struct sf_place_root *root;    /* these two are made once, and workers may read them; */
    const struct sf_path_places *places; /* the session waits for its workers before it ends */
    char *below;          /* owned: the user's directory, for paths; below the root, "": the root */
    struct sf_cage *cage; /* owned */
    const atomic_bool *cancel;

    char *title;                /* "main...HEAD: 2 files, +3 -1" */
    char *state;                /* revision whose files are reviewed; NULL: the workspace's */
    bool here;                  /* that state is the workspace's, as far as git knows */
    bool nothing;               /* nothing has changed; `title` says where */
    struct sf_strlist withheld; /* changed files that may hold secrets */
    struct sf_review_diff diff; /* with its `room` given */

    struct sf_review_secrets secrets; /* private: what must not be shown under any name */
    char *excludes;                   /* private: what the user ignores everywhere */
    bool guessed;                     /* private: the first word was taken for a focus */
    struct sf_strlist env;            /* private */
    char said[160];                   /* private: git's last complaint */
};

bool sf_review_look(struct sf_review_look *look, struct sf_error *err) SF_MUST_CHECK;
void sf_review_look_release(struct sf_review_look *look);

#endif
