/*
 * patch_files: the files of a patch, each once, with its bytes before and after. Planning happens
 * in memory; then all files are changed, and if one fails, those before it are put back in reverse
 * order, so that all changes are made or none.
 *
 *     read ──plan──► after ──► new files, changed ones, moves, deletions last
 *                                   └── one fails: undo, newest first
 *
 * Each step leaves a file old or new, never in between, even if the program is killed.
 * Life: sf_patch_files_init, plan, commit, sf_patch_files_release.
 */
#ifndef SF_TOOLS_PATCH_FILES_H
#define SF_TOOLS_PATCH_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "edit/edit.h"
#include "tools/box.h"
#include "tools/change.h"

enum sf_patch_deed {
    SF_DEED_NONE, /* the file is not changed */
    SF_DEED_CREATE,
    SF_DEED_REPLACE,
    SF_DEED_MOVE,  /* from `from`, perhaps with new contents */
    SF_DEED_LEAVE, /* the source of a move */
    SF_DEED_REMOVE,
};

struct sf_patch_file {
    struct sf_change change; /* the place, the contents, whether it existed and was seen */
    const char *path;        /* as the patch spells it; borrowed from the call */
    bool is_read;
    bool exists; /* after the patch */
    bool stuck;  /* its move could not be undone */
    enum sf_rung rung;
    mode_t mode; /* before the patch */
    struct sf_patch_file *from;
    size_t touched; /* number of operations that name it */
    enum sf_patch_deed deed;
};

struct sf_patch_files {
    struct sf_toolbox *box;
    struct sf_patch_file *items;
    size_t count;
    struct sf_strbuf trouble; /* after a failure: what could not be put back, one line each */
};

/* Adds a file for each path among the call's targets; SF_E_ARG if two are the same file. */
bool sf_patch_files_init(struct sf_patch_files *files, struct sf_toolbox *box,
                         struct sf_tool_call *call, struct sf_error *err) SF_MUST_CHECK;
void sf_patch_files_release(struct sf_patch_files *files);

/* Computes what happens to each file; on failure `detail` gets some lines for the model. */
bool sf_patch_files_plan(struct sf_patch_files *files, const struct sf_patch *patch,
                         struct sf_strbuf *detail, struct sf_error *err) SF_MUST_CHECK;

/* Makes all changes or none; if something could not be undone, `trouble` says what. */
bool sf_patch_files_commit(struct sf_patch_files *files, struct sf_error *err) SF_MUST_CHECK;

#endif
