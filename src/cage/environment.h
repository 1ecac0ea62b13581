/*
 * environment: which variables a command inherits. What looks like a secret stays behind, and so
 * do the addresses of programs that would act for whoever asks: agents, buses, terminals.
 */
#ifndef SF_CAGE_ENVIRONMENT_H
#define SF_CAGE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_env_rule {
    const char *pattern; /* "*" for any run; compared without case */
    const char *what;
};

extern const struct sf_env_rule sf_env_rules[];
extern const size_t sf_env_rule_count;

/* The rule that keeps the variable back, or NULL. `keep`: patterns that win, NULL-terminated. */
const struct sf_env_rule *sf_cage_env_rule(const char *name, size_t len, const char *const *keep);

/*
 * Adds those of `given` ("NAME=value", NULL-terminated) that may be passed on, and TMPDIR when
 * `temp` is given.
 */
void sf_cage_env(const char *const *given, const char *const *keep, const char *temp,
                 struct sf_strlist *out);

#endif
