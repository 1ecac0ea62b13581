/*
 * fold: a text made easier to match, with the way back. Line endings always become "\n"; flags
 * drop white space at the ends of lines and make typographic punctuation plain. Offsets of the
 * folded text lead to offsets of the original, so that what was found loosely is replaced in
 * the bytes as they are. No newline is ever folded away: what matches has as many lines as
 * what was looked for. Life: sf_fold_init, use, sf_fold_release; the text must outlive it.
 */
#ifndef SF_EDIT_FOLD_H
#define SF_EDIT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

#define SF_FOLD_SAME UINT32_MAX

enum sf_fold_flag {
    SF_FOLD_TRAILING = 1 << 0,    /* white space at the end of a line is dropped */
    SF_FOLD_INDENT = 1 << 1,      /* and at its beginning */
    SF_FOLD_PUNCTUATION = 1 << 2, /* quotes, dashes and spaces as ASCII has them */
    SF_FOLD_CLOSED = 1 << 3,      /* a last line without newline gets one of no width */
    SF_FOLD_OPENED = 1 << 4,      /* a newline of no width stands in front of the text */
};

struct sf_fold_run {
    uint32_t folded, original; /* where it begins in either text */
    uint32_t width;            /* bytes one folded byte stands for; SF_FOLD_SAME: one each */
};

struct sf_fold {
    const char *text; /* folded */
    size_t len, original_len;
    struct sf_strbuf buf;     /* owns `text`, unless nothing had to change */
    struct sf_fold_run *runs; /* none: the offsets are the same */
    size_t count, cap;
};

void sf_fold_init(struct sf_fold *fold, const char *text, size_t len, unsigned flags);
void sf_fold_release(struct sf_fold *fold);

/* Where the character at `at` begins, and where the one before `at` ends. */
size_t sf_fold_start(const struct sf_fold *fold, size_t at);
size_t sf_fold_end(const struct sf_fold *fold, size_t at);

/* The folded offset of an original one; what was dropped counts as what follows it. */
size_t sf_fold_at(const struct sf_fold *fold, size_t original);

/* The plain form of a typographic character at `text`, or 0; `took` is its length in any case. */
char sf_fold_character(const char *text, size_t len, size_t *took);

/* White space inside a line: blank, tab, vertical tab, form feed. */
bool sf_fold_is_space(char c);

#endif
