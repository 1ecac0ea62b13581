/*
 * marked_text: sf's own words, in which names of commands stand between backticks: `sf trust`. On the
 * screen these pieces are in the look of code and the backticks are not seen; a pipe gets the
 * text as it is. A backtick without its partner on the line is only that.
 */
#ifndef SF_VIEW_MARKED_TEXT_H
#define SF_VIEW_MARKED_TEXT_H

#include <stddef.h>

#include "view/frame.h"
#include "view/page.h"

/* As sf_page_add. */
void sf_page_add_marked(struct sf_page *page, const char *text, size_t len, struct sf_look look);

/* As sf_area_put_cut and sf_area_put_right. */
int sf_area_put_marked(struct sf_area area, int row, int col, int cols, const char *text,
                       struct sf_look look);
int sf_area_put_marked_right(struct sf_area area, int row, const char *text, struct sf_look look);

int sf_marked_width(const char *text); /* columns it takes */

#endif
