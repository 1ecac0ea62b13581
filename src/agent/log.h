/*
 * log: a conversation as events of the store, and back. The machine writes what happens as it
 * happens; reading the events in order gives the same history again, byte for byte, so a resumed
 * session sends what the running one would have sent.
 *
 *     user        what the user said, with its turn_meta
 *     assistant   a complete answer
 *     result      what one call came to
 *     steer       words said during a turn; they join the next message to the model
 *     remark      the same from sf itself: a <turn_meta> about what changed meanwhile
 *     compaction  the history up to here became a summary
 *     forget      the reasoning up to here is not handed back any more
 *     end         the turn is over, and how
 */
#ifndef SF_AGENT_LOG_H
#define SF_AGENT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "wire/wire.h"

#define SF_LOG_USER       "user"
#define SF_LOG_ASSISTANT  "assistant"
#define SF_LOG_RESULT     "result"
#define SF_LOG_STEER      "steer"
#define SF_LOG_REMARK     "remark"
#define SF_LOG_COMPACTION "compaction"
#define SF_LOG_FORGET     "forget"
#define SF_LOG_END        "end"

/* What sf adds to the user's words begins so. */
#define SF_META_TAG     "<turn_meta>"
#define SF_BRIEFED_TAG  "<instructions_changed>"
#define SF_RESTORED_TAG "<user_restore>"
#define SF_OWN_TAG      "[sf] " /* the same where sf speaks itself */

#define SF_UNSTEERED "not delivered, since the turn ended: " /* before words that came too late */

/*
 * The conversation being put together, live or from the log: the same code does both. While
 * `answer` has calls, results wait in `results` until each call has its own.
 */
struct sf_conversation {
    struct sf_history history;
    struct sf_message results; /* blocks in the order of the calls; kind TEXT: not there yet */
    size_t open;               /* calls without a result */
    struct sf_strlist steers;  /* said, and not yet part of a message */
    bool in_turn;              /* a turn has begun and not ended */
    bool no_summaries;         /* the service gives this account none of its reasoning */
};

/* clang-format off */
#define SF_CONVERSATION_INIT { SF_HISTORY_INIT, SF_MESSAGE_INIT(SF_ROLE_USER), 0, SF_STRLIST_INIT, \
                               false, false }
/* clang-format on */

void sf_conversation_release(struct sf_conversation *conversation);

/* Each takes what it is given over. */
void sf_conversation_user(struct sf_conversation *conversation, struct sf_message *message);
void sf_conversation_answer(struct sf_conversation *conversation, struct sf_message *message);
void sf_conversation_steer(struct sf_conversation *conversation, const char *text, size_t len);

/* False when no call with that id waits for a result. */
bool sf_conversation_result(struct sf_conversation *conversation, struct sf_block *result);

/* The summary stands for everything but the last `keep` messages. */
void sf_conversation_compact(struct sf_conversation *conversation, const char *summary, size_t len,
                             size_t keep);
void sf_conversation_end(struct sf_conversation *conversation);

/*
 * Takes all "reasoning" or all "images" out, or wants no more "summaries"; false when that is so
 * already.
 */
bool sf_conversation_forget(struct sf_conversation *conversation, const char *what);

/* The call (a block of the last answer) that waits for its result, from `index` on; NULL: none. */
const struct sf_block *sf_conversation_unanswered(const struct sf_conversation *conversation,
                                                  size_t index);

/*
 * One event of the store. Kinds that are none of the conversation's are passed over. Damage is
 * an error that names the event.
 */
bool sf_conversation_read(struct sf_conversation *conversation, const char *kind, const char *json,
                          size_t len, struct sf_error *err) SF_MUST_CHECK;

#endif
