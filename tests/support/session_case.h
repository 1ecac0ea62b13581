/*
 * session_case: a session with everything it needs, in the test's own process: a store, a workspace,
 * a scripted model behind real HTTP, and a loop. Thousands of turns take seconds, since no program
 * is started for each.
 *
 * Life: fixtures, session_case_serve, session_case_open, session_case_turn …; a failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_SESSION_CASE_H
#define SF_TESTS_SUPPORT_SESSION_CASE_H

#include "session/session.h"
#include "support/model_server.h"

/* Only what hangs takes so long. */
enum { SESSION_CASE_HANG_MS = 240000 };

struct session_case {
    char *dir; /* everything below goes with it */
    char *state_dir;
    struct sf_workspace workspace;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_store *store;
    struct sf_config *config;
    struct sf_policy_context policy;
    struct sf_catalog *catalog;
    struct sf_provider provider;
    struct sf_strlist tools; /* that are offered: few, so that requests are short */
    const char *scope;       /* of the sessions opened from here on; NULL: free */
    const char *below;       /* where they are opened, below the workspace; NULL: its root */
    bool attended;           /* asks are answered with `reply` */
    enum sf_reply reply;
    bool at_leisure;                                        /* old sessions are read on the loop */
    void (*watch)(void *ctx, const struct sf_event *event); /* hears everything too; or NULL */
    void *watch_ctx;
    struct model_server *server;
    struct sf_session *session;

    /* of the last turn */
    int event[SF_EVENT_DONE + 1]; /* how often each kind came */
    enum sf_turn_status status;
    struct sf_wire_error error;
    struct sf_strbuf text;   /* of the last answer */
    struct sf_strbuf heard;  /* notices, previews, results, summaries, how it ended: a line each */
    char *asked;             /* id of a call to be answered, or NULL */
    size_t called_at;        /* requests the server had seen when the last call began; 0: none */
    bool call_out_of_answer; /* a call that no complete answer in the history holds */
};

/* cmocka fixtures: *state is a struct session_case. No try is made again; nobody is there to ask. */
int session_case_setup(void **state);
int session_case_teardown(void **state);

/* Both replace what was there before. `resume` is a session's id; NULL: a new one. */
void session_case_serve(struct session_case *c, enum sf_wire_format format, const char *scenario);
void session_case_open(struct session_case *c, const char *resume);

/* Settings of the user's own; before anything is opened, as they make the ground. */
void session_case_settings(struct session_case *c, const char *toml);

/* How many tokens the scripted model holds, and answers at most; before anything is opened. */
void session_case_window(struct session_case *c, int window, int max_output);

/* Says it and waits for the end of the turn. */
void session_case_turn(struct session_case *c, const char *words);
void session_case_wait(struct session_case *c); /* for the end of what was begun otherwise */

/* A request without its dates, to be compared with another one of perhaps another day; owned. */
char *session_case_body(struct session_case *c, size_t request);

/* Fails the test unless the history could be sent to a service and is UTF-8 throughout. */
void session_case_check_history(struct session_case *c, const char *name);
void session_case_check_server(struct session_case *c, const char *name);

#endif
