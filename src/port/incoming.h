/*
 * incoming: a line that a program sends to a session, as a JSON object. A table lists every type of
 * line with its members; the reader, docs/EVENTS.md and docs/input.schema.json use that table. What
 * a line does is in dialogue.c.
 *
 * Life: sf_incoming_read, use, sf_incoming_release. Internal to this room but for the documents.
 */
#ifndef SF_PORT_INCOMING_H
#define SF_PORT_INCOMING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "port/event_table.h"

enum { SF_INCOMING_MAX = 4 * 1024 * 1024 }; /* bytes of a line */

enum sf_incoming_kind {
    SF_INCOMING_PROMPT,
    SF_INCOMING_STEER,
    SF_INCOMING_ANSWER,
    SF_INCOMING_CONFIRM,
    SF_INCOMING_CANCEL,
    SF_INCOMING_COMMAND,
    SF_INCOMING_END,
    SF_INCOMING_USER, /* a prompt in another program's form */
    SF_INCOMING_COUNT,
};

struct sf_incoming_type {
    enum sf_incoming_kind kind;
    const char *name, *help;
    const struct sf_member *members; /* besides "type" and "id" */
    size_t count;
    bool open; /* other members are passed over */
};

extern const struct sf_member sf_incoming_common[]; /* members of every line */
extern const size_t sf_incoming_common_count;
extern const struct sf_incoming_type sf_incoming_types[];
extern const size_t sf_incoming_type_count;

/* How a call that waits may be answered. */
enum sf_line_reply {
    SF_LINE_REPLY_ONCE,
    SF_LINE_REPLY_SURE, /* once, for what needs a confirmation */
    SF_LINE_REPLY_SESSION,
    SF_LINE_REPLY_WORKSPACE,
    SF_LINE_REPLY_DENY,
    SF_LINE_REPLY_STOP,
};

extern const char *const sf_line_replies[]; /* "once", "confirm" and so on, by enum; NULL */

struct sf_incoming {
    const struct sf_incoming_type *type; /* NULL: it could not be told */
    struct sf_json *json;
};

/* False: `err` says what was expected; `incoming` holds what could be told of it nevertheless. */
bool sf_incoming_read(struct sf_incoming *incoming, const char *line, size_t len,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_incoming_release(struct sf_incoming *incoming);

/* Members of a line that was read; NULL and false: not given. */
const char *sf_incoming_text(const struct sf_incoming *incoming, const char *member);
bool sf_incoming_flag(const struct sf_incoming *incoming, const char *member);

/* The words of a prompt, in any of its forms. False: it has none that sf can send. */
bool sf_incoming_words(const struct sf_incoming *incoming, struct sf_strbuf *out,
                       struct sf_error *err) SF_MUST_CHECK;

#endif
