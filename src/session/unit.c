/*
 * unit.c: what a run of units needs of a session. A unit is a turn whose model sees nothing of the
 * conversation before it. Under a hold nothing new starts: requests and calls wait where they are.
 * A check is a command that no person typed and no model asked for: it is judged, asked about,
 * caged and logged like any other call, and its outcome goes to the run alone.
 */
#include "base/base.h"
#include "session/internal.h"

/* ---- a fresh context ---- */

static const char afresh[] =
    SF_OWN_TAG "A unit of work begins. What was said in this session before is not shown; the next "
               "message has all that is known about the unit.";

void sf_unit_clear(struct sf_session *s)
{
    struct sf_input in = { .kind = SF_IN_AFRESH, .text = afresh, .len = sizeof(afresh) - 1 };

    sf_session_feed(s, &in);
}

bool sf_session_unit(struct sf_session *s, const char *text, size_t len, struct sf_error *err)
{
    const struct sf_wish wish = { .afresh = true };

    if (sf_session_busy(s) || sf_session_shell_runs(s) || s->restore) {
        sf_fail(err, SF_E_BUSY, "something else runs in this session");
        return sf_hint(err, "wait for it to end, or press Esc");
    }
    return sf_session_say(s, text, len, &wish, err);
}

/* Only while calls run: after the last answer the remark would cost a request of its own. */
void sf_session_remark(struct sf_session *s, const char *text)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_input in = { .kind = SF_IN_REMARK };

    sf_strbuf_addf(&words, SF_OWN_TAG "%s", text);
    in.text = words.buf;
    in.len = words.len;
    sf_session_feed(s, &in);
    sf_strbuf_release(&words);
}

/* ---- holding ---- */

bool sf_unit_holds_request(struct sf_session *s)
{
    s->unit.asks = s->unit.held;
    sf_unit_look(s);
    return s->unit.held;
}

static bool rests(const struct sf_session *s);

static bool call_runs(const struct sf_call *c)
{
    bool busy = c->state == SF_CALL_RUNNING || c->state == SF_CALL_REHEARSED;

    return busy && !c->held && !(c->child && rests(c->child));
}

static bool rests(const struct sf_session *s)
{
    enum sf_phase phase = sf_agent_phase(s->agent);

    if (!s->unit.held || phase == SF_PHASE_COMPACT || phase == SF_PHASE_ENDING ||
        (phase == SF_PHASE_MODEL && !s->unit.asks))
        return false;
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        if (call_runs(&s->calls[i]))
            return false;
    return true;
}

/* From the loop, so that the call or the answer that came to its end is really over. */
static void look(void *ctx)
{
    struct sf_session *s = ctx;
    sf_loop_fn *then = s->unit.rests;

    s->unit.timer = 0;
    if (!then || !rests(s))
        return;
    s->unit.rests = NULL;
    then(s->unit.rests_ctx);
}

void sf_unit_look(struct sf_session *s)
{
    if (s->unit.rests && !s->unit.timer)
        s->unit.timer = sf_loop_add_timer(s->setup.loop, 0, 0, look, s);
}

/* What a sub-agent does counts: its events come when something has ended there. */
static void child_rests(void *ctx)
{
    sf_unit_look(ctx);
}

void sf_session_hold(struct sf_session *s, sf_loop_fn *then, void *ctx)
{
    s->unit.held = true;
    s->unit.rests = then;
    s->unit.rests_ctx = ctx;
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        if (s->calls[i].child)
            sf_session_hold(s->calls[i].child, child_rests, s);
    sf_unit_look(s);
}

static void release_calls(struct sf_session *s)
{
    for (size_t i = 0; i < SF_COUNT(s->calls) && !s->unit.held; i++) {
        struct sf_call *c = &s->calls[i];

        if (c->child)
            sf_session_release(c->child);
        if (!c->held)
            continue;
        c->held = false;
        sf_call_run(c);
    }
}

void sf_session_release(struct sf_session *s)
{
    bool asks = s->unit.asks;

    if (!s->unit.held)
        return;
    s->unit.held = s->unit.asks = false;
    s->unit.rests = NULL;
    if (asks)
        sf_model_link_request(s, NULL);
    release_calls(s);
}

void sf_unit_forget(struct sf_session *s)
{
    sf_loop_remove(s->setup.loop, s->unit.timer);
    s->unit = (struct sf_session_unit){ 0 };
}

/* ---- checks ---- */

bool sf_session_check(struct sf_session *s, const char *command, sf_check_fn *fn, void *ctx,
                      struct sf_error *err)
{
    if (!sf_session_can(s, err))
        return false;
    if (sf_session_busy(s) || sf_session_shell_runs(s) || s->restore)
        return sf_fail(err, SF_E_BUSY, "something else runs in this session");
    if (!sf_load_all(s, err))
        return false;
    s->unit.check = fn;
    s->unit.check_ctx = ctx;
    sf_shell_begin(s, "Bash", "command", command);
    return true;
}

/* The call has gone by now, so that the run may start what follows. */
void sf_unit_checked(struct sf_session *s, const struct sf_check_outcome *outcome)
{
    sf_check_fn *fn = s->unit.check;

    s->unit.check = NULL;
    fn(s->unit.check_ctx, outcome);
}
