/*
 * effects.c: performs the agent's effects, in order. A save that fails ends the turn on the spot:
 * what is not in the log must not happen, and must not be shown either.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* ---- callbacks of the agent ---- */

/* What is recorded and what is played again must not depend on times. */
bool sf_session_is_taped(const struct sf_session *s)
{
    return s->setup.recording || s->setup.provider->kind == SF_PROVIDER_REPLAY;
}

/* Calls side by side end in any order; what is recorded, and played again, needs one. */
bool sf_session_is_parallel(void *ctx, const char *name)
{
    const struct sf_session *s = ctx;
    const struct sf_tool *tool = sf_toolset_find(&s->tools, name);

    return tool && tool->parallel && !sf_session_is_taped(s);
}

int64_t sf_session_cost(void *ctx, const struct sf_usage *usage)
{
    const struct sf_session *s = ctx;
    int64_t cost = s->link.row ? sf_model_cost(s->link.row, usage) : -1;
    bool free_of_charge = s->setup.provider->local; /* or a recording of one that was */

    return cost < 0 && free_of_charge ? 0 : cost;
}

/* ---- events ---- */

void sf_session_tell(struct sf_session *s, struct sf_event *event)
{
    event->session = s->id;
    event->depth = s->depth;
    event->parent = s->parent_call;
    event->turn = s->at.turn;
    event->message = s->at.message;
    event->time_ms = sf_clock_wall_ms();
    if (s->setup.event && !s->opening)
        s->setup.event(s->setup.ctx, event);
    if (s->unit.rests)
        sf_unit_look(s);
}

void sf_session_report(struct sf_session *s, struct sf_event *event)
{
    sf_session_flush(s);
    sf_session_tell(s, event);
}

/* Stores the text that arrived since the last flush, then sends it to the surface. */
void sf_session_flush(struct sf_session *s)
{
    struct sf_strbuf text = s->outbox.text;
    struct sf_event event = { .kind = SF_EVENT_TEXT, .words = { text.buf, text.len } };
    struct sf_error err = SF_ERROR_INIT;

    sf_loop_remove(s->setup.loop, s->outbox.text_timer);
    s->outbox.text_timer = 0;
    if (!s->outbox.text.len)
        return;
    sf_strbuf_init(&s->outbox.text);
    if (s->dead || sf_store_partial_add(s->setup.store, s->id, text.buf, text.len, &err))
        sf_session_tell(s, &event);
    else
        sf_session_die(s, &err);
    sf_strbuf_release(&text);
}

static void flush_due(void *ctx)
{
    sf_session_flush(ctx);
}

/* Pieces that arrive in one turn of the loop are stored and sent as one. */
static void take_text(struct sf_session *s, const struct sf_strbuf *text)
{
    sf_strbuf_add(&s->outbox.text, text->buf, text->len);
    if (!s->outbox.text_timer)
        s->outbox.text_timer = sf_loop_add_timer(s->setup.loop, 0, 0, flush_due, s);
}

static const char *surface_of(const struct sf_session *s)
{
    return sf_axis_name(SF_AXIS_SURFACE, (int)s->setup.state.surface);
}

bool sf_session_append(struct sf_session *s, const char *kind, const struct sf_strbuf *json,
                       struct sf_error *err)
{
    const struct sf_event_new event = { .session = s->id,
                                        .surface = surface_of(s),
                                        .kind = kind,
                                        .json = json->buf,
                                        .len = json->len };
    struct sf_event_ref ref;

    return sf_store_append(s->setup.store, &event, &ref, err);
}

/* Reads the prompt back from its log row, so that live and replayed events are the same. */
static void tell_words_of(struct sf_session *s, const struct sf_effect *e)
{
    const struct sf_event_row row = { .kind = e->event, .json = e->json.buf, .len = e->json.len };
    bool steer = !strcmp(e->event, SF_LOG_STEER);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_log_event log;
    struct sf_event event;
    const char *text;

    sf_log_event_read(&log, &row);
    if (steer && log.json && sf_json_get_str(log.json, "text", &text, &ignored)) {
        event = sf_event_of_words(SF_EVENT_STEER, text, strlen(text));
        sf_session_tell(s, &event);
    }
    for (size_t i = 0; !steer && log.has_message && i < log.message.count; i++) {
        const struct sf_block *b = &log.message.blocks[i];

        event = sf_event_of_words(SF_EVENT_PROMPT, b->text, b->len);
        if (sf_log_event_is_words(b))
            sf_session_tell(s, &event);
    }
    sf_log_event_release(&log);
}

static void tell_saved(struct sf_session *s, const struct sf_effect *e,
                       const struct sf_event_ref *ref)
{
    struct sf_event end = { .kind = SF_EVENT_MESSAGE_END };
    bool user = !strcmp(e->event, SF_LOG_USER);

    if (user) {
        s->at.turn = ref->seq;
        s->at.message = s->at.answers = 0;
    }
    if (user || !strcmp(e->event, SF_LOG_STEER))
        tell_words_of(s, e);
    if (!strcmp(e->event, SF_LOG_ASSISTANT)) {
        s->at.message = ++s->at.answers;
        sf_session_tell(s, &end);
    }
}

static void save(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_event_new event = { .session = s->id,
                                  .surface = surface_of(s),
                                  .kind = e->event,
                                  .json = e->json.buf,
                                  .len = e->json.len,
                                  .whole = !strcmp(e->event, SF_LOG_ASSISTANT) ||
                                           !strcmp(e->event, SF_LOG_END) };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (event.whole)
        sf_session_flush(s);
    if (!s->dead && !strcmp(e->event, SF_LOG_END) &&
        !sf_review_end(s, e->json.buf, e->json.len, &err))
        sf_session_die(s, &err);
    if (!s->dead && !sf_store_append(s->setup.store, &event, &ref, &err))
        sf_session_die(s, &err);
    if (!strcmp(e->event, SF_LOG_COMPACTION)) { /* the model no longer sees earlier results */
        sf_toolbox_forget_shown(s->box);
        s->pins.news = false; /* the summary repeats the pinned facts */
    }
    if (!s->dead)
        tell_saved(s, e, &ref);
}

static void tell_usage(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_usage_new row = { .session = s->id,
                                .provider = s->setup.provider->name,
                                .model = s->link.model,
                                .input = e->usage.input,
                                .output = e->usage.output,
                                .cache_read = e->usage.cache_read,
                                .cache_write = e->usage.cache_write,
                                .reasoning = e->usage.reasoning,
                                .cost_micro_usd = e->cost };
    struct sf_event event = { .kind = SF_EVENT_USAGE, .usage = { &e->usage, e->cost } };
    struct sf_error err = SF_ERROR_INIT;

    if (s->prompt.weighed !=
        s->link.schemas_profile + 1) /* the first request need not wait for it */
        sf_turn_meta_weigh(s);
    if (s->depth || s->goal.now.set) /* a sub-agent works for the goal of the user's session */
        sf_goal_charge(s, &row);
    if (sf_store_usage_add(s->setup.store, &row, &err))
        sf_session_tell(s, &event);
    else
        sf_session_die(s, &err);
    if (!s->dead && row.goal_of && !sf_goal_charged(s, &err))
        sf_session_die(s, &err);
}

static void tell_compacted(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_event event = { .kind = SF_EVENT_COMPACTED,
                              .compacted = { .summary = e->text.buf,
                                             .len = e->text.len,
                                             .before = e->before,
                                             .after = e->after } };

    sf_session_tell(s, &event);
}

static void tell_words(struct sf_session *s, enum sf_event_kind kind, const struct sf_strbuf *text)
{
    struct sf_event event = sf_event_of_words(kind, text->buf, text->len);

    sf_session_tell(s, &event);
}

static void tell_notice(struct sf_session *s, const struct sf_strbuf *text)
{
    struct sf_event event = sf_event_of_notice(text->buf, text->len);

    sf_session_tell(s, &event);
}

/* Events after this one belong to no turn. */
static void tell_end(struct sf_session *s, struct sf_event *event)
{
    sf_session_tell(s, event);
    s->at.turn = 0;
    s->at.message = s->at.answers = 0;
}

static void tell_done(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_event event = { .kind = SF_EVENT_DONE,
                              .done = { .status = e->status,
                                        .budget = e->budget,
                                        .error = &e->error,
                                        .denied = s->refusal.stands,
                                        .refusals = &s->refusal.texts } };
    struct sf_error err = SF_ERROR_INIT;

    sf_loop_remove(s->setup.loop, s->time_timer);
    s->time_timer = 0;
    if (!s->depth)
        sf_snapshots_end(s->snapshots);
    if (!sf_goal_turn_ended(s, e, &err) ||
        (!s->depth && !sf_usage_totals_keep(s->setup.store, s->id, surface_of(s), &err)))
        sf_session_die(s, &err);
    sf_session_notify(s, SF_MACHINE_UNIT_ENDED);
    sf_session_notify(s, SF_MACHINE_TURN_ENDED);
    if (!s->dead)
        tell_end(s, &event);
    sf_refusal_forget(s);
}

/* The log cannot be written any more: ends everything and says why, once. */
void sf_session_die(struct sf_session *s, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_NONE, .retry_after_ms = -1 };
    struct sf_event event = {
        .kind = SF_EVENT_DONE,
        .done = { .status = SF_TURN_FAILED, .budget = -1, .error = &error },
    };

    if (s->dead)
        return;
    s->dead = true;
    s->death = *err;
    snprintf(error.message, sizeof(error.message), "%.400s%s%.100s", err->msg,
             *err->hint ? "; " : "", err->hint);
    sf_client_cancel(s->link.client);
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        if (s->calls[i].state == SF_CALL_RUNNING)
            sf_call_stop(&s->calls[i]);
    tell_end(s, &event);
}

static void perform(struct sf_session *s, struct sf_effect *e)
{
    switch (e->kind) {
    case SF_DO_SAVE:
        save(s, e);
        break;
    case SF_DO_REQUEST:
        s->at.message = s->at.answers + 1;
        if (!sf_unit_holds_request(s))
            sf_model_link_request(s, NULL);
        break;
    case SF_DO_SUMMARY:
        sf_model_link_request(s, e->text.buf);
        break;
    case SF_DO_STOP_MODEL:
        s->unit.asks = false;
        sf_client_cancel(s->link.client);
        break;
    case SF_DO_CALL:
        sf_call_begin(s, e->call, e->block);
        break;
    case SF_DO_RUN:
        sf_call_next(&s->calls[e->call]);
        break;
    case SF_DO_STOP_CALL:
        sf_call_stop(&s->calls[e->call]);
        break;
    case SF_DO_ANSWERED:
        sf_call_saved(s, e);
        break;
    case SF_DO_TEXT:
        take_text(s, &e->text);
        break;
    case SF_DO_REASONING:
        sf_session_flush(s); /* text that came before the reasoning goes first */
        tell_words(s, SF_EVENT_REASONING, &e->text);
        break;
    case SF_DO_USAGE:
        tell_usage(s, e);
        break;
    case SF_DO_COMPACTED:
        tell_compacted(s, e);
        break;
    case SF_DO_STEERED:
        tell_words(s, SF_EVENT_STEERED, &e->text);
        break;
    case SF_DO_NOTICE:
        tell_notice(s, &e->text);
        break;
    case SF_DO_END:
        tell_done(s, e);
        break;
    }
}

void sf_session_perform(struct sf_session *s, struct sf_effects *effects)
{
    for (size_t i = 0; i < effects->count && !s->dead; i++)
        perform(s, &effects->items[i]);
}

static void step(struct sf_session *s, struct sf_input *input)
{
    struct sf_effects effects = { 0 };

    input->now_ms = sf_clock_monotonic_ms();
    sf_agent_step(s->agent, input, &effects);
    sf_session_perform(s, &effects);
    sf_effects_release(&effects);
    if (s->goal.news)
        sf_goal_speak(s);
}

static void enqueue(struct sf_session *s, const struct sf_input *in)
{
    struct sf_queued_input *q;

    s->inputs.items =
        sf_grow(s->inputs.items, &s->inputs.cap, s->inputs.count + 1, sizeof(*s->inputs.items));
    q = &s->inputs.items[s->inputs.count++];
    *q = (struct sf_queued_input){ .kind = in->kind, .call = in->call };
    if (in->result) {
        q->result = *in->result;
        *in->result = (struct sf_block){ 0 };
        q->detail = in->detail ? sf_strdup(in->detail) : NULL;
    }
}

static void drain(struct sf_session *s)
{
    for (size_t i = 0; i < s->inputs.count; i++) {
        struct sf_queued_input q =
            s->inputs.items[i]; /* a copy: the step may grow and move the queue */
        struct sf_input in = {
            .kind = q.kind, .call = q.call, .result = &q.result, .detail = q.detail
        };

        if (!s->dead)
            step(s, &in);
        sf_block_release(&q.result);
        free(q.detail);
    }
    s->inputs.count = 0;
}

void sf_session_feed(struct sf_session *s, struct sf_input *input)
{
    struct sf_error err = SF_ERROR_INIT;

    if (s->dead || (s->load && (input->kind == SF_IN_CANCEL || input->kind == SF_IN_TIME)))
        return;
    if (s->load && !sf_load_all(s, &err)) {
        sf_session_die(s, &err);
        return;
    }
    if (s->inputs.performing) {
        enqueue(s, input);
        return;
    }
    s->inputs.performing = true;
    step(s, input);
    drain(s);
    s->inputs.performing = false;
}

void sf_session_take_stream(void *ctx, const struct sf_stream_event *event)
{
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = event };

    if (!sf_model_link_fall_back(ctx, event))
        sf_session_feed(ctx, &in);
}
