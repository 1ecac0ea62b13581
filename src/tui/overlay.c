/*
 * overlay.c: what lies over the conversation. There are two shapes: a list that is narrowed by
 * typing, which may have a preview, and a page that scrolls.
 */
#include <string.h>

#include "tui/internal.h"

enum { ROWS_MAX = 100000 };

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
    free(o->heads);
    sf_composer_free(o->filter);
    sf_overlay_edit_close(&o->line);
    sf_strbuf_release(&o->text);
    sf_strbuf_release(&o->preview_text);
    sf_strbuf_release(&o->preview_diff);
    sf_page_release(&o->page);
    sf_page_release(&o->preview);
    free(o);
}

void sf_overlay_close(struct sf_tui *ui)
{
    struct sf_overlay *o = ui->overlay;

    ui->overlay = NULL;
    if (o)
        free_overlay(o);
    sf_paint_soon(&ui->painter);
}

static struct sf_overlay *open_overlay(struct sf_tui *ui, const char *title)
{
    struct sf_overlay *o = sf_alloc(sizeof(*o));

    sf_overlay_close(ui);
    *o = (struct sf_overlay){ .title = sf_strdup(title),
                              .part = "",
                              .line = { .note = SF_STRBUF_INIT },
                              .text = SF_STRBUF_INIT,
                              .preview_text = SF_STRBUF_INIT,
                              .preview_diff = SF_STRBUF_INIT,
                              .page = SF_PAGE_INIT,
                              .preview = SF_PAGE_INIT };
    o->filter = sf_composer_new();
    ui->overlay = o;
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

static void narrow(struct sf_tui *ui)
{
    struct sf_overlay *o = ui->overlay;
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

        o->kind->search(ui, words.buf);
        o->found = o->count - before;
    }
    sf_strbuf_release(&words);
}

static const struct sf_list_row *current(const struct sf_overlay *o)
{
    return o->at < o->shown_count ? &o->rows[o->shown[o->at].index] : NULL;
}

static void tell_moved(struct sf_tui *ui)
{
    const struct sf_overlay *o = ui->overlay;
    const struct sf_list_row *row = current(o);

    if (row && !row->mute && o->kind->moved)
        o->kind->moved(ui, row->value);
}

static void move(struct sf_tui *ui, int by)
{
    struct sf_overlay *o = ui->overlay;
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
    tell_moved(ui);
}

void sf_overlay_list(struct sf_tui *ui, const struct sf_overlay_kind *kind)
{
    struct sf_overlay *o = open_overlay(ui, kind->title);

    o->kind = kind;
}

static void add_row(struct sf_overlay *o, char *text, const char *value, bool mute)
{
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

void sf_overlay_row(struct sf_overlay *o, const char *value, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    add_row(o, sf_strbuf_detach(&text), value, false);
}

void sf_overlay_retext(struct sf_overlay *o, const char *value, const char *format, ...)
{
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

void sf_overlay_heading(struct sf_overlay *o, const char *text)
{
    add_row(o, sf_strdup(text), NULL, true);
}

void sf_overlay_choose(struct sf_tui *ui, const char *value)
{
    struct sf_overlay *o = ui->overlay;

    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, value))
            o->at = i;
    tell_moved(ui);
}

void sf_overlay_title(struct sf_overlay *o, const char *title)
{
    free(o->title);
    o->title = sf_strdup(title);
}

bool sf_overlay_moves(const struct sf_overlay *o)
{
    return o && !o->is_page && o->kind->renew;
}

void sf_overlay_renew(struct sf_tui *ui)
{
    struct sf_overlay *o = ui->overlay;
    const struct sf_list_row *row;
    char *value;

    if (!sf_overlay_moves(o))
        return;
    row = current(o);
    value = sf_strdup(row ? row->value : "");
    free_rows(o);
    o->kind->renew(ui);
    narrow(ui);
    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, value))
            o->at = i;
    free(value);
    sf_paint_soon(&ui->painter);
}

void sf_overlay_preview(struct sf_overlay *o, const char *text, size_t len)
{
    sf_strbuf_reset(&o->preview_text);
    sf_strbuf_add(&o->preview_text, text, len);
    sf_strbuf_reset(&o->preview_diff);
    o->laid_width = 0;
    o->scroll = 0;
}

/* ---- pages ---- */

void sf_overlay_page(struct sf_tui *ui, const char *title, const struct sf_strbuf *markdown)
{
    struct sf_overlay *o = open_overlay(ui, title);

    o->is_page = true;
    sf_strbuf_add(&o->text, markdown->buf, markdown->len);
}

/* Who has the end in sight keeps it in sight. */
void sf_overlay_repage(struct sf_overlay *o, const struct sf_strbuf *markdown)
{
    bool at_end = o->scroll + o->rows_seen >= o->page.count;

    sf_strbuf_reset(&o->text);
    sf_strbuf_add(&o->text, markdown->buf, markdown->len);
    o->laid_width = 0;
    if (at_end)
        o->scroll = (size_t)ROWS_MAX; /* Drawing brings it back to where there are lines. */
}

void sf_overlay_diff(struct sf_tui *ui, const char *title, const struct sf_strbuf *diff)
{
    sf_overlay_page(ui, title, diff);
    ui->overlay->is_diff = true;
}

/* ---- keys ---- */

static void scroll_page(struct sf_overlay *o, int by)
{
    if (by < 0)
        o->scroll = o->scroll > (size_t)-by ? o->scroll - (size_t)-by : 0;
    else
        o->scroll += (size_t)by;
}

static void step(struct sf_tui *ui, int by)
{
    if (ui->overlay->is_page)
        scroll_page(ui->overlay, by);
    else
        move(ui, by);
}

/*
 * Turns by the rows on the screen less one, which stays in sight. A preview that is longer than its
 * place is scrolled before the list.
 */
static void turn_page(struct sf_tui *ui, int direction)
{
    struct sf_overlay *o = ui->overlay;
    bool preview = !o->is_page && o->preview_seen > 0;
    size_t seen = preview ? o->preview_seen : o->rows_seen;
    int by = direction * (seen > 1 ? (int)seen - 1 : 1);

    if (preview)
        scroll_page(o, by);
    else
        step(ui, by);
}

static void choose(struct sf_tui *ui)
{
    const struct sf_list_row *row = ui->overlay->is_page ? NULL : current(ui->overlay);
    void (*chosen)(struct sf_tui *, const char *) = row ? ui->overlay->kind->chosen : NULL;
    char *value;

    if (!row || row->mute)
        return;
    value = sf_strdup(row->value);
    snprintf(ui->responses.chose, sizeof(ui->responses.chose), "%s", ui->overlay->command);
    if (!ui->overlay->kind->stays)
        sf_overlay_close(ui);
    if (chosen)
        chosen(ui, value);
    free(value);
}

static void leave(struct sf_tui *ui)
{
    void (*closed)(struct sf_tui *) = ui->overlay->is_page ? NULL : ui->overlay->kind->closed;

    sf_overlay_close(ui);
    if (closed)
        closed(ui);
}

typedef bool key_fn(struct sf_tui *ui, uint32_t code, const char *value);

/* The key may close the list or fill it anew, so its function gets a copy of the value. */
static bool give_key(struct sf_tui *ui, key_fn *key, uint32_t code)
{
    const struct sf_list_row *row = current(ui->overlay);
    char *value = sf_strdup(row ? row->value : "");
    bool taken = key(ui, code, value);

    free(value);
    return taken;
}

static bool give_ctrl(struct sf_tui *ui, const struct sf_term_event *event)
{
    const struct sf_overlay *o = ui->overlay;

    return event->kind == SF_TERM_KEY && event->key.mods == SF_MOD_CTRL && !o->is_page &&
           o->kind->ctrl && give_key(ui, o->kind->ctrl, event->key.code);
}

static void filter(struct sf_tui *ui, const char *text, size_t len)
{
    if (ui->overlay->is_page || !ui->overlay->kind->filter)
        return;
    sf_composer_type(ui->overlay->filter, text, len);
    narrow(ui);
    tell_moved(ui);
}

static void type(struct sf_tui *ui, const char *text, size_t len)
{
    struct sf_overlay *o = ui->overlay;
    uint32_t code = len == 1 ? (uint32_t)text[0] : 0;

    if (o->is_page) {
        if (code == 'q')
            leave(ui);
        else if (code == 'x' && o->job)
            sf_job_end(ui);
        else if (code == ' ')
            turn_page(ui, 1);
        else if (code == 'j' || code == 'k')
            step(ui, code == 'j' ? 1 : -1);
        return;
    }
    if (o->kind->key && code && give_key(ui, o->kind->key, code))
        return;
    filter(ui, text, len);
}

/* A click puts the cursor on a row; a click on the row under the cursor chooses it. */
static void click(struct sf_tui *ui, const struct sf_mouse *m)
{
    struct sf_overlay *o = ui->overlay;
    const struct sf_area *area = &o->list_area;
    size_t at = o->top + (size_t)(m->row - area->row);
    bool inside = m->row >= area->row && m->row < area->row + area->rows;

    if (o->is_page || !inside || at >= o->shown_count || o->rows[o->shown[at].index].mute)
        return;
    if (at == o->at) {
        choose(ui);
    } else {
        o->at = at;
        tell_moved(ui);
    }
}

static void mouse_event(struct sf_tui *ui, const struct sf_mouse *m)
{
    if (m->kind == SF_MOUSE_WHEEL_UP || m->kind == SF_MOUSE_WHEEL_DOWN)
        step(ui, m->kind == SF_MOUSE_WHEEL_UP ? -3 : 3);
    else if (m->kind == SF_MOUSE_RELEASE && !sf_overlay_line_is_open(&ui->overlay->line))
        click(ui, m);
}

void sf_overlay_event(struct sf_tui *ui, const struct sf_term_event *event,
                      enum sf_action_id action)
{
    static const struct {
        enum sf_action_id action;
        int by;
    } moves[] = {
        { SF_ACTION_UP, -1 },           { SF_ACTION_DOWN, 1 },         { SF_ACTION_LINE_UP, -1 },
        { SF_ACTION_LINE_DOWN, 1 },     { SF_ACTION_HOME, -ROWS_MAX }, { SF_ACTION_END, ROWS_MAX },
        { SF_ACTION_FIRST, -ROWS_MAX }, { SF_ACTION_LAST, ROWS_MAX },
    };
    struct sf_overlay *o = ui->overlay;

    sf_paint_soon(&ui->painter);
    if (sf_overlay_line_is_open(&o->line) && event->kind != SF_TERM_MOUSE) {
        sf_overlay_edit_event(ui, event, action);
        return;
    }
    if (event->kind == SF_TERM_TEXT) {
        type(ui, event->text, event->len);
        return;
    }
    if (event->kind == SF_TERM_PASTE) { /* The letters of a paste are never keys. */
        filter(ui, event->text, event->len);
        return;
    }
    if (event->kind == SF_TERM_MOUSE) {
        mouse_event(ui, &event->mouse);
        return;
    }
    if (give_ctrl(ui, event)) {
        return;
    } else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT) {
        leave(ui);
    } else if (action == SF_ACTION_TAB && !o->is_page && o->kind->tab) {
        o->kind->tab(ui);
    } else if (action == SF_ACTION_SEND) {
        choose(ui);
    } else if (action == SF_ACTION_SCROLL_UP || action == SF_ACTION_SCROLL_DOWN) {
        turn_page(ui, action == SF_ACTION_SCROLL_UP ? -1 : 1);
    } else if (!o->is_page && o->kind->filter && sf_field_act(o->filter, action) &&
               action >= SF_ACTION_BACKSPACE) {
        narrow(ui);
        tell_moved(ui);
    } else {
        for (size_t i = 0; i < SF_COUNT(moves); i++)
            if (moves[i].action == action)
                step(ui, moves[i].by);
    }
}
