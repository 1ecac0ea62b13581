/*
 * model_garbage: streams that are wrong in every way a stream can be: cut, doubled and shuffled
 * events, random bytes, invalid UTF-8, mixed line ends, lengths that lie. The same seed and service
 * give the same bytes. They always come to an end by themselves.
 */
#ifndef SF_TESTS_SUPPORT_MODEL_GARBAGE_H
#define SF_TESTS_SUPPORT_MODEL_GARBAGE_H

#include "support/model_wire.h"

/*
 * Fills the plan of the answer; its reply gives the seed. `reply` receives the rest that is wrong:
 * framing, length, content type.
 */
void model_garbage(struct model_answer *answer, uint64_t seed, struct model_reply *reply);

#endif
