/*
 * prompt_history: lines that were sent before; when it is full, the oldest are dropped. Pure: the
 * owner loads it at the start and stores additions. Going back starts from the draft, which is kept
 * and comes back at the end of going forward.
 *
 * Texts returned are borrowed until the next add; the draft until the next time going back starts.
 */
#ifndef SF_PORT_PROMPT_HISTORY_H
#define SF_PORT_PROMPT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SF_PAST_ENTRIES = 1000,
    SF_PAST_BYTES = 4 * 1024 * 1024, /* all together */
};

struct sf_prompt_history;

struct sf_prompt_history *sf_prompt_history_new(void);
void sf_prompt_history_free(struct sf_prompt_history *h); /* NULL is welcome */

/* False: not added, because it is blank, the same as the newest, or too long. Ends going back. */
bool sf_prompt_history_add(struct sf_prompt_history *h, const char *text, size_t len);

size_t sf_prompt_history_count(const struct sf_prompt_history *h);
/* 0 is the newest; NULL after the oldest. */
const char *sf_prompt_history_at(const struct sf_prompt_history *h, size_t index, size_t *len);

/* The entry before the one shown; NULL at the oldest. The first call keeps the draft. */
const char *sf_prompt_history_previous(struct sf_prompt_history *h, const char *draft,
                                       size_t draft_len, size_t *len);
/* The entry after the one shown, finally the draft; NULL when the draft is shown already. */
const char *sf_prompt_history_next(struct sf_prompt_history *h, size_t *len);
void sf_prompt_history_stop(struct sf_prompt_history *h); /* the text shown becomes the draft */

#endif
