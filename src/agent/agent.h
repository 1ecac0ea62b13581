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
 *
 * - Which unit comes next is decided by a machine, never by the model.
 *   Problem: Agents that go on by themselves start finished work again, call untested work done,
 *     lose their place when they are killed, and act on after they were paused.
 *   Decision: A run is a second pure machine beside the turn. What outlives the process changes by
 *     events alone, which the running machine reads back as it writes them; done needs a passed
 *     verdict or a person; whatever stops a run names the command that leads on.
 *   Cost: A verification that nobody wrote stops the run for a person's word.
 *   Enforced by: agent/units, agent/units_sim
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
#include "agent/units.h"

#endif
