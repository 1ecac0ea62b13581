/*
 * health: checks the installation. Checks are rows of one table; each adds results, which say what
 * was found and what to do about it. This room prints nothing and reads no command line: a surface
 * fills in the context and draws the results.
 *
 * A check changes nothing and shows no key. Without `online` it uses no network except loopback,
 * and runs no command that prints a key. Checks run other programs and wait for them, so they
 * block: a surface with a loop runs them in a process of their own.
 *
 * Other rooms include only this header.
 */
#ifndef SF_HEALTH_HEALTH_H
#define SF_HEALTH_HEALTH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "config/config.h"
#include "model/model.h"

enum sf_health_state { SF_HEALTH_OK, SF_HEALTH_WARNING, SF_HEALTH_PROBLEM };
extern const char *const sf_health_state_names[]; /* "ok", "warning", "problem" */

struct sf_health_result {
    const char *name; /* of the check */
    enum sf_health_state state;
    char *text;
    char *hint; /* what to do, or "" */
};

struct sf_health_report {
    struct sf_health_result *items;
    size_t count, cap;
};

/* The terminal to check. */
struct sf_health_terminal {
    bool there;
    int columns, rows; /* 0: unknown */

    /* Appends which keys it reports; false: unknown. Called only if the terminal can draw. */
    bool (*keys)(struct sf_strbuf *out);
};

/*
 * What the checks examine; everything is borrowed. A part that is not available is NULL, and its
 * error says why, which the checks report then.
 */
struct sf_health_context {
    const char *version; /* "sf 1.2 (0123456789)" */
    const struct sf_workspace *workspace;
    struct sf_config *config;
    const char *state_dir; /* of the project */
    struct sf_catalog *catalog;
    sf_provider_setting_fn *setting; /* reads a setting from `config` */
    struct sf_error no_workspace, no_config, no_state_dir, no_catalog;
    struct sf_health_terminal terminal;
    bool online; /* the network may be used */
};

struct sf_health; /* a running check */

typedef void sf_health_fn(struct sf_health *health);

/* Repairs the cause of one result, or undoes that repair. */
typedef bool sf_health_mend_fn(const struct sf_health_context *at,
                               const struct sf_health_result *result, struct sf_error *err);

struct sf_health_check {
    const char *name;
    sf_health_fn *look;
    sf_health_mend_fn *mend, *undo; /* NULL: only the user can do it */
};

extern const struct sf_health_check sf_health_checks[];
extern const size_t sf_health_check_count;

/* Runs all checks in the order of the table and adds their results to `out`. */
void sf_health_look(const struct sf_health_context *at, struct sf_health_report *out);

enum sf_health_state sf_health_worst(const struct sf_health_report *report);
void sf_health_release(struct sf_health_report *report);

#endif
