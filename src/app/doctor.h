/*
 * doctor: looks at everything sf stands on and says what it finds and what to do about it. Checks
 * are rows of one table; each adds findings. Nothing is changed, no network but loopback is used
 * unless the user asks for it, and no key is ever shown.
 */
#ifndef SF_APP_DOCTOR_H
#define SF_APP_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/app.h"
#include "base/base.h"

enum { SF_DOCTOR_VERSION = 1 }; /* of the JSON */

enum sf_health { SF_HEALTH_OK, SF_HEALTH_WARNING, SF_HEALTH_PROBLEM };

struct sf_finding {
    const char *check;
    enum sf_health health;
    char *text, *hint; /* `hint` "" where there is nothing to do */
};

struct sf_doctor {
    struct sf_app *app;
    bool online;       /* the network may be used */
    const char *check; /* the one that runs */
    struct sf_finding *findings;
    size_t count, cap;
};

typedef void sf_doctor_fn(struct sf_doctor *doctor);

struct sf_doctor_check {
    const char *name;
    sf_doctor_fn *run;
};

extern const struct sf_doctor_check sf_doctor_checks[];
extern const size_t sf_doctor_check_count;

/* Adds a finding; `hint` says what to do, or is "". */
void sf_doctor_say(struct sf_doctor *doctor, enum sf_health health, const char *hint,
                   const char *format, ...) SF_PRINTF(4, 5);
void sf_doctor_error(struct sf_doctor *doctor, enum sf_health health, const struct sf_error *err);

/* Whether some key comes from a command, which may ask for a password: such are not run unasked. */
bool sf_doctor_key_commands(struct sf_config *config);

/* The first line a program prints, or NULL when it fails; owned. `variable` is passed on to it. */
char *sf_doctor_ask(const char *const *argv, const char *variable);

/* ---- the checks, by what they look at ---- */

sf_doctor_fn sf_doctor_version, sf_doctor_locale, sf_doctor_terminal, sf_doctor_git, sf_doctor_disk;
sf_doctor_fn sf_doctor_settings, sf_doctor_model, sf_doctor_store, sf_doctor_snapshots;
sf_doctor_fn sf_doctor_cage;
sf_doctor_fn sf_doctor_reach;

#endif
