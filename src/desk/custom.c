/*
 * custom.c: custom commands at the desk: which there are, for the menu, help and the palette, and
 * running one. The list is read again whenever somebody is about to look at it, and once more by
 * the session when one is run, so it is never older than what it is used for.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

void sf_desk_customs_read(struct sf_desk *d)
{
    size_t before = d->customs.notes.count;

    sf_custom_files_read(&d->customs, d->setup.talk.workspace->root, sf_desk_command_is_own);
    if (d->customs.notes.count > before)
        sf_desk_say(d, false, "some commands from files are not offered: /commands says why");
    sf_menu_commands(d);
}

bool sf_desk_is_custom(struct sf_desk *d, const char *line)
{
    sf_desk_customs_read(d);
    return sf_custom_files_find(&d->customs, line) != NULL;
}

const char *sf_custom_help(const struct sf_custom_file *f)
{
    if (f->needs_trust)
        return "needs trust: read it, then `sf trust add`";
    return f->problem ? f->problem : f->custom.description;
}

bool sf_desk_custom(struct sf_desk *d, const char *line)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_talk_custom(d->talk, line, sf_desk_command_is_own, &err)) {
        sf_transcript_seal(d->transcript);
        sf_transcript_add(d->transcript, SF_ITEM_USER, line, strlen(line), sf_clock_wall_ms());
        sf_transcript_bottom(d->transcript);
        d->turn_ms = sf_clock_monotonic_ms();
        sf_desk_dirty(d);
        return true;
    }
    if (err.code == SF_E_NOENT)
        return false;
    sf_desk_fail(d, &err);
    return true;
}

/* ---- the page ---- */

/* A cell of a Markdown table: nothing in it means anything. */
static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", strchr("\\`*_[]<>|~", *text) ? "\\" : "", *text);
}

void sf_customs_add(struct sf_desk *d, struct sf_strbuf *out)
{
    if (!d->customs.count)
        return;
    sf_strbuf_adds(out, "\n## Commands from files\n\n| | | |\n|---|---|---|\n");
    for (size_t i = 0; i < d->customs.count; i++) {
        const struct sf_custom_file *f = &d->customs.items[i];

        if (f->hidden)
            continue;
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
}

static void add_notes(struct sf_desk *d, struct sf_strbuf *out)
{
    if (!d->customs.notes.count)
        return;
    sf_strbuf_adds(out, "\n## Not offered\n\n");
    for (size_t i = 0; i < d->customs.notes.count; i++) {
        sf_strbuf_adds(out, "- ");
        add_cell(out, d->customs.notes.items[i]);
        sf_strbuf_addch(out, '\n');
    }
}

void sf_do_commands(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_desk_customs_read(d);
    sf_strbuf_adds(&text,
                   "A Markdown file in `.sf/commands` of the project or in `commands` beside "
                   "your settings is a command of its name; `.claude/commands` count too. "
                   "`$ARGUMENTS` and `$1` to `$9` stand for what is typed behind it, `@FILE` "
                   "includes a file, and an exclamation mark before a `` `command` `` its "
                   "output.\n");
    if (!d->customs.count)
        sf_strbuf_adds(&text, "\nThere are none yet.\n");
    sf_customs_add(d, &text);
    add_notes(d, &text);
    sf_overlay_page(d, "Commands from files", &text);
    sf_strbuf_release(&text);
}
