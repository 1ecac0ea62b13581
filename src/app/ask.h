/*
 * ask: questions of a one-shot run at a terminal, as plain lines on standard error, answered on
 * standard input. Without a terminal to ask on, --on-ask decides for all questions.
 */
#ifndef SF_APP_ASK_H
#define SF_APP_ASK_H

#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

enum sf_on_ask {
    SF_ON_ASK_DENY,  /* No terminal to ask on: calls that need an answer are refused. */
    SF_ON_ASK_ASK,   /* The user is asked at the terminal. */
    SF_ON_ASK_ALLOW, /* Calls that the profile asks about run, unless they destroy something or read
                        credentials; so do restores, which can be taken back. */
};

extern const char *const sf_on_ask_names[]; /* Names of the values: "deny", "ask", "allow", NULL. */

struct sf_ask {
    struct sf_loop *loop;
    struct sf_port *port;
    enum sf_on_ask how;
    uint64_t watch; /* Watches standard input while a question waits. */
    struct sf_strbuf line;
    struct sf_strlist waiting; /* Ids of calls; the first one is being asked about. */
    struct sf_strlist cards;   /* The text of each question. */
    struct sf_strlist kinds;   /* "ask", "confirm", "question" or "own" for each. */
    bool shown;                /* The first question is on the terminal. */
};

void sf_ask_init(struct sf_ask *ask, struct sf_loop *loop, enum sf_on_ask how);
void sf_ask_release(struct sf_ask *ask);

/* Takes events that ask, and SF_EVENT_RESULT of calls that ended without an answer. */
void sf_ask_take(struct sf_ask *ask, const struct sf_event *event);

/* Prints a question of sf's own that nobody can answer. */
void sf_ask_print(const char *markdown);

/* Asks a question of sf's own; sf_port_reply() gets the answer. */
void sf_ask_own(struct sf_ask *ask, const char *markdown);

#endif
