/*
 * A thousand broken streams over the three formats: each turn comes to one end, nothing is begun
 * that no finished answer asked for, and the session goes on, also from its log. agent/garbage has
 * ten thousand, without the connection and the store; `./dev test --long` has them all here too.
 */
#include <stdlib.h>

#include "base/base.h"
#include "support/session_case.h"
#include "support/test.h"

enum {
    STREAMS = 1000,
    STREAMS_LONG = 10000,
    STRIP = 10 /* broken streams of one session, before one that is not */
};

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

struct figures {
    size_t streams, turns, done, failed, calls, reopened, rejected;
};

static void check_turn(struct session_case *c, const char *name, struct figures *f)
{
    f->turns++;
    f->done += c->status == SF_TURN_DONE;
    f->failed += c->status == SF_TURN_FAILED;
    f->calls += (size_t)c->event[SF_EVENT_CALL];
    session_case_check_history(c, name);
    if (c->event[SF_EVENT_DONE] != 1)
        fail_msg("%s: it ended %d times", name, c->event[SF_EVENT_DONE]);
    if (c->event[SF_EVENT_CALL] != c->event[SF_EVENT_RESULT])
        fail_msg("%s: %d calls, %d results", name, c->event[SF_EVENT_CALL],
                 c->event[SF_EVENT_RESULT]);
    /* of a turn that failed the last answer is the unfinished one */
    if (c->call_out_of_answer ||
        (c->status == SF_TURN_FAILED && c->called_at == model_server_count(c->server)))
        fail_msg("%s: a call of an unfinished answer was begun", name);
    if (c->status == SF_TURN_FAILED && (!*c->error.message || c->error.fault == SF_FAULT_NONE))
        fail_msg("%s: it failed without a reason", name);
}

static void reopen(struct session_case *c, const char *name, struct figures *f)
{
    char id[SF_ID_LEN + 1];

    snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
    session_case_open(c, id);
    session_case_check_history(c, name);
    f->reopened++;
}

/* The turn that gets the last reply of the strip gets the one that is whole. */
static void one_session(struct session_case *c, const char *name, size_t until, struct figures *f)
{
    session_case_open(c, NULL);
    for (size_t turn = 0; model_server_replies(c->server) < until; turn++) {
        if (turn == STRIP / 2)
            reopen(c, name, f);
        session_case_turn(c, "go");
        check_turn(c, name, f);
    }
    if (c->status != SF_TURN_DONE || !strstr(c->text.buf, "fine"))
        fail_msg("%s: the last turn ended as %s: %s", name, sf_turn_status_names[c->status],
                 c->error.message);
}

/*
 * Reasoning that was damaged on its way is rejected, once: the next request goes without. Nothing
 * else may be wrong with what is sent.
 */
static size_t check_complaints(struct model_server *server, const char *name)
{
    static const char *const seals[] = { "signature", "encrypted content" };
    const char *text;
    size_t i;

    for (i = 0; (text = model_server_complaint(server, i)); i++) {
        bool known = false;

        for (size_t k = 0; k < SF_COUNT(seals); k++)
            known = known || strstr(text, seals[k]);
        if (!known)
            fail_msg("%s: the server says: %s", name, text);
    }
    return i;
}

static void one_format(struct session_case *c, enum sf_wire_format format, size_t count,
                       struct figures *f)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    size_t seed = 1 + 100000 * (size_t)format, strips = (count + STRIP - 1) / STRIP;

    for (size_t i = 0; i < strips; i++)
        sf_strbuf_addf(&scenario, "reply garbage:%zu repeat=%d\nreply\n    text \"fine\"\n",
                       seed + i * STRIP, STRIP);
    session_case_serve(c, format, scenario.buf);
    for (size_t i = 0; i < strips; i++) {
        sf_strbuf_reset(&name);
        sf_strbuf_addf(&name, "%s, seeds from %zu", sf_wire_format_names[format], seed + i * STRIP);
        one_session(c, name.buf, (i + 1) * (STRIP + 1), f);
    }
    f->streams += strips * STRIP;
    f->rejected += check_complaints(c->server, name.buf);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&name);
}

static void test_garbage(void **state)
{
    size_t streams = getenv("SF_LONG") ? STREAMS_LONG : STREAMS;
    struct figures f = { 0 };

    for (size_t i = 0; i < SF_COUNT(formats); i++)
        one_format(*state, formats[i], (streams + 2) / SF_COUNT(formats), &f);
    assert_true(f.streams >= streams);
    print_message("%zu broken streams in %zu turns: all ended (%zu done, %zu failed), %zu calls, "
                  "none of an unfinished answer; %zu sessions reopened, %zu requests rejected for "
                  "damaged reasoning\n",
                  f.streams, f.turns, f.done, f.failed, f.calls, f.reopened, f.rejected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_garbage, session_case_setup, session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
