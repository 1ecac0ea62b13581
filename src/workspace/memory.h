/*
 * memory: what later sessions are to know, as plain Markdown that people may edit: one file of the
 * project, beside its store, and one of the user's own for all projects, beside their settings.
 * Neither is read or written through a symbolic link, and both have ceilings.
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
    SF_MEMORY_BYTES = 32 * 1024, /* of a file that takes notes: the model is given no more */
    SF_MEMORY_FILE = 128 * 1024, /* of one that was written by hand */
};

struct sf_memory_row {
    const char *name;  /* "project": as it is typed */
    const char *whose; /* "this project" */
    const char *title; /* as the model reads it */
};

extern const struct sf_memory_row sf_memories[SF_MEMORY_COUNT]; /* by enum sf_memory */

/* Where it is, there or not, in one of the two directories; the caller's. NULL: nowhere. */
char *sf_memory_path(enum sf_memory which, const char *state_dir, const char *user_dir);

/* SF_E_NOENT: there is none yet. */
bool sf_memory_read(const char *path, struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;
bool sf_memory_read_head(const char *path, size_t max, struct sf_strbuf *out,
                         struct sf_error *err) SF_MUST_CHECK; /* as sf_file_read_head */

/* One more line, or the whole of it. */
bool sf_memory_note(const char *path, const char *note, struct sf_error *err) SF_MUST_CHECK;
bool sf_memory_write(const char *path, const char *text, size_t len,
                     struct sf_error *err) SF_MUST_CHECK;

#endif
