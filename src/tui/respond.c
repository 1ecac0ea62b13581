/*
 * respond.c: how answers of commands look here. A sentence stands in the status line, an error in the
 * conversation, a page or a table lies over it, a question is a card. Commands about the screen
 * itself are done here.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- commands about the screen ---- */

static const struct {
    const char *name;
    sf_tui_command_fn *run;
} screen_commands[] = {
    { "copy", sf_do_copy },         { "find", sf_do_find },     { "editor", sf_do_editor },
    { "theme", sf_do_theme },       { "vim", sf_do_vim },       { "mouse", sf_do_mouse },
    { "quit", sf_do_quit },         { "model", sf_do_model },   { "connect", sf_do_connect },
    { "sessions", sf_do_sessions }, { "memory", sf_do_memory }, { "backtrack", sf_do_backtrack },
    { "fork", sf_do_fork },         { "export", sf_do_export }, { "diff", sf_do_diff },
    { "undo", sf_do_undo },         { "redo", sf_do_redo },     { "restore", sf_do_restore },
    { "tasks", sf_do_tasks },       { "config", sf_do_config }, { "logs", sf_do_logs },
    { "doctor", sf_do_doctor },     { "init", sf_do_init },     { "trust", sf_do_trust },
};

static void run_here(struct sf_tui *ui, const struct sf_response *r)
{
    for (size_t i = 0; i < SF_COUNT(screen_commands); i++)
        if (!strcmp(screen_commands[i].name, r->command))
            screen_commands[i].run(ui, r->text.buf);
}

/* ---- tables ---- */

static void explain(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_port_explain(ui->port, ui->overlay->command, value, &text))
        sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void choose(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "/%s %s", ui->overlay->command, value);
    sf_port_line(ui->port, line.buf);
    sf_strbuf_release(&line);
}

/* What the rows of a command's table can do, besides being read; others are chosen by Enter. */
static const struct {
    const char *command;
    const struct sf_overlay_kind *kind;
} overlays[] = {
    { "queue", &sf_queue_overlay },
};

static const struct sf_overlay_kind *kind_of(const struct sf_tui *ui, const struct sf_response *r)
{
    static const struct sf_overlay_kind at_rest = {
        .title = "", .keys = "Enter choose", .filter = true, .chosen = choose, .moved = explain
    };
    static const struct sf_overlay_kind busy = {
        .title = "",
        .keys = "Enter choose: in force when the running step ends",
        .filter = true,
        .chosen = choose,
        .moved = explain
    };

    for (size_t i = 0; i < SF_COUNT(overlays); i++)
        if (!strcmp(overlays[i].command, r->command))
            return overlays[i].kind;
    return sf_port_busy(ui->port) ? &busy : &at_rest;
}

static void add_row(struct sf_tui *ui, const struct sf_response_row *row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < row->cells.count; i++)
        sf_strbuf_addf(&text, "%s%s", i ? "\t" : "", row->cells.items[i]);
    if (row->heading)
        sf_overlay_heading(ui, text.buf);
    else
        sf_overlay_row(ui, row->value, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void show_table(struct sf_tui *ui, const struct sf_response *r)
{
    const struct sf_overlay_kind *kind = kind_of(ui, r);
    const char *current = NULL;

    if (!ui->refills)
        sf_overlay_list(ui, kind);
    snprintf(ui->overlay->command, sizeof(ui->overlay->command), "%s", r->command);
    if (*r->title)
        sf_overlay_title(ui, r->title);
    for (size_t i = 0; i < r->count; i++) {
        add_row(ui, &r->rows[i]);
        if (r->rows[i].current)
            current = r->rows[i].value;
    }
    if (current && !ui->refills)
        sf_overlay_choose(ui, current);
}

void sf_tui_again(struct sf_tui *ui, const char *line)
{
    ui->refills = true;
    sf_port_line(ui->port, line);
    ui->refills = false;
}

/* ---- the rest ---- */

static void answered(struct sf_tui *ui, void *ctx, bool yes)
{
    (void)ctx;
    sf_port_reply(ui->port, yes);
}

static void show_page(struct sf_tui *ui, const struct sf_response *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!strcmp(r->command, "help"))
        sf_help_keys_add(ui, &text);
    sf_strbuf_add(&text, r->text.buf, r->text.len);
    sf_overlay_page(ui, r->title, &text);
    sf_strbuf_release(&text);
}

static void take_draft(struct sf_tui *ui, const struct sf_response *r)
{
    sf_draft_replace(ui, r->text.buf, r->text.len);
    if (r->queued)
        sf_draft_save_queued(ui, r->queued);
}

void sf_tui_response(void *ctx, const struct sf_response *r)
{
    struct sf_tui *ui = ctx;
    struct sf_error err = SF_ERROR_INIT;

    switch (r->kind) {
    case SF_RESPONSE_NOTE:
        sf_tui_say(ui, r->bad, "%s", r->text.buf);
        break;
    case SF_RESPONSE_ERROR:
        sf_fail(&err, SF_E_ARG, "%s", r->text.buf);
        if (*r->hint)
            sf_hint(&err, "%s", r->hint);
        sf_tui_fail(ui, &err);
        break;
    case SF_RESPONSE_PAGE:
        show_page(ui, r);
        break;
    case SF_RESPONSE_DIFF:
        sf_overlay_diff(ui, r->title, &r->text);
        break;
    case SF_RESPONSE_TABLE:
    case SF_RESPONSE_CHOICE:
        show_table(ui, r);
        break;
    case SF_RESPONSE_QUESTION:
        sf_card_ask(ui, r->text.buf, answered, NULL);
        break;
    case SF_RESPONSE_DRAFT:
        take_draft(ui, r);
        break;
    case SF_RESPONSE_SCREEN:
        run_here(ui, r);
        break;
    case SF_RESPONSE_COUNT:
        break;
    }
    sf_tui_dirty(ui);
}
