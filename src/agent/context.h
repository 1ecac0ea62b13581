/*
 * context: what fills the model's window, part by part. Sizes are estimated from the text; if the
 * service has counted the whole, the parts are scaled so that they add up to its number.
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
    SF_CONTEXT_INSTRUCTIONS, /* AGENTS.md and the like */
    SF_CONTEXT_MEMORY,
    SF_CONTEXT_PINNED,
    SF_CONTEXT_SUMMARY, /* of the earlier conversation */
    SF_CONTEXT_USER,
    SF_CONTEXT_ASSISTANT, /* texts, reasoning and calls */
    SF_CONTEXT_RESULTS,
    SF_CONTEXT_NOTES,  /* sf's notes beside prompts: turn_meta, commands the user ran */
    SF_CONTEXT_ANSWER, /* reserved for the answer */
    SF_CONTEXT_FREE,
    SF_CONTEXT_COUNT,
};

extern const char *const sf_context_names[SF_CONTEXT_COUNT]; /* for people */

/* Estimated tokens. */
struct sf_context_facts {
    int64_t system, tools, instructions, memory; /* the last two are not part of the first */
    const struct sf_history *history;
    int64_t total;              /* of the next request, if known; 0: the sum of the parts */
    int64_t window, max_output; /* 0: unknown */
};

struct sf_context {
    int64_t tokens[SF_CONTEXT_COUNT];
    int64_t used, window; /* `used` is without the last two parts; window 0: unknown */
};

void sf_context_weigh(const struct sf_context_facts *facts, struct sf_context *out);

/* The percentage of the window or, if that is unknown, of what is used; rounded. */
int sf_context_percent(const struct sf_context *context, int64_t tokens);

/* The share of `cells` for `tokens` out of `of`; at least one if there are any tokens. */
int sf_context_cells(int64_t tokens, int64_t of, int cells);

#endif
