/*
 * stream_log: what a decoder reports, as lines of text that tests compare. JSON is written with
 * single quotes in fixtures and turned into the real thing here.
 */
#ifndef SF_TESTS_SUPPORT_STREAM_LOG_H
#define SF_TESTS_SUPPORT_STREAM_LOG_H

#include <stddef.h>

#include "wire/wire.h"

struct stream_log {
    struct sf_strbuf text;
    size_t ends, after_end;  /* END and ERROR events; events behind the first of them */
    size_t calls, bad_calls; /* delivered; those whose arguments are no JSON object */
    enum sf_fault fault;     /* of the ERROR, or SF_FAULT_NONE */
};

void stream_log_init(struct stream_log *log);
void stream_log_release(struct stream_log *log);
sf_stream_fn stream_log_event; /* ctx: a struct stream_log */

/* Decodes in pieces: `cuts` are their sizes, used in a circle; NULL: in one. */
void stream_log_run(struct stream_log *log, enum sf_wire_format format, const char *data,
                    size_t len, const size_t *cuts);

/* Each line an event, its single quotes double ones: "data: …" and an empty line. */
void stream_log_body(struct sf_strbuf *out, const char *events);

/* The text with double quotes for single ones; owned by the caller. */
char *stream_log_quotes(const char *text);

#endif
