/*
 * custom.c: custom commands at the desk: which there are, for the menu, help and the palette, and
 * running one. The list is read again whenever somebody is about to look at it, and once more by
 * the session when one is run, so it is never older than what it is used for.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

void sf_tui_customs_read(struct sf_tui *ui)
{
    size_t before = ui->customs.notes.count;

    sf_custom_files_read(&ui->customs, ui->setup.session.workspace->root, sf_tui_command_is_own);
    if (ui->customs.notes.count > before)
        sf_tui_say(ui, false, "some commands from files are not offered: /commands says why");
    sf_menu_commands(ui);
}

bool sf_tui_is_custom(struct sf_tui *ui, const char *line)
{
    sf_tui_customs_read(ui);
    return sf_custom_files_find(&ui->customs, line) != NULL;
}

const char *sf_custom_help(const struct sf_custom_file *f)
{
    if (f->needs_trust)
        return "needs trust: read it, then `sf trust add`";
    return f->problem ? f->problem : f->custom.description;
}

bool sf_tui_custom(struct sf_tui *ui, const char *line)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_session_restoring(ui->session) && sf_tui_is_custom(ui, line) && sf_queue_hold(ui, line))
        return true;
    ui->echoed = true;
    if (sf_session_custom(ui->session, line, sf_tui_command_is_own, &err)) {
        sf_transcript_seal(ui->transcript);
        sf_transcript_add(ui->transcript, SF_ITEM_USER, line, strlen(line), sf_clock_wall_ms());
        sf_transcript_bottom(ui->transcript);
        ui->turn_ms = sf_clock_monotonic_ms();
        sf_tui_dirty(ui);
        return true;
    }
    ui->echoed = false;
    if (err.code == SF_E_NOENT)
        return false;
    sf_tui_fail(ui, &err);
    return true;
}

/* ---- the page ---- */

/* A cell of a Markdown table: nothing in it means anything. */
static void add_cell(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", strchr("\\`*_[]<>|~", *text) ? "\\" : "", *text);
}

void sf_customs_add(struct sf_tui *ui, struct sf_strbuf *out)
{
    if (!ui->customs.count)
        return;
    sf_strbuf_adds(out, "\n## Commands from files\n\n| | | |\n|---|---|---|\n");
    for (size_t i = 0; i < ui->customs.count; i++) {
        const struct sf_custom_file *f = &ui->customs.items[i];

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

static void add_notes(struct sf_tui *ui, struct sf_strbuf *out)
{
    if (!ui->customs.notes.count)
        return;
    sf_strbuf_adds(out, "\n## Not offered\n\n");
    for (size_t i = 0; i < ui->customs.notes.count; i++) {
        sf_strbuf_adds(out, "- ");
        add_cell(out, ui->customs.notes.items[i]);
        sf_strbuf_addch(out, '\n');
    }
}

void sf_do_commands(struct sf_tui *ui, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_tui_customs_read(ui);
    sf_strbuf_adds(&text,
                   "A Markdown file in `.sf/commands` of the project or in `commands` beside "
                   "your settings is a command of its name; `.claude/commands` count too. "
                   "`$ARGUMENTS` and `$1` to `$9` stand for what is typed behind it, `@FILE` "
                   "includes a file, and an exclamation mark before a `` `command` `` its "
                   "output.\n");
    if (!ui->customs.count)
        sf_strbuf_adds(&text, "\nThere are none yet.\n");
    sf_customs_add(ui, &text);
    add_notes(ui, &text);
    sf_overlay_page(ui, "Commands from files", &text);
    sf_strbuf_release(&text);
}
