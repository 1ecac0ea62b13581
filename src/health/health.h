/*
 * health: what sf stands on, looked at check by check. Checks are rows of one table; each adds
 * results, which say what was found and what to do about it. This room prints nothing and reads no
 * command line: a surface fills in the context and draws the results.
 *
 * Looking changes nothing, uses no network but loopback unless `online`, runs no command that gives
 * a key, and shows no key. It asks other programs and waits for them, so it blocks: a surface with
 * a loop runs it in a process of its own.
 *
 * The other rooms include this header alone.
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
    char *hint; /* "" where there is nothing to do */
};

struct sf_health_report {
    struct sf_health_result *items;
    size_t count, cap;
};

/* The terminal that is looked at. */
struct sf_health_terminal {
    bool there;
    int columns, rows; /* 0: not known */

    /* Appends which keys it reports. Asked only where it can draw; false: it does not say. */
    bool (*keys)(struct sf_strbuf *out);
};

/*
 * What the checks look at; all of it is borrowed. A part that cannot be had is NULL, and its error
 * says why: that is what the checks report then.
 */
struct sf_health_context {
    const char *version; /* "sf 1.2 (0123456789)" */
    const struct sf_workspace *workspace;
    struct sf_config *config;
    const char *state_dir; /* of the project */
    struct sf_catalog *catalog;
    sf_provider_setting_fn *setting; /* asks `config` */
    struct sf_error no_workspace, no_config, no_state_dir, no_catalog;
    struct sf_health_terminal terminal;
    bool online; /* the network may be used */
};

struct sf_health; /* a look that is under way */

typedef void sf_health_fn(struct sf_health *health);

/* Puts one result in order; and takes that back. */
typedef bool sf_health_mend_fn(const struct sf_health_context *at,
                               const struct sf_health_result *result, struct sf_error *err);

struct sf_health_check {
    const char *name;
    sf_health_fn *look;
    sf_health_mend_fn *mend, *undo; /* NULL: that is for people to do */
};

extern const struct sf_health_check sf_health_checks[];
extern const size_t sf_health_check_count;

/* Runs all checks in the order of the table; their results are added to `out`. */
void sf_health_look(const struct sf_health_context *at, struct sf_health_report *out);

enum sf_health_state sf_health_worst(const struct sf_health_report *report);
void sf_health_release(struct sf_health_report *report);

#endif
