/*
 * log_replay: a session's log as the events that were told when it was written, for a surface that
 * shows a conversation again and for one that watches another process's session. A row may give
 * none, one or many: an answer is its words, its end and its first calls.
 *
 * Rows come in their order, from a place where no turn is cut: the beginning, a row of kind
 * SF_LOG_USER, or an answer before which nothing was said that still waits. `turn` and `message`
 * are known from the first SF_LOG_USER on.
 *
 * Life: sf_log_replay_new, sf_log_replay_row for each, sf_log_replay_end where nothing will follow, sf_log_replay_free.
 */
#ifndef SF_PORT_LOG_REPLAY_H
#define SF_PORT_LOG_REPLAY_H

#include "session/session.h"

struct sf_log_replay;

struct sf_log_replay *sf_log_replay_new(void);
void sf_log_replay_free(struct sf_log_replay *replay); /* NULL is welcome */

/* Events are borrowed for the call, as those of a session are. */
void sf_log_replay_row(struct sf_log_replay *replay, const struct sf_event_row *row,
                       sf_session_event_fn *told, void *ctx);

/* Nobody goes on with the turn: words that still wait were never delivered, which is told. */
void sf_log_replay_end(struct sf_log_replay *replay, sf_session_event_fn *told, void *ctx);

#endif
