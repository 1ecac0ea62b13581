/*
 * page.c: paragraphs into lines. A paragraph is collected as safe text with runs of looks; at its
 * end it is cut into lines that fit, and each line's runs are copied behind its lead.
 */
#include "view/page.h"

#include <string.h>

/* ---- life ---- */

void sf_page_release(struct sf_page *page)
{
    sf_strbuf_release(&page->text);
    sf_strbuf_release(&page->open);
    sf_strbuf_release(&page->first);
    sf_strbuf_release(&page->rest);
    free(page->runs);
    free(page->open_runs);
    free(page->lines);
    free(page->sides);
    *page = (struct sf_page)SF_PAGE_INIT;
}

void sf_page_reset(struct sf_page *page, int width)
{
    page->width = width > 1 ? width : 1;
    sf_strbuf_reset(&page->text);
    sf_strbuf_reset(&page->open);
    page->run_count = page->open_count = page->count = page->side_count = 0;
    page->full = page->event = false;
    page->anchor_at = SIZE_MAX;
    page->anchor = 0;
}

/* ---- collecting ---- */

/* Columns the text has at least, beside its lead: half the page, or enough for a few words. */
static size_t room_min(const struct sf_page *page)
{
    size_t half = (size_t)page->width / 2;

    return half < 2 ? 2 : half < 16 ? half : 16;
}

static bool is_plain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

static void set_lead(struct sf_page *page, struct sf_strbuf *lead, const char *text)
{
    size_t len = strlen(text), min = room_min(page), width = (size_t)page->width;
    size_t columns = width > min ? width - min : 0;

    sf_strbuf_reset(lead);
    if (is_plain(text, len)) {
        sf_strbuf_add(lead, text, len < columns ? len : columns);
        return;
    }
    sf_text_sanitize(lead, text, len, SF_TEXT_ONE_LINE);
    len = sf_text_fit(lead->buf, lead->len, columns, NULL);
    sf_strbuf_truncate(lead, len < UINT16_MAX ? len : 0);
}

void sf_page_begin(struct sf_page *page, const char *first, const char *rest, struct sf_look lead,
                   bool keep)
{
    sf_strbuf_reset(&page->open);
    page->open_count = 0;
    page->tab_at = page->tab_cols = 0;
    set_lead(page, &page->first, first ? first : "");
    if (rest) {
        set_lead(page, &page->rest, rest);
    } else {
        sf_strbuf_reset(&page->rest);
        sf_strbuf_fill(&page->rest, ' ', sf_text_width(page->first.buf, page->first.len));
    }
    page->lead_look = page->rest_look = lead;
    page->keep = keep;
    page->prose = !keep;
    page->ornament = false;
    page->ground = SF_GROUND_NONE;
}

void sf_page_ground(struct sf_page *page, enum sf_look_ground ground, int from, int to)
{
    page->ground = (uint8_t)ground;
    page->ground_from = from;
    page->ground_to = to < page->width ? to : page->width;
}

/* Columns of the open text since its last newline; what was counted before is not counted again. */
static size_t open_column(struct sf_page *page)
{
    const char *fresh = page->open.buf + page->tab_at;
    size_t len = page->open.len - page->tab_at;
    const char *newline = len ? memrchr(fresh, '\n', len) : NULL;

    if (newline) {
        len -= (size_t)(newline + 1 - fresh);
        fresh = newline + 1;
        page->tab_cols = 0;
    }
    page->tab_cols += sf_text_width(fresh, len);
    page->tab_at = page->open.len;
    return page->tab_cols;
}

static void add_tabs_expanded(struct sf_page *page, const char *text, size_t len)
{
    while (len) {
        const char *tab = memchr(text, '\t', len);
        size_t n = tab ? (size_t)(tab - text) : len;

        sf_strbuf_add(&page->open, text, n);
        if (tab) {
            sf_strbuf_fill(&page->open, ' ', SF_PAGE_TAB - open_column(page) % SF_PAGE_TAB);
            n++;
        }
        text += n;
        len -= n;
    }
}

/* What the page holds, with its lines and runs: a million empty lines are not free. */
static size_t spent(const struct sf_page *page)
{
    return page->text.len + page->count * sizeof(*page->lines) +
           page->run_count * sizeof(*page->runs) + page->side_count * sizeof(*page->sides);
}

/* The ceiling in bytes that are not spent yet; 0 from the first time it is reached. */
static size_t room_left(struct sf_page *page)
{
    size_t used = spent(page) + page->open.len;

    return page->full || used >= SF_PAGE_BYTES_MAX ? 0 : SF_PAGE_BYTES_MAX - used;
}

void sf_page_add(struct sf_page *page, const char *text, size_t len, struct sf_look look)
{
    size_t before = page->open.len;
    struct sf_text_run *last;

    if (!len || len > room_left(page)) {
        page->full |= len > 0;
        return;
    }
    if (is_plain(text, len)) {
        sf_strbuf_add(&page->open, text, len);
    } else {
        struct sf_strbuf safe = SF_STRBUF_INIT;

        sf_text_sanitize(&safe, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
        add_tabs_expanded(page, safe.buf, safe.len);
        sf_strbuf_release(&safe);
    }
    last = page->open_count ? &page->open_runs[page->open_count - 1] : NULL;
    if (last && sf_look_same(last->look, look)) {
        last->len += (uint32_t)(page->open.len - before);
        return;
    }
    page->open_runs =
        sf_grow(page->open_runs, &page->open_cap, page->open_count + 1, sizeof(*page->open_runs));
    page->open_runs[page->open_count++] =
        (struct sf_text_run){ (uint32_t)(page->open.len - before), look };
}

void sf_page_adds(struct sf_page *page, const char *text, struct sf_look look)
{
    sf_page_add(page, text, strlen(text), look);
}

void sf_page_add_exact(struct sf_page *page, struct sf_exact text, struct sf_look look)
{
    const struct sf_look looks[] = {
        [SF_EXACT_PLAIN] = look,
        [SF_EXACT_BLANK] = sf_look_with(SF_LOOK_DIM, look.attrs & SF_LOOK_UNDERLINE),
        [SF_EXACT_ODD] = sf_look_with(SF_LOOK_WARNING, look.attrs | SF_LOOK_REVERSE),
    };
    struct sf_strbuf piece = SF_STRBUF_INIT;
    enum sf_exact_kind kind;

    while (sf_exact_next(&text, &piece, &kind)) {
        sf_page_add(page, piece.buf, piece.len, looks[kind]);
        sf_strbuf_reset(&piece);
    }
    sf_strbuf_release(&piece);
}

void sf_page_anchor(struct sf_page *page)
{
    page->anchor_at = page->open.len;
}

/* ---- lines ---- */

static struct sf_page_line *new_line(struct sf_page *page)
{
    struct sf_page_line *line;

    page->lines = sf_grow(page->lines, &page->cap, page->count + 1, sizeof(*page->lines));
    line = &page->lines[page->count++];
    *line =
        (struct sf_page_line){ .at = (uint32_t)page->text.len, .run = (uint32_t)page->run_count };
    return line;
}

static void add_run(struct sf_page *page, const char *text, size_t len, struct sf_look look)
{
    struct sf_page_line *line = &page->lines[page->count - 1];

    if (!len)
        return;
    sf_strbuf_add(&page->text, text, len);
    line->len += (uint32_t)len;
    line->runs++;
    page->runs = sf_grow(page->runs, &page->run_cap, page->run_count + 1, sizeof(*page->runs));
    page->runs[page->run_count++] = (struct sf_text_run){ (uint32_t)len, look };
}

/* Where the wrapping stands in the open paragraph. */
struct wrap {
    size_t at;  /* bytes of the open text that are on lines */
    size_t run; /* the open run `at` is in, and how much of it is used */
    size_t run_used;
    bool first; /* no line of the paragraph is made yet */
};

static struct sf_look grounded(const struct sf_page *page, struct sf_look look)
{
    return look.ground ? look : sf_look_on(look, (enum sf_look_ground)page->ground);
}

static void use(struct sf_page *page, struct wrap *w, size_t len, bool shown)
{
    while (len) {
        const struct sf_text_run *run = &page->open_runs[w->run];
        size_t n = run->len - w->run_used < len ? run->len - w->run_used : len;

        if (shown)
            add_run(page, page->open.buf + w->at, n, grounded(page, run->look));
        w->at += n;
        w->run_used += n;
        len -= n;
        if (w->run_used == run->len) {
            w->run++;
            w->run_used = 0;
        }
    }
}

struct cut {
    size_t shown, dropped; /* bytes on the line; spaces behind them that fall away */
};

/* A character as frames draw it: a cluster, or a part of one that no two columns can hold. */
struct glyph {
    size_t len, width;
};

static struct glyph glyph_at(const char *text, size_t len)
{
    struct glyph g = { 1, 1 };
    uint32_t cp;

    if (len > 1 && is_plain(text, 2))
        return g;
    g.len = sf_grapheme_next(text, len);
    g.width = sf_text_width(text, g.len);
    if (g.width > 2) {
        g.len = sf_utf8_decode(text, len, &cp);
        g.width = sf_text_width(text, g.len);
    }
    return g;
}

/* Signs that stay with the character before them, and those that stay with the one behind. */
static const char closing[] = ",.;:!?)]}%、。，．！？：；）」』】〕〉》”’…";
static const char opening[] = "([{（「『【〔〈《“‘";

static bool is_one_of(const char *set, const char *text, size_t len)
{
    return len && memmem(set, strlen(set), text, len);
}

/* May a line end between the two characters, neither of which is a space? */
static bool may_part(const char *text, struct glyph before, struct glyph next)
{
    return (before.width == 2 || next.width == 2) && next.width &&
           !is_one_of(closing, text, next.len) &&
           !is_one_of(opening, text - before.len, before.len);
}

/* How much of `text` fits on a line of so many columns; at least one glyph. */
static struct cut find_cut(const char *text, size_t len, size_t columns, bool keep)
{
    size_t at = 0, used = 0, place = 0, drop = 0; /* place: where a break may be */
    struct glyph before = { 0, 0 };

    while (at < len) {
        struct glyph g = glyph_at(text + at, len - at);
        bool blank = text[at] == ' ';

        if (at && text[at - 1] != ' ' && (blank || may_part(text + at, before, g)))
            place = at;
        if (used + g.width > columns && at && (keep || !blank))
            break;
        before = g;
        used += g.width;
        at += g.len;
    }
    if (keep || at == len)
        return (struct cut){ at, 0 };
    if (place)
        at = place;
    while (at + drop < len && text[at + drop] == ' ')
        drop++;
    return (struct cut){ at, drop };
}

/* Spaces a word left hanging over the edge do not count. */
static size_t trimmed(const char *text, size_t len)
{
    while (len && text[len - 1] == ' ')
        len--;
    return len;
}

static void begin_line(struct sf_page *page, struct wrap *w, bool soft, bool spaced)
{
    const struct sf_strbuf *lead = w->first ? &page->first : &page->rest;
    struct sf_look look = w->first ? page->lead_look : page->rest_look;
    struct sf_page_line *line = new_line(page);
    size_t bare = lead->len;

    if (page->ground) {
        bare = sf_text_fit(lead->buf, lead->len, (size_t)page->ground_from, NULL);
        line->ground = page->ground;
        line->fill = (uint16_t)page->ground_to;
    }
    line->ornament = page->ornament;
    line->lead = (uint16_t)lead->len;
    line->soft = soft;
    line->spaced = spaced;
    line->code = page->keep;
    add_run(page, lead->buf, bare, look);
    add_run(page, lead->buf + bare, lead->len - bare, grounded(page, look));
    w->first = false;
}

/* Prose behind a deep lead goes on behind its usual edge: a few words a line are no better. */
static size_t line_width(const struct sf_page *page, size_t lead_cols)
{
    size_t width = (size_t)page->width, most = SF_PAGE_PROSE;

    if (lead_cols > SF_PAGE_PROSE / 2)
        most += lead_cols - SF_PAGE_PROSE / 2;
    return page->prose && width > most ? most : width;
}

/* One line of the paragraph as it was written, which may take several of the page. */
static void lay_line(struct sf_page *page, struct wrap *w, size_t end)
{
    bool soft = false, spaced = false;

    do {
        const struct sf_strbuf *lead = w->first ? &page->first : &page->rest;
        size_t lead_cols = sf_text_width(lead->buf, lead->len);
        size_t width = line_width(page, lead_cols);
        size_t columns = width > lead_cols + 1 ? width - lead_cols : 1;
        const char *text = page->open.buf + w->at;
        struct cut cut = find_cut(text, end - w->at, columns, page->keep);
        size_t shown = page->keep ? cut.shown : trimmed(text, cut.shown);

        begin_line(page, w, soft, spaced);
        if (page->anchor_at >= w->at && page->anchor_at < w->at + cut.shown)
            page->anchor = page->count - 1;
        use(page, w, shown, true);
        use(page, w, cut.shown - shown + cut.dropped, false);
        soft = true;
        spaced = cut.dropped + (cut.shown - shown) > 0;
    } while (w->at < end && spent(page) < SF_PAGE_BYTES_MAX);
}

/* Behind every line: the one that reaches the ceiling is followed by words, and then by nothing. */
static void mind_ceiling(struct sf_page *page)
{
    static const char words[] = "… the rest is too long to show";

    page->full |= spent(page) >= SF_PAGE_BYTES_MAX;
    if (!page->full || page->event)
        return;
    page->event = true;
    new_line(page);
    add_run(page, words, sf_text_fit(words, strlen(words), (size_t)page->width, NULL),
            sf_look(SF_LOOK_DIM));
}

void sf_page_end(struct sf_page *page)
{
    struct wrap w = { .first = true };

    while (!page->event) {
        const char *text = page->open.buf + w.at;
        const char *newline = memchr(text, '\n', page->open.len - w.at);
        size_t end = newline ? (size_t)(newline - page->open.buf) : page->open.len;

        lay_line(page, &w, end);
        if (w.at < end || !newline || spent(page) >= SF_PAGE_BYTES_MAX)
            break;
        use(page, &w, 1, false);
    }
    mind_ceiling(page);
    sf_strbuf_reset(&page->open);
    page->open_count = 0;
    page->anchor_at = SIZE_MAX;
}

void sf_page_blank(struct sf_page *page)
{
    if (page->count && page->lines[page->count - 1].len && !page->event)
        new_line(page);
}

void sf_page_line(struct sf_page *page, const char *text, size_t len, struct sf_look look)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t columns = (size_t)page->width;

    if (page->event)
        return;
    sf_text_sanitize(&safe, text, len, SF_TEXT_ONE_LINE);
    if (sf_text_width(safe.buf, safe.len) > columns) {
        sf_strbuf_truncate(&safe, sf_text_fit(safe.buf, safe.len, columns - 1, NULL));
        sf_strbuf_adds(&safe, "…");
    }
    new_line(page);
    add_run(page, safe.buf, safe.len, look);
    mind_ceiling(page);
    sf_strbuf_release(&safe);
}

/* ---- two pages beside each other ---- */

static void add_spaces(struct sf_page *page, int count, enum sf_look_ground ground)
{
    struct sf_strbuf spaces = SF_STRBUF_INIT;

    sf_strbuf_fill(&spaces, ' ', (size_t)(count > 0 ? count : 0));
    add_run(page, spaces.buf, spaces.len, sf_look_on(sf_look(SF_LOOK_TEXT), ground));
    sf_strbuf_release(&spaces);
}

/* Copies a line of another page to the end of this one's last; where its own text is. */
static struct sf_page_side add_side(struct sf_page *page, const struct sf_page *from, size_t index)
{
    const struct sf_page_line *line = &from->lines[index];
    struct sf_page_side side = { .at = page->lines[page->count - 1].len + line->lead,
                                 .len = line->len - line->lead,
                                 .soft = line->soft,
                                 .there = !line->ornament };
    size_t at = line->at;

    for (size_t run = line->run; run < line->run + line->runs; run++) {
        add_run(page, from->text.buf + at, from->runs[run].len, from->runs[run].look);
        at += from->runs[run].len;
    }
    return side;
}

static void add_beside(struct sf_page *page, const char *lead, const struct sf_page *const two[2],
                       size_t index)
{
    const struct sf_page_line *left = &two[0]->lines[index], *right = &two[1]->lines[index];
    int used = (int)sf_text_width(two[0]->text.buf + left->at, left->len);
    int col = (int)sf_text_width(lead, strlen(lead)) + two[0]->width + SF_PAGE_BETWEEN;
    struct sf_page_sides sides = { .col = (uint16_t)col };
    struct sf_page_line *line = new_line(page);

    line->code = true;
    line->ground = right->ground;
    line->fill = right->ground ? (uint16_t)(col + right->fill) : 0;
    add_run(page, lead, strlen(lead), sf_look(SF_LOOK_DIM));
    sides.side[0] = add_side(page, two[0], index);
    add_spaces(page, two[0]->width - used, (enum sf_look_ground)left->ground);
    add_spaces(page, SF_PAGE_BETWEEN, SF_GROUND_NONE);
    sides.side[1] = add_side(page, two[1], index);
    page->sides = sf_grow(page->sides, &page->side_cap, page->side_count + 1, sizeof(sides));
    page->sides[page->side_count++] = sides;
    page->lines[page->count - 1].sides = (uint32_t)page->side_count;
}

void sf_page_beside(struct sf_page *page, const char *lead, const struct sf_page *left,
                    const struct sf_page *right)
{
    const struct sf_page *const two[2] = { left, right };

    for (size_t i = 0; i < left->count && i < right->count && !page->event; i++) {
        add_beside(page, lead, two, i);
        mind_ceiling(page);
    }
}
