/*
 * frame_text: a row of a frame as text, to compare with what a test expects.
 */
#ifndef SF_TESTS_SUPPORT_FRAME_TEXT_H
#define SF_TESTS_SUPPORT_FRAME_TEXT_H

#include "view/view.h"

/* Appends the text of the row, without its trailing spaces. */
static inline void frame_row_text(const struct sf_frame *frame, int row, struct sf_strbuf *out)
{
    size_t end = out->len;

    for (int col = 0; col < frame->cols; col++) {
        const struct sf_cell *cell = sf_frame_cell(frame, row, col);

        for (int i = 0; i < SF_CELL_POINTS && cell->points[i]; i++)
            sf_utf8_add(out, cell->points[i]);
        if (cell->width && cell->points[0] != ' ')
            end = out->len;
    }
    sf_strbuf_truncate(out, end);
}

#endif
