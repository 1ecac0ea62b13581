/*
 * match_marks: why a name is in the list: the letters of it that were looked for, as drawn. Life:
 * sf_match_marks_find, then sf_area_tint_matches for each piece of the name that was put on the screen.
 */
#ifndef SF_VIEW_MATCH_MARKS_H
#define SF_VIEW_MATCH_MARKS_H

#include <stddef.h>

#include "view/frame.h"
#include "view/fuzzy.h"

struct sf_match_mark {
    const char *name; /* borrowed */
    uint32_t spots[SF_FUZZY_QUERY];
    size_t count;
};

/* An empty query finds nothing. */
struct sf_match_mark sf_match_marks_find(const char *name, size_t len, const char *query,
                                         size_t query_len);

/* `part` of the name stands at the beginning of the area; what is wider than that was cut. */
void sf_area_tint_matches(struct sf_area area, const struct sf_match_mark *found, const char *part,
                          size_t len, bool selected);

#endif
