/*
 * model_server: plays a model service on 127.0.0.1, for tests and benches. It speaks
 *
 *     POST /v1/messages  POST /v1/chat/completions  POST /v1/responses  GET /v1/models
 *
 * as strictly as the real ones, answers from a scenario (tests/scenarios/README.md), goes wrong
 * where the scenario says so, and remembers every request.
 *
 * In a test: model_server_start, point the client at model_server_url, model_server_stop. The
 * server has its own thread; all functions may be called from the one that started it. Borrowed
 * bytes stay until the stop. Connections are 64 at most, requests MODEL_RECORDS_MAX.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_SERVER_H
#define SF_TESTS_SUPPORT_MODEL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/io.h"
#include "support/model_record.h"

struct model_server;

struct model_server_options {
    const char *scenario;      /* its text, or */
    const char *scenario_file; /* where it is */
    const char *const *vars;   /* NAME=VALUE for ${NAME}, NULL at the end; NULL: none. ${url} is
                                  always there. */
    const char *record_dir;    /* NULL: requests are kept in memory only */
    uint16_t port;             /* 0: any free one */
};

struct model_server *model_server_start(const struct model_server_options *options,
                                        struct sf_error *err);
void model_server_stop(struct model_server *server); /* NULL is welcome */

/* The same on a loop of the caller's, in its thread. */
struct model_server *model_server_open(struct sf_loop *loop,
                                       const struct model_server_options *options,
                                       struct sf_error *err);
void model_server_close(struct model_server *server);

uint16_t model_server_port(const struct model_server *server);
const char *model_server_url(const struct model_server *server); /* http://127.0.0.1:PORT */

/* What was asked, see model_record.h; requests count from 0. */
size_t model_server_count(struct model_server *server);
const char *model_server_body(struct model_server *server, size_t i, size_t *len);
const char *model_server_path(struct model_server *server, size_t i);
const char *model_server_header(struct model_server *server, size_t i, const char *name);
size_t model_server_connection(struct model_server *server, size_t i); /* counts from 1 */
int model_server_status(struct model_server *server, size_t i);        /* that was sent */
struct model_times model_server_times(struct model_server *server, size_t i);

/*
 * What was said to have been used, as far as the answer went: also of one that broke off. What the
 * service does not say (writing to the cache, in chat) stands in the input, as it does there.
 */
struct model_bill model_server_bill(struct model_server *server, size_t i);
struct model_bill model_server_ledger(struct model_server *server); /* the sum of them */
size_t model_server_hellos(struct model_server *server);            /* clients that tried TLS */

/*
 * What the server did not like: requests it refused, expectations that failed, requests after the
 * end of the script. NULL behind the last one; a test of a client wants none.
 */
const char *model_server_complaint(struct model_server *server, size_t i);
size_t model_server_replies(struct model_server *server); /* of the script, given so far */

/* Until so many requests have come, or were answered to the end (or left); false: in vain. */
bool model_server_wait(struct model_server *server, size_t count, int timeout_ms);
bool model_server_wait_done(struct model_server *server, size_t count, int timeout_ms);

#endif
