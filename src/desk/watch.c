/*
 * watch.c: a session that another process talks in, at the desk. Everything is shown as it is
 * written there; nothing is sent from here, and the draft stays; when that process is gone, the
 * desk goes on with the session by itself.
 */
#include <string.h>

#include "desk/internal.h"

bool sf_desk_watches(const struct sf_desk *d)
{
    return sf_talk_holder(d->talk) != NULL;
}

void sf_watch_line(const struct sf_desk *d, struct sf_strbuf *out)
{
    const struct sf_holder *holder = sf_talk_holder(d->talk);

    if (!holder)
        return;
    sf_holder_add(holder, sf_clock_wall_ms(), out);
    sf_strbuf_adds(out, " holds this session; you watch");
}

void sf_watch_status(const struct sf_desk *d, struct sf_strbuf *out)
{
    if (d->asked.count)
        sf_strbuf_addf(out, "waiting for an answer in the other terminal: %s",
                       strchr(d->asked.items[0], '\t') + 1);
    else
        sf_watch_line(d, out);
}

static void note(struct sf_desk *d, const struct sf_strbuf *text)
{
    sf_transcript_seal(d->transcript);
    sf_transcript_add(d->transcript, SF_ITEM_NOTE, text->buf, text->len, sf_clock_wall_ms());
}

void sf_watch_begin(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!sf_desk_watches(d))
        return;
    sf_watch_line(d, &text);
    sf_strbuf_adds(&text, ". When it ends, this terminal goes on with the session.");
    note(d, &text);
    sf_strbuf_release(&text);
}

/* ---- what is asked there ---- */

void sf_watch_forget(struct sf_desk *d)
{
    sf_strlist_release(&d->asked);
}

static size_t find_asked(const struct sf_desk *d, const char *call)
{
    size_t len = strlen(call), i = 0;

    while (i < d->asked.count &&
           (strncmp(d->asked.items[i], call, len) != 0 || d->asked.items[i][len] != '\t'))
        i++;
    return i;
}

/* A question of a sub-agent belongs to no line here. */
static void show_state(struct sf_transcript *to, const char *call, enum sf_call_state state)
{
    const struct sf_call_view view = { .id = call,
                                       .state = state,
                                       .started_ms = sf_clock_monotonic_ms() };

    if (sf_transcript_call_what(to, call))
        sf_transcript_call(to, &view);
}

void sf_watch_asks(struct sf_desk *d, struct sf_transcript *to, const char *call, const char *tool,
                   const char *what)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (!sf_desk_watches(d) || find_asked(d, call) < d->asked.count || strchr(call, '\t'))
        return;
    if (!strcmp(tool, "Plan"))
        sf_strbuf_adds(&line, "is the plan accepted?");
    else
        sf_strbuf_addf(&line, "%s: %s", tool, what);
    sf_strlist_addf(&d->asked, "%s\t%s", call, line.buf);
    sf_strbuf_release(&line);
    show_state(to, call, SF_CALL_ASKS);
}

void sf_watch_answered(struct sf_desk *d, struct sf_transcript *to, const char *call)
{
    size_t at = find_asked(d, call);

    if (at == d->asked.count)
        return;
    sf_strlist_remove(&d->asked, at);
    show_state(to, call, SF_CALL_RUNS);
}

/* ---- what is seen ---- */

static void show_taken(struct sf_desk *d, const struct sf_seen *seen)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_holder_add(seen->holder, sf_clock_wall_ms(), &text);
    sf_strbuf_adds(&text, seen->cut ? " ended in the middle of a turn, which was closed;"
                                    : " let go of the session;");
    sf_strbuf_adds(&text, " it is yours now.");
    note(d, &text);
    sf_strbuf_release(&text);
    sf_watch_forget(d);
    sf_steers_end(&d->steers, d->transcript, sf_clock_wall_ms());
    sf_draft_load(d);
    sf_queue_load(d);
    if (!d->queue.count)
        sf_desk_say(d, false, "the session is yours now");
}

/* What it cost is known a moment after each answer, and at the end of a turn for sure. */
static void show_event(struct sf_desk *d, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;

    sf_recall_event(d, event);
    if ((!strcmp(event->kind, SF_LOG_ASSISTANT) || !strcmp(event->kind, SF_LOG_END)) &&
        !sf_recall_cost(d, &ignored))
        d->cost_known = false;
}

void sf_desk_seen(void *ctx, const struct sf_seen *seen)
{
    struct sf_desk *d = ctx;

    switch (seen->kind) {
    case SF_SEEN_EVENT:
        show_event(d, seen->event);
        break;
    case SF_SEEN_HOLDER: /* the line above the composer says it */
        break;
    case SF_SEEN_TAKEN:
        show_taken(d, seen);
        break;
    case SF_SEEN_LOST:
        sf_desk_fail(d, seen->error);
        break;
    }
    sf_desk_dirty(d);
}
