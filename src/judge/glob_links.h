/*
 * glob_links: whether a shell pattern matches something that leads out of the workspace. A command
 * reads whatever its pattern matches, including links, and only the tree tells which names are
 * links; so the tree is searched, up to a number of entries. Only links that end inside are
 * followed, and only directories are opened.
 */
#ifndef SF_JUDGE_GLOB_LINKS_H
#define SF_JUDGE_GLOB_LINKS_H

#include "judge/policy_context.h"

enum { SF_GLOB_LINKS_ENTRIES = 40000 }; /* limit for all patterns of one command */

/* Starts with only `policy` set. */
struct sf_glob_links {
    const struct sf_policy_context *policy;
    size_t seen;    /* entries so far */
    bool all_clean; /* the whole workspace was searched, and nothing leads out */
};

enum sf_glob_links_end {
    SF_GLOB_LINKS_STAY, /* nothing leads out */
    SF_GLOB_LINKS_OUT,  /* something leads out: *found is its path below the workspace */
    SF_GLOB_LINKS_CUT,  /* too many entries to search them all */
};

/*
 * Searches for `pattern`, as a shell reads it, below the directory `at` in the workspace; `**`
 * matches everything below. The caller frees *found.
 */
enum sf_glob_links_end sf_glob_links_look(struct sf_glob_links *links, const struct sf_place *at,
                                          const char *pattern, char **found);

#endif
