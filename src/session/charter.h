/*
 * charter: the files that tell a model about a project: AGENTS.md and .sf/config.toml, made from a
 * sketch. A file that is there is never touched unless that is asked for, and then a copy of it
 * stays beside it. Paths are walked by their handles; one that leads through a link is left alone.
 *
 * Life: SF_CHARTER_INIT, sf_charter_plan, look at the files, sf_charter_write, sf_charter_release.
 */
#ifndef SF_SESSION_CHARTER_H
#define SF_SESSION_CHARTER_H

#include <stdbool.h>

#include "base/base.h"
#include "io/io.h"

enum sf_charter_state {
    SF_CHARTER_NEW,     /* will be written */
    SF_CHARTER_SAME,    /* is there already, as it would be written */
    SF_CHARTER_DIFFERS, /* is there, and stays unless it is to be replaced */
    SF_CHARTER_ODD,     /* what is there is no plain file, and stays */
    SF_CHARTER_NOTHING, /* there is nothing to say */
    SF_CHARTER_WRITTEN,
    SF_CHARTER_REPLACED, /* the one that was there is `backup` now */
};

extern const char *const sf_charter_states[]; /* "new", "same" … */

struct sf_charter_file {
    const char *path;
    enum sf_charter_state state;
    struct sf_strbuf text; /* as it would be written */
    struct sf_strbuf diff; /* to what is there */
    char *backup;          /* its path; or NULL */
};

enum { SF_CHARTER_FILES = 2 };

struct sf_charter {
    struct sf_place_root root;
    struct sf_charter_file files[SF_CHARTER_FILES];
};

/* clang-format off */
#define SF_CHARTER_INIT { .root = SF_PLACE_ROOT_INIT }
/* clang-format on */

bool sf_charter_plan(struct sf_charter *charter, const char *root,
                     struct sf_error *err) SF_MUST_CHECK;

/* Writes what is new; with `replace` also what differs. What failed leaves the rest as it is. */
bool sf_charter_write(struct sf_charter *charter, bool replace, struct sf_error *err) SF_MUST_CHECK;
void sf_charter_release(struct sf_charter *charter);

#endif
