/*
 * literal: the part of a regular expression that must stand in every match as it is written. A
 * file without it needs no further look, and looking for plain bytes is far cheaper than
 * matching. Also what can be told about an expression from its text alone.
 */
#ifndef SF_FIND_LITERAL_H
#define SF_FIND_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_literal {
    struct sf_strbuf bytes; /* the longest part found; empty: none */
    bool whole;             /* the expression is nothing but these bytes */

    /*
     * A match within one line is also a match of the text around it, and no look at the text
     * around it can make or break it. False for assertions, atomic groups, verbs and such.
     */
    bool local;
    bool has_newline; /* \n or a line break is asked for outside of brackets */
    bool folded;      /* it says itself that case does not count */
};

/* `out` needs SF_LITERAL_INIT, and sf_strbuf_release(&out->bytes) in the end. */
void sf_literal_read(const char *pattern, size_t len, struct sf_literal *out);

/* clang-format off */
#define SF_LITERAL_INIT { SF_STRBUF_INIT, false, false, false, false }
/* clang-format on */

/* Where `needle` (not empty) stands in the text, or NULL. */
const char *sf_literal_find(const char *text, size_t len, const char *needle, size_t needle_len);

#endif
