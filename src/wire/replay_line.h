/*
 * replay_line: the lines of a recording, which the provider `replay:FILE` plays (docs/REPLAY.md).
 * Written while a session runs (model/recording.h) and from its log (journal/export.h).
 *
 *     {"replay":{"version":1,"provider":"anthropic","model":"m","local":false}}   the first line
 *     {"request":{"prompt":"…"}}                        what the answer that follows was given to:
 *     {"request":{"results":[{"call":"Read {…}","sha256":"…"}]}}      words, or results of calls
 *
 *     {"request":{"results":[…],"steers":["…"]}}        what the user said while the calls ran
 *
 * then the lines of the answer, as model/replay.h describes them. Results are kept as digests.
 */
#ifndef SF_WIRE_REPLAY_LINE_H
#define SF_WIRE_REPLAY_LINE_H

#include <stdbool.h>

#include "base/base.h"
#include "wire/message.h"
#include "wire/stream.h"

enum { SF_REPLAY_VERSION = 1 };

/* Who answered while it was recorded. */
struct sf_replay_head {
    const char *provider, *model;
    bool local; /* on this machine, so that an unknown price is none */
};

void sf_replay_line_head(struct sf_strbuf *out, const struct sf_replay_head *head);

/* The request that ends with the last message of the history. */
void sf_replay_line_request(struct sf_strbuf *out, const struct sf_history *history);

/* Adds nothing for an event that the others imply. */
void sf_replay_line_event(struct sf_strbuf *out, const struct sf_stream_event *event);

/* A message of the log as a whole answer. */
void sf_replay_line_answer(struct sf_strbuf *out, const struct sf_message *message);

#endif
