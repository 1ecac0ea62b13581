/*
 * wire: what sf and a model say to each other, and how three kinds of service spell it. Pure:
 * text in, text out. Messages and their blocks are sf's own; the encoders write requests from
 * them, the decoders turn streams of bytes into one vocabulary of events.
 *
 * Decisions, each with the tests that hold it:
 *
 * - What one service wrote is made fit for another.
 *   Problem: Ids and names outside a service's alphabet make it refuse the whole conversation for
 *     ever after.
 *   Decision: Misfits are replaced by names made from their place in the history, so they are the
 *     same in every request.
 *   Cost: What is sent can differ from what the log holds.
 *   Enforced by: wire/request
 *
 * - A call counts when its answer ends.
 *   Problem: A stream can break off in the middle of an argument that is still valid JSON.
 *   Decision: Calls are delivered when the answer is complete. One that a limit cut off is dropped
 *     with its half of an argument.
 *   Cost: The first call of an answer waits for the last.
 *   Enforced by: wire/decode, agent/answer
 *
 * - Arguments and reasoning go back as the very text that came.
 *   Problem: Services refuse reasoning that was changed, and their caches hold only for equal
 *     bytes.
 *   Decision: Blocks keep the source text of what a service wrote, and the encoders copy it.
 *   Cost: The text is stored beside what was understood of it.
 *   Enforced by: wire/request, wire/message
 */
#ifndef SF_WIRE_WIRE_H
#define SF_WIRE_WIRE_H

#include "wire/decode.h"
#include "wire/message.h"
#include "wire/replay_line.h"
#include "wire/request.h"
#include "wire/stream.h"

#endif
