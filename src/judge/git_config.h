/*
 * git_config: which of a repository's own git settings still make git run programs where sf runs
 * it. A cloned repository brings none, but one that was unpacked, or tampered with, may: an external
 * diff, a text conversion, a filter, a hook. Pagers, fsmonitor and signatures in the log are switched
 * off for every command (see tools/script.c) and do not count; of the others each counts for the verbs
 * it works on, so that `git status` stays a read where only a diff is external. The user's own
 * settings, outside the repository, are the user's business.
 */
#ifndef SF_JUDGE_GIT_CONFIG_H
#define SF_JUDGE_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/shell.h"

enum { SF_GIT_HELPERS = 64, SF_GIT_KEY_BYTES = 64, SF_GIT_AWAY_BYTES = 4096 };

/* What was found: for each kind of setting the first key of it, "" where there is none. */
struct sf_git_helpers {
    char keys[SF_GIT_HELPERS][SF_GIT_KEY_BYTES];
    const char *doubt;            /* why there may be more, or NULL; static text */
    char away[SF_GIT_AWAY_BYTES]; /* outside, where the data of a repository lies, or "" */
};

/* Adds one setting. */
void sf_git_helpers_add(struct sf_git_helpers *helpers, const struct sf_git_setting *setting);

/* Adds what lies in a directory of hooks. */
void sf_git_helpers_hooks(struct sf_git_helpers *helpers, const char *dir);

/* What makes `git VERB` run a program, or may, or NULL. A verb of NULL stands for any. */
const char *sf_git_helpers_key(const struct sf_git_helpers *helpers, const char *verb);

#endif
