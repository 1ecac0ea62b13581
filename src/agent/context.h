/*
 * context: what fills the model's window, part by part. Sizes are guesses made from the text; where
 * the service has counted the whole, the parts are scaled so that they add up to its number.
 */
#ifndef SF_AGENT_CONTEXT_H
#define SF_AGENT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "wire/wire.h"

enum sf_context_part {
    SF_CONTEXT_SYSTEM,
    SF_CONTEXT_TOOLS,
    SF_CONTEXT_INSTRUCTIONS, /* AGENTS.md and its like */
    SF_CONTEXT_MEMORY,
    SF_CONTEXT_PINNED,
    SF_CONTEXT_SUMMARY, /* of what came before */
    SF_CONTEXT_USER,
    SF_CONTEXT_ASSISTANT, /* texts, reasoning and calls */
    SF_CONTEXT_RESULTS,
    SF_CONTEXT_NOTES,  /* sf's own beside the user's words: turn_meta, commands they ran */
    SF_CONTEXT_ANSWER, /* kept free for the answer */
    SF_CONTEXT_FREE,
    SF_CONTEXT_COUNT,
};

extern const char *const sf_context_names[SF_CONTEXT_COUNT]; /* for people */

/* Tokens, guessed. */
struct sf_context_facts {
    int64_t system, tools, instructions, memory; /* the last two are not part of the first */
    const struct sf_history *history;
    int64_t total;              /* of the next request, as far as known; 0: what the parts are */
    int64_t window, max_output; /* 0: not known */
};

struct sf_context {
    int64_t tokens[SF_CONTEXT_COUNT];
    int64_t used, window; /* without the last two parts; 0: not known */
};

void sf_context_weigh(const struct sf_context_facts *facts, struct sf_context *out);

/* Of the window, or where that is not known, of what is used; whole per cent, rounded. */
int sf_context_percent(const struct sf_context *context, int64_t tokens);

/* How many of `cells` stand for so many tokens of `of`; more than none is at least one. */
int sf_context_cells(int64_t tokens, int64_t of, int cells);

#endif
