/*
 * commands_show.c: commands that only show something: status, cost, the report. They make
 * pages of Markdown from tables and from the store, and change nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "port/internal.h"

/* ---- from the store ---- */

static void add_value(struct sf_strbuf *out, const struct sf_query_value *v)
{
    switch (v->type) {
    case SF_QUERY_NULL:
        sf_strbuf_adds(out, "–");
        break;
    case SF_QUERY_INT:
        sf_strbuf_addf(out, "%" PRId64, v->integer);
        break;
    case SF_QUERY_REAL:
        sf_strbuf_addf(out, "%.4f", v->real);
        break;
    case SF_QUERY_TEXT:
    case SF_QUERY_BLOB:
        for (size_t i = 0; i < v->len && i < 200; i++)
            sf_strbuf_add(out, strchr("|\n", v->bytes[i]) ? " " : &v->bytes[i], 1);
        break;
    }
}

static bool add_word(const struct sf_query_row *row, void *ctx)
{
    add_value(ctx, &row->values[0]);
    return true;
}

/* `%s` in the statement is the session's id, which is made of letters and digits. */
static bool ask_store(struct sf_port *p, const char *sql, sf_query_row_fn *row,
                      struct sf_strbuf *out)
{
    struct sf_strbuf statement = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_query query = { .row = row, .ctx = out };
    const char *mark = strstr(sql, "%s");
    bool ok;

    sf_strbuf_add(&statement, sql, mark ? (size_t)(mark - sql) : strlen(sql));
    if (mark)
        sf_strbuf_addf(&statement, "%s%s", sf_session_id(p->session), mark + 2);
    query.sql = statement.buf;
    ok = sf_store_query(p->setup.session.state_dir, &query, &err);
    if (!ok)
        sf_port_fail(p, &err);
    sf_strbuf_release(&statement);
    return ok;
}

static bool add_words(struct sf_port *p, const char *sql, struct sf_strbuf *out)
{
    return ask_store(p, sql, add_word, out);
}

/* ---- status ---- */

static void add_budget(const struct sf_budget *b, struct sf_strbuf *out)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++) {
        int64_t left = b->limit[i] - b->spent[i];

        if (b->limit[i] <= 0)
            continue;
        sf_strbuf_addf(out, "| %s | ", sf_budgets[i].label);
        sf_budget_text(b, (enum sf_budget_kind)i, out);
        sf_strbuf_addf(out, " | %d%% | %s |\n",
                       left > 0 ? (int)((double)left * 100 / (double)b->limit[i]) : 0,
                       sf_budgets[i].setting);
    }
}

/* Lists problems of the current settings, with their origin. */
static void add_problems(struct sf_port *p, struct sf_strbuf *out)
{
    size_t count;
    const struct sf_config_note *notes = sf_config_notes(sf_port_settings(p), &count);

    if (count)
        sf_strbuf_adds(out, "\n## Settings that need a look\n\n");
    for (size_t i = 0; i < count; i++) {
        sf_strbuf_addf(out, "- %s**%s** ", notes[i].error ? "error: " : "", notes[i].text);
        sf_origin_add(out, &notes[i].origin);
        sf_strbuf_addf(out, "%s%s\n", *notes[i].hint ? "; " : "", notes[i].hint);
    }
}

static void add_trust(const struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_mode_state *s = sf_session_state(p->session);

    sf_strbuf_addf(out, "| trust | %s%s |\n",
                   p->setup.session.workspace_trusted
                       ? "this workspace is trusted"
                       : "this workspace is not trusted: its files may only narrow settings",
                   s->trust ? "; /trust is on for this session" : "");
}

static void add_approval(const struct sf_port *p, struct sf_strbuf *out)
{
    if (sf_port_approval(p))
        sf_strbuf_addf(out, "| approval mode | %s; /permissions mode suggest ends that |\n",
                       sf_port_approval(p));
}

static void add_snapshots(struct sf_port *p, struct sf_strbuf *out)
{
    if (!sf_config_bool(p->setup.session.config, "snapshots.enabled")) {
        sf_strbuf_adds(out, "| snapshots | off: snapshots.enabled is false, so nothing can be put "
                            "back |\n");
        return;
    }
    sf_strbuf_adds(out, "| snapshots | ");
    if (!add_words(p,
                   "select count(*) || ' of this session' || coalesce(', the last at ' || "
                   "strftime('%H:%M',max(created_at),'localtime'),'') from snapshots "
                   "where session_id='%s' and pruned_at is null",
                   out))
        sf_strbuf_adds(out, "cannot be counted");
    sf_strbuf_adds(out, " |\n");
}

/* Where the user stands, and which directories were added. */
static void add_places(struct sf_port *p, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_strlist *dirs = sf_session_dirs(p->session, &ignored);

    if (*p->setup.session.below) {
        sf_strbuf_adds(out, "| working directory | ");
        sf_port_cell_add(out, p->setup.session.below);
        sf_strbuf_adds(out, " |\n");
    }
    for (size_t i = 0; dirs && i < dirs->count; i++) {
        sf_strbuf_adds(out, "| added directory | ");
        sf_port_cell_add(out, dirs->items[i]);
        sf_strbuf_adds(out, ", not covered by undo |\n");
    }
}

static void add_session(struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_provider *provider = p->setup.session.provider;
    int64_t used, window;

    sf_session_context(p->session, &used, &window);
    sf_strbuf_addf(out, "| | |\n|---|---|\n| session | %s |\n| workspace | ",
                   sf_session_id(p->session));
    sf_port_cell_add(out, p->setup.session.workspace->root);
    sf_strbuf_addf(out, " |\n| model | %s (%s) |\n| context | %" PRId64 " of %" PRId64 " tokens",
                   sf_session_model(p->session), provider->name, used, window);
    sf_strbuf_adds(out, window > 0 && used >= 0 ? ", " : "");
    sf_context_percent_add(out, used, window);
    sf_strbuf_adds(out, " |\n| store | ");
    sf_port_cell_add(out, p->setup.session.state_dir);
    sf_strbuf_adds(out, " |\n");
}

/* What the name of the run control alone does not say. */
static const char *about_run(const struct sf_port *p)
{
    const struct sf_mode_state *s = sf_session_state(p->session);

    if (s->paused)
        return sf_port_runs(p) ? ", pausing: something runs still" : ", paused";
    return sf_mode_state_drives(s) && !sf_port_carries_out(p) ? "; /autonomous carries out a plan"
                                                              : "";
}

static void show_status(struct sf_port *p)
{
    const struct sf_mode_state *s = sf_session_state(p->session);
    struct sf_strbuf text = SF_STRBUF_INIT;

    add_session(p, &text);
    add_places(p, &text);
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_strbuf_addf(&text, "| %s | %s%s |\n", sf_axes[axis].noun,
                       sf_axis_name((enum sf_axis)axis, sf_mode_state_get(s, (enum sf_axis)axis)),
                       axis == SF_AXIS_CONTROL ? about_run(p) : "");
    sf_strbuf_addf(&text, "| scope | %s |\n", s->scope);
    add_trust(p, &text);
    add_approval(p, &text);
    sf_strbuf_adds(&text, "| cage | ");
    sf_session_cage(p->session, &text);
    sf_strbuf_adds(&text, " |\n");
    add_snapshots(p, &text);
    sf_port_overview_add(p, &text);
    sf_strbuf_adds(&text, "\n## Limits of this run\n\n| limit | used | left | raised by |\n"
                          "|---|--:|--:|---|\n");
    add_budget(sf_session_budget(p->session), &text);
    sf_port_run_add(p, &text);
    add_problems(p, &text);
    sf_port_page(p, "Status", &text);
}

/* The answer names which files changed, and waits until they were compared. */
void sf_command_status(struct sf_port *p, const char *args)
{
    (void)args;
    if (!sf_overview_settle(p, show_status))
        show_status(p);
}

/* ---- in numbers ---- */

static bool read_report(struct sf_port *p, struct sf_session_report *report)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_report_read(report, p->setup.session.store, p->setup.session.state_dir,
                       sf_session_id(p->session), &err))
        return true;
    sf_report_release(report);
    sf_port_fail(p, &err);
    return false;
}

void sf_command_cost(struct sf_port *p, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_session_report report;

    (void)args;
    if (!read_report(p, &report))
        return;
    sf_report_costs(&report, &text);
    sf_port_page(p, "Cost of this session", &text);
    sf_report_release(&report);
    sf_strbuf_release(&text);
}

static void save_report(struct sf_port *p, const struct sf_strbuf *text, bool json)
{
    struct sf_error err = SF_ERROR_INIT;
    char name[64], *path;

    snprintf(name, sizeof(name), "report-%.10s.%s", sf_session_id(p->session),
             json ? "json" : "md");
    path = sf_session_save_path(p->session, name, false, &err);
    if (path && sf_export_text(path, text, &err))
        sf_port_say(p, "written to %s", path);
    else
        sf_port_fail(p, &err);
    free(path);
}

void sf_command_report(struct sf_port *p, const char *args)
{
    bool json = sf_args_take(&args, "--json"), save = sf_args_take(&args, "--save");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_session_report report;

    if (*args) {
        sf_port_usage(p, "/session-report [--json] [--save]");
        return;
    }
    if (!read_report(p, &report))
        return;
    if (json && !save)
        sf_strbuf_adds(&text, "```json\n");
    (json ? sf_report_json : sf_report_markdown)(&report, &text);
    if (json && !save)
        sf_strbuf_adds(&text, "```\n");
    if (save)
        save_report(p, &text, json);
    else
        sf_port_page(p, "What came of this session", &text);
    sf_report_release(&report);
    sf_strbuf_release(&text);
}
