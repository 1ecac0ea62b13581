/*
 * commands_trust.c: asks whether the user trusts the workspace, if the answer would change
 * something: there are policy files, and either the user was not asked yet or the files have
 * changed since trust was given. Trust is never the default: no means not now, until sf is started
 * again. Trust covers only what was seen: it is bound to a digest of the files.
 */
#include <string.h>

#include "port/internal.h"

static const char explanation[] =
    "If you trust it, these files count like settings of your own: they may let actions run "
    "without asking, choose the model, and name programs that sf starts. If not, they may only "
    "make your settings stricter. Read them first if they are not yours.";

_Static_assert(sizeof(explanation) <= sizeof(((struct sf_response *)NULL)->hint),
               "the explanation is told whole");

/* ---- giving and taking ---- */

static void give(struct sf_port *p, const char *digest)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_log_give(p->setup.session.store, sf_port_state(p)->surface, sf_port_workspace(p),
                           digest, &err))
        sf_port_fail(p, &err);
    else if (sf_port_renew(p, NULL, NULL))
        sf_port_note(p, false, "this workspace is trusted; /trust list takes that back");
    else
        sf_port_note(p, false, "this workspace is trusted from the next session on: /new");
}

static void take(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_log_take(p->setup.session.store, sf_port_state(p)->surface, sf_port_workspace(p),
                           &err))
        sf_port_fail(p, &err);
    else if (sf_port_renew(p, NULL, NULL))
        sf_port_note(p, false, "this workspace is not trusted any more");
    else
        sf_port_note(p, false, "not trusted from the next session on: /new begins one");
}

static void never(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_trust_never(sf_port_workspace(p), &err))
        sf_port_note(p, false,
                     "not trusted, and not asked about again; /trust list is still there");
    else
        sf_port_fail(p, &err);
}

/* ---- asking ---- */

static void answered(struct sf_port *p, void *ctx, bool yes)
{
    char *digest = ctx;

    if (yes)
        give(p, digest);
    else
        sf_port_note(p, false, "not trusted: its files may only make settings stricter");
    free(digest);
}

static void ask(struct sf_port *p, const struct sf_trust_view *view, bool late)
{
    const char *root = sf_port_workspace(p), *slash = strrchr(root, '/');
    bool changed = view->state == SF_TRUST_CHANGED;
    const struct sf_strlist *names = changed && view->changes.count ? &view->changes : &view->files;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_QUESTION, "");
    r.command = "trust";
    r.part = "workspace";
    r.late = late;
    sf_strbuf_addf(&r.text,
                   changed ? "Do you still trust %s? Its policy files changed since you did, so "
                             "it is not trusted now."
                           : "Do you trust %s? It brings policy files of its own.",
                   slash && slash[1] ? slash + 1 : root);
    snprintf(r.hint, sizeof(r.hint), "%s", explanation);
    for (size_t i = 0; i < names->count; i++) {
        sf_response_row(&r, "");
        sf_response_cell(&r, "%s", names->items[i]);
    }
    sf_port_ask_with(p, &r, answered, sf_strdup(view->digest));
}

/* Errors in the list of trusted workspaces were reported when the settings were read. */
void sf_port_begin(struct sf_port *p)
{
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!p->setup.session.workspace_trusted &&
        sf_trust_look(sf_port_workspace(p), &view, &ignored) && !view.never && !view.wide &&
        (view.state == SF_TRUST_CHANGED || (view.state == SF_TRUST_NO && view.files.count)))
        ask(p, &view, true);
    sf_trust_view_release(&view);
    sf_port_ask_instructions(p);
}

/* ---- looking it up ---- */

static void add_row(struct sf_response *r, const char *value, const char *what, const char *about)
{
    sf_response_row(r, value);
    sf_response_cell(r, "%s", what);
    sf_response_cell(r, "%s", about);
}

static void add_state(const struct sf_trust_view *view, struct sf_strbuf *out)
{
    enum { NAMED = 12 };
    static const char *const states[] = {
        [SF_TRUST_NO] = "You do not trust this workspace.",
        [SF_TRUST_YES] = "You trust this workspace, with its policy files as they are.",
        [SF_TRUST_CHANGED] = "You trusted this workspace, but its policy files changed since.",
    };

    sf_strbuf_addf(out, "%s%s %s\n\n", states[view->state],
                   view->never ? " You wanted not to be asked." : "",
                   view->files.count ? explanation
                                     : "It has no policy files, so trusting it means little more "
                                       "than that --yolo and /mode yolo need no question.");
    if (view->files.count)
        sf_strbuf_adds(out, "\n```\n");
    for (size_t i = 0; i < view->files.count && i < NAMED; i++)
        sf_strbuf_addf(out, "%s\n", view->files.items[i]);
    if (view->files.count)
        sf_strbuf_adds(out, "```\n");
}

static void list(struct sf_port *p, const struct sf_trust_view *view)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Trust");
    if (view->state != SF_TRUST_YES)
        add_row(&r, "add", "trust this workspace", "after a look at what that changes");
    if (view->state != SF_TRUST_NO)
        add_row(&r, "remove", "trust it no more", "its files may only make settings stricter");
    if (view->state != SF_TRUST_YES && !view->never)
        add_row(&r, "never", "never ask here", "and leave it untrusted");
    if (sf_port_state(p)->trust)
        add_row(&r, "off", "put the fence back", "around the workspace");
    else
        add_row(&r, "on", "lift the fence", "around the workspace, for this session alone");
    add_state(view, &r.text);
    sf_port_respond(p, &r);
}

/* "list", "add", "remove", "never": trust in the workspace's files, which is not the axis. */
void sf_command_trust(struct sf_port *p, const char *word)
{
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!strcmp(word, "remove"))
        take(p);
    else if (!strcmp(word, "never"))
        never(p);
    else if (!sf_trust_look(sf_port_workspace(p), &view, &err))
        sf_port_fail(p, &err);
    else if (!strcmp(word, "add"))
        ask(p, &view, false);
    else
        list(p, &view);
    sf_trust_view_release(&view);
}
