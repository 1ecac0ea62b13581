/*
 * port_case: a port with a session behind it, in the test's own process and without a screen. The
 * offline operator answers, unless a scripted model was served (session_case_serve). Responses are kept
 * as the surface was given them.
 *
 * Life: fixtures; port_case_open, then port_case_line and the others; a failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_PORT_CASE_H
#define SF_TESTS_SUPPORT_PORT_CASE_H

#include "port/port.h"
#include "support/session_case.h"

struct port_case {
    struct session_case *parts; /* what a session needs; its own session stays NULL */
    bool stays;                 /* the surface cannot go on in another session; before opening */
    bool reloads;               /* a setting that is written is read again; before opening */
    int64_t cost_limit;         /* micro-USD, before opening; 0: none */
    const struct sf_surface_settings *settings; /* what the surface looks at; before opening */
    struct sf_port *port;
    struct sf_response *said; /* responses since the last line, copied */
    size_t count, cap;
    int events[SF_EVENT_DONE + 1]; /* how often each kind came since the last line */
    int entered;                   /* how often a session was entered, the first one too */
    char *asked;                   /* id of the call that waits for an answer, or NULL */
    bool keeps;                    /* the last question offered an approval that lasts */
};

int port_case_setup(void **state); /* cmocka fixtures: *state is a struct port_case */
int port_case_teardown(void **state);

/* Opens the port and a session in it: a new one for NULL. What was open is closed. */
void port_case_open(struct port_case *c, const char *resume);

/* Says the line and waits until nothing runs and no answer is owed. */
void port_case_line(struct port_case *c, const char *line);
void port_case_begin(struct port_case *c, const char *line); /* the same, without waiting */
void port_case_wait(struct port_case *c);

/* The first response of that kind since the last line; fails the test where there is none. */
const struct sf_response *port_case_said(struct port_case *c, enum sf_response_kind kind);

/* Fails the test unless a response of that kind since the last line has these words. */
void port_case_expect(struct port_case *c, enum sf_response_kind kind, const char *words);

/* The row that has the value; NULL: none. */
const struct sf_response_row *port_case_row(const struct sf_response *r, const char *value);

#endif
