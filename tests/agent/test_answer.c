/*
 * What is taken into the history of what a model sends: whatever its size, the log takes it.
 */
#include "agent/agent.h"
#include "base/base.h"
#include "support/test.h"

enum { EVENT_MAX = 8 << 20, BLOCKS = 4 };

struct block {
    enum sf_block_kind kind;
    size_t len;
    char fill;
};

static const struct {
    const char *name;
    struct block blocks[BLOCKS];
    size_t calls; /* that are to be run */
    size_t blocks_kept;
} cases[] = {
    { "a call of 3 MiB", { { SF_BLOCK_CALL, 3 << 20, 'x' } }, 1, 1 },
    { "a call of 5 MiB", { { SF_BLOCK_CALL, 5 << 20, 'x' } }, 0, 1 },
    { "calls of 3 MiB: the third does not fit",
      { { SF_BLOCK_CALL, 3 << 20, 'x' },
        { SF_BLOCK_CALL, 3 << 20, 'y' },
        { SF_BLOCK_CALL, 3 << 20, 'z' },
        { SF_BLOCK_CALL, 1 << 10, 'w' } },
      3,
      4 },
    { "2 MiB of controls, which are six bytes each", { { SF_BLOCK_CALL, 2 << 20, 1 } }, 0, 1 },
    { "8 MiB of text", { { SF_BLOCK_TEXT, 8 << 20, 'x' }, { SF_BLOCK_CALL, 10, 'x' } }, 1, 2 },
    { "8 MiB of quotes", { { SF_BLOCK_TEXT, 8 << 20, '"' }, { SF_BLOCK_CALL, 10, 'x' } }, 1, 2 },
    { "8 MiB of reasoning is left out",
      { { SF_BLOCK_REASONING, 8 << 20, 'x' }, { SF_BLOCK_CALL, 10, 'x' } },
      1,
      1 },
};

static void feed_block(struct sf_agent *a, struct sf_effects *fx, const struct block *given,
                       size_t number)
{
    struct sf_block block = { .kind = given->kind, .len = given->len };
    struct sf_stream_event event = { .kind = SF_STREAM_BLOCK, .block = &block };
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = &event };
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_fill(&text, given->fill, given->len);
    block.text = sf_strbuf_detach(&text);
    if (given->kind == SF_BLOCK_CALL) {
        sf_strbuf_init(&text);
        sf_strbuf_addf(&text, "id%zu", number);
        block.id = sf_strbuf_detach(&text);
        block.name = sf_strdup("Read");
    }
    sf_agent_step(a, &in, fx);
    sf_block_release(&block);
}

static void begin(struct sf_agent *a, struct sf_effects *fx)
{
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_input in = { .kind = SF_IN_USER, .message = &m };

    sf_message_add_text(&m, "hi", 2);
    sf_agent_step(a, &in, fx);
}

static bool parallel(void *ctx, const char *tool)
{
    (void)ctx;
    (void)tool;
    return true;
}

static void check(size_t i, const struct sf_agent *a, const struct sf_effects *fx)
{
    const struct sf_history *h = sf_agent_history(a);
    const struct sf_message *answer = NULL;
    size_t calls = 0;

    for (size_t k = 0; k < fx->count; k++) {
        calls += fx->items[k].kind == SF_DO_CALL;
        if (fx->items[k].json.len > EVENT_MAX)
            fail_msg("%s: an event of %zu bytes", cases[i].name, fx->items[k].json.len);
    }
    for (size_t k = 0; k < h->count; k++)
        if (h->messages[k].role == SF_ROLE_ASSISTANT)
            answer = &h->messages[k];
    if (!answer || answer->count != cases[i].blocks_kept || calls != cases[i].calls)
        fail_msg("%s: %zu blocks, %zu calls", cases[i].name, answer ? answer->count : 0, calls);
}

static void test_sizes(void **state)
{
    const struct sf_agent_setup setup = { .parallel = parallel };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_agent *a = sf_agent_new(&setup);
        struct sf_effects fx = { 0 };
        struct sf_stream_event end = { .kind = SF_STREAM_END, .stop = SF_STOP_CALLS };
        struct sf_input in = { .kind = SF_IN_STREAM, .stream = &end };

        begin(a, &fx);
        for (size_t k = 0; k < BLOCKS && cases[i].blocks[k].len; k++)
            feed_block(a, &fx, &cases[i].blocks[k], k);
        sf_agent_step(a, &in, &fx);
        check(i, a, &fx);
        sf_effects_release(&fx);
        sf_agent_free(a);
    }
}

/* What is left of an answer that broke off, live and from the log. */
static void test_partial(void **state)
{
    const struct sf_agent_setup setup = { .parallel = parallel };
    struct sf_agent *a = sf_agent_new(&setup);
    struct sf_effects fx = { 0 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_stream_event event = { .kind = SF_STREAM_TEXT };
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = &event };
    struct sf_input stop = { .kind = SF_IN_CANCEL };
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    sf_strbuf_adds(&text, "a");
    while (text.len < EVENT_MAX)
        sf_strbuf_adds(&text, "\xe2\x80\xae"); /* escaped in the log, and of three bytes */
    event.text = text.buf;
    event.len = text.len;
    begin(a, &fx);
    sf_agent_step(a, &in, &fx);
    sf_agent_step(a, &stop, &fx);
    for (size_t k = 0; k < fx.count; k++)
        assert_true(fx.items[k].json.len <= EVENT_MAX);
    assert_true(sf_history_check(sf_agent_history(a), &err));
    assert_true(sf_utf8_valid(sf_agent_history(a)->messages[1].blocks[0].text,
                              sf_agent_history(a)->messages[1].blocks[0].len, NULL));
    sf_strbuf_release(&text);
    sf_effects_release(&fx);
    sf_agent_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_partial),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
