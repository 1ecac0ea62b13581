/*
 * trust_card.c: whether the user trusts the workspace. Asked where the answer would change
 * something: there are policy files, and either nobody was asked yet or they are not what they were
 * when trust was given. Trust is never the default: Esc means not now, which holds until sf is
 * started again. What is trusted is what was seen: a digest of the files goes along.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { NAMED = 12 }; /* files that are named on the card */

static const char explanation[] =
    "If you trust it, these files count like settings of your own: they may let actions run "
    "without asking, choose the model, and name programs that sf starts. If not, they may only "
    "make your settings stricter. Read them first if they are not yours.";

static const char *root_of(const struct sf_tui *ui)
{
    return sf_port_workspace(ui->port);
}

/* ---- asking ---- */

static void add_names(struct sf_card *c, const char *label, const struct sf_strlist *names)
{
    for (size_t i = 0; i < names->count && i < NAMED; i++)
        sf_strlist_addf(&c->facts, "%s\t%s", i ? "" : label, names->items[i]);
    if (names->count > NAMED)
        sf_strlist_addf(&c->facts, "\tand %zu more", names->count - NAMED);
}

static void ask(struct sf_tui *ui, const struct sf_trust_view *view)
{
    bool changed = view->state == SF_TRUST_CHANGED;
    struct sf_card *c = sf_card_new(ui, SF_CARD_TRUST);
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text,
                   changed ? "Do you still trust %s? Its policy files changed since you did, so "
                             "it is not trusted now."
                           : "Do you trust %s? It brings policy files of its own.",
                   ui->project);
    c->reason = sf_strbuf_detach(&text);
    c->digest = sf_strdup(view->digest);
    c->hint = sf_strdup("Esc: not now");
    add_names(c, "files", changed && view->changes.count ? &view->changes : &view->files);
}

/* What is wrong with the list of trusted workspaces was said when the settings were read. */
void sf_trust_begin(struct sf_tui *ui)
{
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_port_raw_setup(ui->port)->workspace_trusted &&
        sf_trust_look(root_of(ui), &view, &ignored) && !view.never && !view.wide &&
        (view.state == SF_TRUST_CHANGED || (view.state == SF_TRUST_NO && view.files.count)))
        ask(ui, &view);
    sf_trust_view_release(&view);
}

void sf_trust_lay(const struct sf_card *c, struct sf_page *page)
{
    sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), false);
    sf_page_adds(page, c->reason, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD));
    sf_page_end(page);
    sf_page_blank(page);
    for (size_t i = 0; i < c->facts.count; i++) {
        const char *fact = c->facts.items[i], *tab = strchr(fact, '\t');
        char lead[16];

        snprintf(lead, sizeof(lead), "%-9.*s", (int)(tab - fact), fact);
        sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_DIM), false);
        sf_page_adds(page, tab + 1, sf_look(SF_LOOK_CODE));
        sf_page_end(page);
    }
    sf_page_blank(page);
    sf_page_begin(page, "", NULL, sf_look(SF_LOOK_TEXT), false);
    sf_page_adds(page, explanation, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
    sf_page_blank(page);
}

/* ---- answering ---- */

static void say_given(struct sf_tui *ui)
{
    if (sf_port_renew(ui->port, NULL, NULL))
        sf_tui_say(ui, false, "this workspace is trusted; /trust list takes that back");
    else
        sf_tui_say(ui, false, "this workspace is trusted from the next session on: /new");
}

static void give(struct sf_tui *ui, const char *digest)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_trust_log_give(sf_port_raw_setup(ui->port)->store, SF_SURFACE_TUI, root_of(ui), digest,
                          &err))
        say_given(ui);
    else
        sf_tui_fail(ui, &err);
}

static void never(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_trust_never(root_of(ui), &err))
        sf_tui_say(ui, false, "not trusted, and not asked about again; /trust list is still there");
    else
        sf_tui_fail(ui, &err);
}

void sf_trust_key(struct sf_tui *ui, char key)
{
    char *digest;

    if (!strchr("ynx", key))
        return;
    digest = sf_strdup(sf_card_first(ui)->digest);
    sf_card_drop(ui);
    if (key == 'y')
        give(ui, digest);
    else if (key == 'x')
        never(ui);
    else
        sf_tui_say(ui, false, "not trusted: its files may only make settings stricter");
    free(digest);
    sf_tui_begin(ui);
}

/* ---- looking it up ---- */

static void take(struct sf_tui *ui)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_log_take(sf_port_raw_setup(ui->port)->store, SF_SURFACE_TUI, root_of(ui), &err))
        sf_tui_fail(ui, &err);
    else if (sf_port_renew(ui->port, NULL, NULL))
        sf_tui_say(ui, false, "this workspace is not trusted any more");
    else
        sf_tui_say(ui, false, "not trusted from the next session on: /new begins one");
}

static void ask_again(struct sf_tui *ui)
{
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_trust_look(root_of(ui), &view, &err))
        ask(ui, &view);
    else
        sf_tui_fail(ui, &err);
    sf_trust_view_release(&view);
}

static void picked(struct sf_tui *ui, const char *value)
{
    if (!strcmp(value, "ask"))
        ask_again(ui);
    else if (!strcmp(value, "take"))
        take(ui);
    else if (!strcmp(value, "never"))
        never(ui);
    else
        sf_port_line(ui->port, value);
}

static void show_state(struct sf_tui *ui, const struct sf_trust_view *view)
{
    static const char *const states[] = {
        [SF_TRUST_NO] = "You do not trust this workspace.",
        [SF_TRUST_YES] = "You trust this workspace, with its policy files as they are.",
        [SF_TRUST_CHANGED] = "You trusted this workspace, but its policy files changed since.",
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s%s %s\n\n", states[view->state],
                   view->never ? " You wanted not to be asked." : "",
                   view->files.count ? explanation
                                     : "It has no policy files, so there is little to trust: "
                                       "--yolo and /mode yolo ask no more.");
    if (view->files.count)
        sf_strbuf_adds(&text, "\n```\n");
    for (size_t i = 0; i < view->files.count && i < NAMED; i++)
        sf_strbuf_addf(&text, "%s\n", view->files.items[i]);
    if (view->files.count)
        sf_strbuf_adds(&text, "```\n");
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
}

void sf_do_trust(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Trust",
                                                 .keys = "Enter choose",
                                                 .chosen = picked };
    struct sf_trust_view view = SF_TRUST_VIEW_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    if (!sf_trust_look(root_of(ui), &view, &err)) {
        sf_tui_fail(ui, &err);
        return;
    }
    sf_overlay_list(ui, &kind);
    if (view.state != SF_TRUST_YES)
        sf_overlay_row(ui, "ask", "trust this workspace\tafter a look at what that changes");
    if (view.state != SF_TRUST_NO)
        sf_overlay_row(ui, "take", "trust it no more\tits files may only make settings stricter");
    if (view.state != SF_TRUST_YES && !view.never)
        sf_overlay_row(ui, "never", "never ask here\tand leave it untrusted");
    sf_overlay_row(ui, sf_port_state(ui->port)->trust ? "/trust off" : "/trust on",
                   sf_port_state(ui->port)->trust
                       ? "put the fence back\taround the workspace"
                       : "lift the fence\taround the workspace, for this session alone");
    show_state(ui, &view);
    sf_trust_view_release(&view);
}
