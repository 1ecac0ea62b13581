/*
 * internal: what the checks share, and the checks themselves, by file.
 */
#ifndef SF_HEALTH_INTERNAL_H
#define SF_HEALTH_INTERNAL_H

#include "health/health.h"

struct sf_health {
    const struct sf_health_context *at;
    const char *name; /* of the running check */
    struct sf_health_report *out;
};

/* Adds a result; `hint` says what to do, or is "". */
void sf_health_say(struct sf_health *health, enum sf_health_state state, const char *hint,
                   const char *format, ...) SF_PRINTF(4, 5);
void sf_health_error(struct sf_health *health, enum sf_health_state state,
                     const struct sf_error *err);

/* Whether a key comes from a command, which may ask for a password: run only with `online`. */
bool sf_health_key_commands(struct sf_config *config);

/* The first line that a program prints, or NULL if it fails; owned. Passes `variable` on to it. */
char *sf_health_ask(const char *const *argv, const char *variable);

/* machine.c */
sf_health_fn sf_health_look_version, sf_health_look_locale, sf_health_look_terminal,
    sf_health_look_git, sf_health_look_disk;
/* state.c */
sf_health_fn sf_health_look_settings, sf_health_look_model, sf_health_look_store,
    sf_health_look_snapshots;
/* cage.c, service.c */
sf_health_fn sf_health_look_cage, sf_health_look_service;

#endif
