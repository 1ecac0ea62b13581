/*
 * follow.c: what the session reports, as inputs of the machine. Events come from within the
 * session's own work, so nothing follows from them before the loop's next turn.
 */
#include "run/internal.h"

static void feed_kind(struct sf_run *run, enum sf_units_input_kind kind, bool flag)
{
    const struct sf_units_input in = { .kind = kind, .flag = flag };

    sf_run_feed_later(run, &in);
}

static void active(struct sf_run *run, const struct sf_event *event)
{
    (void)event;
    feed_kind(run, SF_UNITS_IN_ACTIVE, true);
}

static void used(struct sf_run *run, const struct sf_event *event)
{
    const struct sf_usage *t = event->usage.tokens;
    struct sf_budget spent = { .spent = { [SF_BUDGET_TURNS] = 1 } };
    const struct sf_units_input in = { .kind = SF_UNITS_IN_USED, .used = &spent };

    spent.spent[SF_BUDGET_TOKENS] = t->input + t->output + t->cache_read + t->cache_write;
    spent.spent[SF_BUDGET_COST] = event->usage.cost > 0 ? event->usage.cost : 0;
    sf_run_feed_later(run, &in);
}

static void called(struct sf_run *run, const struct sf_event *event)
{
    const struct sf_budget spent = { .spent = { [SF_BUDGET_CALLS] = 1 } };
    const struct sf_units_input in = { .kind = SF_UNITS_IN_USED, .used = &spent };

    (void)event;
    sf_run_feed_later(run, &in);
}

static void asked(struct sf_run *run, const struct sf_event *event)
{
    (void)event;
    feed_kind(run, SF_UNITS_IN_QUESTION, true);
}

static void answered(struct sf_run *run, const struct sf_event *event)
{
    (void)event;
    feed_kind(run, SF_UNITS_IN_QUESTION, false);
}

/* A service that is not there now may be there later; everything else would fail again. */
static bool passes(enum sf_fault fault)
{
    return fault == SF_FAULT_AUTH || fault == SF_FAULT_QUOTA || fault == SF_FAULT_RATE ||
           fault == SF_FAULT_OVERLOAD || fault == SF_FAULT_SERVER || fault == SF_FAULT_CONNECT ||
           fault == SF_FAULT_TLS || fault == SF_FAULT_STALL || fault == SF_FAULT_TIMEOUT;
}

static enum sf_units_end end_of(const struct sf_event_done *done)
{
    switch (done->status) {
    case SF_TURN_DONE:
        return done->denied ? SF_UNITS_END_DENIED : SF_UNITS_END_DONE;
    case SF_TURN_CANCELLED:
        return SF_UNITS_END_CANCELLED;
    case SF_TURN_FAILED:
        return passes(done->error->fault) ? SF_UNITS_END_PROVIDER : SF_UNITS_END_FAILED;
    case SF_TURN_LIMIT:
        return SF_UNITS_END_LIMIT;
    case SF_TURN_BLOCKED:
        return SF_UNITS_END_BLOCKED;
    case SF_TURN_REFUSED:
        return SF_UNITS_END_REFUSED;
    case SF_TURN_UNABLE:
        return SF_UNITS_END_UNABLE;
    }
    return SF_UNITS_END_FAILED;
}

/* Only the turn of the unit ends it: not a sub-agent's, not one that the user began meanwhile. */
static void done(struct sf_run *run, const struct sf_event *event)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    struct sf_units_input in = { .kind = SF_UNITS_IN_ENDED, .end = end_of(&event->done) };

    if (run->errand != SF_ERRAND_UNIT || event->depth)
        return;
    run->errand = SF_ERRAND_NONE;
    if (in.end == SF_UNITS_END_DENIED && event->done.refusals && event->done.refusals->count)
        sf_strbuf_adds(&why, event->done.refusals->items[0]);
    else if (in.end != SF_UNITS_END_DONE && event->done.error)
        sf_strbuf_adds(&why, event->done.error->message);
    in.text = why.len ? why.buf : NULL;
    sf_run_feed_later(run, &in);
    sf_strbuf_release(&why);
}

static void (*const rows[SF_EVENT_COUNT])(struct sf_run *run, const struct sf_event *event) = {
    [SF_EVENT_TEXT] = active,    [SF_EVENT_REASONING] = active, [SF_EVENT_OUTPUT] = active,
    [SF_EVENT_USAGE] = used,     [SF_EVENT_RESULT] = called,    [SF_EVENT_ASK] = asked,
    [SF_EVENT_QUESTION] = asked, [SF_EVENT_SUBMITTED] = asked,  [SF_EVENT_ANSWERED] = answered,
    [SF_EVENT_DONE] = done,
};

void sf_run_event(struct sf_run *run, const struct sf_event *event)
{
    if (run->errand != SF_ERRAND_NONE && rows[event->kind])
        rows[event->kind](run, event);
}
