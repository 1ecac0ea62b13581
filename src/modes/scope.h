/*
 * scope: write scopes limit what a work mode may write. An entry that ends in "/" is a directory
 * with everything below it, one without is exactly that file, "*" alone is everything, an empty
 * list is nothing. Doubled slashes and "." in an entry are ignored. An entry that is absolute,
 * contains "..", a control character or a * besides other characters is invalid: it is refused
 * where settings are checked, and covers nothing anywhere else.
 *
 * The scopes in force are the built-in ones and those that the settings override or add. An unknown
 * name is an error, never "everything".
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

/* The scopes that exist without any settings. */
extern const struct sf_scope sf_scopes_builtin[];
extern const size_t sf_scope_builtin_count;

/*
 * The scopes in force. Everything is borrowed and must outlive the set. If two of `extra` have the
 * same name, the later one wins. `has_sources` says whether the workspace has src/ or lib/.
 */
struct sf_scope_set {
    const struct sf_scope *extra;
    size_t count;
    bool has_sources;
};

/* Letters, digits, "-", "_" and ".", so that a name fits into a badge and a command. */
bool sf_scope_name_ok(const char *name);

/* Checks a scope of the settings: its name and its entries. Errors name the entry. */
bool sf_scope_check(const struct sf_scope *scope, struct sf_error *err) SF_MUST_CHECK;

const struct sf_scope *sf_scope_find(const struct sf_scope_set *set, const char *name);
const struct sf_scope *sf_scope_get(const struct sf_scope_set *set, const char *name,
                                    struct sf_error *err) SF_MUST_CHECK;
bool sf_scope_configured(const struct sf_scope_set *set, const char *name); /* by the settings */

/* Iterates over the scopes in force, built-in ones first: start with a cursor of 0; NULL: end. */
const struct sf_scope *sf_scope_next(const struct sf_scope_set *set, size_t *cursor);

/*
 * Whether the path has the form that the path guard produces: relative to the workspace, without
 * empty, "." or ".." parts, control characters or NUL, not too long. Other paths are not writable.
 */
bool sf_scope_path_ok(const char *path, size_t len);

/* Whether one entry covers one path; for a scope in a work mode use sf_writable_allows. */
bool sf_scope_entry_allows(const char *entry, const char *path, size_t len);

/* Whether `other` covers everything that `entry` covers. Both are scope entries. */
bool sf_scope_entry_covers(const char *other, const char *entry);

#endif
