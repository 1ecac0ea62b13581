/*
 * steer.c: words said during a turn, until they join it. They wait above the composer with a note,
 * and stand in the conversation from the moment the model gets them: behind the answer that was
 * being written, or behind the last result of its calls. They never break an answer that streams
 * in.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    STEER_ROWS = 3,
    NOTE_WIDE = 76, /* From so many columns on, the note is said in full. */
    NOTE_SHORT = 44 /* From so many on there is a short note; below, a word in front. */
};

int sf_steers_rows(const struct sf_strlist *words, int most)
{
    int rows = words->count < STEER_ROWS ? (int)words->count : STEER_ROWS;

    return rows < most ? rows : most;
}

/* Where there is no room for all, the newest words are shown. */
void sf_steers_draw(const struct sf_strlist *words, struct sf_area area)
{
    const struct sf_look look = sf_look(SF_LOOK_USER), dim = sf_look(SF_LOOK_DIM);
    const char *note = area.cols >= NOTE_WIDE    ? "joins the turn at its next step"
                       : area.cols >= NOTE_SHORT ? "at the next step"
                                                 : "";
    int kept = *note ? (int)sf_text_width(note, strlen(note)) + 3 : 1;
    size_t from = words->count - (size_t)area.rows;

    for (int row = 0; row < area.rows; row++) {
        int col = 1 + sf_area_puts(area, row, 1, *note ? "↳ " : "next: ", dim);

        sf_area_put_cut(area, row, col, area.cols - col - kept, words->items[from + (size_t)row],
                        look);
        sf_area_put_right(sf_area_part(area, 0, 0, area.rows, area.cols - 1), row, note, dim);
    }
}
