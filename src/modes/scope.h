/*
 * scope: write scopes narrow what a work mode may write. An entry ending in "/" is that
 * directory's subtree, one without is exactly that file, "*" alone is everything, an empty list
 * is nothing.
 */
#ifndef SF_MODES_SCOPE_H
#define SF_MODES_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

struct sf_scope {
    const char *name;
    const char *const *writable; /* NULL-terminated */
    const char *strategy;        /* a sentence for the model, or "" */
};

/* The scopes sf knows without any configuration. */
extern const struct sf_scope sf_scopes_builtin[];
extern const size_t sf_scope_builtin_count;

/* Whether everything `entry` lets write, `other` lets write as well. Both are scope entries. */
bool sf_scope_entry_covers(const char *other, const char *entry);

#endif
