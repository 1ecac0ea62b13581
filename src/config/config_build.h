/*
 * config_build: declarations shared by the files of this room only.
 */
#ifndef SF_CONFIG_CONFIG_BUILD_H
#define SF_CONFIG_CONFIG_BUILD_H

#include "config/config.h"

enum { SF_CONFIG_MAX_BYTES = 1024 * 1024, SF_CONFIG_MAX_NOTES = 50 };

struct sf_config {
    struct sf_arena arena;
    struct sf_map values; /* from concrete key to struct sf_config_value */
    struct sf_config_note *notes;
    size_t note_count, note_cap;
    struct sf_toml *user; /* kept for its profiles; NULL: no user file */
    const char *user_name;
};

void sf_config_note(struct sf_config *config, bool error, const struct sf_origin *origin,
                    const char *hint, const char *format, ...) SF_PRINTF(5, 6);

/* value.c: fills the typed part of `out` from TOML; false with the reason in `why`. */
bool sf_config_value_read(struct sf_config *config, const struct sf_toml_value *from,
                          struct sf_config_value *out, struct sf_strbuf *why);

/* The strictest value of the setting; false for settings without an order. */
bool sf_config_value_strictest(const struct sf_setting *setting, struct sf_config_value *out);

/* Whether `value` is at most as wide as `current` (which may be NULL: not set). */
bool sf_config_value_is_narrower(const struct sf_config_value *value,
                                 const struct sf_config_value *current);

/* Stores a checked value, or appends it to a list of rules. */
void sf_config_put(struct sf_config *config, const struct sf_config_value *value);

/* Parses one value for `path` and stores it, if the layer may set it. */
void sf_config_apply(struct sf_config *config, const char *const *path, size_t depth,
                     const struct sf_toml_value *from, const struct sf_origin *origin,
                     bool trusted);

#endif
