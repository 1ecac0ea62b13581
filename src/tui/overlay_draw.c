/*
 * overlay_draw.c: the look of lists and pages: a title with the filter beside it, rows in columns
 * that are as wide as the cells on the screen need, a preview where there is room, and the keys at
 * the bottom.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    COLUMNS = 8,
    COLUMN_MIN = 24,  /* Every column may be so wide. */
    CELL_MIN = 8,     /* A cell is left out where fewer columns are free. */
    NARROW = 30,      /* On narrower screens a list has one column. */
    PREVIEW_MIN = 12, /* From so many rows on, a preview has half of them. */
    SAMPLE_COLS = 78, /* From so many columns on, a sample stands beside the list. */
    SAMPLE_LIST = 24, /* The columns of the list then. */
};

static void lay_diff(struct sf_page *page, const struct sf_strbuf *text)
{
    const struct sf_diff_lay how = { .lead = " ", .headers = true };

    sf_diff_lay(page, text->buf, text->len, &how);
}

static void lay_text(struct sf_page *page, const struct sf_strbuf *text)
{
    sf_markdown_lay(page, text->buf, text->len, " ", NULL, sf_look(SF_LOOK_TEXT));
}

/* Draws lines from `scroll` on, after bringing it back to where the page has lines. */
static void draw_lines(struct sf_overlay *o, const struct sf_page *page, struct sf_area area)
{
    size_t rows = (size_t)(area.rows > 0 ? area.rows : 0);
    size_t last = page->count > rows ? page->count - rows : 0;

    if (o->scroll > last)
        o->scroll = last;
    for (size_t i = 0; i < rows && o->scroll + i < page->count; i++)
        sf_page_draw(page, o->scroll + i, area, (int)i, 0);
}

static void draw_page(struct sf_overlay *o, struct sf_area area)
{
    if (o->laid_width != area.cols) {
        sf_page_reset(&o->page, area.cols - 1);
        (o->is_diff ? lay_diff : lay_text)(&o->page, &o->text);
        o->laid_width = area.cols;
    }
    o->rows_seen = (size_t)(area.rows > 0 ? area.rows : 0);
    draw_lines(o, &o->page, area);
}

/*
 * Where a page or list is longer than the screen, says at the right of the title which part of it
 * is shown: "21-40 of 96" or "3 of 41". Returns the columns that this takes.
 */
static int draw_place(const struct sf_overlay *o, struct sf_area title, int rows)
{
    size_t last = o->scroll + (size_t)rows;
    char note[64] = "";

    if (o->is_page && o->page.count > (size_t)rows)
        snprintf(note, sizeof(note), "%zu-%zu of %zu", o->scroll + 1,
                 last < o->page.count ? last : o->page.count, o->page.count);
    else if (!o->is_page && o->shown_count > (size_t)rows)
        snprintf(note, sizeof(note), "%zu of %zu", o->at + 1, o->shown_count);
    sf_area_put_right(sf_area_part(title, 0, 0, 1, title.cols - 1), 0, note, sf_look(SF_LOOK_DIM));
    return *note ? (int)strlen(note) + 2 : 0;
}

static size_t cell(const char **text, size_t *len)
{
    const char *tab = strchr(*text, '\t');

    *len = tab ? (size_t)(tab - *text) : strlen(*text);
    return *len + (tab != NULL);
}

static void measure_text(const char *text, int widths[COLUMNS])
{
    size_t len, step;

    for (int c = 0; c < COLUMNS && *text; c++, text += step) {
        step = cell(&text, &len);
        if (widths[c] < (int)sf_text_width(text, len))
            widths[c] = (int)sf_text_width(text, len);
    }
}

/* The widest cell of each column, among the rows on the screen. */
static void measure(const struct sf_overlay *o, size_t from, size_t to, int widths[COLUMNS])
{
    memset(widths, 0, COLUMNS * sizeof(*widths));
    if (o->heads)
        measure_text(o->heads, widths);
    for (size_t i = from; i < to; i++)
        if (!o->rows[o->shown[i].index].mute)
            measure_text(o->rows[o->shown[i].index].text, widths);
}

/* A long cell must not push the columns behind it off the screen. */
static void fit_columns(int widths[COLUMNS], int cols)
{
    int most = cols * 2 / 5 > COLUMN_MIN ? cols * 2 / 5 : COLUMN_MIN, all = 4;

    if (cols < NARROW)
        most = cols;
    for (int c = 0; c < COLUMNS; c++)
        all += widths[c] ? widths[c] + 2 : 0;
    for (int c = 0; c + 1 < COLUMNS && (all > cols || !c); c++)
        if (widths[c] > most && (c || widths[1]))
            widths[c] = most;
}

/* A date or an amount that is cut would be a wrong one, so it is shown whole or not at all. */
static bool is_number(const char *text)
{
    return *text >= '0' && *text <= '9';
}

/* The first cell has the first look, the others the second; matches of the filter are marked. */
static void draw_cells(const struct sf_overlay *o, const char *text, struct sf_area line,
                       const int widths[COLUMNS], const struct sf_look looks[2],
                       const struct sf_match_mark *found)
{
    const char *align = o->align;
    int col = 3, least = line.cols < NARROW ? CELL_MIN / 2 : CELL_MIN;

    for (int c = 0; c < COLUMNS && text && *text; c++) {
        size_t len, step = cell(&text, &len);
        char *one = sf_strndup(text, len);
        int width = (int)sf_text_width(text, len), at = col, room, cols;

        if (align && (int)strlen(align) > c && align[c] == 'r' && width < widths[c])
            at += widths[c] - width;
        room = line.cols - at - 1;
        if (c && width > room && (room < least || is_number(text))) {
            free(one);
            if (line.cols >= NARROW)
                break;
            text += step;
            continue;
        }
        cols = text[step] && room > widths[c] ? widths[c] : room;
        sf_area_put_cut(line, 0, at, cols, one, looks[c > 0]);
        if (found)
            sf_area_tint_matches(sf_area_part(line, 0, at, 1, cols), found, text, len,
                                 looks[0].role == SF_LOOK_SELECTED);
        free(one);
        col += widths[c] ? widths[c] + 2 : 0;
        text += step;
    }
}

static void draw_row(const struct sf_overlay *o, size_t index, struct sf_area line,
                     const int widths[COLUMNS])
{
    const struct sf_list_row *r = &o->rows[o->shown[index].index];
    struct sf_look look = sf_look(index == o->at ? SF_LOOK_SELECTED : SF_LOOK_TEXT);
    const struct sf_look looks[2] = { look, index == o->at ? look : sf_look(SF_LOOK_DIM) };
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_match_mark found;

    if (r->mute) {
        sf_area_puts(line, 0, 1, r->text, sf_look_with(SF_LOOK_HEADING, SF_LOOK_BOLD));
        return;
    }
    if (index == o->at) {
        sf_area_fill(line, look);
        sf_area_puts(line, 0, 1, "▸", look);
    }
    sf_composer_text(o->filter, &words);
    found = sf_match_marks_find(r->text, strlen(r->text), words.buf, words.len);
    draw_cells(o, r->text, line, widths, looks, &found);
    sf_strbuf_release(&words);
}

static void draw_list(struct sf_overlay *o, struct sf_area area)
{
    const struct sf_look dim[2] = { sf_look(SF_LOOK_DIM), sf_look(SF_LOOK_DIM) };
    struct sf_area head = sf_area_take_top(&area, o->heads && area.rows > 1 ? 1 : 0);
    size_t rows = (size_t)(area.rows > 0 ? area.rows : 0), end;
    int widths[COLUMNS];

    o->rows_seen = rows;
    o->list_area = area;

    if (o->at < o->top)
        o->top = o->at;
    if (rows && o->at >= o->top + rows)
        o->top = o->at - rows + 1;
    end = o->top + rows < o->shown_count ? o->top + rows : o->shown_count;
    measure(o, o->top, end, widths);
    fit_columns(widths, area.cols);
    if (head.rows)
        draw_cells(o, o->heads, head, widths, dim, NULL);
    for (size_t i = o->top; i < end; i++)
        draw_row(o, i, sf_area_part(area, (int)(i - o->top), 0, 1, area.cols), widths);
    if (!o->shown_count)
        sf_area_puts(area, 0, 3, o->count ? "nothing fits" : "nothing yet", sf_look(SF_LOOK_DIM));
}

/* A preview has half of the screen, or the rows that a short list leaves. */
static int preview_rows(const struct sf_overlay *o, int rows)
{
    int left = rows - (int)o->count - (o->heads != NULL);

    if (o->count > (size_t)rows)
        left = 0;
    return rows >= PREVIEW_MIN ? rows / 2 : left >= 2 ? left : 0;
}

/* The line above a preview says so where the preview is longer than its place. */
static void draw_preview(struct sf_overlay *o, struct sf_area area)
{
    struct sf_area rule = sf_area_take_top(&area, 1);
    char note[64];

    o->preview_seen = 0;
    if (area.rows < 1)
        return;
    if (o->laid_width != area.cols) {
        sf_page_reset(&o->preview, area.cols - 1);
        lay_text(&o->preview, &o->preview_text);
        if (o->preview_diff.len)
            lay_diff(&o->preview, &o->preview_diff);
        o->laid_width = area.cols;
    }
    sf_area_rule(rule, 0, sf_look(SF_LOOK_RULE));
    draw_lines(o, &o->preview, area);
    if (o->preview.count <= (size_t)area.rows)
        return;
    o->preview_seen = (size_t)area.rows;
    snprintf(note, sizeof(note), rule.cols < NARROW ? " PgDn " : " %zu-%zu of %zu · PgUp PgDn ",
             o->scroll + 1, o->scroll + o->preview_seen, o->preview.count);
    sf_area_put_right(sf_area_part(rule, 0, 0, 1, rule.cols - 2), 0, note, sf_look(SF_LOOK_DIM));
}

/* Leaves the rest of the area to the list. */
static void draw_sample(const struct sf_overlay *o, struct sf_area *area)
{
    struct sf_area whole = *area;

    if (whole.cols >= SAMPLE_COLS) {
        *area = sf_area_part(whole, 0, 0, whole.rows, SAMPLE_LIST);
        o->kind->sample(sf_area_part(whole, 0, SAMPLE_LIST + 2, whole.rows, whole.cols));
    } else if (whole.rows >= PREVIEW_MIN) {
        o->kind->sample(sf_area_take_bottom(area, whole.rows / 2));
    }
}

/*
 * Where there is no room, the title ends before its colon: "Work mode: what kind of work is it?".
 */
static char *fit_title(const struct sf_overlay *o, int cols)
{
    enum { FILTER = 20 };
    const char *colon = strstr(o->title, ": ");
    int room = cols - 2 - (!o->is_page && o->kind->filter ? FILTER : 0);

    if (!colon || (int)sf_text_width(o->title, strlen(o->title)) <= room)
        return sf_strdup(o->title);
    return sf_strndup(o->title, (size_t)(colon - o->title));
}

/* What the keys do; a page that fits on the screen is not scrolled. */
static const char *hints_of(const struct sf_overlay *o, int rows)
{
    if (o->job)
        return "x end it   ↑ ↓ PgUp PgDn scroll";
    if (o->is_page)
        return o->page.count > (size_t)(rows > 0 ? rows : 0) ? "↑ ↓ PgUp PgDn scroll" : "";
    return o->line.values                      ? "Enter write   ↑ ↓ values   Esc leave it"
           : o->line.secret                    ? "Enter try it   Esc leave it"
           : sf_overlay_line_is_open(&o->line) ? "Enter write   Esc leave it"
                                               : o->kind->keys;
}

void sf_overlay_draw(struct sf_overlay *o, const struct sf_status *status, struct sf_area area)
{
    struct sf_area title = sf_area_take_top(&area, 1), keys = sf_area_take_bottom(&area, 1);
    bool edits = sf_overlay_line_is_open(&o->line);
    bool bare = title.cols < NARROW && !sf_composer_is_empty(o->filter);
    char *name = fit_title(o, title.cols);
    int used = bare ? -2
                    : sf_area_put_cut(title, 0, 1, title.cols - 2, name,
                                      sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD));

    free(name);
    if (!edits)
        sf_area_put_right(sf_area_part(keys, 0, 0, 1, keys.cols - 1), 0, "Esc close",
                          sf_look(SF_LOOK_DIM));
    sf_overlay_edit_draw(&o->line, &area);
    if (o->is_page) {
        draw_page(o, area);
    } else {
        if (o->preview_text.len)
            draw_preview(o, sf_area_take_bottom(&area, preview_rows(o, area.rows)));
        if (o->kind->sample)
            draw_sample(o, &area);
        draw_list(o, area);
    }
    if (status->text[0]) /* The overlay covers the row where the status stands otherwise. */
        sf_area_put_marked(keys, 0, 1, keys.cols - 14, status->text,
                           sf_look(status->bad ? SF_LOOK_ERROR : SF_LOOK_INFO));
    else
        sf_area_put_marked(keys, 0, 1, keys.cols - 14, hints_of(o, area.rows),
                           sf_look(SF_LOOK_DIM));
    if (title.cols >= NARROW)
        title.cols -= draw_place(o, title, area.rows);
    if (!o->is_page && o->kind->filter && !edits)
        sf_composer_draw(o->filter, sf_area_part(title, 0, used + 3, 1, title.cols - used - 3),
                         "/ ", sf_look(SF_LOOK_DIM), "type to narrow");
}
