/*
 * paint.c: when a frame is painted. Callbacks change state and mark it; the loop's hook paints, at
 * most once a frame and only when something changed. Things that move by themselves set the pace of
 * a timer; without them there is none, and at rest nothing runs.
 */
#include "tui/internal.h"

enum {
    FRAME_MS = 16,
    SPIN_MS = 100,        /* Between two pictures of the spinner. */
    STILL_MS = 1000,      /* Between two pictures where only clocks move. */
    SETTLE_MS = 80,       /* After the last of several sizes. */
    SETTLE_TMUX_MS = 300, /* Likewise in tmux, which tells a size a quarter of a second late. */
};

void sf_paint_soon(struct sf_painter *painter)
{
    painter->dirty = true;
}

static void paint_due(void *ctx)
{
    struct sf_painter *painter = ctx;

    painter->paint_timer = 0;
}

struct sf_badge_facts sf_paint_badge(const struct sf_tui *ui, const struct sf_mode_state *pending)
{
    return (struct sf_badge_facts){ .state = sf_port_state(ui->port),
                                    .pending = pending,
                                    .scopes = sf_port_scopes(ui->port),
                                    .approval = sf_port_approval(ui->port),
                                    .runs = sf_port_runs(ui->port) || ui->asked.turn };
}

void sf_paint_now(struct sf_tui *ui)
{
    struct sf_badge_facts facts;
    struct sf_mode_state pending = sf_port_preview(ui->port);
    struct sf_strbuf title = SF_STRBUF_INIT;

    sf_status_look(ui);
    sf_job_follow(ui);
    ui->painter.dirty = false;
    ui->painter.painted_ms = sf_clock_monotonic_ms();
    if (ui->setup.inline_mode && sf_tui_prints(ui)) {
        sf_tui_print(ui);
    } else {
        sf_tui_draw(ui);
        sf_terminal_paint(ui->terminal, &ui->painter.frame);
    }
    facts = sf_paint_badge(ui, &pending);
    sf_badge_title(&facts, sf_port_project(ui->port), &title);
    sf_terminal_title(ui->terminal, title.buf);
    sf_strbuf_release(&title);
}

static void tick(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->painter.tick_timer = 0;
    ui->painter.ticks++;
    if (sf_clock_monotonic_ms() - ui->painter.renewed_ms >= STILL_MS) {
        ui->painter.renewed_ms = sf_clock_monotonic_ms();
        sf_overlay_renew(ui);
    }
    sf_paint_soon(&ui->painter);
}

/* Milliseconds between two pictures of what moves by itself; 0: nothing moves. */
static int64_t pace(const struct sf_tui *ui)
{
    bool low_motion = ui->painter.low_motion;

    if (sf_card_first(&ui->cards)) /* The moment when a card begins to listen is shown at once. */
        return sf_cards_are_guarded(&ui->cards, &ui->keyboard) ? SPIN_MS : STILL_MS;
    if (ui->progress.turn_ms || sf_transcript_runs(ui->pane.transcript))
        return low_motion ? STILL_MS : SPIN_MS;
    if (!low_motion && sf_mode_state_drives(sf_port_state(ui->port)) && sf_port_runs(ui->port))
        return SF_PULSE_MS;
    return sf_overlay_moves(ui->overlay) ? STILL_MS : 0;
}

void sf_paint_before_wait(void *ctx)
{
    struct sf_tui *ui = ctx;
    struct sf_painter *painter = &ui->painter;
    int64_t due, wait, every = pace(ui);

    sf_tour_look(ui);
    if (every && !painter->tick_timer)
        painter->tick_timer = sf_loop_add_timer(ui->loop, every, 0, tick, ui);
    if (!painter->dirty || ui->lent.pid)
        return;
    due = painter->painted_ms + FRAME_MS;
    wait = (due > painter->settles_ms ? due : painter->settles_ms) - sf_clock_monotonic_ms();
    if (wait <= 0)
        sf_paint_now(ui);
    else if (!painter->paint_timer)
        painter->paint_timer = sf_loop_add_timer(ui->loop, wait, 0, paint_due, painter);
}

/* Printed lines cannot be taken back, so while a window is dragged printing waits for its size. */
void sf_paint_resized(void *ctx)
{
    struct sf_tui *ui = ctx;

    if (ui->setup.inline_mode)
        ui->painter.settles_ms =
            sf_clock_monotonic_ms() +
            (sf_terminal_facts(ui->terminal)->tmux ? SETTLE_TMUX_MS : SETTLE_MS);
    sf_sidebar_want(ui);
    sf_paint_soon(&ui->painter);
}

void sf_paint_stop(struct sf_tui *ui)
{
    sf_loop_remove(ui->loop, ui->painter.paint_timer);
    sf_loop_remove(ui->loop, ui->painter.tick_timer);
}
