/*
 * card_lay.c: the text of a card. All of what is approved is in it, with marks for what would not
 * be seen: the call, why it is asked about, what it takes away, the rest. With little room the
 * reason, the losses and what an answer would keep stay in sight below, and the rest is scrolled.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    LABEL = 8,
    PINS = 4, /* Parts that can stay in sight: the reason, the losses, the terms, the rule. */
};

/* Labels stand in a column of their own where there is room. */
static void add_label(const struct sf_page *page, const char *label, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%-*s ", page->width < SF_CARD_COLS ? 0 : LABEL, label);
}

static bool has_gaps(const struct sf_page *page, const struct sf_card *c)
{
    return page->width >= SF_CARD_COLS && !c->tight;
}

static void lay_label(struct sf_page *page, const char *label, const char *text,
                      struct sf_look look)
{
    const size_t len = strlen(text);
    const struct sf_exact line = { .text = text, .len = len, .end = len, .one_line = true };
    struct sf_strbuf lead = SF_STRBUF_INIT;

    add_label(page, label, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look(SF_LOOK_DIM), false);
    sf_page_add_exact(page, line, look);
    sf_page_end(page);
    sf_strbuf_release(&lead);
}

static void lay_facts(struct sf_page *page, const struct sf_strlist *facts, struct sf_look look)
{
    for (size_t i = 0; i < facts->count; i++) {
        const char *tab = strchr(facts->items[i], '\t');
        char label[LABEL + 1];

        snprintf(label, sizeof(label), "%.*s", (int)(tab - facts->items[i]), facts->items[i]);
        lay_label(page, label, tab + 1, look);
    }
}

/* ---- the call ---- */

static struct sf_exact part_of(const struct sf_card *c, size_t from, size_t to)
{
    return (struct sf_exact){ .text = c->what, .len = strlen(c->what), .at = from, .end = to };
}

/* The part of the command that decided has a colour and is underlined. */
static void lay_named(struct sf_page *page, const struct sf_card *c)
{
    const enum sf_look_role role = c->kind == SF_CARD_CONFIRM ? SF_LOOK_ERROR : SF_LOOK_WARNING;
    const struct sf_look plain = sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD);
    const struct sf_look risky = sf_look_with(role, SF_LOOK_BOLD | SF_LOOK_UNDERLINE);
    size_t shown = SF_ASK_TEXT_MAX, len = strlen(c->what), at = c->risk_at;
    struct sf_strbuf lead = SF_STRBUF_INIT;

    len = len > shown ? sf_utf8_cut(c->what, shown) : len;
    at = at < len ? at : len;
    shown = c->risk_len < len - at ? c->risk_len : len - at;
    add_label(page, !strcmp(c->tool, "Bash") ? "Run" : c->tool, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD), true);
    sf_page_add_exact(page, part_of(c, 0, at), plain);
    if (shown)
        sf_page_anchor(page);
    sf_page_add_exact(page, part_of(c, at, at + shown), risky);
    sf_page_add_exact(page, part_of(c, at + shown, len), plain);
    sf_page_end(page);
    sf_strbuf_release(&lead);
}

static void lay_call(struct sf_page *page, const struct sf_card *c)
{
    const struct sf_diff_lay how = { .lead = "", .exact = true };

    lay_named(page, c);
    if (c->diff.len)
        sf_diff_lay(page, c->diff.buf,
                    c->diff.len < SF_ASK_TEXT_MAX ? c->diff.len : SF_ASK_TEXT_MAX, &how);
    if (c->partly)
        lay_label(page, "",
                  c->draft ? "… more than a card holds: e opens all of it in the editor"
                           : "… more than a card holds: not all of this call is shown",
                  sf_look(SF_LOOK_WARNING));
}

/* One name a line, since a comma may be part of a name. */
static void lay_names(struct sf_page *page, const struct sf_card *c)
{
    for (size_t i = 0; i < c->names.count; i++)
        lay_label(page, i ? "" : "all lost", c->names.items[i], sf_look(SF_LOOK_TEXT));
}

/* What an answer with s or w would cover. */
static void lay_likes(struct sf_page *page, const struct sf_card *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "allow %s", c->likes);
    lay_label(page, "s and w", text.buf, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&text);
}

/* ---- the rest of a call ---- */

/* Names what the key leads to, with the axes as they would be now. */
static void lay_build(struct sf_page *page, const struct sf_tui *ui)
{
    struct sf_mode_state after = sf_port_preview(ui->port);
    struct sf_strbuf text = SF_STRBUF_INIT;

    after.work = SF_WORK_BUILD;
    sf_strbuf_adds(&text, "allow and switch to ");
    sf_mode_state_words(&after, &text);
    sf_page_begin(page, "b        ", NULL, sf_look(SF_LOOK_KEY), false);
    sf_page_adds(page, text.buf, sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
    sf_strbuf_release(&text);
}

/* What the keys besides y lead to; lines that are not pinned have to be scrolled to. */
static void lay_terms(struct sf_tui *ui, bool pins)
{
    struct sf_card_text *t = &ui->cards.text;
    const struct sf_card *c = sf_card_first(&ui->cards);
    struct sf_page *page = pins ? &t->pinned : &t->about;

    t->terms.at = (int)t->about.count;
    if (c->kind == SF_CARD_APPROVE && *c->likes)
        lay_likes(page, c);
    if (c->offers_build)
        lay_build(page, ui);
    t->terms.lines = (int)t->about.count - t->terms.at;
}

/* The first `pins` of reason, losses, terms and rule stay in sight. */
static void lay_about(struct sf_tui *ui, int pins)
{
    struct sf_page *page = &ui->cards.text.about, *pinned = &ui->cards.text.pinned;
    const struct sf_card *c = sf_card_first(&ui->cards);
    bool confirm = c->kind == SF_CARD_CONFIRM;
    struct sf_page *why = pins > 0 ? pinned : page, *lost = pins > 1 ? pinned : page;

    lay_label(why, "why", c->reason, sf_look(confirm ? SF_LOOK_ERROR : SF_LOOK_TEXT));
    lay_facts(lost, &c->losses, sf_look(SF_LOOK_TEXT));
    if (*c->classes)
        lay_label(page, "class", c->classes, sf_look(SF_LOOK_DIM));
    lay_label(pins > 3 ? pinned : page, "rule", c->rule, sf_look(SF_LOOK_DIM));
    lay_facts(page, &c->facts, sf_look(SF_LOOK_DIM));
    lay_terms(ui, pins > 2);
}

/* Pins as much as leaves some of the call in sight. */
static void lay_asked(struct sf_tui *ui, int rows)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    struct sf_card_text *t = &ui->cards.text;
    int pins = c->tight ? PINS : 0;

    do {
        sf_page_reset(&t->about, t->width);
        sf_page_reset(&t->pinned, t->width);
        if (has_gaps(&t->about, c))
            sf_page_line(&t->about, "", 0, sf_look(SF_LOOK_TEXT));
        lay_about(ui, pins);
    } while ((int)t->pinned.count + SF_CARD_LEFT_ROWS > rows && --pins >= 0);
}

static void lay_question(struct sf_page *page, const struct sf_card *c)
{
    sf_markdown_lay(page, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
    if (c->choices.count && has_gaps(page, c))
        sf_page_blank(page);
    for (size_t i = 0; i < c->choices.count; i++) {
        char lead[32];

        snprintf(lead, sizeof(lead), "%zu  ", i + 1);
        sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_KEY), false);
        sf_page_adds(page, c->choices.items[i], sf_look(SF_LOOK_TEXT));
        sf_page_end(page);
    }
}

/* What may be long is laid out once for a card and a width. */
static void lay_once(struct sf_card_text *t, const struct sf_card *c, int width)
{
    if (t->of == c && t->width == width)
        return;
    t->of = c;
    t->width = width;
    t->terms.seen = 0;
    sf_page_reset(&t->call, width);
    sf_page_reset(&t->names, width);
    if (c->kind == SF_CARD_APPROVE || c->kind == SF_CARD_CONFIRM) {
        lay_call(&t->call, c);
        lay_names(&t->names, c);
    }
}

void sf_card_lay(struct sf_tui *ui, int width, int rows)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    struct sf_card_text *t = &ui->cards.text;

    lay_once(t, c, width);
    sf_page_reset(&t->about, width);
    sf_page_reset(&t->pinned, width);
    switch (c->kind) {
    case SF_CARD_APPROVE:
    case SF_CARD_CONFIRM:
        lay_asked(ui, rows);
        break;
    case SF_CARD_QUESTION:
        lay_question(&t->about, c);
        break;
    case SF_CARD_YES_NO:
        sf_markdown_lay(&t->about, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
        break;
    case SF_CARD_PLAN:
        sf_plan_lay(c, t, rows);
        break;
    case SF_CARD_TRUST:
        sf_trust_lay(c, &t->about);
        break;
    }
}

/* ---- advice ---- */

/*
 * How often a key is pressed until the axis has the wanted value. A wider value than the wanted one
 * will do, except on the axis of work modes, where the values have no order.
 */
static int presses(enum sf_axis axis, int now, int want)
{
    int count = 0;

    if (axis != SF_AXIS_WORK)
        return now >= want ? 0 : axis == SF_AXIS_PROFILE ? want - now : 1;
    for (; now != want; now = sf_axis_next(axis, now))
        count++;
    return count;
}

void sf_card_advice(const struct sf_tui *ui, const struct sf_card *c, struct sf_strbuf *out)
{
    static const struct {
        enum sf_axis axis;
        enum sf_action_id action;
    } keys[] = { { SF_AXIS_WORK, SF_ACTION_WORK_MODE },
                 { SF_AXIS_CONTROL, SF_ACTION_ASSISTED },
                 { SF_AXIS_PROFILE, SF_ACTION_PROFILE } };
    const struct sf_mode_state now = sf_port_preview(ui->port);
    unsigned left = c->advice.fields;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        char chord[SF_CHORD_TEXT];
        const char *shown = sf_keymap_shown(ui->keyboard.map, keys[i].action, false, chord);
        int count;

        if (!(left & SF_FIELD_BIT(keys[i].axis)) || !*shown)
            continue;
        left &= ~SF_FIELD_BIT(keys[i].axis);
        count = presses(keys[i].axis, sf_mode_state_get(&now, keys[i].axis),
                        sf_mode_state_get(&c->advice.want, keys[i].axis));
        if (count)
            sf_strbuf_addf(&text, "%s%s", text.len ? ", " : "", shown);
        if (count > 1)
            sf_strbuf_addf(&text, " ×%d", count);
    }
    if (!c->advice.fields)
        sf_strbuf_adds(out, c->hint ? c->hint : "");
    else if (left)
        sf_strbuf_addf(out, "later: %s", c->hint);
    else if (text.len)
        sf_strbuf_addf(out, "unasked next time: %s", text.buf);
    else
        sf_strbuf_adds(out, "the next one like it is not asked about");
    sf_strbuf_release(&text);
}
