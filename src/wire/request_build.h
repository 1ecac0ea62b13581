/*
 * request_build: what the three encoders share. Private to wire. A `struct sf_request_writer`
 * walks the history once from the front; whatever it decides about a message depends on the
 * messages before it and never on later ones.
 */
#ifndef SF_WIRE_REQUEST_BUILD_H
#define SF_WIRE_REQUEST_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "wire/request.h"

struct sf_request_writer {
    const struct sf_wire_request *request;
    struct sf_json_writer *w;
    struct sf_arena arena;         /* ids and names that had to be replaced */
    struct sf_map seen;            /* ids of calls so far, as sent */
    const struct sf_message *said; /* the last message with calls */
    const char **ids;              /* the ids of those calls as sent */
    size_t ids_cap, calls;         /* calls of the whole history so far */
};

/* To be called with each message of the assistant before its blocks are written. */
void sf_request_heard(struct sf_request_writer *rw, const struct sf_message *message);

/* The id of a call, or of a result, as this service takes it. */
const char *sf_request_id(struct sf_request_writer *rw, const struct sf_block *block);

/* The name of a called tool as every service takes it. */
const char *sf_request_name(struct sf_request_writer *rw, const char *name);

/* The arguments of a call, or {} for what is no JSON object. */
const char *sf_request_arguments(const struct sf_block *block);

/* The text of a result; a failure that said nothing says so. */
const char *sf_request_outcome(const struct sf_block *block);

/* Reasoning to send back: of this format, and not the last thing the message says. */
bool sf_request_keeps(const struct sf_request_writer *rw, const struct sf_message *message,
                      size_t at);

/* The members that name a schema, for the services of OpenAI and those like them. */
void sf_request_schema(struct sf_request_writer *rw);

/* Images as a data: address, in the form OpenAI's services share. */
void sf_request_image_url(struct sf_request_writer *rw, const char *key,
                          const struct sf_block *block);

bool sf_request_blank(const char *text);
extern const char sf_request_no_image[]; /* the line in its place */

void sf_request_anthropic(struct sf_request_writer *rw);
void sf_request_chat(struct sf_request_writer *rw);
void sf_request_responses(struct sf_request_writer *rw);

#endif
