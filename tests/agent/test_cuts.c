/*
 * An answer with text and a call, cut after every byte of it: the turn never acts on half an
 * answer, keeps what was said, and the next request passes the service's checks. A larger one is
 * cut after each 10th and each 100th. Requests, decoder and turn are the real ones; session/cuts
 * does the same behind a network and a store, where it makes a difference.
 */
#include "support/answer_case.h"
#include "support/cuts.h"
#include "support/test.h"

enum { TURNS = 8 }; /* of one conversation: a long history would make the requests long */

static void check_cut(const struct answer_case *c, const char *name, bool finished)
{
    answer_case_check(c, name);
    if (c->ends != 1 || c->calls != c->results)
        fail_msg("%s: %d ends, %d calls, %d results", name, c->ends, c->calls, c->results);
    if (c->early_call || (!finished && c->calls))
        fail_msg("%s: a call of half an answer was begun", name);
    if (!finished && (c->status != SF_TURN_FAILED || !sf_faults[c->error.fault].temporary))
        fail_msg("%s: it ended as %s, %s: %s", name, sf_turn_status_names[c->status],
                 sf_faults[c->error.fault].name, c->error.message);
    if (c->complaints.count)
        fail_msg("%s: the service says: %s", name, c->complaints.items[0]);
}

static void one_cut(struct answer_case *c, const char *name, bool finished, bool followed)
{
    answer_case_turn(c, "write it");
    check_cut(c, name, finished);
    if (!followed || c->status == SF_TURN_DONE) /* then it was whole, and has had that reply */
        return;
    answer_case_turn(c, "go on");
    if (c->status != SF_TURN_DONE || strcmp(c->text.buf, "fine") != 0)
        fail_msg("%s: the next turn ended as %s: %s", name, sf_turn_status_names[c->status],
                 c->error.message);
    answer_case_check(c, name);
}

static void find_cuts(struct answer_case *c, struct cut_list *list)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, bytes = SF_STRBUF_INIT;

    sf_strbuf_addf(&scenario, "reply\n%s", list->answer->steps);
    answer_case_serve(c, list->format, scenario.buf);
    answer_case_bytes(c, "write it", &bytes);
    cut_list_all(list, bytes.buf, bytes.len);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&bytes);
}

static size_t cut_all(struct answer_case *c, struct cut_list *list)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    size_t count;

    find_cuts(c, list);
    cut_list_scenario(list, &scenario);
    answer_case_serve(c, list->format, scenario.buf);
    for (size_t i = 0; i < list->count; i++) {
        cut_list_name(list, i, &name);
        if (i % TURNS == 0)
            answer_case_begin(c);
        else if (i % TURNS == TURNS / 2)
            answer_case_reopen(c);
        one_cut(c, name.buf, list->cuts[i].at >= list->complete, list->cuts[i].followed);
    }
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
    assert_true(cuts > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cuts, answer_case_setup, answer_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
