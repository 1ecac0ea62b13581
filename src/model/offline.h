/*
 * offline: the operator that needs no key and no network. It is no language model and says so:
 * it understands plain requests (list, read, find, replace, create, run, test, diff, commit,
 * plan) and does them through the same tools, verdicts and log as any model. Pure: the same
 * conversation always gets the same answer.
 */
#ifndef SF_MODEL_OFFLINE_H
#define SF_MODEL_OFFLINE_H

#include "wire/wire.h"

/* Answers the conversation: one BEGIN, what there is to say and call, one END. */
void sf_offline_answer(const struct sf_wire_request *request, sf_stream_fn *fn, void *ctx);

#endif
