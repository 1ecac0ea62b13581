/*
 * title: what a session is called, by its first words or by the user: one line of plain text, short
 * enough for every list.
 */
#ifndef SF_JOURNAL_TITLE_H
#define SF_JOURNAL_TITLE_H

#include "base/base.h"
#include "store/store.h"

enum { SF_TITLE_COLUMNS = 80 };

/* Blanks around it go, what is too long is cut, and nothing in it moves the cursor. */
void sf_title_make(struct sf_strbuf *out, const char *text, size_t len);

/* The user names it; words there must be. */
bool sf_title_set(struct sf_store *store, const char *session, const char *text,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
