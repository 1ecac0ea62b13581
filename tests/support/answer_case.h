/*
 * answer_case: a conversation in which the model's answers are bytes that a scripted service wrote:
 * request, decoder and turn are sf's own; network, store and tools are left out, and every call is
 * answered "ok" at once. Thousands of turns take a second.
 *
 * Life: fixtures, answer_case_serve, answer_case_turn …; a failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_ANSWER_CASE_H
#define SF_TESTS_SUPPORT_ANSWER_CASE_H

#include "agent/agent.h"
#include "support/model_responder.h"

struct answer_case {
    enum sf_wire_format format;
    struct model_responder responder;
    struct sf_agent *agent;
    struct sf_strlist kinds, events; /* the log of this conversation */
    struct sf_strlist complaints;    /* of the service about requests */
    size_t replies;                  /* of the script that were given */

    /* of the last turn */
    bool asked;    /* a request is to be answered */
    bool finished; /* the answer has said that it is complete */
    int calls, results, ends;
    bool early_call; /* one was begun before its answer was complete */
    enum sf_turn_status status;
    struct sf_wire_error error;
    struct sf_strbuf text;
};

/* cmocka fixtures: *state is a struct answer_case. */
int answer_case_setup(void **state);
int answer_case_teardown(void **state);

/* A new script; the conversation begins anew. */
void answer_case_serve(struct answer_case *c, enum sf_wire_format format, const char *scenario);
void answer_case_begin(struct answer_case *c);

/* The bytes of the script's first reply to `words`, instead of a turn with it. */
void answer_case_bytes(struct answer_case *c, const char *words, struct sf_strbuf *out);

/* Goes on as another process would, from the log alone. */
void answer_case_reopen(struct answer_case *c);

/* Says it and plays the turn to its end. */
void answer_case_turn(struct answer_case *c, const char *words);

/* Fails the test unless the history could be sent to a service and is UTF-8 throughout. */
void answer_case_check(const struct answer_case *c, const char *name);

#endif
