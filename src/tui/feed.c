/*
 * feed.c: live events at the terminal. The transcript shows them (transcript_feed.c); here is what
 * else follows from them: cards, the clock of the turn, and words that are on their way to the
 * session.
 */
#include <string.h>

#include "tui/internal.h"

enum { NOTIFY_MS = 10000 }; /* The end of a longer turn is announced while sf has no focus. */

struct sf_transcript_feed sf_tui_feed(struct sf_tui *ui, struct sf_transcript *to,
                                      enum sf_feed_moment moment)
{
    /* The offline operator prints what it found, which is no Markdown. */
    bool plain = sf_port_is_offline(ui->port);

    return (struct sf_transcript_feed){
        .to = to,
        .walk = &ui->walk,
        .workspace = sf_port_workspace(ui->port),
        .printed = to == ui->pane.transcript ? ui->pane.printed : 0,
        .moment = moment,
        .plain = plain,
    };
}

/* ---- what is sent ---- */

/* Shows words whose turn could not begin: no event has shown them. */
static void show_unsaid(struct sf_tui *ui)
{
    struct sf_progress *p = &ui->progress;

    if (!p->unsaid)
        return;
    sf_transcript_seal(ui->pane.transcript);
    sf_transcript_add(ui->pane.transcript, SF_ITEM_USER, p->unsaid, p->unsaid_len,
                      sf_clock_wall_ms());
    p->unsaid = NULL;
}

/* Words stand in the conversation once the session has them. */
static void turn_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    struct sf_progress *p = &ui->progress;

    if (!sent->over) {
        ui->pane.welcoming = false;
        sf_progress_begin(p);
        p->unsaid = sent->text;
        p->unsaid_len = sent->len;
        return;
    }
    show_unsaid(ui);
    if (sent->failed)
        p->turn_ms = 0;
    sf_transcript_bottom(ui->pane.transcript);
}

static void shell_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    ui->pane.welcoming = false;
    sf_transcript_bottom(ui->pane.transcript);
    if (sent->over && !sent->failed)
        ui->progress.shell_ms = sf_clock_monotonic_ms();
}

/* The line stands in the conversation as it was typed, not the prompt that the command makes. */
static void custom_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    ui->progress.echoed = !sent->failed;
    if (!sent->over || sent->failed)
        return;
    sf_transcript_seal(ui->pane.transcript);
    sf_transcript_add(ui->pane.transcript, SF_ITEM_USER, sent->text, sent->len, sf_clock_wall_ms());
    sf_transcript_bottom(ui->pane.transcript);
    sf_progress_begin(&ui->progress);
}

static void summary_begins(struct sf_tui *ui, const struct sf_sent *sent)
{
    (void)sent;
    sf_progress_begin(&ui->progress);
    snprintf(ui->progress.waiting, sizeof(ui->progress.waiting), "summing up");
}

void sf_tui_sent(void *ctx, const struct sf_sent *sent)
{
    static void (*const shows[])(struct sf_tui * ui, const struct sf_sent *sent) = {
        [SF_SENT_TURN] = turn_sent,
        [SF_SENT_SHELL] = shell_sent,
        [SF_SENT_CUSTOM] = custom_sent,
        [SF_SENT_SUMMARY] = summary_begins,
    };
    struct sf_tui *ui = ctx;

    shows[sent->as](ui, sent);
    sf_paint_soon(&ui->painter);
}

/* ---- events ---- */

static void take_prompt(struct sf_tui *ui, const struct sf_event *event)
{
    if (event->depth)
        return;
    ui->progress.echoed = false;
    ui->progress.unsaid = NULL;
}

static void take_question(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_take(ui, event);
    if (ui->keyboard.unfocused)
        sf_terminal_notify(ui->terminal, "sf asks");
}

static void take_plan(struct sf_tui *ui, const struct sf_event *event)
{
    sf_plan_take(ui, event);
    if (ui->keyboard.unfocused)
        sf_terminal_notify(ui->terminal, "sf has a plan");
}

/* The end of a user's command stops its clock; commands inside a custom command have none. */
static void take_result(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_take(ui, event);
    if (sf_call_is_users(event->call->id))
        ui->progress.shell_ms = 0;
}

static void take_usage(struct sf_tui *ui, const struct sf_event *event)
{
    (void)event;
    ui->progress.waiting[0] = '\0';
}

static void take_retry(struct sf_tui *ui, const struct sf_event *event)
{
    (void)event;
    snprintf(ui->progress.waiting, sizeof(ui->progress.waiting), "retrying");
}

static void take_done(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_progress *p = &ui->progress;
    int64_t took = p->turn_ms ? sf_clock_monotonic_ms() - p->turn_ms : 0;

    if (event->depth)
        return;
    p->turn_ms = 0;
    p->echoed = false;
    p->waiting[0] = '\0';
    sf_port_look_checkout(ui->port);
    if (ui->keyboard.unfocused && took > NOTIFY_MS)
        sf_terminal_notify(ui->terminal, "sf: the turn is over");
}

static void (*const takes[SF_EVENT_COUNT])(struct sf_tui *ui, const struct sf_event *event) = {
    [SF_EVENT_PROMPT] = take_prompt,     [SF_EVENT_ASK] = take_question,
    [SF_EVENT_QUESTION] = take_question, [SF_EVENT_AMENDED] = sf_card_take,
    [SF_EVENT_RESULT] = take_result,     [SF_EVENT_USAGE] = take_usage,
    [SF_EVENT_RETRY] = take_retry,       [SF_EVENT_SUBMITTED] = take_plan,
    [SF_EVENT_DONE] = take_done,
};

/* Once the screen is gone, urgent notices of the ending session go to the plain terminal. */
void sf_tui_take(void *ctx, const struct sf_event *event)
{
    struct sf_tui *ui = ctx;
    const struct sf_transcript_feed feed = sf_tui_feed(ui, ui->pane.transcript, SF_FEED_LIVE);

    if (ui->closed) {
        if (event->kind == SF_EVENT_NOTICE && event->notice.urgent)
            fprintf(stderr, "sf: %.*s\n", (int)event->notice.len, event->notice.text);
        return;
    }
    if (event->kind == SF_EVENT_DONE && !event->depth)
        show_unsaid(ui);
    sf_tour_take(&ui->tour, event);
    if (event->kind != SF_EVENT_PROMPT || !ui->progress.echoed)
        sf_feed_event(&feed, event);
    sf_progress_take(&ui->progress, event);
    if (takes[event->kind])
        takes[event->kind](ui, event);
    sf_paint_soon(&ui->painter);
}
