/*
 * The client's own promises: one end or none, cancelling and freeing at any moment, the next
 * request out of a callback, one connection for many, and providers without a network.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "model/replay.h"
#include "modules/modules.h"
#include "support/client_case.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

/* Two tries that fail, one of them in mid-sentence, then reasoning, text and a call. */
#define EVENTFUL                                                         \
    "reply\n status 429\n"                                               \
    "reply\n text delta=2 \"gone\"\n error overloaded_error \"later\"\n" \
    "reply\n reasoning \"hm\"\n text delta=3 \"hello there\"\n call LS {\"path\":\".\"}\n"

static void act_cancel(struct client_case *c)
{
    sf_client_cancel(c->client);
}

static void act_free(struct client_case *c)
{
    sf_client_free(c->client);
    c->client = NULL;
}

static int count_events(struct client_case *c, enum sf_wire_format format)
{
    client_case_serve(c, EVENTFUL);
    client_case_connect(c, format, NULL);
    c->act_at = 0;
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->retries, 2);
    assert_string_equal(c->blocks.buf, "hello thereLS({\"path\":\".\"})");
    return c->events;
}

/* In every event there is, retries included. */
static void act_in_each_event(struct client_case *c, void (*act)(struct client_case *c))
{
    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        int events = count_events(c, formats[f]);

        for (int at = 1; at <= events; at++) {
            client_case_serve(c, EVENTFUL);
            client_case_connect(c, formats[f], NULL);
            c->act_at = at;
            c->act = act;
            client_case_ask(c);
            while (!c->acted && !c->ends)
                sf_loop_turn(c->loop, -1);
            client_case_settle(c);
            if (c->after || c->events != at)
                fail_msg("%s, event %d of %d: %d came behind it", sf_wire_format_names[formats[f]],
                         at, events, c->after);
        }
    }
}

static void test_cancel_in_each_event(void **state)
{
    act_in_each_event(*state, act_cancel);
}

static void test_free_in_each_event(void **state)
{
    act_in_each_event(*state, act_free);
}

static void test_cancel_between_turns(void **state)
{
    struct client_case *c = *state;

    for (int turns = 0; turns < 30; turns++) {
        int events;

        client_case_serve(c, EVENTFUL);
        client_case_connect(c, formats[turns % 3], NULL);
        client_case_ask(c);
        for (int i = 0; i < turns && !c->ends; i++)
            sf_loop_turn(c->loop, 5);
        sf_client_cancel(c->client);
        sf_client_cancel(c->client);
        events = c->events;
        client_case_settle(c);
        if (c->events != events)
            fail_msg("behind %d turns: %d events more", turns, c->events - events);
    }
}

/* Cancelled in a wait that would take minutes. */
static void test_cancel_in_a_wait(void **state)
{
    struct client_case *c = *state;
    struct sf_client_limits limits = client_case_limits;

    limits.wait_first_ms = limits.wait_max_ms = 300000;
    client_case_serve(c, "reply\n status 503\n");
    client_case_connect(c, SF_WIRE_CHAT, &limits);
    client_case_ask(c);
    while (!c->retries && !c->ends)
        sf_loop_turn(c->loop, -1);
    assert_in_range(c->notice.wait_ms, 150000, 300000);
    sf_client_cancel(c->client);
    client_case_settle(c);
    assert_int_equal(c->ends, 0);
}

static void test_ask_again_after_cancelling(void **state)
{
    struct client_case *c = *state;

    client_case_serve(c, "reply\n text delta=1 \"hello for a long time\"\n stall 900\n"
                         "reply\n text \"hello\"\n");
    client_case_connect(c, SF_WIRE_CHAT, NULL);
    client_case_ask(c);
    while (!c->events && !c->ends)
        sf_loop_turn(c->loop, -1);
    sf_client_cancel(c->client);
    client_case_ask(c);
    client_case_wait(c);
    assert_false(c->failed);
    assert_string_equal(c->blocks.buf, "hello");
}

static int asked_again;

static void act_ask_again(struct client_case *c)
{
    asked_again++;
    c->act_at = 0;
    client_case_ask(c);
}

static void test_ask_from_the_end(void **state)
{
    struct client_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        int events;

        client_case_serve(c, "reply repeat=3\n text \"hello\"\n");
        client_case_connect(c, formats[f], NULL);
        c->act_at = 0;
        client_case_ask(c);
        client_case_wait(c);
        events = c->events;
        asked_again = 0;
        c->act_at = events;
        c->act = act_ask_again;
        client_case_ask(c);
        client_case_wait(c); /* for the end of the one asked from the end */
        assert_int_equal(asked_again, 1);
        assert_int_equal(c->ends, 1);
        assert_string_equal(c->blocks.buf, "hello");
        assert_int_equal(model_server_count(c->server), 3);
    }
}

/* The connection of the last of twenty; the longest that one of them took is put down. */
static size_t ask_twenty_times(struct client_case *c, enum sf_wire_format format, int64_t *longest)
{
    *longest = 0;
    client_case_serve(c, "reply repeat=20\n text delta=1 \"hello\"\n");
    client_case_connect(c, format, NULL);
    for (size_t i = 0; i < 20; i++) {
        int64_t began = sf_clock_monotonic_ms(), took;

        client_case_ask(c);
        client_case_wait(c);
        assert_false(c->failed);
        assert_true(model_server_wait_done(c->server, i + 1, CLIENT_CASE_PATIENCE_MS));
        client_case_settle(c); /* the last bytes may come behind the end */
        took = sf_clock_monotonic_ms() - began;
        *longest = took > *longest ? took : *longest;
    }
    return model_server_connection(c->server, 19);
}

static void test_one_connection(void **state)
{
    struct client_case *c = *state;

    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        int64_t longest = SF_HTTP_LINGER_MS;
        size_t connection = 0;

        /* again where the machine slept so long that a connection was given up */
        for (int i = 0; i < 50 && connection != 1 && longest >= SF_HTTP_LINGER_MS; i++)
            connection = ask_twenty_times(c, formats[f], &longest);
        assert_int_equal(connection, 1);
    }
}

/* Errors leave the connection usable where they came whole. */
static void test_tries_share_the_connection(void **state)
{
    struct client_case *c = *state;

    client_case_serve(c, "reply repeat=2\n status 503\nreply\n text \"hello\"\n");
    client_case_connect(c, SF_WIRE_ANTHROPIC, NULL);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->retries, 2);
    assert_int_equal(model_server_connection(c->server, 2), 1);
}

static void test_same_body_each_try(void **state)
{
    struct client_case *c = *state;
    const char *first;
    size_t len, n;

    client_case_serve(c, "reply repeat=2\n status 500\nreply\n text \"hello\"\n");
    client_case_connect(c, SF_WIRE_RESPONSES, NULL);
    client_case_ask(c);
    client_case_wait(c);
    first = model_server_body(c->server, 0, &len);
    for (size_t i = 1; i < 3; i++) {
        const char *body = model_server_body(c->server, i, &n);

        assert_int_equal(n, len);
        assert_memory_equal(body, first, len);
    }
}

static struct sf_provider without_network(enum sf_provider_kind kind, const char *file)
{
    return (struct sf_provider){ .kind = kind,
                                 .name = sf_strdup("test"),
                                 .replay = file ? sf_replay_new(file) : NULL };
}

static void test_offline(void **state)
{
    struct client_case *c = *state;
    struct sf_provider provider = without_network(SF_PROVIDER_OFFLINE, NULL);

    client_case_connect_to(c, &provider, NULL);
    for (int i = 0; i < 2; i++) {
        client_case_ask(c);
        client_case_wait(c);
        assert_false(c->failed);
        assert_int_equal(c->begins, 1);
        assert_int_equal(c->stop, SF_STOP_END);
        assert_non_null(strcasestr(c->blocks.buf, "no language model"));
        assert_string_equal(c->deltas.buf, c->blocks.buf);
    }
}

static void test_offline_cancelled(void **state)
{
    struct client_case *c = *state;
    struct sf_provider provider = without_network(SF_PROVIDER_OFFLINE, NULL);

    client_case_connect_to(c, &provider, NULL);
    c->act = act_cancel;
    for (c->act_at = 1; c->act_at < 4; c->act_at++) {
        client_case_ask(c);
        while (!c->acted && !c->ends)
            sf_loop_turn(c->loop, -1);
        client_case_settle(c);
        assert_int_equal(c->events, c->act_at);
        assert_int_equal(c->ends, 0);
    }
}

static void test_replay_is_tried_again(void **state)
{
    static const char script[] =
        "# a bad start\n"
        "{\"text\":\"gone\"}\n"
        "{\"error\":{\"fault\":\"rate-limit\",\"message\":\"slow\",\"retry_after_ms\":2}}\n"
        "{\"text\":\"hel\"}\n{\"wait_ms\":1}\n{\"text\":\"lo\"}\n{\"end\":\"end\"}\n"
        "{\"error\":{\"fault\":\"auth\",\"message\":\"wrong key\"}}\n";
    struct client_case *c = *state;
    struct sf_provider provider;
    char *dir = test_dir_new(), *path = test_path(dir, "a.jsonl");

    test_write(path, script, strlen(script));
    provider = without_network(SF_PROVIDER_REPLAY, path);
    client_case_connect_to(c, &provider, NULL);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->retries, 1);
    assert_int_equal(c->notice.wait_ms, 2);
    assert_string_equal(c->blocks.buf, "hello");
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->error.fault, SF_FAULT_AUTH);
    assert_int_equal(c->retries, 0);
    client_case_ask(c);
    client_case_wait(c);
    assert_int_equal(c->error.fault, SF_FAULT_REPLAY);
    assert_non_null(strstr(c->error.message, "holds 3 answers"));
    free(path);
    test_dir_free(dir);
}

#define ON_LINE(fn) cmocka_unit_test_setup_teardown(fn, client_case_setup, client_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LINE(test_cancel_in_each_event),
        ON_LINE(test_free_in_each_event),
        ON_LINE(test_cancel_between_turns),
        ON_LINE(test_cancel_in_a_wait),
        ON_LINE(test_ask_again_after_cancelling),
        ON_LINE(test_ask_from_the_end),
        ON_LINE(test_one_connection),
        ON_LINE(test_tries_share_the_connection),
        ON_LINE(test_same_body_each_try),
        ON_LINE(test_offline),
        ON_LINE(test_offline_cancelled),
        ON_LINE(test_replay_is_tried_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
