/*
 * turn: one conversation's machine. Feed it inputs, perform the effects it appends, in order, and
 * feed back what they come to:
 *
 *     user ─► SAVE user, REQUEST ─► stream … end ─► SAVE assistant ─┬─ no calls ─► SAVE end, END
 *                  ▲                                                └─ calls ─► CALL …
 *                  └───────────── all answered ◄── SAVE result ◄── judged, answered, result
 *
 * A SAVE must be durable before the next effect is performed. Reading calls of one answer run
 * side by side, all others one after the other; results always stand in the order of the calls.
 * However a turn ends, every call has its answer, so the history is valid for every service.
 *
 * Budgets are checked wherever something would be spent and hold inside a turn. The same call
 * five times in a row is refused; who goes on with it is stopped.
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
    SF_AGENT_CALLS_MAX = 64,        /* calls of one answer that are run; the rest is refused */
    SF_AGENT_REPEATS = 4,           /* identical calls in a row that are run */
    SF_AGENT_STUBBORN = 4,          /* further ones that are refused before the turn is stopped */
    SF_AGENT_CONTINUES = 3,         /* answers that were cut or paused and are asked to go on */
    SF_AGENT_ARGS_MAX = 4 << 20,    /* bytes of one call's arguments */
    SF_AGENT_ANSWER_MAX = 7 << 20,  /* bytes of an answer as it is stored, with escapes */
    SF_AGENT_PARTIAL_MAX = 1 << 20, /* bytes kept of an answer that is never finished */
};

struct sf_agent;

struct sf_agent_setup {
    struct sf_budget budget;
    int64_t window;     /* tokens the model holds; 0: not known, never compacted ahead */
    int64_t max_output; /* of which it may answer */
    bool by_rule;       /* it writes no summaries */

    /* Whether calls of the tool may run side by side: it only reads. */
    bool (*parallel)(void *ctx, const char *tool);
    /* Micro-USD of a request; -1: not known. */
    int64_t (*cost)(void *ctx, const struct sf_usage *usage);
    /* What has to survive every summary, word for word: pinned facts, the rules in force. */
    void (*standing)(void *ctx, struct sf_strbuf *out);
    void *ctx;
};

struct sf_agent *sf_agent_new(const struct sf_agent_setup *setup);
void sf_agent_free(struct sf_agent *agent); /* NULL is welcome */

/* Another model from the next request on. */
void sf_agent_set_window(struct sf_agent *agent, int64_t window, int64_t max_output);

/* About how many tokens go with every request beside the history, until a service has counted. */
void sf_agent_set_overhead(struct sf_agent *agent, int64_t tokens);

/* What a sub-agent used counts here too. */
void sf_agent_charge(struct sf_agent *agent, const struct sf_budget *used);

enum sf_phase {
    SF_PHASE_IDLE,
    SF_PHASE_MODEL,   /* an answer is awaited or coming */
    SF_PHASE_TOOLS,   /* calls are judged, asked about or running */
    SF_PHASE_COMPACT, /* a summary is awaited */
    SF_PHASE_ENDING,  /* stopped; running calls are still to come back */
};

enum sf_phase sf_agent_phase(const struct sf_agent *agent);
bool sf_agent_in_turn(const struct sf_agent *agent); /* a summary can be made outside of one */
const struct sf_history *sf_agent_history(const struct sf_agent *agent);
const struct sf_budget *sf_agent_budget(const struct sf_agent *agent);
bool sf_agent_wants_summaries(const struct sf_agent *agent); /* of the model's reasoning */
int64_t sf_agent_context(struct sf_agent *agent); /* tokens the next request takes, about */

/* Tokens of the longest message that fits beside a summary of all before it; 0: not known. */
int64_t sf_agent_room(const struct sf_agent *agent);

/* ---- inputs ---- */

enum sf_input_kind {
    SF_IN_USER,    /* message: a new turn, when idle */
    SF_IN_STEER,   /* text: words for the running turn */
    SF_IN_REMARK,  /* text: the same from sf itself, a <turn_meta> */
    SF_IN_STREAM,  /* stream: of the running request */
    SF_IN_RETRY,   /* the try failed; what came of it is void */
    SF_IN_ALLOWED, /* call: the verdict, or the one who was asked, allows it */
    SF_IN_ASKED,   /* call: somebody is asked */
    SF_IN_RESULT,  /* call, result: how it ended, also when it was refused */
    SF_IN_CANCEL,  /* text: why, or NULL: the user wants it to stop */
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
    SF_TURN_FAILED,  /* the service did; `fault` says how */
    SF_TURN_LIMIT,   /* `budget` says which; -1: the model's own, for the length of an answer */
    SF_TURN_BLOCKED, /* it went in circles */
    SF_TURN_REFUSED, /* the model declined */
    SF_TURN_UNABLE,  /* the offline operator could not do it; the answer says why */
};

extern const char *const sf_turn_status_names[];

enum sf_effect_kind {
    SF_DO_SAVE,       /* event, json: to the log, before anything else */
    SF_DO_REQUEST,    /* ask the model, with sf_agent_history */
    SF_DO_SUMMARY,    /* ask it for a summary: the history, `text` behind it, no tools */
    SF_DO_STOP_MODEL, /* end the running request; nothing of it may arrive any more */
    SF_DO_CALL,       /* call, block: judge it, then allowed, asked or result */
    SF_DO_RUN,        /* call: it was allowed, run it */
    SF_DO_STOP_CALL,  /* call: end it, or withdraw the question; a result must still come */
    SF_DO_ANSWERED,   /* call, block, text, is_error: the result is saved and may be shown */
    SF_DO_TEXT,       /* text: a piece of the answer, to be shown */
    SF_DO_REASONING,  /* text */
    SF_DO_USAGE,      /* usage, cost: of one request that is over */
    SF_DO_COMPACTED,  /* text: the summary, before, after: tokens, about; call: messages kept */
    SF_DO_STEERED,    /* text: words said meanwhile stand in the history now */
    SF_DO_NOTICE,     /* text: something people should know */
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

void sf_effects_reset(struct sf_effects *effects); /* empties it, keeps the room */
void sf_effects_release(struct sf_effects *effects);

/* Takes the input; appends what is to be done. Inputs that make no sense now change nothing. */
void sf_agent_step(struct sf_agent *agent, struct sf_input *input, struct sf_effects *effects);

/* ---- coming back ---- */

/* One event of the log, in order, before the first step. */
bool sf_agent_load(struct sf_agent *agent, const char *kind, const char *json, size_t len,
                   struct sf_error *err) SF_MUST_CHECK;

/*
 * After the last: answers what the end of the process left open, so that the history is valid.
 * `partial` is what had come of an answer. Of the effects the SAVEs are to be performed.
 */
void sf_agent_repair(struct sf_agent *agent, const char *partial, size_t len,
                     struct sf_effects *effects);

#endif
