/*
 * event_words: texts about events, the same on every surface, live and when the log is replayed.
 */
#ifndef SF_PORT_EVENT_WORDS_H
#define SF_PORT_EVENT_WORDS_H

#include <stdbool.h>

#include "base/base.h"
#include "session/session.h"

/* A sentence about how a turn ended and what to do; "" if it ended well. */
void sf_event_reason(const struct sf_event_done *done, struct sf_strbuf *out);

/* "the conversation became a summary: about 31k tokens before, about 6k now" */
void sf_event_compacted(const struct sf_event_compacted *compacted, struct sf_strbuf *out);

/* "M1/S1/T1: verification passed", with the command that leads on from a halt. */
void sf_event_run_line(const struct sf_event_run *run, struct sf_strbuf *out);

/* ---- a call that is asked about ---- */

extern const char *const sf_loss_labels[SF_LOSS_COUNT]; /* a label for each kind of loss */

const char *sf_ask_class(const struct sf_judged *judged); /* the class of a command, or "" */
bool sf_ask_writes(const struct sf_judged *judged);       /* writes files of the workspace */

/*
 * Whether an answer can hold for longer than the call; then `words` gets for what. What cannot be
 * shown whole is never approved for longer.
 */
bool sf_ask_keeps(const struct sf_event_ask *ask, struct sf_strbuf *words);

/* Whether a call with this id is a command of the user's own, not one of the model's. */
bool sf_call_is_users(const char *id);

/* ---- a goal, a restore, sums ---- */

/* "fix the parser", or "paused: fix the parser" */
void sf_port_goal_line(const struct sf_goal *goal, struct sf_strbuf *out);
void sf_port_goal_used(const struct sf_goal *goal, struct sf_strbuf *out);

/* The number of files and links that a restore would change. */
size_t sf_restore_files(const struct sf_restore_job *job);

/* Micro-USD for people: $0.012, $1.84; a limit, which is a round sum, as $5.00. */
void sf_money_add(struct sf_strbuf *out, int64_t micro);
void sf_limit_add(struct sf_strbuf *out, int64_t micro);

/* How much of the window is filled: "37%"; nothing where that is not known. */
void sf_context_percent_add(struct sf_strbuf *out, int64_t used, int64_t window);

/* "+46 −5"; zeros are left out. */
void sf_lines_add(struct sf_strbuf *out, uint64_t plus, uint64_t minus);

struct sf_overview;

/*
 * "3 files", "about +46 −5" (by adding up single edits), and both as "3 files, about +46 −5"; nothing
 * where no file changed.
 */
void sf_changed_files_add(struct sf_strbuf *out, const struct sf_overview *overview);
void sf_changed_lines_add(struct sf_strbuf *out, const struct sf_overview *overview);
void sf_changed_add(struct sf_strbuf *out, const struct sf_overview *overview);

#endif
