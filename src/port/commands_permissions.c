/*
 * commands_permissions.c: /permissions: what runs unasked and by whose word, taking an approval back,
 * and whether questions are asked at all.
 */
#include <string.h>

#include "port/internal.h"
#include "port/permissions.h"

static const char *const columns[] = { "No", "", "What", "For", "Since", "From", NULL };

static void add_row(struct sf_response *r, const struct sf_permission *p)
{
    char number[32] = "";

    if (p->number)
        snprintf(number, sizeof(number), "%lld", (long long)p->number);
    sf_response_row(r, number);
    sf_response_cell(r, "%s", number);
    sf_response_cell(r, "%s", p->answer);
    sf_response_cell(r, "%s", p->what);
    sf_response_cell(r, "%s", p->scope);
    sf_response_age(r, p->when);
    sf_response_cell(r, "%s", p->origin);
}

static void list(struct sf_port *p)
{
    struct sf_permissions found;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_TABLE, "");
    snprintf(r.title, sizeof(r.title), "Permissions (approval mode: %s)",
             sf_approval_mode_names[sf_session_approval_mode(p->session)]);
    snprintf(
        r.hint, sizeof(r.hint),
        "/permissions revoke N takes an approval back; rules are settings: /config guard.allow");
    r.columns = columns;
    if (!sf_permissions_read(&found, sf_port_settings(p), p->setup.session.store,
                             sf_session_id(p->session), &err)) {
        sf_response_release(&r);
        sf_port_fail(p, &err);
    } else if (!found.count) {
        sf_response_release(&r);
        sf_port_say(p, "no rules and no approvals; approval mode %s",
                    sf_approval_mode_names[sf_session_approval_mode(p->session)]);
    } else {
        for (size_t i = 0; i < found.count; i++)
            add_row(&r, &found.items[i]);
        sf_port_respond(p, &r);
    }
    sf_permissions_release(&found);
}

/* What was taken back stays in sight: the list does not have it any more. */
static void tell_revoked(struct sf_port *p, const char *what)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.lasts = true;
    sf_strbuf_addf(&r.text, "taken back: %s; it is asked about again", what);
    sf_port_respond(p, &r);
}

static void revoke(struct sf_port *p, const char *number)
{
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!*number) {
        sf_fail(&err, SF_E_ARG, "/permissions revoke needs the number of an approval");
        sf_hint(&err, "/permissions lists them, and Enter takes one back");
        sf_port_fail(p, &err);
    } else if (sf_permissions_revoke(p->setup.session.store, number, &what, &err)) {
        tell_revoked(p, what.buf);
    } else {
        sf_port_fail(p, &err);
    }
    sf_strbuf_release(&what);
}

static void set_mode(struct sf_port *p, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    int mode = -1;

    for (int i = 0; sf_approval_mode_names[i]; i++)
        if (!strcmp(sf_approval_mode_names[i], name))
            mode = i;
    if (mode < 0) {
        if (*name)
            sf_fail(&err, SF_E_ARG, "there is no approval mode '%.40s'", name);
        else
            sf_fail(&err, SF_E_ARG, "/permissions mode needs the name of an approval mode");
        sf_hint(&err, "/permissions mode suggest, auto or never");
        sf_port_fail(p, &err);
    } else if (!sf_session_set_approval_mode(p->session, (enum sf_approval_mode)mode, &err)) {
        sf_port_fail(p, &err);
    } else {
        sf_port_note(p, false, "approval mode %s for this session: %s", name,
                     sf_approval_mode_helps[mode]);
        sf_port_changed(p);
    }
}

void sf_command_permissions(struct sf_port *p, const char *args)
{
    static const struct {
        const char *word;
        void (*run)(struct sf_port *p, const char *rest);
    } words[] = { { "revoke", revoke }, { "mode", set_mode } };
    size_t len = strcspn(args, " ");
    struct sf_error err = SF_ERROR_INIT;

    if (!*args || !strcmp(args, "list")) {
        list(p);
        return;
    }
    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (strlen(words[i].word) == len && !strncmp(args, words[i].word, len)) {
            words[i].run(p, args + len + strspn(args + len, " "));
            return;
        }
    sf_fail(&err, SF_E_ARG, "/permissions does not know '%.40s'", args);
    sf_hint(&err, "/permissions, /permissions revoke N, /permissions mode suggest|auto|never");
    sf_port_fail(p, &err);
}
