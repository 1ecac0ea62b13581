/*
 * attempt: one try of a request over http. Everything that can happen ends in exactly one
 * SF_STREAM_END or SF_STREAM_ERROR, the last thing `fn` is called with; the owner then frees the
 * attempt. Internal to the room.
 */
#ifndef SF_MODEL_ATTEMPT_H
#define SF_MODEL_ATTEMPT_H

#include "io/io.h"
#include "model/client.h"
#include "modules/modules.h"
#include "wire/wire.h"

struct sf_attempt;

/* Borrowed until the attempt is freed. */
struct sf_attempt_setup {
    struct sf_loop *loop;
    const struct sf_http_api *http;
    struct sf_http_engine *engine;
    const struct sf_provider *provider;
    const struct sf_client_limits *limits; /* without zeros */
    const char *proxy, *ca_file;
};

/* Callbacks come from the loop. The body is copied. */
struct sf_attempt *sf_attempt_start(const struct sf_attempt_setup *setup, const void *body,
                                    size_t len, sf_stream_fn *fn, void *ctx);

/* At any moment, also from within `fn`; nothing more is called. NULL is welcome. */
void sf_attempt_free(struct sf_attempt *attempt);

/* ---- for whatever else is asked of a service ---- */

/* Who asks, and the key in the service's own way; to be wiped, not just released. */
void sf_attempt_add_headers(const struct sf_provider *provider, struct sf_strlist *out);
void sf_attempt_wipe_headers(struct sf_strlist *headers);

void sf_attempt_hide_key(char *message, const char *key); /* NULL: nothing to hide */

#endif
