/*
 * overlay.c: what lies over the conversation. Two shapes carry them all: a list that is narrowed
 * by typing, with a preview where there is one, and a page that scrolls.
 */
#include <string.h>

#include "desk/internal.h"

enum {
    ROWS_MAX = 100000,
    COLUMNS = 8,
    COLUMN_MIN = 24,  /* what a column may take in any case */
    CELL_MIN = 8,     /* columns below which a cell is not worth beginning */
    NARROW = 30,      /* below, there is one column */
    PREVIEW_MIN = 12, /* rows from which a preview has room */
};

static void free_rows(struct sf_overlay *o)
{
    for (size_t i = 0; i < o->count; i++) {
        free(o->rows[i].text);
        free(o->rows[i].value);
    }
    o->count = o->shown_count = 0;
    o->at = o->top = 0;
}

static void free_overlay(struct sf_overlay *o)
{
    free_rows(o);
    free(o->rows);
    free(o->shown);
    free(o->title);
    sf_composer_free(o->filter);
    sf_overlay_line_release(&o->line);
    sf_strbuf_release(&o->text);
    sf_strbuf_release(&o->preview_text);
    sf_page_release(&o->page);
    sf_page_release(&o->preview);
    free(o);
}

void sf_overlay_close(struct sf_desk *d)
{
    struct sf_overlay *o = d->overlay;

    d->overlay = NULL;
    if (o)
        free_overlay(o);
    sf_desk_dirty(d);
}

static struct sf_overlay *open_overlay(struct sf_desk *d, const char *title)
{
    struct sf_overlay *o = sf_alloc(sizeof(*o));

    sf_overlay_close(d);
    *o = (struct sf_overlay){ .title = sf_strdup(title),
                              .line = { .note = SF_STRBUF_INIT },
                              .text = SF_STRBUF_INIT,
                              .preview_text = SF_STRBUF_INIT,
                              .page = SF_PAGE_INIT,
                              .preview = SF_PAGE_INIT };
    o->filter = sf_composer_new();
    d->overlay = o;
    return o;
}

/* ---- lists ---- */

static bool passes(const struct sf_list_row *row, const char *words, size_t len, int *score)
{
    *score = 0;
    return !len || (!row->mute && sf_fuzzy_score(words, len, row->text, strlen(row->text), score));
}

static int by_score(const void *a, const void *b)
{
    const struct sf_fuzzy_hit *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void drop_found(struct sf_overlay *o)
{
    for (; o->found; o->found--) {
        free(o->rows[--o->count].text);
        free(o->rows[o->count].value);
    }
}

static void narrow(struct sf_desk *d)
{
    struct sf_overlay *o = d->overlay;
    struct sf_strbuf words = SF_STRBUF_INIT;

    drop_found(o);
    sf_composer_text(o->filter, &words);
    o->shown = sf_realloc_array(o->shown, o->count ? o->count : 1, sizeof(*o->shown));
    o->shown_count = 0;
    for (size_t i = 0; i < o->count; i++) {
        int score;

        if (passes(&o->rows[i], words.buf, words.len, &score))
            o->shown[o->shown_count++] = (struct sf_fuzzy_hit){ (uint32_t)i, score };
    }
    if (words.len)
        qsort(o->shown, o->shown_count, sizeof(*o->shown), by_score);
    o->at = o->top = 0;
    if (words.len && o->kind->search) {
        size_t before = o->count;

        o->kind->search(d, words.buf);
        o->found = o->count - before;
    }
    sf_strbuf_release(&words);
}

static const struct sf_list_row *current(const struct sf_overlay *o)
{
    return o->at < o->shown_count ? &o->rows[o->shown[o->at].index] : NULL;
}

static void tell_moved(struct sf_desk *d)
{
    const struct sf_overlay *o = d->overlay;
    const struct sf_list_row *row = current(o);

    if (row && !row->mute && o->kind->moved)
        o->kind->moved(d, row->value);
}

static void move(struct sf_desk *d, int by)
{
    struct sf_overlay *o = d->overlay;
    size_t at = o->at;

    if (!o->shown_count)
        return;
    for (int i = 0; i < (by < 0 ? -by : by); i++) {
        size_t next = by < 0 ? (at ? at - 1 : at) : at + 1 < o->shown_count ? at + 1 : at;

        while (o->rows[o->shown[next].index].mute) {
            size_t further = by < 0 ? next - (next > 0) : next + 1;

            if (further == next || further >= o->shown_count)
                break;
            next = further;
        }
        if (!o->rows[o->shown[next].index].mute)
            at = next;
    }
    o->at = at;
    tell_moved(d);
}

void sf_overlay_list(struct sf_desk *d, const struct sf_overlay_kind *kind)
{
    struct sf_overlay *o = open_overlay(d, kind->title);

    o->kind = kind;
}

static void add_row(struct sf_desk *d, char *text, const char *value, bool mute)
{
    struct sf_overlay *o = d->overlay;

    if (o->count >= ROWS_MAX) {
        free(text);
        return;
    }
    o->rows = sf_grow(o->rows, &o->cap, o->count + 1, sizeof(*o->rows));
    o->rows[o->count++] = (struct sf_list_row){ text, sf_strdup(value ? value : ""), mute };
    o->shown = sf_realloc_array(o->shown, o->cap, sizeof(*o->shown));
    o->shown[o->shown_count++] = (struct sf_fuzzy_hit){ (uint32_t)(o->count - 1), 0 };
    if (o->rows[o->at].mute && !mute)
        o->at = o->count - 1;
}

void sf_overlay_row(struct sf_desk *d, const char *value, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    add_row(d, sf_strbuf_detach(&text), value, false);
}

void sf_overlay_retext(struct sf_desk *d, const char *value, const char *format, ...)
{
    struct sf_overlay *o = d->overlay;
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    for (size_t i = 0; i < o->count; i++)
        if (!o->rows[i].mute && !strcmp(o->rows[i].value, value)) {
            free(o->rows[i].text);
            o->rows[i].text = sf_strdup(text.buf);
        }
    sf_strbuf_release(&text);
}

void sf_overlay_heading(struct sf_desk *d, const char *text)
{
    add_row(d, sf_strdup(text), NULL, true);
}

void sf_overlay_choose(struct sf_desk *d, const char *value)
{
    struct sf_overlay *o = d->overlay;

    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, value))
            o->at = i;
    tell_moved(d);
}

void sf_overlay_title(struct sf_desk *d, const char *title)
{
    free(d->overlay->title);
    d->overlay->title = sf_strdup(title);
}

bool sf_overlay_moves(const struct sf_desk *d)
{
    return d->overlay && !d->overlay->is_page && d->overlay->kind->renew;
}

void sf_overlay_renew(struct sf_desk *d)
{
    struct sf_overlay *o = d->overlay;
    const struct sf_list_row *row;
    char *value;

    if (!sf_overlay_moves(d))
        return;
    row = current(o);
    value = sf_strdup(row ? row->value : "");
    free_rows(o);
    o->kind->renew(d);
    narrow(d);
    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, value))
            o->at = i;
    free(value);
    sf_desk_dirty(d);
}

void sf_overlay_preview(struct sf_desk *d, const char *text, size_t len, bool diff)
{
    struct sf_overlay *o = d->overlay;

    sf_strbuf_reset(&o->preview_text);
    sf_strbuf_add(&o->preview_text, text, len);
    o->preview_diff = diff;
    o->laid_width = 0;
    sf_desk_dirty(d);
}

/* ---- pages ---- */

void sf_overlay_page(struct sf_desk *d, const char *title, const struct sf_strbuf *markdown)
{
    struct sf_overlay *o = open_overlay(d, title);

    o->is_page = true;
    sf_strbuf_add(&o->text, markdown->buf, markdown->len);
}

void sf_overlay_diff(struct sf_desk *d, const char *title, const struct sf_strbuf *diff)
{
    sf_overlay_page(d, title, diff);
    d->overlay->preview_diff = true;
}

static void lay_text(struct sf_page *page, const struct sf_strbuf *text, bool diff, int width)
{
    const struct sf_diff_lay how = { .lead = " ", .headers = true };

    sf_page_reset(page, width);
    if (diff)
        sf_diff_lay(page, text->buf, text->len, &how);
    else
        sf_markdown_lay(page, text->buf, text->len, " ", NULL, sf_look(SF_LOOK_TEXT));
}

static void draw_page(struct sf_overlay *o, struct sf_area area)
{
    size_t rows = (size_t)(area.rows > 0 ? area.rows : 0), last;

    if (o->laid_width != area.cols) {
        lay_text(&o->page, &o->text, o->preview_diff, area.cols - 1);
        o->laid_width = area.cols;
    }
    last = o->page.count > rows ? o->page.count - rows : 0;
    if (o->scroll > last)
        o->scroll = last;
    for (size_t i = 0; i < rows && o->scroll + i < o->page.count; i++)
        sf_page_draw(&o->page, o->scroll + i, area, (int)i, 0);
}

/* "21-40 of 96", or "3 of 41", at the right of the title, where not all is seen. */
static void draw_place(const struct sf_overlay *o, struct sf_area title, int rows)
{
    size_t last = o->scroll + (size_t)rows;
    char note[64] = "";

    if (o->is_page && o->page.count > (size_t)rows)
        snprintf(note, sizeof(note), "%zu-%zu of %zu", o->scroll + 1,
                 last < o->page.count ? last : o->page.count, o->page.count);
    else if (!o->is_page && o->shown_count > (size_t)rows)
        snprintf(note, sizeof(note), "%zu of %zu", o->at + 1, o->shown_count);
    sf_area_put_right(sf_area_part(title, 0, 0, 1, title.cols - 1), 0, note, sf_look(SF_LOOK_DIM));
}

/* ---- drawing lists ---- */

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

/* The widest cell of each column, of the rows on screen. */
static void measure(const struct sf_overlay *o, size_t from, size_t to, int widths[COLUMNS])
{
    memset(widths, 0, COLUMNS * sizeof(*widths));
    if (o->kind->columns)
        measure_text(o->kind->columns, widths);
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
        all += widths[c] + 2;
    for (int c = 0; c < COLUMNS && all > cols; c++)
        if (widths[c] > most)
            widths[c] = most;
}

/* A date, an amount: half of it would be another one, so it is shown whole or not at all. */
static bool is_number(const char *text)
{
    return *text >= '0' && *text <= '9';
}

/* The first cell has the first look, the others the second. */
static void draw_cells(const struct sf_overlay *o, const char *text, struct sf_area line,
                       const int widths[COLUMNS], const struct sf_look looks[2])
{
    const char *align = o->kind->align;
    int col = 3, least = line.cols < NARROW ? CELL_MIN / 2 : CELL_MIN;

    for (int c = 0; c < COLUMNS && text && *text; c++) {
        size_t len, step = cell(&text, &len);
        char *one = sf_strndup(text, len);
        int width = (int)sf_text_width(text, len), at = col, room;

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
        sf_area_put_cut(line, 0, at, text[step] && room > widths[c] ? widths[c] : room, one,
                        looks[c > 0]);
        free(one);
        col += widths[c] + 2;
        text += step;
    }
}

static void draw_row(const struct sf_overlay *o, size_t index, struct sf_area line,
                     const int widths[COLUMNS])
{
    const struct sf_list_row *r = &o->rows[o->shown[index].index];
    struct sf_look look = sf_look(index == o->at ? SF_LOOK_SELECTED : SF_LOOK_TEXT);
    const struct sf_look looks[2] = { look, index == o->at ? look : sf_look(SF_LOOK_DIM) };

    if (r->mute) {
        sf_area_puts(line, 0, 1, r->text, sf_look_with(SF_LOOK_HEADING, SF_LOOK_BOLD));
        return;
    }
    if (index == o->at) {
        sf_area_fill(line, look);
        sf_area_puts(line, 0, 1, "▸", look);
    }
    draw_cells(o, r->text, line, widths, looks);
}

static void draw_list(struct sf_overlay *o, struct sf_area area)
{
    const struct sf_look dim[2] = { sf_look(SF_LOOK_DIM), sf_look(SF_LOOK_DIM) };
    struct sf_area head = sf_area_take_top(&area, o->kind->columns && area.rows > 1 ? 1 : 0);
    size_t rows = (size_t)(area.rows > 0 ? area.rows : 0), end;
    int widths[COLUMNS];

    if (o->at < o->top)
        o->top = o->at;
    if (rows && o->at >= o->top + rows)
        o->top = o->at - rows + 1;
    end = o->top + rows < o->shown_count ? o->top + rows : o->shown_count;
    measure(o, o->top, end, widths);
    fit_columns(widths, area.cols);
    if (head.rows)
        draw_cells(o, o->kind->columns, head, widths, dim);
    for (size_t i = o->top; i < end; i++)
        draw_row(o, i, sf_area_part(area, (int)(i - o->top), 0, 1, area.cols), widths);
    if (!o->shown_count)
        sf_area_puts(area, 0, 3, o->count ? "nothing fits" : "nothing yet", sf_look(SF_LOOK_DIM));
}

static void draw_preview(struct sf_overlay *o, struct sf_area area)
{
    if (o->laid_width != area.cols) {
        lay_text(&o->preview, &o->preview_text, o->preview_diff, area.cols - 1);
        o->laid_width = area.cols;
    }
    sf_area_rule(sf_area_take_top(&area, 1), 0, sf_look(SF_LOOK_RULE));
    for (int row = 0; row < area.rows && (size_t)row < o->preview.count; row++)
        sf_page_draw(&o->preview, (size_t)row, area, row, 0);
}

void sf_overlay_draw(struct sf_desk *d, struct sf_area area)
{
    struct sf_overlay *o = d->overlay;
    struct sf_area title = sf_area_take_top(&area, 1), keys = sf_area_take_bottom(&area, 1);
    bool edits = sf_overlay_line_is_open(&o->line);
    const char *hints = o->is_page       ? "↑ ↓ PgUp PgDn scroll"
                        : o->line.values ? "Enter write   ↑ ↓ values   Esc leave it"
                        : o->line.secret ? "Enter try it   Esc leave it"
                        : edits          ? "Enter write   Esc leave it"
                                         : o->kind->keys;
    bool bare = title.cols < NARROW && !sf_composer_is_empty(o->filter);
    int used = bare ? -2
                    : sf_area_put_cut(title, 0, 1, title.cols - 2, o->title,
                                      sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD));

    if (!o->is_page && o->kind->filter && !edits)
        sf_composer_draw(o->filter, sf_area_part(title, 0, used + 3, 1, title.cols - used - 3),
                         "/ ", sf_look(SF_LOOK_DIM), "type to narrow");
    if (d->status[0]) /* the row it has otherwise is covered */
        sf_area_put_cut(keys, 0, 1, keys.cols - 14, d->status,
                        sf_look(d->status_bad ? SF_LOOK_ERROR : SF_LOOK_INFO));
    else
        sf_area_put_cut(keys, 0, 1, keys.cols - 14, hints, sf_look(SF_LOOK_DIM));
    if (!edits)
        sf_area_put_right(sf_area_part(keys, 0, 0, 1, keys.cols - 1), 0, "Esc close",
                          sf_look(SF_LOOK_DIM));
    sf_overlay_edit_draw(d, &area);
    if (o->is_page) {
        draw_page(o, area);
    } else {
        if (o->preview_text.len && area.rows >= PREVIEW_MIN)
            draw_preview(o, sf_area_take_bottom(&area, area.rows / 2));
        draw_list(o, area);
    }
    if (title.cols >= NARROW)
        draw_place(o, title, area.rows);
}

/* ---- keys ---- */

static void scroll_page(struct sf_overlay *o, int by)
{
    if (by < 0)
        o->scroll = o->scroll > (size_t)-by ? o->scroll - (size_t)-by : 0;
    else
        o->scroll += (size_t)by;
}

static void step(struct sf_desk *d, int by)
{
    if (d->overlay->is_page)
        scroll_page(d->overlay, by);
    else
        move(d, by);
}

static void choose(struct sf_desk *d)
{
    const struct sf_list_row *row = d->overlay->is_page ? NULL : current(d->overlay);
    void (*chosen)(struct sf_desk *, const char *) = row ? d->overlay->kind->chosen : NULL;
    char *value;

    if (!row || row->mute)
        return;
    value = sf_strdup(row->value);
    if (!d->overlay->kind->stays)
        sf_overlay_close(d);
    if (chosen)
        chosen(d, value);
    free(value);
}

static void leave(struct sf_desk *d)
{
    void (*closed)(struct sf_desk *) = d->overlay->is_page ? NULL : d->overlay->kind->closed;

    sf_overlay_close(d);
    if (closed)
        closed(d);
}

static void type(struct sf_desk *d, const char *text, size_t len)
{
    struct sf_overlay *o = d->overlay;
    const struct sf_list_row *row = o->is_page ? NULL : current(o);
    uint32_t code = len == 1 ? (uint32_t)text[0] : 0;

    if (o->is_page) {
        if (code == 'q')
            leave(d);
        else if (code == ' ' || code == 'j' || code == 'k')
            step(d, code == ' ' ? 10 : code == 'j' ? 1 : -1);
        return;
    }
    if (o->kind->key && code && o->kind->key(d, code, row ? row->value : ""))
        return;
    if (o->kind->filter) {
        sf_composer_type(o->filter, text, len);
        narrow(d);
        tell_moved(d);
    }
}

void sf_overlay_event(struct sf_desk *d, const struct sf_term_event *event,
                      enum sf_action_id action)
{
    static const struct {
        enum sf_action_id action;
        int by;
    } moves[] = {
        { SF_ACTION_UP, -1 },          { SF_ACTION_DOWN, 1 },        { SF_ACTION_LINE_UP, -1 },
        { SF_ACTION_LINE_DOWN, 1 },    { SF_ACTION_SCROLL_UP, -10 }, { SF_ACTION_SCROLL_DOWN, 10 },
        { SF_ACTION_HOME, -ROWS_MAX }, { SF_ACTION_END, ROWS_MAX },  { SF_ACTION_FIRST, -ROWS_MAX },
        { SF_ACTION_LAST, ROWS_MAX },
    };
    struct sf_overlay *o = d->overlay;

    sf_desk_dirty(d);
    if (sf_overlay_line_is_open(&o->line) && event->kind != SF_TERM_MOUSE) {
        sf_overlay_edit_event(d, event, action);
        return;
    }
    if (event->kind == SF_TERM_TEXT) {
        type(d, event->text, event->len);
        return;
    }
    if (event->kind == SF_TERM_MOUSE) {
        if (event->mouse.kind == SF_MOUSE_WHEEL_UP || event->mouse.kind == SF_MOUSE_WHEEL_DOWN)
            step(d, event->mouse.kind == SF_MOUSE_WHEEL_UP ? -3 : 3);
        return;
    }
    if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT) {
        leave(d);
    } else if (action == SF_ACTION_TAB && !o->is_page && o->kind->tab) {
        o->kind->tab(d);
    } else if (action == SF_ACTION_SEND) {
        choose(d);
    } else if (!o->is_page && o->kind->filter && sf_field_act(o->filter, action) &&
               action >= SF_ACTION_BACKSPACE) {
        narrow(d);
        tell_moved(d);
    } else {
        for (size_t i = 0; i < SF_COUNT(moves); i++)
            if (moves[i].action == action)
                step(d, moves[i].by);
    }
}
