/*
 * client_case: a client on a loop, a model server to talk to, and a record of all the client says.
 * The receiver behaves as a real one must: at a retry it forgets what it had.
 */
#ifndef SF_TESTS_SUPPORT_CLIENT_CASE_H
#define SF_TESTS_SUPPORT_CLIENT_CASE_H

#include "model/model.h"
#include "support/model_server.h"

struct client_case {
    struct sf_loop *loop;
    struct model_server *server;
    struct sf_provider provider;
    struct sf_client *client;
    struct sf_history history;

    int events, begins, retries, ends;
    bool failed;             /* the end was an error */
    struct sf_strbuf deltas; /* text that was shown */
    struct sf_strbuf blocks; /* text of whole blocks; calls as NAME(ARGUMENTS) */
    struct sf_usage usage;
    enum sf_stop stop;
    struct sf_wire_error error;    /* the last one */
    struct sf_retry_notice notice; /* the last one; `why` is not good any more */
    struct sf_wire_error retried_for;

    /* Done by the event of that number, counted from 1, and by none when it is 0. */
    int act_at;
    void (*act)(struct client_case *c);
    int after; /* events that came although the act should have ended them */
    bool acted;
};

/* Only what hangs takes so long. */
enum { CLIENT_CASE_PATIENCE_MS = 240000 };

/* Short waits before the next try: a test takes milliseconds. */
extern const struct sf_client_limits client_case_limits;

/* cmocka fixtures: *state is a struct client_case without server and client. */
int client_case_setup(void **state);
int client_case_teardown(void **state);

/* Each replaces what was there before; they fail the test. */
void client_case_serve(struct client_case *c, const char *scenario);
void client_case_connect(struct client_case *c, enum sf_wire_format format,
                         const struct sf_client_limits *limits);
void client_case_connect_to(struct client_case *c, const struct sf_provider *provider,
                            const struct sf_client_limits *limits);

/* Asks "hello"; the record is emptied first. */
void client_case_ask(struct client_case *c);
void client_case_wait(struct client_case *c);   /* until the end */
void client_case_settle(struct client_case *c); /* some turns, for what must not come */

/* Fails the test when the server did not like something. */
void client_case_check_server(struct client_case *c, const char *name);

#endif
