/*
 * retry: how long to wait before asking again. Pure: chance comes in as a number.
 */
#ifndef SF_MODEL_RETRY_H
#define SF_MODEL_RETRY_H

#include <stdint.h>

struct sf_retry_rule {
    int64_t first_ms, max_ms;
};

/*
 * Behind try number `attempt`, counted from 1. Without a wish of the service the wait doubles from
 * try to try and is scattered over its upper half; a wish (above 0) is met, with up to a tenth on
 * top, so that not everybody who was sent away comes back at once. Never longer than max_ms.
 * `chance` is any number.
 */
int64_t sf_retry_wait(const struct sf_retry_rule *rule, int attempt, int64_t retry_after_ms,
                      uint64_t chance);

#endif
