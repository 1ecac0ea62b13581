/*
 * keys.c: what each action does outside of cards and overlays. Esc and Ctrl+C are stacks: each
 * press takes one step back, and never two.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    TWICE_MS = 800, /* Two presses of Esc within this time belong together. */
    QUIT_MS = 2000,
};

/* ---- sending ---- */

static void take_text(struct sf_tui *ui, struct sf_strbuf *out)
{
    sf_composer_text(ui->draft.composer, out);
    while (out->len && (out->buf[out->len - 1] == '\n' || out->buf[out->len - 1] == ' '))
        sf_strbuf_truncate(out, out->len - 1);
}

static void act_send(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    take_text(ui, &text);
    if (sf_tui_watches(ui) &&
        !sf_port_is_command(ui->port, text.buf)) { /* The text stays in the composer. */
        sf_strbuf_reset(&text);
        sf_watch_line(ui->port, &text);
        sf_status_say(&ui->status, true, "not sent: %s", text.buf);
        sf_strbuf_release(&text);
        return;
    }
    if (!text.len) {
        sf_strbuf_release(&text);
        sf_port_queue_send(ui->port);
        return;
    }
    sf_port_prompts_add(ui->port, text.buf);
    sf_composer_clear(ui->draft.composer);
    sf_menu_refresh(ui);
    sf_port_line(ui->port, text.buf);
    sf_strbuf_release(&text);
}

/* What the user just declined is passed over. */
static void cycle_preset(struct sf_tui *ui)
{
    struct sf_mode_state now = sf_port_preview(ui->port);
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    const struct sf_preset *next = sf_preset_next(sf_preset_of(&now));

    sf_preset_change(next, &change);
    if (sf_port_was_declined(ui->port, &change)) {
        change = SF_MODE_CHANGE_INIT;
        sf_preset_change(sf_preset_next(next), &change);
    }
    sf_port_change(ui->port, &change, SF_WHEN_DEFAULT, "Tab");
}

/* A draft is there, and Tab would have nothing to queue it behind. */
static bool waits_for_nothing(const struct sf_tui *ui)
{
    return !sf_port_works(ui->port) && !sf_composer_is_empty(ui->draft.composer);
}

static void act_tab(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    take_text(ui, &text);
    if (!text.len && !sf_port_works(ui->port)) {
        cycle_preset(ui);
    } else if (text.len && !sf_port_works(ui->port)) {
        sf_status_say(&ui->status, false, "nothing runs that it could wait for: Enter sends it");
        sf_status_while(&ui->status, waits_for_nothing);
    } else if (text.len) {
        if (sf_port_queue_add(ui->port, text.buf)) {
            sf_port_prompts_add(ui->port, text.buf);
            sf_composer_clear(ui->draft.composer);
            sf_draft_save(ui);
        }
    }
    sf_strbuf_release(&text);
}

/* ---- stepping back ---- */

static void stop_work(struct sf_tui *ui)
{
    ui->progress.shell_ms = 0;
    sf_port_cancel(ui->port);
}

bool sf_tui_escape_pauses(const struct sf_tui *ui)
{
    const struct sf_mode_state next = sf_port_preview(ui->port);

    return sf_port_busy(ui->port) && sf_mode_state_drives(&next);
}

static bool is_pausing(const struct sf_tui *ui)
{
    return sf_port_busy(ui->port) && !sf_tui_escape_pauses(ui);
}

/* A run that goes on by itself ends after its step; the next Esc cancels the step, too. */
static void pause_run(struct sf_tui *ui)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_paused(&change, true);
    sf_port_change(ui->port, &change, SF_WHEN_DEFAULT, "Esc");
    sf_status_say(&ui->status, false, "no further step follows; Esc again cancels what runs");
    sf_status_while(&ui->status, is_pausing);
}

/* What was cleared comes back until something else is typed. */
static bool is_cleared(const struct sf_tui *ui)
{
    return sf_composer_is_empty(ui->draft.composer);
}

static void say_cleared(struct sf_tui *ui)
{
    sf_status_say(&ui->status, false, "cleared; Ctrl+_ brings it back");
    sf_status_while(&ui->status, is_cleared);
}

static void act_cancel(struct sf_tui *ui)
{
    int64_t now = sf_clock_monotonic_ms();
    bool twice = now - ui->keyboard.escape_ms < TWICE_MS;

    ui->keyboard.escape_ms = now;
    if (sf_composer_vim_mode(ui->draft.composer) && sf_composer_vim_escape(ui->draft.composer)) {
        ui->keyboard.escape_ms = 0;
    } else if (sf_tui_escape_pauses(ui)) {
        pause_run(ui);
        ui->keyboard.escape_ms = 0;
    } else if (sf_port_works(ui->port)) {
        stop_work(ui);
        ui->keyboard.escape_ms = 0;
    } else if (sf_composer_is_empty(ui->draft.composer) && sf_port_queue(ui->port)->count) {
        sf_port_queue_drop(ui->port, sf_port_queue(ui->port)->count - 1);
        sf_status_say(&ui->status, false, "the last queued draft is dropped");
        ui->keyboard.escape_ms = 0;
    } else if (!sf_composer_is_empty(ui->draft.composer)) {
        sf_composer_clear(ui->draft.composer);
        say_cleared(ui);
        ui->keyboard.escape_ms = 0;
    } else if (twice) {
        sf_tui_act(ui, SF_ACTION_BACKTRACK);
        ui->keyboard.escape_ms = 0;
    }
    sf_transcript_unselect(ui->pane.transcript);
}

/* Jobs in the background would end, too: the user is asked. */
static void leave(struct sf_tui *ui)
{
    if (sf_port_may_leave(ui->port))
        sf_tui_quit(ui);
}

static bool quits_next(const struct sf_tui *ui)
{
    return sf_composer_is_empty(ui->draft.composer) && !sf_port_works(ui->port) &&
           sf_clock_monotonic_ms() - ui->keyboard.interrupt_ms < QUIT_MS;
}

static void act_interrupt(struct sf_tui *ui)
{
    int64_t now = sf_clock_monotonic_ms();

    if (!sf_composer_is_empty(ui->draft.composer)) {
        sf_composer_clear(ui->draft.composer);
        sf_menu_refresh(ui);
        say_cleared(ui);
    } else if (sf_port_works(ui->port)) {
        stop_work(ui);
    } else if (now - ui->keyboard.interrupt_ms < QUIT_MS) {
        leave(ui);
    } else {
        ui->keyboard.interrupt_ms = now;
        sf_status_say(&ui->status, false, "Ctrl+C again quits");
        sf_status_while(&ui->status, quits_next);
        sf_status_for(&ui->status, QUIT_MS);
    }
}

static bool runs_still(const struct sf_tui *ui)
{
    return sf_port_works(ui->port);
}

static void say_running(struct sf_tui *ui)
{
    sf_status_say(&ui->status, false, "%s is running: %s cancels it", sf_port_running(ui->port),
                  sf_tui_escape_pauses(ui) ? "Esc twice" : "Esc");
    sf_status_while(&ui->status, runs_still);
}

static void act_quit(struct sf_tui *ui)
{
    if (!sf_composer_is_empty(ui->draft.composer))
        sf_composer_do(ui->draft.composer, SF_COMPOSE_DELETE);
    else if (sf_port_works(ui->port))
        say_running(ui);
    else
        leave(ui);
}

/* ---- axes ---- */

static void set_axis(struct sf_tui *ui, enum sf_axis axis, int value)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_axis(&change, axis, value);
    sf_port_change(ui->port, &change, SF_WHEN_DEFAULT, "key");
}

static void cycle_axis(struct sf_tui *ui, enum sf_axis axis)
{
    struct sf_mode_state now = sf_port_preview(ui->port);
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    int value = sf_axis_next(axis, sf_mode_state_get(&now, axis));

    sf_change_axis(&change, axis, value);
    if (sf_port_was_declined(ui->port, &change))
        value = sf_axis_next(axis, value);
    set_axis(ui, axis, value);
}

static void act_autonomous(struct sf_tui *ui)
{
    set_axis(ui, SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS);
}

static void act_assisted(struct sf_tui *ui)
{
    set_axis(ui, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
}

static void act_manual(struct sf_tui *ui)
{
    set_axis(ui, SF_AXIS_CONTROL, SF_RUN_MANUAL);
}

static void act_repair(struct sf_tui *ui)
{
    set_axis(ui, SF_AXIS_WORK, SF_WORK_REPAIR);
}

static void act_work_mode(struct sf_tui *ui)
{
    cycle_axis(ui, SF_AXIS_WORK);
}

static void act_profile(struct sf_tui *ui)
{
    cycle_axis(ui, SF_AXIS_PROFILE);
}

static void act_model_mode(struct sf_tui *ui)
{
    cycle_axis(ui, SF_AXIS_MODEL);
}

/* ---- reading ---- */

static void act_expand(struct sf_tui *ui)
{
    if (sf_composer_unfold(ui->draft.composer)) /* A paste under the cursor comes first. */
        return;
    sf_transcript_unfold(ui->pane.transcript, !sf_transcript_unfolded(ui->pane.transcript));
}

static void act_find(struct sf_tui *ui)
{
    sf_find_bar_open(&ui->find_bar);
}

static void act_copy(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/copy");
}

static void act_times(struct sf_tui *ui)
{
    ui->pane.times = !ui->pane.times;
}

static void act_page_up(struct sf_tui *ui)
{
    sf_recall_above(ui);
    sf_transcript_page(ui->pane.transcript, -1);
}

static void act_page_down(struct sf_tui *ui)
{
    sf_transcript_page(ui->pane.transcript, 1);
}

static void act_line_up(struct sf_tui *ui)
{
    sf_recall_above(ui);
    sf_transcript_scroll(ui->pane.transcript, -1);
}

static void act_line_down(struct sf_tui *ui)
{
    sf_transcript_scroll(ui->pane.transcript, 1);
}

static void act_top(struct sf_tui *ui)
{
    sf_recall_all(ui, true);
    sf_transcript_top(ui->pane.transcript);
}

static void act_bottom(struct sf_tui *ui)
{
    sf_transcript_bottom(ui->pane.transcript);
}

static void act_redraw(struct sf_tui *ui)
{
    sf_terminal_repaint(ui->terminal);
}

static void act_suspend(struct sf_tui *ui)
{
    sf_terminal_suspend(ui->terminal);
}

static void act_newline(struct sf_tui *ui)
{
    sf_composer_do(ui->draft.composer, SF_COMPOSE_NEWLINE);
}

static void act_up(struct sf_tui *ui)
{
    if (!sf_composer_do(ui->draft.composer, SF_COMPOSE_UP))
        sf_prompts_step(ui, -1);
}

static void act_down(struct sf_tui *ui)
{
    if (!sf_composer_do(ui->draft.composer, SF_COMPOSE_DOWN))
        sf_prompts_step(ui, 1);
}

/* ---- the table ---- */

static void act_help(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/help");
}

static void act_sessions(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/sessions");
}

static void act_tasks(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/tasks");
}

static void act_sidebar(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/sidebar");
}

static void act_backtrack(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/backtrack");
}

static void act_editor(struct sf_tui *ui)
{
    sf_port_line(ui->port, "/editor");
}

static void (*const acts[SF_ACTION_COUNT])(struct sf_tui *ui) = {
    [SF_ACTION_SEND] = act_send,
    [SF_ACTION_NEWLINE] = act_newline,
    [SF_ACTION_TAB] = act_tab,
    [SF_ACTION_CANCEL] = act_cancel,
    [SF_ACTION_INTERRUPT] = act_interrupt,
    [SF_ACTION_QUIT] = act_quit,
    [SF_ACTION_SUSPEND] = act_suspend,
    [SF_ACTION_REDRAW] = act_redraw,
    [SF_ACTION_MODEL_MODE] = act_model_mode,
    [SF_ACTION_WORK_MODE] = act_work_mode,
    [SF_ACTION_AUTONOMOUS] = act_autonomous,
    [SF_ACTION_ASSISTED] = act_assisted,
    [SF_ACTION_MANUAL] = act_manual,
    [SF_ACTION_REPAIR] = act_repair,
    [SF_ACTION_PROFILE] = act_profile,
    [SF_ACTION_HELP] = act_help,
    [SF_ACTION_PALETTE] = sf_tui_palette,
    [SF_ACTION_HISTORY] = sf_prompts_search,
    [SF_ACTION_EDITOR] = act_editor,
    [SF_ACTION_EXPAND] = act_expand,
    [SF_ACTION_FIND] = act_find,
    [SF_ACTION_BACKTRACK] = act_backtrack,
    [SF_ACTION_COPY] = act_copy,
    [SF_ACTION_TIMES] = act_times,
    [SF_ACTION_SCROLL_UP] = act_page_up,
    [SF_ACTION_SCROLL_DOWN] = act_page_down,
    [SF_ACTION_SCROLL_TOP] = act_top,
    [SF_ACTION_SCROLL_BOTTOM] = act_bottom,
    [SF_ACTION_LINE_UP] = act_line_up,
    [SF_ACTION_LINE_DOWN] = act_line_down,
    [SF_ACTION_TASKS] = act_tasks,
    [SF_ACTION_SIDEBAR] = act_sidebar,
    [SF_ACTION_SESSIONS] = act_sessions,
    [SF_ACTION_UP] = act_up,
    [SF_ACTION_DOWN] = act_down,
};

void sf_tui_act(struct sf_tui *ui, enum sf_action_id action)
{
    if (acts[action])
        acts[action](ui);
    else
        sf_field_act(ui->draft.composer, action);
    sf_menu_refresh(ui);
    sf_draft_changed(ui);
    sf_paint_soon(&ui->painter);
}
