/*
 * trust: which workspaces the user trusts. Trust holds for one real path and for the policy files
 * as they were when it was given: after a change in any of them sf asks again. The list is kept in
 * the user's state directory, out of reach of any repository; if it cannot be read, no workspace is
 * trusted.
 */
#ifndef SF_CONFIG_TRUST_H
#define SF_CONFIG_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum sf_trust_state {
    SF_TRUST_NO,
    SF_TRUST_YES,
    SF_TRUST_CHANGED, /* was trusted, but its policy files have changed since */
};

/* Borrowed for the call. */
struct sf_trust_entry {
    const char *path, *digest, *added;
    const struct sf_strlist *files; /* "HASH NAME" of each, to tell later which of them changed */
};

/* What is known about a workspace before the user is asked. */
struct sf_trust_view {
    enum sf_trust_state state;
    bool never;                     /* the user does not want to be asked */
    char digest[SF_SHA256_HEX + 1]; /* of the policy files as they are now */
    bool wide;                      /* the home directory or /, which cannot be trusted */
    struct sf_strlist files;        /* the existing policy files, which trust would put in force */
    struct sf_strlist changes;      /* for SF_TRUST_CHANGED: "changed .sf/config.toml" */
};

/* clang-format off */
#define SF_TRUST_VIEW_INIT { .files = SF_STRLIST_INIT, .changes = SF_STRLIST_INIT }
/* clang-format on */

/* The names of policy files, for help and messages; NULL-terminated. */
extern const char *const sf_trust_files[];

/* Fails if the list or a policy file cannot be read; `*state` is then SF_TRUST_NO. */
bool sf_trust_check(const char *root, enum sf_trust_state *state, struct sf_error *err);

bool sf_trust_look(const char *root, struct sf_trust_view *view, struct sf_error *err);
void sf_trust_view_release(struct sf_trust_view *view);

/* Trusts the workspace; this also cancels an earlier sf_trust_never. */
bool sf_trust_add(const char *root, int64_t now_ms, struct sf_error *err) SF_MUST_CHECK;

/* The same, but fails unless the policy files are still those the user saw. */
bool sf_trust_add_seen(const char *root, const char *digest, int64_t now_ms,
                       struct sf_error *err) SF_MUST_CHECK;

/* Removes trust; the user is not asked about the workspace any more. */
bool sf_trust_never(const char *root, struct sf_error *err) SF_MUST_CHECK;

/* Removes the workspace from the list; `*found`: it was there. The user may be asked again. */
bool sf_trust_remove(const char *root, bool *found, struct sf_error *err) SF_MUST_CHECK;

typedef void sf_trust_fn(void *ctx, const struct sf_trust_entry *entry);
bool sf_trust_each(sf_trust_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

#endif
