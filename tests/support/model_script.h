/*
 * model_script: where a server stands in its scenario, and whether a request is the one the
 * scenario waits for. A reply is used up only by a request that passed all checks.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_SCRIPT_H
#define SF_TESTS_SUPPORT_MODEL_SCRIPT_H

#include "support/model_http.h"
#include "support/model_wire.h"

struct model_script {
    const struct model_scenario *scenario;
    size_t next;   /* reply */
    size_t used;   /* how often it has been given */
    size_t number; /* replies given so far */
};

/* NULL: the script has ended. */
const struct model_reply *model_script_peek(const struct model_script *script);
void model_script_advance(struct model_script *script);

/* False with the expectation that failed in `why`, as text with its line. */
bool model_script_expects(const struct model_reply *reply, const struct model_request *request,
                          const struct model_http *http, struct sf_strbuf *why);

#endif
