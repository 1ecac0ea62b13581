/*
 * Trust in the workspace, asked at the terminal: where there is something to trust, once, with
 * nothing given by accident; again when the files changed; and the answers are kept.
 */
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 26, COLS = 90 };

#define ESC "\033[27u"

static void put_policy(struct tui_case *c, const char *work_mode)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "[defaults]\nwork_mode = \"%s\"\n", work_mode);
    test_write(c->sandbox->project, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void open_asked(struct tui_case *c, const char *words)
{
    tui_case_open(c, words, ROWS, COLS);
    vt_wait_text(c->vt, "trust work?");
    vt_wait_text(c->vt, "waiting for you");
}

static void open_unasked(struct tui_case *c)
{
    char *text;

    tui_case_open(c, "", ROWS, COLS);
    vt_wait_text(c->vt, "Welcome to work.");
    tui_case_say(c, "/copy"); /* whatever it asks would have come before this */
    vt_wait_text(c->vt, "no answer to copy");
    text = vt_text(c->vt);
    if (strstr(text, "trust work?"))
        fail_msg("it asked:\n%s", text);
    free(text);
}

static void answer(struct tui_case *c, const char *key, const char *then)
{
    vt_type(c->vt, key);
    vt_wait_text(c->vt, then);
    vt_wait_no_text(c->vt, "trust work?");
}

static void test_nothing_to_trust(void **state)
{
    struct tui_case *c = *state;

    open_unasked(c);
    vt_wait_text(c->vt, "This workspace is not trusted");
}

/* Esc, n and Enter give nothing; the next start asks again. */
static void test_not_now(void **state)
{
    struct tui_case *c = *state;
    static const char *const keys[] = { ESC, "\rn" };

    put_policy(c, "build");
    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        open_asked(c, "");
        vt_wait_text(c->vt, ".sf/config.toml");
        answer(c, keys[i], "may only make settings stricter");
        vt_wait_text(c->vt, "chat | manual | normal | smart");
        tui_case_quit(c);
        sandbox_expect(c->sandbox, "trust", 0, "not trusted", NULL);
    }
}

/* The settings of the project hold at once, and no empty session is left behind. */
static void test_given(void **state)
{
    struct tui_case *c = *state;
    char *rows;

    put_policy(c, "build");
    open_asked(c, "");
    answer(c, "y", "this workspace is trusted");
    vt_wait_text(c->vt, "build | manual | normal | smart");
    rows = tui_case_sql(c, "select count(*) from sessions where id <> 'project'"
                           " and deleted_at is null");
    assert_string_equal(rows, "1\n");
    free(rows);
    tui_case_quit(c);
    sandbox_expect(c->sandbox, "trust", 0, ": trusted", NULL);
    sandbox_expect(c->sandbox, "log --kind trust --json", 0, "\"action\":\"add\"", NULL);
    open_unasked(c);
    vt_wait_text(c->vt, "build | manual | normal | smart");
    tui_case_say(c, "/trust list");
    vt_wait_text(c->vt, "trust it no more");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "chat | manual | normal | smart");
    tui_case_quit(c);
    sandbox_expect(c->sandbox, "trust", 0, "not trusted", NULL);
}

static void test_changed(void **state)
{
    struct tui_case *c = *state;

    put_policy(c, "build");
    sandbox_expect(c->sandbox, "trust add", 0, ": trusted", NULL);
    put_policy(c, "repair");
    sandbox_expect(c->sandbox, "trust", 0, "changed .sf/config.toml", NULL);
    open_asked(c, "");
    vt_wait_text(c->vt, "Do you still trust work?");
    vt_wait_text(c->vt, "changed .sf/config.toml");
    vt_wait_text(c->vt, "chat | manual"); /* and is not trusted meanwhile */
    answer(c, "y", "this workspace is trusted");
    vt_wait_text(c->vt, "repair | manual");
}

/* What changes under the question is not trusted by its answer. */
static void test_changed_meanwhile(void **state)
{
    struct tui_case *c = *state;

    put_policy(c, "build");
    open_asked(c, "");
    put_policy(c, "repair");
    answer(c, "y", "changed while you were asked");
    vt_wait_text(c->vt, "chat | manual");
    sandbox_expect(c->sandbox, "trust", 0, "not trusted", NULL);
}

static void test_never(void **state)
{
    struct tui_case *c = *state;

    put_policy(c, "build");
    open_asked(c, "");
    answer(c, "x", "not asked about again");
    tui_case_quit(c);
    put_policy(c, "repair");
    open_unasked(c);
    sandbox_expect(c->sandbox, "trust", 0, "You are not asked about it", NULL);
    tui_case_say(c, "/trust list");
    vt_wait_text(c->vt, "You wanted not to be asked.");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "waiting for you");
    answer(c, "y", "this workspace is trusted");
    vt_wait_text(c->vt, "repair | manual");
}

static void expect_fence(struct tui_case *c, const char *trust)
{
    char *rows = tui_case_sql(c, "select trust from mode_state where session_id <> 'project'");

    assert_string_equal(rows, trust);
    free(rows);
}

/* The fence is lifted by the word alone, asked about where the workspace is not trusted. */
static void test_fence(void **state)
{
    struct tui_case *c = *state;

    open_unasked(c);
    tui_case_say(c, "/trust");
    vt_wait_text(c->vt, "asked about instead of refused: write outside");
    vt_wait_text(c->vt, "waiting for you");
    expect_fence(c, "0\n");
    vt_type(c->vt, "n");
    vt_wait_no_text(c->vt, "waiting for you");
    expect_fence(c, "0\n");
    tui_case_say(c, "/trust off");
    vt_wait_text(c->vt, "the fence around the workspace stands");
    tui_case_say(c, "/trust");
    vt_wait_text(c->vt, "waiting for you");
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "trust off → on");
    expect_fence(c, "1\n");
    tui_case_say(c, "/trust");
    vt_wait_text(c->vt, "the fence is lifted already");
    tui_case_say(c, "/trust off");
    vt_wait_text(c->vt, "trust on → off");
    expect_fence(c, "0\n");
    sandbox_expect(c->sandbox, "trust", 0, "not trusted",
                   NULL); /* the workspace is another matter */
}

/* Words of the command line wait for the answer, and are said in the session that follows it. */
static void test_first_words_wait(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    text \"Hello to you.\"\n");
    put_policy(c, "build");
    open_asked(c, "'say hello now'");
    assert_int_equal(model_server_count(c->server), 0);
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "Hello to you.");
    vt_wait_text(c->vt, "build | manual");
}

/* A session that is gone on with stays as it is. */
static void test_resumed(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    text \"Hello to you.\"\n");
    tui_case_open(c, "'say hello now'", ROWS, COLS);
    vt_wait_text(c->vt, "Hello to you.");
    tui_case_quit(c);
    put_policy(c, "build");
    open_asked(c, "-c");
    answer(c, "y", "from the next session on");
    vt_wait_text(c->vt, "say hello now");
    vt_wait_text(c->vt, "chat | manual");
    tui_case_say(c, "/new");
    vt_wait_text(c->vt, "build | manual");
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_nothing_to_trust),
        AT_TERMINAL(test_not_now),
        AT_TERMINAL(test_given),
        AT_TERMINAL(test_changed),
        AT_TERMINAL(test_changed_meanwhile),
        AT_TERMINAL(test_never),
        AT_TERMINAL(test_first_words_wait),
        AT_TERMINAL(test_resumed),
        AT_TERMINAL(test_fence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
