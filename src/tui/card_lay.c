/*
 * card_lay.c: the text of a card. With enough room it stands there in order: the call, why it is
 * asked about, what it takes away, the rest. With less, the reason and the losses stay in sight
 * below, the command is folded around the part that decided, and the rest is scrolled.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    LABEL = 8,
    PINS = 3,       /* Parts that can stay in sight: the reason, the losses, the rule. */
    LEFT_ROWS = 3,  /* Rows of the call itself that stay in sight in any case. */
    AROUND = 160,   /* Bytes of a folded command on each side of the part that decided. */
    PART_MAX = 400, /* Bytes of that part. */
    DIFF_LINES = 60,
};

/* Labels stand in a column of their own where there is room. */
static void add_label(const struct sf_page *page, const char *label, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%-*s ", page->width < SF_CARD_COLS ? 0 : LABEL, label);
}

static void lay_gap(struct sf_page *page, const struct sf_card *c)
{
    if (page->width >= SF_CARD_COLS && !c->tight)
        sf_page_blank(page);
}

static void lay_label(struct sf_page *page, const char *label, const char *text,
                      struct sf_look look)
{
    struct sf_strbuf lead = SF_STRBUF_INIT;

    add_label(page, label, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look(SF_LOOK_DIM), false);
    sf_page_adds(page, text, look);
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

/* A piece of the command; the part that decided has a colour and is underlined. */
static void add_piece(struct sf_page *page, const struct sf_card *c, size_t from, size_t to)
{
    const enum sf_look_role role = c->kind == SF_CARD_CONFIRM ? SF_LOOK_ERROR : SF_LOOK_WARNING;
    const struct sf_look plain = sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD);
    const struct sf_look risky = sf_look_with(role, SF_LOOK_BOLD | SF_LOOK_UNDERLINE);
    size_t at = c->risk_at < from ? from : c->risk_at < to ? c->risk_at : to;
    size_t end = c->risk_at + c->risk_len;

    end = end < at ? at : end < to ? end : to;
    sf_page_add(page, c->what + from, at - from, plain);
    sf_page_add(page, c->what + at, end - at, risky);
    sf_page_add(page, c->what + end, to - end, plain);
}

/* A piece that is left out is replaced by its size: "… 31 lines". */
static void add_gap(struct sf_page *page, const struct sf_card *c, size_t from, size_t to)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t lines = 0;

    for (size_t i = from; i < to; i++)
        lines += c->what[i] == '\n';
    if (lines > 1)
        sf_strbuf_addf(&text, "… %zu lines", lines);
    else
        sf_strbuf_addf(&text, "… %zu characters", sf_text_width(c->what + from, to - from));
    sf_page_adds(page, text.buf, sf_look(SF_LOOK_INFO));
    sf_strbuf_release(&text);
}

static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const char *text, size_t at)
{
    return at + strcspn(text + at, "\n");
}

/* Finds the part that decided and, unless `bare`, the rest of its line and the lines beside it. */
static void find_part(const struct sf_card *c, bool bare, size_t *from, size_t *to)
{
    size_t len = strlen(c->what), at = c->risk_at, end = at + c->risk_len;

    if (end > at + PART_MAX)
        end = at + sf_utf8_cut(c->what + at, PART_MAX);
    *from = line_start(c->what, at);
    *to = line_end(c->what, end);
    if (!bare && *from > 0)
        *from = line_start(c->what, *from - 1);
    if (!bare && *to < len)
        *to = line_end(c->what, *to + 1);
    if (at - *from > AROUND)
        *from = sf_utf8_cut(c->what, at - AROUND);
    if (*to - end > AROUND)
        *to = end + sf_utf8_cut(c->what + end, AROUND);
}

/* The folded command: its beginning, the part that decided, and how much is left out. */
static void add_folded(struct sf_page *page, const struct sf_card *c, bool bare)
{
    size_t len = strlen(c->what), head = line_end(c->what, 0), from, to;

    find_part(c, bare, &from, &to);
    if (head > AROUND)
        head = sf_utf8_cut(c->what, AROUND);
    if (from > head + 1) {
        if (!bare)
            add_piece(page, c, 0, head);
        if (!bare)
            sf_page_adds(page, "\n", sf_look(SF_LOOK_TEXT));
        add_gap(page, c, bare ? 0 : head, from);
        sf_page_adds(page, bare ? " " : "\n", sf_look(SF_LOOK_TEXT));
    } else {
        from = 0;
    }
    add_piece(page, c, from, to);
    if (to < len) {
        sf_page_adds(page, bare ? " " : "\n", sf_look(SF_LOOK_TEXT));
        add_gap(page, c, to, len);
    }
}

enum fold { FOLD_NOT, FOLD_AROUND, FOLD_BARE };

static void lay_named(struct sf_page *page, const struct sf_card *c, enum fold fold)
{
    struct sf_strbuf lead = SF_STRBUF_INIT;

    add_label(page, !strcmp(c->tool, "Bash") ? "Run" : c->tool, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD), true);
    if (fold == FOLD_NOT)
        add_piece(page, c, 0, strlen(c->what));
    else
        add_folded(page, c, fold == FOLD_BARE);
    sf_page_end(page);
    sf_strbuf_release(&lead);
}

/* Folds the command as little as it takes to fit. True: it is folded. */
static bool lay_what(struct sf_page *page, const struct sf_card *c, bool whole, int rows)
{
    struct sf_diff_lay how = { .lead = "", .max_lines = DIFF_LINES };
    int fold = FOLD_NOT;

    lay_named(page, c, FOLD_NOT);
    while (c->tight && !whole && (int)page->count > rows && fold < FOLD_BARE) {
        sf_page_reset(page, page->width);
        lay_named(page, c, (enum fold)++ fold);
    }
    if (c->diff.len) {
        lay_gap(page, c);
        sf_diff_lay(page, c->diff.buf, c->diff.len, &how);
    }
    return fold != FOLD_NOT;
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

static void lay_build(struct sf_page *page)
{
    sf_page_begin(page, "b        ", NULL, sf_look(SF_LOOK_KEY), false);
    sf_page_adds(page, "allow and switch to build", sf_look(SF_LOOK_TEXT));
    sf_page_end(page);
}

/* The first `pins` of reason, losses and rule stay in sight. */
static void lay_about(struct sf_page *page, struct sf_page *pinned, const struct sf_card *c,
                      int pins)
{
    bool confirm = c->kind == SF_CARD_CONFIRM;
    struct sf_page *why = pins > 0 ? pinned : page, *lost = pins > 1 ? pinned : page;
    struct sf_page *rule = pins > 2 ? pinned : page;

    lay_label(why, "why", c->reason, sf_look(confirm ? SF_LOOK_ERROR : SF_LOOK_TEXT));
    lay_facts(lost, &c->losses, sf_look(SF_LOOK_TEXT));
    if (*c->classes)
        lay_label(page, "class", c->classes, sf_look(SF_LOOK_DIM));
    lay_label(rule, "rule", c->rule, sf_look(SF_LOOK_DIM));
    lay_facts(page, &c->facts, sf_look(SF_LOOK_DIM));
    if (c->kind == SF_CARD_APPROVE && *c->likes)
        lay_likes(page, c);
    if (c->offers_build)
        lay_build(rule);
}

static bool lay_asked(struct sf_page *page, struct sf_page *pinned, const struct sf_cards *cards,
                      int rows)
{
    const struct sf_card *c = sf_card_first(cards);
    int pins = c->tight ? PINS : 0;
    bool folded;

    for (; pins > 0; pins--) { /* As many as leave some of the call in sight. */
        struct sf_page rest = SF_PAGE_INIT;

        sf_page_reset(&rest, page->width);
        sf_page_reset(pinned, page->width);
        lay_about(&rest, pinned, c, pins);
        sf_page_release(&rest);
        if ((int)pinned->count + LEFT_ROWS <= rows)
            break;
    }
    rows -= pins > 0 ? (int)pinned->count : 0;
    sf_page_reset(pinned, page->width);
    folded = lay_what(page, c, cards->whole, rows);
    lay_gap(page, c);
    lay_about(page, pinned, c, pins);
    return folded;
}

bool sf_card_lay(const struct sf_cards *cards, struct sf_page *page, struct sf_page *pinned,
                 int width, int rows)
{
    const struct sf_card *c = sf_card_first(cards);

    sf_page_reset(page, width);
    sf_page_reset(pinned, width);
    switch (c->kind) {
    case SF_CARD_APPROVE:
    case SF_CARD_CONFIRM:
        return lay_asked(page, pinned, cards, rows);
    case SF_CARD_QUESTION:
        sf_markdown_lay(page, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
        if (c->choices.count)
            lay_gap(page, c);
        for (size_t i = 0; i < c->choices.count; i++) {
            char lead[32];

            snprintf(lead, sizeof(lead), "%zu  ", i + 1);
            sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_KEY), false);
            sf_page_adds(page, c->choices.items[i], sf_look(SF_LOOK_TEXT));
            sf_page_end(page);
        }
        break;
    case SF_CARD_YES_NO:
        sf_markdown_lay(page, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
        break;
    case SF_CARD_PLAN:
        sf_plan_lay(c, page);
        break;
    case SF_CARD_TRUST:
        sf_trust_lay(c, page);
        break;
    }
    return false;
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
