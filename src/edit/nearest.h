/*
 * nearest: the lines of a text that look most like a piece of text that is not in it. One pass
 * over the text with a set of letter triples, then a closer look at the best few places; white
 * space and case do not count. For messages only: nothing is ever changed by such a guess.
 */
#ifndef SF_EDIT_NEAREST_H
#define SF_EDIT_NEAREST_H

#include "base/base.h"
#include "edit/lines.h"

struct sf_nearest {
    size_t line, lines; /* the place, counted from 1; 0 lines: nothing is near */
    size_t differs;     /* the first line of it that is not the same but for white space; or 0 */
    unsigned percent;   /* of likeness */
    bool lookalike;     /* that line looks the same and is made of other characters */
};

/* Finds it and appends what helps a model: the lines, numbered, and the first that differs. */
void sf_nearest_describe(struct sf_strbuf *out, struct sf_nearest *near, const char *text,
                         size_t len, const char *what, size_t what_len);

#endif
