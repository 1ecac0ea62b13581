/*
 * provider: a service ready to be asked: address, format, key, models for the three model modes.
 * Made from the catalog, the settings and the environment. Keys are held here and in the request
 * alone: never in a log, an error, an argument list or a child's environment.
 */
#ifndef SF_MODEL_PROVIDER_H
#define SF_MODEL_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/catalog.h"

enum sf_provider_kind {
    SF_PROVIDER_HTTP,
    SF_PROVIDER_OFFLINE,
    SF_PROVIDER_REPLAY,
};

struct sf_replay;

struct sf_provider {
    enum sf_provider_kind kind;
    char *name;     /* "anthropic", "offline", "replay" */
    char *base_url; /* without a slash at its end */
    enum sf_wire_format format;
    char *key;                /* or NULL: none needed */
    char *key_from;           /* where the key is from, or would be: "DEEPSEEK_API_KEY"; or NULL */
    struct sf_replay *replay; /* of replay: the file, which all of its clients read on */
    char *plays;              /* of replay: who answered in the recording; or NULL */
    char *tiers[3];           /* model for fast, smart, deep; NULL: none known */
    bool local;               /* on loopback: no key is fine, no price */
};

/* How settings are asked: the text of a key, or NULL when it is not set. Borrowed until the next. */
typedef const char *sf_provider_setting_fn(void *ctx, const char *key);

struct sf_provider_sources {
    struct sf_catalog *catalog;
    sf_provider_setting_fn *setting; /* models.NAME.base_url and the like */
    void *ctx;
};

/* Where a key is, or would be. */
enum sf_key_place {
    SF_KEY_PLACE_UNNEEDED, /* nothing speaks of one */
    SF_KEY_PLACE_MISSING,  /* `source` is the variable it would be in */
    SF_KEY_PLACE_ENV,
    SF_KEY_PLACE_FILE,
    SF_KEY_PLACE_CMD,
};

extern const char *const sf_key_places[]; /* "none", "missing", "environment" …, by enum */

/* What is known of a service without asking it, reading its key or running a command. */
struct sf_provider_facts {
    char *base_url;
    bool local;
    enum sf_key_place place;
    char *source; /* variable, file or command */
};

/*
 * `name` as --provider and models.provider take it: a provider, "offline", "replay:FILE", or
 * "auto": the first with a key, in the catalog's order, else offline. Fails when it is unknown or
 * its key cannot be had, and says which variable, file or command was looked at.
 */
bool sf_provider_open(struct sf_provider *provider, const char *name,
                      const struct sf_provider_sources *sources,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_provider_release(struct sf_provider *provider); /* wipes the key */

/* The same with a key to be tried instead of what the settings name; NULL: what they name. */
bool sf_provider_open_with(struct sf_provider *provider, const char *name, const char *key,
                           const struct sf_provider_sources *sources,
                           struct sf_error *err) SF_MUST_CHECK;

bool sf_provider_look(struct sf_provider_facts *facts, const char *name,
                      const struct sf_provider_sources *sources,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_provider_facts_release(struct sf_provider_facts *facts);

/* Whom the setting stands for: itself, or for "auto" whom that would be now. Borrowed. */
const char *sf_provider_meant(const char *name, const struct sf_provider_sources *sources);

#endif
