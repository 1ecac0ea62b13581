/*
 * A dialogue at the port: lines of a program are fed while a scripted model answers, stalls or
 * never answers. What becomes of each line is noted in order; commands that may not wait, questions
 * of sf's own, and turns that are stopped in the middle of an answer.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "port/dialogue.h"
#include "support/port_case.h"
#include "support/test.h"

#define PROMPT(words)  "{\"type\":\"prompt\",\"text\":\"" words "\"}\n"
#define COMMAND(words) "{\"type\":\"command\",\"text\":\"" words "\"}\n"
#define NOW(words)     "{\"type\":\"command\",\"text\":\"" words "\",\"now\":true}\n"
#define CONFIRM(yes)   "{\"type\":\"confirm\",\"yes\":" yes "}\n"
#define CANCEL         "{\"type\":\"cancel\"}\n"
#define END            "{\"type\":\"end\"}\n"

struct talk {
    struct port_case *c;
    struct sf_dialogue *d;
    struct sf_strbuf told; /* "LINE KIND STATUS", a line each */
    size_t passed_on;      /* responses that the dialogue was given */
    enum sf_turn_status ended[4];
    size_t ended_count; /* turns */
};

static void on_input(void *ctx, const struct sf_event_input *in)
{
    struct talk *t = ctx;

    sf_strbuf_addf(&t->told, "%" PRId64 " %s %s\n", in->line, in->kind ? in->kind : "-",
                   sf_input_status_names[in->status]);
}

static void on_event(void *ctx, const struct sf_event *event)
{
    struct talk *t = ctx;

    if (event->kind == SF_EVENT_DONE && t->ended_count < SF_COUNT(t->ended))
        t->ended[t->ended_count++] = event->done.status;
    sf_dialogue_event(t->d, event);
}

static void begin(struct talk *t, struct port_case *c, const char *script)
{
    struct sf_dialogue_setup setup = { .answers = true, .input = on_input, .ctx = t };

    *t = (struct talk){ .c = c, .told = SF_STRBUF_INIT };
    c->stays = true;
    c->parts->attended = true;
    session_case_serve(c->parts, SF_WIRE_CHAT, script);
    port_case_open(c, NULL);
    setup.port = c->port;
    t->d = sf_dialogue_new(&setup);
    c->parts->watch = on_event;
    c->parts->watch_ctx = t;
}

static void finish(struct talk *t)
{
    t->c->parts->watch = NULL;
    sf_dialogue_free(t->d);
    sf_strbuf_release(&t->told);
}

static void feed(struct talk *t, const char *lines)
{
    sf_dialogue_feed(t->d, lines, strlen(lines));
}

/* One turn of the loop, as a surface makes it. */
static void go_on(struct talk *t)
{
    sf_loop_turn(t->c->parts->loop, 1000);
    while (t->passed_on < t->c->count)
        sf_dialogue_response(t->d, &t->c->said[t->passed_on++]);
    sf_dialogue_advance(t->d);
}

static void wait_for_idle(struct talk *t)
{
    while (!sf_port_is_idle(t->c->port))
        go_on(t);
}

static void wait_for_question(struct talk *t)
{
    while (!t->c->count || t->c->said[t->c->count - 1].kind != SF_RESPONSE_QUESTION)
        go_on(t);
}

static void expect_told(struct talk *t, const char *told)
{
    assert_string_equal(t->told.buf, told);
}

/* ---- commands ---- */

static void test_now(void **state)
{
    struct port_case *c = *state;
    struct talk t;

    begin(&t, c, "reply\n    stall headers\n");
    feed(&t, PROMPT("wait") COMMAND("/rename later") NOW("/tasks"));
    assert_int_equal(c->count, 1);
    assert_string_equal(port_case_said(c, SF_RESPONSE_TABLE)->title,
                        "Tasks   1 running   0 waiting   0 done");
    feed(&t, NOW("/compact"));
    port_case_expect(c, SF_RESPONSE_ERROR, "a turn is running");
    feed(&t, NOW("tasks"));
    feed(&t, CANCEL);
    wait_for_idle(&t);
    port_case_expect(c, SF_RESPONSE_NOTE, "the session is called later");
    expect_told(&t, "1 prompt taken\n2 command queued\n3 command taken\n4 command taken\n"
                    "5 command refused\n6 cancel taken\n2 command taken\n");
    assert_true(sf_dialogue_refused(t.d));
    finish(&t);
}

/* ---- questions of sf's own ---- */

static const char writes[] = "reply\n    call Write {\"file_path\":\"new.txt\",\"content\":\"x\"}\n"
                             "reply repeat=2\n    text \"Written.\"\n";

static bool is_there(struct talk *t)
{
    char *path = test_path(t->c->parts->workspace.root, "new.txt");
    bool is = access(path, F_OK) == 0;

    free(path);
    return is;
}

static void drop_file(struct talk *t)
{
    char *path = test_path(t->c->parts->workspace.root, "new.txt");

    unlink(path);
    free(path);
}

static const struct {
    const char *name;
    const char *lines; /* after the question came */
    const char *told;  /* of them */
    bool stays;        /* the file */
} answers[] = {
    { "yes", CONFIRM("true"), "3 confirm taken\n", false },
    { "no", CONFIRM("false"), "3 confirm taken\n", true },
    { "one question, one answer", CONFIRM("false") CONFIRM("true"),
      "3 confirm taken\n4 confirm refused\n", true },
    { "nobody answers", END, "3 end taken\n", true },
    { "a prompt is no answer", PROMPT("yes") CONFIRM("false"),
      "3 prompt queued\n4 confirm taken\n3 prompt taken\n", true },
};

static void test_confirm(void **state)
{
    struct port_case *c = *state;

    sf_strlist_add(&c->parts->tools, "Write");
    session_case_settings(c->parts, "[snapshots]\nenabled = true\n");
    c->parts->reply = SF_REPLY_ONCE;
    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        struct talk t;

        print_message("%s\n", answers[i].name);
        begin(&t, c, writes);
        feed(&t, PROMPT("write") COMMAND("/undo"));
        wait_for_question(&t);
        assert_true(is_there(&t));
        sf_strbuf_reset(&t.told);
        feed(&t, answers[i].lines);
        expect_told(&t, answers[i].told);
        wait_for_idle(&t);
        assert_int_equal(is_there(&t), answers[i].stays);
        finish(&t);
        drop_file(&t);
    }
}

/* ---- turns that are stopped ---- */

/* The next turn's request holds what was said before it, though no answer came to its end. */
static void test_stopped(void **state)
{
    struct port_case *c = *state;
    const char *body;
    struct talk t;
    size_t len;

    begin(&t, c,
          "reply\n    text \"half of an answer that is long enough to be in many pieces, of \"\n"
          "    text \"which only the first ones come\"\n    stall 600\n"
          "reply\n    text \"Whole.\"\n");
    feed(&t, PROMPT("the first") PROMPT("the second"));
    while (!c->events[SF_EVENT_TEXT])
        go_on(&t);
    feed(&t, CANCEL END);
    while (!sf_dialogue_is_over(t.d))
        go_on(&t);
    expect_told(&t,
                "1 prompt taken\n2 prompt queued\n3 cancel taken\n2 prompt taken\n4 end taken\n");
    assert_int_equal(t.ended_count, 2);
    assert_int_equal(t.ended[0], SF_TURN_CANCELLED);
    assert_int_equal(t.ended[1], SF_TURN_DONE);
    assert_int_equal(model_server_count(c->parts->server), 2);
    body = model_server_body(c->parts->server, 1, &len);
    assert_non_null(strstr(body, "the first"));
    assert_true(strstr(body, "the second") > strstr(body, "the first"));
    session_case_check_server(c->parts, "a turn that was stopped");
    finish(&t);
}

/* From outside: what waits is dropped, and nothing is begun any more. */
static void test_dropped(void **state)
{
    struct port_case *c = *state;
    struct talk t;

    begin(&t, c, "reply\n    stall headers\n");
    feed(&t, PROMPT("wait") PROMPT("then this") COMMAND("/cost"));
    sf_dialogue_stop(t.d);
    sf_port_cancel(c->port);
    wait_for_idle(&t);
    feed(&t, PROMPT("too late"));
    expect_told(&t, "1 prompt taken\n2 prompt queued\n3 command queued\n2 prompt dropped\n"
                    "3 command dropped\n");
    assert_true(sf_dialogue_is_over(t.d));
    finish(&t);
}

#define AT_PORT(fn) cmocka_unit_test_setup_teardown(fn, port_case_setup, port_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PORT(test_now),
        AT_PORT(test_confirm),
        AT_PORT(test_stopped),
        AT_PORT(test_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
