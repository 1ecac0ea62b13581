/*
 * port: everything a user can do, for every surface alike. Words, /commands, !shell, #notes, answers,
 * the queue, steering, cancelling, the state to draw and the log to replay pass through here; the
 * terminal, `sf -p`, `sf exec` and later surfaces are thin drawings of it.
 *
 * Life: sf_port_open, sf_port_enter (a session), sf_port_line and the others, sf_port_close. All of
 * it happens on the loop. A surface is told of events, of responses to commands, and of sessions that
 * take each other's place; what it is given is borrowed for the call.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_PORT_PORT_H
#define SF_PORT_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "port/command.h"
#include "port/connect.h"
#include "port/drafts.h"
#include "port/event_json.h"
#include "port/event_words.h"
#include "port/log_replay.h"
#include "port/permissions.h"
#include "port/prompt_history.h"
#include "port/queue.h"
#include "port/response.h"
#include "session/session.h"

struct sf_port;

/* How a line that was not a command of sf's goes on its way; words that steer a turn are events. */
enum sf_sent_as {
    SF_SENT_TURN,    /* words that begin a turn */
    SF_SENT_CUSTOM,  /* a custom command, which becomes a turn */
    SF_SENT_SHELL,   /* a command of the user's own */
    SF_SENT_SUMMARY, /* nothing is sent: the conversation is being summed up */
};

struct sf_sent {
    enum sf_sent_as as;
    const char *text;
    size_t len;
    bool over; /* false: it is about to be sent; true: it was, or `failed` */
    bool failed;
};

/* A name the schema of settings leaves open, such as an action in "keys.*". Constant texts. */
struct sf_named_setting {
    const char *name, *fallback, *help;
};

/* Settings that a surface itself looks at. */
struct sf_surface_settings {
    bool (*is_live)(void *ctx, const char *key); /* a change is in force at once */
    /* What a value must be beyond its type. */
    bool (*check)(void *ctx, const char *key, const char *value, struct sf_error *err);
    void (*apply)(void *ctx, const char *key); /* it was changed */
    /* The names for a row of the schema such as "keys.*"; false: there are no more. */
    bool (*named)(void *ctx, const char *row, size_t index, struct sf_named_setting *out);
};

/* All but `event` and `response` may be NULL. */
struct sf_port_surface {
    void (*event)(void *ctx, const struct sf_event *event);
    void (*watched)(void *ctx, const struct sf_watch_event *seen);
    void (*response)(void *ctx, const struct sf_response *response);
    void (*sent)(void *ctx, const struct sf_sent *sent); /* before and after */
    void (*leaving)(void *ctx, bool resumes); /* the session; another one takes its place */
    /* And has; a surface without this one stays in the session it began with. */
    bool (*entered)(void *ctx, bool resumed, struct sf_error *err);
    int (*columns)(void *ctx);  /* how wide a page is; without it, 80 */
    void (*changed)(void *ctx); /* something that is shown may be other than it was */
    const struct sf_surface_settings *settings;
    void *ctx;
};

struct sf_port_setup {
    struct sf_session_setup session; /* what every session is opened with */
    struct sf_port_surface surface;
    bool sends_queue;          /* what is queued follows by itself when a turn is over */
    const char *settings_file; /* where changes of settings are written; NULL: the usual place */
    /* All settings as they are now, the callee's; after one was written. */
    struct sf_config *(*reload)(void *ctx, struct sf_error *err);
    /*
     * What sessions are opened with from now on; the ones that run keep theirs. The key is that of
     * the provider `name`, fetched just now; NULL: no other than before.
     */
    bool (*renew)(void *ctx, const char *name, const char *key, struct sf_session_setup *session,
                  struct sf_error *err);
    /* Before a session is opened, new (NULL) or again: who answers in it. */
    bool (*provide)(void *ctx, const char *resume, struct sf_session_setup *session,
                    struct sf_error *err);
    /* After a session was opened: what the command line asked of it. */
    bool (*opened)(void *ctx, struct sf_session *session, struct sf_error *err);
    void *ctx;
};

/* The setup is copied; what it points to is borrowed until the port is closed. */
struct sf_port *sf_port_open(const struct sf_port_setup *setup);
void sf_port_close(struct sf_port *port); /* NULL is welcome */

/*
 * Before it is closed: what runs is stopped, and answers that were to come later come no more. The
 * loop goes on until it has ended.
 */
void sf_port_end(struct sf_port *port);
bool sf_port_has_ended(const struct sf_port *port);

/*
 * The first session: the one that is to be resumed, or a new one. Up to the first screen nothing
 * waits for the disk: what opening writes is safe once sf_port_first_shown has returned true.
 */
bool sf_port_enter_first(struct sf_port *port, struct sf_error *err) SF_MUST_CHECK;
bool sf_port_first_shown(struct sf_port *port, struct sf_error *err) SF_MUST_CHECK;

/* Another session in place of this one; NULL begins a new one. The old one stays on failure. */
bool sf_port_enter(struct sf_port *port, const char *resume, struct sf_error *err) SF_MUST_CHECK;

/*
 * Sessions are opened with other things than before: another provider, trust. A session in which
 * nothing was said begins again with them, and true is returned; any other goes on as it is. The
 * key is that of the provider `name`, fetched just now; NULL: it is as it was.
 */
bool sf_port_renew(struct sf_port *port, const char *name, const char *key);

/* For who can answer: asks what is to be known before the first words. */
void sf_port_begin(struct sf_port *port);

/* ---- doing ---- */

/* A line of the user's: words, "/command", "!shell", "#note". */
void sf_port_line(struct sf_port *port, const char *text);
bool sf_port_is_command(struct sf_port *port, const char *text);
bool sf_port_is_words(struct sf_port *port, const char *text);

/* Words to the model, whatever they look like: a turn begins, or the running one is steered. */
void sf_port_send(struct sf_port *port, const char *text, size_t len);

/* What runs is stopped: the turn, or the command of the user's. */
void sf_port_cancel(struct sf_port *port);

/* A change of the axes; what has to be confirmed becomes a question. */
void sf_port_change(struct sf_port *port, const struct sf_mode_change *change, enum sf_when when,
                    const char *reason);

/* The answer to SF_RESPONSE_QUESTION, the first one that waits. False: none does. */
bool sf_port_reply(struct sf_port *port, bool yes);

/* The value for SF_RESPONSE_FIELD. False: it is refused, and may be written again. */
bool sf_port_fill(struct sf_port *port, const char *text, struct sf_error *err) SF_MUST_CHECK;

/*
 * What became of the page that said it may be written anew, the last of them. False: it was not
 * kept, and the surface was told why.
 */
bool sf_port_edited(struct sf_port *port, const char *text, size_t len);

/* The answers to events that ask; see session.h for each. */
bool sf_port_answer(struct sf_port *port, const char *call, enum sf_reply reply, const char *words,
                    const char *who);
bool sf_port_amend(struct sf_port *port, const char *call, const struct sf_amendment *amendment,
                   struct sf_error *err) SF_MUST_CHECK;
bool sf_port_answer_plan(struct sf_port *port, const char *call,
                         const struct sf_plan_answer *answer, struct sf_confirm *confirm,
                         struct sf_error *err) SF_MUST_CHECK;
bool sf_port_edit_plan(struct sf_port *port, const char *call, const char *text, size_t len,
                       struct sf_error *err) SF_MUST_CHECK;

void sf_port_prepare(struct sf_port *port); /* words are being written */

/* What going back to the snapshot would do: `seen` is told. False: something is being looked at. */
bool sf_port_preview_restore(struct sf_port *port, int64_t number, sf_restore_fn *seen, void *ctx);

/* The surface goes: files on their way back arrive, and it is written down; what only looks ends. */
void sf_port_end_restore(struct sf_port *port);

/* ---- the log, to be shown again ---- */

bool sf_port_log_last(struct sf_port *port, int64_t *number, struct sf_error *err) SF_MUST_CHECK;
bool sf_port_each_logged(struct sf_port *port, int64_t first, int64_t last, sf_event_fn *fn,
                         void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* ---- looking ---- */

const char *sf_port_session(const struct sf_port *port); /* its id */
const struct sf_mode_state *sf_port_state(const struct sf_port *port);
struct sf_mode_state sf_port_preview(const struct sf_port *port); /* once what waits has happened */
const struct sf_scope_set *sf_port_scopes(const struct sf_port *port);
const char *sf_port_approval(const struct sf_port *port); /* its mode; NULL: the usual one */
const char *sf_port_model(const struct sf_port *port);
const char *sf_port_provider(const struct sf_port *port);       /* its name */
const char *sf_port_provider_title(const struct sf_port *port); /* as people call it */
bool sf_port_is_offline(const struct sf_port *port);            /* no model answers */
bool sf_port_is_trusted(const struct sf_port *port);       /* the workspace was, at the start */
const char *sf_port_workspace(const struct sf_port *port); /* its root */
const char *sf_port_state_dir(const struct sf_port *port); /* where the project's state lies */
const struct sf_goal *sf_port_goal(const struct sf_port *port);
const struct sf_lock_owner *sf_port_owner(const struct sf_port *port); /* NULL: we are */
void sf_port_context(const struct sf_port *port, int64_t *used, int64_t *window);
bool sf_port_busy(const struct sf_port *port);                              /* a turn runs */
const struct sf_restore_job *sf_port_restoring(const struct sf_port *port); /* NULL: nothing is */
bool sf_port_is_looking(const struct sf_port *port); /* at files, for a diff or a preview */
bool sf_port_works(const struct sf_port *port);      /* one of them, or files go back */
/* "a turn", "a command of yours", "a restore"; NULL: nothing runs, though a plan may be asked about. */
const char *sf_port_running(const struct sf_port *port);
bool sf_port_is_blank(const struct sf_port *port); /* nothing was said yet */
bool sf_port_is_idle(const struct sf_port *port);  /* nothing runs, no answer is owed */

/* A setting as it is now: its text, NULL where it is not set; or whether it is on. */
const char *sf_port_setting(const struct sf_port *port, const char *key);
bool sf_port_setting_is_on(const struct sf_port *port, const char *key);

/* What the session has cost so far. */
struct sf_port_totals {
    int64_t tokens_in, tokens_out;
    int64_t cost; /* micro-USD */
    bool cost_known;
};
enum sf_log_level sf_port_log_level(const struct sf_port *port); /* what /logs listed last */
const struct sf_port_totals *sf_port_totals(const struct sf_port *port);

/* Words said during the turn that the model has not got yet, oldest first. */
const struct sf_strlist *sf_port_steering(const struct sf_port *port);

/* Where another process talks: what the surface reads at the end of the log; NULL: it begins anew. */
void sf_port_follow(struct sf_port *port, const struct sf_event *event);

/* What was sent before, in this and earlier sessions. */
struct sf_prompt_history *sf_port_prompts(const struct sf_port *port);
void sf_port_prompts_load(struct sf_port *port);
void sf_port_prompts_add(struct sf_port *port, const char *text);

/* ---- the project's sessions, beside /sessions and /rename ---- */

/* A row for each session in which these words were said, newest first; few letters find nothing. */
bool sf_port_sessions_search(struct sf_port *port, const char *words, struct sf_response *out,
                             struct sf_error *err) SF_MUST_CHECK;
bool sf_port_session_archive(struct sf_port *port,
                             const char *id); /* false: the surface knows why */
bool sf_port_session_title(struct sf_port *port, const char *id, struct sf_strbuf *out,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_port_session_rename(struct sf_port *port, const char *id, const char *title,
                            struct sf_error *err) SF_MUST_CHECK;

/* The files of the workspace, listed by a worker. */
struct sf_file_list_wish {
    void (*add)(void *ctx, const char *path, size_t len); /* in the worker: touches `ctx` alone */
    void (*done)(void *ctx);                              /* on the loop; always once */
    void *ctx;
};

/* Borrowed until `done` is called. */
struct sf_file_list;
struct sf_file_list *sf_port_list_files(struct sf_port *port, const struct sf_file_list_wish *wish);
void sf_file_list_cancel(struct sf_file_list *list); /* it ends soon */

/* Custom commands, read again. */
const struct sf_custom_files *sf_port_customs(struct sf_port *port);
const char *sf_custom_help(const struct sf_custom_file *file);

#endif
