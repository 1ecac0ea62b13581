/*
 * cmd_plan.c: sf plan, for people and scripts: the plans of the workspace, and what is wrong with
 * one. Whether a plan is carried out is decided in a conversation.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "plan/plan.h"
#include "workspace/workspace.h"

static int failure(const struct sf_error *err)
{
    bool usage = err->code == SF_E_ARG || err->code == SF_E_NOENT || err->code == SF_E_EXIST;

    return sf_print_error(err, usage ? SF_EXIT_USAGE : SF_EXIT_FAILED);
}

/* ---- list and show ---- */

static void add_line(const struct sf_plan_status *s, bool json, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    if (json) {
        sf_jw_init(&w, out);
        sf_plan_status_json(s, false, &w);
        sf_strbuf_addch(out, '\n');
        return;
    }
    sf_strbuf_addf(out, "%-20s %-9s", s->name, sf_plan_stages[s->stage]);
    if (s->plan.task_count)
        sf_strbuf_addf(out, " %zu of %zu done  %s", s->done, s->plan.task_count, s->plan.title);
    sf_strbuf_addch(out, '\n');
}

static bool list(struct sf_store *store, const char *root, bool json, struct sf_strbuf *out,
                 struct sf_error *err)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_plan_status status;
    bool ok = sf_plan_names(store, root, &names, err);

    for (size_t i = 0; ok && i < names.count; i++) {
        ok = sf_plan_status_get(store, root, names.items[i], &status, err);
        if (ok) {
            add_line(&status, json, out);
            sf_plan_status_release(&status);
        }
    }
    if (ok && !names.count && !json)
        sf_strbuf_adds(out, "there is no plan here; they are files, .sf/plans/NAME.md\n");
    sf_strlist_release(&names);
    return ok;
}

int sf_cmd_plan(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_store *store = workspace ? sf_app_store(inv->app, &err) : NULL;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = store && list(store, workspace->root, sf_cli_get(inv, "json") != NULL, &out, &err);

    sf_print(&out);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : failure(&err);
}

int sf_cmd_plan_show(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_store *store = workspace ? sf_app_store(inv->app, &err) : NULL;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_plan_status status;
    struct sf_json_writer w;

    if (!store || !sf_plan_status_get(store, workspace->root, inv->args[0], &status, &err))
        return failure(&err);
    if (sf_cli_get(inv, "json")) {
        sf_jw_init(&w, &out);
        sf_plan_status_json(&status, true, &w);
        sf_strbuf_addch(&out, '\n');
    } else {
        sf_plan_status_text(&status, &out);
    }
    sf_print(&out);
    sf_plan_status_release(&status);
    sf_strbuf_release(&out);
    return SF_EXIT_DONE;
}

/* ---- check ---- */

static void faults_json(const struct sf_plan_faults *faults, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; i < faults->count; i++) {
        const struct sf_error *f = &faults->items[i];

        sf_jw_object_begin(w);
        sf_jw_key_int(w, "line", f->line);
        sf_jw_key_int(w, "column", f->column);
        sf_jw_key_str(w, "text", f->msg);
        sf_jw_key_str(w, "hint", f->hint);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void add_check_json(const struct sf_plan *plan, const struct sf_plan_faults *faults,
                           struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_bool(&w, "ok", !faults->count);
    sf_jw_key_int(&w, "tasks", (int64_t)plan->task_count);
    sf_jw_key(&w, "errors");
    faults_json(faults, &w);
    sf_jw_key_int(&w, "more", (int64_t)faults->left_out);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_check(const char *file, const struct sf_plan *plan,
                      const struct sf_plan_faults *faults, struct sf_strbuf *out)
{
    const struct sf_plan_facts facts = sf_plan_facts_of(plan, NULL, NULL);

    if (faults->count) {
        sf_plan_faults_text(faults, file, out);
        return;
    }
    sf_strbuf_addf(out, "%s: ", file);
    sf_plan_facts_text(&facts, out);
    sf_strbuf_addch(out, '\n');
}

int sf_cmd_plan_check(struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok;

    if (!sf_file_read(inv->args[0], SF_PLAN_BYTES, &text, &err))
        return failure(&err);
    ok = sf_plan_parse(text.buf, text.len, &plan, &faults);
    if (sf_cli_get(inv, "json"))
        add_check_json(&plan, &faults, &out);
    else
        add_check(inv->args[0], &plan, &faults, &out);
    sf_print(&out);
    sf_plan_release(&plan);
    sf_plan_faults_release(&faults);
    sf_strbuf_release(&text);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : SF_EXIT_FAILED;
}

/* ---- import and drop ---- */

/* "docs/To do.md" is called To-do. */
static char *name_of(const char *file)
{
    const char *base = strrchr(file, '/');
    char *name = sf_strdup(base ? base + 1 : file), *dot = strrchr(name, '.');

    if (dot && dot > name)
        *dot = '\0';
    for (char *c = name; *c; c++)
        if (*c == ' ')
            *c = '-';
    return name;
}

static bool import(struct sf_invocation *inv, const char *root, const char *name,
                   struct sf_error *err)
{
    struct sf_strbuf list_text = SF_STRBUF_INIT, plan = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_plan_import counts;
    bool ok = sf_plan_name_check(name, err) &&
              sf_file_read(inv->args[0], SF_PLAN_BYTES, &list_text, err) &&
              sf_plan_import(list_text.buf, list_text.len, name, &plan, &counts, err) &&
              sf_plan_file_write(root, name, &plan, false, err);

    if (ok) {
        sf_strbuf_addf(&out, ".sf/plans/%s.md: %zu task%s", name, counts.taken,
                       counts.taken == 1 ? "" : "s");
        if (counts.dropped)
            sf_strbuf_addf(&out, "; %zu that were done are left out", counts.dropped);
        sf_strbuf_addch(&out, '\n');
        sf_print(&out);
    }
    sf_strbuf_release(&list_text);
    sf_strbuf_release(&plan);
    sf_strbuf_release(&out);
    return ok;
}

int sf_cmd_plan_import(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    const char *as = sf_cli_get(inv, "as");
    char *name = as ? sf_strdup(as) : name_of(inv->args[0]);
    bool ok = workspace && import(inv, workspace->root, name, &err);

    free(name);
    return ok ? SF_EXIT_DONE : failure(&err);
}

int sf_cmd_plan_drop(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_app_store(inv->app, &err);
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (!store || !sf_store_plan_drop(store, inv->args[0], "user", &err))
        return failure(&err);
    sf_strbuf_addf(&out, "%s is dropped: what was not done is cancelled; its file stays\n",
                   inv->args[0]);
    sf_print(&out);
    sf_strbuf_release(&out);
    return SF_EXIT_DONE;
}
