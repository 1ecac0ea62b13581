/*
 * internal: the port's fields and what its files offer each other.
 *
 *     port.c       life, sessions, what surfaces see
 *     line.c       lines: words, commands, shell, notes
 *     command.c    the table of commands and how a line finds its row
 *     commands_*   what they do, a file a family
 *     questions.c  questions of sf's own, and their answers
 *     fields.c     values that are asked for, texts that may be edited
 *     connect.c    connecting a model: which, its key, whether it answers
 *     connect_models.c    and which of its models for what
 *     drafts.c     what is being written, kept in files
 *     files.c      the files of the workspace
 *     queue.c      words for the turns that follow
 *     steering.c   words for the turn that runs, until they join it
 *     response.c   answers of commands
 */
#ifndef SF_PORT_INTERNAL_H
#define SF_PORT_INTERNAL_H

#include "io/io.h"
#include "port/port.h"

/* The answer to a question; `ctx` is the callee's now. Called once, also for "no answer". */
typedef void sf_question_fn(struct sf_port *port, void *ctx, bool yes);

struct sf_question {
    sf_question_fn *answered;
    void *ctx;
};

struct sf_questions {
    struct sf_question *items;
    size_t count, cap;
};

/* The value that was asked for; false with `err`: it is refused, and asked for still. */
typedef bool sf_value_fn(struct sf_port *port, const char *value, const char *text,
                         struct sf_error *err);

struct sf_asked_value {
    sf_value_fn *filled; /* NULL: none waits */
    char *value;         /* what is being written, as the command knows it */
    const char *command;
};

struct sf_text_edit;

/* The text as it is now. False: it was not kept, and the surface was told why. */
typedef bool sf_text_edit_fn(struct sf_port *port, const struct sf_text_edit *edit,
                             const char *text, size_t len);

struct sf_text_edit {
    sf_text_edit_fn *edited; /* NULL: none was given away */
    int which;               /* of the command's texts */
    const char *command;
    char *before; /* as it was given away */
};

struct sf_connect;
struct sf_draft_job;

struct sf_drafts {
    struct sf_strbuf kept;     /* what the session's file holds, or will in a moment */
    struct sf_draft_job *jobs; /* on their way to files; the first is being written */
};

struct sf_port {
    struct sf_port_setup setup;
    struct sf_loop *loop;
    struct sf_session *session;
    struct sf_session_setup next; /* what the next session is opened with, if has_next */
    bool has_next;
    struct sf_config *fresh; /* the settings, read again since the start; or NULL */
    struct sf_custom_files customs;
    struct sf_queue queue;
    struct sf_prompt_history *history; /* what was sent before */
    struct sf_questions questions;
    struct sf_strlist steering; /* words for the turn that runs */
    struct sf_asked_value field;
    struct sf_text_edit edit;
    struct sf_drafts drafts;
    struct sf_connect *connect; /* a model being connected; NULL: none */
    size_t left_connects;       /* those that were left and whose trial ends */
    struct sf_port_totals totals;
    struct {
        bool looking;             /* at files, for a diff or a preview */
        bool nothing;             /* the last restore had nothing to put back */
        const char *command;      /* whose work it is */
        sf_question_fn *and_then; /* what hangs on the one that is under way, or NULL */
        void *ctx;
        sf_restore_fn *seen; /* who wants the preview */
        void *seen_ctx;
    } restore;
    const char *command;         /* whose responses are being given; "": nobody's */
    size_t owed;                 /* answers of commands that come later */
    enum sf_log_level log_level; /* from which on /logs lists */
    struct sf_child *doctor;     /* checks the installation; or NULL */
    const char *doctor_command;  /* for whom */
    bool ending;                 /* nobody waits for answers any more */
    int64_t turn_ms;             /* when what runs was sent; 0: nothing was */
    bool shown;                  /* a response was given that is to be read or answered */
};

/* ---- port.c ---- */

void sf_port_respond(struct sf_port *p, struct sf_response *response); /* releases it */
void sf_port_note(struct sf_port *p, bool bad, const char *format, ...) SF_PRINTF(3, 4);
void sf_port_usage(struct sf_port *p, const char *format, ...)
    SF_PRINTF(2, 3); /* a bad note: the words of the command are at fault */
void sf_port_passing(struct sf_port *p, const char *text); /* for a moment; "": it is over */
void sf_port_fail(struct sf_port *p, const struct sf_error *err);
void sf_port_page(struct sf_port *p, const char *title,
                  struct sf_strbuf *markdown); /* empties it */
void sf_port_changed(struct sf_port *p);
int sf_port_columns(const struct sf_port *p); /* of a page on the surface */
bool sf_port_moves(const struct sf_port *p);  /* the surface can go on in another session */

/* An answer comes later, under the name that `command` was when it was promised. */
const char *sf_port_owe(struct sf_port *p);
void sf_port_paid(struct sf_port *p); /* and has come */

/* ---- state.c ---- */

struct sf_config *sf_port_settings(const struct sf_port *p); /* as they are now */

/* Into the user's file; NULL takes the setting out of it. */
bool sf_port_write_setting(struct sf_port *p, const char *key, const char *value,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_port_reload(struct sf_port *p, struct sf_error *err) SF_MUST_CHECK; /* all of them */

/* ---- questions.c ---- */

void sf_port_ask(struct sf_port *p, const char *markdown, sf_question_fn *answered, void *ctx);
void sf_port_ask_with(struct sf_port *p, struct sf_response *question, sf_question_fn *answered,
                      void *ctx);                                     /* releases the response */
bool sf_port_asks(const struct sf_port *p, sf_question_fn *answered); /* such a one waits */
void sf_questions_drop(struct sf_port *p);                            /* all are answered with no */

/* ---- fields.c ---- */

/* Asks for a value; `value` says which, and is copied. Releases the response. */
void sf_port_ask_field(struct sf_port *p, struct sf_response *field, sf_value_fn *filled,
                       const char *value);

/* Shows a text that may be written anew. Releases the response. */
void sf_port_give_text(struct sf_port *p, struct sf_response *page, sf_text_edit_fn *edited,
                       int which);
void sf_fields_drop(struct sf_port *p); /* what waits is asked for no more */

/* ---- steering.c ---- */

void sf_steering_take(struct sf_port *p, const struct sf_event *event);

/* ---- line.c ---- */

void sf_port_tell_sent(struct sf_port *p, const struct sf_sent *sent);
bool sf_port_custom(struct sf_port *p, const char *line); /* runs it; false: there is none */

/* ---- axes.c ---- */

void sf_port_mode_command(struct sf_port *p, const struct sf_mode_command *c, const char *line);
void sf_port_explain_field(struct sf_port *p, enum sf_field field, const char *value,
                           struct sf_strbuf *out);

/* ---- queue.c ---- */

void sf_queue_load(struct sf_port *p); /* the session's, as the store has it */
void sf_queue_release(struct sf_queue *q);
size_t sf_queue_find(const struct sf_queue *q, int64_t id); /* its place; `count`: nowhere */
void sf_queue_after(struct sf_port *p, bool ok);       /* what ran before is over, well or not */
void sf_queue_after_shell(struct sf_port *p, bool ok); /* the same of a command, or a restore */
/* Adds it if files are going back, before which nothing begins; false: it need not wait. */
bool sf_queue_hold(struct sf_port *p, const char *text);

/* ---- commands, a row of the table each ---- */

typedef void sf_port_command_fn(struct sf_port *p, const char *args);
typedef void sf_port_explain_fn(struct sf_port *p, const char *value, struct sf_strbuf *out);

/* commands_show.c */
sf_port_command_fn sf_command_help, sf_command_status, sf_command_cost, sf_command_report;
/* commands_session.c */
sf_port_command_fn sf_command_new, sf_command_rename, sf_command_sessions, sf_command_export;
sf_port_explain_fn sf_explain_session;
/* commands_backtrack.c */
sf_port_command_fn sf_command_backtrack, sf_command_fork;
/* commands_custom.c */
sf_port_command_fn sf_command_commands;
/* Adds a section of those that the words are about, "": all. False: there are none. */
bool sf_port_customs_add(struct sf_port *p, const char *words, struct sf_strbuf *out);
/* commands_model.c */
sf_port_command_fn sf_command_model;
/* connect.c */
sf_port_command_fn sf_command_connect;
/* commands_memory.c */
sf_port_command_fn sf_command_memory;
void sf_memory_explain(struct sf_port *p, const char *name, struct sf_strbuf *out);
/* commands_trust.c */
void sf_command_trust(struct sf_port *p, const char *word);
/* commands_init.c */
sf_port_command_fn sf_command_init;
/* commands_config.c */
sf_port_command_fn sf_command_config;
void sf_config_explain(struct sf_port *p, const char *key, struct sf_strbuf *out);
/* commands_restore.c */
sf_port_command_fn sf_command_undo, sf_command_redo, sf_command_restore, sf_command_diff;
/*
 * Files as the snapshot has them, after a look and a question. `and_then` (or NULL) is told whether
 * they are so now; always once.
 */
void sf_port_restore_then(struct sf_port *p, int64_t number, sf_question_fn *and_then, void *ctx);
/* queue.c */
sf_port_command_fn sf_command_queue;
/* commands_tasks.c, commands_logs.c */
sf_port_command_fn sf_command_tasks, sf_command_logs;
/* commands_doctor.c */
sf_port_command_fn sf_command_doctor;
/* commands_context.c */
sf_port_command_fn sf_command_goal, sf_command_context, sf_command_compact, sf_command_pin;

/* The name of the command that is called so, by its name or alias. False: none is. */
bool sf_port_command_name(const char *called, const char **name);

/* Takes the word out of the arguments; whether it was there. */
bool sf_args_take(const char **args, const char *word);

/* Takes a number of digits alone out of the arguments; or it is all of them. */
bool sf_args_take_number(const char **args, int64_t *number);
bool sf_args_number(const char *args, int64_t *number);

#endif
