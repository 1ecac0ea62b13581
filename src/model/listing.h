/*
 * listing: which models a service has, asked of the service itself. One small request without a
 * body; the servers on this machine answer it at once or not at all, so it also tells whether one
 * is there.
 */
#ifndef SF_MODEL_LISTING_H
#define SF_MODEL_LISTING_H

#include <stdint.h>

#include "base/base.h"
#include "io/io.h"
#include "model/provider.h"

enum {
    SF_LISTING_MODELS = 1000, /* more are left out */
    SF_LISTING_NAME = 200,    /* bytes of a name; longer ones are left out */
};

/* Borrowed for the start. */
struct sf_listing_wish {
    struct sf_loop *loop;
    const struct sf_provider *provider;
    const char *proxy, *ca_file; /* or NULL, see client.h */
    int64_t timeout_ms;          /* for all of it; 0: 10 s */
};

struct sf_listing;

/* Once, from the loop: the names in the service's order, or NULL and why. Both borrowed. */
typedef void sf_listing_fn(void *ctx, const struct sf_strlist *models, const struct sf_error *err);

struct sf_listing *sf_listing_start(const struct sf_listing_wish *wish, sf_listing_fn *fn,
                                    void *ctx, struct sf_error *err);

/* At any moment, also from within `fn`; nothing more is called. NULL is welcome. */
void sf_listing_free(struct sf_listing *listing);

/* The names in an answer of that kind; pure. */
bool sf_listing_read(const char *text, size_t len, struct sf_strlist *models,
                     struct sf_error *err) SF_MUST_CHECK;

#endif
