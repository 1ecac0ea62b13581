/*
 * event: what a session reports to its surface. Each event has a head, which says what it belongs
 * to, and one struct for its kind, unless the kind alone says everything. All pointers are borrowed
 * for the duration of the callback.
 *
 * Replaying the log (src/port/log_replay.c) yields the same events again, except those that are
 * not logged: pieces of answers and output, retries, usage, verdicts (which are rows of
 * `decisions`) and most notices.
 *
 * A turn is identified by the number of the log row that began it, an answer by its position in
 * the turn, so readers of the log use the same ids. src/port/event_json.c writes events as JSON.
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
    SF_EVENT_PROMPT,      /* words: the user's prompt, which begins a turn */
    SF_EVENT_TEXT,        /* words: a piece of the answer */
    SF_EVENT_REASONING,   /* words: a piece of the model's reasoning */
    SF_EVENT_RESTART,     /* the pieces of the answer so far are void */
    SF_EVENT_MESSAGE_END, /* the answer is complete */
    SF_EVENT_CALL,        /* a call begins */
    SF_EVENT_VERDICT,     /* verdict */
    SF_EVENT_ASK,         /* ask: answered with sf_session_answer */
    SF_EVENT_AMENDED,     /* verdict: the user changed the call; an ask about it is over */
    SF_EVENT_ASKED,       /* the user is being asked about the call, here or in another process */
    SF_EVENT_ANSWERED,    /* the question about the call is closed */
    SF_EVENT_QUESTION,    /* words: the model's own question, answered with sf_session_answer */
    SF_EVENT_OUTPUT,      /* words: live output of a command, raw bytes */
    SF_EVENT_RESULT,      /* result */
    SF_EVENT_USAGE,       /* usage */
    SF_EVENT_RETRY,       /* retry */
    SF_EVENT_TRANSITION,  /* transition */
    SF_EVENT_PLAN,        /* words: JSON of the plan's items */
    SF_EVENT_REVIEW,      /* words: JSON of a review's report, see agent/review.h */
    SF_EVENT_SUBMITTED,   /* submitted: a plan, answered with sf_session_answer_plan */
    SF_EVENT_GOAL,        /* goal */
    SF_EVENT_COMPACTED,   /* compacted */
    SF_EVENT_STEER,       /* words: sent during the turn, and waiting to join it */
    SF_EVENT_STEERED,     /* words: the first waiting text has joined the turn */
    SF_EVENT_RESTORED,    /* words: which files the user put back, and which were not */
    SF_EVENT_RUN,         /* run: what a run of units does, decides, waits for */
    SF_EVENT_NOTICE,      /* notice */
    SF_EVENT_DONE,        /* done: the turn is over */

    /* The kinds below come from the surface that runs a session, never from the session. */
    SF_EVENT_OPENED, /* opened: a session was opened, new or resumed */
    SF_EVENT_AXES,   /* axes: the axes at the start of the run */
    SF_EVENT_RESPONSE, /* response: the response of a command */
    SF_EVENT_INPUT,  /* input: what became of a line that a program sent */
    SF_EVENT_ERROR,  /* error: why the run failed */
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

/* What a destructive call would delete, in sentences; NULL: no such sentence. */
enum sf_loss_kind {
    SF_LOSS_LOST,     /* what would be lost */
    SF_LOSS_SNAPSHOT, /* what of that a snapshot holds */
    SF_LOSS_BACK,     /* how to get it back */
    SF_LOSS_COUNT,
};
struct sf_losses {
    char *text[SF_LOSS_COUNT];
    struct sf_strlist names; /* everything that would be lost, if the sentence names some only */
};

/*
 * Bytes of a call, and of the change it would make, that a question shows. Text that a surface
 * lets the user scroll to counts as shown; what is longer, or is no UTF-8, does not.
 */
enum { SF_ASK_TEXT_MAX = 1024 * 1024 };

struct sf_event_ask {
    const struct sf_judged *judged;
    const char *preview;            /* what RevertTurn would put back, or NULL */
    struct sf_event_words planned;  /* the planned change as a diff; without text: none */
    bool partly;                    /* it cannot be shown whole, so it is approved once at most */
    const struct sf_losses *losses; /* what a destructive call would delete, or NULL */
    const char *draft;              /* the text that sf_session_amend may replace, or NULL */
};

struct sf_event_result {
    const struct sf_tool_result *tool;
    bool refused;    /* the verdict refused the call, which never ran */
    int64_t took_ms; /* -1: the call never ran, or its time is unknown */
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
    int64_t before, after; /* estimated tokens; 0: unknown, as in older logs */
};

/* Made from a row of the log, see src/run/run_event.h. */
struct sf_event_run {
    const char *what; /* such as "start", "verdict" or "halt" */
    const char *task; /* the unit it is about, or "" */
    const char *text; /* for people */
    size_t len;
    const char *way_out; /* of a halt: the command that leads on; else "" */
};

struct sf_event_notice {
    const char *text;
    size_t len;
    bool urgent; /* to be shown even after the surface has closed its screen */
};

struct sf_event_done {
    enum sf_turn_status status;
    int budget; /* enum sf_budget_kind that was reached, or -1 */
    const struct sf_wire_error *error;
    bool denied;                       /* a call was refused, and no later call made up for it */
    const struct sf_strlist *refusals; /* what was refused, why, and what would allow it; or NULL */
    const char *command; /* "/name" of a custom command that was refused and not sent */
};

struct sf_event_axes {
    const struct sf_mode_state *state;
    const char *approval; /* the approval mode */
};

struct sf_event_opened {
    bool resumed;
    const char *workspace, *provider, *model;
};

struct sf_event_input {
    int64_t line;        /* counted from 1; 0: the prompt of the command line */
    const char *id;      /* the program's own name for it, or NULL */
    const char *kind;    /* the type of the line, or NULL: it could not be told */
    int status;          /* enum sf_input_status, defined by the room port */
    const char *message; /* why it was refused, or NULL */
    const char *hint;    /* or NULL */
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
    const char *reason;                /* why the run failed, or NULL */
    const struct sf_strlist *refusals; /* as in sf_event_done; NULL: there is none */
    const char *verification;          /* what the check proved, or NULL: none was asked for */
    const char *structured;            /* the answer as JSON, if a schema asked for it; or NULL */
    const struct sf_event_totals *totals; /* NULL: no session was opened */
};

struct sf_event_totals {
    const char *resume; /* the command that resumes the session */
    const char *model;
    struct sf_event_axes axes;
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
    int64_t turn;       /* number of the row that began the turn; 0: between turns */
    int message;        /* index of the answer in its turn, from 1; 0: none began yet */
    int64_t time_ms;    /* wall clock */
    const struct sf_event_call *call; /* NULL: the event is not about a call */
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
        struct sf_event_run run;
        struct sf_event_notice notice;
        struct sf_event_done done;
        struct sf_event_opened opened;
        struct sf_event_axes axes;
        const struct sf_response *response; /* defined by the room port */
        struct sf_event_input input;
        struct sf_event_error error;
        struct sf_event_ended ended;
    };
};

typedef void sf_session_event_fn(void *ctx, const struct sf_event *event);

/* Make an event that has only words, or a notice. */
struct sf_event sf_event_of_words(enum sf_event_kind kind, const char *text, size_t len);
struct sf_event sf_event_of_notice(const char *text, size_t len);

/* Reads the logged end of a turn; `done` points to `error`. False: unknown status. */
bool sf_event_read_end(struct sf_event_done *done, struct sf_wire_error *error,
                       const struct sf_json *json);

#endif
