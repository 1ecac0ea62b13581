/*
 * internal: the fields of the machine, shared by the files of this room that make it up.
 */
#ifndef SF_AGENT_INTERNAL_H
#define SF_AGENT_INTERNAL_H

#include "agent/compact.h"
#include "agent/log.h"
#include "agent/turn.h"
#include "base/base.h"

enum sf_turn_call_state {
    SF_TURN_CALL_WAITING, /* not started yet */
    SF_TURN_CALL_JUDGING,
    SF_TURN_CALL_ASKED,
    SF_TURN_CALL_RUNNING,
    SF_TURN_CALL_DONE,
};

struct sf_agent_call {
    enum sf_turn_call_state state;
    size_t at; /* index of its block in the answer */
    bool parallel;
    bool stopped; /* was told to stop, but its result has not come yet */
};

struct sf_agent_end {
    enum sf_turn_status status;
    int budget;
    struct sf_wire_error error;
};

struct sf_agent {
    struct sf_agent_setup setup;
    struct sf_budget budget;
    enum sf_phase phase;
    struct sf_conversation conversation;
    struct sf_message answer; /* the complete blocks of the answer so far */
    size_t answer_size;       /* their size in the log, in bytes */
    struct sf_strbuf partial; /* text of the answer or of the summary so far */
    size_t begun;             /* number of calls in the answer that are not complete */
    struct sf_strbuf writing; /* tool name of the last call that began */
    struct sf_usage usage;    /* of the running request */
    int64_t counted;          /* tokens of the last request, as the service counted them */
    int64_t guessed;          /* estimated tokens of the messages after those */
    size_t guessed_messages;  /* number of messages included in `counted` or `guessed` */
    int64_t last_ms;
    int64_t overhead;       /* estimated tokens of system prompt and tools */
    bool compacted;         /* a summary was just made; no other before the next answer */
    bool asked_for;         /* the user asked for the summary that is being made */
    struct sf_strbuf focus; /* what the user said matters in it */
    int continues;

    struct sf_agent_call *calls; /* of the last answer, in order */
    size_t call_count, call_cap;
    struct {
        unsigned char key[SF_SHA256_SIZE]; /* of the last call */
        int count;                         /* times in a row */
    } repeat;

    struct sf_agent_end end;
};

struct sf_effect *sf_effect_add(struct sf_effects *effects, enum sf_effect_kind kind);
void sf_effect_message(struct sf_effects *effects, const char *event,
                       const struct sf_message *message, const char *detail);
void sf_effect_notice(struct sf_effects *effects, const char *text);

void sf_agent_spend(struct sf_agent *a, enum sf_budget_kind kind, int64_t amount,
                    struct sf_effects *fx);
void sf_agent_stop(struct sf_agent *a, enum sf_turn_status status, struct sf_effects *fx);
void sf_agent_ask(struct sf_agent *a, struct sf_effects *fx);
void sf_agent_finish(struct sf_agent *a, struct sf_effects *fx);
/* Reports waiting steers as delivered, before the conversation takes them. */
void sf_agent_deliver(struct sf_agent *a, struct sf_effects *fx);
/* Sends the next request, after all calls are answered. */
void sf_agent_ask_again(struct sf_agent *a, struct sf_effects *fx);

/* ---- summary.c ---- */

bool sf_summary_is_due(struct sf_agent *a);

/*
 * Asks for a summary; `focus` is what the user said matters, NULL: sf itself needs a summary. False
 * if the request would not fit into the window; then a summary was made by rule at once.
 */
bool sf_summary_begin(struct sf_agent *a, const char *focus, size_t len, struct sf_effects *fx);
void sf_summary_end(struct sf_agent *a, const struct sf_wire_error *error, struct sf_effects *fx);
void sf_summary_by_rule(struct sf_agent *a, struct sf_effects *fx);
/* Nothing of the conversation is shown to the model any more but this text and what stands. */
void sf_summary_afresh(struct sf_agent *a, const char *text, size_t len, struct sf_effects *fx);

/* ---- answer.c ---- */

/* Replaces arguments that are too large; the call is refused. */
#define SF_ARGS_TOO_LARGE "{\"too_large\":true}"

/* Notes the service's token count, which includes the first `messages` of the history. */
void sf_agent_count(struct sf_agent *a, int64_t tokens, size_t messages);

void sf_answer_take(struct sf_agent *a, struct sf_block *block); /* a complete block */

/* Removes what the service may have rejected, by its complaint; false if there is nothing left. */
bool sf_answer_forget(struct sf_agent *a, const char *complaint, struct sf_effects *fx);

/* ---- calls.c ---- */

void sf_calls_begin(struct sf_agent *a, struct sf_effects *fx); /* the calls of the last answer */
void sf_calls_judged(struct sf_agent *a, const struct sf_input *in, struct sf_effects *fx);

/* True if no more results are awaited. */
bool sf_calls_result(struct sf_agent *a, struct sf_input *in, struct sf_effects *fx);

/* Stops running calls and answers the others; true if no results are awaited. */
bool sf_calls_stop(struct sf_agent *a, struct sf_effects *fx);

#endif
