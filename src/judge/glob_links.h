/*
 * glob_links: whether what a pattern stands for leads out of the workspace. A command reads whatever
 * its pattern matches, links included, and nobody but the tree knows which names are links; so
 * the tree is looked at, up to a number of entries. Nothing is followed but links that end
 * inside, and nothing is opened but directories.
 */
#ifndef SF_JUDGE_GLOB_LINKS_H
#define SF_JUDGE_GLOB_LINKS_H

#include "judge/policy_context.h"

enum { SF_GLOB_LINKS_ENTRIES = 40000 }; /* looked at for all patterns of one command */

/* Begins with nothing but the ground. */
struct sf_glob_links {
    const struct sf_policy_context *policy;
    size_t seen;    /* entries so far */
    bool all_clean; /* the whole workspace was looked through, and nothing leads out */
};

enum sf_glob_links_end {
    SF_GLOB_LINKS_STAY, /* nothing in there leads out */
    SF_GLOB_LINKS_OUT,  /* something does: *found is where it lies, below the workspace */
    SF_GLOB_LINKS_CUT,  /* there is more than is looked at */
};

/*
 * `pattern` as a shell reads it, below the directory `at`, which lies in the workspace; `**`
 * stands for everything below. *found is the caller's to free.
 */
enum sf_glob_links_end sf_glob_links_look(struct sf_glob_links *links, const struct sf_place *at,
                                          const char *pattern, char **found);

#endif
