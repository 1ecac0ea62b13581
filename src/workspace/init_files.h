/*
 * init_files: the files that tell a model about a project: AGENTS.md and .sf/config.toml, made from a
 * sketch. A file that is there is never touched unless that is asked for, and then a copy of it
 * stays beside it. Paths are walked by their handles; one that leads through a link is left alone.
 *
 * Life: SF_INIT_FILES_INIT, sf_init_files_plan, look at the files, sf_init_files_write, sf_init_files_release.
 */
#ifndef SF_WORKSPACE_INIT_FILES_H
#define SF_WORKSPACE_INIT_FILES_H

#include <stdbool.h>

#include "base/base.h"
#include "io/io.h"

enum sf_init_file_state {
    SF_INIT_FILE_NEW,     /* will be written */
    SF_INIT_FILE_SAME,    /* is there already, as it would be written */
    SF_INIT_FILE_DIFFERS, /* is there, and stays unless it is to be replaced */
    SF_INIT_FILE_ODD,     /* what is there is no plain file, and stays */
    SF_INIT_FILE_NOTHING, /* there is nothing to say */
    SF_INIT_FILE_WRITTEN,
    SF_INIT_FILE_REPLACED, /* the one that was there is `backup` now */
};

extern const char *const sf_init_file_states[]; /* such as "new" */

struct sf_init_file {
    const char *path;
    enum sf_init_file_state state;
    struct sf_strbuf text; /* as it would be written */
    struct sf_strbuf diff; /* to what is there */
    char *backup;          /* its path; or NULL */
};

enum { SF_INIT_FILES_COUNT = 2 };

struct sf_init_files {
    struct sf_place_root root;
    struct sf_init_file files[SF_INIT_FILES_COUNT];
};

/* clang-format off */
#define SF_INIT_FILES_INIT { .root = SF_PLACE_ROOT_INIT }
/* clang-format on */

bool sf_init_files_plan(struct sf_init_files *charter, const char *root,
                        struct sf_error *err) SF_MUST_CHECK;

/* Writes what is new; with `replace` also what differs. What failed leaves the rest as it is. */
bool sf_init_files_write(struct sf_init_files *charter, bool replace,
                         struct sf_error *err) SF_MUST_CHECK;
void sf_init_files_release(struct sf_init_files *charter);

#endif
