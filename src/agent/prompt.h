/*
 * prompt: what the model is told about its environment. The system prompt is made once per session
 * and then stays the same to the byte, so that prompt caches stay valid; whatever changes (axes,
 * scope, date, model) is in the <turn_meta> at the end of each user message.
 */
#ifndef SF_AGENT_PROMPT_H
#define SF_AGENT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "modes/modes.h"

/* Everything is borrowed; NULL and "" leave a part out. */
struct sf_prompt_facts {
    const char *workspace;    /* real path */
    const char *platform;     /* "Linux x86_64" */
    bool git;                 /* the workspace is a git work tree */
    bool headless;            /* there is no terminal to ask on */
    bool patches;             /* ApplyPatch instead of Edit */
    int depth;                /* nesting of a sub-agent; 0: the user's own session */
    const char *instructions; /* AGENTS.md and the like, with their names */
    const char *append;       /* --append-system-prompt */
    const char *role;         /* --system-prompt: instead of who the agent is and how it works */
};

void sf_prompt_system(const struct sf_prompt_facts *facts, struct sf_strbuf *out);

struct sf_turn_facts {
    const char *date; /* "2026-11-16 Monday", local */
    const struct sf_mode_state *state;
    const struct sf_scope_set *scopes;
    const char *model;    /* the concrete model */
    bool routed;          /* chosen by auto */
    const char *goal;     /* or NULL */
    const char *approval; /* the approval mode and what it means, where it is unusual; or NULL */
    const char *stand;    /* where relative paths begin, below the workspace; "": its root */
    const char *cwd;      /* the shell's directory, below the workspace */
    const struct sf_strlist *dirs; /* added by the user, absolute; or NULL */
};

/* Appends the <turn_meta> block: what is in force, with the rules of the mode and scope. */
void sf_prompt_turn_meta(const struct sf_turn_facts *facts, struct sf_strbuf *out);

#endif
