/*
 * acquire.c: a session becomes ours, when it is opened or when the one who held it is gone: its lock,
 * what was approved in it, the changes of its axes that wait.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum { AXES_MS = 50 }; /* what is written within is looked at once */

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

static bool add_approval(void *ctx, const struct sf_approval_row *row)
{
    struct sf_session *s = ctx;

    sf_policy_context_approve(s->setup.policy, row->pattern,
                              row->session ? SF_RULE_SESSION : SF_RULE_WORKSPACE);
    return true;
}

/* ---- the axes and the goal, which other processes may change ---- */

static void axes_due(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_error err = SF_ERROR_INIT; /* it is found again by whoever acts on the axes */
    bool changed = false;

    s->axes_timer = 0;
    if (s->dead || !sf_store_changed(s->setup.store, &changed, &err) || !changed)
        return;
    if (!sf_session_refresh(s, &err) || !sf_goal_refresh(s, &err))
        sf_log(SF_LOG_WARN, "what others wrote cannot be read: %s", err.msg);
}

static void store_written(void *ctx, unsigned which)
{
    struct sf_session *s = ctx;

    (void)which;
    if (!s->axes_timer)
        s->axes_timer = sf_loop_add_timer(s->setup.loop, AXES_MS, 0, axes_due, s);
}

/* So that the badge is right before anything acts; where it cannot be had, acting looks anyway. */
static void watch_axes(struct sf_session *s)
{
    s->axes = sf_filewatch_new(s->setup.loop, store_written, s);
    if (s->axes && !sf_filewatch_add(s->axes, s->setup.state_dir)) {
        sf_filewatch_free(s->axes);
        s->axes = NULL;
    }
}

/* ---- the session becomes ours ---- */

bool sf_session_acquire(struct sf_session *s, struct sf_error *err)
{
    if (!s->depth)
        sf_policy_context_forget(s->setup.policy); /* what was approved for another session */
    sf_mode_machine_here(s->machine);
    if (!sf_store_each_approval(s->setup.store, s->id, add_approval, s, err) ||
        !sf_approvals_recall_mode(s, err) ||
        !sf_pending_read(s->setup.store, s->id, s->machine, NULL, err) ||
        !sf_session_settle(s, err))
        return false;
    if (s->depth)
        return true;
    if (s->snapshots) /* made for looking, by who watched */
        sf_snapshots_recall(s->snapshots);
    else
        s->snapshots = sf_snapshots_new(s);
    if (s->setup.attended)
        watch_axes(s);
    return true;
}

bool sf_session_can(const struct sf_session *s, struct sf_error *err)
{
    if (s->watch)
        return sf_watch_refuse(s->watch, err);
    return !s->dead || sf_fail(err, SF_E_IO, "the session cannot be written any more");
}
