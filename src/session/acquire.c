/*
 * acquire.c: this process becomes the owner of a session, when it opens the session or when the
 * previous owner is gone: the lock, the approvals, the pending changes of the axes.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* When another process has the lock, a surface that gave `seen` watches the session instead. */
bool sf_session_lock(struct sf_session *s, struct sf_error *err)
{
    if (sf_session_lock_take(s->setup.state_dir, s->id, &s->lock, err))
        return true;
    if (err->code != SF_E_BUSY || !s->setup.seen)
        return false;
    s->watch = sf_watch_new(s, err);
    return s->watch != NULL;
}

bool sf_session_acquire(struct sf_session *s, struct sf_error *err)
{
    if (!s->depth)
        sf_policy_context_forget(s->setup.policy); /* approvals of another session */
    sf_dirs_apply(s);
    sf_mode_machine_here(s->axes.machine);
    if (!sf_policy_context_recall(s->setup.policy, s->setup.store, s->id, err) ||
        !sf_approvals_recall_mode(s, err) ||
        !sf_pending_read(s->setup.store, s->id, s->axes.machine, NULL, err) ||
        !sf_session_settle(s, err))
        return false;
    if (s->depth)
        return true;
    if (s->snapshots) /* sf_session_look made them while we watched */
        sf_snapshots_recall(s->snapshots);
    else
        s->snapshots = sf_snapshots_new(s);
    if (s->setup.resume)
        sf_snapshots_end_cut(s->snapshots);
    if (s->setup.attended)
        sf_session_watch_axes(s);
    return true;
}

bool sf_session_can(const struct sf_session *s, struct sf_error *err)
{
    if (s->watch)
        return sf_watch_refuse(s->watch, err);
    return !s->dead || sf_fail(err, SF_E_IO, "the session cannot be written any more");
}
