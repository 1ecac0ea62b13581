/*
 * test_model_link.c: how much a model holds. The setting of a provider is stronger than the data
 * file, and everything that asks for the window gets it.
 */
#include <stdlib.h>
#include <string.h>

#include "support/session_case.h"
#include "support/test.h"

static const struct {
    const char *name, *settings;
    int known; /* by the data file; 0: it does not know the model */
    int64_t window;
} windows[] = {
    { "nothing is known", "", 0, 32768 },
    { "the data file", "", 20000, 20000 },
    { "the setting alone", "[models.scripted]\nwindow = 9000\n", 0, 9000 },
    { "the setting is stronger", "[models.scripted]\nwindow = 9000\n", 20000, 9000 },
    { "another provider's says nothing", "[models.other]\nwindow = 9000\n", 20000, 20000 },
};

static void test_window(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(windows); i++) {
        void *made = NULL;
        struct session_case *c;
        int64_t used, window;

        assert_int_equal(session_case_setup(&made), 0);
        c = made;
        session_case_settings(c, windows[i].settings);
        if (windows[i].known)
            session_case_window(c, windows[i].known, 4000);
        session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
        session_case_open(c, NULL);
        session_case_turn(c, "go");
        sf_session_context(c->session, &used, &window);
        if (window != windows[i].window)
            fail_msg("%s: %lld", windows[i].name, (long long)window);
        session_case_teardown(&made);
    }
}

/* Words that fit by the data file do not fit the server that was set up smaller. */
static void test_words_that_do_not_fit(void **state)
{
    struct session_case *c = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    session_case_settings(c, "[models.scripted]\nwindow = 8000\n");
    session_case_window(c, 200000, 8000);
    for (int i = 0; i < 12000; i++)
        sf_strbuf_adds(&words, "word ");
    session_case_serve(c, SF_WIRE_CHAT, "reply\n    text \"one\"\n");
    session_case_open(c, NULL);
    assert_false(sf_session_send(c->session, words.buf, words.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_non_null(strstr(err.hint, "models.NAME.window"));
    sf_strbuf_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),
        cmocka_unit_test_setup_teardown(test_words_that_do_not_fit, session_case_setup,
                                        session_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
