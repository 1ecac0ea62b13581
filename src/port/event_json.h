/*
 * event_json: events for programs, one JSON object a line. A table names every type of object and
 * every member of it; the writer, docs/EVENTS.md and docs/events.schema.json all walk that table,
 * so that none of them can say what the others do not.
 *
 * Within a version members are only ever added. A reader passes over types and members it does not
 * know; the schema is closed all the same, since it describes this version of sf and no other.
 */
#ifndef SF_PORT_EVENT_JSON_H
#define SF_PORT_EVENT_JSON_H

#include "base/base.h"
#include "session/session.h"

enum { SF_EVENT_JSON_VERSION = 1 };

/* The object, without a line's end. */
void sf_event_json_add(const struct sf_event *event, struct sf_strbuf *out);

/* docs/EVENTS.md and docs/events.schema.json */
void sf_events_doc_add(struct sf_strbuf *out);
void sf_events_schema_add(struct sf_strbuf *out);

#endif
