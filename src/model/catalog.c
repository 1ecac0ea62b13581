/*
 * catalog.c: the rows and how they are found. The text they come from is read in
 * catalog_read.c.
 */
#include "model/catalog.h"

#include <ctype.h>

#include "base/base.h"
#include "model/catalog_rows.h"

enum { CAREFUL_WINDOW = 32768, CAREFUL_OUTPUT = 8192 };

const char *const sf_tier_names[] = { "fast", "smart", "deep", NULL };

struct sf_provider_row *sf_catalog_add_provider(struct sf_catalog *catalog, const char *name)
{
    struct sf_provider_row *row;

    for (size_t i = 0; i < catalog->provider_count; i++)
        if (!strcmp(catalog->providers[i]->name, name))
            return catalog->providers[i];
    if (catalog->provider_count == SF_CATALOG_ROWS_MAX)
        return NULL;
    row = sf_arena_alloc(&catalog->arena, sizeof(*row));
    *row = (struct sf_provider_row){
        .title = "",
        .base_url = "",
        .format = SF_WIRE_CHAT,
        .key_env = "",
        .url_env = "",
        .tiers = { "", "", "" },
        .window = CAREFUL_WINDOW,
        .max_output = CAREFUL_OUTPUT,
    };
    row->name = sf_arena_strndup(&catalog->arena, name, strlen(name));
    catalog->providers = sf_grow(catalog->providers, &catalog->provider_cap,
                                 catalog->provider_count + 1, sizeof(struct sf_provider_row *));
    catalog->providers[catalog->provider_count++] = row;
    return row;
}

static struct sf_model_row *find_model(const struct sf_catalog *catalog, const char *provider,
                                       const char *name, size_t len)
{
    for (size_t i = 0; i < catalog->model_count; i++) {
        struct sf_model_row *row = catalog->models[i];

        if (!strcmp(row->provider, provider) && strlen(row->name) == len &&
            !memcmp(row->name, name, len))
            return row;
    }
    return NULL;
}

static struct sf_model_row *new_model(struct sf_catalog *catalog, const char *provider,
                                      const char *name, const struct sf_model_row *like)
{
    struct sf_model_row *row = sf_arena_alloc(&catalog->arena, sizeof(*row));

    *row = *like;
    row->name = sf_arena_strndup(&catalog->arena, name, strlen(name));
    row->provider = sf_arena_strndup(&catalog->arena, provider, strlen(provider));
    catalog->models = sf_grow(catalog->models, &catalog->model_cap, catalog->model_count + 1,
                              sizeof(struct sf_model_row *));
    catalog->models[catalog->model_count++] = row;
    return row;
}

static struct sf_model_row careful_values(const struct sf_catalog *catalog, const char *provider)
{
    const struct sf_provider_row *row = sf_catalog_provider(catalog, provider);

    return (struct sf_model_row){
        .window = row ? row->window : CAREFUL_WINDOW,
        .max_output = row ? row->max_output : CAREFUL_OUTPUT,
        .price_input = -1,
        .price_output = -1,
        .price_cache_read = -1,
        .price_cache_write = -1,
        .tier = "smart",
        .efforts = { "", "", "" },
    };
}

struct sf_model_row *sf_catalog_add_model(struct sf_catalog *catalog, const char *provider,
                                          const char *name)
{
    struct sf_model_row *row = find_model(catalog, provider, name, strlen(name));
    struct sf_model_row careful;

    if (row)
        return row;
    if (catalog->model_count == SF_CATALOG_ROWS_MAX)
        return NULL;
    careful = careful_values(catalog, provider);
    return new_model(catalog, provider, name, &careful);
}

struct sf_catalog *sf_catalog_new(const char *user, size_t len, struct sf_error *err)
{
    struct sf_catalog *catalog = sf_alloc(sizeof(*catalog));

    if (!sf_catalog_read(catalog, sf_catalog_builtin, sf_catalog_builtin_len, err))
        goto fail;
    if (user && !sf_catalog_read(catalog, user, len, err))
        goto fail;
    return catalog;
fail:
    sf_catalog_free(catalog);
    return NULL;
}

void sf_catalog_free(struct sf_catalog *catalog)
{
    if (!catalog)
        return;
    free(catalog->providers);
    free(catalog->models);
    sf_arena_release(&catalog->arena);
    free(catalog);
}

size_t sf_catalog_provider_count(const struct sf_catalog *catalog)
{
    return catalog->provider_count;
}

const struct sf_provider_row *sf_catalog_provider_at(const struct sf_catalog *catalog, size_t i)
{
    return catalog->providers[i];
}

size_t sf_catalog_model_count(const struct sf_catalog *catalog)
{
    return catalog->model_count;
}

const struct sf_model_row *sf_catalog_model_at(const struct sf_catalog *catalog, size_t i)
{
    return catalog->models[i];
}

const struct sf_provider_row *sf_catalog_provider(const struct sf_catalog *catalog,
                                                  const char *name)
{
    for (size_t i = 0; i < catalog->provider_count; i++)
        if (!strcmp(catalog->providers[i]->name, name))
            return catalog->providers[i];
    return NULL;
}

/* "-latest", "-20251001", "-2025-08-07" */
static bool is_version(const char *suffix)
{
    size_t digits = 0;

    if (!strcmp(suffix, "-latest"))
        return true;
    if (suffix[0] != '-')
        return false;
    for (const char *at = suffix; *at; at++) {
        if (!isdigit((unsigned char)*at) && *at != '-')
            return false;
        digits += *at != '-';
    }
    return digits == 8;
}

static const struct sf_model_row *find_without_version(const struct sf_catalog *catalog,
                                                       const char *provider, const char *name)
{
    for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
        const struct sf_model_row *row =
            is_version(at) ? find_model(catalog, provider, name, (size_t)(at - name)) : NULL;

        if (row)
            return row;
    }
    return NULL;
}

const struct sf_model_row *sf_catalog_model(struct sf_catalog *catalog, const char *provider,
                                            const char *name)
{
    const struct sf_model_row *row = find_model(catalog, provider, name, strlen(name));
    struct sf_model_row careful;

    if (row)
        return row;
    row = find_without_version(catalog, provider, name);
    if (!row) {
        careful = careful_values(catalog, provider);
        row = &careful;
    }
    return new_model(catalog, provider, name, row);
}

/* Adds tokens × price; false when the price is missing. Too much to count stays the greatest. */
static bool add_cost(int64_t tokens, int64_t price, int64_t *sum)
{
    int64_t part;

    if (tokens <= 0)
        return true;
    if (price < 0)
        return false;
    if (__builtin_mul_overflow(tokens, price, &part) || __builtin_add_overflow(*sum, part, sum))
        *sum = INT64_MAX;
    return true;
}

int64_t sf_model_cost(const struct sf_model_row *model, const struct sf_usage *usage)
{
    static const int64_t million = 1000000;
    int64_t input = model->price_input, read = model->price_cache_read,
            write = model->price_cache_write, sum = 0;

    /* where a service has no price of its own for its cache, it asks that of input for it */
    if (!add_cost(usage->input, input, &sum) ||
        !add_cost(usage->output, model->price_output, &sum) ||
        !add_cost(usage->cache_read, read < 0 ? input : read, &sum) ||
        !add_cost(usage->cache_write, write < 0 ? input : write, &sum))
        return -1;
    return sum / million + (sum % million != 0);
}
