/*
 * connect: sets up a service after a trial (model/trial.h): which services there are, where keys
 * are kept, and what is written to the user's settings. Shared by /connect and `sf connect`.
 *
 * A key is written only if the user typed it, and only to one file that no other user can read;
 * the settings only name where the key is.
 */
#ifndef SF_WORKSPACE_CONNECT_H
#define SF_WORKSPACE_CONNECT_H

#include <stdbool.h>

#include "base/base.h"
#include "config/config.h"
#include "model/model.h"

/* The names of all services that can be connected: those of the catalog, then of the settings. */
void sf_connect_names(struct sf_config *config, const struct sf_catalog *catalog,
                      struct sf_strlist *out);

/* "Anthropic", or the name of the service if it has no title. */
const char *sf_connect_title(const struct sf_catalog *catalog, const char *name);

/* Appends the state of a service: "key in ANTHROPIC_API_KEY". */
void sf_connect_state_add(const struct sf_provider_facts *facts, struct sf_strbuf *out);

/* Appends why a local server gave no list of models: it does not run, or answered otherwise. */
void sf_connect_silence_add(const struct sf_provider_facts *facts, const struct sf_error *why,
                            struct sf_strbuf *out);

/*
 * Suggests models for fast, smart and deep, owned by the caller; NULL: none. The settings come
 * first, then the service's own list: without other hints, one model for all three.
 */
void sf_connect_tiers(const struct sf_provider *provider, const struct sf_strlist *models,
                      char *tiers[3]);

/* The path of the file for a typed key; owned by the caller. */
char *sf_connect_key_path(const char *name, struct sf_error *err);

/* A server as the user describes it, before it is in the settings. All borrowed; NULL: not yet. */
struct sf_connect_server {
    const char *name, *base_url, *format;
};

/* A setting as it would be with that server; NULL: it is not set. Borrowed. */
const char *sf_connect_setting(struct sf_config *config, const struct sf_connect_server *server,
                               const char *key);

/* Whether a new server can be called that: plain, and nobody else's name. */
bool sf_connect_check_name(struct sf_config *config, const struct sf_catalog *catalog,
                           const char *name, struct sf_error *err) SF_MUST_CHECK;

/* Whether that is an address of http or https. */
bool sf_connect_check_address(const char *url, struct sf_error *err) SF_MUST_CHECK;

/* All borrowed. */
struct sf_connect_choice {
    const char *settings_file; /* NULL: the default */
    const struct sf_catalog *catalog;
    const char *name;
    const char *base_url, *format; /* of a server that the settings do not have yet; or NULL */
    /* The source of the key from now on; if all are NULL, the settings about it stay. */
    const char *key; /* as typed; written to its file */
    const char *cmd, *file, *env;
    const char *tiers[3]; /* NULL: unchanged */
};

/* Writes everything or nothing: a failure leaves settings and keys as they were. */
bool sf_connect_keep(const struct sf_connect_choice *choice, struct sf_error *err) SF_MUST_CHECK;

#endif
