/*
 * secrets: files of the workspace that are named like secrets, by the guard's table of paths:
 * .env, private keys, password files. Looked for before each command, so the search is bounded
 * and remembers each directory until that changes.
 *
 * Not taken for secrets: what the repository's objects hold anyway (a committed .env.test, test
 * keys), certificates without a key, what the user names as readable, and templates, which the
 * table excepts. A second name of the same file (a hard link) is not found.
 *
 * What programs fetched or built comes last, as it brings along keys for its own tests: there only
 * hidden files count, and those that were found elsewhere before, as a command can move the
 * directory a secret lies in. When one is missing, all of it is searched.
 */
#ifndef SF_CAGE_SECRETS_H
#define SF_CAGE_SECRETS_H

#include <stdbool.h>

#include "base/base.h"
#include "guard/guard.h"

enum {
    SF_SECRETS_DIRS = 4096,  /* looked into, nearest first */
    SF_SECRETS_DEEP = 65536, /* the same when one is missing that was found before */
    SF_SECRETS_MAX = 128,    /* files found */
};

struct sf_secrets;

/* Real and absolute; lists end with NULL and may be NULL. All borrowed, and must outlive it. */
struct sf_secrets_where {
    const char *root, *home;
    const char *const *git_dirs;
    const struct sf_path_moved *moved; /* what the user has moved out of the home directory */
    size_t moved_count;
    const char *const *readable; /* names, or paths below the root; * and ? as in the shell */
};

struct sf_secrets *sf_secrets_new(const struct sf_secrets_where *where);
void sf_secrets_free(struct sf_secrets *secrets); /* NULL is welcome */

/* Absolute paths of what is there now; good until the next look. */
const struct sf_strlist *sf_secrets_look(struct sf_secrets *secrets);

/* The last look, or the first, came to a bound of its work: there may be more. */
bool sf_secrets_is_cut(struct sf_secrets *secrets);

#endif
