/*
 * title: the title of a session, made from its first prompt or set by the user: one line of plain
 * text, short enough for every list.
 */
#ifndef SF_JOURNAL_TITLE_H
#define SF_JOURNAL_TITLE_H

#include "base/base.h"
#include "store/store.h"

enum { SF_TITLE_COLUMNS = 80 };

/* Makes a title: trimmed, cut to SF_TITLE_COLUMNS, without control characters. */
void sf_title_make(struct sf_strbuf *out, const char *text, size_t len);

/* Sets a title the user chose, which must not be empty. */
bool sf_title_set(struct sf_store *store, const char *session, const char *text,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
