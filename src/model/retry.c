/*
 * retry.c: doubling, scattering, capping.
 */
#include "model/retry.h"

/* From 0 to `most`, both included. */
static int64_t scatter(int64_t most, uint64_t chance)
{
    return (int64_t)(chance % ((uint64_t)most + 1));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t sf_retry_wait(const struct sf_retry_rule *rule, int attempt, int64_t retry_after_ms,
                      uint64_t chance)
{
    int64_t wait = least(rule->first_ms, rule->max_ms);

    if (retry_after_ms > 0) {
        wait = least(retry_after_ms, rule->max_ms);
        return least(wait + scatter(wait / 10, chance), rule->max_ms);
    }
    for (int i = 1; i < attempt && wait < rule->max_ms; i++)
        wait = wait > rule->max_ms / 2 ? rule->max_ms : wait * 2;
    return wait - wait / 2 + scatter(wait / 2, chance);
}
