/*
 * tui.c: the life of the terminal surface: its parts are made, the terminal is taken, the loop
 * runs, and all is given back in the reverse order. In between, sessions come and go.
 */
#include <signal.h>
#include <string.h>

#include "tui/internal.h"

enum { ENDING_MS = 10000 }; /* How long sf waits for running work to end before it exits. */

/*
 * An error stays readable: it stands in the conversation, not in a line that goes away. While a
 * turn runs the status line repeats the error, since the answer may be longer than the screen.
 */
void sf_tui_fail(struct sf_tui *ui, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s%s%s", err->msg, *err->hint ? "\n" : "", err->hint);
    sf_transcript_add(ui->pane.transcript, SF_ITEM_ERROR, text.buf, text.len, sf_clock_wall_ms());
    sf_transcript_bottom(ui->pane.transcript);
    if (ui->progress.turn_ms)
        sf_status_say(&ui->status, true, "%s", err->msg);
    sf_strbuf_release(&text);
    sf_paint_soon(&ui->painter);
}

void sf_tui_quit(struct sf_tui *ui)
{
    ui->quitting = true;
    sf_loop_stop(ui->loop);
}

/* ---- sessions ---- */

static void forget_session(struct sf_tui *ui)
{
    sf_cards_drop(ui);
    sf_recall_drop(ui);
    sf_transcript_clear(ui->pane.transcript);
    ui->pane.printed = 0;
    ui->pane.welcoming = false;
    ui->progress.echoed = false;
    ui->progress.turn_ms = ui->progress.shell_ms = 0;
    ui->progress.waiting[0] = '\0';
}

/* A new session takes over the draft; a session that is resumed has a draft of its own. */
static void leaving(void *ctx, bool resumes)
{
    struct sf_tui *ui = ctx;

    if (resumes) {
        sf_draft_save(ui);
        sf_composer_clear(ui->draft.composer);
    } else {
        sf_port_draft_drop(ui->port);
    }
}

static bool entered(void *ctx, bool resumed, struct sf_error *err)
{
    struct sf_tui *ui = ctx;

    forget_session(ui);
    sf_draft_load(ui);
    if (!resumed && !ui->tour.kept)
        sf_welcome_begin(ui);
    else if (resumed && !sf_recall_begin(ui, err))
        return false;
    sf_watch_begin(ui);
    return true;
}

void sf_tui_begin(struct sf_tui *ui)
{
    const char *words = ui->first;

    if (!words || sf_card_first(&ui->cards))
        return;
    ui->first = NULL;
    sf_port_line(ui->port, words);
}

/* ---- life ---- */

static void on_gone(void *ctx)
{
    struct sf_tui *ui = ctx;

    ui->signo = SIGHUP;
    sf_tui_quit(ui);
}

/* Ctrl+C in the editor is for the editor, but the kernel signals every process on the terminal. */
static void on_signal(void *ctx, int signo)
{
    struct sf_tui *ui = ctx;

    if (signo == SIGINT && ui->lent.pid)
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

static int columns(void *ctx)
{
    struct sf_tui *ui = ctx;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    return cols;
}

static void changed(void *ctx)
{
    struct sf_tui *ui = ctx;

    sf_paint_soon(&ui->painter);
}

static struct sf_port *make_port(struct sf_tui *ui)
{
    struct sf_port_setup setup = ui->setup.port;

    setup.sends_queue = true;
    setup.session.attended = true;
    setup.session.at_leisure = true;
    setup.surface = (struct sf_port_surface){ .event = sf_tui_take,
                                              .watched = sf_tui_seen,
                                              .response = sf_tui_response,
                                              .sent = sf_tui_sent,
                                              .leaving = leaving,
                                              .job = sf_job_told,
                                              .entered = entered,
                                              .columns = columns,
                                              .changed = changed,
                                              .settings = &sf_tui_settings,
                                              .help = sf_help_keys_add,
                                              .ctx = ui };
    return sf_port_open(&setup);
}

static void make(struct sf_tui *ui, const struct sf_tui_setup *setup)
{
    *ui = (struct sf_tui){
        .setup = *setup,
        .loop = setup->port.session.loop,
        .first = setup->first,
        .painter = { .frame = SF_FRAME_INIT },
        .status = { .loop = setup->port.session.loop, .painter = &ui->painter },
        .responses = { .given = { .text = SF_STRBUF_INIT } },
        .tour = { .kept = setup->tour },
    };
    ui->port = make_port(ui);
    ui->pane.transcript = sf_transcript_new();
    ui->draft.composer = sf_composer_new();
    ui->find_bar.field = sf_composer_new();
    ui->cards.words = sf_composer_new();
    ui->cards.text = (struct sf_card_text){
        .call = SF_PAGE_INIT, .about = SF_PAGE_INIT, .names = SF_PAGE_INIT, .pinned = SF_PAGE_INIT
    };
    ui->menu = sf_menu_new();
    sf_settings_sidebar(ui);
    ui->painter.low_motion = sf_port_setting_is_on(ui->port, "ui.low_motion");
    sf_composer_set_vim(ui->draft.composer, sf_port_setting_is_on(ui->port, "ui.vim"));
}

static void release(struct sf_tui *ui)
{
    if (ui->terminal && ui->setup.inline_mode)
        sf_tui_print_rest(ui);
    sf_terminal_close(ui->terminal);
    ui->closed = true;
    sf_cards_drop(ui); /* Questions of the port are answered with no while the port is there. */
    sf_port_close(ui->port);
    sf_overlay_close(ui);
    sf_status_stop(&ui->status);
    sf_cards_release(&ui->cards);
    sf_menu_free(ui->menu);
    sf_composer_free(ui->draft.composer);
    sf_composer_free(ui->find_bar.field);
    sf_transcript_free(ui->pane.transcript);
    sf_keymap_free(ui->keyboard.map);
    sf_frame_release(&ui->painter.frame);
    sf_strbuf_release(&ui->responses.given.text);
    free(ui->lent.path);
}

/*
 * Signals are watched from before the terminal is taken until after it is given back, so that none
 * ends sf while the terminal is taken.
 */
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
                                             .low_motion = ui->painter.low_motion,
                                             .shared = ui->setup.inline_mode,
                                             .event = sf_tui_event,
                                             .resized = sf_paint_resized,
                                             .gone = on_gone,
                                             .ctx = ui };

    ui->terminal = sf_terminal_open(&setup, err);
    return ui->terminal != NULL;
}

/* Ends all running work with the processes it started, so that none is left behind. */
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
    sf_sidebar_want(ui);
    sf_paint_now(ui);
    if (!sf_port_first_shown(ui->port, err))
        return false;
    sf_port_prompts_load(ui->port);
    sf_port_look_checkout(ui->port);
    return true;
}

static bool loop(struct sf_tui *ui, struct sf_error *err)
{
    bool ok = show_first(ui, err);

    sf_loop_before_wait(ui->loop, sf_paint_before_wait, ui);
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
    sf_paint_stop(ui);
    sf_status_stop(&ui->status);
    sf_loop_remove(ui->loop, ui->draft.timer);
    sf_recall_drop(ui);
    return ok;
}

bool sf_tui_run(const struct sf_tui_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                struct sf_error *err)
{
    struct sf_error theme_err = SF_ERROR_INIT;
    struct sf_tui ui;
    bool ok;

    make(&ui, setup);
    watch_signals(&ui, true);
    ok = sf_port_enter_first(ui.port, err);
    sf_settings_keys(&ui); /* An error in them is shown in the conversation, which is open now. */
    if (!load_theme(&ui, &theme_err))
        sf_tui_fail(&ui, &theme_err);
    ok = ok && open_terminal(&ui, err) && loop(&ui, err);
    *signo = ui.signo;
    if (ok && !sf_port_is_blank(ui.port))
        snprintf(id, SF_ID_LEN + 1, "%s", sf_port_session(ui.port));
    release(&ui);
    watch_signals(&ui, false);
    return ok;
}
