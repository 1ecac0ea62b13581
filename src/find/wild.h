/*
 * wild: one wildcard pattern, compiled to a small program that is matched in time proportional
 * to pattern times text, whatever the pattern. Ignore files and globs share it.
 *
 * A star is any bytes but a slash, a question mark one of them, brackets one of those they name,
 * never a slash; a backslash takes the meaning off what follows. Two stars that are a whole
 * component are any directories, also none, or at the end everything below; elsewhere they are
 * one star. Matching is by bytes and exact in case.
 */
#ifndef SF_FIND_WILD_H
#define SF_FIND_WILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum sf_wild_dialect {
    SF_WILD_GIT,  /* as in ignore files, git's peculiarities included */
    SF_WILD_GLOB, /* also {a,b}, nested; "?" is one character of UTF-8 */
};

enum {
    SF_WILD_LEN_MAX = 1024,  /* bytes of a pattern */
    SF_WILD_TEXT_MAX = 8192, /* longer text matches nothing: no path is that long */
    SF_WILD_DEPTH_MAX = 8,   /* braces within braces */
};

struct sf_wild;

/* NULL with `err` for what is no pattern; in ignore files git lets such a line match nothing. */
struct sf_wild *sf_wild_new(const char *pattern, size_t len, enum sf_wild_dialect dialect,
                            struct sf_error *err);
void sf_wild_free(struct sf_wild *wild); /* NULL is welcome */

bool sf_wild_match(const struct sf_wild *wild, const char *text, size_t len);

/* The bytes every match begins with; borrowed from the pattern. */
const char *sf_wild_head(const struct sf_wild *wild, size_t *len);

#endif
