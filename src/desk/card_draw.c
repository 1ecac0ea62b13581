/*
 * card_draw.c: how a card looks. What is asked about stands first, what decides next, the keys
 * last and always in sight; what has no room in between is reached with PgDn.
 */
#include <string.h>

#include "desk/internal.h"

enum {
    LABEL = 8,
    KEY_ROWS = 2,     /* at most; else the letters stand alone */
    FRAMED_COLS = 30, /* below, or with fewer rows, there is no room for a frame and labels */
    FRAMED_ROWS = 8,
    GAP_COLS = 60, /* below, keys stand closer together */
};

static const struct {
    const char *title;
    enum sf_look_role edge;
    const char *keys;
} kinds[] = {
    [SF_CARD_APPROVE] = { "sf asks", SF_LOOK_WARNING,
                          "y\tonce\ts\tsession\tw\tworkspace\te\tedit\tn\tdeny\td\tsay why\tq\tstop" },
    [SF_CARD_CONFIRM] = { "sf asks: hard to take back", SF_LOOK_ERROR,
                          "yes ⏎\trun\tn\tdeny\td\tsay why\tq\tstop" },
    [SF_CARD_QUESTION] = { "sf has a question", SF_LOOK_ACCENT, "⏎\tanswer\tEsc\tno answer" },
    [SF_CARD_YES_NO] = { "sf asks", SF_LOOK_WARNING, "y\tdo it\tn\tleave it" },
    [SF_CARD_PLAN] = { "sf has a plan", SF_LOOK_ACCENT,
                       "y\taccept\ta\taccept, run by itself\tp\tprofile\te\tedit\td\tsay why "
                       "not\tn\treject" },
    [SF_CARD_TRUST] = { "sf asks", SF_LOOK_WARNING, "y\ttrust it\tn\tnot now\tx\tnever ask here" },
};

/* Labels stand in a column of their own, where there is room for one. */
static void add_label(const struct sf_page *page, const char *label, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%-*s ", page->width < FRAMED_COLS ? 0 : LABEL, label);
}

static void lay_gap(struct sf_page *page, const struct sf_card *c)
{
    if (page->width >= FRAMED_COLS && !c->tight)
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

/* The command in code, and where the reader found what decided, that part in colour. */
static void lay_what(struct sf_page *page, const struct sf_card *c)
{
    struct sf_strbuf lead = SF_STRBUF_INIT;
    struct sf_diff_lay how = { .lead = "", .max_lines = 60 };

    add_label(page, !strcmp(c->tool, "Bash") ? "Run" : c->tool, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD), true);
    sf_page_adds(page, c->what, sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD));
    sf_page_end(page);
    if (c->diff.len) {
        lay_gap(page, c);
        sf_diff_lay(page, c->diff.buf, c->diff.len, &how);
    }
    sf_strbuf_release(&lead);
}

/* What a lasting answer covers. */
static void lay_likes(struct sf_page *page, const struct sf_card *c)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "allow %s from now on", c->likes);
    lay_label(page, "s and w", text.buf, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&text);
}

static void lay_asked(struct sf_page *page, const struct sf_card *c)
{
    bool confirm = c->kind == SF_CARD_CONFIRM;

    lay_what(page, c);
    lay_gap(page, c);
    lay_label(page, "why", c->reason, sf_look(confirm ? SF_LOOK_ERROR : SF_LOOK_TEXT));
    lay_facts(page, &c->losses, sf_look(SF_LOOK_TEXT));
    if (*c->classes)
        lay_label(page, "class", c->classes, sf_look(SF_LOOK_DIM));
    lay_label(page, "rule", c->rule, sf_look(SF_LOOK_DIM));
    lay_facts(page, &c->facts, sf_look(SF_LOOK_DIM));
    if (c->kind == SF_CARD_APPROVE && *c->likes)
        lay_likes(page, c);
    if (c->offers_build) {
        sf_page_begin(page, "b        ", NULL, sf_look(SF_LOOK_KEY), false);
        sf_page_adds(page, "allow and switch to build", sf_look(SF_LOOK_TEXT));
        sf_page_end(page);
    }
}

static void lay_card(struct sf_page *page, const struct sf_card *c, int width)
{
    sf_page_reset(page, width);
    switch (c->kind) {
    case SF_CARD_APPROVE:
    case SF_CARD_CONFIRM:
        lay_asked(page, c);
        break;
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
}

bool sf_card_takes_words(const struct sf_desk *d, const struct sf_card *c)
{
    return d->cards.writing || c->kind == SF_CARD_QUESTION || c->kind == SF_CARD_CONFIRM;
}

#define CHOOSE(keys) keys "\tchoose\t⏎\tanswer\tEsc\tno answer"

static const char *keys_of(const struct sf_card *c)
{
    static const char *const choosing[SF_CARD_CHOICES] = {
        CHOOSE("1"),   CHOOSE("1-2"), CHOOSE("1-3"), CHOOSE("1-4"), CHOOSE("1-5"),
        CHOOSE("1-6"), CHOOSE("1-7"), CHOOSE("1-8"), CHOOSE("1-9"),
    };

    if (c->kind == SF_CARD_APPROVE && !c->remembers)
        return "y\tonce\te\tedit\tn\tdeny\td\tsay why\tq\tstop";
    return c->choices.count ? choosing[c->choices.count - 1] : kinds[c->kind].keys;
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

static int key_rows(const struct sf_desk *d, int cols, bool *brief)
{
    const struct sf_area area = { .cols = cols };
    int rows = flow_keys(keys_of(sf_card_first(d)), area, false, false);

    *brief = rows > (d->cards.framed ? KEY_ROWS : 1);
    return *brief ? 1 : rows;
}

/* With a frame around it and a line below it, where the screen is large enough for them. */
int sf_card_rows(struct sf_desk *d, int cols, int max)
{
    struct sf_card *c = sf_card_first(d);
    bool framed = max >= FRAMED_ROWS && cols >= FRAMED_COLS, brief;
    struct sf_page page = SF_PAGE_INIT;
    int inside = framed ? cols - 4 : cols - 2, rows;

    d->cards.framed = framed;
    c->tight = false;
    lay_card(&page, c, inside);
    rows = (int)page.count + key_rows(d, inside, &brief) + sf_card_takes_words(d, c) +
           (framed ? 3 : 0);
    sf_page_release(&page);
    c->tight = rows > max;
    return rows < max ? rows : max;
}

static void draw_waiting(const struct sf_desk *d, struct sf_area area, bool more)
{
    const struct sf_card *c = sf_card_first(d);
    int64_t ms = sf_clock_monotonic_ms() - c->since_ms;
    const char *right = more ? "PgDn more" : c->hint ? c->hint : "";
    char text[96] = "what you type goes to the composer until you pause";
    int used;

    if (!sf_desk_is_guarded(d))
        snprintf(text, sizeof(text), "waiting for you %d:%02d", (int)(ms / 60000),
                 (int)(ms / 1000 % 60));
    used = sf_area_put_cut(area, 0, 1, area.cols - 2, text, sf_look(SF_LOOK_DIM));
    if (used + 4 + sf_spoken_width(right) < area.cols)
        sf_area_put_spoken_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, right,
                                 sf_look(more ? SF_LOOK_INFO : SF_LOOK_DIM));
}

static struct sf_area frame_card(const struct sf_desk *d, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(d);
    char note[32] = "";

    if (!d->cards.framed)
        return sf_area_part(area, 0, 1, area.rows, area.cols - 2);
    if (d->cards.count > 1)
        snprintf(note, sizeof(note), "1 of %zu", d->cards.count);
    return sf_area_box(area, kinds[c->kind].title, note, sf_look(kinds[c->kind].edge));
}

void sf_card_draw(struct sf_desk *d, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(d);
    struct sf_area bottom = sf_area_take_bottom(&area, d->cards.framed ? 1 : 0), inside, keys;
    struct sf_page page = SF_PAGE_INIT;
    bool brief, more;
    int hidden;

    inside = frame_card(d, area);
    lay_card(&page, c, inside.cols);
    keys = sf_area_take_bottom(&inside, key_rows(d, inside.cols, &brief));
    flow_keys(keys_of(c), keys, brief, true);
    if (sf_card_takes_words(d, c))
        sf_composer_draw(d->cards.words, sf_area_take_bottom(&inside, 1),
                         c->kind == SF_CARD_CONFIRM && !d->cards.writing ? "type yes: " : "› ",
                         sf_look(SF_LOOK_ACCENT), "");
    d->cards.seen = inside.rows;
    hidden = (int)page.count - inside.rows;
    if (d->cards.scroll > hidden)
        d->cards.scroll = hidden > 0 ? hidden : 0;
    more = hidden > d->cards.scroll;
    for (int row = 0; row < inside.rows && row + d->cards.scroll < (int)page.count; row++)
        sf_page_draw(&page, (size_t)row + (size_t)d->cards.scroll, inside, row, 0);
    if (d->cards.framed)
        draw_waiting(d, bottom, more);
    else if (more)
        sf_area_put_right(keys, keys.rows - 1, "PgDn", sf_look(SF_LOOK_INFO));
    sf_page_release(&page);
}
