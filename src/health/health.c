/*
 * health.c: the table of checks, and functions that add results to a report.
 */
#include "health/health.h"

#include <stdarg.h>
#include <stdlib.h>

#include "health/internal.h"
#include "io/io.h"

enum { ASK_MS = 2000, ASK_BYTES = 4096 };

const struct sf_health_check sf_health_checks[] = {
    { .name = "version", .look = sf_health_look_version },
    { .name = "locale", .look = sf_health_look_locale },
    { .name = "terminal", .look = sf_health_look_terminal },
    { .name = "settings", .look = sf_health_look_settings },
    { .name = "model", .look = sf_health_look_model },
    { .name = "service", .look = sf_health_look_service },
    { .name = "store", .look = sf_health_look_store },
    { .name = "snapshots", .look = sf_health_look_snapshots },
    { .name = "cage", .look = sf_health_look_cage },
    { .name = "git", .look = sf_health_look_git },
    { .name = "disk", .look = sf_health_look_disk },
};
const size_t sf_health_check_count = SF_COUNT(sf_health_checks);

const char *const sf_health_state_names[] = {
    [SF_HEALTH_OK] = "ok",
    [SF_HEALTH_WARNING] = "warning",
    [SF_HEALTH_PROBLEM] = "problem",
};

void sf_health_look(const struct sf_health_context *at, struct sf_health_report *out)
{
    struct sf_health health = { .at = at, .out = out };

    for (size_t i = 0; i < sf_health_check_count; i++) {
        health.name = sf_health_checks[i].name;
        sf_health_checks[i].look(&health);
    }
}

enum sf_health_state sf_health_worst(const struct sf_health_report *report)
{
    enum sf_health_state worst = SF_HEALTH_OK;

    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].state > worst)
            worst = report->items[i].state;
    return worst;
}

void sf_health_release(struct sf_health_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        free(report->items[i].text);
        free(report->items[i].hint);
    }
    free(report->items);
    *report = (struct sf_health_report){ 0 };
}

/* ---- for the checks ---- */

void sf_health_say(struct sf_health *h, enum sf_health_state state, const char *hint,
                   const char *format, ...)
{
    struct sf_health_report *r = h->out;
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    r->items = sf_grow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
    r->items[r->count++] =
        (struct sf_health_result){ h->name, state, sf_strbuf_detach(&text), sf_strdup(hint) };
}

void sf_health_error(struct sf_health *h, enum sf_health_state state, const struct sf_error *err)
{
    sf_health_say(h, state, err->hint, "%s", err->msg);
}

char *sf_health_ask(const char *const *argv, const char *variable)
{
    struct sf_strlist env = SF_STRLIST_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_child_result result;
    struct sf_child_spec spec = { .argv = argv, .output_cap = ASK_BYTES, .deadline_ms = ASK_MS };
    char *line = NULL;

    sf_env_safe(&env);
    if (variable && sf_env_get(variable))
        sf_strlist_addf(&env, "%s=%s", variable, sf_env_get(variable));
    if (env.count)
        spec.envp = (const char *const *)env.items;
    if (sf_child_run(&spec, &result, &ignored)) {
        const char *text = result.output[SF_CHILD_STREAM_OUT].buf;

        if (result.how == SF_CHILD_EXITED && result.code == 0)
            line = sf_strndup(text, strcspn(text, "\n"));
        sf_child_result_release(&result);
    }
    sf_strlist_release(&env);
    return line;
}
