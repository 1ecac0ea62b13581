/*
 * offline_operator: one answer of the offline operator in the making. A script asks for tools as if
 * they answered at once; what the conversation holds is given, and the first call it does not
 * hold becomes this answer.
 */
#ifndef SF_MODEL_OFFLINE_OPERATOR_H
#define SF_MODEL_OFFLINE_OPERATOR_H

#include "base/base.h"
#include "model/offline_words.h"
#include "wire/wire.h"

/* What has been done in this turn, and what this answer becomes. */
struct sf_operator {
    const struct sf_wire_request *request;
    const struct sf_history *history;
    size_t message, block; /* where the next result is looked for */
    size_t calls;          /* made in the whole conversation, for ids */
    struct sf_message *answer;
    struct sf_strbuf text;
    bool waiting; /* a call was made: nothing more can be said now */
    bool failed;  /* a clause cannot be done: later ones are not, either */
};

typedef void sf_script_fn(struct sf_operator *tape, const struct sf_clause *c);

void sf_operator_say(struct sf_operator *t, const char *format, ...) SF_PRINTF(2, 3);
void sf_operator_refuse(struct sf_operator *t, const char *format, ...) SF_PRINTF(2, 3);
void sf_operator_say_result(struct sf_operator *t,
                            const struct sf_block *result); /* NULL says nothing */

/* The result of the call; NULL when it has only now been made, or cannot be. */
const struct sf_block *sf_operator_use(struct sf_operator *t, const char *name,
                                       const struct sf_strbuf *args);

/* The same with arguments as names and texts, one after the other, and a NULL. */
const struct sf_block *sf_operator_call(struct sf_operator *t, const char *tool,
                                        const char *const *pairs);

/* The script for a verb, or NULL. */
sf_script_fn *sf_offline_script(const char *verb);

/* What it is, what it understands, and how to connect a model. */
extern const char sf_offline_help[];

#endif
