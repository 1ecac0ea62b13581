/*
 * card_scroll.c: how much of a card's text is in sight, and the keys that move it. The text opens
 * where the part that decided can be seen; from there every line can be reached, and the card says
 * how many lie above and below.
 */
#include <string.h>

#include "tui/internal.h"

enum { WHEEL_LINES = 3, TO_THE_END = 1 << 30 };

/* Lines that can be scrolled. */
static int count_lines(const struct sf_card_text *text)
{
    return (int)(text->call.count + text->about.count + text->names.count);
}

int sf_card_height(const struct sf_card_text *text)
{
    return count_lines(text) + (int)text->pinned.count;
}

/* ---- drawing ---- */

static void draw_line(const struct sf_card_text *t, size_t line, struct sf_area area, int row)
{
    const struct sf_page *pages[] = { &t->call, &t->about, &t->names };

    for (size_t i = 0; i < SF_COUNT(pages); i++) {
        if (line < pages[i]->count) {
            sf_page_draw(pages[i], line, area, row, 0);
            return;
        }
        line -= pages[i]->count;
    }
}

/* The part that decided, with the line before it if there is room. */
static int opening_line(const struct sf_card_text *t, int rows)
{
    int anchor = (int)t->call.anchor;

    return anchor < rows ? 0 : rows > 2 ? anchor - 1 : anchor;
}

/* Marks the terms as read once each of their lines has been among the rows on the screen. */
static void mark_terms(struct sf_cards *cards, int rows)
{
    struct sf_card_terms *terms = &cards->text.terms;
    int top = (int)cards->text.call.count + terms->at, next = top + terms->seen;
    int end = cards->scroll + rows;

    if (next >= cards->scroll && next < end)
        terms->seen = end - top < terms->lines ? end - top : terms->lines;
    if (terms->seen >= terms->lines)
        sf_card_first(cards)->read_terms = true;
}

bool sf_card_keeps(const struct sf_card *c)
{
    return c->remembers && c->read_terms;
}

void sf_card_draw_text(struct sf_cards *cards, struct sf_area area)
{
    const struct sf_card_text *t = &cards->text;
    struct sf_area below = sf_area_take_bottom(&area, (int)t->pinned.count);
    int lines = count_lines(t), hidden = lines > area.rows ? lines - area.rows : 0;

    if (!cards->moved)
        cards->scroll = opening_line(t, area.rows);
    if (cards->scroll > hidden)
        cards->scroll = hidden;
    cards->seen = area.rows;
    cards->below = hidden - cards->scroll;
    for (int row = 0; row < area.rows && row + cards->scroll < lines; row++)
        draw_line(t, (size_t)row + (size_t)cards->scroll, area, row);
    for (int row = 0; row < below.rows; row++)
        sf_page_draw(&t->pinned, (size_t)row, below, row, 0);
    if (below.rows == (int)t->pinned.count)
        mark_terms(cards, area.rows);
}

/* From the one that says most to the one that needs least room. */
enum form { FORM_WORDS, FORM_KEY, FORM_SIGNS, FORM_ONE, FORMS };

static void add_side(const char *key, int lines, bool up, enum form form, struct sf_strbuf *out)
{
    if (!lines)
        return;
    sf_strbuf_adds(out, !out->len ? "" : form == FORM_WORDS ? "  " : " ");
    if (form == FORM_WORDS)
        sf_strbuf_addf(out, "%s %d %s", key, lines, up ? "above" : "below");
    else
        sf_strbuf_addf(out, "%s%d", up ? "↑" : "↓", lines);
}

/* "PgUp 12 above  PgDn 93 below", "↑12 ↓93 PgDn", "↑12 ↓93" or "↓93" */
static void add_form(const struct sf_tui *ui, enum form form, struct sf_strbuf *out)
{
    const struct sf_cards *cards = &ui->cards;
    char up[SF_CHORD_TEXT], down[SF_CHORD_TEXT];

    sf_keymap_shown(ui->keyboard.map, SF_ACTION_SCROLL_UP, false, up);
    sf_keymap_shown(ui->keyboard.map, SF_ACTION_SCROLL_DOWN, false, down);
    if (form != FORM_ONE || !cards->below)
        add_side(up, cards->scroll, true, form, out);
    add_side(down, cards->below, false, form, out);
    if (form == FORM_KEY)
        sf_strbuf_addf(out, " %s", cards->below ? down : up);
}

void sf_card_out_of_sight(const struct sf_tui *ui, int cols, struct sf_strbuf *out)
{
    for (int form = 0; form < FORMS && (ui->cards.scroll || ui->cards.below); form++) {
        sf_strbuf_reset(out);
        add_form(ui, (enum form)form, out);
        if (sf_marked_width(out->buf) <= cols)
            return;
    }
}

void sf_card_say_unread(struct sf_tui *ui)
{
    const struct sf_card_text *t = &ui->cards.text;
    bool up = (int)t->call.count + t->terms.at + t->terms.seen < ui->cards.scroll;
    char chord[SF_CHORD_TEXT];

    sf_keymap_shown(ui->keyboard.map, up ? SF_ACTION_SCROLL_UP : SF_ACTION_SCROLL_DOWN, false,
                    chord);
    sf_status_say(&ui->status, true, "%s first: read what %s", chord,
                  sf_card_first(&ui->cards)->remembers ? "s and w allow" : "b leads to");
}

/* ---- moving ---- */

static void move_by(struct sf_cards *cards, int lines)
{
    cards->moved = true;
    cards->scroll = cards->scroll + lines > 0 ? cards->scroll + lines : 0;
}

/* Keys that belong to the field while it holds text; `lines` is 0 for a page. */
static const struct {
    enum sf_action_id action;
    int lines, pages;
    bool shared;
} moves[] = {
    { SF_ACTION_SCROLL_UP, 0, -1, false },
    { SF_ACTION_SCROLL_DOWN, 0, 1, false },
    { SF_ACTION_SCROLL_TOP, -TO_THE_END, 0, false },
    { SF_ACTION_SCROLL_BOTTOM, TO_THE_END, 0, false },
    { SF_ACTION_UP, -1, 0, true },
    { SF_ACTION_DOWN, 1, 0, true },
    { SF_ACTION_HOME, -TO_THE_END, 0, true },
    { SF_ACTION_END, TO_THE_END, 0, true },
};

bool sf_card_scroll(struct sf_cards *cards, enum sf_action_id action)
{
    bool writes = sf_card_takes_words(cards) && !sf_composer_is_empty(cards->words);
    int page = cards->seen > 2 ? cards->seen - 1 : 1; /* One line stays in sight. */

    for (size_t i = 0; i < SF_COUNT(moves); i++)
        if (moves[i].action == action && !(moves[i].shared && writes)) {
            move_by(cards, moves[i].lines + moves[i].pages * page);
            return true;
        }
    return false;
}

bool sf_card_wheel(struct sf_cards *cards, const struct sf_mouse *mouse)
{
    bool up = mouse->kind == SF_MOUSE_WHEEL_UP;

    if ((!up && mouse->kind != SF_MOUSE_WHEEL_DOWN) || mouse->row < cards->top)
        return false;
    move_by(cards, up ? -WHEEL_LINES : WHEEL_LINES);
    return true;
}
