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
                       ui->asked.items[0].what);
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
    while (ui->asked.count) {
        struct sf_asked *a = &ui->asked.items[--ui->asked.count];

        free(a->call);
        free(a->what);
    }
    free(ui->asked.items);
    ui->asked = (struct sf_asked_list){ NULL, 0, 0 };
}

static size_t find_asked(const struct sf_tui *ui, const char *call)
{
    size_t i = 0;

    while (i < ui->asked.count && strcmp(ui->asked.items[i].call, call) != 0)
        i++;
    return i;
}

static void add_asked(struct sf_tui *ui, const struct sf_event_call *call)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    if (find_asked(ui, call->id) < ui->asked.count)
        return;
    if (!strcmp(call->name, "Plan"))
        sf_strbuf_adds(&what, "is the plan accepted?");
    else
        sf_strbuf_addf(&what, "%s: %s", call->name, call->what);
    ui->asked.items =
        sf_grow(ui->asked.items, &ui->asked.cap, ui->asked.count + 1, sizeof(*ui->asked.items));
    ui->asked.items[ui->asked.count++] =
        (struct sf_asked){ sf_strdup(call->id), sf_strbuf_detach(&what) };
}

static void remove_asked(struct sf_tui *ui, const struct sf_event_call *call)
{
    size_t at = find_asked(ui, call->id);

    if (at == ui->asked.count)
        return;
    free(ui->asked.items[at].call);
    free(ui->asked.items[at].what);
    ui->asked.count--;
    memmove(&ui->asked.items[at], &ui->asked.items[at + 1],
            (ui->asked.count - at) * sizeof(*ui->asked.items));
}

void sf_watch_told(struct sf_tui *ui, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_ASKED || event->kind == SF_EVENT_SUBMITTED)
        add_asked(ui, event->call);
    else if (event->kind == SF_EVENT_ANSWERED || event->kind == SF_EVENT_RESULT)
        remove_asked(ui, event->call);
    else if (event->kind == SF_EVENT_DONE)
        sf_watch_forget(ui);
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
    sf_recall_taken(ui);
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
