/*
 * rehearsal.c: a change is tried before anybody is asked about it, so that one which cannot be
 * made is the model's to mend and nobody's to answer. Only where the files could be read unasked:
 * what the trial finds out goes to the model. It holds for this moment; what is approved is
 * planned again from the files as they are then.
 */
#include <stdlib.h>

#include "base/base.h"
#include "session/internal.h"

/* The question is answered by its being pointless; its row says so. */
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

/* What it found out is for who is asked; of the call nothing is done yet. */
static void take_plan(struct sf_call *c)
{
    struct sf_strbuf *diff = &c->tool_call->result.diff;

    if (diff->len)
        c->card.planned = sf_strbuf_detach(diff);
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

    free(c->card.planned); /* of what it was before somebody edited it */
    c->card.planned = NULL;
    if (!c->tool_call->tool->rehearse ||
        !sf_judged_may_read(&c->judged, s->setup.policy, &c->axes, s->registry.withheld))
        return false;
    c->state = SF_CALL_REHEARSED;
    sf_toolbox_rehearse(s->box, c->tool_call, ended, c);
    return true;
}
