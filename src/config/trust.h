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

struct sf_trust_entry {
    const char *path, *digest, *added; /* borrowed for the call */
};

/* The files of a workspace that say what may run, for help and messages; NULL-terminated. */
extern const char *const sf_trust_files[];

/* Fails when the list or a policy file cannot be read; `*state` is then SF_TRUST_NO. */
bool sf_trust_check(const char *root, enum sf_trust_state *state, struct sf_error *err);

bool sf_trust_add(const char *root, int64_t now_ms, struct sf_error *err) SF_MUST_CHECK;

/* `*found` says whether it was on the list. */
bool sf_trust_remove(const char *root, bool *found, struct sf_error *err) SF_MUST_CHECK;

typedef void sf_trust_fn(void *ctx, const struct sf_trust_entry *entry);
bool sf_trust_each(sf_trust_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

#endif
