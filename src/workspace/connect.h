/*
 * connect: from a service that was tried out (model/trial.h) to the one that answers: which there
 * are, where keys are kept, and what is written into the user's settings. Shared by /connect and
 * `sf connect`.
 *
 * A key is written into one place alone, a file only its user can read, and into that only when
 * the user typed it; everything else names where it is.
 */
#ifndef SF_WORKSPACE_CONNECT_H
#define SF_WORKSPACE_CONNECT_H

#include <stdbool.h>

#include "base/base.h"
#include "config/config.h"
#include "model/model.h"

/* Names of all services that could be connected: the catalog's, then those of the settings. */
void sf_connect_names(struct sf_config *config, const struct sf_catalog *catalog,
                      struct sf_strlist *out);

/* "Anthropic", or its name where it has no title. */
const char *sf_connect_title(const struct sf_catalog *catalog, const char *name);

/* What a service's state is, in words: "key in ANTHROPIC_API_KEY". */
void sf_connect_state_add(const struct sf_provider_facts *facts, struct sf_strbuf *out);

/* Why a server on this machine gave no list of models: it is not there, or said something else. */
void sf_connect_silence_add(const struct sf_provider_facts *facts, const struct sf_error *why,
                            struct sf_strbuf *out);

/*
 * Models for fast, smart and deep, owned by the caller; NULL: none. What is set up counts, then
 * the service's own list: one of it for all three where there is no better reason.
 */
void sf_connect_tiers(const struct sf_provider *provider, const struct sf_strlist *models,
                      char *tiers[3]);

/* Where a typed key would be kept; owned by the caller. */
char *sf_connect_key_path(const char *name, struct sf_error *err);

/* All borrowed. */
struct sf_connect_choice {
    const char *settings_file; /* NULL: the usual place */
    const struct sf_catalog *catalog;
    const char *name;
    /* Where the key is from now on; with none of them nothing is said about it. */
    const char *key; /* typed: goes into the file for it */
    const char *cmd, *file, *env;
    const char *tiers[3]; /* NULL: as they are */
};

/* All or nothing: a failure leaves settings and keys as they were. */
bool sf_connect_keep(const struct sf_connect_choice *choice, struct sf_error *err) SF_MUST_CHECK;

#endif
