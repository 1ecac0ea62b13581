/*
 * custom_files: the custom commands there are: Markdown files in the user's own directories and in
 * the workspace. Subdirectories are part of the name: git/commit.md is /git:commit. sf's own names
 * win, then the user's, then the project's: a repository cannot put its words in place of others.
 *
 * Of a workspace that is not trusted, or that changed since it was, only the names are listed;
 * nothing is read. No link is followed there, and nothing but regular files is opened anywhere.
 */
#ifndef SF_WORKSPACE_CUSTOM_FILES_H
#define SF_WORKSPACE_CUSTOM_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"
#include "base/base.h"

enum {
    SF_CUSTOM_FILES = 200, /* of all directories */
    SF_CUSTOM_DEPTH = 4,   /* subdirectories below each other */
    SF_CUSTOM_NAME = 64,   /* bytes of a name, without what stands before the last colon */
};

struct sf_custom_file {
    char *name;
    char *file;         /* as people call it: ".sf/commands/git/commit.md" */
    const char *origin; /* "project" or "user" */
    const char *hidden; /* why it cannot be called by its name; NULL: it can */
    bool needs_trust;   /* nothing of it was read */
    char *problem;      /* why it cannot be run: its head is broken …; NULL: it can */
    struct sf_custom custom;
};

/* In the order of their directories, sorted in each. */
struct sf_custom_files {
    struct sf_custom_file *items;
    size_t count, cap;
    struct sf_strlist notes; /* what was left out and why, a safe line each */
};

/* clang-format off */
#define SF_CUSTOM_FILES_INIT { NULL, 0, 0, SF_STRLIST_INIT }
/* clang-format on */

/* Whether a name is one of the surface's own. */
typedef bool sf_custom_taken_fn(const char *name);

/* Reads everything again, trust included, and replaces what was there. */
void sf_custom_files_read(struct sf_custom_files *files, const char *root,
                          sf_custom_taken_fn *taken);
void sf_custom_files_release(struct sf_custom_files *files);

/* The one that a line "/name words" calls; NULL: none does. */
const struct sf_custom_file *sf_custom_files_find(const struct sf_custom_files *files,
                                                  const char *line);

#endif
