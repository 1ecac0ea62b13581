/*
 * workspace: what the project's directory and the user's settings tell sf: instructions, notes,
 * custom commands, a scan of the project and the files made from it, trust, and connecting a model.
 * Untrusted files are read here, with size limits, and never run.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Notes and instructions are read again, and the model is told of changes.
 *   Problem: Instructions change while a session runs, but the system prompt must not.
 *   Decision: They are read before each turn; changes since the model last got them are an event of
 *     their own and go to the model with the next prompt.
 *   Cost: A change in the middle of a turn takes effect in the next one.
 *   Enforced by: workspace/instructions, agent/prompt
 *
 * - A text that changed is seen before it is used.
 *   Problem: A command writes AGENTS.md, and the next session takes it for the user's word.
 *   Decision: The texts seen last are kept in sf's state; another one is held back and shown as a
 *     diff, and the old one holds until it is accepted. Where nobody is there it stays held back.
 *   Cost: Who edits the file is asked once.
 *   Enforced by: workspace/instructions_seen, app/resume
 *
 * Other rooms include only this header.
 */
#ifndef SF_WORKSPACE_WORKSPACE_H
#define SF_WORKSPACE_WORKSPACE_H

#include "workspace/connect.h"
#include "workspace/custom_files.h"
#include "workspace/init_files.h"
#include "workspace/instructions.h"
#include "workspace/instructions_seen.h"
#include "workspace/memory.h"
#include "workspace/plan_files.h"
#include "workspace/plan_status.h"
#include "workspace/project_scan.h"
#include "workspace/trust_log.h"

#endif
