/*
 * side_state.c: state beside the conversation that a resumed session gets back: the files the model
 * has seen, background jobs, the model the user chose. It is logged beside results, or in events of
 * its own that only this file reads. The shell's directory is not kept: a resumed session begins
 * where the user stands.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* ---- commands in the background ---- */

struct listing {
    struct sf_json_writer w;
    bool last; /* the session closes, and running jobs end with it */
};

static void add_job(void *ctx, const struct sf_job_view *job)
{
    struct listing *l = ctx;
    const char *status = job->running ? "ended with sf" : job->status;

    sf_jw_object_begin(&l->w);
    sf_jw_key_int(&l->w, "id", job->id);
    sf_jw_key_str(&l->w, "title", job->title);
    if (!job->running || l->last) {
        sf_jw_key_str(&l->w, "status", status);
        sf_jw_key_int(&l->w, "took_ms", job->age_ms);
    }
    sf_jw_object_end(&l->w);
}

/* All jobs as JSON. NULL: the log has exactly this list. */
static char *list_jobs(struct sf_session *s, bool last)
{
    struct sf_strbuf now = SF_STRBUF_INIT;
    struct listing l = { .last = last };

    sf_jw_init(&l.w, &now);
    sf_jw_array_begin(&l.w);
    sf_toolbox_each_job(s->box, add_job, &l);
    sf_jw_array_end(&l.w);
    if (!strcmp(now.buf, s->kept.jobs ? s->kept.jobs : "[]")) {
        sf_strbuf_release(&now);
        return NULL;
    }
    free(s->kept.jobs);
    s->kept.jobs = sf_strdup(now.buf);
    return sf_strbuf_detach(&now);
}

static void write_jobs(struct sf_session *s, struct sf_json_writer *w)
{
    char *now = list_jobs(s, false);

    if (now) {
        sf_jw_key(w, "jobs");
        sf_jw_raw(w, now, strlen(now));
    }
    free(now);
}

/* Jobs can end between results. A failed write is only logged: the next event will fail as well. */
void sf_side_state_jobs(struct sf_session *s, bool last)
{
    char *now = s->dead || s->watch || !s->box ? NULL : list_jobs(s, last);
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!now)
        return;
    sf_strbuf_addf(&json, "{\"jobs\":%s}", now);
    if (!sf_session_append(s, SF_LOG_JOBS, &json, &err))
        sf_log(SF_LOG_WARN, "the end of a job cannot be written: %s", err.msg);
    sf_strbuf_release(&json);
    free(now);
}

/* A job that ran when sf was killed ended with it, so its entry has no status. */
static void recall_jobs(struct sf_session *s, const struct sf_json *json)
{
    const struct sf_json *jobs = sf_json_get(json, "jobs");
    struct sf_error ignored = SF_ERROR_INIT;

    for (const struct sf_json *it = jobs ? sf_json_first(jobs) : NULL; it; it = sf_json_next(it)) {
        const char *title, *status;
        int64_t id, took;

        if (sf_json_get_int(it, "id", &id, &ignored) && id > 0 &&
            sf_json_get_str(it, "title", &title, &ignored) &&
            sf_json_opt_str(it, "status", "it ran with the sf that started it", &status,
                            &ignored) &&
            sf_json_opt_int(it, "took_ms", -1, &took, &ignored))
            sf_toolbox_recall_job(s->box, id, title, status, took);
    }
    if (jobs)
        free(list_jobs(s, false)); /* remembers that the log has these jobs */
}

void sf_side_state_write(struct sf_session *s, struct sf_json_writer *w)
{
    write_jobs(s, w);
}

/* ---- the model ---- */

/* A replay file is not a service with which a later run could continue. */
bool sf_side_state_names(const struct sf_session_setup *setup)
{
    return setup->provider_named && setup->provider->kind != SF_PROVIDER_REPLAY;
}

/* A model name is logged with its provider: with another provider it means nothing. */
static void write_choice(const struct sf_session *s, struct sf_strbuf *out)
{
    const char *name = s->setup.provider->name;
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "asked", s->link.asked ? s->link.asked : "");
    if (s->link.asked)
        sf_jw_key_str(&w, "of", name);
    if (s->link.provider_asked)
        sf_jw_key_str(&w, "provider", name);
    sf_jw_object_end(&w);
}

/* The choice holds in this process even if the event cannot be written. */
void sf_side_state_model(struct sf_session *s)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (s->dead || s->watch)
        return;
    write_choice(s, &json);
    if (!sf_session_append(s, SF_LOG_MODEL, &json, &err)) {
        struct sf_event event = sf_event_of_notice(err.msg, strlen(err.msg));

        sf_session_tell(s, &event);
    }
    sf_strbuf_release(&json);
}

/* A model or provider named on the command line counts as chosen for this session. */
void sf_side_state_named(struct sf_session *s)
{
    if (!s->link.news || s->watch)
        return;
    s->link.news = false;
    sf_side_state_model(s);
}

/* The command line of this run wins over the log, and is logged where the two differ. */
static void recall_model(struct sf_session *s, const struct sf_json *json)
{
    const char *now = s->setup.provider->name, *asked, *of, *provider;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_json_get_str(json, "asked", &asked, &ignored) ||
        !sf_json_opt_str(json, "of", now, &of, &ignored) ||
        !sf_json_opt_str(json, "provider", "", &provider, &ignored))
        return;
    if (!s->setup.model_named) {
        free(s->link.asked);
        s->link.asked = *asked && !strcmp(of, now) ? sf_strdup(asked) : NULL;
    }
    s->link.provider_asked = sf_side_state_names(&s->setup) || *provider;
    s->link.news = strcmp(s->link.asked ? s->link.asked : "", asked) != 0 ||
                   (sf_side_state_names(&s->setup) && strcmp(now, provider) != 0);
}

void sf_side_state_read_model(struct sf_session *s, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json;

    if (strcmp(event->kind, SF_LOG_MODEL) != 0)
        return;
    json = sf_json_parse(event->json, event->len, NULL, &ignored);
    if (json)
        recall_model(s, json);
    sf_json_free(json);
}

static bool found_model(const struct sf_event_row *event, void *ctx)
{
    sf_side_state_read_model(ctx, event);
    return true;
}

bool sf_side_state_find_model(struct sf_session *s, struct sf_error *err)
{
    struct sf_event_count chosen;
    struct sf_event_range newest = { .session = s->id };

    if (!sf_store_event_count(s->setup.store, s->id, SF_LOG_MODEL, INT64_MAX, &chosen, err))
        return false;
    newest.first = newest.last = chosen.last;
    return !chosen.last || sf_store_each_in_range(s->setup.store, &newest, found_model, s, err);
}

/* ---- files ---- */

static bool hex_digest(const char *hex, unsigned char *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned byte;

        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        out[i] = (unsigned char)byte;
    }
    return true;
}

static void recall_file(struct sf_session *s, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_file_seen seen = { .path = NULL };
    const char *path, *hex;

    if (!sf_json_get_str(json, "path", &path, &ignored) ||
        !sf_json_get_int(json, "size", &seen.size, &ignored) ||
        !sf_json_get_int(json, "mtime_ns", &seen.mtime_ns, &ignored) ||
        !sf_json_get_str(json, "sha256", &hex, &ignored) ||
        !sf_json_get_bool(json, "whole", &seen.whole, &ignored) ||
        !sf_json_opt_int(json, "first", 0, &seen.first, &ignored) ||
        !sf_json_opt_int(json, "last", 0, &seen.last, &ignored) ||
        !sf_json_opt_int(json, "limit", -1, &seen.limit, &ignored) ||
        !sf_json_opt_bool(json, "again", false, &seen.again, &ignored) ||
        strlen(hex) != 2 * sizeof(seen.digest) ||
        !hex_digest(hex, seen.digest, sizeof(seen.digest)))
        return;
    seen.path = sf_strdup(path);
    sf_toolbox_remember(s->box, &seen);
    free(seen.path);
}

/* Restores the record of the files that earlier calls have seen. */
static void recall_files(struct sf_session *s, const struct sf_json *json)
{
    const struct sf_json *seen = sf_json_get(json, "seen");

    for (const struct sf_json *it = seen ? sf_json_first(seen) : NULL; it; it = sf_json_next(it))
        recall_file(s, it);
}

/* ---- reading ---- */

static bool mentions(const struct sf_event_row *event, const char *name)
{
    return memmem(event->json, event->len, name, strlen(name)) != NULL;
}

/* Most results have no side state; a text search is cheaper than parsing all of them. */
static bool is_worth_reading(const struct sf_event_row *event)
{
    return (!strcmp(event->kind, SF_LOG_RESULT) || !strcmp(event->kind, SF_LOG_SHELL) ||
            !strcmp(event->kind, SF_LOG_JOBS)) &&
           (mentions(event, "\"seen\"") || mentions(event, "\"jobs\""));
}

void sf_side_state_read(struct sf_session *s, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *at;
    struct sf_json *json;

    if (!is_worth_reading(event))
        return;
    json = sf_json_parse(event->json, event->len, NULL, &ignored);
    at = json && !strcmp(event->kind, SF_LOG_RESULT) ? sf_json_get(json, "detail") : json;
    if (at) {
        recall_files(s, at);
        recall_jobs(s, at);
    }
    sf_json_free(json);
}
