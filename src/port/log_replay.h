/*
 * log_replay: turns a session's log back into the events that were sent when it was written, for a
 * surface that shows a conversation again and for one that watches another process's session. A row
 * may yield none, one or many: an answer is its text, its end and its first calls.
 *
 * Rows must come in order, beginning where no turn is cut: at the first row, at a row of kind
 * SF_LOG_USER, or at an answer before which no text waits to join the turn. `turn` and `message`
 * are known from the first SF_LOG_USER on.
 *
 * Life: sf_log_replay_new, sf_log_replay_row for each row, sf_log_replay_end if no more rows will
 * follow, sf_log_replay_free.
 */
#ifndef SF_PORT_LOG_REPLAY_H
#define SF_PORT_LOG_REPLAY_H

#include "session/session.h"

struct sf_log_replay;

/* `root` is the workspace, from which paths of calls are seen. Copied. */
struct sf_log_replay *sf_log_replay_new(const char *root);
void sf_log_replay_free(struct sf_log_replay *replay); /* NULL is welcome */

/* Events are borrowed for the call, like those of a session. */
void sf_log_replay_row(struct sf_log_replay *replay, const struct sf_event_row *row,
                       sf_session_event_fn *told, void *ctx);

/* The turn will not continue: reports text that still waits as never delivered. */
void sf_log_replay_end(struct sf_log_replay *replay, sf_session_event_fn *told, void *ctx);

#endif
