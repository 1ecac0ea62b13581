/*
 * commands_plan.c: /plan lists the plans of the workspace, shows one with the states of its tasks,
 * and takes an accepted one back.
 */
#include <string.h>

#include "port/internal.h"
#include "workspace/workspace.h"

static void add_row(struct sf_response *r, const struct sf_plan_status *s)
{
    sf_response_row(r, s->name);
    sf_response_cell(r, "%s", s->name);
    sf_response_cell(r, "%s", sf_plan_stages[s->stage]);
    sf_response_cell(r, "%zu of %zu", s->done, s->plan.task_count);
    sf_response_cell(r, "%s", s->plan.title);
}

static bool add_rows(struct sf_port *p, struct sf_response *r, struct sf_error *err)
{
    struct sf_store *store = p->setup.session.store;
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_plan_status status;
    bool ok = sf_plan_names(store, sf_port_workspace(p), &names, err);

    for (size_t i = 0; ok && i < names.count; i++) {
        ok = sf_plan_status_get(store, sf_port_workspace(p), names.items[i], &status, err);
        if (ok) {
            add_row(r, &status);
            sf_plan_status_release(&status);
        }
    }
    sf_strlist_release(&names);
    return ok;
}

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "name", "stage", "done", "title", NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Plans");
    r.columns = columns;
    r.align = "llrl";
    if (!add_rows(p, &r, &err)) {
        sf_response_release(&r);
        sf_port_fail(p, &err);
    } else if (!r.count) {
        sf_response_release(&r);
        sf_port_note(p, false,
                     "there is no plan here; /mode plan, and the model writes one with you");
    } else {
        sf_port_respond(p, &r);
    }
}

static bool add_plan(struct sf_port *p, const char *name, struct sf_strbuf *out,
                     struct sf_error *err)
{
    struct sf_plan_status status;

    if (!sf_plan_status_get(p->setup.session.store, sf_port_workspace(p), name, &status, err))
        return false;
    sf_plan_status_text(&status, out);
    sf_plan_status_release(&status);
    return true;
}

void sf_explain_plan(struct sf_port *p, const char *name, struct sf_strbuf *out)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!add_plan(p, name, out, &err))
        sf_port_fail(p, &err);
}

static void show(struct sf_port *p, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_PAGE, "Plan");
    if (add_plan(p, name, &r.text, &err)) {
        snprintf(r.title, sizeof(r.title), "Plan %s", name);
        sf_port_respond(p, &r);
    } else {
        sf_response_release(&r);
        sf_port_fail(p, &err);
    }
}

static void drop(struct sf_port *p, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_store_plan_drop(p->setup.session.store, name, "user", &err))
        sf_port_note(p, false, "%s is dropped: what was not done is cancelled; its file stays",
                     name);
    else
        sf_port_fail(p, &err);
}

void sf_command_plan(struct sf_port *p, const char *args)
{
    if (!*args || (sf_args_take(&args, "list") && !*args))
        list(p);
    else if (sf_args_take(&args, "drop") && *args)
        drop(p, args);
    else if ((sf_args_take(&args, "show") && *args) || (*args && !strchr(args, ' ')))
        show(p, args);
    else
        sf_port_usage(p, "/plan, /plan show NAME, /plan drop NAME; /mode plan is the work mode");
}
