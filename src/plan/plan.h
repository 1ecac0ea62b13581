/*
 * plan: what is to be done, as text and as data: the states of a task and its legal moves, the plan
 * file with its schema, its reader and its writer, and the order in which tasks may run. Pure: no
 * file, no clock, no terminal. Other rooms include only this header.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Legal moves are one table, and each names who may make it.
 *   Problem: Agents mark work as done that nobody verified, and repairs hide it by doing the same.
 *   Decision: A move without a row does not exist. Done is reached from verifying with a passed
 *     verdict, or from reviewing; blocked, failed, cancelled and paused are left by a person only.
 *   Cost: A run that stops for a wrong reason waits for a person.
 *   Enforced by: plan/task_state
 */
#ifndef SF_PLAN_PLAN_H
#define SF_PLAN_PLAN_H

#include "plan/task_state.h"

#endif
