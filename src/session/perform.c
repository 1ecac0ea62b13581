/*
 * perform.c: does what the machine says, in order. A save that fails ends the turn on the spot:
 * what is not written down must not happen, and must not be shown either.
 */
#include "base/base.h"
#include "session/internal.h"
#include "session/spent.h"
#include "session/waiting.h"

void sf_talk_tell(struct sf_talk *t, struct sf_told *told)
{
    told->session = t->id;
    told->depth = t->depth;
    told->parent = t->parent_call;
    if (t->setup.told)
        t->setup.told(t->setup.ctx, told);
}

/* The text that came since the last time: first to the store, then to the surface. */
void sf_talk_flush(struct sf_talk *t)
{
    struct sf_strbuf text = t->fresh;
    struct sf_told told = { .kind = SF_TOLD_TEXT, .text = text.buf, .len = text.len };
    struct sf_error err = SF_ERROR_INIT;

    sf_loop_remove(t->setup.loop, t->flush_timer);
    t->flush_timer = 0;
    if (!t->fresh.len)
        return;
    sf_strbuf_init(&t->fresh);
    if (t->dead || sf_store_partial_add(t->setup.store, t->id, text.buf, text.len, &err))
        sf_talk_tell(t, &told);
    else
        sf_talk_die(t, &err);
    sf_strbuf_release(&text);
}

static void flush_due(void *ctx)
{
    sf_talk_flush(ctx);
}

/* Pieces that come in one turn of the loop are stored and shown as one. */
static void take_text(struct sf_talk *t, const struct sf_strbuf *text)
{
    sf_strbuf_add(&t->fresh, text->buf, text->len);
    if (!t->flush_timer)
        t->flush_timer = sf_loop_add_timer(t->setup.loop, 0, 0, flush_due, t);
}

static const char *surface_of(const struct sf_talk *t)
{
    return sf_axis_name(SF_AXIS_SURFACE, (int)t->setup.state.surface);
}

bool sf_talk_append(struct sf_talk *t, const char *kind, const struct sf_strbuf *json,
                    struct sf_error *err)
{
    const struct sf_event_new event = { .session = t->id,
                                        .surface = surface_of(t),
                                        .kind = kind,
                                        .json = json->buf,
                                        .len = json->len };
    struct sf_event_ref ref;

    return sf_store_append(t->setup.store, &event, &ref, err);
}

static void save(struct sf_talk *t, const struct sf_effect *e)
{
    struct sf_event_new event = { .session = t->id,
                                  .surface = surface_of(t),
                                  .kind = e->event,
                                  .json = e->json.buf,
                                  .len = e->json.len,
                                  .whole = !strcmp(e->event, SF_LOG_ASSISTANT) ||
                                           !strcmp(e->event, SF_LOG_END) };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (event.whole)
        sf_talk_flush(t);
    if (!t->dead && !sf_store_append(t->setup.store, &event, &ref, &err))
        sf_talk_die(t, &err);
    if (!strcmp(e->event, SF_LOG_COMPACTION)) { /* what was shown before is out of sight now */
        sf_toolbox_forget_shown(t->box);
        t->pins_news = false; /* the summary has them */
    }
    if (!t->dead && !strcmp(e->event, SF_LOG_ASSISTANT)) {
        struct sf_told told = { .kind = SF_TOLD_ANSWERED };

        sf_talk_tell(t, &told);
    }
}

static void tell_usage(struct sf_talk *t, const struct sf_effect *e)
{
    struct sf_usage_new row = { .session = t->id,
                                .provider = t->setup.provider->name,
                                .model = t->model,
                                .input = e->usage.input,
                                .output = e->usage.output,
                                .cache_read = e->usage.cache_read,
                                .cache_write = e->usage.cache_write,
                                .reasoning = e->usage.reasoning,
                                .cost_micro_usd = e->cost };
    struct sf_told told = { .kind = SF_TOLD_USAGE, .usage = &e->usage, .cost = e->cost };
    struct sf_error err = SF_ERROR_INIT;

    sf_standing_weigh(t);
    sf_goal_charge(t, &row);
    if (sf_store_usage_add(t->setup.store, &row, &err))
        sf_talk_tell(t, &told);
    else
        sf_talk_die(t, &err);
    if (!t->dead && !sf_goal_charged(t, &err))
        sf_talk_die(t, &err);
}

static void tell_compacted(struct sf_talk *t, const struct sf_effect *e)
{
    struct sf_told told = { .kind = SF_TOLD_COMPACTED,
                            .text = e->text.buf,
                            .len = e->text.len,
                            .before = e->before,
                            .after = e->after };

    sf_talk_tell(t, &told);
}

static void tell_text(struct sf_talk *t, enum sf_told_kind kind, const struct sf_strbuf *text)
{
    struct sf_told told = { .kind = kind, .text = text->buf, .len = text->len };

    sf_talk_tell(t, &told);
}

/* ---- the axes, which other processes may change: `sf mode`, or somebody who watches ---- */

static bool refresh_state(struct sf_talk *t, int64_t last, struct sf_error *err)
{
    const struct sf_mode_state *now = sf_mode_machine_state(t->machine);
    struct sf_transition change = { .outcome = SF_OUTCOME_APPLIED, .from = *now };
    struct sf_told told = { .kind = SF_TOLD_TRANSITION, .transition = &change };
    bool found;

    if (!sf_store_mode_load(t->setup.store, t->id, &change.to, &found, err))
        return false;
    if (!found)
        return true;
    if (change.to.version == now->version) {
        sf_mode_machine_resync(t->machine, now, last);
        return true;
    }
    change.to.surface = now->surface;
    snprintf(change.session, sizeof(change.session), "%s", t->id);
    snprintf(change.reason, sizeof(change.reason), "changed by another process");
    sf_time_format_utc(change.time, sf_clock_wall_ms());
    sf_mode_machine_resync(t->machine, &change.to, last);
    if (!t->watch) /* who watches is told by the event */
        sf_talk_tell(t, &told);
    return true;
}

/* What came to wait is said: the badge alone does not say where it comes from. */
static void tell_waiting(struct sf_talk *t, const struct sf_mode_state *before)
{
    struct sf_mode_state after = sf_mode_machine_preview(t->machine);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (sf_change_between(before, &after))
        sf_waiting_add(t->machine, &text);
    if (text.len) {
        struct sf_told told = { .kind = SF_TOLD_NOTICE };

        sf_strbuf_adds(&text, ": asked for by another process, and waits for its moment");
        told.text = text.buf;
        told.len = text.len;
        sf_talk_tell(t, &told);
    }
    sf_strbuf_release(&text);
}

/* Nobody adds one without a number; those that are there may be settled by others. */
static bool refresh_waiting(struct sf_talk *t, int64_t last, bool *changed, struct sf_error *err)
{
    *changed = false;
    if (last == t->last_transition && !sf_mode_machine_waiting(t->machine))
        return true;
    t->last_transition = last;
    return sf_waiting_read(t->setup.store, t->id, t->machine, changed, err);
}

static bool refresh(struct sf_talk *t, bool *changed, struct sf_error *err)
{
    int64_t last;

    return sf_store_transition_last(t->setup.store, t->id, &last, err) &&
           refresh_state(t, last, err) && refresh_waiting(t, last, changed, err);
}

/* What waits may be due at once here; who watches leaves that to the holder. */
bool sf_talk_refresh(struct sf_talk *t, struct sf_error *err)
{
    struct sf_mode_state before = sf_mode_machine_preview(t->machine);
    bool changed, ok = refresh(t, &changed, err);

    if (ok && changed && !t->watch)
        ok = sf_talk_settle(t, err);
    if (ok && changed)
        tell_waiting(t, &before);
    return ok;
}

/* Rows first, then their effect; the surface hears of each. */
static bool settle(struct sf_talk *t, struct sf_error *err)
{
    const struct sf_transition *due;
    char now[SF_TIME_MAX];

    sf_time_format_utc(now, sf_clock_wall_ms());
    while ((due = sf_mode_machine_due(t->machine, now))) {
        struct sf_transition row = *due;
        struct sf_told told = { .kind = SF_TOLD_TRANSITION, .transition = &row };

        if (!sf_store_transition_save(t->setup.store, &row, err) ||
            !sf_mode_machine_apply(t->machine, row.id, err))
            return false;
        sf_store_transition_tell(t->setup.store, &row, t->setup.state.surface);
        if (!t->watch)
            sf_talk_tell(t, &told);
    }
    return sf_waiting_save(t->setup.store, t->machine, err); /* so that they outlive us */
}

/* Where another process was faster, its change comes first and ours goes on from there. */
bool sf_talk_settle(struct sf_talk *t, struct sf_error *err)
{
    enum { TRIES = 100 };
    bool changed;

    for (int i = 0; i < TRIES; i++) {
        if (settle(t, err))
            return true;
        if (err->code != SF_E_BUSY || !refresh(t, &changed, err))
            return false;
    }
    return false;
}

void sf_talk_notify(struct sf_talk *t, enum sf_machine_event event)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_mode_machine_notify(t->machine, event);
    if (!t->dead && (!sf_talk_refresh(t, &err) || !sf_talk_settle(t, &err)))
        sf_talk_die(t, &err);
}

static void tell_done(struct sf_talk *t, const struct sf_effect *e)
{
    struct sf_told told = { .kind = SF_TOLD_DONE,
                            .status = e->status,
                            .budget = e->budget,
                            .error = &e->error,
                            .denied = t->refusal.stands,
                            .refusal = t->refusal.text };
    struct sf_error err = SF_ERROR_INIT;

    sf_loop_remove(t->setup.loop, t->time_timer);
    t->time_timer = 0;
    if (!t->depth)
        sf_keep_end(t->keep);
    if (!sf_goal_turn_ended(t, e, &err) ||
        (!t->depth && !sf_spent_keep(t->setup.store, t->id, surface_of(t), &err)))
        sf_talk_die(t, &err);
    sf_talk_notify(t, SF_EVENT_UNIT_ENDED);
    sf_talk_notify(t, SF_EVENT_TURN_ENDED);
    if (!t->dead)
        sf_talk_tell(t, &told);
}

/* Nothing can be written any more: end everything and say why, once. */
void sf_talk_die(struct sf_talk *t, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_NONE, .retry_after_ms = -1 };
    struct sf_told told = {
        .kind = SF_TOLD_DONE, .status = SF_TURN_FAILED, .budget = -1, .error = &error
    };

    if (t->dead)
        return;
    t->dead = true;
    snprintf(error.message, sizeof(error.message), "%.400s%s%.100s", err->msg,
             *err->hint ? "; " : "", err->hint);
    sf_client_cancel(t->client);
    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        if (t->works[i].state == SF_WORK_RUNNING)
            sf_work_stop(&t->works[i]);
    sf_talk_tell(t, &told);
}

static void perform(struct sf_talk *t, struct sf_effect *e)
{
    switch (e->kind) {
    case SF_DO_SAVE:
        save(t, e);
        break;
    case SF_DO_REQUEST:
        sf_line_request(t, NULL);
        break;
    case SF_DO_SUMMARY:
        sf_line_request(t, e->text.buf);
        break;
    case SF_DO_STOP_MODEL:
        sf_client_cancel(t->client);
        break;
    case SF_DO_CALL:
        sf_work_begin(t, e->call, e->block);
        break;
    case SF_DO_RUN:
        sf_work_run(&t->works[e->call]);
        break;
    case SF_DO_STOP_CALL:
        sf_work_stop(&t->works[e->call]);
        break;
    case SF_DO_ANSWERED:
        sf_work_saved(t, e);
        break;
    case SF_DO_TEXT:
        take_text(t, &e->text);
        break;
    case SF_DO_REASONING:
        tell_text(t, SF_TOLD_REASONING, &e->text);
        break;
    case SF_DO_USAGE:
        tell_usage(t, e);
        break;
    case SF_DO_COMPACTED:
        tell_compacted(t, e);
        break;
    case SF_DO_STEERED:
        tell_text(t, SF_TOLD_STEERED, &e->text);
        break;
    case SF_DO_NOTICE:
        tell_text(t, SF_TOLD_NOTICE, &e->text);
        break;
    case SF_DO_END:
        tell_done(t, e);
        break;
    }
}

void sf_talk_perform(struct sf_talk *t, struct sf_effects *effects)
{
    for (size_t i = 0; i < effects->count && !t->dead; i++)
        perform(t, &effects->items[i]);
}

static void step(struct sf_talk *t, struct sf_input *input)
{
    struct sf_effects effects = { 0 };

    input->now_ms = sf_clock_monotonic_ms();
    sf_agent_step(t->agent, input, &effects);
    sf_talk_perform(t, &effects);
    sf_effects_release(&effects);
    sf_goal_speak(t);
}

static void enqueue(struct sf_talk *t, const struct sf_input *in)
{
    struct sf_queued *q;

    t->queue = sf_grow(t->queue, &t->queue_cap, t->queue_count + 1, sizeof(*t->queue));
    q = &t->queue[t->queue_count++];
    *q = (struct sf_queued){ .kind = in->kind, .call = in->call };
    if (in->result) {
        q->result = *in->result;
        *in->result = (struct sf_block){ 0 };
        q->detail = in->detail ? sf_strdup(in->detail) : NULL;
    }
}

static void drain(struct sf_talk *t)
{
    for (size_t i = 0; i < t->queue_count; i++) {
        struct sf_queued q = t->queue[i]; /* the queue may move while this one is worked on */
        struct sf_input in = {
            .kind = q.kind, .call = q.call, .result = &q.result, .detail = q.detail
        };

        if (!t->dead)
            step(t, &in);
        sf_block_release(&q.result);
        free(q.detail);
    }
    t->queue_count = 0;
}

void sf_talk_feed(struct sf_talk *t, struct sf_input *input)
{
    struct sf_error err = SF_ERROR_INIT;

    if (t->dead || (t->load && (input->kind == SF_IN_CANCEL || input->kind == SF_IN_TIME)))
        return;
    if (!sf_load_all(t, &err)) {
        sf_talk_die(t, &err);
        return;
    }
    if (t->performing) {
        enqueue(t, input);
        return;
    }
    t->performing = true;
    step(t, input);
    drain(t);
    t->performing = false;
}
