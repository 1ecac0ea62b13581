/*
 * http_api: what the http module does: requests that run beside the loop. An engine belongs to a
 * loop and keeps its connections as long as anybody holds it. A call is one request; what comes
 * back arrives on the loop, never from within `start`:
 *
 *     on_head once, on_body for each piece, on_end once        (a failed call: on_end alone)
 *
 * After `cancel` or `finish` nothing more is called, and the call's pointer is gone. Both, and
 * `start` and `close`, may be called from any callback of any call.
 *
 * What is refused: other protocols than http and https, names and passwords in an address, plain
 * http that leaves this machine unless `plain` says so, TLS below 1.2, redirects (they end the
 * call, so no key ever travels to another host). Compressed answers are not asked for: nothing
 * grows on its way here. Loopback is reached directly, whatever proxy is set.
 *
 * With `public_only` every address a name stands for is looked at before a socket is opened for
 * it, so a name that changes its mind leads nowhere, and no connection of another call is used.
 * Behind a proxy it is the proxy that looks names up; then it alone decides.
 */
#ifndef SF_MODULES_HTTP_API_H
#define SF_MODULES_HTTP_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "io/io.h"

struct sf_http_engine;
struct sf_http_call;

enum {
    SF_HTTP_HEAD_MAX = 256 * 1024, /* bytes of an answer's headers, all together */
    SF_HTTP_LINGER_MS = 1000,      /* how long a finished call may take to end */
    SF_HTTP_LINGER_MAX = 64 * 1024 /* and how many bytes */
};

/* Everything is copied. */
struct sf_http_request {
    const char *url;
    const char *method;         /* NULL: POST with a body, else GET */
    const char *const *headers; /* "Name: value", NULL behind the last; or NULL */
    const void *body;           /* NULL: none */
    size_t body_len;
    int64_t connect_ms;  /* for name, connection and handshake; 0: 20 s */
    const char *proxy;   /* NULL: the usual variables; "": none */
    const char *ca_file; /* NULL: SSL_CERT_FILE, SSL_CERT_DIR, or the system's */
    bool http2;          /* where TLS negotiates it */
    bool plain;          /* http to other machines is wanted, and the request holds no secret */
    bool public_only;    /* a name that leads to this machine or network is refused */
};

/*
 * Of the final answer. Texts are borrowed for the call and "" when they did not come; they are
 * printable ASCII, in `location` by writing everything else as %XX.
 */
struct sf_http_head {
    int status;
    const char *content_type, *retry_after, *request_id, *location;
};

enum sf_http_end {
    SF_HTTP_DONE,     /* the whole answer came, whatever its status */
    SF_HTTP_CONNECT,  /* name not found, not reached, or lost on the way */
    SF_HTTP_TLS,      /* certificate or handshake */
    SF_HTTP_TIMEOUT,  /* no connection within connect_ms */
    SF_HTTP_REDIRECT, /* on_head had the location */
    SF_HTTP_OTHER,    /* no HTTP, headers beyond the ceiling, and the like */
};

struct sf_http_result {
    enum sf_http_end end;
    int status;          /* 0: none came */
    const char *message; /* what went wrong, safe to show; "" when it is done; borrowed */
};

/* All but on_end may be NULL. */
struct sf_http_events {
    void (*on_head)(void *ctx, const struct sf_http_head *head);
    void (*on_body)(void *ctx, const char *data, size_t len);
    void (*on_end)(void *ctx, const struct sf_http_result *result);
};

struct sf_http_api {
    int abi;
    /* "libcurl/7.88.1 OpenSSL/3.0.17 …": what is really loaded */
    void (*describe)(struct sf_strbuf *out);

    /*
     * The loop's engine: a second open gives the same one, and the last close ends it and its
     * calls silently. It must be closed before its loop is freed.
     */
    struct sf_http_engine *(*open)(struct sf_loop *loop, struct sf_error *err);
    void (*close)(struct sf_http_engine *engine); /* NULL is welcome */

    /* NULL with `err` filled when the request is refused; then nothing is called. */
    struct sf_http_call *(*start)(struct sf_http_engine *engine,
                                  const struct sf_http_request *request,
                                  const struct sf_http_events *events, void *ctx,
                                  struct sf_error *err);
    void (*cancel)(struct sf_http_call *call); /* at once; its connection is closed */

    /* The rest is of no interest, but is read for a moment, so that the connection can stay. */
    void (*finish)(struct sf_http_call *call);
};

#endif
