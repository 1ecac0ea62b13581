/*
 * journal: the log of sessions, read and written. What a session leaves behind and what is made of
 * it later: titles, lists of prompts, reports, totals, exports, forks; who holds a session; what
 * waits in it. Nothing here runs a conversation.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A fork shares, it does not copy.
 *   Problem: A fork of a long session would double the log.
 *   Decision: A session's history is its parent's events up to a point and then its own; one
 *     recursive query reads it. A point lies before a prompt, where the history is whole. The fork
 *     has the parent's present axes, since going back must not bring permissions back that were
 *     taken away.
 *   Cost: A session with forks cannot be deleted before them.
 *   Enforced by: journal/fork
 *
 * - A long session is read from its end.
 *   Problem: Reading a whole log before the first screen takes seconds.
 *   Decision: The screen needs the last events, the model those since a little before the last
 *     summary, which `log_start` finds. Sums of usage stand in the log every hundred rows, and
 *     numbers of events have no gaps, so any part is found by the index.
 *   Cost: Files that were seen and pinned facts lie anywhere and are read later, on the loop.
 *   Enforced by: journal/log_start, session/load
 *
 * - An import is a stranger's.
 *   Problem: An imported log can claim that somebody approved something.
 *   Decision: Each event is read as resuming reads it and written anew from what was understood.
 *     What is no part of a conversation stays behind, and so does who answered there.
 *   Cost: An import loses decisions and accounts.
 *   Enforced by: app/sessions, app/hostile_repo
 *
 * - The one who runs a session hears of what others write.
 *   Problem: Polling for changes of the axes keeps a CPU awake.
 *   Decision: A watch on the store's log wakes the process, and SQLite's own counter says whether
 *     somebody else wrote. At rest nothing runs.
 *   Cost: Some wake-ups are one's own.
 *   Enforced by: io/filewatch, tui/watch, tui/idle
 *
 * - A draft is the session's, in a file of its own.
 *   Problem: Words that were typed and not sent must survive a crash, but are no events.
 *   Decision: Each session has a draft file. A queued draft on its way into the log is marked with
 *     the number of the event before it, so that it is sent once, whenever the process dies.
 *   Cost: One more file to keep in step with the log.
 *   Enforced by: journal/draft
 *
 * The other rooms include this header alone.
 */
#ifndef SF_JOURNAL_JOURNAL_H
#define SF_JOURNAL_JOURNAL_H

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
