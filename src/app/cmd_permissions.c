/*
 * cmd_permissions.c: sf permissions: rules and approvals of this workspace, and taking one back.
 */
#include "app/app.h"
#include "base/base.h"
#include "port/port.h"

static void add_json(struct sf_strbuf *out, const struct sf_permission *p)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (p->number)
        sf_jw_key_int(&w, "number", p->number);
    sf_jw_key_str(&w, "answer", p->answer);
    sf_jw_key_str(&w, "what", p->what);
    sf_jw_key_str(&w, "scope", p->scope);
    sf_jw_key_str(&w, "origin", p->origin);
    if (*p->when)
        sf_jw_key_str(&w, "when", p->when);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_line(struct sf_strbuf *out, const struct sf_permission *p)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    char number[32] = "";

    if (p->number)
        snprintf(number, sizeof(number), "%lld", (long long)p->number);
    sf_strbuf_addf(&line, "%5s  %-5s  %-9s  %s", number, p->answer, p->scope, p->what);
    if (*p->when)
        sf_strbuf_addf(&line, "  (since %.16s", p->when);
    if (*p->origin)
        sf_strbuf_addf(&line, "%s%s", *p->when ? ", session " : "  (", p->origin);
    if (*p->when || *p->origin)
        sf_strbuf_addch(&line, ')');
    sf_text_sanitize(out, line.buf, line.len, SF_TEXT_ONE_LINE);
    sf_strbuf_addch(out, '\n');
    sf_strbuf_release(&line);
}

int sf_cmd_permissions_list(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = sf_app_config(inv->app, &err);
    struct sf_store *store = config ? sf_app_store(inv->app, &err) : NULL;
    struct sf_permissions found = SF_PERMISSIONS_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool json = sf_cli_get(inv, "json");
    bool ok = store && sf_permissions_read(&found, config, store, NULL, &err);

    if (ok && !json)
        sf_strbuf_addf(&out, "approval mode: %s\n",
                       sf_config_find(config, "guard.approval_mode")->text);
    for (size_t i = 0; ok && i < found.count; i++)
        (json ? add_json : add_line)(&out, &found.items[i]);
    if (ok && !found.count && !json)
        sf_strbuf_adds(&out, "No rules and no approvals.\n");
    if (ok)
        sf_print(&out);
    sf_permissions_release(&found);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_permissions_revoke(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_app_store(inv->app, &err);
    struct sf_strbuf what = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    bool ok = store && sf_permissions_revoke(store, inv->args[0], &what, &err);

    if (ok) {
        sf_strbuf_addf(&out, "taken back: %s\n", what.buf);
        sf_print(&out);
    }
    sf_strbuf_release(&what);
    sf_strbuf_release(&out);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}
