/*
 * custom_files: the list of custom commands: Markdown files in the user's own directories and in
 * the workspace. Subdirectories are part of the name: git/commit.md is /git:commit. sf's own names
 * win, then the user's, then the project's: a repository cannot replace a command of the user's.
 *
 * If the workspace is not trusted, or has changed since it was, its files are listed by name but
 * not read. Links in a workspace are not followed, and only regular files are opened anywhere.
 */
#ifndef SF_WORKSPACE_CUSTOM_FILES_H
#define SF_WORKSPACE_CUSTOM_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"
#include "base/base.h"

enum {
    SF_CUSTOM_FILES = 200, /* in all directories together */
    SF_CUSTOM_DEPTH = 4,   /* nested subdirectories */
    SF_CUSTOM_NAME = 64,   /* bytes of a name, without the part before the last colon */
};

struct sf_custom_file {
    char *name;
    char *file;         /* the path for people: ".sf/commands/git/commit.md" */
    const char *origin; /* "project" or "user" */
    const char *hidden; /* why another command has this name; NULL: none has */
    bool needs_trust;   /* the workspace is not trusted, and the file was not read */
    char *problem;      /* why it cannot be run, such as invalid frontmatter; NULL: it can */
    struct sf_custom custom;
};

/* In the order of the directories, sorted within each. */
struct sf_custom_files {
    struct sf_custom_file *items;
    size_t count, cap;
    struct sf_strlist notes; /* what was left out and why, one sanitised line each */
};

/* clang-format off */
#define SF_CUSTOM_FILES_INIT { NULL, 0, 0, SF_STRLIST_INIT }
/* clang-format on */

/* Whether sf itself has a command of this name. */
typedef bool sf_custom_taken_fn(const char *name);

/* Reads everything again, including trust, and replaces the old list. */
void sf_custom_files_read(struct sf_custom_files *files, const char *root,
                          sf_custom_taken_fn *taken);
void sf_custom_files_release(struct sf_custom_files *files);

/* The command that a line "/name words" calls, or NULL. */
const struct sf_custom_file *sf_custom_files_find(const struct sf_custom_files *files,
                                                  const char *line);

#endif
