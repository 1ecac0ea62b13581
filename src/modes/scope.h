/*
 * scope: write scopes narrow what a work mode may write. An entry ending in "/" is that
 * directory's subtree, one without is exactly that file, "*" alone is everything, an empty list
 * is nothing. Doubled slashes and "." in an entry are noise; what is absolute, leads upwards,
 * holds a control character or a * among others is refused, and until somebody refuses it, it
 * covers nothing.
 *
 * The scopes in force are the built-in ones with what the settings override or add. A name that
 * is in neither is an error, never "everything".
 */
#ifndef SF_MODES_SCOPE_H
#define SF_MODES_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_SCOPE_NAME_MAX = 32,   /* bytes of a name */
    SF_SCOPE_PATH_MAX = 4095, /* bytes of a path or an entry */
};

struct sf_scope {
    const char *name;
    const char *const *writable; /* NULL-terminated */
    const char *strategy;        /* a sentence for the model, or "" */
};

/* The scopes sf knows without any configuration. */
extern const struct sf_scope sf_scopes_builtin[];
extern const size_t sf_scope_builtin_count;

/*
 * What is in force. All of it is borrowed and must outlive the set. Where two of `extra` have
 * the same name, the later one holds. `has_sources` is what the caller saw in the workspace:
 * whether src/ or lib/ is there.
 */
struct sf_scope_set {
    const struct sf_scope *extra;
    size_t count;
    bool has_sources;
};

/* Letters, digits, "-", "_" and ".", so that a name fits into a badge and a command. */
bool sf_scope_name_ok(const char *name);

/* For settings: the name, and entries that can match something. Errors name the entry. */
bool sf_scope_check(const struct sf_scope *scope, struct sf_error *err) SF_MUST_CHECK;

const struct sf_scope *sf_scope_find(const struct sf_scope_set *set, const char *name);
const struct sf_scope *sf_scope_get(const struct sf_scope_set *set, const char *name,
                                    struct sf_error *err) SF_MUST_CHECK;    /* "did you mean" */
bool sf_scope_configured(const struct sf_scope_set *set, const char *name); /* by settings */

/* Every scope in force once, built-in ones first: start with a cursor of 0; NULL ends it. */
const struct sf_scope *sf_scope_next(const struct sf_scope_set *set, size_t *cursor);

/*
 * A path as the path guard resolves it: relative to the workspace, no empty, "." or ".." part,
 * no control characters, no NUL, not too long. Anything else is never writable.
 */
bool sf_scope_path_ok(const char *path, size_t len);

/* One entry, one path; what a scope covers in a work mode is sf_writable_allows's to say. */
bool sf_scope_entry_allows(const char *entry, const char *path, size_t len);

/* Whether everything `entry` lets write, `other` lets write as well. Both are scope entries. */
bool sf_scope_entry_covers(const char *other, const char *entry);

#endif
