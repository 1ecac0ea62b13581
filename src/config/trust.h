/*
 * trust: which workspaces the user trusts. Trust is for one real path and for the policy files
 * as they were when it was given: a change in any of them asks again. It is kept in the user's
 * own state, out of reach of any repository, and a list that cannot be read trusts nobody.
 */
#ifndef SF_CONFIG_TRUST_H
#define SF_CONFIG_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum sf_trust_state {
    SF_TRUST_NO,
    SF_TRUST_YES,
    SF_TRUST_CHANGED, /* trusted once, but its policy files are not what they were */
};

/* Borrowed for the call. */
struct sf_trust_entry {
    const char *path, *digest, *added;
    const struct sf_strlist *files; /* "HASH NAME" of each, to say later which of them changed */
};

/* All there is to say about a workspace before its user is asked. */
struct sf_trust_view {
    enum sf_trust_state state;
    bool never;                     /* the user does not want to be asked */
    char digest[SF_SHA256_HEX + 1]; /* of the policy files as they were seen */
    bool wide;                      /* a home, or all: cannot be trusted */
    struct sf_strlist files;        /* policy files there are: what trust would change */
    struct sf_strlist changes;      /* of SF_TRUST_CHANGED: "changed .sf/config.toml" */
};

/* clang-format off */
#define SF_TRUST_VIEW_INIT { .files = SF_STRLIST_INIT, .changes = SF_STRLIST_INIT }
/* clang-format on */

/* The files of a workspace that say what may run, for help and messages; NULL-terminated. */
extern const char *const sf_trust_files[];

/* Fails when the list or a policy file cannot be read; `*state` is then SF_TRUST_NO. */
bool sf_trust_check(const char *root, enum sf_trust_state *state, struct sf_error *err);

bool sf_trust_look(const char *root, struct sf_trust_view *view, struct sf_error *err);
void sf_trust_view_release(struct sf_trust_view *view);

/* Takes back an earlier sf_trust_never. */
bool sf_trust_add(const char *root, int64_t now_ms, struct sf_error *err) SF_MUST_CHECK;

/* The same, refused unless the policy files are still those the user saw. */
bool sf_trust_add_seen(const char *root, const char *digest, int64_t now_ms,
                       struct sf_error *err) SF_MUST_CHECK;

/* Nobody asks about it any more, and it is not trusted. */
bool sf_trust_never(const char *root, struct sf_error *err) SF_MUST_CHECK;

/* `*found` says whether it was on the list. Whether to ask about it is open again. */
bool sf_trust_remove(const char *root, bool *found, struct sf_error *err) SF_MUST_CHECK;

typedef void sf_trust_fn(void *ctx, const struct sf_trust_entry *entry);
bool sf_trust_each(sf_trust_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

#endif
