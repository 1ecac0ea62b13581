/*
 * doctor.c: the table of checks, and its findings as text or JSON.
 */
#include "app/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/io.h"

enum { ASK_MS = 2000, ASK_BYTES = 4096, LABEL = 20 };

const struct sf_doctor_check sf_doctor_checks[] = {
    { "version", sf_doctor_version },   { "locale", sf_doctor_locale },
    { "terminal", sf_doctor_terminal }, { "settings", sf_doctor_settings },
    { "model", sf_doctor_model },       { "service", sf_doctor_reach },
    { "store", sf_doctor_store },       { "snapshots", sf_doctor_snapshots },
    { "cage", sf_doctor_cage },         { "git", sf_doctor_git },
    { "disk", sf_doctor_disk },
};
const size_t sf_doctor_check_count = SF_COUNT(sf_doctor_checks);

static const char *const health_names[] = {
    [SF_HEALTH_OK] = "ok",
    [SF_HEALTH_WARNING] = "warning",
    [SF_HEALTH_PROBLEM] = "problem",
};

void sf_doctor_say(struct sf_doctor *d, enum sf_health health, const char *hint, const char *format,
                   ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    d->findings = sf_grow(d->findings, &d->cap, d->count + 1, sizeof(*d->findings));
    d->findings[d->count++] =
        (struct sf_finding){ d->check, health, sf_strbuf_detach(&text), sf_strdup(hint) };
}

void sf_doctor_error(struct sf_doctor *d, enum sf_health health, const struct sf_error *err)
{
    sf_doctor_say(d, health, err->hint, "%s", err->msg);
}

char *sf_doctor_ask(const char *const *argv, const char *variable)
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

static enum sf_health worst(const struct sf_doctor *d)
{
    enum sf_health health = SF_HEALTH_OK;

    for (size_t i = 0; i < d->count; i++)
        if (d->findings[i].health > health)
            health = d->findings[i].health;
    return health;
}

/* Names in findings may be anybody's: a line stays a line. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
    sf_strbuf_addch(out, '\n');
}

static void print_text(const struct sf_doctor *d)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < d->count; i++) {
        const struct sf_finding *f = &d->findings[i];

        sf_strbuf_addf(&out, "%-8s %-10s ", health_names[f->health], f->check);
        add_line(&out, f->text);
        if (*f->hint) {
            sf_strbuf_addf(&out, "%*s", LABEL, "");
            add_line(&out, f->hint);
        }
    }
    sf_print(&out);
    sf_strbuf_release(&out);
}

static void print_json(const struct sf_doctor *d)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "v", SF_DOCTOR_VERSION);
    sf_jw_key_str(&w, "health", health_names[worst(d)]);
    sf_jw_key(&w, "findings");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < d->count; i++) {
        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "check", d->findings[i].check);
        sf_jw_key_str(&w, "health", health_names[d->findings[i].health]);
        sf_jw_key_str(&w, "text", d->findings[i].text);
        sf_jw_key_str(&w, "hint", d->findings[i].hint);
        sf_jw_object_end(&w);
    }
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    sf_strbuf_addch(&out, '\n');
    sf_print(&out);
    sf_strbuf_release(&out);
}

int sf_cmd_doctor(struct sf_invocation *inv)
{
    struct sf_doctor d = { .app = inv->app, .online = sf_cli_get(inv, "online") != NULL };
    bool well;

    for (size_t i = 0; i < sf_doctor_check_count; i++) {
        d.check = sf_doctor_checks[i].name;
        sf_doctor_checks[i].run(&d);
    }
    if (sf_cli_get(inv, "json"))
        print_json(&d);
    else
        print_text(&d);
    well = worst(&d) == SF_HEALTH_OK;
    for (size_t i = 0; i < d.count; i++) {
        free(d.findings[i].text);
        free(d.findings[i].hint);
    }
    free(d.findings);
    return well ? SF_EXIT_DONE : SF_EXIT_FAILED;
}
