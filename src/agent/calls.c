/*
 * calls.c: the calls of one answer. Calls that only read run in parallel; any other waits for all
 * before it and delays all after it. Each call gets exactly one result, whatever happens.
 */
#include "agent/internal.h"
#include "base/base.h"

static const struct sf_message *last_answer(const struct sf_agent *a)
{
    return &a->conversation.history.messages[a->conversation.history.count - 1];
}

static const struct sf_block *block_of(const struct sf_agent *a, size_t n)
{
    return &last_answer(a)->blocks[a->calls[n].at];
}

/* Saves the result, then adds it to the conversation. Takes over the block. */
static void settle(struct sf_agent *a, size_t n, struct sf_block *result, const char *detail,
                   struct sf_effects *fx)
{
    const struct sf_block *call = block_of(a, n);
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_effect *e;

    free(result->id);
    free(result->name);
    result->kind = SF_BLOCK_RESULT;
    result->id = sf_strdup(call->id);
    result->name = sf_strdup(call->name);
    sf_message_adopt(&m, result);
    sf_effect_message(fx, SF_LOG_RESULT, &m, detail);
    e = sf_effect_add(fx, SF_DO_ANSWERED);
    e->call = n;
    e->block = call;
    e->is_error = m.blocks[0].is_error;
    sf_strbuf_add(&e->text, m.blocks[0].text, m.blocks[0].len);
    a->calls[n].state = SF_TURN_CALL_DONE;
    if (a->conversation.open == 1) /* waiting steers join the message with the last result */
        sf_agent_deliver(a, fx);
    sf_conversation_result(&a->conversation, &m.blocks[0]);
    sf_message_release(&m);
}

static void refuse(struct sf_agent *a, size_t n, const char *why, struct sf_effects *fx)
{
    struct sf_block result = {
        .kind = SF_BLOCK_RESULT, .text = sf_strdup(why), .len = strlen(why), .is_error = true
    };

    settle(a, n, &result, NULL, fx);
}

/* Ignores whitespace between JSON tokens, which has no meaning; strings count as they are. */
static void hash_args(struct sf_sha256 *sha, const char *text, size_t len)
{
    bool quoted = false;
    size_t from = 0;

    for (size_t i = 0; i < len; i++) {
        bool blank = !quoted && strchr(" \t\r\n", text[i]) && text[i];

        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        if (blank) {
            sf_sha256_update(sha, text + from, i - from);
            from = i + 1;
        }
    }
    sf_sha256_update(sha, text + from, len - from);
}

/* How many times in a row this call was made, including this time. */
static int repeats(struct sf_agent *a, const struct sf_block *call)
{
    struct sf_sha256 sha;
    unsigned char key[SF_SHA256_SIZE];

    sf_sha256_init(&sha);
    sf_sha256_update(&sha, call->name, strlen(call->name) + 1);
    hash_args(&sha, call->text, call->len);
    sf_sha256_final(&sha, key);
    if (memcmp(key, a->repeat.key, sizeof(key)) != 0)
        a->repeat.count = 0;
    memcpy(a->repeat.key, key, sizeof(key));
    return ++a->repeat.count;
}

static const char too_large[] = "[sf] Not run: its arguments, or the answer as a whole, are too "
                                "large. Do it in smaller steps, one call at a time.";

/* The reason why a call is refused without being judged, or NULL. */
static const char *objection(struct sf_agent *a, size_t n, const struct sf_block *call)
{
    int count = repeats(a, call);

    if (n >= SF_AGENT_CALLS_MAX)
        return "[sf] Not run: too many calls in one answer. Make at most 64 at a time.";
    if (count <= SF_AGENT_REPEATS)
        return strcmp(call->text, SF_ARGS_TOO_LARGE) != 0 ? NULL : too_large;
    if (count > SF_AGENT_REPEATS + SF_AGENT_STUBBORN)
        a->end.status = SF_TURN_BLOCKED;
    return "[sf] Not run: this is the same call with the same arguments again and again. Its result "
           "will not change. Use what you have, try something else, or say what is missing.";
}

static bool any_out(const struct sf_agent *a, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (a->calls[i].state != SF_TURN_CALL_DONE)
            return true;
    return false;
}

static void start(struct sf_agent *a, size_t n, struct sf_effects *fx)
{
    const struct sf_block *call = block_of(a, n);
    const char *why = objection(a, n, call);
    struct sf_effect *e;

    if (why) {
        refuse(a, n, why, fx);
        return;
    }
    sf_agent_spend(a, SF_BUDGET_CALLS, 1, fx);
    a->calls[n].state = SF_TURN_CALL_JUDGING;
    e = sf_effect_add(fx, SF_DO_CALL);
    e->call = n;
    e->block = call;
}

static bool all_done(const struct sf_agent *a)
{
    return !any_out(a, a->call_count);
}

/* Starts the calls that may start now. Ends the turn at a limit or when calls repeat too often. */
static void schedule(struct sf_agent *a, struct sf_effects *fx)
{
    for (size_t i = 0; i < a->call_count && a->phase == SF_PHASE_TOOLS; i++) {
        struct sf_agent_call *c = &a->calls[i];

        if (c->state == SF_TURN_CALL_WAITING && (c->parallel || !any_out(a, i))) {
            int over = sf_budget_over(&a->budget);

            if (over >= 0) {
                a->end.budget = over;
                sf_agent_stop(a, SF_TURN_LIMIT, fx);
                return;
            }
            start(a, i, fx);
            if (a->end.status == SF_TURN_BLOCKED) {
                sf_agent_stop(a, SF_TURN_BLOCKED, fx);
                return;
            }
        }
        if (c->state != SF_TURN_CALL_DONE && !c->parallel)
            return;
    }
    if (a->phase == SF_PHASE_TOOLS && all_done(a))
        sf_agent_ask_again(a, fx);
}

void sf_calls_begin(struct sf_agent *a, struct sf_effects *fx)
{
    const struct sf_message *answer = last_answer(a);
    size_t count = sf_message_calls(answer);
    bool several = count > 1 && a->setup.parallel;

    a->phase = SF_PHASE_TOOLS;
    a->calls = sf_grow(a->calls, &a->call_cap, count, sizeof(*a->calls));
    a->call_count = 0;
    for (size_t i = 0; i < answer->count; i++)
        if (answer->blocks[i].kind == SF_BLOCK_CALL)
            a->calls[a->call_count++] = (struct sf_agent_call){
                .at = i,
                .parallel = several && a->setup.parallel(a->setup.ctx, answer->blocks[i].name),
            };
    schedule(a, fx);
}

void sf_calls_judged(struct sf_agent *a, const struct sf_input *in, struct sf_effects *fx)
{
    struct sf_agent_call *c;

    if (a->phase != SF_PHASE_TOOLS || in->call >= a->call_count)
        return;
    c = &a->calls[in->call];
    if (c->state != SF_TURN_CALL_JUDGING && c->state != SF_TURN_CALL_ASKED)
        return;
    if (in->kind == SF_IN_ASKED) {
        c->state = SF_TURN_CALL_ASKED;
        return;
    }
    c->state = SF_TURN_CALL_RUNNING;
    sf_effect_add(fx, SF_DO_RUN)->call = in->call;
}

bool sf_calls_result(struct sf_agent *a, struct sf_input *in, struct sf_effects *fx)
{
    bool tools = a->phase == SF_PHASE_TOOLS || a->phase == SF_PHASE_ENDING;

    if (!tools || in->call >= a->call_count || a->calls[in->call].state == SF_TURN_CALL_DONE ||
        a->calls[in->call].state == SF_TURN_CALL_WAITING) {
        sf_block_release(in->result);
        return false;
    }
    settle(a, in->call, in->result, in->detail, fx);
    if (a->phase == SF_PHASE_TOOLS)
        schedule(a, fx);
    return all_done(a);
}

bool sf_calls_stop(struct sf_agent *a, struct sf_effects *fx)
{
    static const char *const why[] = {
        [SF_TURN_DONE] = "[sf] Not run.",
        [SF_TURN_CANCELLED] = "[sf] Not run: the user stopped the turn.",
        [SF_TURN_FAILED] = "[sf] Not run: the turn failed.",
        [SF_TURN_LIMIT] = "[sf] Not run: a limit of this run was reached.",
        [SF_TURN_BLOCKED] = "[sf] Not run: the turn was stopped, since it went in circles.",
        [SF_TURN_REFUSED] = "[sf] Not run.",
    };

    for (size_t i = 0; i < a->call_count; i++) {
        struct sf_agent_call *c = &a->calls[i];

        if (c->state == SF_TURN_CALL_WAITING) {
            refuse(a, i, why[a->end.status], fx);
        } else if (c->state != SF_TURN_CALL_DONE && !c->stopped) {
            c->stopped = true;
            sf_effect_add(fx, SF_DO_STOP_CALL)->call = i;
        }
    }
    return all_done(a);
}
