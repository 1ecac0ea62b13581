/*
 * http_case: the http module on a loop, a peer to talk to, and probes: calls that put down all
 * they are told and do something at a moment of the test's choice. At the end every descriptor
 * must be closed again.
 */
#ifndef SF_TESTS_SUPPORT_HTTP_CASE_H
#define SF_TESTS_SUPPORT_HTTP_CASE_H

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"
#include "support/peer.h"

/* What a call left behind, and what its callbacks do. */
enum moment { NEVER, AT_HEAD, AT_BODY, AT_END };
enum deed { CANCEL, FINISH, CLOSE };

struct probe {
    struct http_case *fixture;
    struct sf_http_call *call;
    int heads, pieces, ends;
    int status;
    char type[128], retry_after[128], request_id[128], location[128];
    struct sf_strbuf body;
    enum sf_http_end end;
    char message[512];
    enum moment moment;
    enum deed deed;
    int after; /* callbacks behind the deed */
    bool did;
};

struct http_case {
    struct sf_loop *loop;
    const struct sf_http_api *http;
    struct sf_http_engine *engine;
    struct peer *peer;
    struct probe probes[16];
    int fds;
};

#define OK_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

/* A label of more than 63 letters is wrong without asking anybody. */
#define UNKNOWN_HOST \
    "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test/"

int http_case_setup(void **state); /* cmocka fixtures: *state is a struct http_case */
int http_case_teardown(void **state);

#define ON_WIRE(fn) cmocka_unit_test_setup_teardown(fn, http_case_setup, http_case_teardown)

/* Starts another peer in place of the one before. */
void http_case_serve(struct http_case *f, const struct peer_answer *answers, size_t count);
char *http_case_url(const char *scheme, int port, char *buf, size_t size); /* returns buf */
void http_case_settle(struct http_case *f); /* some turns, for what must not come */

extern const struct sf_http_events probe_events; /* with the probe as context */

void probe_reset(struct probe *p);
void probe_begin(struct probe *p, const struct sf_http_request *request); /* fails the test */
void probe_wait(struct probe *p);                                         /* until its end */

#endif
