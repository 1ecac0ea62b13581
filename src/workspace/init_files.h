/*
 * init_files: the files that tell a model about a project, AGENTS.md and .sf/config.toml, made from
 * a scan of the project. An existing file is replaced only on request, and then a backup is kept
 * beside it. Paths are walked by handles; a path that leads through a link is left alone.
 *
 * Life: SF_INIT_FILES_INIT, sf_init_files_plan, look at the files, sf_init_files_write,
 * sf_init_files_release.
 */
#ifndef SF_WORKSPACE_INIT_FILES_H
#define SF_WORKSPACE_INIT_FILES_H

#include <stdbool.h>

#include "base/base.h"
#include "io/io.h"

enum sf_init_file_state {
    SF_INIT_FILE_NEW,     /* will be written */
    SF_INIT_FILE_SAME,    /* exists with the same contents */
    SF_INIT_FILE_DIFFERS, /* exists with other contents, and stays unless `replace` */
    SF_INIT_FILE_ODD,     /* is not a plain file, and stays */
    SF_INIT_FILE_NOTHING, /* would be empty, and is not written */
    SF_INIT_FILE_WRITTEN,
    SF_INIT_FILE_REPLACED, /* the old file is `backup` now */
};

extern const char *const sf_init_file_states[]; /* such as "new" */

struct sf_init_file {
    const char *path;
    enum sf_init_file_state state;
    struct sf_strbuf text; /* the new contents */
    struct sf_strbuf diff; /* from the existing contents */
    char *backup;          /* path of the backup, or NULL */
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

/* Writes new files; with `replace` also those that differ. A failure leaves the rest unwritten. */
bool sf_init_files_write(struct sf_init_files *charter, bool replace,
                         struct sf_error *err) SF_MUST_CHECK;
void sf_init_files_release(struct sf_init_files *charter);

#endif
