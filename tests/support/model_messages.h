/*
 * model_messages: the writers of the Messages service (model_messages_reply.c), for its row.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_MESSAGES_H
#define SF_TESTS_SUPPORT_MODEL_MESSAGES_H

#include "support/model_wire.h"

void model_messages_stream(struct model_answer *answer);
void model_messages_whole(struct model_answer *answer, struct sf_strbuf *out);

#endif
