/*
 * health.c: runs checks, alone, all together or as the gate, and adds their results to a report.
 */
#include "health/health.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "health/internal.h"
#include "io/io.h"

enum { ASK_MS = 2000, ASK_BYTES = 4096 };

const char *const sf_health_state_names[] = {
    [SF_HEALTH_OK] = "ok",
    [SF_HEALTH_WARNING] = "warning",
    [SF_HEALTH_PROBLEM] = "problem",
};

static void look_at(const struct sf_health_context *at, const struct sf_health_check *check,
                    struct sf_health_report *out)
{
    struct sf_health health = { .at = at, .check = check, .out = out };

    check->look(&health);
}

void sf_health_look_at(const struct sf_health_context *at, const struct sf_strlist *names,
                       struct sf_health_report *out)
{
    for (size_t i = 0; i < sf_health_check_count; i++) {
        const struct sf_health_check *check = &sf_health_checks[i];

        if (!names->count || sf_strlist_has(names, check->name) ||
            sf_strlist_has(names, check->group))
            look_at(at, check, out);
    }
}

void sf_health_look(const struct sf_health_context *at, struct sf_health_report *out)
{
    static const struct sf_strlist all = SF_STRLIST_INIT;

    sf_health_look_at(at, &all, out);
}

enum sf_health_state sf_health_worst(const struct sf_health_report *report)
{
    enum sf_health_state worst = SF_HEALTH_OK;

    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].state > worst)
            worst = report->items[i].state;
    return worst;
}

static void release_result(struct sf_health_result *result)
{
    for (size_t i = 0; i < result->act_count; i++) {
        free(result->acts[i].subject);
        free(result->acts[i].was);
        free(result->acts[i].now);
    }
    free(result->acts);
    free(result->text);
    free(result->hint);
}

void sf_health_release(struct sf_health_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        release_result(&report->items[i]);
    free(report->items);
    *report = (struct sf_health_report){ 0 };
}

void sf_health_record_release(struct sf_health_record *record)
{
    release_result(&record->about);
    free(record->name);
    *record = (struct sf_health_record){ 0 };
}

/* ---- the gate ---- */

/* A result passes into the other report; the rest is released with its own. */
static void pass_on(struct sf_health_result *result, struct sf_health_report *to)
{
    to->items = sf_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
    to->items[to->count++] = *result;
    *result = (struct sf_health_result){ 0 };
}

static void ask_check(const struct sf_health_context *at, const struct sf_health_check *check,
                      struct sf_health_report *blocking)
{
    struct sf_health_report found = { 0 };

    look_at(at, check, &found);
    if (!found.count) {
        struct sf_health health = { .at = at, .check = check, .out = &found };

        sf_health_say(&health, SF_HEALTH_PROBLEM, "sf doctor --all", "this check gave no answer");
    }
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i].state >= check->blocks)
            pass_on(&found.items[i], blocking);
    sf_health_release(&found);
}

bool sf_health_gate(const struct sf_workspace *workspace, const char *state_dir,
                    struct sf_health_report *blocking)
{
    struct sf_health_context at = { .version = "", .workspace = workspace, .state_dir = state_dir };
    size_t before = blocking->count;

    sf_fail(&at.no_workspace, SF_E_NOENT, "there is no workspace");
    sf_fail(&at.no_state_dir, SF_E_NOENT, "there is no directory for sf's state");
    for (size_t i = 0; i < sf_health_check_count; i++)
        if (sf_health_checks[i].blocks)
            ask_check(&at, &sf_health_checks[i], blocking);
    return blocking->count == before;
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
    r->items[r->count++] = (struct sf_health_result){ .name = h->check->name,
                                                      .group = h->check->group,
                                                      .state = state,
                                                      .text = sf_strbuf_detach(&text),
                                                      .hint = sf_strdup(hint) };
}

void sf_health_error(struct sf_health *h, enum sf_health_state state, const struct sf_error *err)
{
    sf_health_say(h, state, err->hint, "%s", err->msg);
}

void sf_health_offer(struct sf_health *h, enum sf_health_act_kind kind, const char *subject,
                     const char *was, const char *now)
{
    struct sf_health_result *r = &h->out->items[h->out->count - 1];

    r->acts = sf_grow(r->acts, &r->act_cap, r->act_count + 1, sizeof(*r->acts));
    r->acts[r->act_count++] =
        (struct sf_health_act){ kind, sf_strdup(subject), was ? sf_strdup(was) : NULL,
                                now ? sf_strdup(now) : NULL };
}

bool sf_health_has_workspace(struct sf_health *h)
{
    if (!h->at->workspace)
        sf_health_error(h, SF_HEALTH_PROBLEM, &h->at->no_workspace);
    return h->at->workspace != NULL;
}

bool sf_health_has_state(struct sf_health *h)
{
    if (!h->at->state_dir)
        sf_health_error(h, SF_HEALTH_PROBLEM, &h->at->no_state_dir);
    return h->at->state_dir != NULL;
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
