/*
 * session_case: a session with everything it needs, in the test's own process: a store, a workspace,
 * a scripted model behind real HTTP, and a loop. Thousands of turns take seconds, since no program
 * is started for each.
 *
 * Life: fixtures, talk_case_serve, talk_case_open, talk_case_turn …; a failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_SESSION_CASE_H
#define SF_TESTS_SUPPORT_SESSION_CASE_H

#include "session/session.h"
#include "support/model_server.h"

/* Only what hangs takes so long. */
enum { TALK_CASE_HANG_MS = 240000 };

struct talk_case {
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

/* cmocka fixtures: *state is a struct talk_case. No try is made again; nobody is there to ask. */
int talk_case_setup(void **state);
int talk_case_teardown(void **state);

/* Both replace what was there before. `resume` is a session's id; NULL: a new one. */
void talk_case_serve(struct talk_case *c, enum sf_wire_format format, const char *scenario);
void talk_case_open(struct talk_case *c, const char *resume);

/* Settings of the user's own; before anything is opened, as they make the ground. */
void talk_case_settings(struct talk_case *c, const char *toml);

/* How many tokens the scripted model holds, and answers at most; before anything is opened. */
void talk_case_window(struct talk_case *c, int window, int max_output);

/* Says it and waits for the end of the turn. */
void talk_case_turn(struct talk_case *c, const char *words);
void talk_case_wait(struct talk_case *c); /* for the end of what was begun otherwise */

/* A request without its dates, to be compared with another one of perhaps another day; owned. */
char *talk_case_body(struct talk_case *c, size_t request);

/* Fails the test unless the history could be sent to a service and is UTF-8 throughout. */
void talk_case_check_history(struct talk_case *c, const char *name);
void talk_case_check_server(struct talk_case *c, const char *name);

#endif
