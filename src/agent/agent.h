/*
 * agent: the turn as a state machine. It takes one input at a time (a prompt, pieces of an answer,
 * results, verdicts, cancel, time) and returns what is to be done; it opens no file, reads no clock
 * and knows no service. Whole conversations can therefore be tested without a network or a screen.
 *
 * Decisions, each with the tests that hold it:
 *
 * - What must survive a summary is not left to the model.
 *   Problem: A summary that forgets the goal or a pinned fact changes what the user asked for.
 *   Decision: sf itself adds pinned facts, goal, axes and scope after the model's text. Pins are
 *     events, and the list goes with the next prompt after a change, so that earlier messages stay
 *     the same to the byte.
 *   Cost: The summary is longer than the model made it.
 *   Enforced by: agent/compact, session/compaction
 */
#ifndef SF_AGENT_AGENT_H
#define SF_AGENT_AGENT_H

#include "agent/budget.h"
#include "agent/compact.h"
#include "agent/context.h"
#include "agent/custom.h"
#include "agent/goal.h"
#include "agent/log.h"
#include "agent/prompt.h"
#include "agent/review.h"
#include "agent/turn.h"

#endif
