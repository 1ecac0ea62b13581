/*
 * cmd_trust.c: sf trust: shows whether a workspace is trusted, gives trust and takes it away.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

static const char *const state_words[] = {
    [SF_TRUST_NO] = "not trusted",
    [SF_TRUST_YES] = "trusted",
    [SF_TRUST_CHANGED] = "changed",
};

static void add_list_json(struct sf_json_writer *w, const char *name, const struct sf_strlist *list)
{
    sf_jw_key(w, name);
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++)
        sf_jw_str(w, list->items[i]);
    sf_jw_array_end(w);
}

static void add_status_json(struct sf_strbuf *out, const char *root,
                            const struct sf_trust_view *view)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "workspace", root);
    sf_jw_key_str(&w, "state", state_words[view->state]);
    sf_jw_key_bool(&w, "trusted", view->state == SF_TRUST_YES);
    sf_jw_key_bool(&w, "asks", !view->never);
    add_list_json(&w, "files", &view->files);
    add_list_json(&w, "changes", &view->changes);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_status_text(struct sf_strbuf *out, const char *root,
                            const struct sf_trust_view *view)
{
    static const char *const more[] = {
        [SF_TRUST_NO] = "Its settings may only make yours stricter. `sf trust add` trusts it.",
        [SF_TRUST_YES] = "`sf trust remove` ends that.",
        [SF_TRUST_CHANGED] =
            "Its policy files changed since you trusted it.\nRead them, then `sf trust add`.",
    };

    sf_strbuf_addf(out, "%s: %s\n%s\n", root, state_words[view->state], more[view->state]);
    for (size_t i = 0; i < view->changes.count; i++)
        sf_strbuf_addf(out, "  %s\n", view->changes.items[i]);
    if (view->never && view->state == SF_TRUST_NO)
        sf_strbuf_adds(out, "You are not asked about it; `sf trust add` ends that too.\n");
}

int sf_cmd_trust_status(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool ok = workspace && sf_trust_look(workspace->root, &view, &err);

    if (ok) {
        (sf_cli_get(inv, "json") ? add_status_json : add_status_text)(&out, workspace->root, &view);
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_trust_view_release(&view);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_trust_add(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_store *store = workspace ? sf_app_store(inv->app, &err) : NULL;

    if (!store || !sf_trust_log_give(store, SF_SURFACE_HEADLESS, workspace->root, NULL, &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    return sf_cmd_trust_status(inv);
}

int sf_cmd_trust_remove(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT, ignored = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);

    if (!workspace || !sf_trust_log_take(sf_app_store(inv->app, &ignored), SF_SURFACE_HEADLESS,
                                         workspace->root, &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    return sf_cmd_trust_status(inv);
}

struct listing {
    struct sf_strbuf out;
    bool json;
};

static void list_entry(void *ctx, const struct sf_trust_entry *entry)
{
    struct listing *l = ctx;
    struct sf_json_writer w;

    if (!l->json) {
        sf_strbuf_addf(&l->out, "%-26s%s\n", entry->added, entry->path);
        return;
    }
    sf_jw_init(&w, &l->out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "workspace", entry->path);
    sf_jw_key_str(&w, "added", entry->added);
    sf_jw_key_str(&w, "digest", entry->digest);
    sf_jw_object_end(&w);
    sf_strbuf_addch(&l->out, '\n');
}

int sf_cmd_trust_list(struct sf_invocation *inv)
{
    struct listing l = { SF_STRBUF_INIT, sf_cli_get(inv, "json") };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_each(list_entry, &l, &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    if (!l.out.len && !l.json)
        sf_strbuf_adds(&l.out, "No workspace is trusted.\n");
    sf_print(&l.out);
    sf_strbuf_release(&l.out);
    return SF_EXIT_DONE;
}
