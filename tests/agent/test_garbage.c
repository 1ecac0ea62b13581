/*
 * Ten thousand broken streams over the three formats: each turn comes to one end, nothing is begun
 * that no finished answer asked for, and the conversation goes on, also from its log. Requests,
 * decoder and turn are the real ones; session/garbage adds the connection and the store.
 */
#include "support/answer_case.h"
#include "support/test.h"

enum {
    STREAMS = 10000,
    STRIP = 10 /* broken streams of one conversation, before one that is not */
};

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

struct figures {
    size_t turns, done, failed, calls;
};

static void check_turn(const struct answer_case *c, const char *name, struct figures *f)
{
    f->turns++;
    f->done += c->status == SF_TURN_DONE;
    f->failed += c->status == SF_TURN_FAILED;
    f->calls += (size_t)c->calls;
    answer_case_check(c, name);
    if (c->ends != 1 || c->calls > c->results) /* what is refused at once was never begun */
        fail_msg("%s: %d ends, %d calls, %d results", name, c->ends, c->calls, c->results);
    if (c->early_call)
        fail_msg("%s: a call of an unfinished answer was begun", name);
    if (c->status == SF_TURN_FAILED && (!*c->error.message || c->error.fault == SF_FAULT_NONE))
        fail_msg("%s: it failed without a reason", name);
}

/* The turn that gets the last reply of the strip gets the one that is whole. */
static void one_conversation(struct answer_case *c, const char *name, size_t until,
                             struct figures *f)
{
    answer_case_begin(c);
    for (size_t turn = 0; c->replies < until; turn++) {
        if (turn == STRIP / 2)
            answer_case_reopen(c);
        answer_case_turn(c, "go");
        check_turn(c, name, f);
    }
    if (c->status != SF_TURN_DONE || !strstr(c->text.buf, "fine"))
        fail_msg("%s: the last turn ended as %s: %s", name, sf_turn_status_names[c->status],
                 c->error.message);
}

/* Reasoning that was damaged on its way is rejected, once; nothing else may be wrong. */
static void check_complaints(const struct answer_case *c, const char *name)
{
    for (size_t i = 0; i < c->complaints.count; i++)
        if (!strstr(c->complaints.items[i], "signature") &&
            !strstr(c->complaints.items[i], "encrypted content"))
            fail_msg("%s: the service says: %s", name, c->complaints.items[i]);
}

static void one_format(struct answer_case *c, enum sf_wire_format format, struct figures *f)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    size_t seed = 1 + 100000 * (size_t)format, strips = STREAMS / SF_COUNT(formats) / STRIP + 1;

    for (size_t i = 0; i < strips; i++)
        sf_strbuf_addf(&scenario, "reply garbage:%zu repeat=%d\nreply\n    text \"fine\"\n",
                       seed + i * STRIP, STRIP);
    answer_case_serve(c, format, scenario.buf);
    for (size_t i = 0; i < strips; i++) {
        sf_strbuf_reset(&name);
        sf_strbuf_addf(&name, "%s, seeds from %zu", sf_wire_format_names[format], seed + i * STRIP);
        one_conversation(c, name.buf, (i + 1) * (STRIP + 1), f);
    }
    check_complaints(c, name.buf);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&name);
}

static void test_garbage(void **state)
{
    struct figures f = { 0 };

    for (size_t i = 0; i < SF_COUNT(formats); i++)
        one_format(*state, formats[i], &f);
    print_message("%zu turns: all ended (%zu done, %zu failed), %zu calls, none of an unfinished "
                  "answer\n",
                  f.turns, f.done, f.failed, f.calls);
    assert_true(f.done > 1000 && f.failed > 1000 && f.calls > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_garbage, answer_case_setup, answer_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
