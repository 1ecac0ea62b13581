/*
 * watch.c: a session that another process talks in, at the desk. Everything is shown as it is
 * written there; nothing is sent from here, and the draft stays; when that process is gone, the
 * desk goes on with the session by itself.
 */
#include <string.h>

#include "tui/internal.h"

bool sf_tui_watches(const struct sf_tui *ui)
{
    return sf_port_owner(ui->port) != NULL;
}

void sf_watch_line(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_lock_owner *holder = sf_port_owner(ui->port);

    if (!holder)
        return;
    sf_lock_owner_add(holder, sf_clock_wall_ms(), out);
    sf_strbuf_adds(out, " holds this session; you watch");
}

void sf_watch_status(const struct sf_tui *ui, struct sf_strbuf *out)
{
    if (ui->asked.count)
        sf_strbuf_addf(out, "waiting for an answer in the other terminal: %s",
                       strchr(ui->asked.items[0], '\t') + 1);
    else
        sf_watch_line(ui, out);
}

static void note(struct sf_tui *ui, const struct sf_strbuf *text)
{
    sf_transcript_seal(ui->transcript);
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text->buf, text->len, sf_clock_wall_ms());
}

void sf_watch_begin(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!sf_tui_watches(ui))
        return;
    sf_watch_line(ui, &text);
    sf_strbuf_adds(&text, ". When it ends, this terminal goes on with the session.");
    note(ui, &text);
    sf_strbuf_release(&text);
}

/* ---- what is asked there ---- */

void sf_watch_forget(struct sf_tui *ui)
{
    sf_strlist_release(&ui->asked);
}

static size_t find_asked(const struct sf_tui *ui, const char *call)
{
    size_t len = strlen(call), i = 0;

    while (i < ui->asked.count &&
           (strncmp(ui->asked.items[i], call, len) != 0 || ui->asked.items[i][len] != '\t'))
        i++;
    return i;
}

/* A question of a sub-agent belongs to no line here. */
static void show_state(struct sf_transcript *to, const char *call, enum sf_item_call_state state)
{
    const struct sf_call_view view = { .id = call,
                                       .state = state,
                                       .started_ms = sf_clock_monotonic_ms() };

    if (sf_transcript_call_what(to, call))
        sf_transcript_call(to, &view);
}

void sf_watch_asks(struct sf_tui *ui, struct sf_transcript *to, const char *call, const char *tool,
                   const char *what)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (!sf_tui_watches(ui) || find_asked(ui, call) < ui->asked.count || strchr(call, '\t'))
        return;
    if (!strcmp(tool, "Plan"))
        sf_strbuf_adds(&line, "is the plan accepted?");
    else
        sf_strbuf_addf(&line, "%s: %s", tool, what);
    sf_strlist_addf(&ui->asked, "%s\t%s", call, line.buf);
    sf_strbuf_release(&line);
    show_state(to, call, SF_ITEM_CALL_ASKS);
}

void sf_watch_answered(struct sf_tui *ui, struct sf_transcript *to, const char *call)
{
    size_t at = find_asked(ui, call);

    if (at == ui->asked.count)
        return;
    sf_strlist_remove(&ui->asked, at);
    show_state(to, call, SF_ITEM_CALL_RUNS);
}

/* ---- what is seen ---- */

static void show_taken(struct sf_tui *ui, const struct sf_watch_event *seen)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_lock_owner_add(seen->holder, sf_clock_wall_ms(), &text);
    sf_strbuf_adds(&text, seen->cut ? " ended in the middle of a turn, which was closed;"
                                    : " let go of the session;");
    sf_strbuf_adds(&text, " it is yours now.");
    note(ui, &text);
    sf_strbuf_release(&text);
    sf_watch_forget(ui);
    sf_steers_end(&ui->steers, ui->transcript, sf_clock_wall_ms());
    sf_draft_load(ui);
    sf_tui_say(ui, false, "the session is yours now");
}

void sf_tui_seen(void *ctx, const struct sf_watch_event *seen)
{
    struct sf_tui *ui = ctx;

    switch (seen->kind) {
    case SF_WATCH_EVENT:
        sf_recall_event(ui, seen->event);
        break;
    case SF_WATCH_OWNER: /* the line above the composer says it */
        break;
    case SF_WATCH_TAKEN:
        show_taken(ui, seen);
        break;
    case SF_WATCH_LOST:
        sf_tui_fail(ui, seen->error);
        break;
    }
    sf_tui_dirty(ui);
}
