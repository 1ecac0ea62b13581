/*
 * commands_session.c: leaving, and the keys of the list of sessions.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

void sf_do_quit(struct sf_tui *ui, const char *args)
{
    if (strcmp(args, "now") != 0 && !sf_port_may_leave(ui->port))
        return;
    if (sf_port_busy(ui->port))
        sf_port_cancel(ui->port);
    sf_tui_quit(ui);
}

/* ---- searching in sessions ---- */

static bool is_shown(const struct sf_overlay *o, const char *value)
{
    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, value))
            return true;
    return false;
}

/* Sessions whose title matches are in the list already. */
static void search(struct sf_tui *ui, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response found;

    sf_response_init(&found, SF_RESPONSE_TABLE, "");
    if (!sf_port_sessions_search(ui->port, words, &found, &err))
        sf_status_say(&ui->status, true, "what was said cannot be searched: %s", err.msg);
    for (size_t i = 0; i < found.count; i++)
        if (!is_shown(ui->overlay, found.rows[i].value))
            sf_list_add(ui, &found.rows[i]);
    sf_response_release(&found);
}

/* ---- archiving and renaming ---- */

static void archive(struct sf_tui *ui, const char *id)
{
    if (sf_port_session_archive(ui->port, id))
        sf_port_line(ui->port, "/sessions");
}

static void renamed(struct sf_tui *ui, const char *id, const char *title)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_port_session_rename(ui->port, id, title, &err)) {
        sf_overlay_edit_note(&ui->overlay->line, true, "%s", err.msg);
        return;
    }
    sf_port_line(ui->port, "/sessions");
    sf_overlay_choose(ui, id);
}

static void begin_rename(struct sf_tui *ui, const char *id)
{
    struct sf_strbuf title = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_port_session_title(ui->port, id, &title, &err))
        sf_overlay_edit(&ui->overlay->line, "title", id, title.buf, NULL);
    else
        sf_tui_fail(ui, &err);
    sf_strbuf_release(&title);
}

/* The keys need Ctrl, since plain letters narrow the list. */
static bool ctrl(struct sf_tui *ui, uint32_t code, const char *value)
{
    if (!*value || (code != 'd' && code != 'g'))
        return false;
    (code == 'd' ? archive : begin_rename)(ui, value);
    return true;
}

const struct sf_overlay_kind sf_sessions_overlay = {
    .title = "Sessions",
    .keys = "Enter go on   Ctrl+D archive   Ctrl+G rename   type: titles, then what was said",
    .filter = true,
    .chosen = sf_list_choose,
    .moved = sf_list_explain,
    .ctrl = ctrl,
    .edited = renamed,
    .search = search,
};
