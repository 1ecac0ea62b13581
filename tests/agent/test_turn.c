/*
 * The turn, by scripts. Each step is one input; what the machine wants done is written as one
 * word an effect, and a script says which words a step must give:
 *
 *     user TEXT · steer TEXT · text TEXT · call ID NAME ARGS · usage IN OUT · end STOP
 *     error FAULT · retry · allow N · asked N · result N TEXT · fail N TEXT · cancel · time MS
 *     compact · reason TEXT · remark TEXT
 *
 * Words: save:KIND request summary compacted stopmodel call:N run:N stop:N answered:N usage notice
 * end:STATUS. Text and reasoning that is only to be shown is left out.
 */
#include <inttypes.h>

#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

enum { STEPS = 40 };

struct bench {
    struct sf_agent *agent;
    struct sf_effects effects;
    struct sf_strbuf words;
    struct sf_strlist kinds, events; /* what was saved */
    int64_t now;
};

static bool is_parallel(void *ctx, const char *tool)
{
    (void)ctx;
    return !strcmp(tool, "Read") || !strcmp(tool, "Grep");
}

/* A cent a token. */
static int64_t cost(void *ctx, const struct sf_usage *usage)
{
    (void)ctx;
    return 10000 * (usage->input + usage->output);
}

static void bench_open(struct bench *b, const struct sf_budget *budget, int64_t window)
{
    struct sf_agent_setup setup = {
        .window = window, .max_output = window / 8, .parallel = is_parallel, .cost = cost
    };

    if (budget)
        setup.budget = *budget;
    *b = (struct bench){ .now = 1000 };
    sf_strbuf_init(&b->words);
    b->agent = sf_agent_new(&setup);
}

static void bench_close(struct bench *b)
{
    sf_agent_free(b->agent);
    sf_effects_release(&b->effects);
    sf_strbuf_release(&b->words);
    sf_strlist_release(&b->kinds);
    sf_strlist_release(&b->events);
}

static void add_word(struct bench *b, const struct sf_effect *e)
{
    static const char *const names[] = {
        [SF_DO_SAVE] = "save",           [SF_DO_REQUEST] = "request",
        [SF_DO_SUMMARY] = "summary",     [SF_DO_STOP_MODEL] = "stopmodel",
        [SF_DO_CALL] = "call",           [SF_DO_RUN] = "run",
        [SF_DO_STOP_CALL] = "stop",      [SF_DO_ANSWERED] = "answered",
        [SF_DO_USAGE] = "usage",         [SF_DO_NOTICE] = "notice",
        [SF_DO_STEERED] = "steered",     [SF_DO_END] = "end",
        [SF_DO_COMPACTED] = "compacted",
    };

    if (e->kind == SF_DO_TEXT || e->kind == SF_DO_REASONING)
        return;
    if (b->words.len)
        sf_strbuf_addch(&b->words, ' ');
    sf_strbuf_adds(&b->words, names[e->kind]);
    if (e->kind == SF_DO_SAVE)
        sf_strbuf_addf(&b->words, ":%s", e->event);
    else if (e->kind == SF_DO_CALL || e->kind == SF_DO_RUN || e->kind == SF_DO_STOP_CALL ||
             e->kind == SF_DO_ANSWERED)
        sf_strbuf_addf(&b->words, ":%zu", e->call);
    else if (e->kind == SF_DO_END)
        sf_strbuf_addf(&b->words, ":%s", sf_turn_status_names[e->status]);
}

static void take_effects(struct bench *b)
{
    for (size_t i = 0; i < b->effects.count; i++) {
        const struct sf_effect *e = &b->effects.items[i];

        add_word(b, e);
        if (e->kind == SF_DO_SAVE) {
            sf_strlist_add(&b->kinds, e->event);
            sf_strlist_add(&b->events, e->json.buf);
        }
    }
    sf_effects_reset(&b->effects);
}

static void step(struct bench *b, struct sf_input *in)
{
    in->now_ms = b->now;
    sf_agent_step(b->agent, in, &b->effects);
    take_effects(b);
}

static void stream(struct bench *b, struct sf_stream_event *event)
{
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = event };

    step(b, &in);
}

/* ---- inputs by name ---- */

static void do_user(struct bench *b, const char *rest)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_input in = { .kind = SF_IN_USER, .message = &m };

    sf_message_add_text(&m, rest, strlen(rest));
    step(b, &in);
    sf_message_release(&m);
}

static void do_remark(struct bench *b, const char *rest)
{
    struct sf_input in = { .kind = SF_IN_REMARK, .text = rest, .len = strlen(rest) };

    step(b, &in);
}

static void do_steer(struct bench *b, const char *rest)
{
    struct sf_input in = { .kind = SF_IN_STEER, .text = rest, .len = strlen(rest) };

    step(b, &in);
}

static void do_text(struct bench *b, const char *rest)
{
    struct sf_block block = { .kind = SF_BLOCK_TEXT, .text = sf_strdup(rest), .len = strlen(rest) };
    struct sf_stream_event delta = { .kind = SF_STREAM_TEXT, .text = rest, .len = strlen(rest) };
    struct sf_stream_event whole = { .kind = SF_STREAM_BLOCK, .block = &block };

    stream(b, &delta);
    stream(b, &whole);
    sf_block_release(&block);
}

static void do_delta(struct bench *b, const char *rest)
{
    struct sf_stream_event delta = { .kind = SF_STREAM_TEXT, .text = rest, .len = strlen(rest) };

    stream(b, &delta);
}

static void do_call(struct bench *b, const char *rest)
{
    char id[32], name[32], args[128] = "{}";
    struct sf_block block = { .kind = SF_BLOCK_CALL };
    struct sf_stream_event event = { .kind = SF_STREAM_BLOCK, .block = &block };

    assert_true(sscanf(rest, "%31s %31s %127[^\n]", id, name, args) >= 2);
    block.id = sf_strdup(id);
    block.name = sf_strdup(name);
    block.text = sf_strdup(args);
    block.len = strlen(args);
    stream(b, &event);
    sf_block_release(&block);
}

/* The beginning of a call. */
static void do_write(struct bench *b, const char *rest)
{
    struct sf_stream_event event = { .kind = SF_STREAM_CALL, .text = rest, .len = strlen(rest) };

    stream(b, &event);
}

static void do_reason(struct bench *b, const char *rest)
{
    struct sf_block block = { .kind = SF_BLOCK_REASONING,
                              .text = sf_strdup(rest),
                              .len = strlen(rest),
                              .raw = sf_strdup("{\"sealed\":1}") };
    struct sf_stream_event event = { .kind = SF_STREAM_BLOCK, .block = &block };

    stream(b, &event);
    sf_block_release(&block);
}

static void do_usage(struct bench *b, const char *rest)
{
    struct sf_stream_event event = { .kind = SF_STREAM_USAGE };

    assert_int_equal(sscanf(rest, "%" SCNd64 " %" SCNd64, &event.usage.input, &event.usage.output),
                     2);
    stream(b, &event);
}

static void do_end(struct bench *b, const char *rest)
{
    struct sf_stream_event event = { .kind = SF_STREAM_END };

    while (strcmp(sf_stop_names[event.stop], rest) != 0)
        event.stop++;
    stream(b, &event);
}

static void do_error(struct bench *b, const char *rest)
{
    struct sf_wire_error error = { .message = "it broke" };
    struct sf_stream_event event = { .kind = SF_STREAM_ERROR, .error = &error };

    while (strcmp(sf_faults[error.fault].name, rest) != 0)
        error.fault++;
    stream(b, &event);
}

static void plain(struct bench *b, enum sf_input_kind kind, const char *rest)
{
    struct sf_input in = { .kind = kind, .call = strtoul(rest, NULL, 10) };

    step(b, &in);
}

static void give_result(struct bench *b, const char *rest, bool is_error)
{
    char *text;
    size_t n = strtoul(rest, &text, 10);
    struct sf_block block = { .kind = SF_BLOCK_RESULT, .is_error = is_error };
    struct sf_input in = { .kind = SF_IN_RESULT, .call = n, .result = &block };

    block.text = sf_strdup(*text ? text + 1 : "");
    block.len = strlen(block.text);
    step(b, &in);
    sf_block_release(&block);
}

/* A result that comes with a picture. */
static void do_image(struct bench *b, const char *rest)
{
    struct sf_block block = { .kind = SF_BLOCK_RESULT,
                              .text = sf_strdup(rest),
                              .len = strlen(rest),
                              .media = sf_strdup("image/png"),
                              .data = sf_strdup("cGljdHVyZQ==") };
    struct sf_input in = { .kind = SF_IN_RESULT, .result = &block };

    step(b, &in);
    sf_block_release(&block);
}

static void do_retry(struct bench *b, const char *rest)
{
    plain(b, SF_IN_RETRY, rest);
}
static void do_allow(struct bench *b, const char *rest)
{
    plain(b, SF_IN_ALLOWED, rest);
}
static void do_asked(struct bench *b, const char *rest)
{
    plain(b, SF_IN_ASKED, rest);
}
static void do_result(struct bench *b, const char *rest)
{
    give_result(b, rest, false);
}
static void do_fail(struct bench *b, const char *rest)
{
    give_result(b, rest, true);
}
static void do_cancel(struct bench *b, const char *rest)
{
    plain(b, SF_IN_CANCEL, rest);
}
static void do_compact(struct bench *b, const char *rest)
{
    plain(b, SF_IN_COMPACT, rest);
}
static void do_time(struct bench *b, const char *rest)
{
    b->now += strtoll(rest, NULL, 10);
    plain(b, SF_IN_TIME, "0");
}

static const struct {
    const char *name;
    void (*run)(struct bench *b, const char *rest);
} inputs[] = {
    { "user", do_user },     { "steer", do_steer },     { "text", do_text },
    { "delta", do_delta },   { "call", do_call },       { "usage", do_usage },
    { "end", do_end },       { "error", do_error },     { "retry", do_retry },
    { "allow", do_allow },   { "asked", do_asked },     { "result", do_result },
    { "image", do_image },   { "fail", do_fail },       { "cancel", do_cancel },
    { "time", do_time },     { "compact", do_compact }, { "reason", do_reason },
    { "remark", do_remark }, { "write", do_write },
};

static void play(struct bench *b, const char *line)
{
    size_t n = strcspn(line, " ");

    for (size_t i = 0; i < SF_COUNT(inputs); i++)
        if (strlen(inputs[i].name) == n && !memcmp(inputs[i].name, line, n)) {
            inputs[i].run(b, line[n] ? line + n + 1 : "");
            return;
        }
    fail_msg("no input called %s", line);
}

/* ---- scripts ---- */

#define LIMIT(kind, value)            \
    {                                 \
        .limit = { [kind] = (value) } \
    }

/* A line beginning with "=" is what the steps since the last such line must have given. */
static const struct script {
    const char *name;
    struct sf_budget budget;
    int64_t window;
    const char *steps[STEPS];
} scripts[] = {
    { .name = "a plain answer",
      .steps = { "user hi", "= save:user request", "text hello", "usage 5 2", "end end",
                 "= usage save:assistant save:end end:done" } },
    { .name = "an answer of nothing ends the turn too",
      .steps = { "user hi", "end end", "= save:user request save:end end:done" } },
    { .name = "one call",
      .steps = { "user hi", "call a Bash {}", "end calls",
                 "= save:user request save:assistant call:0", "allow 0", "= run:0", "result 0 ok",
                 "= save:result answered:0 request", "text done", "end end",
                 "= save:assistant save:end end:done" } },
    { .name = "reading calls run side by side, results in any order",
      .steps = { "user hi", "call a Read {}", "call b Grep {}", "call c Read {\"x\":1}",
                 "end calls", "= save:user request save:assistant call:0 call:1 call:2", "allow 0",
                 "allow 1", "allow 2", "result 2 c", "result 0 a",
                 "= run:0 run:1 run:2 save:result answered:2 save:result answered:0", "result 1 b",
                 "= save:result answered:1 request" } },
    { .name = "another one waits for those before it and holds up those behind",
      .steps = { "user hi", "call a Read {}", "call b Bash {}", "call c Read {}", "end calls",
                 "= save:user request save:assistant call:0", "allow 0", "result 0 a",
                 "= run:0 save:result answered:0 call:1", "allow 1", "result 1 b",
                 "= run:1 save:result answered:1 call:2" } },
    { .name = "a refusal is a result",
      .steps = { "user hi", "call a Bash {}", "end calls", "fail 0 no",
                 "= save:user request save:assistant call:0 save:result answered:0 request" } },
    { .name = "somebody is asked first",
      .steps = { "user hi", "call a Bash {}", "end calls", "asked 0", "allow 0",
                 "= save:user request save:assistant call:0 run:0" } },
    { .name = "cancelled while the model speaks: what it said stays",
      .steps = { "user hi", "delta hel", "cancel",
                 "= save:user request stopmodel save:assistant save:end end:cancelled" } },
    { .name = "cancelled before it spoke",
      .steps = { "user hi", "cancel", "= save:user request stopmodel save:end end:cancelled" } },
    { .name = "cancelled while a tool runs: it is ended and answered, the rest is answered at once",
      .steps = { "user hi", "call a Bash {}", "call b Bash {}", "end calls", "allow 0", "cancel",
                 "= save:user request save:assistant call:0 run:0 stop:0 save:result answered:1",
                 "fail 0 cancelled", "= save:result answered:0 save:end end:cancelled" } },
    { .name = "cancelled while somebody is asked",
      .steps = { "user hi", "call a Bash {}", "end calls", "asked 0", "cancel",
                 "= save:user request save:assistant call:0 stop:0", "fail 0 withdrawn",
                 "= save:result answered:0 save:end end:cancelled" } },
    { .name = "cancelled twice is cancelled once",
      .steps = { "user hi", "call a Bash {}", "end calls", "allow 0", "cancel", "cancel",
                 "= save:user request save:assistant call:0 run:0 stop:0" } },
    { .name = "words during a call go with its result",
      .steps = { "user hi", "call a Bash {}", "end calls", "allow 0", "steer and mind the tests",
                 "result 0 ok",
                 ("= save:user request save:assistant call:0 run:0 save:steer save:result answered:0 "
                  "steered request") } },
    { .name = "words during two calls go with the last result",
      .steps = { "user hi", "call a Read {}", "call b Read {}", "end calls", "allow 0", "allow 1",
                 "steer and mind the tests", "result 1 ok",
                 ("= save:user request save:assistant call:0 call:1 run:0 run:1 save:steer save:result "
                  "answered:1"),
                 "result 0 ok", "= save:result answered:0 steered request" } },
    { .name = "words during a call that is being stopped are not lost",
      .steps = { "user hi", "call a Bash {}", "end calls", "allow 0", "cancel", "steer and wait",
                 "= save:user request save:assistant call:0 run:0 stop:0 save:steer",
                 "fail 0 stopped", "= save:result answered:0 steered save:end end:cancelled" } },
    { .name = "words during the last answer are answered",
      .steps = { "user hi", "delta yes", "steer wait", "text yes", "end end",
                 "= save:user request save:steer save:assistant steered request" } },
    { .name = "words during an answer that is cancelled stand behind what came of it",
      .steps = { "user hi", "delta yes", "steer wait", "cancel",
                 ("= save:user request save:steer stopmodel save:assistant steered save:end "
                  "end:cancelled") } },
    { .name = "words that cannot be delivered are told",
      .steps = { "user hi", "steer wait", "error auth",
                 "= save:user request save:steer save:end notice end:failed" } },
    { .name = "words when nothing runs change nothing", .steps = { "steer hello", "=" } },
    { .name = "a failed request ends the turn",
      .steps = { "user hi", "error connect", "= save:user request save:end end:failed" } },
    { .name = "a request that is rejected goes again without the reasoning, once",
      .steps = { "user hi", "reason hm", "call a Bash {}", "end calls", "allow 0", "result 0 ok",
                 "= save:user request save:assistant call:0 run:0 save:result answered:0 request",
                 "error request", "= save:forget notice request", "error request",
                 "= save:end end:failed" } },
    { .name = "and then without the images",
      .steps = { "user hi", "reason hm", "call a Read {}", "end calls", "allow 0", "image pic.png",
                 "= save:user request save:assistant call:0 run:0 save:result answered:0 request",
                 "error request", "= save:forget notice request", "error request",
                 "= save:forget notice request", "error request", "= save:end end:failed" } },
    { .name = "an image nobody can read does not end the session",
      .steps = { "user hi", "call a Read {}", "end calls", "allow 0", "image pic.png",
                 "= save:user request save:assistant call:0 run:0 save:result answered:0 request",
                 "error request", "= save:forget notice request", "text fine", "end end",
                 "= save:assistant save:end end:done" } },
    { .name = "an answer that was nothing but reasoning goes with it",
      .steps = { "user hi", "reason hm", "end end", "user go on", "error request",
                 "= save:user request save:assistant save:end end:done save:user request save:forget notice request",
                 "text fine", "end end", "= save:assistant save:end end:done" } },
    { .name = "without reasoning a rejected request stays rejected",
      .steps = { "user hi", "text yes", "end end", "user go on", "error request",
                 "= save:user request save:assistant save:end end:done save:user request save:end end:failed" } },
    { .name = "what had come of it stays",
      .steps = { "user hi", "delta half", "error connect",
                 "= save:user request save:assistant save:end end:failed" } },
    { .name = "a retry forgets what had come",
      .steps = { "user hi", "delta half", "call a Bash {}", "retry", "text whole", "end end",
                 "= save:user request save:assistant save:end end:done" } },
    { .name = "cut by the output limit: asked to go on, three times",
      .steps = { "user hi", "text a", "end length",
                 "= save:user request save:remark save:assistant request", "text b", "end length",
                 "text c", "end length",
                 "= save:remark save:assistant request save:remark save:assistant request",
                 "text d", "end length", "= save:assistant save:end end:limit" } },
    { .name = "a call that was cut is told of and asked for again",
      .steps = { "user hi", "write Write", "end length",
                 "= save:user request save:remark save:assistant request", "call a Write {}",
                 "end calls", "= save:assistant call:0" } },
    { .name = "behind words too, and not for ever",
      .steps = { "user hi", "text a", "write Write", "end length",
                 "= save:user request save:remark save:assistant request", "write Write",
                 "end length", "write Write", "end length", "write Write", "end length",
                 ("= save:remark save:assistant request save:remark save:assistant request "
                  "save:end end:limit") } },
    { .name = "behind a call that was complete: with its result",
      .steps = { "user hi", "write Read", "write Write", "call a Read {}", "end length",
                 "= save:user request save:remark save:assistant call:0", "result 0 ok",
                 "= save:result answered:0 request" } },
    { .name = "nothing but thoughts up to the limit: asked for less",
      .steps = { "user hi", "end length",
                 "= save:user request save:remark save:assistant request" } },
    { .name = "the window is full in the middle: a summary, and on",
      .steps = { "user hi", "text a", "end context",
                 ("= save:user request save:remark save:assistant save:compaction compacted notice "
                  "request"),
                 "text b", "end end", "= save:assistant save:end end:done" } },
    { .name = "a retry forgets the call that was being written",
      .steps = { "user hi", "write Write", "retry", "text a", "end length",
                 "= save:user request save:remark save:assistant request" } },
    { .name = "a pause is gone on from",
      .steps = { "user hi", "text a", "end pause", "= save:user request save:assistant request" } },
    { .name = "declined",
      .steps = { "user hi", "end refusal", "= save:user request save:end end:refused" } },
    { .name = "turns are counted",
      .budget = LIMIT(SF_BUDGET_TURNS, 1),
      .steps = { "user hi", "call a Bash {}", "end calls",
                 "= save:user request notice save:assistant save:result answered:0 save:end end:limit" } },
    { .name = "calls are counted, and the one too many is answered",
      .budget = LIMIT(SF_BUDGET_CALLS, 1),
      .steps = { "user hi", "call a Bash {}", "call b Bash {}", "end calls", "allow 0",
                 "= save:user request save:assistant notice call:0 run:0", "result 0 ok",
                 "= save:result answered:0 save:result answered:1 save:end end:limit" } },
    { .name = "tokens far over the limit stop the answer itself",
      .budget = LIMIT(SF_BUDGET_TOKENS, 100),
      .steps = { "user hi", "delta a", "usage 500 1",
                 "= save:user request usage notice stopmodel save:assistant save:end end:limit" } },
    { .name = "cost just over the limit lets the answer come, and no call after it",
      .budget = LIMIT(SF_BUDGET_COST, 1000000),
      .steps = { "user hi", "call a Bash {}", "usage 100 1", "end calls",
                 ("= save:user request usage notice save:assistant save:result answered:0 save:end "
                  "end:limit") } },
    { .name = "time runs out while a tool runs",
      .budget = LIMIT(SF_BUDGET_TIME, 1000),
      .steps = { "user hi", "call a Bash {}", "end calls", "allow 0", "time 999",
                 "= save:user request save:assistant call:0 run:0 notice", "time 1",
                 "= notice stop:0", "fail 0 ended",
                 "= save:result answered:0 save:end end:limit" } },
    { .name = "time that passes between turns is free",
      .budget = LIMIT(SF_BUDGET_TIME, 1000),
      .steps = { "user hi", "end end", "time 100000", "user again",
                 "= save:user request save:end end:done save:user request" } },
    { .name = "the same call five times in a row",
      .steps = { "user hi",
                 "call a Bash {}",
                 "end calls",
                 "result 0 x",
                 "call b Bash {}",
                 "end calls",
                 "result 0 x",
                 "call c Bash {}",
                 "end calls",
                 "result 0 x",
                 "call d Bash {}",
                 "end calls",
                 "result 0 x",
                 ("= save:user request save:assistant call:0 save:result answered:0 request "
                  "save:assistant call:0 save:result answered:0 request save:assistant call:0 "
                  "save:result answered:0 request save:assistant call:0 save:result answered:0 request"),
                 "call e Bash {}",
                 "end calls",
                 "= save:assistant save:result answered:0 request",
                 "call f Bash {\"other\":1}",
                 "end calls",
                 "= save:assistant call:0" } },
    { .name = "the same call in other spellings",
      .steps = { "user hi", "call a Bash {\"x\":1}", "call b Bash {\"x\": 1}",
                 "call c Bash { \"x\":1 }", "call d Bash {\"x\":\t1}", "call e Bash {\"x\" :1}",
                 "end calls", "result 0 x", "result 1 x", "result 2 x", "result 3 x",
                 ("= save:user request save:assistant call:0 save:result answered:0 call:1 save:result "
                  "answered:1 call:2 save:result answered:2 call:3 save:result answered:3 save:result "
                  "answered:4 request") } },
    { .name = "blanks in quotes make another call",
      .steps = { "user hi", "call a Bash {\"x\":\"1\"}", "call b Bash {\"x\":\" 1\"}",
                 "call c Bash {\"x\":\"1 \"}", "call d Bash {\"x\":\"\\\" 1\"}",
                 "call e Bash {\"x\":\"\\\"1\"}", "end calls", "result 0 x", "result 1 x",
                 "result 2 x", "result 3 x",
                 ("= save:user request save:assistant call:0 save:result answered:0 call:1 save:result "
                  "answered:1 call:2 save:result answered:2 call:3 save:result answered:3 call:4") } },
    { .name = "an answer that pauses for ever",
      .steps = { "user hi", "text a", "end pause", "text a", "end pause", "text a", "end pause",
                 "text a", "end pause",
                 ("= save:user request save:assistant request save:assistant request save:assistant "
                  "request save:assistant save:end end:done") } },
    { .name = "who goes on with it is stopped",
      .steps = { "user hi", "call a Bash {}", "call b Bash {}", "call c Bash {}", "call d Bash {}",
                 "call e Bash {}", "call f Bash {}", "call g Bash {}", "call h Bash {}",
                 "call i Bash {}", "end calls", "result 0 x", "result 1 x", "result 2 x",
                 ("= save:user request save:assistant call:0 save:result answered:0 call:1 save:result "
                  "answered:1 call:2 save:result answered:2 call:3"),
                 "result 3 x",
                 ("= save:result answered:3 save:result answered:4 save:result answered:5 save:result "
                  "answered:6 save:result answered:7 save:result answered:8 save:end end:blocked") } },
    { .name = "a window that fills up is summarised first",
      .window = 10000,
      .steps = { "user hi", "call a Bash {}", "usage 8500 10", "end calls", "result 0 x",
                 "= save:user request usage save:assistant call:0 save:result answered:0 notice summary",
                 "delta what was done", "text ", "end end",
                 "= save:compaction compacted request" } },
    { .name = "no summary to be had: one is made by rule",
      .window = 10000,
      .steps = { "user hi", "call a Bash {}", "usage 8500 10", "end calls", "result 0 x",
                 "error server",
                 ("= save:user request usage save:assistant call:0 save:result answered:0 "
                  "notice summary save:compaction compacted notice request") } },
    { .name = "the service says it is too long: summarised by rule, once",
      .steps = { "user hi", "call a Bash {}", "end calls", "result 0 x", "error context",
                 ("= save:user request save:assistant call:0 save:result answered:0 request "
                  "save:compaction compacted notice request"),
                 "error context", "= save:end end:failed" } },
    { .name = "asked for a summary while idle",
      .steps = { "user hi", "text yes", "end end", "compact",
                 "= save:user request save:assistant save:end end:done summary", "delta s",
                 "end end", "= save:compaction compacted end:done" } },
    { .name = "one that was asked for and fails changes nothing",
      .steps = { "user hi", "text yes", "end end", "compact", "error server",
                 ("= save:user request save:assistant save:end end:done summary end:failed"),
                 "user on", "= save:user request" } },
    { .name = "a window too full for the question: by rule at once",
      .window = 10000,
      .steps = { "user hi", "call a Bash {}", "usage 9900 10", "end calls", "result 0 x",
                 ("= save:user request usage save:assistant call:0 save:result answered:0 "
                  "save:compaction compacted notice request") } },
    { .name = "a remark of sf's own joins the results and is not missed",
      .steps = { "user hi", "call a Bash {}", "end calls", "remark <turn_meta>x</turn_meta>",
                 "= save:user request save:assistant call:0 save:remark", "cancel", "= stop:0",
                 "fail 0 x", "= save:result answered:0 save:end end:cancelled" } },
    { .name = "inputs out of place change nothing",
      .steps = { "allow 0", "result 0 x", "delta x", "end end", "cancel", "retry", "compact",
                 "error auth", "=", "user hi", "result 3 x", "allow 7", "= save:user request" } },
};

static void run_script(const struct script *s)
{
    struct bench b;

    bench_open(&b, &s->budget, s->window);
    for (size_t i = 0; i < STEPS && s->steps[i]; i++) {
        if (s->steps[i][0] != '=') {
            play(&b, s->steps[i]);
            continue;
        }
        if (strcmp(b.words.buf, s->steps[i] + (s->steps[i][1] ? 2 : 1)) != 0)
            fail_msg("%s, step %zu:\n got: %s\nwant: %s", s->name, i, b.words.buf, s->steps[i] + 1);
        sf_strbuf_reset(&b.words);
    }
    bench_close(&b);
}

static void test_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scripts); i++)
        run_script(&scripts[i]);
}

/* ---- whatever happens ---- */

static void history_text(const struct sf_agent *agent, struct sf_strbuf *out)
{
    const struct sf_history *h = sf_agent_history(agent);
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < h->count; i++)
        sf_message_json(&h->messages[i], &w);
    sf_jw_array_end(&w);
}

/* A conversation with something in it never measures nothing, and asking changes no answer. */
static void check_guess(struct sf_agent *agent)
{
    int64_t tokens = sf_agent_context(agent);

    assert_true(tokens > 0 || !sf_agent_history(agent)->count);
    assert_int_equal(sf_agent_context(agent), tokens);
}

/* The size that a machine tells which was asked once, after all of these events. */
static int64_t size_of_log(const struct bench *b, size_t events)
{
    struct sf_agent_setup setup = { .parallel = is_parallel };
    struct sf_agent *agent = sf_agent_new(&setup);
    struct sf_error err = SF_ERROR_INIT;
    int64_t tokens;

    for (size_t i = 0; i < events; i++)
        assert_true(sf_agent_load(agent, b->kinds.items[i], b->events.items[i],
                                  strlen(b->events.items[i]), &err));
    tokens = sf_agent_context(agent);
    sf_agent_free(agent);
    return tokens;
}

/* The events that were saved, read by a fresh machine, give the same history to the byte. */
static void check_log(struct bench *b, uint64_t seed, size_t events)
{
    struct sf_agent_setup setup = { .parallel = is_parallel };
    struct sf_agent *other = sf_agent_new(&setup);
    struct sf_strbuf mine = SF_STRBUF_INIT, theirs = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < events; i++) {
        if (!sf_agent_load(other, b->kinds.items[i], b->events.items[i], strlen(b->events.items[i]),
                           &err))
            fail_msg("seed %" PRIu64 ", event %zu %s: %s", seed, i, b->kinds.items[i], err.msg);
        check_guess(other);
    }
    assert_int_equal(sf_agent_context(other), size_of_log(b, events));
    if (events == b->events.count) {
        history_text(b->agent, &mine);
        history_text(other, &theirs);
        assert_string_equal(mine.buf, theirs.buf);
        assert_int_equal(sf_agent_context(other), sf_agent_context(b->agent));
    }
    /* and a process that died there can be repaired */
    sf_agent_repair(other, "half an answer", 14, &b->effects);
    sf_effects_reset(&b->effects);
    check_guess(other);
    if (sf_agent_history(other)->count && !sf_history_check(sf_agent_history(other), &err))
        fail_msg("seed %" PRIu64 ", after event %zu: %s", seed, events, err.msg);
    sf_agent_free(other);
    sf_strbuf_release(&mine);
    sf_strbuf_release(&theirs);
}

static uint64_t dice(uint64_t *seed, uint64_t sides)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % sides;
}

static void random_step(struct bench *b, uint64_t *seed)
{
    static const char *const lines[] = {
        "user go",
        "text some words",
        "delta half",
        "call %llu Read {\"n\":%llu}",
        "call %llu Bash {\"n\":%llu}",
        "end end",
        "end calls",
        "end calls",
        "end length",
        "end context",
        "write Bash",
        "usage 200 50",
        "allow %llu",
        "allow 0",
        "asked %llu",
        "result %llu ok",
        "result 0 ok",
        "result 1 ok",
        "fail 0 no",
        "steer listen",
        "cancel",
        "retry",
        "error server",
        "error context",
        "time 10",
        "end end",
        "user again",
        "compact",
    };
    char line[128];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, sizeof(line), lines[dice(seed, SF_COUNT(lines))],
             (unsigned long long)dice(seed, 4), (unsigned long long)dice(seed, 3));
#pragma GCC diagnostic pop
    play(b, line);
    sf_strbuf_reset(&b->words);
}

static size_t count_kind(const struct bench *b, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < b->kinds.count; i++)
        n += !strcmp(b->kinds.items[i], kind);
    return n;
}

/* Ends whatever runs, answering all calls. */
static void wind_down(struct bench *b)
{
    play(b, "cancel");
    for (int i = 0; i < 8; i++) {
        char line[32];

        snprintf(line, sizeof(line), "result %d late", i);
        play(b, line);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 3000; run++) {
        const struct sf_budget budget = { .limit = { [SF_BUDGET_TOKENS] = 20000 } };
        struct sf_error err = SF_ERROR_INIT;
        uint64_t seed = run;
        struct bench b;

        bench_open(&b, run % 3 ? &budget : NULL, run % 2 ? 2000 : 0);
        for (int i = 0; i < 40; i++)
            random_step(&b, &seed);
        wind_down(&b);
        if (sf_agent_phase(b.agent) != SF_PHASE_IDLE)
            fail_msg("seed %" PRIu64 ": it does not come to rest", run);
        if (sf_agent_history(b.agent)->count && !sf_history_check(sf_agent_history(b.agent), &err))
            fail_msg("seed %" PRIu64 ": %s", run, err.msg);
        assert_true(count_kind(&b, SF_LOG_END) <= count_kind(&b, SF_LOG_USER));
        check_log(&b, run, b.events.count);
        check_log(&b, run, dice(&seed, b.events.count + 1));
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
