/*
 * event: what a session tells its surface. Each event has a head, which says whose it is, and one
 * struct for its kind; a kind that has no struct says all there is to say. Everything is borrowed
 * for the call of the surface's function.
 *
 * An event that stands in the log is the same when the log is read again, by src/port/log_replay.c.
 * Some are of the moment and stand in no log: pieces of answers and output, retries, usage, verdicts
 * (which are rows of `decisions`) and most notices.
 *
 * A turn is named by the number of the log's row that began it, an answer within it by its place:
 * whoever reads the log finds the same names. src/port/event_json.c writes events for programs.
 */
#ifndef SF_SESSION_EVENT_H
#define SF_SESSION_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/agent.h"
#include "base/base.h"
#include "judge/judge.h"
#include "model/model.h"
#include "modes/modes.h"
#include "tools/tools.h"

/* clang-format off */
enum sf_event_kind {
    SF_EVENT_PROMPT,      /* words: the user's; a turn begins with them */
    SF_EVENT_TEXT,        /* words: a piece of the answer */
    SF_EVENT_REASONING,   /* words: a piece of its reasoning */
    SF_EVENT_RESTART,     /* the pieces of the answer so far are void */
    SF_EVENT_MESSAGE_END, /* the pieces of the answer are all of it */
    SF_EVENT_CALL,        /* a call begins */
    SF_EVENT_VERDICT,     /* verdict */
    SF_EVENT_ASK,         /* ask: sf_session_answer */
    SF_EVENT_AMENDED,     /* verdict: the user changed the call; an ask about it is over */
    SF_EVENT_ASKED,       /* somebody is being asked about the call, here or in another process */
    SF_EVENT_ANSWERED,    /* nobody is being asked about the call any more */
    SF_EVENT_QUESTION,    /* words: the model's own question; sf_session_answer */
    SF_EVENT_OUTPUT,      /* words: live output of a command, raw bytes */
    SF_EVENT_RESULT,      /* result */
    SF_EVENT_USAGE,       /* usage */
    SF_EVENT_RETRY,       /* retry */
    SF_EVENT_TRANSITION,  /* transition */
    SF_EVENT_PLAN,        /* words: JSON of the plan's items */
    SF_EVENT_SUBMITTED,   /* submitted, where somebody can answer: sf_session_answer_plan */
    SF_EVENT_GOAL,        /* goal */
    SF_EVENT_COMPACTED,   /* compacted */
    SF_EVENT_STEER,       /* words: said during the turn, and waiting to become part of it */
    SF_EVENT_STEERED,     /* words: the first of those that wait is part of it from here on */
    SF_EVENT_RESTORED,    /* words: files that the user put back, and what was not */
    SF_EVENT_NOTICE,      /* notice */
    SF_EVENT_DONE,        /* done: the turn is over */

    /* What whoever runs a session adds for its own readers; no session tells these. */
    SF_EVENT_OPENED, /* opened: a session was opened, new or resumed */
    SF_EVENT_AXES,   /* axes: as they are when the run begins */
    SF_EVENT_RESPONSE, /* response: what a command answered */
    SF_EVENT_ERROR,  /* error: why the run did not come to its end */
    SF_EVENT_ENDED,  /* ended: the run is over */
    SF_EVENT_COUNT
};
/* clang-format on */

struct sf_response;

/* The call an event is about. */
struct sf_event_call {
    const char *id, *name;
    const char *args; /* JSON as the model sent it, or as the user changed it */
    size_t len;
    const char *what; /* the command, path or address in one line */
    bool amended;     /* the user changed it */
};

struct sf_event_words {
    const char *text;
    size_t len;
};

struct sf_event_verdict {
    const struct sf_judged *judged;
};

/* What a call that destroys would take away, in sentences; NULL: nothing is said about it. */
enum sf_loss_kind {
    SF_LOSS_LOST,     /* what goes */
    SF_LOSS_SNAPSHOT, /* what of it is kept */
    SF_LOSS_BACK,     /* the way back */
    SF_LOSS_COUNT,
};
struct sf_losses {
    char *text[SF_LOSS_COUNT];
};

struct sf_event_ask {
    const struct sf_judged *judged;
    const char *preview;            /* what a revert would do, in words; or NULL */
    const char *planned;            /* what would change in the files, as a diff; or NULL */
    const struct sf_losses *losses; /* what a destructive call takes away; or NULL */
    const char *draft;              /* what sf_session_amend takes another text for; or NULL */
};

struct sf_event_result {
    const struct sf_tool_result *tool;
    bool refused;    /* by its verdict: the call never ran */
    int64_t took_ms; /* -1: it never ran, or nobody measured it */
};

struct sf_event_usage {
    const struct sf_usage *tokens;
    int64_t cost; /* micro-USD; -1: not known */
};

struct sf_event_submitted {
    const char *text; /* the plan, Markdown */
    size_t len;
    const char *digest; /* the SHA-256 of the text */
};

struct sf_event_goal {
    const struct sf_goal *now;
    const char *change; /* what changed, in words */
    size_t len;
};

struct sf_event_compacted {
    const char *summary;
    size_t len;
    int64_t before, after; /* tokens, about; 0: older logs do not say */
};

struct sf_event_notice {
    const char *text;
    size_t len;
    bool urgent; /* said also where nobody looks at the screen any more */
};

struct sf_event_done {
    enum sf_turn_status status;
    int budget; /* enum sf_budget_kind that was reached, or -1 */
    const struct sf_wire_error *error;
    bool denied;         /* something was refused, and that stands */
    const char *refusal; /* what, why, and what would let it pass; or NULL */
    const char *command; /* "/name" of a custom command that was refused before it was said */
};

struct sf_event_opened {
    bool resumed;
    const char *workspace, *provider, *model;
};

struct sf_event_error {
    const char *category;
    const char *limit; /* the name of the budget that was reached, or NULL */
    const char *message;
};

struct sf_event_ended {
    enum sf_turn_status status;
    int exit_code;
    const char *result; /* the last answer */
    size_t len;
    const char *reason;                   /* why it did not end well, or NULL */
    const struct sf_event_totals *totals; /* NULL: no session was opened */
};

struct sf_event_totals {
    const char *resume; /* the command that goes on from here */
    const char *model;
    const struct sf_mode_state *axes;
    int turns, calls;
    int64_t tokens_in, tokens_out;
    int64_t cost; /* micro-USD; -1: not known */
    int64_t duration_ms;
};

struct sf_event {
    enum sf_event_kind kind;
    const char *session;
    int depth;          /* 0: the user's own session; else a sub-agent's */
    const char *parent; /* id of the call that started the sub-agent, or NULL */
    int64_t turn;       /* the number of the row that began the turn; 0: between turns */
    int message;        /* the place of the answer in its turn, from 1; 0: none began yet */
    int64_t time_ms;    /* wall clock */
    const struct sf_event_call *call; /* NULL: it is about none */
    union {
        struct sf_event_words words;
        struct sf_event_verdict verdict;
        struct sf_event_ask ask;
        struct sf_event_result result;
        struct sf_event_usage usage;
        const struct sf_retry_notice *retry;
        const struct sf_transition *transition;
        struct sf_event_submitted submitted;
        struct sf_event_goal goal;
        struct sf_event_compacted compacted;
        struct sf_event_notice notice;
        struct sf_event_done done;
        struct sf_event_opened opened;
        const struct sf_mode_state *axes;
        const struct sf_response *response; /* of the room port */
        struct sf_event_error error;
        struct sf_event_ended ended;
    };
};

typedef void sf_session_event_fn(void *ctx, const struct sf_event *event);

/* Events that are only words, or only a notice. */
struct sf_event sf_event_of_words(enum sf_event_kind kind, const char *text, size_t len);
struct sf_event sf_event_of_notice(const char *text, size_t len);

/* Such an end as the log has it; it borrows `error`. False: none that is known here. */
bool sf_event_read_end(struct sf_event_done *done, struct sf_wire_error *error,
                       const struct sf_json *json);

#endif
