/*
 * card_draw.c: the look of a card: a frame with a title, the text, the field, and the keys, last
 * and always in sight. A part of the screen is left to the conversation.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    KEY_ROWS = 2,     /* If the keys need more rows, the letters stand alone. */
    SIGHT_COLS = 13,  /* Columns beside the keys for what is out of sight: "↑29 ↓35 PgDn". */
    FRAMED_ROWS = 8,  /* Below so many rows there is no frame. */
    FIELD_ROWS = 4,   /* A field this high says itself how much more text there is. */
    FIELD_BARE = 2,   /* The same for a card without a frame. */
    FRAME_ROWS = 3,   /* The frame and the line below it. */
    SHARED_ROWS = 12, /* Of taller screens the conversation keeps a third. */
    GAP_COLS = 60,    /* Below so many columns the keys stand closer together. */
};

static const struct {
    const char *title;
    enum sf_look_role edge;
    const char *keys; /* NULL: the keys depend on the card. */
    bool shares;      /* The conversation stays in sight beside the card. */
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

static void add_approving(const struct sf_card *c, bool keeps, struct sf_strbuf *out)
{
    add_key(out, "y", "once");
    if (keeps) {
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

/* The keys while the field holds text. */
static void add_writing(const struct sf_cards *cards, struct sf_strbuf *out)
{
    const struct sf_card *c = sf_card_first(cards);
    bool own = cards->writing == SF_WORDS_OWN;

    if (c->kind == SF_CARD_CONFIRM && own) {
        add_key(out, "yes ⏎", "run");
    } else {
        add_key(out, "⏎",
                own                                  ? "answer"
                : cards->writing == SF_WORDS_INSTEAD ? "run it"
                : c->kind == SF_CARD_PLAN            ? "reject with these words"
                                                     : "refuse with these words");
        add_key(out, "Ctrl+J", "newline");
    }
    add_key(out, "Esc", own ? "clear" : "back");
}

/* `all`: with the keys that are offered once the user has read what they lead to. */
static void add_keys(const struct sf_cards *cards, bool all, struct sf_strbuf *out)
{
    const struct sf_card *c = sf_card_first(cards);

    if (cards->writing || (sf_card_takes_words(cards) && !sf_composer_is_empty(cards->words)))
        add_writing(cards, out);
    else if (c->kind == SF_CARD_APPROVE)
        add_approving(c, all ? c->remembers : sf_card_keeps(c), out);
    else if (c->kind == SF_CARD_QUESTION)
        add_answering(c, out);
    else
        sf_strbuf_adds(out, kinds[c->kind].keys);
}

/* What the keys take: rows, and columns of the last one. */
struct taken {
    int rows, cols;
};

/* Draws or measures the keys, each with what it does or, if brief, alone. */
static struct taken flow_keys(const char *keys, struct sf_area area, bool brief, bool draw)
{
    int col = 0, row = 0, end = 0, gap = brief ? 1 : area.cols < GAP_COLS ? 2 : 3;

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
        end = col + first + second;
        col = end + gap;
        keys = what + len + (what[len] == '\t');
    }
    return (struct taken){ row + 1, end };
}

/* The rows do not depend on what was read, so that reading moves nothing out of sight. */
static int key_rows(const struct sf_cards *cards, int cols, bool *brief)
{
    const struct sf_area area = { .cols = cols };
    struct sf_strbuf keys = SF_STRBUF_INIT;
    struct taken taken;

    add_keys(cards, true, &keys);
    taken = flow_keys(keys.buf, area, false, false);
    *brief = taken.rows > (cards->framed ? KEY_ROWS : 1) ||
             (!cards->framed && taken.cols + SIGHT_COLS > cols);
    sf_strbuf_release(&keys);
    return *brief ? 1 : taken.rows;
}

/* Returns the columns that are left in the last row. */
static int draw_keys(const struct sf_cards *cards, struct sf_area area, bool brief)
{
    struct sf_strbuf keys = SF_STRBUF_INIT;
    struct taken taken;

    add_keys(cards, false, &keys);
    taken = flow_keys(keys.buf, area, brief, true);
    sf_strbuf_release(&keys);
    return taken.rows < area.rows ? area.cols : area.cols - taken.cols - 1;
}

/* ---- the field ---- */

static const char *prompt_of(const struct sf_cards *cards)
{
    static const char *const prompts[] = {
        [SF_WORDS_OWN] = "› ", [SF_WORDS_WHY] = "why: ", [SF_WORDS_INSTEAD] = "run: "
    };
    bool confirms = sf_card_first(cards)->kind == SF_CARD_CONFIRM && !cards->writing;

    return confirms ? "type yes: " : prompts[cards->writing];
}

static int words_rows(const struct sf_cards *cards, int cols)
{
    if (!sf_card_takes_words(cards))
        return 0;
    return sf_composer_rows(cards->words, cols - sf_marked_width(prompt_of(cards)));
}

static int field_rows(const struct sf_cards *cards, int cols)
{
    int rows = words_rows(cards, cols);

    return rows < cards->field_rows ? rows : cards->field_rows;
}

static void draw_field(const struct sf_cards *cards, struct sf_area *inside)
{
    struct sf_area area = sf_area_take_bottom(inside, field_rows(cards, inside->cols));

    if (!area.rows)
        return;
    sf_composer_draw(cards->words, area, prompt_of(cards), sf_look(SF_LOOK_ACCENT), "");
    if (words_rows(cards, area.cols) > area.rows && area.rows < FIELD_ROWS)
        sf_area_puts(area, area.rows - 1, 0, "…", sf_look(SF_LOOK_INFO));
}

/* The rows that the field may have at most. */
static int field_most(bool framed, int max)
{
    int half = (max - FRAME_ROWS - KEY_ROWS) / 2;

    return !framed ? FIELD_BARE : half < 1 ? 1 : half < FIELD_ROWS ? half : FIELD_ROWS;
}

/* ---- the whole ---- */

/* A card has a frame and a line below it where the screen is large enough. */
int sf_card_rows(struct sf_tui *ui, int cols, int max)
{
    struct sf_cards *cards = &ui->cards;
    struct sf_card *c = sf_card_first(cards);
    int inside, around, rows;
    bool brief;

    if (kinds[c->kind].shares && max > SHARED_ROWS)
        max = SHARED_ROWS > max * 2 / 3 ? SHARED_ROWS : max * 2 / 3;
    cards->framed = max >= FRAMED_ROWS && cols >= SF_CARD_COLS;
    cards->field_rows = field_most(cards->framed, max);
    inside = cards->framed ? cols - 4 : cols - 2;
    around = key_rows(cards, inside, &brief) + field_rows(cards, inside) +
             (cards->framed ? FRAME_ROWS : 0);
    c->tight = false;
    sf_card_lay(ui, inside, max - around);
    rows = sf_card_height(&cards->text) + around;
    c->tight = rows > max;
    if (c->tight) {
        sf_card_lay(ui, inside, max - around);
        rows = sf_card_height(&cards->text) + around;
    }
    return rows < max ? rows : max;
}

/* What is out of sight or, if nothing is, what would make the question unnecessary. */
static void draw_right(const struct sf_tui *ui, struct sf_area area, int cols)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool more = ui->cards.scroll || ui->cards.below;

    if (more)
        sf_card_out_of_sight(ui, cols, &text);
    else
        sf_card_advice(ui, sf_card_first(&ui->cards), &text);
    if (more || sf_marked_width(text.buf) <= cols)
        sf_area_put_marked_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, text.buf,
                                 sf_look(more ? SF_LOOK_INFO : SF_LOOK_DIM));
    sf_strbuf_release(&text);
}

/* The status comes first, since a card covers the place where it stands otherwise. */
static void draw_waiting(const struct sf_tui *ui, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(&ui->cards);
    int64_t ms = sf_clock_monotonic_ms() - c->since_ms;
    char text[SF_STATUS_TEXT] = "what you type goes to the composer until you pause";
    int used;

    if (ui->status.text[0])
        snprintf(text, sizeof(text), "%s", ui->status.text);
    else if (!sf_cards_are_guarded(&ui->cards, &ui->keyboard))
        snprintf(text, sizeof(text), "waiting for you %d:%02d", (int)(ms / 60000),
                 (int)(ms / 1000 % 60));
    used = sf_area_put_cut(
        area, 0, 1, area.cols - 2, text,
        sf_look(ui->status.text[0] && ui->status.bad ? SF_LOOK_ERROR : SF_LOOK_DIM));
    draw_right(ui, area, area.cols - used - 5);
}

static struct sf_area frame_card(const struct sf_cards *cards, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(cards);
    char note[64] = "";

    if (!cards->framed)
        return sf_area_part(area, 0, 1, area.rows, area.cols - 2);
    if (cards->count > 1)
        snprintf(note, sizeof(note), "%s1 of %zu", c->amended ? "as you changed it, " : "",
                 cards->count);
    else if (c->amended)
        snprintf(note, sizeof(note), "as you changed it");
    return sf_area_box(area, kinds[c->kind].title, note, sf_look(kinds[c->kind].edge));
}

/* Without a frame what is out of sight stands behind the keys. */
static void draw_beside_keys(const struct sf_tui *ui, struct sf_area keys, int left)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (ui->status.text[0]) {
        sf_area_put_cut(sf_area_part(keys, 0, 0, 1, keys.cols), 0, 0, keys.cols, ui->status.text,
                        sf_look(ui->status.bad ? SF_LOOK_ERROR : SF_LOOK_DIM));
        return;
    }
    sf_card_out_of_sight(ui, left, &text);
    if (sf_marked_width(text.buf) <= left)
        sf_area_put_right(keys, keys.rows - 1, text.buf, sf_look(SF_LOOK_INFO));
    sf_strbuf_release(&text);
}

void sf_card_draw(struct sf_tui *ui, struct sf_area area)
{
    struct sf_cards *cards = &ui->cards;
    struct sf_area bottom = sf_area_take_bottom(&area, cards->framed ? 1 : 0), inside, keys;
    bool brief;
    int left;

    if (cards->unseen) /* The card was never on the screen, so nobody has read it. */
        sf_card_first(cards)->since_ms = sf_clock_monotonic_ms();
    cards->unseen = false;
    cards->top = area.row;
    inside = frame_card(cards, area);
    keys = sf_area_take_bottom(&inside, key_rows(cards, inside.cols, &brief));
    draw_field(cards, &inside);
    sf_card_lay(ui, inside.cols, inside.rows);
    sf_card_draw_text(cards, inside);
    left = draw_keys(cards, keys, brief); /* The text that is on the screen decides which. */
    if (cards->framed)
        draw_waiting(ui, bottom);
    else
        draw_beside_keys(ui, keys, left);
}
