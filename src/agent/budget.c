/*
 * budget.c: limits as one row each. A limit is reached when nothing is left, so that a limit of
 * three turns allows three.
 */
#include "agent/budget.h"

#include <inttypes.h>

#include "base/base.h"

const struct sf_budget_row sf_budgets[SF_BUDGET_COUNT] = {
    { SF_BUDGET_TOKENS, "tokens", "tokens", "the limit of tokens", "limits.max_tokens",
      "--max-tokens" },
    { SF_BUDGET_COST, "cost", "cost", "the cost limit", "limits.max_cost", "--max-cost" },
    { SF_BUDGET_TURNS, "turns", "answers", "the limit of the model's answers", "limits.max_turns",
      "--max-turns" },
    { SF_BUDGET_CALLS, "tool-calls", "tool calls", "the limit of tool calls",
      "limits.max_tool_calls", "--max-tool-calls" },
    { SF_BUDGET_TIME, "time", "time", "the time limit", "limits.max_time", "--max-time" },
};

void sf_budget_spend(struct sf_budget *budget, enum sf_budget_kind kind, int64_t amount)
{
    if (amount > 0 && __builtin_add_overflow(budget->spent[kind], amount, &budget->spent[kind]))
        budget->spent[kind] = INT64_MAX;
}

int sf_budget_over(const struct sf_budget *budget)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        if (budget->limit[i] > 0 && budget->spent[i] >= budget->limit[i])
            return i;
    return -1;
}

int sf_budget_alert(struct sf_budget *budget, enum sf_budget_kind kind)
{
    static const int steps[] = { 100, 90, 75, 50 };
    double share;

    if (budget->limit[kind] <= 0)
        return 0;
    share = 100.0 * (double)budget->spent[kind] / (double)budget->limit[kind];
    for (size_t i = 0; i < SF_COUNT(steps); i++) {
        if (share < steps[i])
            continue;
        if (budget->event[kind] >= steps[i])
            return 0;
        budget->event[kind] = steps[i];
        return steps[i];
    }
    return 0;
}

/* "20,000,000" */
static void add_grouped(struct sf_strbuf *out, int64_t n)
{
    if (n >= 1000)
        add_grouped(out, n / 1000);
    sf_strbuf_addf(out, n >= 1000 ? ",%03" PRId64 : "%" PRId64, n >= 1000 ? n % 1000 : n);
}

/* "25 s", "12 min", "1 h 30 min" */
static void add_time(struct sf_strbuf *out, int64_t s)
{
    int64_t min = s / 60;

    if (s < 120)
        sf_strbuf_addf(out, "%" PRId64 " s", s);
    if (s >= 3600)
        sf_strbuf_addf(out, "%" PRId64 " h%s", min / 60, min % 60 ? " " : "");
    if (s >= 120 && (s < 3600 || min % 60))
        sf_strbuf_addf(out, "%" PRId64 " min", min % 60);
}

static void add_amount(struct sf_strbuf *out, enum sf_budget_kind kind, int64_t amount)
{
    switch (kind) {
    case SF_BUDGET_COST:
        sf_strbuf_addf(out, "$%.2f", (double)amount / 1e6);
        break;
    case SF_BUDGET_TIME:
        add_time(out, amount / 1000);
        break;
    case SF_BUDGET_TOKENS:
    case SF_BUDGET_TURNS:
    case SF_BUDGET_CALLS:
    case SF_BUDGET_COUNT:
        add_grouped(out, amount);
        break;
    }
}

void sf_budget_text(const struct sf_budget *budget, enum sf_budget_kind kind, struct sf_strbuf *out)
{
    add_amount(out, kind, budget->spent[kind]);
    sf_strbuf_adds(out, " of ");
    add_amount(out, kind, budget->limit[kind]);
}
