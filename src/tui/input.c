/*
 * input.c: who gets what the terminal sends. A card has the keys before an overlay, that before
 * the search field, that before the menu, and the composer gets the rest. A card that has just
 * appeared gets nothing for a moment, and nothing from fingers that go on typing: they mean the
 * composer.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    UNSEEN_MS = 300,  /* nobody has read a new card within this time */
    GUARD_MS = 700,   /* how long it looks away … */
    TYPING_MS = 1500, /* … from somebody who typed so recently … */
    PAUSE_MS = 500,   /* … and on, until they pause */
    HASTE = 64,       /* bytes of text that may be several keys */
    WHEEL_LINES = 3,
};

/* ---- editing actions, for every field ---- */

static const struct {
    enum sf_action_id action;
    enum sf_compose compose;
} edits[] = {
    { SF_ACTION_LEFT, SF_COMPOSE_LEFT },
    { SF_ACTION_RIGHT, SF_COMPOSE_RIGHT },
    { SF_ACTION_UP, SF_COMPOSE_UP },
    { SF_ACTION_DOWN, SF_COMPOSE_DOWN },
    { SF_ACTION_WORD_LEFT, SF_COMPOSE_WORD_LEFT },
    { SF_ACTION_WORD_RIGHT, SF_COMPOSE_WORD_RIGHT },
    { SF_ACTION_HOME, SF_COMPOSE_HOME },
    { SF_ACTION_END, SF_COMPOSE_END },
    { SF_ACTION_FIRST, SF_COMPOSE_FIRST },
    { SF_ACTION_LAST, SF_COMPOSE_LAST },
    { SF_ACTION_BACKSPACE, SF_COMPOSE_BACKSPACE },
    { SF_ACTION_DELETE, SF_COMPOSE_DELETE },
    { SF_ACTION_KILL_WORD, SF_COMPOSE_KILL_WORD },
    { SF_ACTION_KILL_WORD_BACK, SF_COMPOSE_KILL_WORD_BACK },
    { SF_ACTION_KILL_WORD_FORWARD, SF_COMPOSE_KILL_WORD_FORWARD },
    { SF_ACTION_KILL_LINE, SF_COMPOSE_KILL_LINE },
    { SF_ACTION_KILL_START, SF_COMPOSE_KILL_START },
    { SF_ACTION_YANK, SF_COMPOSE_YANK },
    { SF_ACTION_YANK_POP, SF_COMPOSE_YANK_POP },
    { SF_ACTION_TRANSPOSE, SF_COMPOSE_TRANSPOSE },
    { SF_ACTION_UNDO, SF_COMPOSE_UNDO },
    { SF_ACTION_REDO, SF_COMPOSE_REDO },
};

bool sf_field_act(struct sf_composer *c, enum sf_action_id action)
{
    for (size_t i = 0; i < SF_COUNT(edits); i++)
        if (edits[i].action == action)
            return sf_composer_do(c, edits[i].compose);
    return false;
}

bool sf_tui_is_guarded(const struct sf_tui *ui)
{
    const struct sf_card *c = sf_card_first(ui);
    int64_t now = sf_clock_monotonic_ms(), since = c ? now - c->since_ms : 0;

    if (!c || since < UNSEEN_MS || ui->cards.unseen)
        return c != NULL;
    if (since < GUARD_MS && ui->last_key_ms < c->since_ms &&
        c->since_ms - ui->last_key_ms < TYPING_MS)
        return true;
    return ui->through_ms >= c->since_ms && now - ui->through_ms < PAUSE_MS;
}

/* ---- searching in the conversation ---- */

static void find_again(struct sf_tui *ui)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_composer_text(ui->find, &words);
    if (words.len)
        sf_recall_all(ui, false);
    ui->find_total = sf_transcript_find(ui->transcript, words.buf);
    ui->found = ui->find_total ? sf_transcript_find_next(ui->transcript, -1) : 0;
    sf_strbuf_release(&words);
}

static void find_event(struct sf_tui *ui, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE) {
        sf_composer_type(ui->find, event->text, event->len);
        find_again(ui);
    } else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT) {
        ui->finding = false;
        sf_transcript_find(ui->transcript, "");
    } else if (action == SF_ACTION_SEND || action == SF_ACTION_UP || action == SF_ACTION_FIND) {
        ui->found = sf_transcript_find_next(ui->transcript, -1);
    } else if (action == SF_ACTION_DOWN) {
        ui->found = sf_transcript_find_next(ui->transcript, 1);
    } else if (sf_field_act(ui->find, action)) {
        find_again(ui);
    }
}

/* ---- the mouse ---- */

static bool inside(const struct sf_area *area, const struct sf_mouse *m)
{
    return m->row >= area->row && m->row < area->row + area->rows && m->col >= area->col &&
           m->col < area->col + area->cols;
}

static size_t count_characters(const struct sf_strbuf *text)
{
    size_t count = 0;
    uint32_t cp;

    for (size_t at = 0; at < text->len; count++)
        at += sf_utf8_decode(text->buf + at, text->len - at, &cp);
    return count;
}

static void copy_selection(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_transcript_copy(ui->transcript, &text)) {
        size_t count = count_characters(&text);

        switch (sf_terminal_copy(ui->terminal, text.buf, text.len)) {
        case SF_COPIED_PROGRAM:
            sf_tui_say(ui, false, "copied %zu character%s", count, count == 1 ? "" : "s");
            break;
        case SF_COPIED_SENT:
            sf_tui_say(ui, false, "sent %zu character%s to the terminal's clipboard", count,
                       count == 1 ? "" : "s");
            break;
        case SF_COPIED_NOT:
            sf_tui_say(ui, true, "too much to copy through the terminal; /export writes a file");
            break;
        }
    }
    sf_strbuf_release(&text);
}

static void mouse_event(struct sf_tui *ui, const struct sf_mouse *m)
{
    const struct sf_area *area = &ui->transcript_area;
    int row = m->row - area->row, col = m->col - area->col;

    switch (m->kind) {
    case SF_MOUSE_WHEEL_UP:
    case SF_MOUSE_WHEEL_DOWN:
        if (m->kind == SF_MOUSE_WHEEL_UP)
            sf_recall_above(ui);
        sf_transcript_scroll(ui->transcript,
                             m->kind == SF_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
        break;
    case SF_MOUSE_PRESS:
        sf_transcript_unselect(ui->transcript);
        ui->dragging = false;
        if (inside(&ui->composer_area, m))
            sf_composer_click(ui->composer, m->row - ui->composer_area.row,
                              m->col - ui->composer_area.col);
        else if (inside(area, m))
            sf_transcript_select(ui->transcript, row, col);
        break;
    case SF_MOUSE_DRAG:
        ui->dragging = true;
        sf_transcript_extend(ui->transcript, row, col + 1);
        break;
    case SF_MOUSE_RELEASE:
        if (ui->dragging)
            copy_selection(ui);
        else if (inside(area, m))
            sf_transcript_toggle_at(ui->transcript, row);
        ui->dragging = false;
        break;
    }
}

/* ---- the composer ---- */

static void type(struct sf_tui *ui, const struct sf_term_event *event)
{
    bool vim = sf_composer_vim_mode(ui->composer) != NULL;
    bool ok = true;

    if (event->kind == SF_TERM_PASTE) {
        ok = sf_composer_paste(ui->composer, event->text, event->len);
    } else if (vim) {
        for (size_t at = 0, n; at < event->len; at += n) {
            uint32_t cp;

            n = sf_utf8_decode(event->text + at, event->len - at, &cp);
            if (!sf_composer_vim_key(ui->composer, cp, 0))
                ok = sf_composer_type(ui->composer, event->text + at, n) && ok;
        }
    } else {
        ok = sf_composer_type(ui->composer, event->text, event->len);
    }
    if (!ok)
        sf_tui_say(ui, true, "a draft holds at most %d MiB", SF_COMPOSER_MAX >> 20);
    if (event->cut)
        sf_tui_say(ui, true, "the paste was longer than %d MiB and was cut", SF_PASTE_MAX >> 20);
    sf_menu_refresh(ui);
    sf_draft_changed(ui);
}

static void main_event(struct sf_tui *ui, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE)
        type(ui, event);
    else if (event->kind == SF_TERM_MOUSE)
        mouse_event(ui, &event->mouse);
    else if (action != SF_ACTION_NONE && !sf_menu_act(ui, action))
        sf_tui_act(ui, action);
}

/* A leader's second key may be a letter, which comes as text. */
static enum sf_action_id action_of(struct sf_tui *ui, const struct sf_term_event *event)
{
    struct sf_key key = event->key;
    bool waits = false;
    enum sf_action_id action;

    if (event->kind == SF_TERM_TEXT && sf_keymap_leader(ui->keys)) {
        sf_key_of_text(&key, event->text, event->len);
    } else if (event->kind != SF_TERM_KEY) {
        return SF_ACTION_NONE;
    }
    action = sf_keymap_feed(ui->keys, &key, &waits);
    if (waits)
        sf_tui_dirty(ui);
    return action;
}

/* What has the same meaning whatever lies on the screen. */
static bool is_everywhere(enum sf_action_id action)
{
    static const enum sf_action_id everywhere[] = {
        SF_ACTION_WORK_MODE,  SF_ACTION_AUTONOMOUS, SF_ACTION_ASSISTED,
        SF_ACTION_MANUAL,     SF_ACTION_REPAIR,     SF_ACTION_PROFILE,
        SF_ACTION_MODEL_MODE, SF_ACTION_SUSPEND,    SF_ACTION_REDRAW,
    };

    for (size_t i = 0; i < SF_COUNT(everywhere); i++)
        if (everywhere[i] == action)
            return true;
    return false;
}

/* A card that nobody can see is answered by nobody, and what is typed at it was meant for it. */
static bool is_lost(struct sf_tui *ui, enum sf_action_id action)
{
    if (!sf_card_first(ui) || !sf_tui_is_small(ui))
        return false;
    ui->cards.unseen = true;
    return action != SF_ACTION_SUSPEND && action != SF_ACTION_REDRAW;
}

static void give(struct sf_tui *ui, const struct sf_term_event *event, enum sf_action_id action)
{
    bool mouse = event->kind == SF_TERM_MOUSE, guarded = !mouse && sf_tui_is_guarded(ui);
    bool secret = sf_overlay_is_secret(ui); /* whatever comes up meanwhile: it goes nowhere else */

    if (is_lost(ui, action))
        return;
    if (is_everywhere(action))
        sf_tui_act(ui, action);
    else if (sf_card_first(ui) && !mouse && !guarded && !secret)
        sf_card_key(ui, event, action);
    else if (ui->overlay)
        sf_overlay_event(ui, event, action);
    else if (ui->finding && !mouse)
        find_event(ui, event, action);
    else
        main_event(ui, event, action);
    if (guarded && event->kind == SF_TERM_TEXT)
        ui->through_ms = sf_clock_monotonic_ms();
}

/* Where one letter is a key, those that came in one read are several. */
static bool is_several(const struct sf_tui *ui, const struct sf_term_event *event)
{
    uint32_t cp;

    return event->kind == SF_TERM_TEXT &&
           (sf_keymap_leader(ui->keys) || (ui->overlay && event->len <= HASTE)) &&
           sf_utf8_decode(event->text, event->len, &cp) < event->len;
}

static void one_event(struct sf_tui *ui, const struct sf_term_event *event)
{
    struct sf_term_event as_key = { .kind = SF_TERM_KEY };
    bool led = sf_keymap_leader(ui->keys) != NULL;
    enum sf_action_id action;

    sf_tui_dirty(ui);
    if (event->kind == SF_TERM_FOCUS) {
        ui->unfocused = !event->on;
        return;
    }
    if (event->kind == SF_TERM_REPLY)
        return;
    ui->earlier.to_top = false; /* whoever does something else is not waiting for the beginning */
    if (event->kind != SF_TERM_MOUSE) /* it was read, or is not of now any more */
        ui->status[0] = '\0';
    action = action_of(ui, event);
    if (led && event->kind == SF_TERM_TEXT) { /* the letter belonged to the leader */
        if (action == SF_ACTION_NONE)
            sf_tui_say(ui, true, "that key means nothing here");
        event = &as_key;
    }
    give(ui, event, action);
    if (!sf_composer_is_empty(ui->composer))
        sf_port_prepare(ui->port);
    if (event->kind != SF_TERM_MOUSE) {
        ui->last_key_ms = sf_clock_monotonic_ms();
        sf_draft_changed(ui);
    }
}

void sf_tui_event(void *ctx, const struct sf_term_event *event)
{
    struct sf_tui *ui = ctx;
    struct sf_term_event rest = *event, first = *event;
    uint32_t cp;

    if (ui->quitting)
        return; /* what still runs is being ended */
    while (is_several(ui, &rest)) {
        first.text = rest.text;
        first.len = sf_utf8_decode(rest.text, rest.len, &cp);
        rest.text += first.len;
        rest.len -= first.len;
        one_event(ui, &first);
    }
    one_event(ui, &rest);
}
