/*
 * corpus: the one-line encoding in which labelled commands are kept and exchanged: pure ASCII,
 * backslash escapes for the rest (\\ \n \t \r \xNN \u{H}). A decoded text may hold any byte.
 */
#ifndef SF_SHELL_CORPUS_H
#define SF_SHELL_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Appends the decoded line; false with `err` filled when an escape is not one of the above. */
bool sf_corpus_decode(const char *line, size_t len, struct sf_strbuf *out,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
