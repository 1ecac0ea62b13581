/*
 * acquire.c: a session becomes ours, when it is opened or when the one who held it is gone: its lock,
 * what was approved in it, the changes of its axes that wait.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* Where somebody else has the session, who wants to may watch it. */
bool sf_session_lock(struct sf_session *s, struct sf_error *err)
{
    if (sf_session_lock_take(s->setup.state_dir, s->id, &s->lock, err))
        return true;
    if (err->code != SF_E_BUSY || !s->setup.seen)
        return false;
    s->watch = sf_watch_new(s, err);
    return s->watch != NULL;
}

static bool add_approval(void *ctx, const char *session, const char *pattern)
{
    struct sf_session *s = ctx;

    sf_policy_context_approve(s->setup.policy, pattern,
                              session ? SF_RULE_SESSION : SF_RULE_WORKSPACE);
    return true;
}

/* ---- the session becomes ours ---- */

bool sf_session_acquire(struct sf_session *s, struct sf_error *err)
{
    if (!s->depth)
        sf_policy_context_forget(s->setup.policy); /* what was approved for another session */
    sf_mode_machine_here(s->axes.machine);
    if (!sf_store_each_approval(s->setup.store, s->id, add_approval, s, err) ||
        !sf_pending_read(s->setup.store, s->id, s->axes.machine, NULL, err) ||
        !sf_session_settle(s, err))
        return false;
    if (s->depth)
        return true;
    if (s->snapshots) /* made for looking, by who watched */
        sf_snapshots_recall(s->snapshots);
    else
        s->snapshots = sf_snapshots_new(s);
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
