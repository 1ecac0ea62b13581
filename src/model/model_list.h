/*
 * model_list: which models a service has, asked of the service itself. One small request without a
 * body; the servers on this machine answer it at once or not at all, so it also tells whether one
 * is there.
 */
#ifndef SF_MODEL_MODEL_LIST_H
#define SF_MODEL_MODEL_LIST_H

#include <stdint.h>

#include "base/base.h"
#include "io/io.h"
#include "model/provider.h"

enum {
    SF_MODEL_LIST_MODELS = 1000, /* more are left out */
    SF_MODEL_LIST_NAME = 200,    /* bytes of a name; longer ones are left out */
};

/* Borrowed for the start. */
struct sf_model_list_wish {
    struct sf_loop *loop;
    const struct sf_provider *provider;
    const char *proxy, *ca_file; /* or NULL, see client.h */
    int64_t timeout_ms;          /* for all of it; 0: 10 s */
};

struct sf_model_list;

/* Once, from the loop: the names in the service's order, or NULL and why. Both borrowed. */
typedef void sf_model_list_fn(void *ctx, const struct sf_strlist *models,
                              const struct sf_error *err);

struct sf_model_list *sf_model_list_start(const struct sf_model_list_wish *wish,
                                          sf_model_list_fn *fn, void *ctx, struct sf_error *err);

/* At any moment, also from within `fn`; nothing more is called. NULL is welcome. */
void sf_model_list_free(struct sf_model_list *listing);

/* The names in an answer of that kind; pure. */
bool sf_model_list_read(const char *text, size_t len, struct sf_strlist *models,
                        struct sf_error *err) SF_MUST_CHECK;

#endif
