/*
 * commands_custom.c: the page about commands from files.
 */
#include <string.h>

#include "port/internal.h"

const char *sf_custom_help(const struct sf_custom_file *f)
{
    if (f->needs_trust)
        return "needs trust: read it, then `sf trust add`";
    return f->problem ? f->problem : f->custom.description;
}

/* Appends a cell of a Markdown table, with all markup escaped. */
static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", strchr("\\`*_[]<>|~", *text) ? "\\" : "", *text);
}

static bool is_about(const struct sf_custom_file *f, const char *words)
{
    return !f->hidden && (strcasestr(f->name, words) || strcasestr(sf_custom_help(f), words));
}

bool sf_port_customs_add(struct sf_port *p, const char *words, struct sf_strbuf *out)
{
    bool any = false;

    for (size_t i = 0; i < p->customs.count; i++) {
        const struct sf_custom_file *f = &p->customs.items[i];

        if (!is_about(f, words))
            continue;
        if (!any)
            sf_strbuf_adds(out, "\n## Commands from files\n\n| | | |\n|---|---|---|\n");
        any = true;
        sf_strbuf_adds(out, "| /");
        add_cell(out, f->name);
        sf_strbuf_addch(out, ' ');
        add_cell(out, f->custom.hint ? f->custom.hint : "");
        sf_strbuf_adds(out, " | ");
        add_cell(out, sf_custom_help(f));
        sf_strbuf_addf(out, " | %s: ", f->origin);
        add_cell(out, f->file);
        sf_strbuf_adds(out, " |\n");
    }
    return any;
}

static void add_notes(struct sf_port *p, struct sf_strbuf *out)
{
    if (!p->customs.notes.count)
        return;
    sf_strbuf_adds(out, "\n## Not offered\n\n");
    for (size_t i = 0; i < p->customs.notes.count; i++) {
        sf_strbuf_adds(out, "- ");
        add_cell(out, p->customs.notes.items[i]);
        sf_strbuf_addch(out, '\n');
    }
}

void sf_command_commands(struct sf_port *p, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_port_customs(p);
    sf_strbuf_adds(&text,
                   "A Markdown file in `.sf/commands` of the project or in `commands` beside "
                   "your settings is a command of its name; `.claude/commands` count too. "
                   "`$ARGUMENTS` and `$1` to `$9` stand for what is typed behind it, `@FILE` "
                   "includes a file, and an exclamation mark before a `` `command` `` its "
                   "output.\n");
    if (!p->customs.count)
        sf_strbuf_adds(&text, "\nThere are none yet.\n");
    sf_port_customs_add(p, "", &text);
    add_notes(p, &text);
    sf_port_page(p, "Commands from files", &text);
}
