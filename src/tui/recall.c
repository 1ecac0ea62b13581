/*
 * recall.c: which piece of a session's log is in the transcript, and when more of it is read. The
 * log is read from its end, a piece at a time: as much as is looked at, or all of it, piece by piece
 * on the loop, for somebody who looks for the beginning or for words. A piece begins where no
 * earlier call waits for its result, and no earlier words wait to join the turn. What the rows mean
 * is told by port/log_replay, and shown by transcript_feed.c like everything that is told.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/internal.h"

enum {
    PIECE = 16,    /* rows that are read where the screen waits for them */
    BEFORE = 8,    /* rows before a piece, which are only looked at */
    PAGE = 64,     /* rows that are read when somebody turns a page */
    MANY = 256,    /* rows that are read at a time where all of them are */
    PRINTED = 400, /* items of a conversation that is printed */
    SLICE_MS = 8,  /* on the loop, at a time */
    WORDS = 160,   /* bytes of the line that says what is missing */
};

struct recall {
    struct sf_tui *ui;
    struct sf_transcript *to;
    int64_t wall_ms;
    int64_t first;   /* the number of the row that begins the piece */
    bool begun, cut; /* whether the piece has begun, and whether it cannot begin at `first` */
    bool settled;    /* nothing that was said before it joins it */
    bool newest;     /* nothing stands behind it */
    struct sf_log_replay *replay;
    char session[SF_ID_LEN + 1]; /* whose rows these are */
    char oldest[SF_ID_LEN + 1];  /* whose row the first of them is */
};

static int64_t wall_of(const char *time)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return sf_time_parse_rfc3339(time, strlen(time), &ms, &ignored) ? ms : 0;
}

/* Where what is shared with another session ends. */
static void show_fork(struct recall *r, const char *session)
{
    char text[64];

    if (!strcmp(r->session, session))
        return;
    if (*r->session) {
        snprintf(text, sizeof(text), "forked from %.10s here", r->session);
        sf_transcript_add(r->to, SF_ITEM_NOTE, text, strlen(text), r->wall_ms);
    }
    snprintf(r->session, sizeof(r->session), "%s", session);
}

/* Before the piece: whether somebody spoke whose words the next answer, result or end settles. */
static void look_before(struct recall *r, const char *kind)
{
    bool said = !strcmp(kind, SF_LOG_STEER);

    if (!said && strcmp(kind, SF_LOG_USER) != 0 && strcmp(kind, SF_LOG_ASSISTANT) != 0 &&
        strcmp(kind, SF_LOG_RESULT) != 0 && strcmp(kind, SF_LOG_END) != 0)
        return;
    r->settled = !said;
}

static bool may_begin(const struct recall *r, const char *kind)
{
    return r->first <= 1 || !strcmp(kind, SF_LOG_USER) ||
           (r->settled && (!strcmp(kind, SF_LOG_ASSISTANT) || !strcmp(kind, SF_LOG_END)));
}

/* What is asked in another process, and the words that wait there, matter at the end of the log. */
static void told(void *ctx, const struct sf_event *event)
{
    struct recall *r = ctx;
    bool watched = r->newest && sf_tui_watches(r->ui);
    const struct sf_transcript_feed feed =
        sf_tui_feed(r->ui, r->to, watched ? SF_FEED_WATCHED : SF_FEED_PAST);

    sf_feed_event(&feed, event);
    if (watched) {
        sf_watch_told(r->ui, event);
        sf_port_follow(r->ui->port, event);
    }
}

static bool show_event(const struct sf_event_row *event, void *ctx)
{
    struct recall *r = ctx;

    if (event->seq < r->first) {
        look_before(r, event->kind);
        return true;
    }
    r->cut = !r->begun && !may_begin(r, event->kind);
    if (r->cut)
        return false;
    if (!r->begun)
        snprintf(r->oldest, sizeof(r->oldest), "%s", event->session);
    r->begun = true;
    r->wall_ms = wall_of(event->time);
    show_fork(r, event->session);
    if (event->id > r->ui->last_event)
        r->ui->last_event = event->id;
    sf_log_replay_row(r->replay, event, told, r);
    return true;
}

void sf_recall_event(struct sf_tui *ui, const struct sf_event_row *event)
{
    struct recall r = { .ui = ui, .to = ui->transcript, .newest = true };

    if (!ui->replay)
        ui->replay = sf_log_replay_new();
    r.replay = ui->replay;
    snprintf(r.session, sizeof(r.session), "%s", event->session);
    if (event->id > ui->last_event)
        show_event(event, &r);
}

void sf_recall_taken(struct sf_tui *ui)
{
    struct recall r = { .ui = ui, .to = ui->transcript, .newest = true };

    if (ui->replay)
        sf_log_replay_end(ui->replay, told, &r);
    sf_log_replay_free(ui->replay);
    ui->replay = NULL;
    sf_port_follow(ui->port, NULL);
}

/* ---- piece by piece ---- */

/* "49,600 earlier events" */
static void show_missing(struct recall *r)
{
    const struct sf_recalled *e = &r->ui->earlier;
    char text[WORDS];

    if (r->first <= 1)
        return;
    if (e->all)
        snprintf(text, sizeof(text), "reading what came earlier: %d %%",
                 (int)((e->last - r->first) * 100 / e->last));
    else
        snprintf(text, sizeof(text), "%" PRId64 " earlier events: scrolling up shows them",
                 r->first - 1);
    sf_transcript_add(r->to, SF_ITEM_EARLIER, text, strlen(text), 0);
}

/* What is looked for may be in what came in. */
static void add_matches(struct sf_tui *ui, size_t matches)
{
    bool first = matches && !ui->find_total;

    ui->find_total += matches;
    if (ui->found)
        ui->found += matches;
    else if (first && ui->finding)
        ui->found = sf_transcript_find_next(ui->transcript, -1);
}

static void put_in_front(struct sf_tui *ui, struct recall *r)
{
    size_t before = sf_transcript_count(ui->transcript);

    if (*ui->earlier.session)
        show_fork(r, ui->earlier.session);
    snprintf(ui->earlier.session, sizeof(ui->earlier.session), "%s", r->oldest);
    ui->earlier.first = r->first;
    add_matches(ui, sf_transcript_prepend(ui->transcript, r->to));
    if (ui->printed) /* that is a number of items too */
        ui->printed += sf_transcript_count(ui->transcript) - before;
}

/* Words at the end of the log: whose turn runs elsewhere gets them, one that died did not. */
static void end_piece(struct recall *r)
{
    if (r->newest && sf_tui_watches(r->ui)) {
        sf_log_replay_free(r->ui->replay);
        r->ui->replay = r->replay;
        r->replay = NULL;
    } else {
        sf_log_replay_end(r->replay, told, r);
    }
}

static void begin_piece(struct recall *r)
{
    sf_log_replay_free(r->replay);
    r->replay = sf_log_replay_new();
    sf_transcript_clear(r->to);
    if (r->newest)
        sf_watch_forget(r->ui);
    if (r->newest && sf_tui_watches(r->ui))
        sf_port_follow(r->ui->port, NULL);
}

/* So many events before those that are there, or a few more. */
static bool read_back(struct sf_tui *ui, int64_t count, struct sf_error *err)
{
    struct recall r = { .ui = ui,
                        .to = sf_transcript_new(),
                        .newest = ui->earlier.first > ui->earlier.last };
    int64_t piece_first, piece_last = ui->earlier.first - 1;
    bool ok;

    do {
        r.first = piece_last > count ? piece_last - count + 1 : 1;
        piece_first = r.first > BEFORE ? r.first - BEFORE : 1;
        r.settled = piece_first == 1;
        begin_piece(&r);
        show_missing(&r);
        ok = sf_port_each_logged(ui->port, piece_first, piece_last, show_event, &r, err);
        count += PIECE;
    } while (ok && r.cut);
    if (ok)
        end_piece(&r);
    if (ok)
        put_in_front(ui, &r);
    sf_log_replay_free(r.replay);
    sf_transcript_free(r.to);
    return ok;
}

static bool go_back(struct sf_tui *ui, int64_t count)
{
    struct sf_error err = SF_ERROR_INIT;

    if (ui->earlier.first <= 1)
        return false;
    if (read_back(ui, count, &err))
        return true;
    ui->earlier.first = 0; /* it would fail again */
    sf_tui_fail(ui, &err);
    return false;
}

bool sf_recall_back(struct sf_tui *ui)
{
    return go_back(ui, PAGE);
}

/* Each item has a line at least, so that where there are many none is laid out for this. */
void sf_recall_fill(struct sf_tui *ui, struct sf_area area)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0, count;

    do {
        count = sf_transcript_count(ui->transcript);
    } while (count < rows && sf_transcript_lines(ui->transcript, 0, count, area.cols) < rows &&
             go_back(ui, PIECE));
}

void sf_recall_above(struct sf_tui *ui)
{
    size_t rows = ui->transcript_area.rows > 0 ? (size_t)ui->transcript_area.rows : 0;

    while (sf_transcript_above(ui->transcript) <= 2 * rows && sf_recall_back(ui))
        ;
}

static void slice(void *ctx)
{
    struct sf_tui *ui = ctx;
    int64_t until = sf_clock_monotonic_ms() + SLICE_MS;

    ui->earlier.timer = 0;
    while (ui->earlier.first > 1 && sf_clock_monotonic_ms() < until)
        go_back(ui, MANY);
    if (ui->earlier.to_top)
        sf_transcript_top(ui->transcript);
    if (ui->earlier.first > 1)
        ui->earlier.timer = sf_loop_add_timer(ui->loop, 0, 0, slice, ui);
    sf_tui_dirty(ui);
}

void sf_recall_all(struct sf_tui *ui, bool to_top)
{
    ui->earlier.to_top = to_top;
    if (ui->earlier.first <= 1 || ui->earlier.all)
        return;
    ui->earlier.all = true;
    ui->earlier.timer = sf_loop_add_timer(ui->loop, 0, 0, slice, ui);
}

void sf_recall_drop(struct sf_tui *ui)
{
    sf_loop_remove(ui->loop, ui->earlier.timer);
    ui->earlier = (struct sf_recalled){ .first = 0 };
    sf_log_replay_free(ui->replay);
    ui->replay = NULL;
    sf_watch_forget(ui);
}

bool sf_tui_recall(struct sf_tui *ui, struct sf_error *err)
{
    size_t enough = ui->setup.inline_mode ? PRINTED : 1;
    bool ok = sf_port_log_last(ui->port, &ui->earlier.last, err);

    ui->earlier.first = ui->earlier.last + 1;
    while (ok && ui->earlier.first > 1 && sf_transcript_count(ui->transcript) < enough)
        ok = read_back(ui, PIECE, err);
    return ok;
}
