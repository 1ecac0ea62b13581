/*
 * closing.c: a session ends. Calls, background jobs and jobs on the side repository use what is
 * about to be freed, so they are stopped and awaited. Outside the loop sf_session_close runs it
 * until they are gone; in a callback, where the loop cannot be run again, sf_session_retire lets
 * the session go at once and frees it when they are.
 */
#include "base/base.h"
#include "session/internal.h"

enum { LOOK_MS = 20 }; /* how often a session that was let go looks what is still running */

struct retirement {
    struct sf_session *session;
    sf_loop_fn *fn;
    void *ctx;
};

static void child_gone(void *ctx)
{
    struct sf_session *parent = ctx;

    parent->errands--;
}

void sf_session_retire_child(struct sf_session *s, struct sf_session *child)
{
    if (!child)
        return;
    s->errands++; /* the child uses the parent's snapshots */
    sf_session_retire(child, child_gone, s);
}

static void end_calls(struct sf_session *s)
{
    sf_session_retire_child(s, s->closing);
    s->closing = NULL;
    for (size_t i = 0; i < SF_COUNT(s->calls); i++) {
        struct sf_call *c = &s->calls[i];

        sf_session_retire_child(s, c->child);
        if (c->state == SF_CALL_RUNNING && !c->child)
            sf_call_stop(c);
        c->child = NULL;
    }
}

/* Stops everything, without events; some of it takes a moment to end. */
static void stop(struct sf_session *s)
{
    sf_loop_remove(s->setup.loop, s->outbox.text_timer);
    sf_loop_remove(s->setup.loop, s->time_timer);
    sf_loop_remove(s->setup.loop, s->close_timer);
    sf_loop_remove(s->setup.loop, s->axes.timer);
    sf_loop_remove(s->setup.loop, s->outbox.notice_timer);
    sf_filewatch_free(s->axes.watch);
    sf_load_drop(s);
    sf_side_state_jobs(s, true);
    s->dead = true; /* results that arrive from here on are ignored */
    sf_session_restore_answer(s, false);
    sf_watch_free(s->watch);
    sf_custom_drop(s);
    sf_review_drop(s);
    sf_unit_forget(s);
    s->setup.event = NULL;
    end_calls(s);
}

static bool has_calls(const struct sf_session *s)
{
    return s->box && sf_toolbox_busy(s->box);
}

/* Jobs end before the snapshots go, since their audit needs them. */
static bool is_over(struct sf_session *s)
{
    if (has_calls(s) || (s->box && !sf_toolbox_stop_jobs(s->box)))
        return false;
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        sf_call_leave_care(&s->calls[i]);
    return !s->errands && (s->depth || !s->snapshots || sf_snapshots_stop(s->snapshots));
}

static void release(struct sf_session *s)
{
    if (!s->depth)
        sf_snapshots_free(s->snapshots);
    sf_restore_close(s);
    sf_client_free(s->link.client);
    sf_toolbox_free(s->box);
    sf_call_drop(s);
    sf_confine_free(s->confine);
    for (size_t i = 0; i < s->inputs.count; i++) {
        sf_block_release(&s->inputs.items[i].result);
        free(s->inputs.items[i].detail);
    }
    free(s->inputs.items);
    sf_agent_free(s->agent);
    sf_mode_machine_free(s->axes.machine);
    sf_lock_drop(&s->lock);
    sf_arena_release(&s->link.schemas_arena);
    sf_strbuf_release(&s->outbox.text);
    sf_strbuf_release(&s->typed.shown);
    sf_message_release(&s->typed.attached);
    sf_strbuf_release(&s->news);
    sf_refusal_forget(s);
    sf_strlist_release(&s->pins.list);
    sf_strlist_release(&s->kept.dirs);
    sf_strlist_release(&s->outbox.notices);
    sf_briefing_free(s->prompt.briefing);
    free(s->link.asked);
    free(s->link.wished);
    sf_strlist_release(&s->link.wished_tools);
    free(s->prompt.append);
    free(s->prompt.role);
    free(s->kept.jobs);
    free(s->parent_call);
    free(s->prompt.system);
    free(s->link.model);
    free(s);
}

void sf_session_close(struct sf_session *s)
{
    sf_session_event_fn *event;

    if (!s)
        return;
    event = s->setup.event;
    stop(s);
    while (has_calls(s))
        sf_loop_turn(s->setup.loop, -1);
    s->setup.event = event;
    while (!is_over(s))
        sf_loop_turn(s->setup.loop, -1);
    release(s);
}

static void look(void *ctx)
{
    struct retirement *r = ctx;
    struct retirement gone = *r;

    if (!is_over(r->session)) {
        sf_loop_add_timer(r->session->setup.loop, LOOK_MS, 0, look, r);
        return;
    }
    free(r);
    release(gone.session);
    gone.fn(gone.ctx);
}

void sf_session_retire(struct sf_session *s, sf_loop_fn *fn, void *ctx)
{
    struct retirement *r = sf_alloc(sizeof(*r));

    *r = (struct retirement){ s, fn, ctx };
    stop(s);
    s->setup.job = NULL;
    look(r);
}
