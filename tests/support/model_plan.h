/*
 * model_plan: the bytes of one answer and how they come: pieces, repeated ones (so that a line of
 * 100 MiB costs nothing to keep), pauses, and an end that may be no proper one.
 *
 * Life: MODEL_PLAN_INIT, add pieces, then read; model_plan_release.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_PLAN_H
#define SF_TESTS_SUPPORT_MODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum model_piece_kind {
    MODEL_PIECE_BYTES,
    MODEL_PIECE_DELAY,
    MODEL_PIECE_STALL, /* nothing more comes, but the connection stays */
    MODEL_PIECE_CLOSE,
    MODEL_PIECE_RESET,
};

struct model_piece {
    enum model_piece_kind kind;
    size_t at, len; /* the pattern, in `bytes` */
    uint64_t total; /* bytes; the pattern is repeated and cut to it */
    int64_t ms;
};

struct model_plan {
    struct sf_strbuf bytes;
    struct model_piece *pieces;
    size_t count, cap;
    size_t next;   /* the piece to read from */
    uint64_t done; /* bytes read of it */
};

#define MODEL_PLAN_INIT                  \
    {                                    \
        SF_STRBUF_INIT, NULL, 0, 0, 0, 0 \
    }

void model_plan_release(struct model_plan *plan);

/* ${fill:N} in the bytes becomes N times "x". */
void model_plan_add(struct model_plan *plan, const char *bytes, size_t len);
void model_plan_repeat(struct model_plan *plan, const char *bytes, size_t len, uint64_t times);
void model_plan_delay(struct model_plan *plan, int64_t ms);
void model_plan_until(struct model_plan *plan, const char *path); /* that file is there */

/* Drops all behind the first `at` bytes and ends the plan in that way. */
void model_plan_end(struct model_plan *plan, uint64_t at, enum model_piece_kind how);

uint64_t model_plan_total(const struct model_plan *plan); /* bytes */

/*
 * Takes the next thing: up to `max` bytes appended to `out` (MODEL_PIECE_BYTES), or a piece of
 * another kind, with its time in `ms`. False when the plan is through.
 */
bool model_plan_read(struct model_plan *plan, size_t max, struct sf_strbuf *out,
                     enum model_piece_kind *kind, int64_t *ms);

/* All bytes as one gzip file; pauses are lost. False when there are more than 64 MiB. */
bool model_plan_gzip(struct model_plan *plan);

#endif
