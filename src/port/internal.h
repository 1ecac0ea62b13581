/*
 * internal: the port's fields and what its files offer each other.
 *
 *     port.c       life, sessions, what surfaces see
 *     line.c       lines: words, commands, shell, notes
 *     command.c    the table of commands and how a line finds its row
 *     commands_*   what they do, a file a family
 *     questions.c  questions of sf's own, and their answers
 *     queue.c      words for the turns that follow
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
    struct sf_port_totals totals;
    const char *command; /* whose responses are being given; "": nobody's */
    size_t owed;         /* answers of commands that come later */
    bool shown;          /* a response was given that is to be read or answered */
};

/* ---- port.c ---- */

void sf_port_respond(struct sf_port *p, struct sf_response *response); /* releases it */
void sf_port_note(struct sf_port *p, bool bad, const char *format, ...) SF_PRINTF(3, 4);
void sf_port_fail(struct sf_port *p, const struct sf_error *err);
void sf_port_page(struct sf_port *p, const char *title,
                  struct sf_strbuf *markdown); /* empties it */
void sf_port_changed(struct sf_port *p);
int sf_port_columns(const struct sf_port *p); /* of a page on the surface */

/* An answer comes later, under the name that `command` was when it was promised. */
const char *sf_port_owe(struct sf_port *p);
void sf_port_paid(struct sf_port *p); /* and has come */

/* ---- questions.c ---- */

void sf_port_ask(struct sf_port *p, const char *markdown, sf_question_fn *answered, void *ctx);
bool sf_port_asks(const struct sf_port *p, sf_question_fn *answered); /* such a one waits */
void sf_questions_drop(struct sf_port *p);                            /* all are answered with no */

/* ---- command.c ---- */

void sf_port_to_screen(struct sf_port *p, const char *args); /* only a screen can do it */

/* ---- line.c ---- */

bool sf_port_custom(struct sf_port *p, const char *line); /* runs it; false: there is none */

/* ---- axes.c ---- */

void sf_port_mode_command(struct sf_port *p, const struct sf_mode_command *c, const char *line);
void sf_port_explain_field(struct sf_port *p, enum sf_field field, const char *value,
                           struct sf_strbuf *out);

/* ---- queue.c ---- */

void sf_queue_load(struct sf_port *p); /* the session's, as the store has it */
void sf_queue_release(struct sf_queue *q);
void sf_queue_after(struct sf_port *p, bool ok);       /* what ran before is over, well or not */
void sf_queue_after_shell(struct sf_port *p, bool ok); /* the same of a command, or a restore */
/* Adds it if files are going back, before which nothing begins; false: it need not wait. */
bool sf_queue_hold(struct sf_port *p, const char *text);

/* ---- commands, a row of the table each ---- */

typedef void sf_port_command_fn(struct sf_port *p, const char *args);

/* commands_show.c */
sf_port_command_fn sf_command_help, sf_command_status, sf_command_cost, sf_command_report;
/* commands_session.c */
sf_port_command_fn sf_command_new, sf_command_rename;
/* commands_custom.c */
sf_port_command_fn sf_command_commands;
void sf_port_customs_add(struct sf_port *p, struct sf_strbuf *out); /* a section, or nothing */
/* queue.c */
sf_port_command_fn sf_command_queue;
/* commands_context.c */
sf_port_command_fn sf_command_goal, sf_command_context, sf_command_compact, sf_command_pin;

/* Takes the word out of the arguments; whether it was there. */
bool sf_args_take(const char **args, const char *word);

#endif
