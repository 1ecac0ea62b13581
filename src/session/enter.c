/*
 * enter.c: a session becomes ours, when it is opened or when the one who held it is gone: its lock,
 * what was approved in it, the changes of its axes that wait.
 */
#include "base/base.h"
#include "session/hold.h"
#include "session/internal.h"
#include "session/waiting.h"

enum { AXES_MS = 50 }; /* what is written within is looked at once */

/* Where somebody else has the session, who wants to may watch it. */
bool sf_talk_hold(struct sf_talk *t, struct sf_error *err)
{
    if (sf_hold_take(t->setup.state_dir, t->id, &t->lock, err))
        return true;
    if (err->code != SF_E_BUSY || !t->setup.seen)
        return false;
    t->watch = sf_watch_new(t, err);
    return t->watch != NULL;
}

static bool add_approval(void *ctx, const char *session, const char *pattern)
{
    struct sf_talk *t = ctx;

    sf_ground_approve(t->setup.ground, pattern, session ? SF_RULE_SESSION : SF_RULE_WORKSPACE);
    return true;
}

/* ---- the axes and the goal, which other processes may change ---- */

static void axes_due(void *ctx)
{
    struct sf_talk *t = ctx;
    struct sf_error err = SF_ERROR_INIT; /* it is found again by whoever acts on the axes */
    bool changed = false;

    t->axes_timer = 0;
    if (t->dead || !sf_store_changed(t->setup.store, &changed, &err) || !changed)
        return;
    if (!sf_talk_refresh(t, &err) || !sf_goal_refresh(t, &err))
        sf_log(SF_LOG_WARN, "what others wrote cannot be read: %s", err.msg);
}

static void store_written(void *ctx, unsigned which)
{
    struct sf_talk *t = ctx;

    (void)which;
    if (!t->axes_timer)
        t->axes_timer = sf_loop_add_timer(t->setup.loop, AXES_MS, 0, axes_due, t);
}

/* So that the badge is right before anything acts; where it cannot be had, acting looks anyway. */
static void watch_axes(struct sf_talk *t)
{
    t->axes = sf_notice_new(t->setup.loop, store_written, t);
    if (t->axes && !sf_notice_add(t->axes, t->setup.state_dir)) {
        sf_notice_free(t->axes);
        t->axes = NULL;
    }
}

/* ---- the session becomes ours ---- */

bool sf_talk_enter(struct sf_talk *t, struct sf_error *err)
{
    if (!t->depth)
        sf_ground_forget(t->setup.ground); /* what was approved for another session */
    sf_mode_machine_here(t->machine);
    if (!sf_store_each_approval(t->setup.store, t->id, add_approval, t, err) ||
        !sf_waiting_read(t->setup.store, t->id, t->machine, NULL, err) || !sf_talk_settle(t, err))
        return false;
    if (t->depth)
        return true;
    t->keep = sf_keep_new(t);
    if (t->setup.attended)
        watch_axes(t);
    return true;
}

bool sf_talk_can(const struct sf_talk *t, struct sf_error *err)
{
    if (t->watch)
        return sf_watch_refuse(t->watch, err);
    return !t->dead || sf_fail(err, SF_E_IO, "the session cannot be written any more");
}
