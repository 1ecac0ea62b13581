/*
 * cmd_trust.c: sf trust. Trust that cannot be recorded in the log is not given; taking it away
 * must work even when the log does not.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"

static const char *const state_words[] = {
    [SF_TRUST_NO] = "not trusted",
    [SF_TRUST_YES] = "trusted",
    [SF_TRUST_CHANGED] = "changed",
};

static void add_status_json(struct sf_strbuf *out, const char *root, enum sf_trust_state state)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "workspace", root);
    sf_jw_key_str(&w, "state", state_words[state]);
    sf_jw_key_bool(&w, "trusted", state == SF_TRUST_YES);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_status_text(struct sf_strbuf *out, const char *root, enum sf_trust_state state)
{
    static const char *const more[] = {
        [SF_TRUST_NO] = "Its settings may only make yours stricter. `sf trust add` trusts it.",
        [SF_TRUST_YES] = "`sf trust remove` ends that.",
        [SF_TRUST_CHANGED] =
            "Its policy files changed since you trusted it.\nRead them, then `sf trust add`.",
    };

    sf_strbuf_addf(out, "%s: %s\n%s\n", root, state_words[state], more[state]);
}

int sf_cmd_trust_status(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_trust_state state;

    if (!workspace || !sf_trust_check(workspace->root, &state, &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    (sf_cli_get(inv, "json") ? add_status_json : add_status_text)(&out, workspace->root, state);
    sf_print(&out);
    sf_strbuf_release(&out);
    return SF_EXIT_DONE;
}

static bool record(struct sf_invocation *inv, const char *action, const char *root,
                   struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "action", action);
    sf_jw_key_str(&w, "workspace", root);
    sf_jw_object_end(&w);
    ok = sf_app_record(inv->app, "trust", &json, err);
    sf_strbuf_release(&json);
    return ok;
}

int sf_cmd_trust_add(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT, ignored = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    bool found;

    if (!workspace || !sf_app_store(inv->app, &err) ||
        !sf_trust_add(workspace->root, sf_clock_wall_ms(), &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    if (record(inv, "add", workspace->root, &err))
        return sf_cmd_trust_status(inv);
    if (!sf_trust_remove(workspace->root, &found, &ignored))
        sf_print_error(&ignored, SF_EXIT_FAILED);
    return sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_trust_remove(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT, log_err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    bool found;

    if (!workspace || !sf_trust_remove(workspace->root, &found, &err))
        return sf_print_error(&err, SF_EXIT_FAILED);
    if (!found) {
        sf_fail(&err, SF_E_NOENT, "%s was not trusted", workspace->root);
        return sf_print_error(&err, SF_EXIT_FAILED);
    }
    if (record(inv, "remove", workspace->root, &log_err))
        return sf_cmd_trust_status(inv);
    sf_error_prefix(&log_err, "no longer trusted, but not recorded in the log: ");
    return sf_print_error(&log_err, SF_EXIT_FAILED);
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
