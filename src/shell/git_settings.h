/*
 * git_settings: reading the text of one of git's settings files, and which settings are tame. A
 * tame one says how things look, who somebody is or where a repository lies; all others may make
 * git run a program, or are not known to be harmless, which counts as the same.
 */
#ifndef SF_SHELL_GIT_SETTINGS_H
#define SF_SHELL_GIT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* One line of it; borrowed for the call. */
struct sf_git_setting {
    const char *section, *key; /* in lower case */
    const char *sub;           /* of [section "sub"], as it is written; NULL: none */
    const char *value; /* as it is written, quotes and all; NULL: only the key stands there */
};

typedef void sf_git_setting_fn(void *ctx, const struct sf_git_setting *setting);

/*
 * In order. False when the text is not surely understood: git may read more in it than was told.
 * What was told up to there stands.
 */
bool sf_git_settings_read(const char *text, size_t len, sf_git_setting_fn *fn, void *ctx);

bool sf_git_setting_is_tame(const struct sf_git_setting *setting);

/* The same of a key alone, `section.key` or `section.sub.key`, section and key in lower case. */
bool sf_git_key_is_tame(const char *key);

/* The value without quotes and comment; NULL when that is not simple. Owned. */
char *sf_git_setting_text(const struct sf_git_setting *setting);

#endif
