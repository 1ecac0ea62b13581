/*
 * schema_output: --output-schema: the answer of a run as JSON that fits a schema of the user's. The
 * model is told the schema; a service that can hold its answer to one does; and sf checks what came.
 * An answer that does not fit is asked for again, twice at most.
 */
#ifndef SF_APP_SCHEMA_OUTPUT_H
#define SF_APP_SCHEMA_OUTPUT_H

#include "app/cli.h"
#include "base/base.h"

enum { SF_SCHEMA_TRIES = 2 }; /* how often an answer is asked for again */

/* Life: SF_SCHEMA_OUTPUT_INIT, sf_schema_output_read, sf_schema_output_release. */
struct sf_schema_output {
    struct sf_json *schema; /* NULL: the option was not given */
    struct sf_strbuf text;  /* the same, as it is sent */
    bool closed;            /* services take it: sf_json_schema_is_closed */
    struct sf_strbuf value; /* the answer, when it fits */
    struct sf_strbuf why;   /* why the last answer does not fit */
    bool fits;
    bool unknown; /* the last answer takes too long to check */
    int tries;    /* answers that were asked for again */
};

/* clang-format off */
#define SF_SCHEMA_OUTPUT_INIT { .text = SF_STRBUF_INIT, .value = SF_STRBUF_INIT, .why = SF_STRBUF_INIT }
/* clang-format on */

bool sf_schema_output_read(struct sf_schema_output *s, const struct sf_invocation *inv,
                           struct sf_error *err) SF_MUST_CHECK;
void sf_schema_output_release(struct sf_schema_output *s);

/* Tells the model what to answer with; without a schema nothing is added. */
void sf_schema_output_tell(const struct sf_schema_output *s, struct sf_strbuf *prompt);

/* Holds an answer against the schema; true without a schema. */
bool sf_schema_output_check(struct sf_schema_output *s, const struct sf_strbuf *answer);

/* What is said to the model to ask for the answer again; false: it was asked often enough. */
bool sf_schema_output_again(struct sf_schema_output *s, struct sf_strbuf *out);

#endif
