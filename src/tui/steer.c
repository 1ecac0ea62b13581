/*
 * steer.c: words said during a turn, until they join it. They wait above the composer, which says
 * so, and stand in the conversation from the moment they stand in what the model reads: behind the
 * answer that was being written, or behind the last result of its calls. An answer that streams in
 * is never broken by them. Told live or read from the log, the order is the same.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    STEER_ROWS = 3,
    NOTE_WIDE = 76, /* columns from which it is said in full … */
    NOTE_SHORT = 44 /* … or at all; below, it stands in front */
};

void sf_steers_release(struct sf_steers *s)
{
    sf_strlist_release(&s->words);
    *s = (struct sf_steers){ .words = SF_STRLIST_INIT };
}

void sf_steers_say(struct sf_steers *s, const char *text, size_t len)
{
    sf_strlist_adopt(&s->words, sf_strndup(text, len));
}

static void show(struct sf_transcript *to, const char *text, size_t len, int64_t wall_ms)
{
    sf_transcript_seal(to);
    sf_transcript_add(to, SF_ITEM_USER, text, len, wall_ms);
}

/* ---- told ---- */

void sf_steers_joined(struct sf_tui *ui, const struct sf_event *event)
{
    show(ui->transcript, event->words.text, event->words.len, event->time_ms);
    if (ui->steers.words.count)
        sf_strlist_remove(&ui->steers.words, 0);
}

/* ---- read from the log ---- */

static void join(struct sf_steers *s, struct sf_transcript *to, int64_t wall_ms)
{
    for (size_t i = 0; i < s->words.count; i++)
        show(to, s->words.items[i], strlen(s->words.items[i]), wall_ms);
    sf_steers_release(s);
}

void sf_steers_answer(struct sf_steers *s, struct sf_transcript *to, size_t calls, int64_t wall_ms)
{
    s->calls = calls;
    if (!calls)
        join(s, to, wall_ms);
}

void sf_steers_result(struct sf_steers *s, struct sf_transcript *to, int64_t wall_ms)
{
    if (s->calls && !--s->calls)
        join(s, to, wall_ms);
}

void sf_steers_end(struct sf_steers *s, struct sf_transcript *to, int64_t wall_ms)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < s->words.count; i++) {
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, SF_UNSTEERED "%s", s->words.items[i]);
        sf_transcript_add(to, SF_ITEM_NOTE, text.buf, text.len, wall_ms);
    }
    sf_strbuf_release(&text);
    sf_steers_release(s);
}

/* ---- above the composer ---- */

int sf_steers_rows(const struct sf_tui *ui, int most)
{
    int rows = ui->steers.words.count < STEER_ROWS ? (int)ui->steers.words.count : STEER_ROWS;

    return rows < most ? rows : most;
}

/* The newest of them: those before were seen when they were said. */
void sf_steers_draw(const struct sf_tui *ui, struct sf_area area)
{
    const struct sf_look look = sf_look(SF_LOOK_USER), dim = sf_look(SF_LOOK_DIM);
    const char *note = area.cols >= NOTE_WIDE    ? "joins the turn at its next step"
                       : area.cols >= NOTE_SHORT ? "at the next step"
                                                 : "";
    int kept = *note ? (int)sf_text_width(note, strlen(note)) + 3 : 1;
    size_t from = ui->steers.words.count - (size_t)area.rows;

    for (int row = 0; row < area.rows; row++) {
        int col = 1 + sf_area_puts(area, row, 1, *note ? "↳ " : "next: ", dim);

        sf_area_put_cut(area, row, col, area.cols - col - kept,
                        ui->steers.words.items[from + (size_t)row], look);
        sf_area_put_right(sf_area_part(area, 0, 0, area.rows, area.cols - 1), row, note, dim);
    }
}
