/*
 * log: a conversation as events of the store, and back. Reading the events in order yields the same
 * history again, byte for byte, so a resumed session sends what the running one would have sent.
 *
 *     user        a prompt, with its turn_meta
 *     assistant   a complete answer
 *     result      the result of one call
 *     steer       text sent during a turn; it joins the next message to the model
 *     remark      the same from sf itself: a <turn_meta> about what changed meanwhile
 *     compaction  the history up to here was replaced by a summary
 *     forget      the reasoning (or images) up to here is not sent any more
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

/* Prefixes of what sf adds to the user's messages. */
#define SF_BRIEFED_TAG  "<instructions_changed>"
#define SF_RESTORED_TAG "<user_restore>"
#define SF_UNIT_TAG     "<unit>" /* a unit of a plan begins: what its model has to know */

#define SF_WHY_AFRESH \
    "unit" /* why a compaction was made: a unit begins, and nothing is to be read */

#define SF_UNSTEERED "not delivered, since the turn ended: " /* prefix of text that came too late */

/*
 * The conversation as it is built, live or from the log by the same code. While the last answer has
 * open calls, results wait in `results` until each call has one.
 */
struct sf_conversation {
    struct sf_history history;
    struct sf_message results; /* blocks in the order of the calls; kind TEXT: missing */
    size_t open;               /* number of calls without a result */
    struct sf_strlist steers;  /* text sent during the turn that is not in a message yet */
    bool in_turn;              /* a turn has begun and not ended */
    bool no_summaries;         /* the service refuses summaries of reasoning to this account */
};

/* clang-format off */
#define SF_CONVERSATION_INIT { SF_HISTORY_INIT, SF_MESSAGE_INIT(SF_ROLE_USER), 0, SF_STRLIST_INIT, \
                               false, false }
/* clang-format on */

void sf_conversation_release(struct sf_conversation *conversation);

/* The first two take over the contents of the message. */
void sf_conversation_user(struct sf_conversation *conversation, struct sf_message *message);
void sf_conversation_answer(struct sf_conversation *conversation, struct sf_message *message);
void sf_conversation_steer(struct sf_conversation *conversation, const char *text, size_t len);

/* Takes over the block; false if no call with that id waits for a result. */
bool sf_conversation_result(struct sf_conversation *conversation, struct sf_block *result);

/* Replaces everything but the last `keep` messages by the summary. */
void sf_conversation_compact(struct sf_conversation *conversation, const char *summary, size_t len,
                             size_t keep);
void sf_conversation_end(struct sf_conversation *conversation);

/*
 * Removes all "reasoning" or all "images", or asks for no more "summaries"; false if there is
 * nothing to do.
 */
bool sf_conversation_forget(struct sf_conversation *conversation, const char *what);

/* The next call of the last answer without a result, from `index` on; NULL: none. */
const struct sf_block *sf_conversation_unanswered(const struct sf_conversation *conversation,
                                                  size_t index);

/*
 * Takes in one event of the store. Other kinds are ignored. Damage is an error that names the
 * event.
 */
bool sf_conversation_read(struct sf_conversation *conversation, const char *kind, const char *json,
                          size_t len, struct sf_error *err) SF_MUST_CHECK;

#endif
