/*
 * agent: the turn as a state machine. It takes one event at a time (words of the user, pieces of
 * an answer, results, answers to questions, cancel, time) and says what is to be done; it opens
 * nothing, asks no clock and knows no service. Whole conversations are therefore tested without
 * a network or a screen.
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
