/*
 * dialogue: a program that holds a conversation with a session, line by line. It gets what the
 * program wrote as bytes, takes the lines apart, and does what they say through the port; whatever
 * becomes of a line is told as SF_EVENT_INPUT, so the program always knows where its words went.
 *
 * Life: sf_dialogue_new, then sf_dialogue_feed and sf_dialogue_end as the input comes, the events
 * and responses of the port as they come, and sf_dialogue_advance after each turn of the loop until
 * sf_dialogue_is_over; sf_dialogue_free.
 */
#ifndef SF_PORT_DIALOGUE_H
#define SF_PORT_DIALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "port/response.h"
#include "session/session.h"

struct sf_dialogue;
struct sf_port;

enum { SF_DIALOGUE_QUEUE_MAX = 64 }; /* prompts and commands that wait; a further one is refused */

/* What becomes of a line, as the event says it. */
enum sf_input_status {
    SF_INPUT_TAKEN,   /* it has taken effect */
    SF_INPUT_QUEUED,  /* it waits for its turn */
    SF_INPUT_REFUSED, /* `message` says what was expected */
    SF_INPUT_DROPPED, /* the run ended before its turn came */
};

extern const char *const sf_input_status_names[]; /* by enum; NULL at the end */

struct sf_dialogue_setup {
    struct sf_port *port;
    bool answers; /* the program answers questions; otherwise a policy does */
    void (*input)(void *ctx, const struct sf_event_input *input);
    void *ctx;
};

struct sf_dialogue *sf_dialogue_new(const struct sf_dialogue_setup *setup);
void sf_dialogue_free(struct sf_dialogue *dialogue); /* NULL is welcome */

/* A prompt before the first line, which counts as line 0. */
void sf_dialogue_begin(struct sf_dialogue *dialogue, const char *text, size_t len);

void sf_dialogue_feed(struct sf_dialogue *dialogue, const char *bytes, size_t len);

/* Nothing more comes: questions that wait have nobody to answer them. */
void sf_dialogue_end(struct sf_dialogue *dialogue);

/* The run ends from outside: lines that wait are dropped. The caller cancels what runs. */
void sf_dialogue_stop(struct sf_dialogue *dialogue);

/* Take what the port tells its surface. */
void sf_dialogue_event(struct sf_dialogue *dialogue, const struct sf_event *event);
void sf_dialogue_response(struct sf_dialogue *dialogue, const struct sf_response *response);

void sf_dialogue_advance(struct sf_dialogue *dialogue);       /* never from within an event */
bool sf_dialogue_ended(const struct sf_dialogue *dialogue);   /* no more lines are taken */
bool sf_dialogue_is_over(const struct sf_dialogue *dialogue); /* ended, and nothing is left */
bool sf_dialogue_refused(const struct sf_dialogue *dialogue); /* some line was refused */

/* Adds the part of docs/EVENTS.md about lines; docs/input.schema.json. */
void sf_dialogue_doc_add(struct sf_strbuf *out);
void sf_input_schema_add(struct sf_strbuf *out);

#endif
