/*
 * internal: the port's fields and what its files share with each other.
 *
 *     port.c       life, sessions, events and responses for the surface
 *     state.c      what a surface may see of the session
 *     line.c       lines: prompts, commands, shell, notes
 *     command.c    the table of commands, and finding the row for a line
 *     commands_*   the commands, one file per family
 *     axes.c       commands about the axes
 *     questions.c  yes-or-no questions of sf, and their answers
 *     fields.c     values that a command asks for, texts that may be edited
 *     connect.c    connecting a model: the service, its key, whether it answers
 *     connect_models.c    connecting a model: which models for which mode
 *     drafts.c     the text being typed, kept in files
 *     files.c      the files of the workspace
 *     queue.c      prompts for later turns
 *     dialogue.c   lines of a program: prompts, answers, steering, cancelling
 *     incoming*.c  the table of such lines, and reading one
 *     steering.c   text for the running turn, until it joins it
 *     prompts.c    lines that were sent before
 *     response.c   responses of commands
 *     run.c        the run of a plan: going, pausing, deciding about units
 *     overview.c   what is true now, kept up to date by events and looks
 *     checkout.c   the project's name, its branch, whether files differ
 *     statusline.c the user's own line of facts
 */
#ifndef SF_PORT_INTERNAL_H
#define SF_PORT_INTERNAL_H

#include "io/io.h"
#include "port/port.h"
#include "run/run.h"

/* Gets the answer to a question, and owns `ctx`. Called exactly once; no answer counts as no. */
typedef void sf_question_fn(struct sf_port *port, void *ctx, bool yes);

struct sf_question {
    sf_question_fn *answered;
    void *ctx;
};

struct sf_questions {
    struct sf_question *items;
    size_t count, cap;
};

/* Gets the value that was asked for; false with `err` refuses it, and the question stays open. */
typedef bool sf_value_fn(struct sf_port *port, const char *value, const char *text,
                         struct sf_error *err);

struct sf_asked_value {
    sf_value_fn *filled; /* NULL: no value is asked for */
    char *value;         /* names the value that is asked for, for the command */
    const char *command;
};

struct sf_text_edit;

/* Gets the edited text. False: it was not saved, and a response says why. */
typedef bool sf_text_edit_fn(struct sf_port *port, const struct sf_text_edit *edit,
                             const char *text, size_t len);

struct sf_text_edit {
    sf_text_edit_fn *edited; /* NULL: no text is being edited */
    int which;               /* selects one of the command's texts */
    const char *command;
    char *before; /* the text before editing */
};

struct sf_connect;
struct sf_draft_job;
struct sf_checkout_look;

/* What is known of the checkout; checkout.c. */
struct sf_port_checkout {
    bool wanted;                   /* the surface shows it */
    struct sf_checkout_look *look; /* a look that runs, or NULL */
    bool again;                    /* something changed since it began */
    bool dirty;                    /* the answer of the last look */
    char *branch;                  /* NULL: not read yet */
    struct sf_filewatch *notice;   /* reports what git writes, or NULL */
    uint64_t timer;                /* git has just written */
};

/* Which files changed since the session began is compared on a worker; overview.c. */
struct sf_port_files {
    bool wanted;                        /* the surface shows it */
    bool stale;                         /* a comparison was left out while it was not wanted */
    bool runs;                          /* files are being compared */
    bool again;                         /* something changed since that began */
    bool touched;                       /* a call of the running turn may have changed files */
    uint64_t timer;                     /* a comparison is about to begin */
    void (*then)(struct sf_port *port); /* gives an answer that waits for the files, or NULL */
    const char *command;                /* the command that it answers */
};

/* Questions of the session that wait for the user; overview.c. */
struct sf_port_waits {
    size_t asked;
    bool plan; /* a plan waits to be accepted */
};

/* How many were given up or left, and have not ended yet. */
struct sf_port_left {
    size_t connects, sessions;
};

struct sf_drafts {
    struct sf_strbuf kept;     /* the contents of the session's file, now or in a moment */
    struct sf_draft_job *jobs; /* texts to be written; the first is being written */
};

/* What is done with what `sf doctor` says: only what is not well, all, the text of repairs, a prompt. */
enum sf_doctor_how { SF_DOCTOR_CALM, SF_DOCTOR_ALL, SF_DOCTOR_TEXT, SF_DOCTOR_HEAL };

struct sf_port_doctor {
    struct sf_child *child; /* the running `sf doctor`, or NULL */
    const char *command;    /* the command that started it */
    enum sf_doctor_how how;
};

/* The plan that is carried out in this session; run.c. */
struct sf_port_plan {
    struct sf_run *run; /* or NULL */
    bool submitted;     /* a plan was, in the turn that runs */
    uint64_t timer;     /* it is about to be carried out */
};

/* Looks at files, and restores; commands_restore.c. */
struct sf_port_restore {
    bool looking;             /* comparing files, for a diff or a preview */
    bool nothing;             /* the last restore had nothing to put back */
    const char *command;      /* the command that started it */
    sf_question_fn *and_then; /* called when the running restore is over, or NULL */
    void *ctx;
    sf_restore_fn *seen; /* gets the preview */
    void *seen_ctx;
};

struct sf_port {
    struct sf_port_setup setup;
    struct sf_loop *loop;
    struct sf_session *session;
    struct sf_session_setup next; /* the setup of the next session, if has_next */
    bool has_next;
    struct sf_config *fresh; /* the settings, if they were read again since the start; or NULL */
    struct sf_custom_files customs;
    struct sf_queue queue;
    struct sf_prompt_history *history; /* lines that were sent before */
    struct sf_questions questions;
    struct sf_strlist steering; /* text for the running turn */
    struct sf_message pictures; /* for the first session, which is not open yet */
    struct sf_asked_value field;
    struct sf_text_edit edit;
    struct sf_drafts drafts;
    struct sf_connect *connect; /* a model being connected, or NULL */
    struct sf_port_left left;
    struct sf_port_totals totals;
    struct sf_port_checkout checkout;
    struct sf_overview overview;
    struct sf_port_files files;
    struct sf_port_waits waits;
    struct sf_port_plan plan;
    struct sf_mode_state declined; /* where the user said no to going, if has_declined */
    bool has_declined;             /* and nothing else was chosen since */
    struct sf_port_restore restore;
    const char *command;         /* the command whose responses are being sent, or "" */
    size_t owed;                 /* number of responses that come later */
    enum sf_log_level log_level; /* the least severe level that /logs lists */
    struct sf_port_doctor doctor;
    bool ending;     /* the surface ends, and needs no more responses */
    int64_t turn_ms; /* when the running turn was sent; 0: no turn was */
    bool shown;      /* the last command gave a response to be read or answered */
};

/* ---- port.c ---- */

void sf_port_respond(struct sf_port *p, struct sf_response *response); /* and releases it */
void sf_port_note(struct sf_port *p, bool bad, const char *format, ...) SF_PRINTF(3, 4);
/* A sentence that answers a command and is all of its answer: it stays to be read. */
void sf_port_say(struct sf_port *p, const char *format, ...) SF_PRINTF(2, 3);
void sf_port_note_while(struct sf_port *p, enum sf_note_holds holds, const char *format, ...)
    SF_PRINTF(3, 4);
void sf_port_usage(struct sf_port *p, const char *format, ...)
    SF_PRINTF(2, 3); /* a bad note: the words of the command are at fault */
void sf_port_passing(struct sf_port *p, const char *text); /* a temporary note; "" removes it */
void sf_port_fail(struct sf_port *p, const struct sf_error *err);
void sf_port_page(struct sf_port *p, const char *title,
                  struct sf_strbuf *markdown); /* empties `markdown` */
void sf_port_changed(struct sf_port *p);
int sf_port_columns(const struct sf_port *p); /* the width of a page on the surface */
bool sf_port_moves(const struct sf_port *p);  /* the surface can switch to another session */

/* Notes that a response comes later; returns the command to send it for. */
const char *sf_port_owe(struct sf_port *p);
void sf_port_paid(struct sf_port *p); /* such a response has been sent */

/* ---- state.c ---- */

struct sf_config *sf_port_settings(const struct sf_port *p); /* the current settings */

/* Writes a setting to the user's file; NULL removes it from the file. */
bool sf_port_write_setting(struct sf_port *p, const char *key, const char *value,
                           struct sf_error *err) SF_MUST_CHECK;
bool sf_port_reload(struct sf_port *p, struct sf_error *err) SF_MUST_CHECK; /* all settings */

/* ---- run.c ---- */

void sf_port_run_begin(struct sf_port *p, bool single); /* or goes on */
void sf_port_run_word(struct sf_port *p, const char *text, size_t len);
void sf_port_run_pause(struct sf_port *p);
void sf_port_run_stop(struct sf_port *p);
void sf_port_run_follow(struct sf_port *p, const struct sf_event *event);
void sf_port_run_close(struct sf_port *p);                            /* the session goes */
void sf_port_run_add(const struct sf_port *p, struct sf_strbuf *out); /* for /status, Markdown */

/* ---- overview.c ---- */

void sf_overview_take(struct sf_port *p, const struct sf_event *event);
void sf_overview_enter(struct sf_port *p, bool resumed); /* another session */
/* Compares the files if that is wanted by now and was left out. */
void sf_overview_catch_up(struct sf_port *p);
/*
 * Compares the files, where what is known of them may not be exact, and calls `then` afterwards;
 * false: it is exact, or cannot be compared now, and nothing is called.
 */
bool sf_overview_settle(struct sf_port *p, void (*then)(struct sf_port *port));
/* Without a snapshot the session has changed no file, unless none are taken. */
bool sf_overview_has_snapshot(struct sf_port *p);
void sf_overview_leave(struct sf_port *p); /* the session is about to be closed */
void sf_overview_close(struct sf_port *p); /* the port ends, and begins no look any more */
void sf_overview_release(struct sf_port *p);

/* ---- checkout.c ---- */

void sf_port_checkout_changed(struct sf_port *p); /* by a call; looks again where that is shown */
void sf_port_checkout_close(struct sf_port *p);   /* ends a look that runs, and waits for it */
void sf_port_checkout_release(struct sf_port *p);

/* ---- questions.c ---- */

void sf_port_ask(struct sf_port *p, const char *markdown, sf_question_fn *answered, void *ctx);
void sf_port_ask_with(struct sf_port *p, struct sf_response *question, sf_question_fn *answered,
                      void *ctx); /* releases the response */
/* Whether a question with this callback waits. */
bool sf_port_asks(const struct sf_port *p, sf_question_fn *answered);
void sf_questions_drop(struct sf_port *p); /* answers all with no */

/* ---- fields.c ---- */

/* Asks for a value; `value` names it for the command, and is copied. Releases the response. */
void sf_port_ask_field(struct sf_port *p, struct sf_response *field, sf_value_fn *filled,
                       const char *value);

/* Shows a text that may be edited. Releases the response. */
void sf_port_give_text(struct sf_port *p, struct sf_response *page, sf_text_edit_fn *edited,
                       int which);
void sf_fields_drop(struct sf_port *p); /* forgets the value and the text that are asked for */

/* ---- steering.c ---- */

void sf_steering_take(struct sf_port *p, const struct sf_event *event);

/* ---- line.c ---- */

void sf_port_tell_sent(struct sf_port *p, const struct sf_sent *sent);
bool sf_port_custom(struct sf_port *p, const char *line); /* false: no such custom command */

/* ---- axes.c ---- */

void sf_port_mode_command(struct sf_port *p, const struct sf_mode_command *c, const char *line);
void sf_port_explain_field(struct sf_port *p, enum sf_field field, const char *value,
                           struct sf_strbuf *out);

/* ---- queue.c ---- */

void sf_queue_load(struct sf_port *p); /* reads the session's queue from the store */
void sf_queue_release(struct sf_queue *q);
size_t sf_queue_find(const struct sf_queue *q, int64_t id); /* its index; `count`: not found */
void sf_queue_after(struct sf_port *p, bool ok);       /* a turn is over; `ok`: it ended well */
void sf_queue_after_shell(struct sf_port *p, bool ok); /* the same for a command or a restore */
/* Queues the text while a restore runs, since nothing may begin then; false: no need to wait. */
bool sf_queue_hold(struct sf_port *p, const char *text);

/* ---- commands, a row of the table each ---- */

typedef void sf_port_command_fn(struct sf_port *p, const char *args);
typedef void sf_port_explain_fn(struct sf_port *p, const char *value, struct sf_strbuf *out);

/* commands_help.c */
sf_port_command_fn sf_command_help;
/* commands_show.c */
sf_port_command_fn sf_command_status, sf_command_cost, sf_command_report;
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
/* commands_plan.c */
sf_port_command_fn sf_command_plan;
sf_port_explain_fn sf_explain_plan;
/* commands_trust.c */
void sf_command_trust(struct sf_port *p, const char *word);
/* commands_instructions.c */
sf_port_command_fn sf_command_instructions;
void sf_port_ask_instructions(struct sf_port *p); /* if there is anything to accept */
/* commands_permissions.c */
sf_port_command_fn sf_command_permissions;
/* commands_init.c */
sf_port_command_fn sf_command_init;
/* commands_config.c */
sf_port_command_fn sf_command_config;
void sf_config_explain(struct sf_port *p, const char *key, struct sf_strbuf *out);
/* Checks, writes and applies a setting, and says so; "" removes it from the user's file. */
bool sf_port_change_setting(struct sf_port *p, const char *key, const char *text,
                            struct sf_error *err) SF_MUST_CHECK;
/* commands_restore.c */
sf_port_command_fn sf_command_undo, sf_command_redo, sf_command_restore, sf_command_diff;
sf_port_explain_fn sf_restore_explain;
/*
 * Restores a snapshot after showing the plan and asking. `and_then` (or NULL) is called exactly
 * once, and told whether the files are as in the snapshot now.
 */
void sf_port_restore_then(struct sf_port *p, int64_t number, sf_question_fn *and_then, void *ctx);
/* queue.c */
sf_port_command_fn sf_command_queue;
/* commands_tasks.c, commands_logs.c */
sf_port_command_fn sf_command_tasks, sf_command_bashes, sf_command_logs;
/* commands_overview.c */
sf_port_command_fn sf_command_todos;
/* Adds text between fences that it cannot end itself. */
void sf_port_fenced_add(struct sf_strbuf *markdown, const struct sf_strbuf *text);
void sf_port_show_job(struct sf_port *p, int64_t id);                     /* as a page */
void sf_port_overview_add(struct sf_port *p, struct sf_strbuf *markdown); /* rows of a table */
/* statusline.c */
sf_port_command_fn sf_command_statusline;
/* Whether the user's line of facts is shown and has this placeholder. */
bool sf_statusline_names(const struct sf_port *p, const char *name);
/* commands_review.c */
sf_port_command_fn sf_command_review;
sf_port_explain_fn sf_review_explain;
/* commands_doctor.c */
sf_port_command_fn sf_command_doctor;
/* commands_context.c */
sf_port_command_fn sf_command_goal, sf_command_context, sf_command_compact, sf_command_pin,
    sf_command_add_dir;

/* Removes the word from the front of the arguments; false if it is not there. */
bool sf_args_take(const char **args, const char *word);

/* Takes a number of digits alone out of the arguments; or it is all of them. */
bool sf_args_take_number(const char **args, int64_t *number);
bool sf_args_number(const char *args, int64_t *number);

#endif
