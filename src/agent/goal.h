/*
 * goal: the goal of a session: a text, a status, and optionally a budget of tokens. A goal changes
 * no axis; the model gets it, and usage is counted for it. A table in goal.c says which status may
 * follow which.
 *
 *     active ── pause ──► paused ── resume ──► active ── complete ──► complete
 *        └── budget used up, provider's limit, blocked ──► … ── resume ──► active
 */
#ifndef SF_AGENT_GOAL_H
#define SF_AGENT_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_GOAL_TEXT_MAX = 2000, /* bytes */
    SF_GOAL_WHY_MAX = 300,
};

#define SF_GOAL_BUDGET_MAX INT64_C(1000000000000)

enum sf_goal_status {
    SF_GOAL_ACTIVE,
    SF_GOAL_PAUSED,
    SF_GOAL_BLOCKED,
    SF_GOAL_USAGE_LIMITED,  /* the provider's limit stopped it */
    SF_GOAL_BUDGET_LIMITED, /* its own budget is used up */
    SF_GOAL_COMPLETE,
    SF_GOAL_STATUS_COUNT,
};

extern const char *const sf_goal_status_names[]; /* by enum sf_goal_status, NULL at the end */

struct sf_goal {
    bool set; /* false: no goal */
    enum sf_goal_status status;
    char text[SF_GOAL_TEXT_MAX + 1]; /* one line */
    char why[SF_GOAL_WHY_MAX + 1];   /* why it is blocked, or "" */
    int64_t budget;                  /* tokens; 0: no budget */
    int64_t tokens, time_ms;         /* counted so far */
};

bool sf_goal_status_parse(const char *name, enum sf_goal_status *out);

/* "50k", "1.5M", "20000"; "none" and "0" are 0. */
bool sf_goal_budget_parse(const char *text, size_t len, int64_t *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* ---- commands ---- */

enum sf_goal_verb {
    SF_GOAL_VERB_SHOW,
    SF_GOAL_VERB_SET,    /* text */
    SF_GOAL_VERB_BUDGET, /* changes only the budget */
    SF_GOAL_VERB_MOVE,   /* to the status `to`; `text` says why */
    SF_GOAL_VERB_CLEAR,
};

/* `text` is borrowed from the line that was parsed. */
struct sf_goal_command {
    enum sf_goal_verb verb;
    enum sf_goal_status to;
    const char *text;
    size_t len;
    int64_t budget; /* -1: not given */
};

/*
 * Parses the arguments of /goal: nothing, TEXT, a verb (pause, resume, complete, blocked [WHY],
 * clear, set TEXT), each with --budget TOKENS at the front or at the end. A verb that takes no
 * argument but is followed by text is the beginning of a goal.
 */
bool sf_goal_command_parse(const char *line, size_t len, struct sf_goal_command *out,
                           struct sf_error *err) SF_MUST_CHECK;

/*
 * Applies the command to the goal. Fails, and leaves `goal` alone, for a move that is not in the
 * table, a missing text, or a budget that is used up already.
 */
bool sf_goal_apply(struct sf_goal *goal, const struct sf_goal_command *command,
                   struct sf_error *err) SF_MUST_CHECK;

/* Whether usage counts for the goal: unless it is paused or complete, even beyond its budget. */
bool sf_goal_counts(const struct sf_goal *goal);

/* ---- as text ---- */

/* For <turn_meta>: text, status and remaining budget; nothing if the model need not know. */
void sf_goal_meta(const struct sf_goal *goal, struct sf_strbuf *out);

/* "12.3k of 50k tokens", "12.3k tokens" */
void sf_goal_used(const struct sf_goal *goal, struct sf_strbuf *out);

/* For people, in one line: "active: fix the parser (12.3k of 50k tokens, 4:10)". */
void sf_goal_line(const struct sf_goal *goal, struct sf_strbuf *out);

/* {"text","status","why","budget","tokens_used","time_used_ms"}; null if there is no goal. */
void sf_goal_json(const struct sf_goal *goal, struct sf_json_writer *w);

#endif
