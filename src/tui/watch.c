/*
 * watch.c: a session that another process owns. Everything is shown as that process writes it;
 * nothing is sent from here, and the draft stays. When the process is gone, this terminal takes the
 * session over by itself.
 */
#include <string.h>

#include "tui/internal.h"

bool sf_tui_watches(const struct sf_tui *ui)
{
    return sf_port_owner(ui->port) != NULL;
}

void sf_watch_line(const struct sf_port *port, struct sf_strbuf *out)
{
    const struct sf_lock_owner *owner = sf_port_owner(port);

    if (!owner)
        return;
    sf_lock_owner_add(owner, sf_clock_wall_ms(), out);
    sf_strbuf_adds(out, " holds this session; you watch");
}

void sf_watch_status(const struct sf_tui *ui, struct sf_strbuf *out)
{
    if (ui->asked.count)
        sf_strbuf_addf(out, "waiting for an answer in the other terminal: %s",
                       ui->asked.items[0].what);
    else
        sf_watch_line(ui->port, out);
}

static void note(struct sf_tui *ui, const struct sf_strbuf *text)
{
    sf_transcript_seal(ui->pane.transcript);
    sf_transcript_add(ui->pane.transcript, SF_ITEM_NOTE, text->buf, text->len, sf_clock_wall_ms());
}

void sf_watch_begin(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!sf_tui_watches(ui))
        return;
    sf_watch_line(ui->port, &text);
    sf_strbuf_adds(&text, ". When it ends, this terminal goes on with the session.");
    note(ui, &text);
    sf_strbuf_release(&text);
}

/* ---- questions in the other process ---- */

void sf_watch_forget(struct sf_asked_list *asked)
{
    while (asked->count) {
        struct sf_asked *a = &asked->items[--asked->count];

        free(a->call);
        free(a->what);
    }
    free(asked->items);
    *asked = (struct sf_asked_list){ .items = NULL };
}

static size_t find_asked(const struct sf_asked_list *asked, const char *call)
{
    size_t i = 0;

    while (i < asked->count && strcmp(asked->items[i].call, call) != 0)
        i++;
    return i;
}

static void add_asked(struct sf_asked_list *asked, const struct sf_event_call *call)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    if (find_asked(asked, call->id) < asked->count)
        return;
    if (!strcmp(call->name, "Plan"))
        sf_strbuf_adds(&what, "is the plan accepted?");
    else
        sf_strbuf_addf(&what, "%s: %s", call->name, call->what);
    asked->items = sf_grow(asked->items, &asked->cap, asked->count + 1, sizeof(*asked->items));
    asked->items[asked->count++] =
        (struct sf_asked){ sf_strdup(call->id), sf_strbuf_detach(&what) };
}

static void remove_asked(struct sf_asked_list *asked, const struct sf_event_call *call)
{
    size_t at = find_asked(asked, call->id);

    if (at == asked->count)
        return;
    free(asked->items[at].call);
    free(asked->items[at].what);
    asked->count--;
    memmove(&asked->items[at], &asked->items[at + 1], (asked->count - at) * sizeof(*asked->items));
}

void sf_watch_take(struct sf_asked_list *asked, const struct sf_event *event)
{
    if (!event->depth)
        asked->turn = event->turn && event->kind != SF_EVENT_DONE;
    if (event->kind == SF_EVENT_ASKED || event->kind == SF_EVENT_SUBMITTED)
        add_asked(asked, event->call);
    else if (event->kind == SF_EVENT_ANSWERED || event->kind == SF_EVENT_RESULT)
        remove_asked(asked, event->call);
    else if (event->kind == SF_EVENT_DONE)
        sf_watch_forget(asked);
}

/* ---- what happens there ---- */

static void show_taken(struct sf_tui *ui, const struct sf_watch_event *seen)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_lock_owner_add(seen->holder, sf_clock_wall_ms(), &text);
    sf_strbuf_adds(&text, seen->cut ? " ended in the middle of a turn, which was closed;"
                                    : " let go of the session;");
    sf_strbuf_adds(&text, " it is yours now.");
    note(ui, &text);
    sf_strbuf_release(&text);
    sf_watch_forget(&ui->asked);
    sf_recall_taken(ui);
    sf_draft_load(ui);
    sf_status_say(&ui->status, false, "the session is yours now");
}

void sf_tui_seen(void *ctx, const struct sf_watch_event *seen)
{
    struct sf_tui *ui = ctx;

    switch (seen->kind) {
    case SF_WATCH_EVENT:
        sf_recall_event(ui, seen->event);
        break;
    case SF_WATCH_OWNER: /* The line above the composer names the owner. */
        break;
    case SF_WATCH_TAKEN:
        show_taken(ui, seen);
        break;
    case SF_WATCH_LOST:
        sf_tui_fail(ui, seen->error);
        break;
    }
    sf_paint_soon(&ui->painter);
}
