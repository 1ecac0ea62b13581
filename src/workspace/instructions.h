/*
 * instructions: what project and user want every session to know: AGENTS.md or CLAUDE.md, from the
 * user's settings directory and from the workspace's root down to the working directory, and the
 * memory of earlier sessions. The path rules apply: a link that leads out of the workspace or to a
 * file with secrets is left out, and a note says so.
 */
#ifndef SF_WORKSPACE_INSTRUCTIONS_H
#define SF_WORKSPACE_INSTRUCTIONS_H

#include "base/base.h"
#include "judge/judge.h"

enum {
    SF_INSTRUCTIONS_EACH = 32 * 1024, /* bytes taken of one file */
    SF_INSTRUCTIONS_ALL = 96 * 1024,
};

struct sf_instructions_request {
    const struct sf_policy_context *policy;
    const char *below;     /* working directory below the root, "" for the root itself */
    const char *user_dir;  /* or NULL */
    const char *state_dir; /* where the project's memory is; or NULL */
};

struct sf_instruction {
    char *name; /* "AGENTS.md", "a/CLAUDE.md", "Memory of earlier sessions" */
    char *text; /* sanitised, cut if too long; ends with a newline */
    bool memory;
    bool workspace; /* a file of the workspace, which commands can write */
};

/* Life: SF_INSTRUCTIONS_INIT, sf_instructions_read, sf_instructions_release. */
struct sf_instructions {
    struct sf_instruction *items;
    size_t count, cap;
    size_t bytes; /* of all texts together */
};

/* clang-format off */
#define SF_INSTRUCTIONS_INIT { NULL, 0, 0, 0 }
/* clang-format on */

/* Reads the current files; `notes` gets what was left out. */
void sf_instructions_read(const struct sf_instructions_request *request,
                          struct sf_instructions *out, struct sf_strlist *notes);
void sf_instructions_release(struct sf_instructions *instructions);

/* Appends each text under its name as a heading. */
void sf_instructions_add(const struct sf_instructions *instructions, struct sf_strbuf *out);

#endif
