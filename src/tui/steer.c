/*
 * steer.c: words said during a turn, until they join it. They wait above the composer, which says
 * so, and stand in the conversation from the moment they stand in what the model reads: behind the
 * answer that was being written, or behind the last result of its calls. An answer that streams in
 * is never broken by them.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    STEER_ROWS = 3,
    NOTE_WIDE = 76, /* columns from which the note is said in full */
    NOTE_SHORT = 44 /* columns from which there is a note; below, a word in front */
};

int sf_steers_rows(const struct sf_tui *ui, int most)
{
    size_t count = sf_port_steering(ui->port)->count;
    int rows = count < STEER_ROWS ? (int)count : STEER_ROWS;

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
    const struct sf_strlist *words = sf_port_steering(ui->port);
    size_t from = words->count - (size_t)area.rows;

    for (int row = 0; row < area.rows; row++) {
        int col = 1 + sf_area_puts(area, row, 1, *note ? "↳ " : "next: ", dim);

        sf_area_put_cut(area, row, col, area.cols - col - kept, words->items[from + (size_t)row],
                        look);
        sf_area_put_right(sf_area_part(area, 0, 0, area.rows, area.cols - 1), row, note, dim);
    }
}
