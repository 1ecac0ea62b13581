/*
 * instructions_seen: which instructions of the workspace the user has seen. A command can write
 * AGENTS.md, and the next session would begin with what it wrote as the user's word. So the texts
 * that were seen last are kept in sf's own state; another text is held back, and the old one is
 * used, until somebody has seen it and accepts it. What a project says when it is opened for the
 * first time counts as seen: whether it is trusted at all is asked elsewhere.
 */
#ifndef SF_WORKSPACE_INSTRUCTIONS_SEEN_H
#define SF_WORKSPACE_INSTRUCTIONS_SEEN_H

#include "base/base.h"
#include "workspace/instructions.h"

/*
 * Puts the texts that were seen in place of others, and takes out those never seen; what was held
 * back goes to `held`, and a line about each to `notes`.
 */
void sf_instructions_hold(const char *state_dir, struct sf_instructions *now,
                          struct sf_instructions *held, struct sf_strlist *notes);

/* What is different in those held back, as a unified diff. */
void sf_instructions_diff(const char *state_dir, const struct sf_instructions *held,
                          struct sf_strbuf *out);

/* These texts were seen and are accepted, whatever the files say by now. */
bool sf_instructions_accept(const char *state_dir, const struct sf_instructions *shown,
                            struct sf_error *err) SF_MUST_CHECK;

#endif
