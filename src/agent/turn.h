/*
 * turn: the state machine of one conversation. Feed it inputs, perform the effects it appends, in
 * order, and feed back their outcomes:
 *
 *     user ─► SAVE user, REQUEST ─► stream … end ─► SAVE assistant ─┬─ no calls ─► SAVE end, END
 *                  ▲                                                └─ calls ─► CALL …
 *                  └───────────── all answered ◄── SAVE result ◄── judged, answered, result
 *
 * A SAVE must be durable before the next effect is performed. Calls of one answer that only read
 * run in parallel, all others one after the other; results are always in the order of the calls.
 * However a turn ends, every call has a result, so the history is valid for every service.
 *
 * Budgets are checked before anything is spent and apply within a turn. The same call five times in
 * a row is refused; a model that keeps making it is stopped.
 */
#ifndef SF_AGENT_TURN_H
#define SF_AGENT_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/budget.h"
#include "agent/log.h"
#include "base/base.h"
#include "wire/wire.h"

enum {
    SF_AGENT_CALLS_MAX = 64,        /* calls of one answer that are run; the rest are refused */
    SF_AGENT_REPEATS = 4,           /* identical calls in a row that are run */
    SF_AGENT_STUBBORN = 4,          /* further ones that are refused before the turn is stopped */
    SF_AGENT_CONTINUES = 3,         /* times that a cut or paused answer is continued */
    SF_AGENT_ARGS_MAX = 4 << 20,    /* bytes of one call's arguments */
    SF_AGENT_ANSWER_MAX = 7 << 20,  /* bytes of an answer as it is stored, with escapes */
    SF_AGENT_PARTIAL_MAX = 1 << 20, /* bytes kept of an answer that is never finished */
};

struct sf_agent;

struct sf_agent_setup {
    struct sf_budget budget;
    int64_t window;     /* the model's window in tokens; 0: unknown, no summary ahead of time */
    int64_t max_output; /* tokens of an answer */
    bool by_rule;       /* the model cannot write summaries */
    const char *stand;  /* where its relative paths begin, logged beside answers; or NULL */

    /* Whether calls of the tool may run in parallel, because it only reads. */
    bool (*parallel)(void *ctx, const char *tool);
    /* The cost of a request in micro-USD; -1: unknown. */
    int64_t (*cost)(void *ctx, const struct sf_usage *usage);
    /* Appends what has to survive every summary verbatim: pinned facts, the rules in force. */
    void (*standing)(void *ctx, struct sf_strbuf *out);
    void *ctx;
};

struct sf_agent *sf_agent_new(const struct sf_agent_setup *setup);
void sf_agent_free(struct sf_agent *agent); /* NULL is welcome */

/* Another model is used from the next request on. */
void sf_agent_set_window(struct sf_agent *agent, int64_t window, int64_t max_output);

/* Sets the estimated tokens of a request besides the history, until a service has counted. */
void sf_agent_set_overhead(struct sf_agent *agent, int64_t tokens);

/* Counts what a sub-agent used for this agent too. */
void sf_agent_charge(struct sf_agent *agent, const struct sf_budget *used);

enum sf_phase {
    SF_PHASE_IDLE,
    SF_PHASE_MODEL,   /* an answer is awaited or arriving */
    SF_PHASE_TOOLS,   /* calls are judged, asked about or running */
    SF_PHASE_COMPACT, /* a summary is awaited */
    SF_PHASE_ENDING,  /* stopped; waiting for the results of running calls */
};

enum sf_phase sf_agent_phase(const struct sf_agent *agent);
bool sf_agent_in_turn(const struct sf_agent *agent); /* a summary can be made between turns */
const struct sf_history *sf_agent_history(const struct sf_agent *agent);
const struct sf_budget *sf_agent_budget(const struct sf_agent *agent);
bool sf_agent_wants_summaries(const struct sf_agent *agent); /* of the model's reasoning */
int64_t sf_agent_context(struct sf_agent *agent); /* estimated tokens of the next request */

/* Tokens of the longest message that fits beside a summary of all before it; 0: not known. */
int64_t sf_agent_room(const struct sf_agent *agent);

/* ---- inputs ---- */

enum sf_input_kind {
    SF_IN_USER,    /* message: begins a turn, when idle */
    SF_IN_STEER,   /* text: from the user for the running turn */
    SF_IN_REMARK,  /* text: from sf itself for the running turn, a <turn_meta> */
    SF_IN_STREAM,  /* stream: an event of the running request */
    SF_IN_RETRY,   /* the request failed and is retried; its pieces are void */
    SF_IN_ALLOWED, /* call: the verdict or the user allows it */
    SF_IN_ASKED,   /* call: the user is being asked */
    SF_IN_RESULT,  /* call, result: how it ended, also when it was refused */
    SF_IN_CANCEL,  /* text: why, or NULL: the user cancelled */
    SF_IN_AFRESH,  /* text: all the model sees of the conversation so far, when idle */
    SF_IN_COMPACT, /* make a summary now, when idle; text: what matters, or NULL */
    SF_IN_TIME,    /* only the clock */
};

struct sf_input {
    enum sf_input_kind kind;
    int64_t now_ms;             /* monotonic */
    struct sf_message *message; /* taken over */
    const char *text;
    size_t len;
    const struct sf_stream_event *stream; /* a block's strings are taken over */
    size_t call;                          /* as in SF_DO_CALL */
    struct sf_block *result;              /* taken over; id and name are filled in */
    const char *detail;                   /* JSON object stored beside the result, or NULL */
};

/* ---- effects ---- */

enum sf_turn_status {
    SF_TURN_DONE,
    SF_TURN_CANCELLED,
    SF_TURN_FAILED,  /* the service failed; `fault` says how */
    SF_TURN_LIMIT,   /* `budget` says which limit; -1: the model's limit of an answer's length */
    SF_TURN_BLOCKED, /* the model repeated the same call */
    SF_TURN_REFUSED, /* the model declined */
    SF_TURN_UNABLE,  /* the offline operator could not do it; the answer says why */
};

extern const char *const sf_turn_status_names[];

enum sf_effect_kind {
    SF_DO_SAVE,       /* event, json: to the log, before anything else */
    SF_DO_REQUEST,    /* ask the model, with sf_agent_history */
    SF_DO_SUMMARY,    /* ask the model for a summary: the history, then `text` */
    SF_DO_STOP_MODEL, /* cancel the running request; none of its events may arrive any more */
    SF_DO_CALL,       /* call, block: judge it, then allowed, asked or result */
    SF_DO_RUN,        /* call: it was allowed, run it */
    SF_DO_STOP_CALL,  /* call: stop it, or withdraw the question; its result must still come */
    SF_DO_ANSWERED,   /* call, block, text, is_error: the result is saved and may be shown */
    SF_DO_TEXT,       /* text: a piece of the answer, to be shown */
    SF_DO_REASONING,  /* text */
    SF_DO_USAGE,      /* usage, cost: of a request that has ended */
    SF_DO_COMPACTED,  /* text: the summary; before, after: estimated tokens; call: messages kept */
    SF_DO_STEERED,    /* text: sent during the turn, and part of the history now */
    SF_DO_NOTICE,     /* text: for the user */
    SF_DO_END,        /* status, budget, error: the turn is over */
};

/* Owned by the list; blocks and text are borrowed from the agent until the next step. */
struct sf_effect {
    enum sf_effect_kind kind;
    const char *event;     /* one of the SF_LOG_ kinds */
    struct sf_strbuf json; /* of SF_DO_SAVE */
    struct sf_strbuf text;
    size_t call;
    const struct sf_block *block; /* the call */
    bool is_error;
    struct sf_usage usage;
    int64_t cost; /* micro-USD; -1: not known */
    int64_t before, after;
    enum sf_turn_status status;
    int budget; /* enum sf_budget_kind, or -1 */
    struct sf_wire_error error;
};

struct sf_effects {
    struct sf_effect *items;
    size_t count, cap;
};

void sf_effects_reset(struct sf_effects *effects); /* empties the list, keeps the memory */
void sf_effects_release(struct sf_effects *effects);

/* Processes the input and appends effects. Inputs that do not fit the phase are ignored. */
void sf_agent_step(struct sf_agent *agent, struct sf_input *input, struct sf_effects *effects);

/* ---- resuming ---- */

/* Takes in one event of the log; in order, before the first step. */
bool sf_agent_load(struct sf_agent *agent, const char *kind, const char *json, size_t len,
                   struct sf_error *err) SF_MUST_CHECK;

/*
 * After the last event: answers calls that were left open, so that the history is valid. `partial`
 * is the text of an unfinished answer. Only the SAVE effects are to be performed.
 */
void sf_agent_repair(struct sf_agent *agent, const char *partial, size_t len,
                     struct sf_effects *effects);

#endif
