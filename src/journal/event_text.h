/*
 * event_text: an event of the log in one line, for people. Every surface that lists events says
 * them with these words; an unknown kind keeps its data as it is.
 */
#ifndef SF_JOURNAL_EVENT_TEXT_H
#define SF_JOURNAL_EVENT_TEXT_H

#include <stddef.h>

#include "base/base.h"

enum { SF_EVENT_TEXT_COLUMNS = 300 }; /* a longer text is cut and ends in an ellipsis */

/* Appends one line without its end, safe to print. */
void sf_event_text_add(struct sf_strbuf *out, const char *kind, const char *json, size_t len);

/* The data over several lines, indented; as it is, when it cannot be read. */
void sf_event_text_data(struct sf_strbuf *out, const char *json, size_t len);

#endif
