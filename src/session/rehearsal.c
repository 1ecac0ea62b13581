/*
 * rehearsal.c: an edit is tried before the user is asked about it, so that an edit which would fail
 * goes back to the model instead. Only where the files may be read without asking, because the
 * outcome of the trial goes to the model. The outcome holds for this moment only: an approved edit
 * is planned again from the files as they are then.
 */
#include <stdlib.h>

#include "base/base.h"
#include "session/internal.h"

/* The edit would fail, so the question is not asked, and the row of the decision says so. */
static void refuse(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_store_decision_answer(s->setup.store, c->judged.decision, "not asked: it would fail",
                                 "sf", &err))
        sf_call_end(c);
    else
        sf_session_die(s, &err);
}

void sf_rehearsal_forget(struct sf_call *c)
{
    free(c->card.planned);
    c->card.planned = NULL;
    c->card.planned_len = 0;
    c->card.planned_cut = false;
}

/* Keeps the diff of the trial for the question; the call itself has not run yet. */
static void take_plan(struct sf_call *c)
{
    struct sf_tool_result *result = &c->tool_call->result;

    c->card.planned_len = result->diff.len;
    c->card.planned_cut = result->diff_cut;
    if (result->diff.len)
        c->card.planned = sf_strbuf_detach(&result->diff);
    result->diff_cut = false;
    sf_call_next(c);
}

static void ended(void *ctx, struct sf_tool_call *call)
{
    struct sf_call *c = ctx;

    c->state = SF_CALL_JUDGED;
    if (c->session->dead)
        return;
    if (atomic_load(&call->cancelled))
        sf_call_stop(c);
    else if (call->result.is_error)
        refuse(c);
    else
        take_plan(c);
}

bool sf_rehearsal_begin(struct sf_call *c)
{
    const struct sf_session *s = c->session;

    sf_rehearsal_forget(c); /* from before the user changed the call */
    if (!c->tool_call->tool->rehearse ||
        !sf_judged_may_read(&c->judged, s->setup.policy, &c->axes, s->registry.withheld))
        return false;
    c->state = SF_CALL_REHEARSED;
    sf_toolbox_rehearse(s->box, c->tool_call, ended, c);
    return true;
}
