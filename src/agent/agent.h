/*
 * agent: the turn as a state machine. It takes one event at a time (words of the user, pieces of
 * an answer, results, answers to questions, cancel, time) and says what is to be done; it opens
 * nothing, asks no clock and knows no service. Whole conversations are therefore tested without
 * a network or a screen.
 *
 * Decisions, each with the tests that hold it:
 *
 * - What must survive a summary is not the model's to write.
 *   Problem: A summary that forgets the goal or a pinned fact changes what the user asked for.
 *   Decision: Pinned facts, goal, axes and scope are put behind the model's words by rule. Pins are
 *     events, and the list goes with the next words after it changed, so that what was sent before
 *     stays the same to the byte.
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
#include "agent/turn.h"

#endif
