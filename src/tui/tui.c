/*
 * tui.c: the life of the terminal surface. Callbacks change state and mark it dirty; the loop's
 * hook paints, at most once a frame and only when something changed. At rest nothing runs.
 */
#include <signal.h>
#include <string.h>

#include "tui/internal.h"

enum {
    FRAME_MS = 16,
    SPIN_MS = 100,   /* between two pictures of the spinner */
    STILL_MS = 1000, /* the clock alone, where motion is not wanted */
    PULSE_MS = 500,
    STATUS_MS = 8000,
    SETTLE_MS = 80,       /* after the last of several sizes */
    SETTLE_TMUX_MS = 300, /* which tmux tells a quarter of a second late */
    ENDING_MS = 10000,    /* for what runs to end, before sf goes without it */
};

void sf_tui_dirty(struct sf_tui *ui)
{
    ui->dirty = true;
}

/* ---- painting ---- */

static void paint_due(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->paint_timer = 0;
}

static void paint(struct sf_tui *ui)
{
    struct sf_badge_facts facts;
    struct sf_mode_state pending = sf_port_preview(ui->port);
    struct sf_strbuf title = SF_STRBUF_INIT;

    ui->dirty = false;
    ui->painted_ms = sf_clock_monotonic_ms();
    if (ui->setup.inline_mode && sf_tui_prints(ui)) {
        sf_tui_print(ui);
    } else {
        sf_tui_draw(ui);
        sf_terminal_paint(ui->terminal, &ui->frame);
    }
    facts = (struct sf_badge_facts){ sf_port_state(ui->port), &pending, sf_port_scopes(ui->port),
                                     sf_port_approval(ui->port) };
    sf_badge_title(&facts, ui->project, &title);
    sf_terminal_title(ui->terminal, title.buf);
    sf_strbuf_release(&title);
}

/* Things that move by themselves set the pace; without them there is no timer. */
static void tick(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->tick_timer = 0;
    ui->ticks++;
    if (sf_clock_monotonic_ms() - ui->renewed_ms >= STILL_MS) {
        ui->renewed_ms = sf_clock_monotonic_ms();
        sf_overlay_renew(ui);
    }
    sf_tui_dirty(ui);
}

static int64_t pace(const struct sf_tui *ui)
{
    const struct sf_mode_state *state = sf_port_state(ui->port);

    if (sf_card_first(ui)) /* when it begins to listen is seen at once */
        return sf_tui_is_guarded(ui) ? SPIN_MS : STILL_MS;
    if (ui->turn_ms || sf_transcript_runs(ui->transcript))
        return ui->low_motion ? STILL_MS : SPIN_MS;
    if (state->control == SF_RUN_AUTONOMOUS && !state->paused && !ui->low_motion)
        return PULSE_MS;
    return sf_overlay_moves(ui) ? STILL_MS : 0;
}

static void before_wait(void *ctx)
{
    struct sf_tui *ui = ctx;
    int64_t due, wait, every = pace(ui);

    sf_tour_look(ui);
    if (every && !ui->tick_timer)
        ui->tick_timer = sf_loop_add_timer(ui->loop, every, 0, tick, ui);
    if (!ui->dirty || ui->editor)
        return;
    due = ui->painted_ms + FRAME_MS;
    wait = (due > ui->settles_ms ? due : ui->settles_ms) - sf_clock_monotonic_ms();
    if (wait <= 0)
        paint(ui);
    else if (!ui->paint_timer)
        ui->paint_timer = sf_loop_add_timer(ui->loop, wait, 0, paint_due, ui);
}

/* ---- words to the user ---- */

static void status_over(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->status_timer = 0;
    ui->status[0] = '\0';
    sf_tui_dirty(ui);
}

void sf_tui_say(struct sf_tui *ui, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(ui->status, sizeof(ui->status), format, args);
    va_end(args);
    ui->status_bad = bad;
    sf_loop_remove(ui->loop, ui->status_timer);
    ui->status_timer = sf_loop_add_timer(ui->loop, STATUS_MS, 0, status_over, ui);
    sf_tui_dirty(ui);
}

/*
 * What failed stays readable: in the conversation, not in a line that goes away. There it stands
 * before an answer that comes in, which may be longer than the screen.
 */
void sf_tui_fail(struct sf_tui *ui, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s%s%s", err->msg, *err->hint ? "\n" : "", err->hint);
    sf_transcript_add(ui->transcript, SF_ITEM_ERROR, text.buf, text.len, sf_clock_wall_ms());
    sf_transcript_bottom(ui->transcript);
    if (ui->turn_ms)
        sf_tui_say(ui, true, "%s", err->msg);
    sf_strbuf_release(&text);
    sf_tui_dirty(ui);
}

void sf_tui_quit(struct sf_tui *ui)
{
    ui->quitting = true;
    sf_loop_stop(ui->loop);
}

/* ---- sessions ---- */

static void forget_session(struct sf_tui *ui)
{
    sf_cards_release(ui);
    sf_recall_drop(ui);
    sf_transcript_clear(ui->transcript);
    ui->echoed = false;
    ui->printed = 0;
    ui->welcoming = false;
    ui->turn_ms = ui->shell_ms = ui->last_event = 0;
    ui->waiting[0] = '\0';
}

/* A new session goes on with what stands in the composer; else a draft stays with its session. */
static void leaving(void *ctx, bool resumes)
{
    struct sf_tui *ui = ctx;

    if (resumes) {
        sf_draft_save(ui);
        sf_composer_clear(ui->composer);
    } else {
        sf_port_draft_drop(ui->port);
    }
}

static bool entered(void *ctx, bool resumed, struct sf_error *err)
{
    struct sf_tui *ui = ctx;

    forget_session(ui);
    sf_draft_load(ui);
    if (!resumed && !ui->setup.tour)
        sf_welcome_begin(ui);
    else if (resumed && !sf_tui_recall(ui, err))
        return false;
    sf_watch_begin(ui);
    return true;
}

/* ---- what is sent ---- */

/* Words stand in the conversation once the session has them. */
static void turn_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    if (!sent->over) {
        ui->welcoming = false;
        ui->turn_ms = sf_clock_monotonic_ms();
        ui->unsaid = sent->text;
        ui->unsaid_len = sent->len;
        return;
    }
    sf_feed_unsaid(ui);
    if (sent->failed)
        ui->turn_ms = 0;
    sf_transcript_bottom(ui->transcript);
}

static void shell_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    ui->welcoming = false;
    sf_transcript_bottom(ui->transcript);
    if (sent->over && !sent->failed)
        ui->shell_ms = sf_clock_monotonic_ms();
}

/* The line stands in the conversation, and not what the command makes of it. */
static void custom_sent(struct sf_tui *ui, const struct sf_sent *sent)
{
    ui->echoed = !sent->failed;
    if (!sent->over || sent->failed)
        return;
    sf_transcript_seal(ui->transcript);
    sf_transcript_add(ui->transcript, SF_ITEM_USER, sent->text, sent->len, sf_clock_wall_ms());
    sf_transcript_bottom(ui->transcript);
    ui->turn_ms = sf_clock_monotonic_ms();
}

static void summary_begins(struct sf_tui *ui, const struct sf_sent *sent)
{
    (void)sent;
    ui->turn_ms = sf_clock_monotonic_ms();
    snprintf(ui->waiting, sizeof(ui->waiting), "summing up");
}

static void sent(void *ctx, const struct sf_sent *s)
{
    static void (*const shows[])(struct sf_tui * ui, const struct sf_sent *sent) = {
        [SF_SENT_TURN] = turn_sent,
        [SF_SENT_SHELL] = shell_sent,
        [SF_SENT_CUSTOM] = custom_sent,
        [SF_SENT_SUMMARY] = summary_begins,
    };
    struct sf_tui *ui = ctx;

    shows[s->as](ui, s);
    sf_tui_dirty(ui);
}

void sf_tui_begin(struct sf_tui *ui)
{
    const char *words = ui->first;

    if (!words || sf_card_first(ui))
        return;
    ui->first = NULL;
    sf_port_line(ui->port, words);
}

/* ---- life ---- */

/* What is printed cannot be taken back: while a window is dragged, it is waited until it stands. */
static void on_resized(void *ctx)
{
    struct sf_tui *ui = ctx;

    if (ui->setup.inline_mode)
        ui->settles_ms = sf_clock_monotonic_ms() +
                         (sf_terminal_facts(ui->terminal)->tmux ? SETTLE_TMUX_MS : SETTLE_MS);
    sf_tui_dirty(ui);
}

static void on_gone(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->signo = SIGHUP;
    sf_tui_quit(ui);
}

/* Ctrl+C in the editor is the editor's, but the kernel gives it to all on the terminal. */
static void on_signal(void *ctx, int signo)
{
    struct sf_tui *ui = ctx;

    if (signo == SIGINT && ui->editor)
        return;
    ui->signo = signo;
    sf_tui_quit(ui);
}

static bool load_theme(struct sf_tui *ui, struct sf_error *err)
{
    const char *name = sf_port_setting(ui->port, "ui.theme");

    sf_theme_builtin(&ui->theme, "dark");
    return sf_tui_theme(name, &ui->theme, err);
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return sf_strdup(slash && slash[1] ? slash + 1 : path);
}

static int columns(void *ctx)
{
    struct sf_tui *ui = ctx;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    return cols;
}

static void changed(void *ctx)
{
    sf_tui_dirty(ctx);
}

static struct sf_port *make_port(struct sf_tui *ui)
{
    struct sf_port_setup setup = ui->setup.port;

    setup.sends_queue = true;
    setup.session.attended = true;
    setup.session.at_leisure = true;
    setup.surface = (struct sf_port_surface){ .event = sf_tui_told,
                                              .watched = sf_tui_seen,
                                              .response = sf_tui_response,
                                              .sent = sent,
                                              .leaving = leaving,
                                              .entered = entered,
                                              .columns = columns,
                                              .changed = changed,
                                              .settings = &sf_tui_settings,
                                              .ctx = ui };
    return sf_port_open(&setup);
}

static void make(struct sf_tui *ui, const struct sf_tui_setup *setup)
{
    *ui = (struct sf_tui){
        .setup = *setup,
        .loop = setup->port.session.loop,
        .first = setup->first,
        .given = { .text = SF_STRBUF_INIT },
        .frame = SF_FRAME_INIT,
    };
    ui->port = make_port(ui);
    ui->transcript = sf_transcript_new();
    ui->composer = sf_composer_new();
    ui->find = sf_composer_new();
    ui->cards.words = sf_composer_new();
    ui->menu = sf_menu_new();
    ui->project = base_name(setup->port.session.workspace->root);
    ui->low_motion = sf_port_setting_is_on(ui->port, "ui.low_motion");
    sf_composer_set_vim(ui->composer, sf_port_setting_is_on(ui->port, "ui.vim"));
    sf_tui_branch(ui);
}

static void release(struct sf_tui *ui)
{
    if (ui->terminal && ui->setup.inline_mode)
        sf_tui_print_rest(ui);
    sf_terminal_close(ui->terminal);
    ui->closed = true;
    sf_cards_release(ui); /* questions of the port are answered with no while it is there */
    sf_port_close(ui->port);
    sf_overlay_close(ui);
    sf_loop_remove(ui->loop, ui->status_timer);
    sf_composer_free(ui->cards.words);
    free(ui->cards.items);
    sf_menu_free(ui->menu);
    sf_composer_free(ui->composer);
    sf_composer_free(ui->find);
    sf_transcript_free(ui->transcript);
    sf_keymap_free(ui->keys);
    sf_frame_release(&ui->frame);
    sf_strbuf_release(&ui->given.text);
    free(ui->project);
    free(ui->branch);
    free(ui->editor_path);
}

/* From before the terminal is taken until after it is given back: none of them finds it taken. */
static void watch_signals(struct sf_tui *ui, bool on)
{
    static const int signals[SF_TUI_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < SF_COUNT(signals); i++) {
        sf_loop_remove(ui->loop, ui->signals[i]);
        ui->signals[i] = on ? sf_loop_watch_signal(ui->loop, signals[i], on_signal, ui) : 0;
    }
}

static bool open_terminal(struct sf_tui *ui, struct sf_error *err)
{
    const struct sf_terminal_setup setup = { .loop = ui->loop,
                                             .theme = &ui->theme,
                                             .mouse = ui->setup.mouse,
                                             .low_motion = ui->low_motion,
                                             .shared = ui->setup.inline_mode,
                                             .event = sf_tui_event,
                                             .resized = on_resized,
                                             .gone = on_gone,
                                             .ctx = ui };

    ui->terminal = sf_terminal_open(&setup, err);
    return ui->terminal != NULL;
}

/* Nobody is left behind: what runs is ended with all it started. */
static void end_work(struct sf_tui *ui)
{
    int64_t left = ENDING_MS, deadline = sf_clock_monotonic_ms() + left;

    sf_port_end_restore(ui->port);
    sf_port_end(ui->port);
    while (!sf_port_has_ended(ui->port) && left > 0) {
        sf_loop_turn(ui->loop, left);
        left = deadline - sf_clock_monotonic_ms();
    }
    if (!sf_port_has_ended(ui->port))
        exit(ui->signo ? 128 + ui->signo : 1);
}

static bool show_first(struct sf_tui *ui, struct sf_error *err)
{
    if (!ui->setup.port.session.resume && sf_port_draft_claim(ui->port))
        sf_draft_load(ui);
    sf_tour_begin(ui);
    paint(ui);
    if (!sf_port_first_shown(ui->port, err))
        return false;
    sf_port_prompts_load(ui->port);
    return true;
}

static bool loop(struct sf_tui *ui, struct sf_error *err)
{
    bool ok = show_first(ui, err);

    sf_loop_before_wait(ui->loop, before_wait, ui);
    if (ok) {
        sf_port_begin(ui->port);
        sf_tui_begin(ui);
    }
    if (ok && !ui->quitting)
        sf_loop_run(ui->loop);
    sf_loop_before_wait(ui->loop, NULL, NULL);
    sf_draft_save(ui);
    sf_port_draft_settle(ui->port);
    end_work(ui);
    sf_loop_remove(ui->loop, ui->paint_timer);
    sf_loop_remove(ui->loop, ui->tick_timer);
    sf_loop_remove(ui->loop, ui->status_timer);
    sf_loop_remove(ui->loop, ui->draft_timer);
    sf_loop_remove(ui->loop, ui->awaited.timer);
    sf_recall_drop(ui);
    return ok;
}

bool sf_tui_run(const struct sf_tui_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                struct sf_error *err)
{
    struct sf_error theme_err = SF_ERROR_INIT;
    struct sf_tui d;
    bool ok;

    make(&d, setup);
    watch_signals(&d, true);
    ok = sf_port_enter_first(d.port, err);
    sf_settings_keys(&d); /* what is wrong with them stands in the conversation that is open now */
    if (!load_theme(&d, &theme_err))
        sf_tui_fail(&d, &theme_err);
    ok = ok && open_terminal(&d, err) && loop(&d, err);
    *signo = d.signo;
    if (ok && !sf_port_is_blank(d.port))
        snprintf(id, SF_ID_LEN + 1, "%s", sf_port_session(d.port));
    release(&d);
    watch_signals(&d, false);
    return ok;
}
