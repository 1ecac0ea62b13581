/*
 * workspace: what the project's directory and the user's settings say to sf: instructions, notes,
 * custom commands, a first look at the project and the files made from it, who trusts it, which
 * model it is connected to. Files a stranger wrote are read here, with ceilings, and never run.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Notes and instructions are re-read, and changes are told.
 *   Problem: Instructions change while a session runs, but the system prompt must not.
 *   Decision: They are read before each turn; what changed since the model was told is an event of
 *     its own and goes with the next words.
 *   Cost: A change in the middle of a turn is seen by the next one.
 *   Enforced by: workspace/instructions, agent/prompt
 *
 * - A text that changed is seen before it is used.
 *   Problem: A command writes AGENTS.md, and the next session takes it for the user's word.
 *   Decision: The texts seen last are kept in sf's state; another one is held back and shown as a
 *     diff, and the old one holds until it is accepted. Where nobody is there it stays held back.
 *   Cost: Who edits the file is asked once.
 *   Enforced by: workspace/instructions_seen, app/resume
 *
 * The other rooms include this header alone.
 */
#ifndef SF_WORKSPACE_WORKSPACE_H
#define SF_WORKSPACE_WORKSPACE_H

#include "workspace/connect.h"
#include "workspace/custom_files.h"
#include "workspace/init_files.h"
#include "workspace/instructions.h"
#include "workspace/instructions_seen.h"
#include "workspace/memory.h"
#include "workspace/project_scan.h"
#include "workspace/trust_log.h"

#endif
