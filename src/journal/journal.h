/*
 * journal: reads and writes the log of sessions: titles, lists of prompts, reports, totals,
 * exports, imports, forks; the locks that say which process owns a session; drafts and pending
 * changes. Nothing here runs a conversation.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A fork shares events instead of copying them.
 *   Problem: Copying would double the log of a long session with each fork.
 *   Decision: A session's history is its parent's events up to a point and then its own; one
 *     recursive query reads it. A fork begins right before a prompt, where the history is complete.
 *     The fork gets the parent's current axes, so that it does not bring back permissions that
 *     were revoked since.
 *   Cost: A session with forks cannot be deleted before them.
 *   Enforced by: journal/fork
 *
 * - A long session is read from its end.
 *   Problem: Reading a whole log before the first screen takes seconds.
 *   Decision: The screen needs the last events; the model needs those from a little before the
 *     last summary on, and `log_start` finds where. The log has a subtotal of the usage about
 *     every hundred rows, and event numbers have no gaps, so the index finds any part.
 *   Cost: Pinned facts and the record of files seen can be anywhere in the log and are read later,
 *     on the loop.
 *   Enforced by: journal/log_start, session/load
 *
 * - An import is not trusted.
 *   Problem: An imported log can claim approvals that nobody gave.
 *   Decision: Each event is parsed as resuming parses it, and written again from what was
 *     understood. Events that are no part of the conversation are left out, and so is the name of
 *     the provider.
 *   Cost: An import loses decisions and usage.
 *   Enforced by: app/sessions, app/hostile_repo
 *
 * - The owner of a session notices what other processes write.
 *   Problem: Polling for changes of the axes keeps a CPU awake.
 *   Decision: A watch on the database's log wakes the process, and SQLite's data version says
 *     whether another process wrote. An idle process does not run at all.
 *   Cost: The process also wakes up for its own writes.
 *   Enforced by: io/filewatch, tui/watch, tui/idle
 *
 * - A draft belongs to its session and has a file of its own.
 *   Problem: Text that was typed but not sent must survive a crash, but is not an event.
 *   Decision: Each session has a draft file. A queued prompt that is being sent is marked with the
 *     time, and stays queued until the log has a later prompt, so that it is sent once even if the
 *     process dies.
 *   Cost: One more file to keep consistent with the log.
 *   Enforced by: journal/draft
 *
 * Other rooms include only this header.
 */
#ifndef SF_JOURNAL_JOURNAL_H
#define SF_JOURNAL_JOURNAL_H

#include "journal/cut_turn.h"
#include "journal/discard.h"
#include "journal/draft.h"
#include "journal/event_text.h"
#include "journal/export.h"
#include "journal/fork.h"
#include "journal/import.h"
#include "journal/live_sessions.h"
#include "journal/log_event.h"
#include "journal/log_start.h"
#include "journal/pending.h"
#include "journal/prompt_list.h"
#include "journal/provider_of.h"
#include "journal/report.h"
#include "journal/restored.h"
#include "journal/session_lock.h"
#include "journal/title.h"
#include "journal/undo.h"
#include "journal/usage_totals.h"

#endif
