/*
 * compact: a long conversation as a short one. The model writes the summary; what the user said
 * stands in it word for word, with the files that were touched, and the last messages stay as
 * they are. Where the model gives no summary, one is made by rule, so that a full window never
 * ends a session. The log keeps everything.
 */
#ifndef SF_AGENT_COMPACT_H
#define SF_AGENT_COMPACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "wire/wire.h"

/*
 * What the model is asked, behind the history. `focus` is what the user said matters, `standing`
 * what is carried over word for word whatever it writes; both may be "".
 */
void sf_compact_ask(const char *focus, const char *standing, struct sf_strbuf *out);

/* How many of the last messages stay: at most `tokens`, and cut where a history may begin. */
size_t sf_compact_keep(const struct sf_history *history, int64_t tokens);

struct sf_compact {
    const struct sf_history *history;
    size_t keep;      /* of the last messages */
    const char *said; /* the model's summary; NULL: it gave none */
    size_t len;
    const char *standing; /* or "" */
    size_t room;          /* bytes, about, for all but `standing`; 0: the most there ever is */
};

/* The message that stands for all but the last `keep`. */
void sf_compact_text(const struct sf_compact *compact, struct sf_strbuf *out);

#endif
