/*
 * An answer with text and a call, cut after every byte of it: a session never acts on half an
 * answer, keeps what was said, and goes on. A larger one is cut after each 10th and each 100th.
 */
#include <inttypes.h>
#include <unistd.h>

#include "base/base.h"
#include "support/model_client.h"
#include "support/session_case.h"
#include "support/test.h"

enum { TURNS = 8 }; /* of one session: a long history would make the requests long */

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

static const struct size {
    const char *name, *steps;
    size_t every;
} sizes[] = {
    { "every byte",
      "    text \"ü🌍\"\n    call Write {\"file_path\":\"half.txt\",\"content\":\"1\"}\n", 1 },
    { "every 10th byte",
      "    reasoning delta=20 \"I should look at it from all sides before I begin.\"\n"
      "    text delta=7 \"Grüße, 世界: I will write the file now. ✓\"\n"
      "    call Write delta=16 {\"file_path\":\"half.txt\",\"content\":\"whole\"}\n"
      "    call Read {\"file_path\":\"half.txt\"}\n",
      10 },
    { "every 100th byte",
      "    text delta=40 \"Grüße ${fill:2k} ✓\"\n"
      "    call Write delta=200 {\"file_path\":\"half.txt\",\"content\":\"${fill:8k}\"}\n",
      100 },
};

/* The first byte behind the words by which the service says that the answer is complete. */
static const char *const complete_words[] = {
    [SF_WIRE_ANTHROPIC] = "\"stop_reason\":\"tool_use\"",
    [SF_WIRE_CHAT] = "\"finish_reason\":\"tool_calls\"",
    [SF_WIRE_RESPONSES] = "\"type\":\"response.completed\"",
};

static const char *const paths[] = {
    [SF_WIRE_ANTHROPIC] = "/v1/messages",
    [SF_WIRE_CHAT] = "/v1/chat/completions",
    [SF_WIRE_RESPONSES] = "/v1/responses",
};

/* The whole answer to the request that sf makes, as it goes over the wire. */
static void measure(struct talk_case *c, enum sf_wire_format format, const char *steps,
                    size_t *total, size_t *complete)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct model_response response;
    const char *at, *body;
    size_t len;

    sf_strbuf_addf(&scenario, "reply\n    text \"fine\"\nreply\n%s", steps);
    talk_case_serve(c, format, scenario.buf);
    talk_case_open(c, NULL);
    talk_case_turn(c, "say something");
    body = model_server_body(c->server, 0, &len);
    model_client_ask(model_server_port(c->server), paths[format], body, &response);
    at = memmem(response.body.buf, response.body.len, complete_words[format],
                strlen(complete_words[format]));
    if (!at)
        fail_msg("no end in %.2000s", response.body.buf);
    *total = response.body.len;
    *complete = (size_t)(at - response.body.buf) + strlen(complete_words[format]);
    model_response_release(&response);
    sf_strbuf_release(&scenario);
}

static bool written(struct talk_case *c)
{
    char *path = test_path(c->workspace.root, "half.txt");
    bool is = access(path, F_OK) == 0;

    if (is)
        assert_int_equal(unlink(path), 0);
    free(path);
    return is;
}

static void check_cut(struct talk_case *c, const char *name, bool finished)
{
    bool file = written(c);

    talk_case_check_history(c, name);
    if (!finished && (c->event[SF_EVENT_CALL] || file))
        fail_msg("%s: a call of half an answer was begun", name);
    if (!finished && (c->status != SF_TURN_FAILED || !sf_faults[c->error.fault].temporary))
        fail_msg("%s: it ended as %s, %s: %s", name, sf_turn_status_names[c->status],
                 sf_faults[c->error.fault].name, c->error.message);
    if (c->call_out_of_answer || (c->event[SF_EVENT_CALL] > 0) != file)
        fail_msg("%s: %d calls, file %d", name, c->event[SF_EVENT_CALL], file);
}

/*
 * Behind a cut comes the next one, whose request has to pass the server's checks with what is left
 * of this one; behind each 4th, and wherever the answer may be whole, a reply that is.
 */
static bool is_followed(size_t run, size_t at, size_t complete)
{
    return at >= complete || run % 4 == 3;
}

static void one_cut(struct talk_case *c, const char *name, bool finished, bool followed)
{
    talk_case_turn(c, "write it");
    check_cut(c, name, finished);
    if (!followed || c->status == SF_TURN_DONE) /* then it was whole, and has had that reply */
        return;
    talk_case_turn(c, "go on");
    if (c->status != SF_TURN_DONE || strcmp(c->text.buf, "fine") != 0)
        fail_msg("%s: the next turn ended as %s: %s", name, sf_turn_status_names[c->status],
                 c->error.message);
    talk_case_check_history(c, name);
}

/* What comes behind the end of the answer is long in some formats and says little. */
static size_t step_at(size_t at, size_t complete, size_t every)
{
    return at > complete + 4 && every < 25 ? 25 : every;
}

static size_t cut_all(struct talk_case *c, enum sf_wire_format format, const struct size *size)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];
    size_t total, complete, runs = 0;

    measure(c, format, size->steps, &total, &complete);
    for (size_t at = 0; at <= total; at += step_at(at, complete, size->every), runs++) {
        sf_strbuf_addf(&scenario, "reply\n%s    cut %zu how=%s\n", size->steps, at,
                       runs % 2 ? "rst" : "close");
        if (is_followed(runs, at, complete))
            sf_strbuf_adds(&scenario, "reply\n    text \"fine\"\n");
    }
    talk_case_serve(c, format, scenario.buf);
    runs = 0;
    for (size_t at = 0; at <= total; at += step_at(at, complete, size->every), runs++) {
        sf_strbuf_reset(&name);
        sf_strbuf_addf(&name, "%s, %s, byte %zu of %zu (complete at %zu)",
                       sf_wire_format_names[format], size->name, at, total, complete);
        if (runs % TURNS == 0) {
            talk_case_open(c, NULL);
        } else if (runs % TURNS == TURNS / 2) { /* from the log, as after a restart */
            snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
            talk_case_open(c, id);
            talk_case_check_history(c, name.buf);
        }
        one_cut(c, name.buf, at >= complete, is_followed(runs, at, complete));
    }
    talk_case_check_server(c, name.buf);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&name);
    return runs;
}

static void test_cuts(void **state)
{
    int64_t began = sf_clock_monotonic_ms();
    size_t runs = 0;

    for (size_t s = 0; s < SF_COUNT(sizes); s++)
        for (size_t f = 0; f < SF_COUNT(formats); f++)
            runs += cut_all(*state, formats[f], &sizes[s]);
    print_message("%zu cuts: no call of an unfinished answer, every next turn done, %.1f s\n", runs,
                  (double)(sf_clock_monotonic_ms() - began) / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cuts, talk_case_setup, talk_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
