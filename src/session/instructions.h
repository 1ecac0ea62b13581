/*
 * instructions: what project and user want every session to know: AGENTS.md or CLAUDE.md, from
 * the user's settings directory and from the workspace's root down to the working directory,
 * and the memory of earlier sessions. Files are read through the path guard's eyes: a link that
 * leads out of the workspace, or to secrets, is left out and said.
 */
#ifndef SF_SESSION_INSTRUCTIONS_H
#define SF_SESSION_INSTRUCTIONS_H

#include "base/base.h"
#include "session/ground.h"

enum {
    SF_INSTRUCTIONS_EACH = 32 * 1024, /* bytes taken of one file */
    SF_INSTRUCTIONS_ALL = 96 * 1024,
};

struct sf_instructions_request {
    const struct sf_ground *ground;
    const char *below;     /* working directory below the root, "" for the root itself */
    const char *user_dir;  /* or NULL */
    const char *state_dir; /* where the project's memory is; or NULL */
};

/* Which part of what was read is memory. */
struct sf_instructions_found {
    size_t memory_from, memory_len;
};

/* Appends the texts, each under its name; notes about what was left out go to `notes`. */
struct sf_instructions_found sf_instructions_read(const struct sf_instructions_request *request,
                                                  struct sf_strbuf *out, struct sf_strlist *notes);

#endif
