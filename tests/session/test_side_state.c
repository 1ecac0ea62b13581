/* What comes back with a session beside its conversation: commands in the background. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/session_case.h"
#include "support/test.h"

struct seen {
    int count;
    bool running;
    int64_t age_ms;
    char status[128];
};

static void see(void *ctx, const struct sf_job_view *job)
{
    struct seen *s = ctx;

    s->count++;
    s->running = job->running;
    s->age_ms = job->age_ms;
    snprintf(s->status, sizeof(s->status), "%s", job->status);
}

static struct seen look(struct session_case *c)
{
    struct seen s = { 0 };

    sf_session_each_job(c->session, see, &s);
    return s;
}

static void begin_job(struct session_case *c, const char *command)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;

    sf_strlist_add(&c->tools, "Bash");
    sf_strbuf_addf(&scenario,
                   "reply\n    call Bash {\"command\":\"%s\",\"run_in_background\":true}\n"
                   "reply\n    text \"it runs\"\n",
                   command);
    session_case_serve(c, SF_WIRE_CHAT, scenario.buf);
    sf_strbuf_release(&scenario);
    session_case_open(c, NULL);
    session_case_turn(c, "begin");
}

static void wait_for_end(struct session_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (look(c).running && sf_clock_monotonic_ms() < deadline)
        sf_loop_turn(c->loop, 1000);
    assert_false(look(c).running);
}

static int64_t count_events(struct session_case *c)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t last = 0;

    assert_true(sf_store_event_last(c->store, sf_session_id(c->session), &last, &err));
    return last;
}

static void open_again(struct session_case *c)
{
    char id[SF_ID_LEN + 1];

    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
}

/* It ended after the turn: nothing of the model's was written any more. */
static void test_job_that_ended(void **state)
{
    struct session_case *c = *state;
    struct seen before, after;
    int64_t events;

    begin_job(c, "read line; exit 3");
    wait_for_end(c);
    before = look(c);
    assert_string_equal(before.status, "exit code 3");
    events = count_events(c); /* it is in the log already: a kill loses nothing */
    open_again(c);
    assert_int_equal(count_events(c), events);
    after = look(c);
    assert_int_equal(after.count, 1);
    assert_string_equal(after.status, before.status);
    assert_int_equal(after.age_ms, before.age_ms);
    open_again(c);
    assert_int_equal(count_events(c), events);
    assert_string_equal(look(c).status, before.status);
}

static void test_job_that_ran(void **state)
{
    struct session_case *c = *state;

    begin_job(c, "sleep 600");
    assert_true(look(c).running);
    open_again(c);
    assert_int_equal(look(c).count, 1);
    assert_false(look(c).running);
    assert_string_equal(look(c).status, "ended with sf");
    assert_true(look(c).age_ms >= 0);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, session_case_setup, session_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_job_that_ended),
        CASE(test_job_that_ran),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
