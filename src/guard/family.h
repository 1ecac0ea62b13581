/*
 * family: a command without the words that cannot make it more. Private to the room.
 */
#ifndef SF_GUARD_FAMILY_H
#define SF_GUARD_FAMILY_H

#include <stddef.h>

#include "base/base.h"
#include "shell/shell.h"

enum sf_keep {
    SF_KEEP_NOTHING, /* it must not be kept */
    SF_KEEP_ALL,     /* every word counts */
    SF_KEEP_FAMILY,  /* a table says which words do not */
};

/* Appends what counts of the words; `source` is the text they were read from. */
enum sf_keep sf_family_read(const struct sf_word *words, size_t count, const char *source,
                            struct sf_strbuf *out);

/* Appends a word so that a shell would read it as it was. */
void sf_family_spell(const struct sf_word *word, const char *source, struct sf_strbuf *out);

#endif
