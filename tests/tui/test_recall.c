/*
 * A long session at the terminal: its end is there at once, and the rest can be had by every way there
 * is: page by page, in one jump, by looking for words, in the list of prompts, by searching.
 */
#include <string.h>
#include <unistd.h>

#include "support/long_session.h"
#include "support/pty_case.h"
#include "support/store_case.h"
#include "support/test.h"

enum { EVENTS = 640, TURNS = EVENTS / 8, PAGES = 40 };

#define CTRL_HOME "\033[1;5H"
#define CTRL_END  "\033[1;5F"
#define PAGE_UP   "\033[5~"
#define CTRL_F    "\006"

static int setup(void **state)
{
    struct long_session how = { .events = EVENTS };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    struct sf_store *store;
    struct outcome o;
    struct pty_case *s;
    bool ok;

    pty_case_setup(state);
    s = *state;
    o = sandbox_run(s->sandbox, "store path");
    assert_non_null(strrchr(o.out, '/'));
    *strrchr(o.out, '/') = '\0';
    how.project = s->sandbox->workspace;
    store = test_store_open(o.out, SF_STORE_WRITE);
    ok = long_session_write(store, &how, id, &err);
    sf_store_close(store);
    outcome_release(&o);
    return ok ? 0 : -1;
}

static void begin(struct pty_case *s, const char *words)
{
    char last[32];

    snprintf(last, sizeof(last), "prompt number %d:", TURNS);
    pty_case_begin(s, words);
    vt_wait_text(s->vt, last);
    assert_false(pty_case_sees(s, "prompt number 1:"));
}

static void test_jump(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"Yes.\"\n");
    begin(s, "-c");
    assert_true(pty_case_sees(s, "$0.296")); /* 80 turns of three requests of $0.001234 */
    pty_case_type(s, CTRL_HOME, "prompt number 1:");
    vt_wait_no_text(s->vt, "earlier");
    pty_case_type(s, CTRL_END, "prompt number 80:");
    pty_case_type(s, CTRL_HOME, "prompt number 1:");
    assert_int_equal(pty_case_leave(s), 0);
}

static void test_page_by_page(void **state)
{
    struct pty_case *s = *state;

    begin(s, "-c");
    for (int i = 0; i < PAGES && !pty_case_sees(s, "prompt number 1:"); i++) {
        for (int k = 0; k < TURNS / 10; k++)
            vt_type(s->vt, PAGE_UP);
        vt_wait_quiet(s->vt);
    }
    vt_wait_text(s->vt, "prompt number 1:");
    vt_wait_no_text(s->vt, "earlier");
}

static void test_find(void **state)
{
    struct pty_case *s = *state;

    begin(s, "-c");
    pty_case_type(s, CTRL_F "number 1: ", "1 of 1");
    vt_wait_text(s->vt, "prompt number 1:");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "1 of 1");
    pty_case_type(s, CTRL_F "part of", "nothing found");
    pty_case_type(s, "\025prompt number ", "80 of 80"); /* the newest of them first */
}

static void test_list_of_prompts(void **state)
{
    struct pty_case *s = *state;

    begin(s, "-c");
    pty_case_type(s, "/backtrack\r", "What you said");
    pty_case_type(s, "number 77:", "look at part 77 of");
    pty_case_type(s, "\r", "What goes back?");
    pty_case_type(s, "\r", "a fork");
    vt_wait_text(s->vt, "prompt number 76:");
    assert_false(pty_case_sees(s, "prompt number 78:"));
    pty_case_type(s, CTRL_HOME, "prompt number 1:");
}

static void test_search(void **state)
{
    struct pty_case *s = *state;

    sandbox_expect(s->sandbox, "sessions search 'part 1 of the parser'", 0,
                   "prompt number 1:", NULL);
}

/* Printed is the end alone; the rest is for who looks back. */
static void test_printed(void **state)
{
    struct pty_case *s = *state;

    s->rows = 40;
    begin(s, "--inline -c");
    pty_case_type(s, CTRL_HOME, "prompt number 1:");
    pty_case_type(s, CTRL_END, "prompt number 80:");
}

#define LONG(fn) cmocka_unit_test_setup_teardown(fn, setup, pty_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LONG(test_jump),   LONG(test_page_by_page), LONG(test_find), LONG(test_list_of_prompts),
        LONG(test_search), LONG(test_printed),
    };

    test_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
