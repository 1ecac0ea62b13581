/*
 * turn.c: the state machine itself: what each input means in each phase. log.c builds the
 * conversation, calls.c has the calls of one answer, summary.c the summaries.
 */
#include "agent/turn.h"

#include <inttypes.h>

#include "agent/internal.h"
#include "base/base.h"

const char *const sf_turn_status_names[] = { "done",    "cancelled", "failed", "limit",
                                             "blocked", "refused",   "unable", NULL };

static const char go_on[] =
    "[sf] The answer was cut off by its length limit. Go on exactly where it stopped.";

static const char say_less[] =
    "[sf] The length limit was reached before anything was said. Think less, and answer briefly.";

struct sf_agent *sf_agent_new(const struct sf_agent_setup *setup)
{
    struct sf_agent *a = sf_alloc(sizeof(*a));

    a->setup = *setup;
    a->budget = setup->budget;
    a->conversation = (struct sf_conversation)SF_CONVERSATION_INIT;
    a->answer = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    sf_strbuf_init(&a->partial);
    sf_strbuf_init(&a->writing);
    sf_strbuf_init(&a->focus);
    return a;
}

void sf_agent_free(struct sf_agent *a)
{
    if (!a)
        return;
    sf_conversation_release(&a->conversation);
    sf_message_release(&a->answer);
    sf_strbuf_release(&a->partial);
    sf_strbuf_release(&a->writing);
    sf_strbuf_release(&a->focus);
    free(a->calls);
    free(a);
}

void sf_agent_set_window(struct sf_agent *a, int64_t window, int64_t max_output)
{
    a->setup.window = window;
    a->setup.max_output = max_output;
}

void sf_agent_charge(struct sf_agent *a, const struct sf_budget *used)
{
    static const enum sf_budget_kind shared[] = { SF_BUDGET_TOKENS, SF_BUDGET_COST,
                                                  SF_BUDGET_CALLS };

    for (size_t i = 0; i < SF_COUNT(shared); i++)
        sf_budget_spend(&a->budget, shared[i], used->spent[shared[i]]);
}

enum sf_phase sf_agent_phase(const struct sf_agent *a)
{
    return a->phase;
}

bool sf_agent_in_turn(const struct sf_agent *a)
{
    return a->conversation.in_turn;
}

const struct sf_history *sf_agent_history(const struct sf_agent *a)
{
    return &a->conversation.history;
}

bool sf_agent_wants_summaries(const struct sf_agent *a)
{
    return !a->conversation.no_summaries;
}

const struct sf_budget *sf_agent_budget(const struct sf_agent *a)
{
    return &a->budget;
}

/* The service's last count plus an estimate for later messages, each of which is read once. */
int64_t sf_agent_context(struct sf_agent *a)
{
    for (; a->guessed_messages < a->conversation.history.count; a->guessed_messages++)
        a->guessed +=
            (int64_t)sf_message_tokens(&a->conversation.history.messages[a->guessed_messages]);
    return (a->counted ? a->counted : a->overhead) + a->guessed;
}

void sf_agent_set_overhead(struct sf_agent *a, int64_t tokens)
{
    a->overhead = tokens;
}

/* ---- effects ---- */

struct sf_effect *sf_effect_add(struct sf_effects *effects, enum sf_effect_kind kind)
{
    struct sf_effect *e;

    effects->items =
        sf_grow(effects->items, &effects->cap, effects->count + 1, sizeof(*effects->items));
    e = &effects->items[effects->count++];
    *e = (struct sf_effect){ .kind = kind, .budget = -1, .cost = -1 };
    sf_strbuf_init(&e->json);
    sf_strbuf_init(&e->text);
    return e;
}

void sf_effects_reset(struct sf_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        sf_strbuf_release(&effects->items[i].json);
        sf_strbuf_release(&effects->items[i].text);
    }
    effects->count = 0;
}

void sf_effects_release(struct sf_effects *effects)
{
    sf_effects_reset(effects);
    free(effects->items);
    *effects = (struct sf_effects){ 0 };
}

void sf_effect_message(struct sf_effects *effects, const char *event,
                       const struct sf_message *message, const char *detail)
{
    struct sf_effect *e = sf_effect_add(effects, SF_DO_SAVE);
    struct sf_json_writer w;

    e->event = event;
    sf_jw_init(&w, &e->json);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "message");
    sf_message_json(message, &w);
    if (detail) {
        sf_jw_key(&w, "detail");
        sf_jw_raw(&w, detail, strlen(detail));
    }
    sf_jw_object_end(&w);
}

void sf_effect_notice(struct sf_effects *effects, const char *text)
{
    sf_strbuf_adds(&sf_effect_add(effects, SF_DO_NOTICE)->text, text);
}

/* ---- budgets ---- */

static void alert(struct sf_agent *a, enum sf_budget_kind kind, struct sf_effects *fx)
{
    int percent = sf_budget_alert(&a->budget, kind);
    struct sf_effect *e;

    if (!percent)
        return;
    e = sf_effect_add(fx, SF_DO_NOTICE);
    sf_strbuf_addf(&e->text, "%d %% of %s used: ", percent, sf_budgets[kind].what);
    sf_budget_text(&a->budget, kind, &e->text);
}

void sf_agent_spend(struct sf_agent *a, enum sf_budget_kind kind, int64_t amount,
                    struct sf_effects *fx)
{
    sf_budget_spend(&a->budget, kind, amount);
    alert(a, kind, fx);
}

static int64_t all_tokens(const struct sf_usage *u)
{
    return u->input + u->output + u->cache_read + u->cache_write;
}

static void count_usage(struct sf_agent *a, struct sf_effects *fx)
{
    struct sf_effect *e;

    if (!all_tokens(&a->usage))
        return;
    e = sf_effect_add(fx, SF_DO_USAGE);
    e->usage = a->usage;
    e->cost = a->setup.cost ? a->setup.cost(a->setup.ctx, &a->usage) : -1;
    if (e->cost > 0)
        sf_agent_spend(a, SF_BUDGET_COST, e->cost, fx);
    sf_agent_spend(a, SF_BUDGET_TOKENS, all_tokens(&a->usage), fx);
    a->usage = (struct sf_usage){ 0 };
}

/* ---- ending ---- */

static void save_end(const struct sf_agent_end *end, struct sf_effects *fx)
{
    struct sf_effect *save = sf_effect_add(fx, SF_DO_SAVE);
    struct sf_json_writer w;

    save->event = SF_LOG_END;
    sf_jw_init(&w, &save->json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "status", sf_turn_status_names[end->status]);
    if (end->budget >= 0)
        sf_jw_key_str(&w, "limit", sf_budgets[end->budget].name);
    if (end->error.fault != SF_FAULT_NONE) {
        sf_jw_key_str(&w, "fault", sf_faults[end->error.fault].name);
        sf_jw_key_str(&w, "message", end->error.message);
    }
    sf_jw_object_end(&w);
}

/* A remark is by sf itself, not by the user. */
static bool is_said(const char *steer)
{
    return strncmp(steer, SF_META_TAG, strlen(SF_META_TAG)) != 0 &&
           strncmp(steer, SF_OWN_TAG, strlen(SF_OWN_TAG)) != 0;
}

void sf_agent_deliver(struct sf_agent *a, struct sf_effects *fx)
{
    for (size_t i = 0; i < a->conversation.steers.count; i++)
        if (is_said(a->conversation.steers.items[i]))
            sf_strbuf_adds(&sf_effect_add(fx, SF_DO_STEERED)->text,
                           a->conversation.steers.items[i]);
}

void sf_agent_finish(struct sf_agent *a, struct sf_effects *fx)
{
    struct sf_effect *e;

    if (a->conversation.in_turn)
        save_end(&a->end, fx);
    for (size_t i = 0; i < a->conversation.steers.count; i++)
        if (is_said(a->conversation.steers.items[i]))
            sf_strbuf_addf(&sf_effect_add(fx, SF_DO_NOTICE)->text, SF_UNSTEERED "%s",
                           a->conversation.steers.items[i]);
    sf_conversation_end(&a->conversation);
    a->phase = SF_PHASE_IDLE;
    e = sf_effect_add(fx, SF_DO_END);
    e->status = a->end.status;
    e->budget = a->end.budget;
    e->error = a->end.error;
}

static void drop_answer(struct sf_agent *a)
{
    sf_strbuf_reset(&a->partial);
    a->begun = 0;
    sf_message_release(&a->answer);
    a->answer = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
}

/* Keeps the text of an answer that will not be finished, as far as the history allows. */
static void keep_partial(struct sf_agent *a, struct sf_effects *fx)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    size_t len = a->partial.len < SF_AGENT_PARTIAL_MAX ? a->partial.len : SF_AGENT_PARTIAL_MAX;

    if (len) {
        sf_message_add_text(&m, a->partial.buf, sf_utf8_cut(a->partial.buf, len));
        sf_effect_message(fx, SF_LOG_ASSISTANT, &m, NULL);
        sf_agent_deliver(a, fx);
        sf_conversation_answer(&a->conversation, &m);
    }
    drop_answer(a);
}

void sf_agent_stop(struct sf_agent *a, enum sf_turn_status status, struct sf_effects *fx)
{
    if (a->phase == SF_PHASE_IDLE || a->phase == SF_PHASE_ENDING)
        return;
    a->end.status = status;
    if (a->phase == SF_PHASE_MODEL || a->phase == SF_PHASE_COMPACT) {
        sf_effect_add(fx, SF_DO_STOP_MODEL);
        count_usage(a, fx); /* the part that arrived has to be paid for */
        if (a->phase == SF_PHASE_MODEL)
            keep_partial(a, fx);
        sf_agent_finish(a, fx);
        return;
    }
    a->phase = SF_PHASE_ENDING;
    if (sf_calls_stop(a, fx))
        sf_agent_finish(a, fx);
}

static void over_budget(struct sf_agent *a, int kind, struct sf_effects *fx)
{
    a->end.budget = kind;
    sf_agent_stop(a, SF_TURN_LIMIT, fx);
}

/* ---- asking ---- */

void sf_agent_ask(struct sf_agent *a, struct sf_effects *fx)
{
    int over = sf_budget_over(&a->budget);

    a->phase = SF_PHASE_MODEL;
    if (over >= 0) {
        a->end.budget = over;
        a->end.status = SF_TURN_LIMIT;
        sf_agent_finish(a, fx);
        return;
    }
    if (sf_summary_is_due(a) && sf_summary_begin(a, NULL, 0, fx))
        return;
    sf_strbuf_reset(&a->partial);
    a->begun = 0;
    a->usage = (struct sf_usage){ 0 };
    sf_effect_add(fx, SF_DO_REQUEST);
}

void sf_agent_ask_again(struct sf_agent *a, struct sf_effects *fx)
{
    a->compacted = false;
    sf_agent_ask(a, fx);
}

/* Text for the running turn, which goes to the model with the next request. */
static void add_steer(struct sf_agent *a, const char *text, size_t len, const char *event,
                      struct sf_effects *fx)
{
    struct sf_effect *save = sf_effect_add(fx, SF_DO_SAVE);
    struct sf_json_writer w;

    save->event = event;
    sf_jw_init(&w, &save->json);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "text");
    sf_jw_strn(&w, text, len);
    sf_jw_object_end(&w);
    sf_conversation_steer(&a->conversation, text, len);
}

/* ---- the stream ---- */

#define TOKENS "{\"tokens\":"    /* how tokens_of finds the count that write_detail put first */
enum { DETAIL_MAX = 32 * 1024 }; /* of all that is beside it: a path has at most 4 KiB, escaped */

/* A message for the model about an answer that hit a limit; empty: nothing was cut. */
static void tell_cut(const struct sf_agent *a, enum sf_stop stop, struct sf_strbuf *out)
{
    if (stop != SF_STOP_LENGTH && stop != SF_STOP_CONTEXT)
        return;
    if (a->begun)
        sf_strbuf_addf(out,
                       "[sf] The call of %s was cut off by the length limit before it was "
                       "complete, so nothing of it was done. Make it again in smaller pieces.",
                       a->writing.buf);
    else if (!sf_message_calls(&a->answer))
        sf_strbuf_adds(out, a->answer.count ? go_on : say_less);
}

/* Asks again; the history has the cut answer and a message about the cut. */
static void ask_for_the_rest(struct sf_agent *a, enum sf_stop stop, struct sf_effects *fx)
{
    a->continues++;
    if (stop == SF_STOP_CONTEXT) {
        sf_summary_by_rule(a, fx);
        a->compacted = true;
    }
    sf_agent_ask(a, fx);
}

/* Beside an answer in the log: the service's count, and where the paths of its calls begin. */
static void write_detail(const struct sf_agent *a, int64_t tokens, struct sf_strbuf *out)
{
    bool stands = a->setup.stand && *a->setup.stand && sf_message_calls(&a->answer);
    struct sf_json_writer w;

    if (!tokens && !stands)
        return;
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (tokens)
        sf_jw_key_int(&w, "tokens", tokens); /* first, where tokens_of looks for it */
    if (stands)
        sf_jw_key_str(&w, "cwd", a->setup.stand);
    sf_jw_object_end(&w);
}

/* Adds the answer to log and history; steers that came meanwhile follow it. */
static void keep_answer(struct sf_agent *a, struct sf_effects *fx)
{
    bool steered = a->conversation.steers.count > 0, empty = a->answer.count == 0;
    bool joins = steered && !sf_message_calls(&a->answer);
    int64_t tokens = all_tokens(&a->usage);
    struct sf_strbuf detail = SF_STRBUF_INIT;

    count_usage(a, fx);
    sf_agent_spend(a, SF_BUDGET_TURNS, 1, fx);
    sf_strbuf_reset(&a->partial);
    a->begun = 0;
    write_detail(a, tokens, &detail);
    if (!empty || steered) /* even an empty answer delivers the steers */
        sf_effect_message(fx, SF_LOG_ASSISTANT, &a->answer, detail.len ? detail.buf : NULL);
    sf_strbuf_release(&detail);
    if (!sf_message_calls(&a->answer))
        sf_agent_deliver(a, fx);
    sf_conversation_answer(&a->conversation, &a->answer);
    a->answer = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    if (tokens && (!empty || steered)) /* the same condition as for the log */
        sf_agent_count(a, tokens, a->conversation.history.count - (joins ? 1 : 0));
    a->compacted = false;
}

static void answered(struct sf_agent *a, enum sf_stop stop, struct sf_effects *fx)
{
    struct sf_strbuf cut = SF_STRBUF_INIT;
    size_t calls = sf_message_calls(&a->answer);
    bool empty = a->answer.count == 0, again = a->continues < SF_AGENT_CONTINUES, steered;

    tell_cut(a, stop, &cut);
    if (cut.len && (again || calls))
        add_steer(a, cut.buf, cut.len, SF_LOG_REMARK, fx);
    steered = a->conversation.steers.count > 0;
    keep_answer(a, fx);
    if (calls) {
        sf_calls_begin(a, fx);
    } else if (cut.len && again) {
        ask_for_the_rest(a, stop, fx);
    } else if (steered || (stop == SF_STOP_PAUSE && !empty && again)) {
        a->continues += stop == SF_STOP_PAUSE && !steered;
        sf_agent_ask(a, fx);
    } else {
        a->end.status = cut.len                   ? SF_TURN_LIMIT
                        : stop == SF_STOP_REFUSAL ? SF_TURN_REFUSED
                        : stop == SF_STOP_UNABLE  ? SF_TURN_UNABLE
                                                  : SF_TURN_DONE;
        sf_agent_finish(a, fx);
    }
    sf_strbuf_release(&cut);
}

static void failed(struct sf_agent *a, const struct sf_wire_error *error, struct sf_effects *fx)
{
    count_usage(a, fx);
    if (a->phase == SF_PHASE_COMPACT) {
        sf_summary_end(a, error, fx);
        return;
    }
    if (error->fault == SF_FAULT_CONTEXT && !a->compacted && a->conversation.history.count > 1) {
        drop_answer(a);
        a->compacted = true;
        sf_summary_by_rule(a, fx);
        sf_agent_ask(a, fx);
        return;
    }
    if (error->fault == SF_FAULT_REQUEST && !a->partial.len &&
        sf_answer_forget(a, error->message, fx)) {
        sf_agent_ask(a, fx);
        return;
    }
    keep_partial(a, fx);
    a->end.status = SF_TURN_FAILED;
    a->end.error = *error;
    sf_agent_finish(a, fx);
}

static void usage_came(struct sf_agent *a, const struct sf_usage *usage, struct sf_effects *fx)
{
    struct sf_budget ahead = a->budget;
    int64_t cost;
    int over;

    a->usage = *usage;
    cost = a->setup.cost ? a->setup.cost(a->setup.ctx, usage) : 0;
    sf_budget_spend(&ahead, SF_BUDGET_TOKENS, all_tokens(usage));
    sf_budget_spend(&ahead, SF_BUDGET_COST, cost);
    over = sf_budget_over(&ahead);
    /* An answer may exceed the limit by a quarter, but no further request is sent. */
    if (over >= 0 && ahead.spent[over] > ahead.limit[over] + ahead.limit[over] / 4 &&
        a->phase == SF_PHASE_MODEL) {
        count_usage(a, fx);
        over_budget(a, over, fx);
    }
}

static void show(struct sf_agent *a, enum sf_effect_kind kind, const struct sf_stream_event *s,
                 struct sf_effects *fx)
{
    if (kind == SF_DO_TEXT)
        sf_strbuf_add(&a->partial, s->text, s->len);
    if (a->phase == SF_PHASE_MODEL)
        sf_strbuf_add(&sf_effect_add(fx, kind)->text, s->text, s->len);
}

/* Several calls may be in progress at once; a limit cuts the last one. */
static void begin_call(struct sf_agent *a, const char *name, size_t len)
{
    a->begun++;
    sf_strbuf_reset(&a->writing);
    sf_text_sanitize(&a->writing, name, len, SF_TEXT_ONE_LINE);
}

static void stream(struct sf_agent *a, const struct sf_stream_event *s, struct sf_effects *fx)
{
    if (a->phase != SF_PHASE_MODEL && a->phase != SF_PHASE_COMPACT)
        return;
    switch (s->kind) {
    case SF_STREAM_BEGIN:
        break;
    case SF_STREAM_CALL:
        begin_call(a, s->text, s->len);
        break;
    case SF_STREAM_TEXT:
        show(a, SF_DO_TEXT, s, fx);
        break;
    case SF_STREAM_REASONING:
        show(a, SF_DO_REASONING, s, fx);
        break;
    case SF_STREAM_BLOCK:
        if (s->block->kind == SF_BLOCK_CALL && a->begun)
            a->begun--;
        if (a->phase == SF_PHASE_MODEL)
            sf_answer_take(a, s->block);
        break;
    case SF_STREAM_USAGE:
        usage_came(a, &s->usage, fx);
        break;
    case SF_STREAM_END:
        if (a->phase == SF_PHASE_MODEL) {
            answered(a, s->stop, fx);
        } else {
            count_usage(a, fx);
            sf_summary_end(a, NULL, fx);
        }
        break;
    case SF_STREAM_ERROR:
        failed(a, s->error, fx);
        break;
    }
}

/* ---- inputs ---- */

static void begin(struct sf_agent *a, struct sf_input *in, struct sf_effects *fx)
{
    if (a->phase != SF_PHASE_IDLE)
        return;
    a->end = (struct sf_agent_end){ .budget = -1 };
    a->continues = 0;
    a->compacted = false;
    a->repeat.count = 0;
    sf_effect_message(fx, SF_LOG_USER, in->message, NULL);
    sf_conversation_user(&a->conversation, in->message);
    sf_agent_ask(a, fx);
}

static void steer(struct sf_agent *a, const struct sf_input *in, const char *event,
                  struct sf_effects *fx)
{
    if (a->conversation.in_turn)
        add_steer(a, in->text, in->len, event, fx);
}

static void retry(struct sf_agent *a, struct sf_effects *fx)
{
    count_usage(a, fx);
    drop_answer(a);
}

static void compact_now(struct sf_agent *a, const struct sf_input *in, struct sf_effects *fx)
{
    if (a->phase != SF_PHASE_IDLE || a->conversation.history.count < 2)
        return;
    a->end = (struct sf_agent_end){ .status = SF_TURN_DONE, .budget = sf_budget_over(&a->budget) };
    if (a->end.budget >= 0) {
        a->end.status = SF_TURN_LIMIT;
        sf_agent_finish(a, fx);
    } else if (!sf_summary_begin(a, in->text ? in->text : "", in->len, fx)) {
        sf_agent_finish(a, fx);
    }
}

/* Time counts only while a turn runs, but then it includes waiting for the user's answers. */
static void pass_time(struct sf_agent *a, int64_t now, struct sf_effects *fx)
{
    bool running = a->phase != SF_PHASE_IDLE && a->phase != SF_PHASE_ENDING;
    int over;

    if (running && a->last_ms && now > a->last_ms)
        sf_agent_spend(a, SF_BUDGET_TIME, now - a->last_ms, fx);
    a->last_ms = now;
    over = sf_budget_over(&a->budget);
    if (running && over == SF_BUDGET_TIME)
        over_budget(a, over, fx);
}

void sf_agent_step(struct sf_agent *a, struct sf_input *in, struct sf_effects *fx)
{
    pass_time(a, in->now_ms, fx);
    switch (in->kind) {
    case SF_IN_USER:
        begin(a, in, fx);
        break;
    case SF_IN_STEER:
        steer(a, in, SF_LOG_STEER, fx);
        break;
    case SF_IN_REMARK:
        steer(a, in, SF_LOG_REMARK, fx);
        break;
    case SF_IN_STREAM:
        stream(a, in->stream, fx);
        break;
    case SF_IN_RETRY:
        retry(a, fx);
        break;
    case SF_IN_ALLOWED:
    case SF_IN_ASKED:
        sf_calls_judged(a, in, fx);
        break;
    case SF_IN_RESULT:
        if (sf_calls_result(a, in, fx) && a->phase == SF_PHASE_ENDING)
            sf_agent_finish(a, fx);
        break;
    case SF_IN_CANCEL:
        sf_agent_stop(a, SF_TURN_CANCELLED, fx);
        break;
    case SF_IN_COMPACT:
        compact_now(a, in, fx);
        break;
    case SF_IN_TIME:
        break;
    }
}

/* ---- resuming ---- */

/* The service's token count as keep_answer wrote it; 0: none. No text can look like it. */
static int64_t tokens_of(const char *json, size_t len)
{
    static const char mark[] = "\"detail\":" TOKENS;
    size_t tail = len < DETAIL_MAX ? len : DETAIL_MAX;
    const char *at = memmem(json + len - tail, tail, mark, sizeof(mark) - 1);

    return at ? strtoll(at + sizeof(mark) - 1, NULL, 10) : 0;
}

bool sf_agent_load(struct sf_agent *a, const char *kind, const char *json, size_t len,
                   struct sf_error *err)
{
    const struct sf_history *h = &a->conversation.history;
    int64_t tokens = !strcmp(kind, SF_LOG_ASSISTANT) ? tokens_of(json, len) : 0;

    if (!sf_conversation_read(&a->conversation, kind, json, len, err))
        return false;
    if (tokens > 0) /* words that joined behind the answer are not in there */
        sf_agent_count(a, tokens,
                       h->count - (h->count && h->messages[h->count - 1].role == SF_ROLE_USER));
    else if (!strcmp(kind, SF_LOG_COMPACTION) || !strcmp(kind, SF_LOG_FORGET))
        sf_agent_count(a, 0, 0);
    return true;
}

void sf_agent_repair(struct sf_agent *a, const char *partial, size_t len, struct sf_effects *fx)
{
    static const char lost[] =
        "[sf] Interrupted: sf ended before this call came back. Whether it took effect is not "
        "known; look before you repeat it.";
    const struct sf_block *call;

    while ((call = sf_conversation_unanswered(&a->conversation, 0))) {
        struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);

        sf_message_add_result(&m, call->id, call->name, lost, strlen(lost))->is_error = true;
        sf_effect_message(fx, SF_LOG_RESULT, &m, NULL);
        sf_conversation_result(&a->conversation, &m.blocks[0]);
        sf_message_release(&m);
    }
    if (a->conversation.in_turn && len) {
        sf_strbuf_add(&a->partial, partial, len);
        keep_partial(a, fx);
    }
    if (a->conversation.in_turn) {
        a->end = (struct sf_agent_end){ .status = SF_TURN_CANCELLED, .budget = -1 };
        sf_agent_finish(a, fx);
    }
}
