/*
 * recall.c: which piece of a session's log is in the transcript, and when more of it is read. The
 * log is read from its end, a piece at a time: as much as the screen shows or, when the user goes
 * to the beginning or searches, all of it, piece by piece on the loop. A piece begins where no
 * earlier call waits for its result, and no earlier words wait to join the turn. port/log_replay
 * turns rows into events, and transcript_feed.c shows them like live ones.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/internal.h"

enum {
    PIECE = 16,    /* Rows that are read while the screen waits for them. */
    BEFORE = 8,    /* Rows before a piece, which only decide whether it may begin there. */
    PAGE = 64,     /* Rows that are read when the user turns a page. */
    MANY = 256,    /* Rows that are read at a time when the whole log is read. */
    PRINTED = 400, /* Items of a resumed conversation that are printed. */
    SLICE_MS = 8,  /* Time on the loop that one slice may take. */
    WORDS = 160,   /* Bytes of the line that says how much is missing. */
};

struct recall {
    struct sf_tui *ui;
    struct sf_transcript *to;
    int64_t wall_ms;
    int64_t first;   /* The number of the row that begins the piece. */
    bool begun, cut; /* The piece has begun; the piece cannot begin at `first`. */
    bool settled;    /* No words said before the piece wait to join it. */
    bool newest;     /* The piece is the end of the log. */
    struct sf_log_replay *replay;
    char session[SF_ID_LEN + 1]; /* The session of the last row. */
    char oldest[SF_ID_LEN + 1];  /* The session of the first row. */
};

static int64_t wall_of(const char *time)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return sf_time_parse_rfc3339(time, strlen(time), &ms, &ignored) ? ms : 0;
}

/* A note marks where the rows shared with another session end. */
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

/*
 * Reads a row before the piece: words said during a turn are open until the next answer, result or
 * end settles them.
 */
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

/* At the end of a watched log, questions and waiting words of the other process are noted too. */
static void take(void *ctx, const struct sf_event *event)
{
    struct recall *r = ctx;
    bool watched = r->newest && sf_tui_watches(r->ui);
    const struct sf_transcript_feed feed =
        sf_tui_feed(r->ui, r->to, watched ? SF_FEED_WATCHED : SF_FEED_PAST);

    sf_feed_event(&feed, event);
    if (watched) {
        sf_watch_take(&r->ui->asked, event);
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
    if (event->id > r->ui->earlier.last_event)
        r->ui->earlier.last_event = event->id;
    sf_log_replay_row(r->replay, event, take, r);
    return true;
}

void sf_recall_event(struct sf_tui *ui, const struct sf_event_row *event)
{
    struct recall r = { .ui = ui, .to = ui->pane.transcript, .newest = true };

    if (!ui->earlier.replay)
        ui->earlier.replay = sf_log_replay_new(sf_port_workspace(ui->port));
    r.replay = ui->earlier.replay;
    snprintf(r.session, sizeof(r.session), "%s", event->session);
    if (event->id > ui->earlier.last_event)
        show_event(event, &r);
}

void sf_recall_taken(struct sf_tui *ui)
{
    struct recall r = { .ui = ui, .to = ui->pane.transcript, .newest = true };

    if (ui->earlier.replay)
        sf_log_replay_end(ui->earlier.replay, take, &r);
    sf_log_replay_free(ui->earlier.replay);
    ui->earlier.replay = NULL;
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

static void put_in_front(struct sf_tui *ui, struct recall *r)
{
    size_t before = sf_transcript_count(ui->pane.transcript);

    if (*ui->earlier.session)
        show_fork(r, ui->earlier.session);
    snprintf(ui->earlier.session, sizeof(ui->earlier.session), "%s", r->oldest);
    ui->earlier.first = r->first;
    sf_find_bar_add(&ui->find_bar, ui->pane.transcript,
                    sf_transcript_prepend(ui->pane.transcript, r->to));
    if (ui->pane.printed) /* The count of printed items includes the older ones. */
        ui->pane.printed += sf_transcript_count(ui->pane.transcript) - before;
}

/*
 * Words wait at the end of the log: a turn that runs in another process will get them, so its
 * replay goes on; a turn that died did not get them, so the replay ends.
 */
static void end_piece(struct recall *r)
{
    if (r->newest && sf_tui_watches(r->ui)) {
        sf_log_replay_free(r->ui->earlier.replay);
        r->ui->earlier.replay = r->replay;
        r->replay = NULL;
    } else {
        sf_log_replay_end(r->replay, take, r);
    }
}

static void begin_piece(struct recall *r)
{
    sf_log_replay_free(r->replay);
    r->replay = sf_log_replay_new(sf_port_workspace(r->ui->port));
    sf_transcript_clear(r->to);
    if (r->newest)
        sf_watch_forget(&r->ui->asked);
    if (r->newest && sf_tui_watches(r->ui))
        sf_port_follow(r->ui->port, NULL);
}

/* Reads so many events before those that are there, or a few more. */
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
    ui->earlier.first = 0; /* Another attempt would fail again. */
    sf_tui_fail(ui, &err);
    return false;
}

bool sf_recall_back(struct sf_tui *ui)
{
    return go_back(ui, PAGE);
}

/* Each item has at least one line, so that with enough items none is laid out for this. */
void sf_recall_fill(struct sf_tui *ui, struct sf_area area)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0, count;

    do {
        count = sf_transcript_count(ui->pane.transcript);
    } while (count < rows && sf_transcript_lines(ui->pane.transcript, 0, count, area.cols) < rows &&
             go_back(ui, PIECE));
}

void sf_recall_above(struct sf_tui *ui)
{
    size_t rows = ui->pane.area.rows > 0 ? (size_t)ui->pane.area.rows : 0;

    while (sf_transcript_above(ui->pane.transcript) <= 2 * rows && sf_recall_back(ui))
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
        sf_transcript_top(ui->pane.transcript);
    if (ui->earlier.first > 1)
        ui->earlier.timer = sf_loop_add_timer(ui->loop, 0, 0, slice, ui);
    sf_paint_soon(&ui->painter);
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
    sf_log_replay_free(ui->earlier.replay);
    ui->earlier = (struct sf_recalled){ .first = 0 };
    sf_watch_forget(&ui->asked);
}

bool sf_recall_begin(struct sf_tui *ui, struct sf_error *err)
{
    size_t enough = ui->setup.inline_mode ? PRINTED : 1;
    bool ok = sf_port_log_last(ui->port, &ui->earlier.last, err);

    ui->earlier.first = ui->earlier.last + 1;
    while (ok && ui->earlier.first > 1 && sf_transcript_count(ui->pane.transcript) < enough)
        ok = read_back(ui, PIECE, err);
    return ok;
}
