/*
 * pane.c: the transcript on the screen: drawing it, the mouse in it, copying what is selected.
 */
#include "tui/internal.h"

enum { WHEEL_LINES = 3 };

void sf_pane_note(struct sf_pane *pane, const char *text, size_t len)
{
    sf_transcript_add(pane->transcript, SF_ITEM_NOTE, text, len, sf_clock_wall_ms());
    sf_transcript_bottom(pane->transcript);
}

/* ---- drawing ---- */

struct sf_transcript_now sf_pane_now(const struct sf_pane *pane, int spin)
{
    return (struct sf_transcript_now){ .mono_ms = sf_clock_monotonic_ms(),
                                       .spin = spin,
                                       .times = pane->times };
}

static int spin_of(const struct sf_painter *painter)
{
    return painter->low_motion ? -1 : painter->ticks;
}

void sf_pane_draw(struct sf_tui *ui, struct sf_area area)
{
    const struct sf_transcript_now now = sf_pane_now(&ui->pane, spin_of(&ui->painter));

    sf_welcome_draw(ui, &area);
    ui->pane.area = area;
    sf_recall_fill(ui, area);
    sf_transcript_draw(ui->pane.transcript, area, &now);
}

void sf_pane_draw_open(const struct sf_pane *pane, const struct sf_painter *painter,
                       struct sf_area *area)
{
    const struct sf_transcript_now now = sf_pane_now(pane, spin_of(painter));
    size_t lines = sf_transcript_lines(pane->transcript, pane->printed,
                                       sf_transcript_count(pane->transcript), area->cols);
    size_t room = area->rows > 0 ? (size_t)area->rows : 0, shown = lines < room ? lines : room;

    sf_transcript_print(pane->transcript, pane->printed, lines - shown,
                        sf_area_take_bottom(area, (int)shown), &now);
}

/* ---- the mouse ---- */

static bool inside(const struct sf_area *area, const struct sf_mouse *m)
{
    return m->row >= area->row && m->row < area->row + area->rows && m->col >= area->col &&
           m->col < area->col + area->cols;
}

static size_t count_characters(const struct sf_strbuf *text)
{
    size_t count = 0;
    uint32_t cp;

    for (size_t at = 0; at < text->len; count++)
        at += sf_utf8_decode(text->buf + at, text->len - at, &cp);
    return count;
}

void sf_tui_copy(struct sf_tui *ui, const struct sf_strbuf *text, const char *what)
{
    switch (sf_terminal_copy(ui->terminal, text->buf, text->len)) {
    case SF_COPIED_PROGRAM:
        sf_status_say(&ui->status, false, "copied %s", what);
        break;
    case SF_COPIED_SENT:
        sf_status_say(&ui->status, false, "sent %s to the terminal, which may not take it", what);
        break;
    case SF_COPIED_NOT:
        sf_status_say(&ui->status, true,
                      "not copied: %s cannot go through the terminal; /export "
                      "writes a file",
                      what);
        break;
    }
}

static void copy_selection(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char what[40];

    if (sf_transcript_copy(ui->pane.transcript, &text)) {
        size_t count = count_characters(&text);

        snprintf(what, sizeof(what), "%zu character%s", count, count == 1 ? "" : "s");
        sf_tui_copy(ui, &text, what);
    }
    sf_strbuf_release(&text);
}

static void press(struct sf_tui *ui, const struct sf_mouse *m)
{
    struct sf_pane *pane = &ui->pane;
    const struct sf_area *field = &ui->draft.area;

    sf_transcript_unselect(pane->transcript);
    pane->dragging = false;
    if (inside(field, m))
        sf_composer_click(ui->draft.composer, m->row - field->row, m->col - field->col);
    else if (inside(&pane->area, m))
        sf_transcript_select(pane->transcript, m->row - pane->area.row, m->col - pane->area.col);
}

static void let_go(struct sf_tui *ui, const struct sf_mouse *m)
{
    struct sf_pane *pane = &ui->pane;

    if (pane->dragging)
        copy_selection(ui);
    else if (inside(&pane->area, m))
        sf_transcript_toggle_at(pane->transcript, m->row - pane->area.row);
    pane->dragging = false;
}

void sf_pane_mouse(struct sf_tui *ui, const struct sf_mouse *m)
{
    struct sf_pane *pane = &ui->pane;

    switch (m->kind) {
    case SF_MOUSE_WHEEL_UP:
        sf_recall_above(ui);
        sf_transcript_scroll(pane->transcript, -WHEEL_LINES);
        break;
    case SF_MOUSE_WHEEL_DOWN:
        sf_transcript_scroll(pane->transcript, WHEEL_LINES);
        break;
    case SF_MOUSE_PRESS:
        press(ui, m);
        break;
    case SF_MOUSE_DRAG:
        pane->dragging = true;
        sf_transcript_extend(pane->transcript, m->row - pane->area.row,
                             m->col - pane->area.col + 1);
        break;
    case SF_MOUSE_RELEASE:
        let_go(ui, m);
        break;
    }
}
