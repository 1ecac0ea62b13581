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
 *
 * - A plan is Markdown that people write, and nothing in it is dropped in silence.
 *   Problem: A lenient reader of prose loses the task whose heading has a typing error, and the run
 *     is done without it.
 *   Decision: Headings with ids and bullets with fields are the whole syntax. What looks like a part
 *     of the plan and is none is a fault; all faults are collected with line, column and the nearest
 *     name, so that the list can go back to the model as it is.
 *   Cost: A bullet of a task that is no field has to be written as words.
 *   Enforced by: plan/plan_file, plan/round_trip
 *
 * - A dependency on a slice or milestone is one edge.
 *   Problem: "All of M1" for each of 5,000 tasks would be 25 million edges.
 *   Decision: Slices and milestones are nodes of the graph that wait for their tasks.
 *   Cost: A circle may lead through a slice, and is named with it.
 *   Enforced by: plan/graph
 */
#ifndef SF_PLAN_PLAN_H
#define SF_PLAN_PLAN_H

#include "plan/facts.h"
#include "plan/faults.h"
#include "plan/graph.h"
#include "plan/import.h"
#include "plan/plan_file.h"
#include "plan/schema.h"
#include "plan/syntax.h"
#include "plan/task_state.h"

#endif
