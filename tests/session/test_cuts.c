/*
 * An answer with text and a call, cut at every byte at which sf could tell it from the cut before,
 * and at each tenth of the others: a session behind a real connection and a real store never acts on
 * half an answer, keeps what was said, and goes on. That the bytes between are no different,
 * agent/cuts shows; `./dev test --long` cuts there too.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "support/cuts.h"
#include "support/model_client.h"
#include "support/session_case.h"
#include "support/test.h"

enum { TURNS = 8 }; /* of one session: a long history would make the requests long */

static const char *const paths[] = {
    [SF_WIRE_ANTHROPIC] = "/v1/messages",
    [SF_WIRE_CHAT] = "/v1/chat/completions",
    [SF_WIRE_RESPONSES] = "/v1/responses",
};

/* Asks for the whole answer with the request that sf makes, and finds where to cut it. */
static void find_cuts(struct session_case *c, struct cut_list *list)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct model_response response;
    const char *body;
    size_t len;

    sf_strbuf_addf(&scenario, "reply\n    text \"fine\"\nreply\n%s", list->answer->steps);
    session_case_serve(c, list->format, scenario.buf);
    session_case_open(c, NULL);
    session_case_turn(c, "say something");
    body = model_server_body(c->server, 0, &len);
    model_client_ask(model_server_port(c->server), paths[list->format], body, &response);
    (getenv("SF_LONG") ? cut_list_all : cut_list_some)(list, response.body.buf, response.body.len);
    model_response_release(&response);
    sf_strbuf_release(&scenario);
}

static bool written(struct session_case *c)
{
    char *path = test_path(c->workspace.root, "half.txt");
    bool is = access(path, F_OK) == 0;

    if (is)
        assert_int_equal(unlink(path), 0);
    free(path);
    return is;
}

static void check_cut(struct session_case *c, const char *name, bool finished)
{
    bool file = written(c);

    session_case_check_history(c, name);
    if (!finished && (c->event[SF_EVENT_CALL] || file))
        fail_msg("%s: a call of half an answer was begun", name);
    if (!finished && (c->status != SF_TURN_FAILED || !sf_faults[c->error.fault].temporary))
        fail_msg("%s: it ended as %s, %s: %s", name, sf_turn_status_names[c->status],
                 sf_faults[c->error.fault].name, c->error.message);
    if (c->call_out_of_answer || (c->event[SF_EVENT_CALL] > 0) != file)
        fail_msg("%s: %d calls, file %d", name, c->event[SF_EVENT_CALL], file);
}

static void one_cut(struct session_case *c, const char *name, bool finished, bool followed)
{
    session_case_turn(c, "write it");
    check_cut(c, name, finished);
    if (!followed || c->status == SF_TURN_DONE) /* then it was whole, and has had that reply */
        return;
    session_case_turn(c, "go on");
    if (c->status != SF_TURN_DONE || strcmp(c->text.buf, "fine") != 0)
        fail_msg("%s: the next turn ended as %s: %s", name, sf_turn_status_names[c->status],
                 c->error.message);
    session_case_check_history(c, name);
}

static void open_for(struct session_case *c, size_t run, const char *name)
{
    char id[SF_ID_LEN + 1];

    if (run % TURNS == 0) {
        session_case_open(c, NULL);
    } else if (run % TURNS == TURNS / 2) { /* from the log, as after a restart */
        snprintf(id, sizeof(id), "%s", sf_session_id(c->session));
        session_case_open(c, id);
        session_case_check_history(c, name);
    }
}

static size_t cut_all(struct session_case *c, struct cut_list *list)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    size_t count;

    find_cuts(c, list);
    cut_list_scenario(list, &scenario);
    session_case_serve(c, list->format, scenario.buf);
    for (size_t i = 0; i < list->count; i++) {
        cut_list_name(list, i, &name);
        open_for(c, i, name.buf);
        one_cut(c, name.buf, list->cuts[i].at >= list->complete, list->cuts[i].followed);
    }
    session_case_check_server(c, name.buf);
    count = list->count;
    cut_list_release(list);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&name);
    return count;
}

static void test_cuts(void **state)
{
    size_t cuts = 0;

    for (size_t a = 0; a < CUT_ANSWERS; a++)
        for (size_t f = 0; f < CUT_FORMATS; f++) {
            struct cut_list list = { .answer = &cut_answers[a], .format = cut_formats[f] };

            cuts += cut_all(*state, &list);
        }
    print_message("%zu cuts: no call of an unfinished answer, every next turn done\n", cuts);
    assert_true(cuts > 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cuts, session_case_setup, session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
