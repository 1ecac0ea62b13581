/*
 * offline: the operator that needs no model. It answers from the conversation alone, the same
 * every time, and never pretends to be a language model.
 */
#ifndef SF_MODEL_OFFLINE_H
#define SF_MODEL_OFFLINE_H

#include "wire/wire.h"

/* The whole answer at once, ended by SF_STREAM_END. */
void sf_offline_answer(const struct sf_wire_request *request, sf_stream_fn *fn, void *ctx);

#endif
