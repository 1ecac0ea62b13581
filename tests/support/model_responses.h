/*
 * model_responses: the writers of the Responses service (model_responses_reply.c), for its row.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_RESPONSES_H
#define SF_TESTS_SUPPORT_MODEL_RESPONSES_H

#include "support/model_wire.h"

void model_responses_stream(struct model_answer *answer);
void model_responses_whole(struct model_answer *answer, struct sf_strbuf *out);

#endif
