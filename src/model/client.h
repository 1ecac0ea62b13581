/*
 * client: one conversation's line to a provider. Start a request and events arrive on the loop:
 * stream events as in wire/stream.h, and between them notices that a try failed and the next one
 * waits. Exactly one SF_STREAM_END or SF_STREAM_ERROR ends it, unless it is cancelled: then nothing more
 * is called.
 *
 * A try that fails before its end is made again where that may help (see sf_faults), however much
 * of the answer had come: on_retry tells the receiver to forget it. Waits grow, are capped and
 * scattered; what the service asks for in Retry-After is honoured up to a limit.
 */
#ifndef SF_MODEL_CLIENT_H
#define SF_MODEL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "io/io.h"
#include "model/provider.h"
#include "model/recording.h"
#include "wire/wire.h"

struct sf_client;

/* Zero in a field means its default. */
struct sf_client_limits {
    int64_t connect_ms;    /* 20 s */
    int64_t first_byte_ms; /* 120 s */
    int64_t silence_ms;    /* 60 s between bytes */
    int64_t total_ms;      /* 30 min a try */
    int tries;             /* 6 */
    int64_t wait_first_ms; /* 1 s, doubled each time */
    int64_t wait_max_ms;   /* 60 s: also the most a Retry-After is honoured */
};

struct sf_client_setup {
    struct sf_loop *loop;
    const struct sf_provider *provider; /* borrowed; must outlive the client */
    struct sf_client_limits limits;
    const char *proxy;              /* or NULL: the usual variables */
    const char *ca_file;            /* or NULL: the system's */
    struct sf_recording *recording; /* gets every answer; or NULL */
};

struct sf_client *sf_client_new(const struct sf_client_setup *setup);
void sf_client_free(struct sf_client *client); /* a running request ends silently */

struct sf_retry_notice {
    int attempt, of; /* the try that failed, and how many there will be */
    int64_t wait_ms;
    const struct sf_wire_error *why;
};

struct sf_client_events {
    sf_stream_fn *on_stream;
    void (*on_retry)(void *ctx, const struct sf_retry_notice *notice);
    void *ctx;
};

/*
 * `body` is the request as sf_wire_request_add wrote it and is kept by the client; `request` is
 * borrowed for the call (offline and replay read the conversation itself). Only one request at a
 * time. Callbacks come from the loop, never from within this call. False only when the http
 * module cannot be loaded; then `body` stays the caller's.
 */
bool sf_client_start(struct sf_client *client, const struct sf_wire_request *request,
                     struct sf_strbuf *body, const struct sf_client_events *events,
                     struct sf_error *err) SF_MUST_CHECK;

/* At once, also out of a wait and from within a callback; nothing more is called. */
void sf_client_cancel(struct sf_client *client);

#endif
