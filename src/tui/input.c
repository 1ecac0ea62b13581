/*
 * input.c: who gets a key. A card comes before an overlay, an overlay before the search field, the
 * search field before the menu, and the composer gets the rest. A card that has just appeared gets
 * nothing for a moment, and nothing while the user goes on typing: that text is for the composer. A
 * card that the user asked for, by a command or a key, gets keys at once.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    HASTE = 64,     /* Bytes of text that may be several keys pressed in haste. */
    REST_MS = 3000, /* After so long without a key the checkout may be another one. */
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

/* ---- the composer ---- */

static void type(struct sf_tui *ui, const struct sf_term_event *event)
{
    bool vim = sf_composer_vim_mode(ui->draft.composer) != NULL;
    bool ok = true;

    if (event->kind == SF_TERM_PASTE) {
        ok = sf_composer_paste(ui->draft.composer, event->text, event->len);
    } else if (vim) {
        for (size_t at = 0, n; at < event->len; at += n) {
            uint32_t cp;

            n = sf_utf8_decode(event->text + at, event->len - at, &cp);
            if (!sf_composer_vim_key(ui->draft.composer, cp, 0))
                ok = sf_composer_type(ui->draft.composer, event->text + at, n) && ok;
        }
    } else {
        ok = sf_composer_type(ui->draft.composer, event->text, event->len);
    }
    if (!ok)
        sf_status_say(&ui->status, true, "a draft holds at most %d MiB", SF_COMPOSER_MAX >> 20);
    if (event->cut)
        sf_status_say(&ui->status, true, "the paste was longer than %d MiB and was cut",
                      SF_PASTE_MAX >> 20);
    sf_menu_refresh(ui);
    sf_draft_changed(ui);
}

static void main_event(struct sf_tui *ui, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE)
        type(ui, event);
    else if (event->kind == SF_TERM_MOUSE)
        sf_pane_mouse(ui, &event->mouse);
    else if (action != SF_ACTION_NONE && !sf_menu_act(ui, action))
        sf_tui_act(ui, action);
}

/* The second key of a leader may be a letter, which comes as text. */
static enum sf_action_id action_of(struct sf_tui *ui, const struct sf_term_event *event)
{
    struct sf_key key = event->key;
    bool waits = false;
    enum sf_action_id action;

    if (event->kind == SF_TERM_TEXT && sf_keymap_leader(ui->keyboard.map)) {
        sf_key_of_text(&key, event->text, event->len);
    } else if (event->kind != SF_TERM_KEY) {
        return SF_ACTION_NONE;
    }
    action = sf_keymap_feed(ui->keyboard.map, &key, &waits);
    if (waits)
        sf_paint_soon(&ui->painter);
    return action;
}

/* Whether the action means the same whatever is on the screen. */
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

/*
 * A card that is not on the screen takes no answer. What is typed meanwhile was meant for the card,
 * so nobody gets it.
 */
static bool is_lost(struct sf_tui *ui, enum sf_action_id action)
{
    if (!sf_card_first(&ui->cards) || !sf_tui_is_small(ui))
        return false;
    ui->cards.unseen = true;
    return action != SF_ACTION_SUSPEND && action != SF_ACTION_REDRAW;
}

static void give(struct sf_tui *ui, const struct sf_term_event *event, enum sf_action_id action)
{
    bool mouse = event->kind == SF_TERM_MOUSE,
         guarded = !mouse && sf_cards_are_guarded(&ui->cards, &ui->keyboard);
    bool secret = sf_overlay_is_secret(ui->overlay); /* A card must not get parts of a secret. */

    if (is_lost(ui, action))
        return;
    if (is_everywhere(action))
        sf_tui_act(ui, action);
    else if (sf_card_first(&ui->cards) && !mouse && !guarded && !secret)
        sf_card_key(ui, event, action);
    else if (sf_card_first(&ui->cards) && mouse && sf_card_wheel(&ui->cards, &event->mouse))
        ; /* Elsewhere the wheel moves the conversation. */
    else if (ui->overlay)
        sf_overlay_event(ui, event, action);
    else if (ui->find_bar.open && !mouse)
        sf_find_bar_event(ui, event, action);
    else
        main_event(ui, event, action);
    if (guarded && event->kind == SF_TERM_TEXT)
        ui->keyboard.through_ms = sf_clock_monotonic_ms();
}

/* Where letters are keys, several letters that came in one read are several keys. */
static bool is_several(const struct sf_tui *ui, const struct sf_term_event *event)
{
    uint32_t cp;

    return event->kind == SF_TERM_TEXT &&
           (sf_keymap_leader(ui->keyboard.map) || (ui->overlay && event->len <= HASTE)) &&
           sf_utf8_decode(event->text, event->len, &cp) < event->len;
}

/* Who types again may have changed files elsewhere, and few terminals tell that they came back. */
static void look_after_rest(struct sf_tui *ui)
{
    if (sf_clock_monotonic_ms() - ui->keyboard.last_key_ms >= REST_MS)
        sf_port_look_checkout(ui->port);
}

static void one_event(struct sf_tui *ui, const struct sf_term_event *event)
{
    struct sf_term_event as_key = { .kind = SF_TERM_KEY };
    bool led = sf_keymap_leader(ui->keyboard.map) != NULL;
    enum sf_action_id action;

    sf_paint_soon(&ui->painter);
    if (event->kind == SF_TERM_FOCUS) {
        ui->keyboard.unfocused = !event->on;
        if (event->on) /* Who comes back may have changed files or the branch. */
            sf_port_look_checkout(ui->port);
        return;
    }
    if (event->kind == SF_TERM_REPLY)
        return;
    ui->earlier.to_top = false; /* A user who presses a key waits for the beginning no longer. */
    if (event->kind != SF_TERM_MOUSE) { /* The status was read, or is out of date. */
        ui->status.text[0] = '\0';
        look_after_rest(ui);
    }
    action = action_of(ui, event);
    if (led && event->kind == SF_TERM_TEXT) { /* The letter belonged to the leader. */
        if (action == SF_ACTION_NONE)
            sf_status_say(&ui->status, true, "that key means nothing here");
        event = &as_key;
    }
    ui->keyboard.pressed = !sf_card_first(&ui->cards); /* An answer opens no card unseen. */
    give(ui, event, action);
    ui->keyboard.pressed = false;
    if (!sf_composer_is_empty(ui->draft.composer))
        sf_port_prepare(ui->port);
    if (event->kind != SF_TERM_MOUSE) {
        ui->keyboard.last_key_ms = sf_clock_monotonic_ms();
        sf_draft_changed(ui);
    }
}

void sf_tui_event(void *ctx, const struct sf_term_event *event)
{
    struct sf_tui *ui = ctx;
    struct sf_term_event rest = *event, first = *event;
    uint32_t cp;

    if (ui->quitting)
        return; /* Running work is being ended. */
    while (is_several(ui, &rest)) {
        first.text = rest.text;
        first.len = sf_utf8_decode(rest.text, rest.len, &cp);
        rest.text += first.len;
        rest.len -= first.len;
        one_event(ui, &first);
    }
    one_event(ui, &rest);
}
