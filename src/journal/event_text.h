/*
 * event_text: a log event as one line for people. Every surface that lists events uses this text;
 * an event of unknown kind is shown as its raw data.
 */
#ifndef SF_JOURNAL_EVENT_TEXT_H
#define SF_JOURNAL_EVENT_TEXT_H

#include <stddef.h>

#include "base/base.h"

enum { SF_EVENT_TEXT_COLUMNS = 300 }; /* a longer text is cut and ends in an ellipsis */

/* Appends one line without a newline, safe to print. */
void sf_event_text_add(struct sf_strbuf *out, const char *kind, const char *json, size_t len);

/* Appends the data as indented JSON; data that is not valid JSON is appended as it is. */
void sf_event_text_data(struct sf_strbuf *out, const char *json, size_t len);

#endif
