/*
 * axes.c: the axes of a running session. They live in the store, where other processes (`sf mode`,
 * a watcher) may change them, so they are read again before anything depends on them. A change is
 * first written as a row, then takes effect, then is reported.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum { AXES_MS = 50 }; /* writes within this time are read together */

/* ---- reading the store ---- */

static bool refresh_state(struct sf_session *s, int64_t last, struct sf_error *err)
{
    const struct sf_mode_state *now = sf_mode_machine_state(s->axes.machine);
    struct sf_transition change = { .outcome = SF_OUTCOME_APPLIED, .from = *now };
    struct sf_event event = { .kind = SF_EVENT_TRANSITION, .transition = &change };
    bool found;

    if (!sf_store_mode_load(s->setup.store, s->id, &change.to, &found, err))
        return false;
    if (!found)
        return true;
    if (change.to.version == now->version) {
        sf_mode_machine_resync(s->axes.machine, now, last);
        return true;
    }
    change.to.surface = now->surface;
    snprintf(change.session, sizeof(change.session), "%s", s->id);
    snprintf(change.reason, sizeof(change.reason), "changed by another process");
    sf_time_format_utc(change.time, sf_clock_wall_ms());
    sf_mode_machine_resync(s->axes.machine, &change.to, last);
    if (!s->watch) /* a watcher gets the transition from the log */
        sf_session_tell(s, &event);
    return true;
}

/* Says who asked for a new pending change, which the badge does not show. */
static void tell_waiting(struct sf_session *s, const struct sf_mode_state *before)
{
    struct sf_mode_state after = sf_mode_machine_preview(s->axes.machine);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;

    if (sf_change_between(before, &after))
        sf_pending_add(s->axes.machine, &text);
    if (text.len) {
        sf_strbuf_adds(&text, ": asked for by another process, and waits for its moment");
        event = sf_event_of_notice(text.buf, text.len);
        sf_session_tell(s, &event);
    }
    sf_strbuf_release(&text);
}

/* A new pending change has a new number; others may have settled the ones we know. */
static bool refresh_waiting(struct sf_session *s, int64_t last, bool *changed, struct sf_error *err)
{
    *changed = false;
    if (last == s->axes.last_transition && !sf_mode_machine_waiting(s->axes.machine))
        return true;
    s->axes.last_transition = last;
    return sf_pending_read(s->setup.store, s->id, s->axes.machine, changed, err);
}

static bool refresh(struct sf_session *s, bool *changed, struct sf_error *err)
{
    int64_t last;

    return sf_store_transition_last(s->setup.store, s->id, &last, err) &&
           refresh_state(s, last, err) && refresh_waiting(s, last, changed, err);
}

/* A pending change may be due at once; a watcher leaves applying it to the owner. */
bool sf_session_refresh(struct sf_session *s, struct sf_error *err)
{
    struct sf_mode_state before = sf_mode_machine_preview(s->axes.machine);
    bool changed, ok = refresh(s, &changed, err);

    if (ok && changed && !s->watch)
        ok = sf_session_settle(s, err);
    if (ok && changed)
        tell_waiting(s, &before);
    return ok;
}

/* With its revert: a process that dies in between must not leave a change for one unit behind. */
static bool write_and_apply(struct sf_session *s, const struct sf_transition *row,
                            struct sf_error *err)
{
    struct sf_mode_machine *m = s->axes.machine;
    struct sf_transition back;
    bool reverts = sf_mode_machine_revert(m, &back);

    if (!sf_store_transition_save_both(s->setup.store, row, reverts ? &back : NULL, err) ||
        !sf_mode_machine_apply(m, row->id, err))
        return false;
    if (reverts)
        sf_mode_machine_written(m, back.id);
    return true;
}

/* Writes the row of each due transition, applies it, and reports it to the surface. */
static bool settle(struct sf_session *s, struct sf_error *err)
{
    const struct sf_transition *due;
    char now[SF_TIME_MAX];

    sf_time_format_utc(now, sf_clock_wall_ms());
    while ((due = sf_mode_machine_due(s->axes.machine, now))) {
        struct sf_transition row = *due;
        struct sf_event event = { .kind = SF_EVENT_TRANSITION, .transition = &row };

        if (!write_and_apply(s, &row, err))
            return false;
        sf_store_transition_tell(s->setup.store, &row, s->setup.state.surface);
        if (!s->watch)
            sf_session_tell(s, &event);
    }
    return !sf_mode_machine_waiting(s->axes.machine) ||
           sf_pending_save(s->setup.store, s->axes.machine, err); /* they survive a crash */
}

/* When another process wrote first, its change is read and ours starts again from there. */
bool sf_session_settle(struct sf_session *s, struct sf_error *err)
{
    enum { TRIES = 100 };
    bool changed;

    for (int i = 0; i < TRIES; i++) {
        if (settle(s, err))
            return true;
        if (err->code != SF_E_BUSY || !refresh(s, &changed, err))
            return false;
    }
    return false;
}

void sf_session_notify(struct sf_session *s, enum sf_machine_event event)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_mode_machine_notify(s->axes.machine, event);
    if (!s->dead && (!sf_session_refresh(s, &err) || !sf_session_settle(s, &err)))
        sf_session_die(s, &err);
}

void sf_session_count_tool(struct sf_session *s, enum sf_machine_event event)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_mode_machine_notify(s->axes.machine, event);
    if (!s->dead && !sf_session_settle(s, &err))
        sf_session_die(s, &err);
}

/* ---- changes by other processes ---- */

static void axes_due(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_error err = SF_ERROR_INIT; /* only logged: the next verdict reads the axes again */
    bool changed = false;

    s->axes.timer = 0;
    if (s->dead || !sf_store_changed(s->setup.store, &changed, &err) || !changed)
        return;
    if (!sf_session_refresh(s, &err) || !sf_goal_refresh(s, &err))
        sf_log(SF_LOG_WARN, "what others wrote cannot be read: %s", err.msg);
}

static void store_written(void *ctx, unsigned which)
{
    struct sf_session *s = ctx;

    (void)which;
    if (!s->axes.timer)
        s->axes.timer = sf_loop_add_timer(s->setup.loop, AXES_MS, 0, axes_due, s);
}

/* Keeps the badge current. Without a watch, the axes are still read before anything acts. */
void sf_session_watch_axes(struct sf_session *s)
{
    s->axes.watch = sf_filewatch_new(s->setup.loop, store_written, s);
    if (s->axes.watch && !sf_filewatch_add(s->axes.watch, s->setup.state_dir)) {
        sf_filewatch_free(s->axes.watch);
        s->axes.watch = NULL;
    }
}

/* ---- changes by the user ---- */

/* An immediate change does not wait for running calls: they are stopped, and the turn goes on. */
static void stop_calls(struct sf_session *s)
{
    for (size_t i = 0; i < SF_AGENT_CALLS_MAX; i++)
        if (s->calls[i].state == SF_CALL_RUNNING && s->calls[i].counted)
            sf_call_stop(&s->calls[i]);
}

bool sf_session_change(struct sf_session *s, const struct sf_mode_change *change, enum sf_when when,
                       const char *reason, struct sf_confirm *confirm, struct sf_error *err)
{
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .change = *change,
                                       .when = when,
                                       .actor = SF_ACTOR_USER,
                                       .confirmed = confirm && confirm->given,
                                       .reason = reason,
                                       .session = s->id,
                                       .time = now };
    struct sf_machine_receipt receipt = { .id = 0 };
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    if (!sf_session_refresh(s, err))
        return false;
    ok = sf_mode_machine_submit(s->axes.machine, &request, &receipt, err);
    if (confirm)
        confirm->needed = !ok && receipt.confirm;
    if (!ok || !sf_session_settle(s, err))
        return false;
    if (receipt.abort)
        stop_calls(s);
    return true;
}
