/*
 * cmd_log.c: sf log. If the store cannot be opened for writing, the command says why, shows what
 * can still be read, and exits with 1.
 */
#include <errno.h>
#include <string.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

enum { DEFAULT_LIMIT = 50, SHORT_ID = 10 };

static bool read_limit(const struct sf_invocation *inv, size_t *limit, struct sf_error *err)
{
    const char *text = sf_cli_get(inv, "limit");
    char *end;
    unsigned long long n;

    *limit = DEFAULT_LIMIT;
    if (!text)
        return true;
    errno = 0;
    n = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || n > SIZE_MAX / 2)
        return sf_fail(err, SF_E_ARG, "--limit: '%s' is no number of events", text);
    *limit = (size_t)n;
    return true;
}

/* "2h" is two hours before now; anything else must be a time. */
static bool read_since(const struct sf_invocation *inv, int64_t *since, struct sf_error *err)
{
    const char *text = sf_cli_get(inv, "since");
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    *since = 0;
    if (!text || sf_time_parse_rfc3339(text, strlen(text), since, &ignored))
        return true;
    if (sf_duration_parse(text, &ms, &ignored) && ms >= 0) {
        *since = sf_clock_wall_ms() - ms;
        return true;
    }
    sf_fail(err, SF_E_ARG, "--since: '%s' is neither a duration nor a time", text);
    return sf_hint(err, "write 90m, 2h, 1d or 2026-05-08T10:00:00Z");
}

static bool print_json(const struct sf_event_row *event, void *ctx)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;

    (void)ctx;
    sf_jw_init(&w, &out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "id", event->id);
    sf_jw_key_str(&w, "session", event->session);
    if (event->seq)
        sf_jw_key_int(&w, "seq", event->seq);
    sf_jw_key_str(&w, "time", event->time);
    sf_jw_key_str(&w, "surface", event->surface);
    sf_jw_key_str(&w, "kind", event->kind);
    sf_jw_key(&w, "data");
    sf_jw_raw(&w, event->json, event->len);
    sf_jw_object_end(&w);
    sf_strbuf_addch(&out, '\n');
    fwrite(out.buf, 1, out.len, stdout);
    sf_strbuf_release(&out);
    return !ferror(stdout);
}

static bool print_text(const struct sf_event_row *event, void *ctx)
{
    struct sf_strbuf out = SF_STRBUF_INIT, line = SF_STRBUF_INIT;

    (void)ctx;
    sf_strbuf_addf(&line, "%s  %-*.*s  %-12s  ", event->time, SHORT_ID, SHORT_ID, event->session,
                   event->kind);
    sf_text_sanitize(&out, line.buf, line.len, SF_TEXT_ONE_LINE);
    sf_event_text_add(&out, event->kind, event->json, event->len);
    sf_strbuf_addch(&out, '\n');
    fwrite(out.buf, 1, out.len, stdout);
    sf_strbuf_release(&out);
    sf_strbuf_release(&line);
    return !ferror(stdout);
}

static void add_cell(struct sf_strbuf *out, const struct sf_query_value *value)
{
    switch (value->type) {
    case SF_QUERY_NULL:
        break;
    case SF_QUERY_INT:
        sf_strbuf_addf(out, "%lld", (long long)value->integer);
        break;
    case SF_QUERY_REAL:
        sf_toml_add_float(out, value->real);
        break;
    case SF_QUERY_TEXT:
        sf_text_sanitize(out, value->bytes, value->len, SF_TEXT_ONE_LINE);
        break;
    case SF_QUERY_BLOB:
        sf_strbuf_addf(out, "(%zu bytes)", value->len);
        break;
    }
}

static void add_json_cell(struct sf_json_writer *w, const struct sf_query_value *value)
{
    switch (value->type) {
    case SF_QUERY_NULL:
    case SF_QUERY_BLOB:
        sf_jw_null(w);
        break;
    case SF_QUERY_INT:
        sf_jw_int(w, value->integer);
        break;
    case SF_QUERY_REAL:
        sf_jw_double(w, value->real);
        break;
    case SF_QUERY_TEXT:
        sf_jw_strn(w, value->bytes, value->len);
        break;
    }
}

struct table {
    bool json, headed;
};

static void add_names(struct sf_strbuf *out, const struct sf_query_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        sf_strbuf_adds(out, i ? "\t" : "");
        sf_text_sanitize(out, row->names[i], strlen(row->names[i]), SF_TEXT_ONE_LINE);
    }
    sf_strbuf_addch(out, '\n');
}

static bool print_row(const struct sf_query_row *row, void *ctx)
{
    struct table *t = ctx;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (t->json) {
        sf_jw_init(&w, &out);
        sf_jw_object_begin(&w);
        for (size_t i = 0; i < row->count; i++) {
            sf_jw_key(&w, row->names[i]);
            add_json_cell(&w, &row->values[i]);
        }
        sf_jw_object_end(&w);
    } else {
        if (!t->headed)
            add_names(&out, row);
        for (size_t i = 0; i < row->count; i++) {
            sf_strbuf_adds(&out, i ? "\t" : "");
            add_cell(&out, &row->values[i]);
        }
    }
    t->headed = true;
    sf_strbuf_addch(&out, '\n');
    fwrite(out.buf, 1, out.len, stdout);
    sf_strbuf_release(&out);
    return !ferror(stdout);
}

static bool run_sql(const struct sf_invocation *inv, const char *dir, struct sf_error *err)
{
    struct table t = { .json = sf_cli_get(inv, "json") };
    struct sf_query query = { .sql = sf_cli_get(inv, "sql"), .row = print_row, .ctx = &t };
    struct sf_config *config = sf_app_config(inv->app, err);
    const struct sf_config_value *timeout =
        config ? sf_config_find(config, "limits.timeout") : NULL;

    if (timeout && timeout->integer > 0)
        query.timeout_ms = timeout->integer * 1000;
    return sf_store_query(dir, &query, err);
}

static bool list_events(const struct sf_invocation *inv, struct sf_store *store,
                        const struct sf_event_filter *filter, struct sf_error *err)
{
    sf_event_fn *fn = sf_cli_get(inv, "json") ? print_json : print_text;

    if (filter->kind && !strcmp(filter->kind, SF_DECISION_EVENT))
        return sf_store_each_decision(store, filter, fn, NULL, err);
    return sf_store_each_event(store, filter, fn, NULL, err);
}

static bool show(const struct sf_invocation *inv, struct sf_store *store, const char *dir,
                 const struct sf_event_filter *filter, struct sf_error *err)
{
    return sf_cli_get(inv, "sql") ? run_sql(inv, dir, err) : list_events(inv, store, filter, err);
}

/* Prints why the store could not be opened, then what can be read without writing. */
static int show_readonly(const struct sf_invocation *inv, const char *dir,
                         const struct sf_event_filter *filter, const struct sf_error *why)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;

    sf_print_error(why, SF_EXIT_FAILED);
    store = sf_store_open(dir, SF_STORE_READ, &err);
    if (store && *sf_store_warning(store))
        sf_print_warning(sf_store_warning(store), "");
    if (store && !show(inv, store, dir, filter, &err))
        sf_print_error(&err, SF_EXIT_FAILED);
    sf_store_close(store);
    return SF_EXIT_FAILED;
}

int sf_cmd_log(struct sf_invocation *inv)
{
    struct sf_event_filter filter = { .kind = sf_cli_get(inv, "kind"),
                                      .session = sf_cli_get(inv, "session") };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;
    const char *dir;

    if (!read_limit(inv, &filter.limit, &err) || !read_since(inv, &filter.since_ms, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    dir = sf_app_state_dir(inv->app, &err);
    if (!dir)
        return sf_print_error(&err, SF_EXIT_FAILED);
    store = sf_app_store(inv->app, &err);
    if (!store)
        return show_readonly(inv, dir, &filter, &err);
    if (!show(inv, store, dir, &filter, &err))
        return err.code == SF_E_SYNTAX ? sf_print_error(&err, SF_EXIT_USAGE)
                                       : sf_print_failure(&err);
    return SF_EXIT_DONE;
}
