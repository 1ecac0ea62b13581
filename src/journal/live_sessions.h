/*
 * live_sessions: how much the snapshots of a project may take, and whose must stay: those of sessions that
 * somebody talks in right now, which are known by their locks.
 */
#ifndef SF_JOURNAL_LIVE_SESSIONS_H
#define SF_JOURNAL_LIVE_SESSIONS_H

#include "base/base.h"
#include "config/config.h"
#include "snap/snap.h"

/* As the settings say; `live` is left to the caller. */
struct sf_snap_budget sf_live_snap_budget(struct sf_config *config);

/* Adds the ids of live sessions. Looks at files; fit for a worker. */
void sf_live_sessions(const char *state_dir, struct sf_strlist *out);

#endif
