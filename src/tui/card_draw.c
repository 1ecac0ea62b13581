/*
 * card_draw.c: how a card looks: a frame with its name, what it says, the field where something is
 * written, and the keys, last and always in sight. A part of the screen is left to the conversation.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    KEY_ROWS = 2,     /* at most; else the letters stand alone */
    FRAMED_ROWS = 8,  /* with fewer there is no room for a frame */
    FIELD_ROWS = 4,   /* of what is written, with which it says itself how much more there is; */
    FIELD_BARE = 2,   /* without a frame */
    FRAME_ROWS = 3,   /* with the line below it */
    SHARED_ROWS = 12, /* a third of what is beyond is the conversation's */
    GAP_COLS = 60,    /* below, keys stand closer together */
};

static const struct {
    const char *title;
    enum sf_look_role edge;
    const char *keys; /* of SF_CARD_APPROVE and SF_CARD_QUESTION it depends */
    bool shares;      /* it is read beside the conversation, not instead of it */
} kinds[] = {
    [SF_CARD_APPROVE] = { "sf asks", SF_LOOK_WARNING, NULL, true },
    [SF_CARD_CONFIRM] = { "sf asks: hard to take back", SF_LOOK_ERROR,
                          "yes ⏎\trun\tn\tdeny\td\tsay why\tq\tstop", true },
    [SF_CARD_QUESTION] = { "sf has a question", SF_LOOK_ACCENT, NULL, true },
    [SF_CARD_YES_NO] = { "sf asks", SF_LOOK_WARNING, "y\tdo it\tn\tleave it", true },
    [SF_CARD_PLAN] = { "sf has a plan", SF_LOOK_ACCENT,
                       "y\taccept\ta\taccept, run by itself\tp\tprofile\te\tedit\td\tsay why "
                       "not\tn\treject",
                       false },
    [SF_CARD_TRUST] = { "sf asks", SF_LOOK_WARNING, "y\ttrust it\tn\tnot now\tx\tnever ask here",
                        false },
};

/* ---- keys ---- */

static void add_key(struct sf_strbuf *out, const char *key, const char *what)
{
    sf_strbuf_addf(out, "%s%s\t%s", out->len ? "\t" : "", key, what);
}

static void add_approving(const struct sf_card *c, struct sf_strbuf *out)
{
    add_key(out, "y", "once");
    if (c->remembers) {
        add_key(out, "s", "session");
        add_key(out, "w", "workspace");
    }
    if (c->draft)
        add_key(out, "e", "edit");
    add_key(out, "n", "deny");
    add_key(out, "d", "say why");
    add_key(out, "q", "stop");
}

static void add_answering(const struct sf_card *c, struct sf_strbuf *out)
{
    char digits[8];

    snprintf(digits, sizeof(digits), c->choices.count > 1 ? "1-%zu" : "1", c->choices.count);
    if (c->choices.count)
        add_key(out, digits, "choose");
    add_key(out, "⏎", "answer");
    add_key(out, "Esc", "no answer");
    add_key(out, "^C", "stop");
}

/* While something is written, what the keys do to that. */
static void add_writing(const struct sf_tui *ui, const struct sf_card *c, struct sf_strbuf *out)
{
    bool own = ui->cards.writing == SF_WORDS_OWN;

    if (c->kind == SF_CARD_CONFIRM && own) {
        add_key(out, "yes ⏎", "run");
    } else {
        add_key(out, "⏎",
                own                                     ? "answer"
                : ui->cards.writing == SF_WORDS_INSTEAD ? "run it"
                : c->kind == SF_CARD_PLAN               ? "reject with these words"
                                                        : "refuse with these words");
        add_key(out, "Ctrl+J", "newline");
    }
    add_key(out, "Esc", own ? "clear" : "back");
}

static void add_keys(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_card *c = sf_card_first(ui);

    if (ui->cards.writing || (sf_card_takes_words(ui, c) && !sf_composer_is_empty(ui->cards.words)))
        add_writing(ui, c, out);
    else if (c->kind == SF_CARD_APPROVE)
        add_approving(c, out);
    else if (c->kind == SF_CARD_QUESTION)
        add_answering(c, out);
    else
        sf_strbuf_adds(out, kinds[c->kind].keys);
}

/* Keys and what they do, or the keys alone, in as many rows as it takes. */
static int flow_keys(const char *keys, struct sf_area area, bool brief, bool draw)
{
    int col = 0, row = 0, gap = brief ? 1 : area.cols < GAP_COLS ? 2 : 3;

    while (*keys) {
        size_t key = strcspn(keys, "\t"), len;
        const char *what = keys + key + (keys[key] == '\t');
        int first = (int)sf_text_width(keys, key), second;

        len = strcspn(what, "\t");
        second = brief ? 0 : 1 + (int)sf_text_width(what, len);
        if (col && col + first + second > area.cols) {
            col = 0;
            row++;
        }
        if (draw)
            sf_area_put(area, row, col, keys, key, sf_look(SF_LOOK_KEY));
        if (draw && !brief)
            sf_area_put(area, row, col + first + 1, what, len, sf_look(SF_LOOK_TEXT));
        col += first + second + gap;
        keys = what + len + (what[len] == '\t');
    }
    return row + 1;
}

static int key_rows(const struct sf_tui *ui, int cols, bool *brief)
{
    const struct sf_area area = { .cols = cols };
    struct sf_strbuf keys = SF_STRBUF_INIT;
    int rows;

    add_keys(ui, &keys);
    rows = flow_keys(keys.buf, area, false, false);
    *brief = rows > (ui->cards.framed ? KEY_ROWS : 1);
    sf_strbuf_release(&keys);
    return *brief ? 1 : rows;
}

static struct sf_area draw_keys(const struct sf_tui *ui, struct sf_area *inside)
{
    struct sf_strbuf keys = SF_STRBUF_INIT;
    bool brief;
    struct sf_area area = sf_area_take_bottom(inside, key_rows(ui, inside->cols, &brief));

    add_keys(ui, &keys);
    flow_keys(keys.buf, area, brief, true);
    sf_strbuf_release(&keys);
    return area;
}

/* ---- what is written ---- */

static const char *prompt_of(const struct sf_tui *ui)
{
    static const char *const prompts[] = {
        [SF_WORDS_OWN] = "› ", [SF_WORDS_WHY] = "why: ", [SF_WORDS_INSTEAD] = "run: "
    };
    bool confirms = sf_card_first(ui)->kind == SF_CARD_CONFIRM && !ui->cards.writing;

    return confirms ? "type yes: " : prompts[ui->cards.writing];
}

static int words_rows(const struct sf_tui *ui, int cols)
{
    if (!sf_card_takes_words(ui, sf_card_first(ui)))
        return 0;
    return sf_composer_rows(ui->cards.words, cols - sf_marked_width(prompt_of(ui)));
}

static int field_rows(const struct sf_tui *ui, int cols)
{
    int rows = words_rows(ui, cols);

    return rows < ui->cards.field_rows ? rows : ui->cards.field_rows;
}

static void draw_field(const struct sf_tui *ui, struct sf_area *inside)
{
    struct sf_area area = sf_area_take_bottom(inside, field_rows(ui, inside->cols));

    if (!area.rows)
        return;
    sf_composer_draw(ui->cards.words, area, prompt_of(ui), sf_look(SF_LOOK_ACCENT), "");
    if (words_rows(ui, area.cols) > area.rows && area.rows < FIELD_ROWS)
        sf_area_puts(area, area.rows - 1, 0, "…", sf_look(SF_LOOK_INFO));
}

/* At most so many rows of a card are the field's. */
static int field_most(bool framed, int max)
{
    int half = (max - FRAME_ROWS - KEY_ROWS) / 2;

    return !framed ? FIELD_BARE : half < 1 ? 1 : half < FIELD_ROWS ? half : FIELD_ROWS;
}

/* ---- the whole ---- */

/* With a frame around it and a line below it, where the screen is large enough for them. */
int sf_card_rows(struct sf_tui *ui, int cols, int max)
{
    struct sf_card *c = sf_card_first(ui);
    struct sf_page page = SF_PAGE_INIT, pinned = SF_PAGE_INIT;
    int inside, around, rows;
    bool brief;

    if (kinds[c->kind].shares && max > SHARED_ROWS)
        max = SHARED_ROWS > max * 2 / 3 ? SHARED_ROWS : max * 2 / 3;
    ui->cards.framed = max >= FRAMED_ROWS && cols >= SF_CARD_COLS;
    ui->cards.field_rows = field_most(ui->cards.framed, max);
    inside = ui->cards.framed ? cols - 4 : cols - 2;
    around =
        key_rows(ui, inside, &brief) + field_rows(ui, inside) + (ui->cards.framed ? FRAME_ROWS : 0);
    c->tight = false;
    sf_card_lay(ui, &page, &pinned, inside, max - around);
    c->tight = (int)page.count + around > max;
    if (c->tight)
        sf_card_lay(ui, &page, &pinned, inside, max - around);
    rows = (int)page.count + (int)pinned.count + around;
    sf_page_release(&page);
    sf_page_release(&pinned);
    return rows < max ? rows : max;
}

/* A word to the user comes first, since there is no other place for it now. */
static void draw_waiting(const struct sf_tui *ui, struct sf_area area, bool more)
{
    const struct sf_card *c = sf_card_first(ui);
    int64_t ms = sf_clock_monotonic_ms() - c->since_ms;
    struct sf_strbuf right = SF_STRBUF_INIT;
    char text[SF_TUI_STATUS] = "what you type goes to the composer until you pause";
    int used;

    if (*ui->status)
        snprintf(text, sizeof(text), "%s", ui->status);
    else if (!sf_tui_is_guarded(ui))
        snprintf(text, sizeof(text), "waiting for you %d:%02d", (int)(ms / 60000),
                 (int)(ms / 1000 % 60));
    if (more)
        sf_strbuf_adds(&right, "PgDn more");
    else
        sf_card_advice(ui, c, &right);
    used = sf_area_put_cut(area, 0, 1, area.cols - 2, text,
                           sf_look(*ui->status && ui->status_bad ? SF_LOOK_ERROR : SF_LOOK_DIM));
    if (used + 4 + sf_marked_width(right.buf) < area.cols)
        sf_area_put_marked_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, right.buf,
                                 sf_look(more ? SF_LOOK_INFO : SF_LOOK_DIM));
    sf_strbuf_release(&right);
}

static struct sf_area frame_card(const struct sf_tui *ui, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(ui);
    char note[64] = "";

    if (!ui->cards.framed)
        return sf_area_part(area, 0, 1, area.rows, area.cols - 2);
    if (ui->cards.count > 1)
        snprintf(note, sizeof(note), "%s1 of %zu", c->amended ? "as you changed it, " : "",
                 ui->cards.count);
    else if (c->amended)
        snprintf(note, sizeof(note), "as you changed it");
    return sf_area_box(area, kinds[c->kind].title, note, sf_look(kinds[c->kind].edge));
}

/* What it says, from where it was scrolled to; true: there is more. */
static bool draw_said(struct sf_tui *ui, struct sf_area inside)
{
    struct sf_page page = SF_PAGE_INIT, pinned = SF_PAGE_INIT;
    struct sf_cards *cards = &ui->cards;
    struct sf_area below;
    int hidden;

    cards->folded = sf_card_lay(ui, &page, &pinned, inside.cols, inside.rows);
    below = sf_area_take_bottom(&inside, (int)pinned.count);
    cards->seen = inside.rows;
    hidden = (int)page.count - inside.rows;
    if (cards->scroll > hidden)
        cards->scroll = hidden > 0 ? hidden : 0;
    for (int row = 0; row < inside.rows && row + cards->scroll < (int)page.count; row++)
        sf_page_draw(&page, (size_t)row + (size_t)cards->scroll, inside, row, 0);
    for (int row = 0; row < below.rows; row++)
        sf_page_draw(&pinned, (size_t)row, below, row, 0);
    sf_page_release(&page);
    sf_page_release(&pinned);
    return hidden > cards->scroll || cards->folded;
}

void sf_card_draw(struct sf_tui *ui, struct sf_area area)
{
    struct sf_area bottom = sf_area_take_bottom(&area, ui->cards.framed ? 1 : 0), inside, keys;
    bool more;

    if (ui->cards.unseen) /* nobody has read it yet */
        sf_card_first(ui)->since_ms = sf_clock_monotonic_ms();
    ui->cards.unseen = false;
    inside = frame_card(ui, area);
    keys = draw_keys(ui, &inside);
    draw_field(ui, &inside);
    more = draw_said(ui, inside);
    if (ui->cards.framed)
        draw_waiting(ui, bottom, more);
    else if (*ui->status)
        sf_area_put_cut(sf_area_part(keys, 0, 0, 1, keys.cols), 0, 0, keys.cols, ui->status,
                        sf_look(ui->status_bad ? SF_LOOK_ERROR : SF_LOOK_DIM));
    else if (more)
        sf_area_put_right(keys, keys.rows - 1, "PgDn", sf_look(SF_LOOK_INFO));
}
