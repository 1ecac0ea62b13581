/*
 * model_client: a plain HTTP client on one socket, so that tests see every byte a server sends.
 * It waits for at most MODEL_CLIENT_MS; then the response says that it timed out.
 *
 * Life: model_client_open, send and read, model_client_close; responses are released one by one.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_CLIENT_H
#define SF_TESTS_SUPPORT_MODEL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { MODEL_CLIENT_MS = 60 * 1000 };

struct model_client {
    int fd;
    struct sf_strbuf in; /* received and not yet read */
};

enum model_ending {
    MODEL_ENDED,     /* as the framing says it should */
    MODEL_CUT,       /* the connection was closed before that */
    MODEL_RESET,     /* the same with a reset */
    MODEL_TIMED_OUT, /* nothing came for too long */
    MODEL_MISFRAMED, /* the framing is none */
};

struct model_response {
    int status; /* 0: no head came */
    struct sf_strbuf head, body;
    enum model_ending ending;
};

bool model_client_open(struct model_client *client, uint16_t port);
void model_client_close(struct model_client *client);

bool model_client_send(struct model_client *client, const void *bytes, size_t len);

/* A POST with the headers the path's service wants; `key` NULL: "test-key". */
bool model_client_post(struct model_client *client, const char *path, const char *key,
                       const char *body);
void model_client_read(struct model_client *client, struct model_response *response);

/* Throws away everything up to and with these bytes; false: they do not come. */
bool model_client_skip_to(struct model_client *client, const char *mark);

/* All of these on a connection of its own. */
void model_client_ask(uint16_t port, const char *path, const char *body,
                      struct model_response *response);

const char *model_response_header(const struct model_response *response, const char *name);
void model_response_release(struct model_response *response);

#endif
