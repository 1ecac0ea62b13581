/*
 * ask: questions of a one-shot run at a terminal, as plain lines on standard error, answered on
 * standard input. Where nobody sits at a terminal, --on-ask decides once for all.
 */
#ifndef SF_APP_ASK_H
#define SF_APP_ASK_H

#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

enum sf_on_ask {
    SF_ON_ASK_DENY,  /* nobody is there: asks are refused */
    SF_ON_ASK_ASK,   /* somebody sits at the terminal */
    SF_ON_ASK_ALLOW, /* what the profile asks about runs; what would destroy, or read credentials,
                        does not */
};

extern const char *const sf_on_ask_names[]; /* "deny", "ask", "allow", NULL */

struct sf_ask {
    struct sf_loop *loop;
    struct sf_port *port;
    enum sf_on_ask how;
    uint64_t watch; /* of standard input while something waits */
    struct sf_strbuf line;
    struct sf_strlist waiting; /* ids of calls, the first is being asked about */
    struct sf_strlist cards;   /* what to print for each */
    struct sf_strlist kinds;   /* "ask", "confirm", "question" or "own" */
};

void sf_ask_init(struct sf_ask *ask, struct sf_loop *loop, enum sf_on_ask how);
void sf_ask_release(struct sf_ask *ask);

/* SF_EVENT_ASK, SF_EVENT_QUESTION, and SF_EVENT_RESULT of calls that ended without an answer. */
void sf_ask_told(struct sf_ask *ask, const struct sf_event *event);

/* A question of sf's own, to which sf_port_reply is the answer. */
void sf_ask_own(struct sf_ask *ask, const char *markdown);

#endif
