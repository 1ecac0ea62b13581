/*
 * config: what the user set, where it was said, and what an untrusted project may not say.
 *
 * Layers are laid one over the other, later wins, and each value keeps its origin: built in <
 * user file < [profiles.NAME] < .kibitzer/config.toml < .sf/config.toml < SF_* variables <
 * command line. What is wrong with any of them becomes a note, never a silent default: a broken
 * file or an unreadable safety setting makes the policy stricter, not wider.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Trust is bound to what was shown.
 *   Problem: Trust that only names a directory also covers what a later pull puts there.
 *   Decision: Trust is asked for where it would change something. It is stored with a digest over
 *     every policy file by name and content, so a change of a hook asks again.
 *   Cost: A change of a comment in a policy file asks again too.
 *   Enforced by: config/trust, tui/trust
 *
 * - Rules add up over layers.
 *   Problem: A later layer that could replace `guard.deny` could also empty it.
 *   Decision: Lists of rules are joined over all layers; every other list is replaced.
 *   Cost: A rule can be removed only where it was written.
 *   Enforced by: config/config
 *
 * - Built-in settings are made when asked for.
 *   Problem: Filling in every default costs time at each start.
 *   Decision: Defaults lie below all layers, so a default is made when somebody asks for a setting
 *     that no layer has.
 *   Cost: A dump of all settings has to ask for each.
 *   Enforced by: config/config
 *
 * The other rooms include this header alone.
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
    const char *key; /* concrete: models.openai.base_url */
    const struct sf_setting *setting;
    struct sf_origin origin;
    const char *text; /* strings and enums; of tables, their TOML */
    bool boolean;
    int64_t integer;
    double number;
    struct sf_config_item *items; /* lists, rules and scopes */
    size_t count;
};

/* Something the user should know about the settings. */
struct sf_config_note {
    bool error; /* false: a warning */
    struct sf_origin origin;
    const char *text;
    const char *hint; /* or "" */
};

struct sf_config; /* fields live in config.c */

/* ---- building, without touching a file ---- */

struct sf_config *sf_config_new(void); /* the built-in layer alone */
void sf_config_free(struct sf_config *config);

/*
 * Lays a file's text over what is there. `trusted` matters for project layers only. A file
 * that cannot be read as TOML becomes an error note and tightens the policy.
 */
void sf_config_add_file(struct sf_config *config, enum sf_layer layer, const char *name,
                        const char *text, size_t len, bool trusted);

/* Lays [profiles.NAME] of the user's file over it; false when there is no such profile. */
bool sf_config_add_profile(struct sf_config *config, const char *name, struct sf_error *err);

/* Lays the SF_* variables of an environ-like list over it. */
void sf_config_add_environment(struct sf_config *config, const char *const *environment);

/* One option of the command line; `option` is its spelling, for messages. */
bool sf_config_add_option(struct sf_config *config, const char *option, const char *key,
                          const char *value, struct sf_error *err);

/* A source that is there but cannot be read: an error note, and a stricter policy. */
void sf_config_add_broken(struct sf_config *config, enum sf_layer layer, const char *name,
                          const struct sf_error *why);

/* ---- loading ---- */

struct sf_config_option {
    const char *option, *key, *value;
};

struct sf_config_request {
    const char *user_file;                  /* NULL: the usual place */
    const char *profile;                    /* NULL: what the settings say */
    const struct sf_workspace *workspace;   /* whose project files are read */
    const struct sf_config_option *options; /* of the command line */
    size_t option_count;
};

/*
 * Reads all layers. Fails only for what the user asked for on the command line and cannot be
 * had (a missing --config file, an unknown profile, a wrong value); all else becomes notes.
 */
struct sf_config *sf_config_load(const struct sf_config_request *request, struct sf_error *err);

/* Where settings are written: owned by the caller. */
char *sf_config_user_path(struct sf_error *err);
char *sf_config_project_path(const struct sf_workspace *workspace);

/* ---- asking ---- */

/* NULL when the key is not set and has no built-in value. */
const struct sf_config_value *sf_config_find(struct sf_config *config, const char *key);

/* The key must be in the schema and have a built-in value, or be set. */
const char *sf_config_text(struct sf_config *config, const char *key);
bool sf_config_bool(struct sf_config *config, const char *key);
int64_t sf_config_int(struct sf_config *config, const char *key);

/* All values, in the order of the schema; by name within a row. */
typedef bool sf_config_fn(void *ctx, const struct sf_config_value *value);
void sf_config_each(struct sf_config *config, sf_config_fn *fn, void *ctx);

const struct sf_config_note *sf_config_notes(const struct sf_config *config, size_t *count);

void sf_config_add_literal(struct sf_strbuf *out, const struct sf_config_value *value);
const char *sf_layer_name(enum sf_layer layer);
void sf_origin_add(struct sf_strbuf *out, const struct sf_origin *origin); /* "user a.toml:3:1" */

/* ---- keys and values as people type them ---- */

/* Splits "models.\"a.b\".base_url" into its parts. */
bool sf_config_split_key(const char *key, struct sf_strlist *path, struct sf_error *err);

/*
 * The row for a key as typed, with its parts added to `path`; NULL with the nearest name as a
 * hint when there is none.
 */
const struct sf_setting *sf_config_lookup(const char *key, struct sf_strlist *path,
                                          struct sf_error *err);

/* The parts as one key, quoted where they must be. */
void sf_config_add_key(struct sf_strbuf *out, const char *const *path, size_t depth);

/* The TOML for a value typed on a command line: bare words for strings, a,b for lists. */
bool sf_config_literal(const struct sf_setting *setting, const char *typed, struct sf_strbuf *out,
                       struct sf_error *err);

/* ---- writing ---- */

/*
 * Sets or (typed NULL) takes out one key of a settings file, comments and order kept; makes the
 * file when it is missing. Refused when the key is unknown, the value does not fit or the file
 * cannot be read as TOML.
 */
bool sf_config_write(const char *file, const char *key, const char *typed, struct sf_error *err);

/* Several at once: all of them or none. Taking out a key that is not there is fine here. */
struct sf_config_edit {
    const char *key, *typed;
};
bool sf_config_write_all(const char *file, const struct sf_config_edit *edits, size_t count,
                         struct sf_error *err);

#endif
