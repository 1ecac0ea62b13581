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
static void refuse(struct sf_work *w)
{
    struct sf_talk *t = w->talk;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_store_decision_answer(t->setup.store, w->judged.decision, "not asked: it would fail",
                                 "sf", &err))
        sf_work_done(w);
    else
        sf_talk_die(t, &err);
}

/* What it found out is for who is asked; of the call nothing is done yet. */
static void take_plan(struct sf_work *w)
{
    struct sf_strbuf *diff = &w->call->result.diff;

    if (diff->len)
        w->planned = sf_strbuf_detach(diff);
    sf_work_possible(w);
}

static void ended(void *ctx, struct sf_call *call)
{
    struct sf_work *w = ctx;

    w->state = SF_WORK_JUDGED;
    if (w->talk->dead)
        return;
    if (atomic_load(&call->cancelled))
        sf_work_stop(w);
    else if (call->result.is_error)
        refuse(w);
    else
        take_plan(w);
}

bool sf_rehearsal_begin(struct sf_work *w)
{
    const struct sf_talk *t = w->talk;

    free(w->planned); /* of what it was before somebody edited it */
    w->planned = NULL;
    if (!w->call->tool->rehearse ||
        !sf_judged_may_read(&w->judged, t->setup.ground, sf_mode_machine_state(t->machine),
                            t->setup.disallowed))
        return false;
    w->state = SF_WORK_REHEARSED;
    sf_toolbox_rehearse(t->box, w->call, ended, w);
    return true;
}
