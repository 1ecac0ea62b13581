/*
 * Lists of the terminal that are made from what is: models, what runs and waits, what happened, and
 * the page of the state.
 */
#include "support/store_case.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 40, COLS = 130 };

#define ESC  "\033[27u"
#define DOWN "\033[B"

static char *state_dir(struct tui_case *c)
{
    struct outcome o = sandbox_run(c->sandbox, "store path");
    char *slash = strrchr(o.out, '/'), *dir;

    assert_non_null(slash);
    dir = sf_strndup(o.out, (size_t)(slash - o.out));
    outcome_release(&o);
    return dir;
}

static bool sees(struct tui_case *c, const char *text)
{
    char *all = vt_text(c->vt);
    bool there = strstr(all, text) != NULL;

    free(all);
    return there;
}

/* ---- models ---- */

static void test_models(void **state)
{
    struct tui_case *c = *state;

    sandbox_setenv(c->sandbox, "ANTHROPIC_API_KEY", "not-a-key");
    sandbox_setenv(c->sandbox, "GROQ_API_KEY", "not-a-key");
    tui_case_open(c, "--provider anthropic", ROWS, COLS);
    tui_case_say(c, "/model");
    vt_wait_text(c->vt, "▸ ● claude-sonnet-4-6");
    vt_wait_text(c->vt, "200k   $3.00  $15.00  smart");
    vt_wait_text(c->vt, "routed by what is asked");
    vt_wait_text(c->vt, "sf --provider groq");
    assert_false(sees(c, "sf --provider openai")); /* it has no key here */
    assert_false(sees(c, "not-a-key"));
    vt_type(c->vt, "groq");
    vt_wait_quiet(c->vt);
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "a session stays with its provider: sf --provider groq begins there");
    tui_case_say(c, "/model claude-haiku-4-5");
    vt_wait_text(c->vt, "claude-haiku-4-5 answers from the next turn on");
    tui_case_say(c, "/model");
    vt_wait_text(c->vt, "▸ ● claude-haiku-4-5");
}

/* A model the catalog does not know is listed all the same, without a price. */
static void test_unknown_model(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    text \"Hello.\"\n");
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/model");
    vt_wait_text(c->vt, "▸ ● test-model");
}

/* ---- axes ---- */

static void test_axes(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "--mode review", ROWS, COLS);
    tui_case_say(c, "/mode");
    vt_wait_text(c->vt, "Work mode: what kind of work is sf doing?");
    vt_wait_text(c->vt, "▸ review    now  read and judge; writes nothing");
    vt_wait_text(c->vt, "writes nothing; its scope is review");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "Work mode");
    tui_case_say(c, "/scope");
    vt_wait_text(c->vt, "docs       refused  "); /* review holds none that writes */
    vt_wait_text(c->vt, "▸ review     now      nothing");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "refused");
    tui_case_say(c, "/permission-profile");
    vt_wait_text(c->vt, "asks before read outside the workspace");
}

/* During a turn the list says when a choice holds. */
static void test_axes_in_a_turn(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, "reply\n    stall headers\n");
    tui_case_open(c, "wait", ROWS, COLS);
    vt_wait_text(c->vt, "working 0:");
    vt_type(c->vt, "/control\r");
    vt_wait_text(c->vt, "in force when the running step ends");
}

/* ---- tasks ---- */

static const char works[] =
    "reply\n"
    "    call Bash {\"command\": \"sleep 600\", \"run_in_background\": true}\n"
    "reply\n"
    "    text \"It sleeps.\"\n"
    "reply\n"
    "    stall headers\n";

static void test_tasks(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, works);
    tui_case_open(c, "--mode build --permission-profile trusted --control assisted sleep", ROWS,
                  COLS);
    vt_wait_text(c->vt, "It sleeps.");
    vt_wait_no_text(c->vt, "Esc cancels");
    tui_case_say(c, "and now wait");
    vt_type(c->vt, "then this\t");
    vt_wait_text(c->vt, "1 queued");
    tui_case_say(c, "/tasks");
    vt_wait_text(c->vt, "Tasks   2 running   1 waiting   0 done   budget");
    vt_wait_text(c->vt, "this session's turn");
    vt_wait_text(c->vt, "shell  sleep 600");
    vt_wait_text(c->vt, "then this");
    vt_type(c->vt, DOWN "x"); /* the command */
    vt_wait_text(c->vt, "Tasks   1 running   1 waiting   1 done");
    vt_type(c->vt, DOWN "x"); /* the draft */
    vt_wait_text(c->vt, "Tasks   1 running   0 waiting   1 done");
    vt_wait_no_text(c->vt, "then this");
    vt_type(c->vt, "\033[Hx"); /* the turn */
    vt_wait_text(c->vt, "Tasks   0 running   0 waiting   1 done");
}

static void test_stored_tasks(void **state)
{
    struct tui_case *c = *state;
    char *dir;

    sandbox_expect(c->sandbox, "log", 0, NULL, NULL); /* makes the store */
    dir = state_dir(c);
    test_sql_exec(
        dir, "insert into tasks (id,work_mode,run_control,permission_profile,model_mode,status,"
             "cost_spent,created_at,started_at,completed_at) values "
             "('m1/s1/t1','build','autonomous','normal','smart','done',0.88,"
             "'2026-01-01T00:00:00Z','2026-01-01T00:00:00Z','2026-01-01T00:26:10Z'),"
             "('m1/s2/t1 \x1b]0;x\x07','repair','autonomous','normal','smart','blocked',12.5,"
             "'2026-01-01T00:00:00Z',null,null)");
    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/tasks");
    vt_wait_text(c->vt, "Tasks   0 running   0 waiting   1 need you   1 done");
    vt_wait_text(c->vt, "26:10   $0.88");
    vt_wait_text(c->vt, " $12.50"); /* to the right */
    vt_type(c->vt, "x");
    vt_wait_text(c->vt, "it belongs to the project's work");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "need you");
    assert_string_not_equal(vt_modes(c->vt)->title, "x");
    free(dir);
}

static void test_nothing_runs(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "", ROWS, COLS);
    tui_case_say(c, "/tasks");
    vt_wait_text(c->vt, "nothing yet");
    tui_case_say(c, ""); /* Enter on nothing does nothing */
    vt_wait_text(c->vt, "Tasks   0 running");
}

/* A workspace with settings of its own is asked about first. */
static void leave_untrusted(struct tui_case *c)
{
    vt_wait_text(c->vt, "waiting for you");
    vt_type(c->vt, "n");
    vt_wait_no_text(c->vt, "waiting for you");
}

/* ---- what happened ---- */

static void test_logs(void **state)
{
    struct tui_case *c = *state;

    test_write(c->sandbox->project, "nosuch = 1\n", 11);
    tui_case_open(c, "'find TODO in .'", ROWS, COLS);
    leave_untrusted(c);
    vt_wait_text(c->vt, "no matches");
    vt_wait_no_text(c->vt, "Esc cancels");
    tui_case_say(c, "/logs");
    vt_wait_text(c->vt, "Log, info and worse");
    vt_wait_text(c->vt, "unknown key 'nosuch'");
    vt_wait_text(c->vt, "the turn is over: done");
    vt_type(c->vt, "\t\t\t");
    vt_wait_text(c->vt, "Log, warn and worse");
    vt_wait_no_text(c->vt, "the turn is over: done");
    vt_wait_text(c->vt, "unknown key 'nosuch'");
    vt_type(c->vt, "zzzz");
    vt_wait_text(c->vt, "nothing fits");
    vt_type(c->vt, "\025nosuch");
    vt_wait_text(c->vt, "unknown key 'nosuch'");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "warn  sf");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "warn  sf");
    tui_case_say(c, "/logs info");
    vt_wait_text(c->vt, "Log, info and worse");
    vt_type(c->vt, "turn is over");
    vt_wait_no_text(c->vt, "unknown key 'nosuch'");
    vt_type(c->vt, "\r");
    vt_wait_text(c->vt, "\"status\": \"done\"");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "\"status\"");
    tui_case_say(c, "/logs nonsense");
    vt_wait_text(c->vt, "levels are error, warn, info and debug");
    tui_case_say(c, "/logs error");
    vt_wait_text(c->vt, "Log, error");
    vt_wait_no_text(c->vt, "unknown key");
}

/* ---- in numbers ---- */

static void test_report(void **state)
{
    struct tui_case *c = *state;

    tui_case_open(c, "'find TODO in .'", ROWS, COLS);
    vt_wait_text(c->vt, "no matches");
    vt_wait_no_text(c->vt, "Esc cancels");
    tui_case_say(c, "/session-report");
    vt_wait_text(c->vt, "What came of this session");
    vt_wait_text(c->vt, "turns: 1, of which 1 done");
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "What came of this session");
    tui_case_say(c, "/session-report --save");
    vt_wait_text(c->vt, "written to");
    tui_case_say(c, "/session-report --save");
    vt_wait_text(c->vt, "is there already");
    tui_case_say(c, "/session-report --jsonx");
    vt_wait_text(c->vt, "/session-report [--json] [--save]");
}

/* ---- the state ---- */

static void test_status(void **state)
{
    struct tui_case *c = *state;

    test_write(c->sandbox->config, "[snapshots]\nenabled = false\n[limits]\nmax_turns = 7\n", 50);
    test_write(c->sandbox->project, "guard.allow = [\"x\"]\n", 20);
    tui_case_open(c, "", ROWS, COLS);
    leave_untrusted(c);
    tui_case_say(c, "/status");
    vt_wait_text(c->vt, "this workspace is not trusted");
    vt_wait_text(c->vt, "snapshots.enabled is false");
    vt_wait_text(c->vt, "0 of 7  100%  limits.max_turns");
    vt_wait_text(c->vt, "'guard.allow' is ignored");
    vt_wait_text(c->vt, "cage");
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_models),       AT_TERMINAL(test_unknown_model),
        AT_TERMINAL(test_axes),         AT_TERMINAL(test_axes_in_a_turn),
        AT_TERMINAL(test_tasks),        AT_TERMINAL(test_stored_tasks),
        AT_TERMINAL(test_nothing_runs), AT_TERMINAL(test_logs),
        AT_TERMINAL(test_report),       AT_TERMINAL(test_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
