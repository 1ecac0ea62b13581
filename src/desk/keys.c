/*
 * keys.c: what each action does at the desk itself. Esc and Ctrl+C are stacks: each press takes
 * one step back, and never two.
 */
#include <string.h>

#include "desk/internal.h"

enum {
    TWICE_MS = 800, /* two presses that belong together */
    QUIT_MS = 2000,
};

/* ---- sending ---- */

static void take_text(struct sf_desk *d, struct sf_strbuf *out)
{
    sf_composer_text(d->composer, out);
    while (out->len && (out->buf[out->len - 1] == '\n' || out->buf[out->len - 1] == ' '))
        sf_strbuf_truncate(out, out->len - 1);
}

static void run_shell(struct sf_desk *d, const char *command)
{
    struct sf_error err = SF_ERROR_INIT;

    d->welcoming = false;
    sf_transcript_bottom(d->transcript);
    if (sf_talk_shell(d->talk, command + strspn(command, " "), &err))
        d->shell_ms = sf_clock_monotonic_ms();
    else
        sf_desk_fail(d, &err);
}

/* "#NOTE" is the project's, "##NOTE" the user's own. */
static void keep_note(struct sf_desk *d, const char *note)
{
    enum sf_memory which = *note == '#' ? SF_MEMORY_USER : SF_MEMORY_PROJECT;
    struct sf_error err = SF_ERROR_INIT;

    note += strspn(note, "# ");
    if (sf_talk_remember(d->talk, which, note, &err))
        sf_desk_say(d, false, "noted for later sessions of %s", sf_memories[which].whose);
    else
        sf_desk_fail(d, &err);
}

static bool is_command(struct sf_desk *d, const char *text)
{
    return text[0] == '/' && text[1] != '/' && (!strchr(text, '\n') || sf_desk_is_custom(d, text));
}

static bool is_shell(const char *text)
{
    return text[0] == '!' && text[1];
}

/* Markdown of three and more, or one mark alone, is something to say. */
static bool is_note(const char *text)
{
    size_t marks = strspn(text, "#");

    return (marks == 1 || marks == 2) && text[marks + strspn(text + marks, " ")];
}

bool sf_desk_is_said(struct sf_desk *d, const char *text)
{
    return !is_command(d, text) && !is_shell(text) && !is_note(text);
}

void sf_desk_enter(struct sf_desk *d, const char *text)
{
    if (is_command(d, text))
        sf_desk_command(d, text);
    else if (is_shell(text))
        run_shell(d, text + 1);
    else if (is_note(text))
        keep_note(d, text + 1);
    else
        sf_desk_send(d, text, strlen(text));
}

static void act_send(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    take_text(d, &text);
    if (sf_desk_watches(d) && !is_command(d, text.buf)) { /* what was written stays where it is */
        sf_strbuf_reset(&text);
        sf_watch_line(d, &text);
        sf_desk_say(d, true, "not sent: %s", text.buf);
        sf_strbuf_release(&text);
        return;
    }
    if (!text.len) {
        sf_strbuf_release(&text);
        sf_queue_send(d);
        return;
    }
    sf_prompts_add(d, text.buf);
    sf_composer_clear(d->composer);
    sf_menu_refresh(d);
    sf_desk_enter(d, text.buf);
    sf_strbuf_release(&text);
}

static void cycle_preset(struct sf_desk *d)
{
    struct sf_mode_state now = sf_talk_preview(d->talk);
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_preset_change(sf_preset_next(sf_preset_of(&now)), &change);
    sf_desk_change(d, &change, SF_WHEN_DEFAULT, "Tab");
}

static void act_tab(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    take_text(d, &text);
    if (!text.len && !sf_desk_works(d)) {
        cycle_preset(d);
    } else if (text.len && !sf_desk_works(d)) {
        sf_desk_say(d, false, "nothing runs that it could wait for: Enter sends it");
    } else if (text.len) {
        if (sf_queue_add(d, text.buf)) {
            d->queue.held = !sf_talk_busy(d->talk);
            sf_prompts_add(d, text.buf);
            sf_composer_clear(d->composer);
            sf_draft_save(d);
        }
    }
    sf_strbuf_release(&text);
}

/* ---- stepping back ---- */

bool sf_desk_works(const struct sf_desk *d)
{
    return sf_talk_busy(d->talk) || sf_talk_shell_runs(d->talk);
}

static void stop_work(struct sf_desk *d)
{
    d->shell_ms = 0;
    sf_talk_cancel(d->talk);
}

static void act_cancel(struct sf_desk *d)
{
    int64_t now = sf_clock_monotonic_ms();
    bool twice = now - d->escape_ms < TWICE_MS;

    d->escape_ms = now;
    if (sf_composer_vim_mode(d->composer) && sf_composer_vim_escape(d->composer)) {
        d->escape_ms = 0;
    } else if (sf_desk_works(d)) {
        stop_work(d);
        d->escape_ms = 0;
    } else if (sf_composer_is_empty(d->composer) && d->queue.count) {
        sf_queue_drop(d, d->queue.count - 1);
        sf_desk_say(d, false, "the last queued draft is dropped");
        d->escape_ms = 0;
    } else if (!sf_composer_is_empty(d->composer)) {
        sf_composer_clear(d->composer);
        sf_desk_say(d, false, "cleared; Ctrl+_ brings it back");
        d->escape_ms = 0;
    } else if (twice) {
        sf_desk_act(d, SF_ACTION_BACKTRACK);
        d->escape_ms = 0;
    }
    sf_transcript_unselect(d->transcript);
}

static void act_interrupt(struct sf_desk *d)
{
    int64_t now = sf_clock_monotonic_ms();

    if (!sf_composer_is_empty(d->composer)) {
        sf_composer_clear(d->composer);
        sf_menu_refresh(d);
        sf_desk_say(d, false, "cleared; Ctrl+_ brings it back");
    } else if (sf_desk_works(d)) {
        stop_work(d);
    } else if (now - d->interrupt_ms < QUIT_MS) {
        sf_desk_quit(d);
    } else {
        d->interrupt_ms = now;
        sf_desk_say(d, false, "Ctrl+C again quits");
    }
}

static void act_quit(struct sf_desk *d)
{
    if (!sf_composer_is_empty(d->composer))
        sf_composer_do(d->composer, SF_COMPOSE_DELETE);
    else if (sf_desk_works(d))
        sf_desk_say(d, false, "%s is running: Esc cancels it",
                    sf_talk_busy(d->talk) ? "a turn" : "a command of yours");
    else
        sf_desk_quit(d);
}

/* ---- axes ---- */

static void set_axis(struct sf_desk *d, enum sf_axis axis, int value)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_axis(&change, axis, value);
    sf_desk_change(d, &change, SF_WHEN_DEFAULT, "key");
}

static void cycle_axis(struct sf_desk *d, enum sf_axis axis)
{
    struct sf_mode_state now = sf_talk_preview(d->talk);

    set_axis(d, axis, sf_axis_next(axis, sf_mode_state_get(&now, axis)));
}

static void act_autonomous(struct sf_desk *d)
{
    set_axis(d, SF_AXIS_CONTROL, SF_RUN_AUTONOMOUS);
}

static void act_assisted(struct sf_desk *d)
{
    set_axis(d, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
}

static void act_manual(struct sf_desk *d)
{
    set_axis(d, SF_AXIS_CONTROL, SF_RUN_MANUAL);
}

static void act_repair(struct sf_desk *d)
{
    set_axis(d, SF_AXIS_WORK, SF_WORK_REPAIR);
}

static void act_work_mode(struct sf_desk *d)
{
    cycle_axis(d, SF_AXIS_WORK);
}

static void act_profile(struct sf_desk *d)
{
    cycle_axis(d, SF_AXIS_PROFILE);
}

static void act_model_mode(struct sf_desk *d)
{
    cycle_axis(d, SF_AXIS_MODEL);
}

/* ---- reading ---- */

static void act_expand(struct sf_desk *d)
{
    if (sf_composer_unfold(d->composer)) /* the paste under the cursor is nearer than the rest */
        return;
    sf_transcript_unfold(d->transcript, !sf_transcript_unfolded(d->transcript));
}

static void act_find(struct sf_desk *d)
{
    d->finding = true;
    sf_composer_clear(d->find);
    d->found = d->find_total = 0;
}

static void act_copy(struct sf_desk *d)
{
    sf_desk_command(d, "/copy");
}

static void act_times(struct sf_desk *d)
{
    d->times = !d->times;
}

static void act_page_up(struct sf_desk *d)
{
    sf_recall_above(d);
    sf_transcript_page(d->transcript, -1);
}

static void act_page_down(struct sf_desk *d)
{
    sf_transcript_page(d->transcript, 1);
}

static void act_line_up(struct sf_desk *d)
{
    sf_recall_above(d);
    sf_transcript_scroll(d->transcript, -1);
}

static void act_line_down(struct sf_desk *d)
{
    sf_transcript_scroll(d->transcript, 1);
}

static void act_top(struct sf_desk *d)
{
    sf_recall_all(d, true);
    sf_transcript_top(d->transcript);
}

static void act_bottom(struct sf_desk *d)
{
    sf_transcript_bottom(d->transcript);
}

static void act_redraw(struct sf_desk *d)
{
    sf_terminal_repaint(d->terminal);
}

static void act_suspend(struct sf_desk *d)
{
    sf_terminal_suspend(d->terminal);
}

static void act_newline(struct sf_desk *d)
{
    sf_composer_do(d->composer, SF_COMPOSE_NEWLINE);
}

static void act_up(struct sf_desk *d)
{
    if (!sf_composer_do(d->composer, SF_COMPOSE_UP))
        sf_prompts_step(d, -1);
}

static void act_down(struct sf_desk *d)
{
    if (!sf_composer_do(d->composer, SF_COMPOSE_DOWN))
        sf_prompts_step(d, 1);
}

/* ---- the table ---- */

static void act_help(struct sf_desk *d)
{
    sf_desk_command(d, "/help");
}

static void act_sessions(struct sf_desk *d)
{
    sf_desk_command(d, "/sessions");
}

static void act_tasks(struct sf_desk *d)
{
    sf_desk_command(d, "/tasks");
}

static void act_backtrack(struct sf_desk *d)
{
    sf_desk_command(d, "/backtrack");
}

static void act_editor(struct sf_desk *d)
{
    sf_desk_command(d, "/editor");
}

static void (*const acts[SF_ACTION_COUNT])(struct sf_desk *d) = {
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
    [SF_ACTION_PALETTE] = sf_desk_palette,
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
    [SF_ACTION_SESSIONS] = act_sessions,
    [SF_ACTION_UP] = act_up,
    [SF_ACTION_DOWN] = act_down,
};

void sf_desk_act(struct sf_desk *d, enum sf_action_id action)
{
    if (acts[action])
        acts[action](d);
    else
        sf_field_act(d->composer, action);
    sf_menu_refresh(d);
    sf_draft_changed(d);
    sf_desk_dirty(d);
}
