/*
 * session: a conversation that runs. It performs what the agent's machine says: asks the model,
 * judges and runs tools, writes everything down first and tells its surface then. Every surface
 * (headless, terminal, rpc, web) holds a session and shows its events; there is no other way to a
 * tool.
 */
#ifndef SF_SESSION_SESSION_H
#define SF_SESSION_SESSION_H

#include "agent/agent.h"
#include "model/model.h"
#include "session/charter.h"
#include "session/confine.h"
#include "session/connect.h"
#include "session/custom_files.h"
#include "session/discard.h"
#include "session/draft.h"
#include "session/export.h"
#include "session/fork.h"
#include "session/gitconfig.h"
#include "session/goal.h"
#include "session/ground.h"
#include "session/hold.h"
#include "session/import.h"
#include "session/instructions.h"
#include "session/judge.h"
#include "session/live.h"
#include "session/logged.h"
#include "session/memory.h"
#include "session/report.h"
#include "session/restored.h"
#include "session/said.h"
#include "session/sentence.h"
#include "session/service.h"
#include "session/sketch.h"
#include "session/spent.h"
#include "session/talk.h"
#include "session/title.h"
#include "session/undo.h"
#include "session/vouch.h"
#include "session/waiting.h"

#endif
