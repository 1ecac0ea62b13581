/*
 * memory: notes for later sessions, as Markdown that people may edit: one file for the project,
 * beside its store, and one for all projects of the user, beside the settings. Neither is read or
 * written through a symbolic link, and the size of both is limited.
 */
#ifndef SF_WORKSPACE_MEMORY_H
#define SF_WORKSPACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "tools/tools.h"

enum sf_memory {
    SF_MEMORY_PROJECT,
    SF_MEMORY_USER,
    SF_MEMORY_COUNT,
};

enum {
    SF_MEMORY_NOTE = SF_TOOL_CALL_NOTE_MAX, /* bytes of one note */
    SF_MEMORY_BYTES = 32 * 1024, /* a larger file takes no more notes: the model gets no more */
    SF_MEMORY_FILE = 128 * 1024, /* limit of a file that was edited by hand */
};

struct sf_memory_row {
    const char *name;  /* "project": the argument of commands */
    const char *whose; /* "this project" */
    const char *title; /* heading for the model */
};

extern const struct sf_memory_row sf_memories[SF_MEMORY_COUNT]; /* by enum sf_memory */

/* The path of the file in one of the two directories, whether or not it exists; owned by the
 * caller. NULL: the directory is not known. */
char *sf_memory_path(enum sf_memory which, const char *state_dir, const char *user_dir);

/* SF_E_NOENT: the file does not exist yet. */
bool sf_memory_read(const char *path, struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;
bool sf_memory_read_head(const char *path, size_t max, struct sf_strbuf *out,
                         struct sf_error *err) SF_MUST_CHECK; /* as sf_file_read_head */

/* Append one note, or replace the whole text. */
bool sf_memory_note(const char *path, const char *note, struct sf_error *err) SF_MUST_CHECK;
bool sf_memory_write(const char *path, const char *text, size_t len,
                     struct sf_error *err) SF_MUST_CHECK;

#endif
