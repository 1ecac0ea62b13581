/*
 * catalog: the data file of models: windows, limits, prices, what each can do. share/models.toml
 * comes with sf and is compiled in; a models.toml beside the user's settings adds rows and
 * overrides fields. A model that is not described gets its provider's defaults and no price.
 */
#ifndef SF_MODEL_CATALOG_H
#define SF_MODEL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "wire/wire.h"

/* What a service is like. Borrowed from the catalog. */
struct sf_provider_row {
    const char *name; /* "anthropic" */
    const char *title;
    const char *base_url;
    enum sf_wire_format format;
    const char *key_env;        /* variable its key is usually in, or "" for none needed */
    const char *url_env;        /* variable that overrides the address, or "" */
    const char *tiers[3];       /* model for fast, smart, deep; "" where it has none */
    int64_t window, max_output; /* of models that are not described */
};

/* Money is micro-USD for a million tokens; -1: not known. */
struct sf_model_row {
    const char *name;
    const char *provider;
    int64_t window, max_output; /* tokens */
    int64_t price_input, price_output, price_cache_read, price_cache_write;
    const char *tier;            /* "fast", "smart", "deep" */
    const char *efforts[3];      /* the service's words for fast, smart, deep; "" for none */
    int64_t thinking_budgets[3]; /* where it takes a number instead */
    bool images;
    bool schemas;        /* holds its answer to a JSON Schema, see wire/request.h */
    bool patches;        /* prefers ApplyPatch to Edit */
    bool reasoning_back; /* wants its reasoning back, see wire/request.h */
    bool cache_mark;     /* keeps a prompt only when told to, likewise */
};

struct sf_catalog;

extern const char *const sf_tier_names[]; /* "fast", "smart", "deep", NULL */

/* The built-in text with `user` (or NULL) laid over it. Problems of `user` are its error. */
struct sf_catalog *sf_catalog_new(const char *user, size_t len, struct sf_error *err);
void sf_catalog_free(struct sf_catalog *catalog);

size_t sf_catalog_provider_count(const struct sf_catalog *catalog);
const struct sf_provider_row *sf_catalog_provider_at(const struct sf_catalog *catalog, size_t i);
const struct sf_provider_row *sf_catalog_provider(const struct sf_catalog *catalog,
                                                  const char *name); /* NULL: unknown */

size_t sf_catalog_model_count(const struct sf_catalog *catalog);
const struct sf_model_row *sf_catalog_model_at(const struct sf_catalog *catalog, size_t i);

/*
 * Never NULL: an unknown model gets careful values, made once and kept. A name with a date or
 * "-latest" behind that of a known model has its values.
 */
const struct sf_model_row *sf_catalog_model(struct sf_catalog *catalog, const char *provider,
                                            const char *name);

/* Micro-USD, rounded up; -1: a price is missing. */
int64_t sf_model_cost(const struct sf_model_row *model, const struct sf_usage *usage);

#endif
