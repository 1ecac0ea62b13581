/*
 * input.c: who gets what the terminal sends. A card has the keys before an overlay, that before
 * the search field, that before the menu, and the composer gets the rest. A card that has just
 * appeared gets nothing for a moment, and nothing from fingers that go on typing: they mean the
 * composer.
 */
#include <string.h>

#include "desk/internal.h"

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

bool sf_desk_is_guarded(const struct sf_desk *d)
{
    const struct sf_card *c = sf_card_first(d);
    int64_t now = sf_clock_monotonic_ms(), since = c ? now - c->since_ms : 0;

    if (!c || since < UNSEEN_MS || d->cards.unseen)
        return c != NULL;
    if (since < GUARD_MS && d->last_key_ms < c->since_ms &&
        c->since_ms - d->last_key_ms < TYPING_MS)
        return true;
    return d->through_ms >= c->since_ms && now - d->through_ms < PAUSE_MS;
}

/* ---- searching in the conversation ---- */

static void find_again(struct sf_desk *d)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_composer_text(d->find, &words);
    if (words.len)
        sf_recall_all(d, false);
    d->find_total = sf_transcript_find(d->transcript, words.buf);
    d->found = d->find_total ? sf_transcript_find_next(d->transcript, -1) : 0;
    sf_strbuf_release(&words);
}

static void find_event(struct sf_desk *d, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE) {
        sf_composer_type(d->find, event->text, event->len);
        find_again(d);
    } else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT) {
        d->finding = false;
        sf_transcript_find(d->transcript, "");
    } else if (action == SF_ACTION_SEND || action == SF_ACTION_UP || action == SF_ACTION_FIND) {
        d->found = sf_transcript_find_next(d->transcript, -1);
    } else if (action == SF_ACTION_DOWN) {
        d->found = sf_transcript_find_next(d->transcript, 1);
    } else if (sf_field_act(d->find, action)) {
        find_again(d);
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

static void copy_selection(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_transcript_copy(d->transcript, &text)) {
        size_t count = count_characters(&text);

        switch (sf_terminal_copy(d->terminal, text.buf, text.len)) {
        case SF_COPIED_PROGRAM:
            sf_desk_say(d, false, "copied %zu character%s", count, count == 1 ? "" : "s");
            break;
        case SF_COPIED_SENT:
            sf_desk_say(d, false, "sent %zu character%s to the terminal's clipboard", count,
                        count == 1 ? "" : "s");
            break;
        case SF_COPIED_NOT:
            sf_desk_say(d, true, "too much to copy through the terminal; /export writes a file");
            break;
        }
    }
    sf_strbuf_release(&text);
}

static void mouse_event(struct sf_desk *d, const struct sf_mouse *m)
{
    const struct sf_area *area = &d->transcript_area;
    int row = m->row - area->row, col = m->col - area->col;

    switch (m->kind) {
    case SF_MOUSE_WHEEL_UP:
    case SF_MOUSE_WHEEL_DOWN:
        if (m->kind == SF_MOUSE_WHEEL_UP)
            sf_recall_above(d);
        sf_transcript_scroll(d->transcript,
                             m->kind == SF_MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
        break;
    case SF_MOUSE_PRESS:
        sf_transcript_unselect(d->transcript);
        d->dragging = false;
        if (inside(&d->composer_area, m))
            sf_composer_click(d->composer, m->row - d->composer_area.row,
                              m->col - d->composer_area.col);
        else if (inside(area, m))
            sf_transcript_select(d->transcript, row, col);
        break;
    case SF_MOUSE_DRAG:
        d->dragging = true;
        sf_transcript_extend(d->transcript, row, col + 1);
        break;
    case SF_MOUSE_RELEASE:
        if (d->dragging)
            copy_selection(d);
        else if (inside(area, m))
            sf_transcript_toggle_at(d->transcript, row);
        d->dragging = false;
        break;
    }
}

/* ---- the composer ---- */

static void type(struct sf_desk *d, const struct sf_term_event *event)
{
    bool vim = sf_composer_vim_mode(d->composer) != NULL;
    bool ok = true;

    if (event->kind == SF_TERM_PASTE) {
        ok = sf_composer_paste(d->composer, event->text, event->len);
    } else if (vim) {
        for (size_t at = 0, n; at < event->len; at += n) {
            uint32_t cp;

            n = sf_utf8_decode(event->text + at, event->len - at, &cp);
            if (!sf_composer_vim_key(d->composer, cp, 0))
                ok = sf_composer_type(d->composer, event->text + at, n) && ok;
        }
    } else {
        ok = sf_composer_type(d->composer, event->text, event->len);
    }
    if (!ok)
        sf_desk_say(d, true, "a draft holds at most %d MiB", SF_COMPOSER_MAX >> 20);
    if (event->cut)
        sf_desk_say(d, true, "the paste was longer than %d MiB and was cut", SF_PASTE_MAX >> 20);
    sf_menu_refresh(d);
    sf_draft_changed(d);
}

static void main_event(struct sf_desk *d, const struct sf_term_event *event,
                       enum sf_action_id action)
{
    if (event->kind == SF_TERM_TEXT || event->kind == SF_TERM_PASTE)
        type(d, event);
    else if (event->kind == SF_TERM_MOUSE)
        mouse_event(d, &event->mouse);
    else if (action != SF_ACTION_NONE && !sf_menu_act(d, action))
        sf_desk_act(d, action);
}

/* A leader's second key may be a letter, which comes as text. */
static enum sf_action_id action_of(struct sf_desk *d, const struct sf_term_event *event)
{
    struct sf_key key = event->key;
    bool waits = false;
    enum sf_action_id action;

    if (event->kind == SF_TERM_TEXT && sf_keymap_leader(d->keys)) {
        sf_key_of_text(&key, event->text, event->len);
    } else if (event->kind != SF_TERM_KEY) {
        return SF_ACTION_NONE;
    }
    action = sf_keymap_feed(d->keys, &key, &waits);
    if (waits)
        sf_desk_dirty(d);
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
static bool is_lost(struct sf_desk *d, enum sf_action_id action)
{
    if (!sf_card_first(d) || !sf_desk_is_small(d))
        return false;
    d->cards.unseen = true;
    return action != SF_ACTION_SUSPEND && action != SF_ACTION_REDRAW;
}

static void give(struct sf_desk *d, const struct sf_term_event *event, enum sf_action_id action)
{
    bool mouse = event->kind == SF_TERM_MOUSE, guarded = !mouse && sf_desk_is_guarded(d);
    bool secret = sf_overlay_is_secret(d); /* whatever comes up meanwhile: it goes nowhere else */

    if (is_lost(d, action))
        return;
    if (is_everywhere(action))
        sf_desk_act(d, action);
    else if (sf_card_first(d) && !mouse && !guarded && !secret)
        sf_card_key(d, event, action);
    else if (d->overlay)
        sf_overlay_event(d, event, action);
    else if (d->finding && !mouse)
        find_event(d, event, action);
    else
        main_event(d, event, action);
    if (guarded && event->kind == SF_TERM_TEXT)
        d->through_ms = sf_clock_monotonic_ms();
}

/* Where one letter is a key, those that came in one read are several. */
static bool is_several(const struct sf_desk *d, const struct sf_term_event *event)
{
    uint32_t cp;

    return event->kind == SF_TERM_TEXT &&
           (sf_keymap_leader(d->keys) || (d->overlay && event->len <= HASTE)) &&
           sf_utf8_decode(event->text, event->len, &cp) < event->len;
}

static void one_event(struct sf_desk *d, const struct sf_term_event *event)
{
    struct sf_term_event as_key = { .kind = SF_TERM_KEY };
    bool led = sf_keymap_leader(d->keys) != NULL;
    enum sf_action_id action;

    sf_desk_dirty(d);
    if (event->kind == SF_TERM_FOCUS) {
        d->unfocused = !event->on;
        return;
    }
    if (event->kind == SF_TERM_REPLY)
        return;
    d->earlier.to_top = false; /* whoever does something else is not waiting for the beginning */
    if (event->kind != SF_TERM_MOUSE) /* it was read, or is not of now any more */
        d->status[0] = '\0';
    action = action_of(d, event);
    if (led && event->kind == SF_TERM_TEXT) { /* the letter belonged to the leader */
        if (action == SF_ACTION_NONE)
            sf_desk_say(d, true, "that key means nothing here");
        event = &as_key;
    }
    give(d, event, action);
    if (!sf_composer_is_empty(d->composer))
        sf_talk_prepare(d->talk);
    if (event->kind != SF_TERM_MOUSE) {
        d->last_key_ms = sf_clock_monotonic_ms();
        sf_draft_changed(d);
    }
}

void sf_desk_event(void *ctx, const struct sf_term_event *event)
{
    struct sf_desk *d = ctx;
    struct sf_term_event rest = *event, first = *event;
    uint32_t cp;

    if (d->quitting)
        return; /* what still runs is being ended */
    while (is_several(d, &rest)) {
        first.text = rest.text;
        first.len = sf_utf8_decode(rest.text, rest.len, &cp);
        rest.text += first.len;
        rest.len -= first.len;
        one_event(d, &first);
    }
    one_event(d, &rest);
}
