/*
 * event_json: events for programs, one JSON object per line. A table lists every type of object
 * with its members; the writer, docs/EVENTS.md and docs/events.schema.json all use that table, so
 * they cannot disagree.
 *
 * Within a version members are only ever added. A reader must ignore unknown types and members; the
 * schema is closed nevertheless, since it describes exactly this version of sf.
 */
#ifndef SF_PORT_EVENT_JSON_H
#define SF_PORT_EVENT_JSON_H

#include "base/base.h"
#include "session/session.h"

enum { SF_EVENT_JSON_VERSION = 1 };

/* Appends the object without a newline. */
void sf_event_json_add(const struct sf_event *event, struct sf_strbuf *out);

/* docs/EVENTS.md and docs/events.schema.json */
void sf_events_doc_add(struct sf_strbuf *out);
void sf_events_schema_add(struct sf_strbuf *out);

#endif
