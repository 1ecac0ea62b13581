/*
 * live_sessions: how much space the snapshots of a project may take, and which sessions are live:
 * those whose lock a process holds. Snapshots of live sessions must stay.
 */
#ifndef SF_JOURNAL_LIVE_SESSIONS_H
#define SF_JOURNAL_LIVE_SESSIONS_H

#include "base/base.h"
#include "config/config.h"
#include "snap/snap.h"

/* The budget from the settings; the caller fills in `live`. */
struct sf_snap_budget sf_live_snap_budget(struct sf_config *config);

/* Adds the ids of live sessions. Reads files, so it may run on a worker. */
void sf_live_sessions(const char *state_dir, struct sf_strlist *out);

#endif
