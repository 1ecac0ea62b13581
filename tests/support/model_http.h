/*
 * model_http: requests of HTTP/1.1 out of a byte stream, fed as the bytes come. Knows
 * Content-Length, chunked bodies, Expect: 100-continue and requests that follow each other in one
 * connection. What is not HTTP, or too large, ends the connection with a status.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_HTTP_H
#define SF_TESTS_SUPPORT_MODEL_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    MODEL_HTTP_HEAD = 64 * 1024,
    MODEL_HTTP_HEADERS = 100,
    MODEL_HTTP_BODY = 64 * 1024 * 1024,
};

/* Life: zeroed, model_http_feed, model_http_reset for the next one, model_http_release. */
struct model_http {
    char *method, *path;
    struct sf_strlist names, values; /* of the headers; names in lower case */
    struct sf_strbuf body;
    bool keep_alive;
    bool wants_continue; /* the client waits for "100 Continue"; the owner clears it */

    bool has_head, chunked, in_chunk, in_trailer;
    uint64_t left; /* bytes of the body, or of its chunk, to come */
};

enum model_http_state { MODEL_HTTP_MORE, MODEL_HTTP_READY, MODEL_HTTP_BAD };

/* Takes what it can from the front of `in`. When BAD, `status` and `why` say it. */
enum model_http_state model_http_feed(struct model_http *http, struct sf_strbuf *in, int *status,
                                      const char **why);

const char *model_http_header(const struct model_http *http, const char *name); /* or NULL */
void model_http_reset(struct model_http *http);
void model_http_release(struct model_http *http);

#endif
