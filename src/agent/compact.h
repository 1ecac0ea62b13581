/*
 * compact: replaces a long conversation by a summary. The model writes the summary; the user's
 * prompts are added verbatim, with the files that were touched, and the last messages stay as they
 * are. If the model gives no summary, sf makes one by rule, so that a full window never ends a
 * session. The log keeps everything.
 */
#ifndef SF_AGENT_COMPACT_H
#define SF_AGENT_COMPACT_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "wire/wire.h"

/*
 * The request to the model, after the history. `focus` is what the user said matters, `standing`
 * is what sf adds verbatim to the summary; both may be "".
 */
void sf_compact_ask(const char *focus, const char *standing, struct sf_strbuf *out);

/* The number of last messages to keep: at most `tokens`, beginning where a history may begin. */
size_t sf_compact_keep(const struct sf_history *history, int64_t tokens);

struct sf_compact {
    const struct sf_history *history;
    size_t keep;      /* number of last messages to keep */
    const char *said; /* the model's summary; NULL: none */
    size_t len;
    const char *standing; /* or "" */
    size_t room;          /* approximate bytes for all but `standing`; 0: the maximum */
};

/* Appends the message that replaces all but the last `keep`. */
void sf_compact_text(const struct sf_compact *compact, struct sf_strbuf *out);

#endif
