/*
 * splice: writing new text over old so that as little as possible changes. Lines the new text
 * has in common with what was asked for keep the bytes they have in the file; new lines take
 * the line ending of the place they come to and, where indentation was ignored to find it, the
 * indentation of that place.
 */
#ifndef SF_EDIT_SPLICE_H
#define SF_EDIT_SPLICE_H

#include "base/base.h"
#include "edit/diff.h"
#include "edit/ladder.h"

enum { SF_INDENTS_MAX = 64 };

/* How the asked-for indentation became the file's: pairs of both, the pointers borrowed. */
struct sf_indents {
    struct sf_indent {
        const char *asked, *there;
        size_t asked_len, there_len;
    } pairs[SF_INDENTS_MAX];
    size_t count;
};

/* Takes a pair of lines; false: one asked-for indentation stands for two different ones. */
bool sf_indents_learn(struct sf_indents *in, const char *asked, size_t asked_len, const char *there,
                      size_t there_len) SF_MUST_CHECK;

/* Appends the line with the indentation it has over there. No pairs: as it is. */
void sf_indents_add(const struct sf_indents *in, struct sf_strbuf *out, const char *line,
                    size_t len);

/* The ending of line `i` or of the one before it, or else the fallback; borrowed. */
const char *sf_ending_near(const char *text, const struct sf_lines *lines, size_t i,
                           const char *fallback, size_t *len);

/* What a replacement is made of; old and new text have "\n" endings. */
struct sf_splice {
    const char *text; /* the file's */
    const struct sf_lines *lines;
    const char *ending; /* where the file has none */
    const char *old_text, *new_text;
    size_t old_len, new_len;
    struct sf_diff diff; /* between old and new text */
};

void sf_splice_init(struct sf_splice *splice, const char *text, const struct sf_lines *lines,
                    const char *ending);
void sf_splice_texts(struct sf_splice *splice, const char *old_text, size_t old_len,
                     const char *new_text, size_t new_len);
void sf_splice_release(struct sf_splice *splice);

/*
 * Appends what the span becomes. Fails only on a rung without indentation, when the file's
 * indentation does not follow that of the old text.
 */
bool sf_splice_add(const struct sf_splice *splice, struct sf_strbuf *out, struct sf_line_span span,
                   enum sf_rung rung) SF_MUST_CHECK;

#endif
