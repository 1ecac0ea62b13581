/*
 * member_doc: rows of members as a table for people and as a JSON Schema, for what a program reads
 * (event_doc.c) and what it writes (incoming_doc.c). Internal to this room.
 */
#ifndef SF_PORT_MEMBER_DOC_H
#define SF_PORT_MEMBER_DOC_H

#include "base/base.h"
#include "port/event_table.h"

/* A Markdown table and an empty line. */
void sf_members_doc_add(struct sf_strbuf *out, const struct sf_member *members, size_t count);

/* A member of "properties", and the names of those that an object must have. */
void sf_member_schema_add(struct sf_json_writer *w, const struct sf_member *m);
void sf_members_required_add(struct sf_json_writer *w, const struct sf_member *members,
                             size_t count);

/* Puts each member of an object on a line of its own, so that a change shows in a diff. */
void sf_schema_indent(struct sf_strbuf *out, const struct sf_strbuf *json);

#endif
