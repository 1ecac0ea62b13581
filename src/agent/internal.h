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
    SF_TURN_CALL_WAITING, /* for its turn */
    SF_TURN_CALL_JUDGING,
    SF_TURN_CALL_ASKED,
    SF_TURN_CALL_RUNNING,
    SF_TURN_CALL_DONE,
};

struct sf_agent_call {
    enum sf_turn_call_state state;
    size_t at; /* its block in the answer */
    bool parallel;
    bool stopped; /* told to end; its result is still to come */
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
    struct sf_message answer; /* blocks that are complete */
    size_t answer_size;       /* bytes they take in the log */
    struct sf_strbuf partial; /* text of the answer so far, or of the summary */
    size_t begun;             /* calls of the answer that are not complete */
    struct sf_strbuf writing; /* the tool of the last call that began */
    struct sf_usage usage;    /* of the running request */
    int64_t counted;          /* tokens of the last request, as the service counted */
    int64_t guessed;          /* tokens of the messages behind those */
    size_t guessed_messages;  /* messages counted so far, there or in `counted` */
    int64_t last_ms;
    int64_t overhead;       /* tokens of what goes with every request, about */
    bool compacted;         /* just now: not again before an answer came */
    bool asked_for;         /* the user asked for the summary in the making */
    struct sf_strbuf focus; /* the user's words about what matters in it */
    int continues;

    struct sf_agent_call *calls; /* of the last answer, in order */
    size_t call_count, call_cap;
    struct {
        unsigned char key[SF_SHA256_SIZE]; /* of the last call */
        int count;                         /* how often in a row */
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
void sf_agent_deliver(struct sf_agent *a,
                      struct sf_effects *fx); /* before the conversation takes them */
void sf_agent_ask_again(struct sf_agent *a, struct sf_effects *fx); /* all calls are answered */

/* ---- summary.c ---- */

bool sf_summary_is_due(struct sf_agent *a);

/*
 * Asks for a summary; `focus` is what the user said matters, NULL: it is sf that needs one. Where
 * the question itself would not fit, one is made by rule at once, and false says so.
 */
bool sf_summary_begin(struct sf_agent *a, const char *focus, size_t len, struct sf_effects *fx);
void sf_summary_end(struct sf_agent *a, const struct sf_wire_error *error, struct sf_effects *fx);
void sf_summary_by_rule(struct sf_agent *a, struct sf_effects *fx);

/* ---- answer.c ---- */

/* Stands for arguments that are too large to hold; the call is refused. */
#define SF_ARGS_TOO_LARGE "{\"too_large\":true}"

/* The service counted so many tokens, those of the history's first messages among them. */
void sf_agent_count(struct sf_agent *a, int64_t tokens, size_t messages);

void sf_answer_take(struct sf_agent *a, struct sf_block *block); /* a complete block */

/* Leaves out what the service may have taken offence at; false when there is no such thing. */
bool sf_answer_forget(struct sf_agent *a, const char *complaint, struct sf_effects *fx);

/* ---- calls.c ---- */

void sf_calls_begin(struct sf_agent *a, struct sf_effects *fx); /* the last answer's */
void sf_calls_judged(struct sf_agent *a, const struct sf_input *in, struct sf_effects *fx);

/* True when that was the last one that was out. */
bool sf_calls_result(struct sf_agent *a, struct sf_input *in, struct sf_effects *fx);

/* Ends what runs and answers what does not; true when nothing is left to wait for. */
bool sf_calls_stop(struct sf_agent *a, struct sf_effects *fx);

#endif
