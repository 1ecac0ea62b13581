/*
 * schema: every setting, one row each. Validation, `sf config`, docs/CONFIG.md, shell completion
 * and suggestions for unknown keys all use these rows; there is no second list.
 *
 * A key may contain one `*`, which stands for a name that the user chooses: models.*.base_url.
 */
#ifndef SF_CONFIG_SCHEMA_H
#define SF_CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum sf_setting_type {
    SF_SETTING_STRING,
    SF_SETTING_ADDRESS, /* of http or https; checked closely by the room that asks there */
    SF_SETTING_ENUM,
    SF_SETTING_BOOL,
    SF_SETTING_INT,
    SF_SETTING_FLOAT,
    SF_SETTING_LIST,   /* of strings; a later layer replaces it */
    SF_SETTING_RULES,  /* of strings; joined over layers, so no layer can remove a rule */
    SF_SETTING_SCOPE,  /* a list of writable paths */
    SF_SETTING_TABLES, /* an array of tables, checked by the room that uses it */
};

/* What a project's own file may do with a setting. */
enum sf_setting_trust {
    SF_SETTING_TRUST_ANY,     /* any project may set it */
    SF_SETTING_TRUST_NARROW,  /* an untrusted project may only make it stricter */
    SF_SETTING_TRUST_TRUSTED, /* only a trusted project may set it */
    SF_SETTING_TRUST_USER,    /* never read from a project file */
};

/* Which end of an ordered setting is strict. */
enum sf_setting_strict {
    SF_STRICT_NONE,
    SF_STRICT_LOW,  /* the first enum value, false, the smaller number */
    SF_STRICT_HIGH, /* the last enum value, true, the larger number */
};

struct sf_setting {
    const char *key;
    enum sf_setting_type type;
    enum sf_setting_trust trust;
    enum sf_setting_strict strict;
    const char *const *values; /* of an enum, NULL-terminated */
    const char *fallback;      /* the built-in value as TOML; NULL: not set */
    int64_t min, max;          /* of an int; both 0: any */
    const char *help;
};

extern const struct sf_setting sf_settings[];
extern const size_t sf_setting_count;

/* The row for a concrete key such as {"models", "openai", "base_url"}; NULL: unknown. */
const struct sf_setting *sf_setting_find(const char *const *path, size_t depth);

/* Whether there are settings below this path, so that a table is valid there. */
bool sf_setting_is_table(const char *const *path, size_t depth);

/* The known name nearest to an unknown key; false if none is similar. */
bool sf_setting_suggest(const char *const *path, size_t depth, struct sf_strbuf *out);

const char *sf_setting_type_name(enum sf_setting_type type);    /* such as "one of" */
const char *sf_setting_trust_name(enum sf_setting_trust trust); /* such as "any project" */

/* The variable for a setting: SF_DEFAULTS_WORK_MODE. A `*` stays a `*`. */
void sf_setting_variable(const struct sf_setting *setting, struct sf_strbuf *out);

#endif
