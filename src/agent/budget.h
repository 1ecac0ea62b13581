/*
 * budget: what a run may use, what it has used, and alerts on the way. A limit ends a run even
 * within a turn.
 */
#ifndef SF_AGENT_BUDGET_H
#define SF_AGENT_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum sf_budget_kind {
    SF_BUDGET_TOKENS, /* in and out, as the service counts them */
    SF_BUDGET_COST,   /* micro-USD */
    SF_BUDGET_TURNS,  /* answers of the model */
    SF_BUDGET_CALLS,  /* of tools */
    SF_BUDGET_TIME,   /* milliseconds of wall time */
    SF_BUDGET_COUNT,
};

struct sf_budget_row {
    enum sf_budget_kind kind;
    const char *name;    /* "cost": in events */
    const char *label;   /* "cost": for people, for whom a turn is more than one answer */
    const char *what;    /* "the cost limit" */
    const char *setting; /* the key of the setting */
    const char *option;  /* the command line option */
};

extern const struct sf_budget_row sf_budgets[SF_BUDGET_COUNT]; /* by enum sf_budget_kind */

struct sf_budget {
    int64_t limit[SF_BUDGET_COUNT]; /* 0: none */
    int64_t spent[SF_BUDGET_COUNT];
    int event[SF_BUDGET_COUNT]; /* percentage of the last alert */
};

/* Adds to `spent`; saturates at INT64_MAX and ignores negative amounts. */
void sf_budget_spend(struct sf_budget *budget, enum sf_budget_kind kind, int64_t amount);

/* The first limit that is used up; -1: none. */
int sf_budget_over(const struct sf_budget *budget);

/* 50, 75, 90 or 100 if that percentage was passed since the last call, else 0. */
int sf_budget_alert(struct sf_budget *budget, enum sf_budget_kind kind);

/* "$1.50 of $2.00", "40 of 200": for people. */
void sf_budget_text(const struct sf_budget *budget, enum sf_budget_kind kind,
                    struct sf_strbuf *out);

#endif
