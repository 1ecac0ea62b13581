/*
 * journal: the log of sessions, read and written. What a session leaves behind and what is made of
 * it later: titles, lists of prompts, reports, totals, exports, forks; who holds a session; what
 * waits in it. Nothing here runs a conversation.
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
