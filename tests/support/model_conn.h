/*
 * model_conn: one client's connection on a loop: requests in, answers out as slowly or as broken
 * as they are meant to be. A connection frees itself when it ends and tells its host.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_CONN_H
#define SF_TESTS_SUPPORT_MODEL_CONN_H

#include "io/io.h"
#include "support/model_record.h"
#include "support/model_responder.h"

enum { MODEL_STALL_MS = 30 * 1000 };

struct model_conn;

struct model_host {
    struct sf_loop *loop;
    struct model_responder *responder;
    struct model_book *book;
    void (*closed)(void *ctx, struct model_conn *conn);
    void (*hello)(void *ctx); /* somebody tried to speak TLS */
    void *ctx;
};

/* Takes over the descriptor, which does not block. */
struct model_conn *model_conn_new(const struct model_host *host, int fd, size_t number);
void model_conn_free(struct model_conn *conn); /* without calling `closed` */

#endif
