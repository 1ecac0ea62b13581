/*
 * respond.c: how answers of commands look. A sentence stands in the status line, an error in the
 * conversation, a page or a table lies over it, a question is a card. Commands about the screen
 * itself are run here.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

/* ---- commands about the screen ---- */

static const struct {
    const char *name;
    sf_tui_command_fn *run;
} screen_commands[] = {
    { "copy", sf_do_copy },   { "find", sf_do_find },       { "editor", sf_do_editor },
    { "theme", sf_do_theme }, { "vim", sf_do_vim },         { "mouse", sf_do_mouse },
    { "quit", sf_do_quit },   { "sidebar", sf_do_sidebar }, { "tour", sf_do_tour },
};

static void run_here(struct sf_tui *ui, const struct sf_response *r)
{
    for (size_t i = 0; i < SF_COUNT(screen_commands); i++)
        if (!strcmp(screen_commands[i].name, r->command))
            screen_commands[i].run(ui, r->text.buf);
}

/* ---- tables ---- */

void sf_list_explain(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_port_explain(ui->port, ui->overlay->command, value, &text))
        sf_overlay_preview(ui->overlay, text.buf, text.len);
    sf_strbuf_release(&text);
}

void sf_list_choose(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_strbuf_addf(&line, "/%s %s", ui->responses.chose, value);
    sf_port_command(ui->port, line.buf);
    sf_strbuf_release(&line);
}

/* Tables with keys or looks of their own; the rows of all others are chosen by Enter. */
static const struct {
    const char *command, *part;
    const struct sf_overlay_kind *kind;
} overlays[] = {
    { "backtrack", "", &sf_backtrack_overlay },
    { "bashes", "", &sf_bashes_overlay },
    { "backtrack", "ways", &sf_ways_overlay },
    { "config", "", &sf_config_overlay },
    { "connect", "", &sf_connect_overlay },
    { "connect", "key", &sf_connect_key_overlay },
    { "connect", "server", &sf_connect_server_overlay },
    { "connect", "model", &sf_connect_model_overlay },
    { "connect", "models", &sf_connect_models_overlay },
    { "doctor", "", &sf_doctor_overlay },
    { "fork", "", &sf_fork_overlay },
    { "logs", "", &sf_logs_overlay },
    { "memory", "", &sf_memory_overlay },
    { "model", "", &sf_model_overlay },
    { "permissions", "", &sf_permissions_overlay },
    { "queue", "", &sf_queue_overlay },
    { "restore", "", &sf_restore_overlay },
    { "review", "", &sf_review_overlay },
    { "sessions", "", &sf_sessions_overlay },
    { "tasks", "", &sf_tasks_overlay },
    { "trust", "", &sf_trust_overlay },
};

static const struct sf_overlay_kind *kind_of(const struct sf_tui *ui, const struct sf_response *r)
{
    static const struct sf_overlay_kind at_rest = { .title = "",
                                                    .keys = "Enter choose",
                                                    .filter = true,
                                                    .chosen = sf_list_choose,
                                                    .moved = sf_list_explain };
    static const struct sf_overlay_kind busy = {
        .title = "",
        .keys = "Enter choose: in force when the running step ends",
        .filter = true,
        .chosen = sf_list_choose,
        .moved = sf_list_explain
    };

    for (size_t i = 0; i < SF_COUNT(overlays); i++)
        if (!strcmp(overlays[i].command, r->command) && !strcmp(overlays[i].part, r->part))
            return overlays[i].kind;
    return sf_port_busy(ui->port) ? &busy : &at_rest;
}

static void row_text(struct sf_tui *ui, const struct sf_response_row *row, struct sf_strbuf *out)
{
    const struct sf_overlay_kind *kind = ui->overlay->kind;

    if (kind->marks && !row->heading)
        sf_strbuf_adds(out, row->current ? "● " : "  ");
    for (size_t i = 0; i < row->cells.count; i++) {
        const char *own = row->cells.items[i];
        const char *cell = *own || !kind->cell ? own : kind->cell(ui, row, i);
        size_t len = strlen(cell), fit = len;

        if (i == 1 && kind->second_cols)
            fit = sf_text_fit(cell, len, (size_t)kind->second_cols, NULL);
        sf_strbuf_addf(out, "%s%.*s%s", i ? "\t" : "", (int)fit, cell, fit < len ? "…" : "");
    }
}

void sf_list_add(struct sf_tui *ui, const struct sf_response_row *row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    row_text(ui, row, &text);
    if (row->heading)
        sf_overlay_heading(ui->overlay, text.buf);
    else
        sf_overlay_row(ui->overlay, row->value, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* Renews the cells of the open list; the cursor and the filter stay as they are. */
static void retext_rows(struct sf_tui *ui, const struct sf_response *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < r->count; i++) {
        sf_strbuf_reset(&text);
        row_text(ui, &r->rows[i], &text);
        if (!r->rows[i].heading)
            sf_overlay_retext(ui->overlay, r->rows[i].value, "%s", text.buf);
    }
    sf_strbuf_release(&text);
}

/* The names of the columns, in line with rows that have a mark in front. */
static char *heads_of(const struct sf_response *r, const struct sf_overlay_kind *kind)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!kind->heads || !r->columns)
        return NULL;
    sf_strbuf_adds(&text, kind->marks ? "  " : "");
    for (size_t i = 0; r->columns[i]; i++)
        sf_strbuf_addf(&text, "%s%s", i ? "\t" : "", r->columns[i]);
    return sf_strbuf_detach(&text);
}

static void open_table(struct sf_tui *ui, const struct sf_response *r,
                       const struct sf_overlay_kind *kind)
{
    sf_overlay_list(ui, kind);
    snprintf(ui->overlay->command, sizeof(ui->overlay->command), "%s", r->command);
    ui->overlay->part = r->part;
    ui->overlay->heads = heads_of(r, kind);
    ui->overlay->align = r->align;
    if (*r->title)
        sf_overlay_title(ui->overlay, r->title);
    if (r->text.len)
        sf_overlay_preview(ui->overlay, r->text.buf, r->text.len);
}

static bool lies_open(const struct sf_tui *ui, const struct sf_response *r)
{
    return ui->overlay && !strcmp(ui->overlay->command, r->command) &&
           !strcmp(ui->overlay->part, r->part);
}

static void show_as_page(struct sf_tui *ui, const struct sf_response *r,
                         const struct sf_overlay_kind *kind)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    kind->page(ui, r, &text);
    sf_overlay_page(ui, r->title, &text);
    sf_strbuf_release(&text);
}

static void show_table(struct sf_tui *ui, const struct sf_response *r)
{
    const struct sf_overlay_kind *kind = kind_of(ui, r);
    const char *cursor = r->cursor;

    if (kind->page) {
        show_as_page(ui, r, kind);
        return;
    }
    if (r->renews || (ui->responses.refills && !kind->renew)) {
        if (lies_open(ui, r))
            retext_rows(ui, r);
        return;
    }
    if (!ui->responses.refills)
        open_table(ui, r, kind);
    else if (*r->title)
        sf_overlay_title(ui->overlay, r->title);
    for (size_t i = 0; i < r->count; i++) {
        sf_list_add(ui, &r->rows[i]);
        if (r->rows[i].current && !r->cursor)
            cursor = r->rows[i].value;
    }
    if (cursor && !ui->responses.refills)
        sf_overlay_choose(ui, cursor);
}

void sf_tui_again(struct sf_tui *ui, const char *line)
{
    ui->responses.refills = true;
    sf_port_line(ui->port, line);
    ui->responses.refills = false;
}

/* ---- the rest ---- */

static void answered(struct sf_tui *ui, void *ctx, bool yes)
{
    (void)ctx;
    sf_port_reply(ui->port, yes);
}

/* The answer of a command may come late: then a user who writes meanwhile has other things in mind. */
static bool was_asked_for(const struct sf_tui *ui, const struct sf_response *r)
{
    return ui->keyboard.pressed ||
           (!r->late && *r->command && sf_composer_is_empty(ui->draft.composer));
}

static void ask(struct sf_tui *ui, const struct sf_response *r)
{
    bool first = !sf_card_first(&ui->cards);

    if (!strcmp(r->command, "trust") && !strcmp(r->part, "workspace"))
        sf_trust_ask(&ui->cards, r, answered);
    else
        sf_card_ask(&ui->cards, r->text.buf, answered, NULL);
    if (first)
        sf_card_first(&ui->cards)->opened = was_asked_for(ui, r);
}

/* Without an editor the text can still be read as a page. */
static void show_given(struct sf_tui *ui)
{
    struct sf_strbuf page = SF_STRBUF_INIT;

    sf_strbuf_adds(&page, "There is no editor: set EDITOR to the one you use to change this.\n\n");
    sf_strbuf_add(&page, ui->responses.given.text.buf, ui->responses.given.text.len);
    sf_overlay_page(ui, ui->responses.given.title, &page);
    sf_strbuf_release(&page);
}

/* A text that the port cannot keep goes into the composer, so that it is not lost. */
static void text_edited(struct sf_tui *ui, const char *text, size_t len)
{
    if (!text)
        show_given(ui);
    else if (!sf_port_edited(ui->port, text, len))
        sf_composer_set(ui->draft.composer, text, len);
}

static void edit_page(struct sf_tui *ui, const struct sf_response *r)
{
    struct sf_strbuf file = SF_STRBUF_INIT;

    snprintf(ui->responses.given.title, sizeof(ui->responses.given.title), "%s", r->title);
    sf_strbuf_reset(&ui->responses.given.text);
    sf_strbuf_add(&ui->responses.given.text, r->text.buf, r->text.len);
    sf_strbuf_addf(&file, "%s.edit.md", r->command);
    sf_editor_open(ui, file.buf, r->text.buf, r->text.len, text_edited);
    sf_strbuf_release(&file);
}

static void show_page(struct sf_tui *ui, const struct sf_response *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (r->editable) {
        edit_page(ui, r);
        return;
    }
    if (r->number) {
        sf_job_page(ui, r);
        return;
    }
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

/* ---- what a note is about ---- */

static bool works(const struct sf_tui *ui)
{
    return sf_port_works(ui->port);
}

static bool looks(const struct sf_tui *ui)
{
    return sf_port_is_looking(ui->port) || sf_port_works(ui->port);
}

static bool has_pending(const struct sf_tui *ui)
{
    const struct sf_mode_state pending = sf_port_preview(ui->port);

    return sf_change_between(&pending, sf_port_state(ui->port)) != 0;
}

static bool has_queued(const struct sf_tui *ui)
{
    return sf_port_queue(ui->port)->count && !sf_port_works(ui->port);
}

static sf_status_holds_fn *const holds[SF_HOLDS_COUNT] = {
    [SF_HOLDS_RUNNING] = works,
    [SF_HOLDS_LOOKING] = looks,
    [SF_HOLDS_PENDING] = has_pending,
    [SF_HOLDS_QUEUED] = has_queued,
};

static void show_note(struct sf_tui *ui, const struct sf_response *r)
{
    if (r->lasts) {
        sf_pane_note(&ui->pane, r->text.buf, r->text.len);
    } else if (r->since_ms) {
        sf_status_await(&ui->status, r->text.buf, r->since_ms);
    } else {
        sf_status_say(&ui->status, r->bad, "%s", r->text.buf);
        sf_status_while(&ui->status, holds[r->holds]);
    }
}

/* An error about a row of the open list is shown in its preview. */
static void show_error(struct sf_tui *ui, const struct sf_response *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (*r->title && ui->overlay && !strcmp(ui->overlay->command, r->command)) {
        sf_strbuf_addf(&text, "**%s:** %s\n\n%s%sNothing was written.", r->title, r->text.buf,
                       r->hint, *r->hint ? "\n\n" : "");
        sf_overlay_preview(ui->overlay, text.buf, text.len);
        sf_status_say(&ui->status, true, "%s", r->text.buf);
        sf_strbuf_release(&text);
        return;
    }
    sf_fail(&err, SF_E_ARG, "%s%s%s", r->title, *r->title ? ": " : "", r->text.buf);
    if (*r->hint)
        sf_hint(&err, "%s", r->hint);
    sf_tui_fail(ui, &err);
}

/* A step of connecting that comes after its list was closed is given up. */
static bool is_too_late(struct sf_tui *ui, const struct sf_response *r)
{
    if (!r->late || r->renews)
        return false;
    sf_status_await_end(&ui->status);
    if (ui->overlay || strcmp(r->command, "connect") != 0)
        return false;
    sf_port_connect_leave(ui->port);
    return true;
}

void sf_tui_response(void *ctx, const struct sf_response *r)
{
    struct sf_tui *ui = ctx;

    if (is_too_late(ui, r))
        return;
    switch (r->kind) {
    case SF_RESPONSE_NOTE:
        show_note(ui, r);
        break;
    case SF_RESPONSE_ERROR:
        show_error(ui, r);
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
        ask(ui, r);
        break;
    case SF_RESPONSE_FIELD:
        sf_list_field(ui, r);
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
    sf_paint_soon(&ui->painter);
}
