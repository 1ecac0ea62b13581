/*
 * model_chat: the writers of the chat service (model_chat_reply.c), for its row.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_CHAT_H
#define SF_TESTS_SUPPORT_MODEL_CHAT_H

#include "support/model_wire.h"

void model_chat_stream(struct model_answer *answer);
void model_chat_whole(struct model_answer *answer, struct sf_strbuf *out);

#endif
