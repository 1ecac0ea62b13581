/*
 * transcript_draw.c: the part of the conversation that is on screen. The view is held by its top
 * line, or by the end; walking from there touches as many items as fit on the screen.
 */
#include <string.h>

#include "view/transcript_items.h"

/* ---- walking ---- */

/* One line further; false at the end. */
static bool step_down(struct sf_transcript *t, struct sf_spot *at)
{
    if (at->line + 1 < sf_item_lines(t, at->item)) {
        at->line++;
        return true;
    }
    for (size_t i = at->item + 1; i < t->count; i++)
        if (sf_item_lines(t, i)) {
            *at = (struct sf_spot){ .item = i };
            return true;
        }
    return false;
}

static bool step_up(struct sf_transcript *t, struct sf_spot *at)
{
    if (at->line) {
        at->line--;
        return true;
    }
    for (size_t i = at->item; i-- > 0;) {
        size_t lines = sf_item_lines(t, i);

        if (lines) {
            *at = (struct sf_spot){ .item = i, .line = lines - 1 };
            return true;
        }
    }
    return false;
}

static struct sf_spot last_spot(struct sf_transcript *t)
{
    for (size_t i = t->count; i-- > 0;) {
        size_t lines = sf_item_lines(t, i);

        if (lines)
            return (struct sf_spot){ .item = i, .line = lines - 1 };
    }
    return (struct sf_spot){ 0 };
}

/* The top line when the last line stands in the last row. */
static struct sf_spot end_top(struct sf_transcript *t)
{
    struct sf_spot at = last_spot(t);

    for (int row = 1; row < t->rows && step_up(t, &at);)
        row++;
    return at;
}

static bool is_before(const struct sf_spot *a, const struct sf_spot *b)
{
    return a->item != b->item ? a->item < b->item : a->line < b->line;
}

static void hold(struct sf_transcript *t, struct sf_spot top)
{
    struct sf_spot end = end_top(t);

    t->follow = !is_before(&top, &end);
    t->top = t->follow ? end : top;
}

void sf_transcript_scroll(struct sf_transcript *t, int lines)
{
    struct sf_spot at = t->top;

    if (!t->count)
        return;
    for (; lines < 0 && step_up(t, &at); lines++)
        ;
    for (; lines > 0 && step_down(t, &at); lines--)
        ;
    hold(t, at);
}

void sf_transcript_page(struct sf_transcript *t, int pages)
{
    sf_transcript_scroll(t, pages * (t->rows > 2 ? t->rows - 2 : 1));
}

void sf_transcript_top(struct sf_transcript *t)
{
    if (t->count)
        hold(t, (struct sf_spot){ 0 });
}

void sf_transcript_bottom(struct sf_transcript *t)
{
    t->follow = true;
}

bool sf_transcript_at_end(const struct sf_transcript *t)
{
    return t->follow;
}

size_t sf_transcript_above(const struct sf_transcript *t)
{
    return t->top.item;
}

/* What was clicked before follows the rest again. */
void sf_transcript_unfold(struct sf_transcript *t, bool on)
{
    for (size_t i = 0; i < t->count; i++)
        t->items[i]->flip = false;
    t->unfolded = on;
    t->layout++;
}

bool sf_transcript_unfolded(const struct sf_transcript *t)
{
    return t->unfolded;
}

bool sf_transcript_toggle_at(struct sf_transcript *t, int row)
{
    const struct sf_spot *at = row >= 0 && row < t->rows ? &t->drawn[row] : NULL;

    if (!at || at->item >= t->count || !sf_item_is_head(t->items[at->item], at->line))
        return false;
    t->items[at->item]->flip = !t->items[at->item]->flip;
    t->items[at->item]->laid = false;
    if (t->follow && is_before(&t->top, at)) /* what was clicked stays where it is */
        t->follow = false;
    return true;
}

/* ---- drawing ---- */

static const char *const spinner[] = { "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏" };

static const struct {
    const char *mark;
    enum sf_look_role role;
} states[] = {
    [SF_ITEM_CALL_PREPARES] = { "·", SF_LOOK_DIM },
    [SF_ITEM_CALL_ASKS] = { "?", SF_LOOK_WARNING },
    [SF_ITEM_CALL_RUNS] = { "•", SF_LOOK_ACCENT },
    [SF_ITEM_CALL_DONE] = { " ", SF_LOOK_DIM },
    [SF_ITEM_CALL_FAILED] = { "✗", SF_LOOK_ERROR },
    [SF_ITEM_CALL_REFUSED] = { "⊘", SF_LOOK_WARNING },
};

static void add_time(struct sf_strbuf *out, int64_t ms)
{
    if (ms < 0)
        return;
    if (out->len)
        sf_strbuf_adds(out, "  ");
    if (ms < 1000)
        sf_strbuf_addf(out, "%4d ms", (int)ms);
    else if (ms < 60000)
        sf_strbuf_addf(out, "%5.1f s", (double)ms / 1000.0);
    else
        sf_strbuf_addf(out, "%4d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
}

enum {
    VERB = 9,       /* columns: the longest verb in the past, and a blank */
    ROW_COLS = 120, /* columns of a call's row that is not long */
};

/* On a wide screen the note stands near the words it belongs to, unless they are long. */
static int call_edge(const struct sf_item *item, int cols, int col, const struct sf_strbuf *note)
{
    int least = col + VERB + 4 + (int)sf_text_width(note->buf, note->len);

    if (item->what)
        least += (int)sf_text_width(item->what, strlen(item->what));
    least = least > ROW_COLS ? least : ROW_COLS;
    return cols < least ? cols : least;
}

/* "   Read     src/range.c                       212 lines   2 ms" */
static void draw_call(const struct sf_transcript *t, const struct sf_item *item,
                      struct sf_area area, int row, const struct sf_transcript_now *now)
{
    int gutter = sf_transcript_gutter(t->width), col = gutter + 2 * item->depth, right, used;
    struct sf_look look = sf_look(states[item->state].role);
    struct sf_strbuf note = SF_STRBUF_INIT;
    bool runs = item->state == SF_ITEM_CALL_RUNS;
    const char *mark = runs && now->spin >= 0 ? spinner[(size_t)now->spin % SF_COUNT(spinner)]
                                              : states[item->state].mark;

    sf_area_puts(area, row, col - 2, mark, look);
    if (item->note)
        sf_strbuf_adds(&note, item->note);
    add_time(&note, runs ? now->mono_ms - item->started_ms : item->took_ms);
    right = call_edge(item, area.cols, col, &note) - 1 - (int)sf_text_width(note.buf, note.len);
    if (right < col + 20)
        right = area.cols;
    used = sf_area_put_cut(area, row, col, right - col, item->verb ? item->verb : "",
                           sf_look(runs ? SF_LOOK_ACCENT : SF_LOOK_DIM));
    if (used < VERB && area.cols >= 60)
        used = VERB;
    else
        used++;
    sf_area_put_cut(area, row, col + used, right - col - used - 1, item->what ? item->what : "",
                    sf_look(item->state == SF_ITEM_CALL_DONE ? SF_LOOK_TEXT : look.role));
    if (right < area.cols)
        sf_area_puts(area, row, right, note.buf, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&note);
}

static void draw_reasoning(const struct sf_transcript *t, const struct sf_item *item,
                           struct sf_area area, int row)
{
    bool open = !t->sealed && item == t->items[t->count - 1];

    sf_area_puts(area, row, sf_transcript_gutter(t->width), open ? "Thinking…" : "Thought",
                 sf_look_with(SF_LOOK_DIM, SF_LOOK_ITALIC));
}

static void draw_time(const struct sf_item *item, struct sf_area area, int row)
{
    time_t seconds = (time_t)(item->wall_ms / 1000);
    char text[16];
    struct tm tm;

    if (item->wall_ms && localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%H:%M", &tm))
        sf_area_put_right(sf_area_part(area, 0, 0, area.rows, area.cols - 1), row, text,
                          sf_look(SF_LOOK_DIM));
}

static int spot_order(const struct sf_spot *a, const struct sf_spot *b)
{
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->col - b->col;
}

/* Of two texts beside each other only the one that would be copied is marked. */
static void clip_sides(const struct sf_transcript *t, const struct sf_spot *from,
                       const struct sf_spot *at, int *start, int *end)
{
    const struct sf_item *item = t->items[at->item];
    size_t line = sf_item_page_line(item, at->line);
    bool left = from->item == at->item &&
                sf_page_is_left(&item->page, sf_item_page_line(item, from->line), from->col);

    if (line != SIZE_MAX)
        sf_page_clip(&item->page, line, left, start, end);
}

static void tint_selected(const struct sf_transcript *t, const struct sf_spot *at,
                          struct sf_area area, int row, int cols)
{
    const struct sf_spot *from = &t->from, *to = &t->to;
    struct sf_spot first = *at, last = *at;
    int start, end;

    if (!t->selecting)
        return;
    if (spot_order(from, to) > 0) {
        from = &t->to;
        to = &t->from;
    }
    first.col = 0;
    last.col = cols;
    if (spot_order(&last, from) <= 0 || spot_order(&first, to) >= 0)
        return;
    start = from->item == at->item && from->line == at->line ? from->col : 0;
    end = to->item == at->item && to->line == at->line ? to->col : cols;
    end = end < cols ? end : cols;
    clip_sides(t, from, at, &start, &end);
    sf_area_tint(area, row, start, end - start, sf_look(SF_LOOK_MARKED));
}

static void tint_found(const struct sf_transcript *t, struct sf_area area, int row,
                       const char *text, size_t len)
{
    for (size_t at = 0; t->needle.len && at + t->needle.len <= len;) {
        if (strncasecmp(text + at, t->needle.buf, t->needle.len) != 0) {
            at++;
            continue;
        }
        sf_area_tint(area, row, (int)sf_text_width(text, at),
                     (int)sf_text_width(text + at, t->needle.len), sf_look(SF_LOOK_MATCH));
        at += t->needle.len;
    }
}

void sf_transcript_draw_line(struct sf_transcript *t, const struct sf_spot *at, struct sf_area area,
                             int row, const struct sf_transcript_now *now)
{
    const struct sf_item *item = t->items[at->item];
    size_t line = sf_item_page_line(item, at->line);
    int cols = 0;

    if (sf_item_is_head(item, at->line)) {
        if (item->kind == SF_ITEM_CALL)
            draw_call(t, item, area, row, now);
        else
            draw_reasoning(t, item, area, row);
        cols = area.cols;
    } else if (line != SIZE_MAX) {
        const struct sf_page_line *l = &item->page.lines[line];

        cols = sf_page_draw(&item->page, line, area, row, 0);
        tint_found(t, area, row, item->page.text.buf + l->at, l->len);
        if (now->times && line == 0 && item->label)
            draw_time(item, area, row);
    }
    tint_selected(t, at, area, row, cols);
}

static void remember_rows(struct sf_transcript *t, int rows)
{
    t->drawn = sf_grow(t->drawn, &t->drawn_cap, (size_t)(rows > 0 ? rows : 1), sizeof(*t->drawn));
    for (int row = 0; row < rows; row++)
        t->drawn[row] = (struct sf_spot){ .item = SIZE_MAX };
}

/* Pages far from the screen are given back: they are laid out again when they are needed. */
static void drop_far_pages(struct sf_transcript *t, size_t first, size_t last)
{
    enum { NEAR = 100 };
    size_t low = first > NEAR ? first - NEAR : 0;

    for (size_t i = low; i-- > 0 && t->items[i]->laid;) {
        sf_page_release(&t->items[i]->page);
        t->items[i]->laid = false;
    }
    for (size_t i = last + NEAR; i < t->count && t->items[i]->laid; i++) {
        sf_page_release(&t->items[i]->page);
        t->items[i]->laid = false;
    }
}

void sf_transcript_draw(struct sf_transcript *t, struct sf_area area,
                        const struct sf_transcript_now *now)
{
    struct sf_spot at;

    sf_transcript_settle(t);
    if (t->width != area.cols) {
        t->width = area.cols;
        t->layout++;
    }
    t->rows = area.rows;
    remember_rows(t, area.rows);
    if (!t->count || area.rows <= 0 || area.cols <= 0)
        return;
    if (t->top.item >= t->count)
        t->follow = true;
    if (t->follow) {
        t->top = end_top(t);
    } else {
        size_t lines = sf_item_lines(t, t->top.item);

        if (t->top.line >= lines)
            t->top.line = lines ? lines - 1 : 0;
        hold(t, t->top);
    }
    at = t->top;
    if (!sf_item_lines(t, at.item) && !step_down(t, &at))
        return;
    for (int row = 0; row < area.rows; row++) {
        t->drawn[row] = at;
        sf_transcript_draw_line(t, &at, area, row, now);
        if (!step_down(t, &at))
            break;
    }
    drop_far_pages(t, t->top.item, at.item);
}
