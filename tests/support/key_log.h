/*
 * key_log: what a decoder of keys told, as one line of text that tests compare. Text that came in
 * pieces reads as one, since how it is cut depends on the reading.
 */
#ifndef SF_TESTS_SUPPORT_KEY_LOG_H
#define SF_TESTS_SUPPORT_KEY_LOG_H

#include "base/base.h"
#include "term/term.h"

struct key_log {
    struct sf_strbuf text;
    bool typing; /* the last entry is text */
    size_t events;
};

/* clang-format off */
#define KEY_LOG_INIT { .text = SF_STRBUF_INIT }
/* clang-format on */

/* An sf_term_event_fn with a struct key_log. */
void key_log_hear(void *log, const struct sf_term_event *event);
void key_log_reset(struct key_log *log);

#endif
