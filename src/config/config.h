/*
 * config: the settings, where each comes from, and what an untrusted project may not set.
 *
 * Settings are merged from layers; later layers win, and each value keeps its origin: built in <
 * user file < [profiles.NAME] < .kibitzer/config.toml < .sf/config.toml < SF_* variables <
 * command line. An error in any of them becomes a note, never a silent default: a broken file or an
 * invalid safety setting makes the policy stricter, not wider.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Trust is bound to what was shown.
 *   Problem: Trust that only names a directory also covers what a later pull puts there.
 *   Decision: sf asks for trust only if it would change something. Trust is stored with a digest
 *     over the name and content of every policy file, so after a change of one sf asks again.
 *   Cost: Even a changed comment in a policy file makes sf ask again.
 *   Enforced by: config/trust, tui/trust
 *
 * - The rules of all layers apply together.
 *   Problem: A later layer that could replace `guard.deny` could also empty it.
 *   Decision: Lists of rules are joined over all layers; a later layer replaces every other list.
 *   Cost: A rule can be removed only in the layer that has it.
 *   Enforced by: config/config
 *
 * - Built-in values are made on demand.
 *   Problem: Filling in every default costs time at each start.
 *   Decision: Defaults are below all layers, so a default is made only when a setting is read that
 *     no layer has.
 *   Cost: Listing all settings has to make all defaults.
 *   Enforced by: config/config
 *
 * Other rooms include only this header.
 */
#ifndef SF_CONFIG_CONFIG_H
#define SF_CONFIG_CONFIG_H

#include "config/schema.h"
#include "config/trust.h"
#include "config/workspace.h"

enum sf_layer {
    SF_LAYER_BUILTIN,
    SF_LAYER_USER,
    SF_LAYER_PROFILE,
    SF_LAYER_KIBITZER,
    SF_LAYER_PROJECT,
    SF_LAYER_ENVIRONMENT,
    SF_LAYER_COMMAND_LINE,
};

struct sf_origin {
    enum sf_layer layer;
    const char *name;      /* the file, variable or option; "" for built in */
    unsigned line, column; /* 0 outside files */
};

struct sf_config_item {
    const char *text;
    struct sf_origin origin;
};

struct sf_config_value {
    const char *key; /* the concrete key: models.openai.base_url */
    const struct sf_setting *setting;
    struct sf_origin origin;
    const char *text; /* of strings and enums; for tables, the TOML */
    bool boolean;
    int64_t integer;
    double number;
    struct sf_config_item *items; /* lists, rules and scopes */
    size_t count;
};

/* A problem with the settings, for the user. */
struct sf_config_note {
    bool error; /* false: a warning */
    struct sf_origin origin;
    const char *text;
    const char *hint; /* or "" */
};

struct sf_config; /* fields live in config.c */

/* ---- building, without touching a file ---- */

struct sf_config *sf_config_new(void); /* has only the built-in layer */
void sf_config_free(struct sf_config *config);

/*
 * Adds the text of a file as a layer. `trusted` matters only for project layers. A file that is not
 * valid TOML becomes an error note and makes the policy stricter.
 */
void sf_config_add_file(struct sf_config *config, enum sf_layer layer, const char *name,
                        const char *text, size_t len, bool trusted);

/* Adds [profiles.NAME] of the user's file as a layer; false if there is no such profile. */
bool sf_config_add_profile(struct sf_config *config, const char *name, struct sf_error *err);

/* Adds the SF_* variables of an environ-like list as a layer. */
void sf_config_add_environment(struct sf_config *config, const char *const *environment);

/* Adds an option of the command line; `option` is its name for messages. */
bool sf_config_add_option(struct sf_config *config, const char *option, const char *key,
                          const char *value, struct sf_error *err);

/* A source exists but cannot be read: adds an error note and makes the policy stricter. */
void sf_config_add_broken(struct sf_config *config, enum sf_layer layer, const char *name,
                          const struct sf_error *why);

/* ---- loading ---- */

struct sf_config_option {
    const char *option, *key, *value;
};

struct sf_config_request {
    const char *user_file;                  /* NULL: the default */
    const char *profile;                    /* NULL: as the settings say */
    const struct sf_workspace *workspace;   /* where the project files are */
    const struct sf_config_option *options; /* from the command line */
    size_t option_count;
};

/*
 * Reads all layers. Fails only for errors in the command line (a missing --config file, an unknown
 * profile, an invalid value); all other errors become notes.
 */
struct sf_config *sf_config_load(const struct sf_config_request *request, struct sf_error *err);

/* The paths of the settings files; owned by the caller. */
char *sf_config_user_path(struct sf_error *err);
char *sf_config_project_path(const struct sf_workspace *workspace);

/* ---- reading ---- */

/* NULL if the key is not set and has no built-in value. */
const struct sf_config_value *sf_config_find(struct sf_config *config, const char *key);

/* The key must be in the schema and have a built-in value, or be set. */
const char *sf_config_text(struct sf_config *config, const char *key);
bool sf_config_bool(struct sf_config *config, const char *key);
int64_t sf_config_int(struct sf_config *config, const char *key);

/* Visits all values in the order of the schema, sorted by name within a row. */
typedef bool sf_config_fn(void *ctx, const struct sf_config_value *value);
void sf_config_each(struct sf_config *config, sf_config_fn *fn, void *ctx);

const struct sf_config_note *sf_config_notes(const struct sf_config *config, size_t *count);

void sf_config_add_literal(struct sf_strbuf *out, const struct sf_config_value *value);
const char *sf_layer_name(enum sf_layer layer);
void sf_origin_add(struct sf_strbuf *out, const struct sf_origin *origin); /* "user a.toml:3:1" */

/* ---- keys and values as typed ---- */

/* Splits "models.\"a.b\".base_url" into its parts. */
bool sf_config_split_key(const char *key, struct sf_strlist *path, struct sf_error *err);

/*
 * The row for a key as typed, with its parts added to `path`; NULL, with the nearest name as a
 * hint, if there is none.
 */
const struct sf_setting *sf_config_lookup(const char *key, struct sf_strlist *path,
                                          struct sf_error *err);

/* Joins the parts to a key, quoted where necessary. */
void sf_config_add_key(struct sf_strbuf *out, const char *const *path, size_t depth);

/* The TOML for a value typed on a command line: bare words for strings, a,b for lists. */
bool sf_config_literal(const struct sf_setting *setting, const char *typed, struct sf_strbuf *out,
                       struct sf_error *err);

/* ---- writing ---- */

/*
 * Sets or (typed NULL) removes one key of a settings file, keeping comments and order; makes the
 * file if it is missing. Fails if the key is unknown, the value is invalid or the file is not valid
 * TOML.
 */
bool sf_config_write(const char *file, const char *key, const char *typed, struct sf_error *err);

/* Writes several keys at once: all or none. Removing a missing key is not an error here. */
struct sf_config_edit {
    const char *key, *typed;
};
bool sf_config_write_all(const char *file, const struct sf_config_edit *edits, size_t count,
                         struct sf_error *err);

#endif
