/*
 * goal: what a session is to reach: a text, a status, and a budget of tokens if there is one. It
 * changes no axis; it is told to the model and counted. Which status may follow which stands in
 * one table, that of goal.c.
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
    SF_GOAL_BUDGET_LIMITED, /* its own budget did */
    SF_GOAL_COMPLETE,
    SF_GOAL_STATUS_COUNT,
};

extern const char *const sf_goal_status_names[]; /* by enum sf_goal_status, NULL at the end */

struct sf_goal {
    bool set; /* false: there is none */
    enum sf_goal_status status;
    char text[SF_GOAL_TEXT_MAX + 1]; /* one line */
    char why[SF_GOAL_WHY_MAX + 1];   /* it is blocked, or "" */
    int64_t budget;                  /* tokens; 0: none */
    int64_t tokens, time_ms;         /* used while it was active */
};

bool sf_goal_status_parse(const char *name, enum sf_goal_status *out);

/* "50k", "1.5M", "20000"; "none" and "0" are 0. */
bool sf_goal_budget_parse(const char *text, size_t len, int64_t *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* ---- what is asked about it ---- */

enum sf_goal_verb {
    SF_GOAL_VERB_SHOW,
    SF_GOAL_VERB_SET,    /* text */
    SF_GOAL_VERB_BUDGET, /* budget alone: the goal stays */
    SF_GOAL_VERB_MOVE,   /* to, and why in text */
    SF_GOAL_VERB_CLEAR,
};

/* Texts are borrowed from the line that was read. */
struct sf_goal_command {
    enum sf_goal_verb verb;
    enum sf_goal_status to;
    const char *text;
    size_t len;
    int64_t budget; /* -1: nothing was said about it */
};

/*
 * What stands behind /goal: nothing, TEXT, a verb (pause, resume, complete, blocked [WHY], clear,
 * set TEXT), each with --budget TOKENS in front or at the end. A verb that takes no words and has
 * some is the beginning of a text.
 */
bool sf_goal_command_parse(const char *line, size_t len, struct sf_goal_command *out,
                           struct sf_error *err) SF_MUST_CHECK;

/*
 * The goal after the command, or why it cannot be: a move outside the table, no text, a budget that
 * is used up already. `goal` is left alone then.
 */
bool sf_goal_apply(struct sf_goal *goal, const struct sf_goal_command *command,
                   struct sf_error *err) SF_MUST_CHECK;

/* Work is for it: all but one that is paused or complete. A budget that is used up ends nothing. */
bool sf_goal_counts(const struct sf_goal *goal);

/* ---- as it is told ---- */

/* For <turn_meta>: text, status and what is left; nothing where the model need not know. */
void sf_goal_meta(const struct sf_goal *goal, struct sf_strbuf *out);

/* "12.3k of 50k tokens", "12.3k tokens" */
void sf_goal_used(const struct sf_goal *goal, struct sf_strbuf *out);

/* For people, in one line: "active: fix the parser (12.3k of 50k tokens, 4:10)". */
void sf_goal_line(const struct sf_goal *goal, struct sf_strbuf *out);

/* {"text","status","why","budget","tokens_used","time_used_ms"}; null where there is none. */
void sf_goal_json(const struct sf_goal *goal, struct sf_json_writer *w);

#endif
