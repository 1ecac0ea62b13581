/*
 * added_secrets: files named like secrets below the directories that the user added to the session.
 * Commands find them as little as those of the workspace. A search of each directory is remembered
 * for as long as the directory is added.
 */
#ifndef SF_JUDGE_ADDED_SECRETS_H
#define SF_JUDGE_ADDED_SECRETS_H

#include <stdbool.h>

#include "base/base.h"
#include "cage/cage.h"

struct sf_added_secrets;

/* `where` is as for the workspace; its root and its directories of git are not looked at. */
struct sf_added_secrets *sf_added_secrets_new(const struct sf_secrets_where *where);
void sf_added_secrets_free(struct sf_added_secrets *added); /* NULL is welcome */

/* Adds the real paths of what is there now, below the directories that are added now. */
void sf_added_secrets_look(struct sf_added_secrets *added, const struct sf_strlist *dirs,
                           struct sf_strlist *found);

/* The last look came to a bound of its work: there may be more. */
bool sf_added_secrets_is_cut(const struct sf_added_secrets *added);

#endif
