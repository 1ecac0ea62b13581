/*
 * feed.c: what the session tells. The transcript shows it (transcript_feed.c); here is what else
 * follows at the terminal: cards and the words that wait.
 */
#include <string.h>

#include "tui/internal.h"

enum { NOTIFY_MS = 10000 }; /* a turn that took longer is announced to who looks elsewhere */

struct sf_transcript_feed sf_tui_feed(const struct sf_tui *ui, struct sf_transcript *to,
                                      enum sf_feed_moment moment)
{
    /* the offline operator prints what it found, which is no Markdown */
    bool plain = sf_port_is_offline(ui->port);

    return (struct sf_transcript_feed){ .to = to, .moment = moment, .plain = plain };
}

/* Words whose turn could not begin are shown all the same. */
void sf_feed_unsaid(struct sf_tui *ui)
{
    if (!ui->unsaid)
        return;
    sf_transcript_seal(ui->transcript);
    sf_transcript_add(ui->transcript, SF_ITEM_USER, ui->unsaid, ui->unsaid_len, sf_clock_wall_ms());
    ui->unsaid = NULL;
}

static void take_prompt(struct sf_tui *ui, const struct sf_event *event)
{
    if (event->depth)
        return;
    ui->echoed = false;
    ui->unsaid = NULL;
}

static void take_question(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_told(ui, event);
    if (ui->unfocused)
        sf_terminal_notify(ui->terminal, "sf asks");
}

static void take_plan(struct sf_tui *ui, const struct sf_event *event)
{
    sf_plan_told(ui, event);
    if (ui->unfocused)
        sf_terminal_notify(ui->terminal, "sf has a plan");
}

/* A command of the user's came to its end; those of a custom command are part of more. */
static void take_result(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_told(ui, event);
    if (!strncmp(event->call->id, SF_USER_CALL, strlen(SF_USER_CALL)))
        ui->shell_ms = 0;
}

static void take_usage(struct sf_tui *ui, const struct sf_event *event)
{
    (void)event;
    ui->waiting[0] = '\0';
}

static void take_retry(struct sf_tui *ui, const struct sf_event *event)
{
    (void)event;
    snprintf(ui->waiting, sizeof(ui->waiting), "trying again");
}

static void take_done(struct sf_tui *ui, const struct sf_event *event)
{
    int64_t took = ui->turn_ms ? sf_clock_monotonic_ms() - ui->turn_ms : 0;

    if (event->depth)
        return;
    ui->turn_ms = 0;
    ui->echoed = false;
    ui->waiting[0] = '\0';
    sf_tui_branch(ui);
    if (ui->unfocused && took > NOTIFY_MS)
        sf_terminal_notify(ui->terminal, "sf: the turn is over");
}

static void (*const takes[SF_EVENT_COUNT])(struct sf_tui *ui, const struct sf_event *event) = {
    [SF_EVENT_PROMPT] = take_prompt,     [SF_EVENT_ASK] = take_question,
    [SF_EVENT_QUESTION] = take_question, [SF_EVENT_AMENDED] = sf_card_told,
    [SF_EVENT_RESULT] = take_result,     [SF_EVENT_USAGE] = take_usage,
    [SF_EVENT_RETRY] = take_retry,       [SF_EVENT_SUBMITTED] = take_plan,
    [SF_EVENT_DONE] = take_done,
};

/* A session on its way out has only the plain terminal. */
void sf_tui_told(void *ctx, const struct sf_event *event)
{
    struct sf_tui *ui = ctx;
    const struct sf_transcript_feed feed = sf_tui_feed(ui, ui->transcript, SF_FEED_LIVE);

    if (ui->closed) {
        if (event->kind == SF_EVENT_NOTICE && event->notice.urgent)
            fprintf(stderr, "sf: %.*s\n", (int)event->notice.len, event->notice.text);
        return;
    }
    if (event->kind == SF_EVENT_DONE && !event->depth)
        sf_feed_unsaid(ui);
    sf_tour_told(ui, event);
    if (event->kind != SF_EVENT_PROMPT || !ui->echoed)
        sf_feed_event(&feed, event);
    if (takes[event->kind])
        takes[event->kind](ui, event);
    sf_tui_dirty(ui);
}
