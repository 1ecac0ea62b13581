/*
 * port: everything a user can do, the same for every surface. Prompts, /commands, !shell, #notes,
 * answers, the queue, steering, cancelling, the state to draw and the log to replay pass through
 * here; the terminal, `sf -p`, `sf exec` and later surfaces only draw it.
 *
 * Life: sf_port_open, sf_port_enter (a session), sf_port_line and the others, sf_port_close. All of
 * it happens on the loop. A surface gets events, responses to commands, and notice when another
 * session replaces the current one; everything it gets is borrowed for the call.
 *
 * Other rooms include only this header.
 */
#ifndef SF_PORT_PORT_H
#define SF_PORT_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "port/checkout.h"
#include "port/command.h"
#include "port/connect.h"
#include "port/dialogue.h"
#include "port/drafts.h"
#include "port/event_json.h"
#include "port/event_words.h"
#include "port/log_replay.h"
#include "port/overview.h"
#include "port/permissions.h"
#include "port/prompt_history.h"
#include "port/queue.h"
#include "port/response.h"
#include "port/review.h"
#include "port/statusline.h"
#include "session/session.h"

struct sf_port;

/* What a line that is not a command of sf was sent as; text that steers a turn is an event. */
enum sf_sent_as {
    SF_SENT_TURN,    /* a prompt that begins a turn */
    SF_SENT_CUSTOM,  /* a custom command, which becomes a turn */
    SF_SENT_SHELL,   /* a shell command of the user's */
    SF_SENT_SUMMARY, /* nothing is sent: the conversation is being summarised */
};

struct sf_sent {
    enum sf_sent_as as;
    const char *text;
    size_t len;
    bool over; /* false: about to be sent; true: sent, or `failed` */
    bool failed;
};

/* A name that the schema of settings leaves open, such as an action in "keys.*". Static strings. */
struct sf_named_setting {
    const char *name, *fallback, *help;
};

/* Settings that a surface itself uses. */
struct sf_surface_settings {
    bool (*is_live)(void *ctx, const char *key); /* a change takes effect at once */
    /* Checks a value beyond its type. */
    bool (*check)(void *ctx, const char *key, const char *value, struct sf_error *err);
    void (*apply)(void *ctx, const char *key); /* the setting was changed */
    /* The names for a row of the schema such as "keys.*"; false: no more. */
    bool (*named)(void *ctx, const char *row, size_t index, struct sf_named_setting *out);
};

/* All but `event` and `response` may be NULL. */
struct sf_port_surface {
    void (*event)(void *ctx, const struct sf_event *event);
    void (*watched)(void *ctx, const struct sf_watch_event *seen);
    void (*response)(void *ctx, const struct sf_response *response);
    void (*sent)(void *ctx, const struct sf_sent *sent); /* called before and after sending */
    void (*leaving)(void *ctx, bool resumes); /* another session is about to replace this one */
    /* Another session was entered; a surface without this stays in its first session. */
    bool (*entered)(void *ctx, bool resumed, struct sf_error *err);
    void (*job)(void *ctx, int64_t id); /* a background job wrote something, or ended */
    int (*columns)(void *ctx);          /* the width of a page; NULL: 80 */
    void (*changed)(void *ctx);         /* something on the screen may have changed */
    const struct sf_surface_settings *settings;
    /* Adds the keys that the words are about, "": all, as Markdown; false: none. May be NULL. */
    bool (*help)(void *ctx, const char *words, struct sf_strbuf *out);
    void *ctx;
};

struct sf_port_setup {
    struct sf_session_setup session; /* the setup of every session */
    struct sf_port_surface surface;
    bool sends_queue;          /* queued prompts are sent by themselves when a turn is over */
    const char *settings_file; /* where changes of settings are written; NULL: the default */
    /* Reads all settings again after one was written; the callee keeps ownership. */
    struct sf_config *(*reload)(void *ctx, struct sf_error *err);
    /*
     * Changes the setup of later sessions; running ones keep theirs. `key` is the key of the
     * provider `name`, just fetched; NULL: unchanged.
     */
    bool (*renew)(void *ctx, const char *name, const char *key, struct sf_session_setup *session,
                  struct sf_error *err);
    /* Chooses the provider before a session is opened; `resume` NULL: a new one. */
    bool (*provide)(void *ctx, const char *resume, struct sf_session_setup *session,
                    struct sf_error *err);
    /* Applies what the command line asked for after a session was opened. */
    bool (*opened)(void *ctx, struct sf_session *session, struct sf_error *err);
    void *ctx;
};

/* Copies the setup; everything it points to is borrowed until the port is closed. */
struct sf_port *sf_port_open(const struct sf_port_setup *setup);
void sf_port_close(struct sf_port *port); /* NULL is welcome */

/*
 * Stops everything that runs, before the port is closed; responses that were to come later are
 * dropped. The caller keeps the loop running until sf_port_has_ended.
 */
void sf_port_end(struct sf_port *port);
bool sf_port_has_ended(const struct sf_port *port);

/*
 * Opens the first session, resumed or new. Nothing before the first screen waits for the disk: what
 * opening writes is durable once sf_port_first_shown has returned true.
 */
bool sf_port_enter_first(struct sf_port *port, struct sf_error *err) SF_MUST_CHECK;
bool sf_port_first_shown(struct sf_port *port, struct sf_error *err) SF_MUST_CHECK;

/* Replaces the session by another one; NULL begins a new one. On failure the old one stays. */
bool sf_port_enter(struct sf_port *port, const char *resume, struct sf_error *err) SF_MUST_CHECK;

/*
 * Changes the setup of sessions: another provider, trust. A session without a prompt is opened
 * again with the new setup, and true is returned; any other stays as it is. `key` is the key of the
 * provider `name`, just fetched; NULL: unchanged.
 */
bool sf_port_renew(struct sf_port *port, const char *name, const char *key);

/* Asks, before the first prompt, whether the workspace is trusted, if that matters. */
void sf_port_begin(struct sf_port *port);

/* ---- doing ---- */

/* Takes a line of the user's: a prompt, "/command", "!shell", "#note". */
void sf_port_line(struct sf_port *port, const char *text);
bool sf_port_is_command(struct sf_port *port, const char *text);
bool sf_port_is_words(struct sf_port *port, const char *text);

/* Sends text to the model, whatever it looks like: begins a turn or steers the running one. */
void sf_port_send(struct sf_port *port, const char *text, size_t len);

/* The next prompt shows the model this image file. */
bool sf_port_attach(struct sf_port *port, const char *file, struct sf_error *err) SF_MUST_CHECK;

/* Stops the turn or the user's command. */
void sf_port_cancel(struct sf_port *port);

/* Changes the axes; a change that needs a confirmation becomes a question. */
void sf_port_change(struct sf_port *port, const struct sf_mode_change *change, enum sf_when when,
                    const char *reason);

/* Answers SF_RESPONSE_QUESTION, the first one that waits. False: none waits. */
bool sf_port_reply(struct sf_port *port, bool yes);

/* Gives the value for SF_RESPONSE_FIELD. False: the value is refused, and may be given again. */
bool sf_port_fill(struct sf_port *port, const char *text, struct sf_error *err) SF_MUST_CHECK;

/* Returns the edited text of the last editable page. False: not saved, and a response says why. */
bool sf_port_edited(struct sf_port *port, const char *text, size_t len);

/*
 * The user wants to leave. False: background jobs run, and a question says which would be ended;
 * after a yes the surface gets the command "quit" again, with the word "now".
 */
bool sf_port_may_leave(struct sf_port *port);

/* Answer events that ask; see session.h for each. */
bool sf_port_answer(struct sf_port *port, const char *call, enum sf_reply reply, const char *words,
                    const char *who);
bool sf_port_amend(struct sf_port *port, const char *call, const struct sf_amendment *amendment,
                   struct sf_error *err) SF_MUST_CHECK;
bool sf_port_answer_plan(struct sf_port *port, const char *call,
                         const struct sf_plan_answer *answer, struct sf_confirm *confirm,
                         struct sf_error *err) SF_MUST_CHECK;
bool sf_port_edit_plan(struct sf_port *port, const char *call, const char *text, size_t len,
                       struct sf_error *err) SF_MUST_CHECK;

void sf_port_prepare(struct sf_port *port); /* the user has begun to type */

/* Calls `seen` with the plan of restoring the snapshot. False: another look is in progress. */
bool sf_port_preview_restore(struct sf_port *port, int64_t number, sf_restore_fn *seen, void *ctx);

/* The surface ends: a running restore is finished and recorded, a mere look is cancelled. */
void sf_port_end_restore(struct sf_port *port);

/* ---- reading the log ---- */

bool sf_port_log_last(struct sf_port *port, int64_t *number, struct sf_error *err) SF_MUST_CHECK;
bool sf_port_each_logged(struct sf_port *port, int64_t first, int64_t last, sf_event_fn *fn,
                         void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* ---- looking ---- */

const char *sf_port_session(const struct sf_port *port); /* the id of the session */
const struct sf_mode_state *sf_port_state(const struct sf_port *port);
/* Whether the user was asked about this very change last, and said no: a key goes on to the next. */
bool sf_port_was_declined(const struct sf_port *port, const struct sf_mode_change *change);
struct sf_mode_state sf_port_preview(const struct sf_port *port); /* with pending changes applied */
const struct sf_scope_set *sf_port_scopes(const struct sf_port *port);
const char *sf_port_approval(const struct sf_port *port);       /* its mode; NULL: the usual one */
const char *sf_port_approval_mode(const struct sf_port *port);  /* its mode, whichever it is */
const char *sf_port_model(const struct sf_port *port);          /* "": no session is open yet */
const char *sf_port_provider(const struct sf_port *port);       /* its short name */
const char *sf_port_provider_title(const struct sf_port *port); /* its name for people */
bool sf_port_is_offline(const struct sf_port *port);            /* no model answers */
bool sf_port_is_trusted(const struct sf_port *port);       /* the workspace was, at the start */
const char *sf_port_workspace(const struct sf_port *port); /* the root of the workspace */
const char *sf_port_state_dir(const struct sf_port *port); /* the project's state directory */
const struct sf_goal *sf_port_goal(const struct sf_port *port);
const struct sf_lock_owner *sf_port_owner(const struct sf_port *port); /* NULL: this process */
void sf_port_context(const struct sf_port *port, int64_t *used, int64_t *window);
bool sf_port_busy(const struct sf_port *port);                              /* a turn runs */
const struct sf_restore_job *sf_port_restoring(const struct sf_port *port); /* NULL: none */
bool sf_port_is_looking(const struct sf_port *port); /* compares files for a diff or a preview */
bool sf_port_works(const struct sf_port *port);      /* a turn, a command or a restore runs */
/* "a turn", "a command of yours", "a restore"; NULL: none runs, though a plan may wait. */
const char *sf_port_running(const struct sf_port *port);
bool sf_port_runs(const struct sf_port *port);     /* something runs, perhaps in the background */
bool sf_port_is_blank(const struct sf_port *port); /* no prompt was sent yet */
bool sf_port_is_idle(const struct sf_port *port);  /* nothing runs, no response is owed */

bool sf_port_carries_out(const struct sf_port *port); /* a plan, which goes on by itself */
/* Whether the last run of a plan has halted, and why; false: it has not, or there was none. */
bool sf_port_run_halt(const struct sf_port *port, enum sf_units_guard *guard);

/* The current value of a setting: its text, or NULL if it is not set; whether it is on. */
const char *sf_port_setting(const struct sf_port *port, const char *key);
bool sf_port_setting_is_on(const struct sf_port *port, const char *key);

/* Checks a value typed for a setting beyond its type; NULL: the setting is removed. */
bool sf_port_check_setting(const char *key, const char *typed, struct sf_error *err) SF_MUST_CHECK;

/* Usage and cost of the session so far. */
struct sf_port_totals {
    int64_t tokens_in, tokens_out;
    int64_t cost; /* micro-USD */
    bool cost_known;
};
enum sf_log_level sf_port_log_level(const struct sf_port *port); /* of the last /logs */
const struct sf_port_totals *sf_port_totals(const struct sf_port *port);
int64_t sf_port_cost_limit(const struct sf_port *port); /* micro-USD; 0: none */

/* Text sent during the turn that the model has not got yet, oldest first. */
const struct sf_strlist *sf_port_steering(const struct sf_port *port);

/* For a watcher: an event that the surface read from the end of the log; NULL: it starts again. */
void sf_port_follow(struct sf_port *port, const struct sf_event *event);

/* Lines that were sent before, in this and earlier sessions. */
struct sf_prompt_history *sf_port_prompts(const struct sf_port *port);
void sf_port_prompts_load(struct sf_port *port);
void sf_port_prompts_add(struct sf_port *port, const char *text);

/* ---- the project's sessions, beside /sessions and /rename ---- */

/* One row per session that contains these words, newest first; very short words match nothing. */
bool sf_port_sessions_search(struct sf_port *port, const char *words, struct sf_response *out,
                             struct sf_error *err) SF_MUST_CHECK;
/* False: not archived, and a response says why. */
bool sf_port_session_archive(struct sf_port *port, const char *id);
bool sf_port_session_title(struct sf_port *port, const char *id, struct sf_strbuf *out,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_port_session_rename(struct sf_port *port, const char *id, const char *title,
                            struct sf_error *err) SF_MUST_CHECK;

/* The files of the workspace, listed by a worker. */
struct sf_file_list_wish {
    void (*add)(void *ctx, const char *path, size_t len); /* on the worker: may only use `ctx` */
    void (*done)(void *ctx);                              /* on the loop, exactly once */
    void *ctx;
};

/* Borrowed until `done` is called. */
struct sf_file_list;
struct sf_file_list *sf_port_list_files(struct sf_port *port, const struct sf_file_list_wish *wish);
void sf_file_list_cancel(struct sf_file_list *list); /* `done` follows soon */

/* Reads the custom commands again. */
const struct sf_custom_files *sf_port_customs(struct sf_port *port);
const char *sf_custom_help(const struct sf_custom_file *file);

#endif
