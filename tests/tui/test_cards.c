/*
 * Cards that lead to another work mode: a plan that is accepted, and a write in chat that is
 * allowed together with all that follow.
 */
#include <sys/stat.h>

#include "support/pty_case.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 30, COLS = 110 };

#define ESC "\033[27u"
#define END "\033[F"

static const char plan[] =
    "reply\n"
    "    call Plan {\"submit\": \"# Ranges\\n\\n1. fix parse_range\\n2. cover it\"}\n"
    "reply\n"
    "    text \"Building it.\"\n";

#define FIVE "1. fix it\\n1. fix it\\n1. fix it\\n1. fix it\\n1. fix it\\n"

/* More lines than a card has room for. */
static const char long_plan[] =
    "reply\n"
    "    call Plan {\"submit\": \"1. fix parse_range\\n" FIVE FIVE FIVE "1. the end\"}\n"
    "reply\n"
    "    text \"Building it.\"\n";

static const char steps[] =
    "reply\n"
    "    call Plan {\"items\": [{\"content\": \"read it\", \"status\": \"completed\"},"
    " {\"content\": \"mend it\", \"status\": \"pending\"}]}\n"
    "reply\n"
    "    text \"Noted.\"\n";

static const char write_twice[] =
    "reply\n"
    "    call Write {\"file_path\": \"a.txt\", \"content\": \"one\\n\"}\n"
    "reply\n"
    "    call Write {\"file_path\": \"b.txt\", \"content\": \"two\\n\"}\n"
    "reply\n"
    "    text \"Both are there.\"\n";

/* What the log says of it, without the digest. */
static void expect_log(struct tui_case *c, const char *sql, const char *want)
{
    char *got = tui_case_sql(c, sql);

    if (strcmp(got, want) != 0)
        fail_msg("%s: %s", sql, got);
    free(got);
}

static void open_plan_at(struct tui_case *c, const char *scenario, int rows, int cols)
{
    tui_case_serve(c, scenario);
    tui_case_open(c, "--mode plan 'plan it'", rows, cols);
    vt_wait_text(c->vt, "sf has a plan");
    vt_wait_text(c->vt, "fix parse_range");
    vt_wait_text(c->vt, "waiting for you"); /* it listens */
}

static void open_plan(struct tui_case *c, const char *scenario)
{
    open_plan_at(c, scenario, ROWS, COLS);
}

static void test_accept(void **state)
{
    struct tui_case *c = *state;

    open_plan(c, plan);
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "Building it.");
    vt_wait_text(c->vt, "build | assisted | normal | smart");
    vt_wait_no_text(c->vt, "sf has a plan");
    tui_case_quit(c);
    expect_log(c,
               "select json_extract(data,'$.profile'), json_extract(data,'$.autonomous') "
               "from events where kind='plan_accepted'",
               "normal\t0\n");
    expect_log(c,
               "select count(*) from events a join events b on json_extract(a.data,'$.digest')="
               "json_extract(b.data,'$.digest') where a.kind='plan_submitted' and "
               "b.kind='plan_accepted' and a.seq<b.seq",
               "1\n");
}

static void test_accept_autonomous(void **state)
{
    struct tui_case *c = *state;

    open_plan(c, plan);
    vt_wait_text(c->vt, "then   build | assisted | normal | smart");
    vt_type(c->vt, "p");
    vt_wait_text(c->vt, "then   build | autonomous | trusted | smart");
    vt_type(c->vt, "p");
    vt_wait_text(c->vt, "then   build | autonomous | unrestricted | smart");
    vt_type(c->vt, "p");
    vt_wait_text(c->vt, "then   build | autonomous | restricted | smart");
    vt_type(c->vt, "a");
    vt_wait_text(c->vt, "build | autonomous | restricted | smart");
    vt_wait_text(c->vt, "Building it.");
}

/* However long the plan is, the profile it will be built under is in sight, and so is a change. */
static void test_profile_in_sight(void **state)
{
    struct tui_case *c = *state;

    open_plan_at(c, long_plan, 24, 80);
    vt_wait_text(c->vt, "below");
    vt_wait_no_text(c->vt, "the end");
    vt_wait_text(c->vt, "y then   build | assisted | normal | smart");
    vt_type(c->vt, "p");
    vt_wait_text(c->vt, "y then   build | assisted | trusted | smart");
    vt_wait_text(c->vt, "a then   build | autonomous | trusted | smart");
    vt_type(c->vt, END);
    vt_wait_text(c->vt, "the end");
    vt_wait_text(c->vt, "a then   build | autonomous | trusted | smart");
}

/* The preset plan has a profile that builds nothing: which one does is asked in sight, too. */
static void test_choice_in_sight(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, long_plan);
    tui_case_open(c, "--mode plan --permission-profile restricted 'plan it'", 24, 80);
    vt_wait_text(c->vt, "waiting for you");
    vt_wait_text(c->vt, "which profile builds it? normal");
    vt_wait_text(c->vt, "a then   build | autonomous | normal | smart");
}

/* Where there is no room for what follows each key, the profile alone is named. */
static void test_profile_on_small_screens(void **state)
{
    static const struct {
        int rows, cols;
        const char *first, *second;
    } sizes[] = { { 10, 40, "profile  normal", "profile  trusted" },
                  { 12, 40, "profile  trusted", "profile  unrestricted" },
                  { 6, 20, "under unrestricted", "under restricted" } };
    struct tui_case *c = *state;

    open_plan_at(c, long_plan, 24, 80);
    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        vt_resize(c->vt, sizes[i].rows, sizes[i].cols);
        vt_wait_text(c->vt, sizes[i].first);
        vt_wait_text(c->vt, "1. fix");
        vt_type(c->vt, "p");
        vt_wait_text(c->vt, sizes[i].second);
    }
}

static void test_reject_with_words(void **state)
{
    struct tui_case *c = *state;

    open_plan(c, "reply\n"
                 "    call Plan {\"submit\": \"1. fix parse_range\"}\n"
                 "reply\n"
                 "    expect-tool-result Plan contains \"did not accept the plan: too short\"\n"
                 "    text \"I will think again.\"\n");
    vt_type(c->vt, "d");
    vt_wait_quiet(c->vt);
    tui_case_say(c, "too short");
    vt_wait_text(c->vt, "I will think again.");
    vt_wait_text(c->vt, "plan | manual | normal | smart");
    agent_sandbox_check(c->server, "a rejected plan");
    tui_case_quit(c);
    expect_log(c, "select count(*) from events where kind='plan_accepted'", "0\n");
    expect_log(c, "select json_extract(data,'$.words') from events where kind='plan_rejected'",
               "too short\n");
}

/* The editor adds a step: the card shows it, and it is what is accepted. */
static void test_edit(void **state)
{
    struct tui_case *c = *state;
    char *editor = test_path(c->sandbox->dir, "editor");

    test_write(editor, "#!/bin/sh\necho '3. and tell it' >>\"$1\"\n", 39);
    assert_int_equal(chmod(editor, 0755), 0);
    sandbox_setenv(c->sandbox, "EDITOR", editor);
    open_plan(c, "reply\n"
                 "    call Plan {\"submit\": \"1. fix parse_range\\n2. cover it\"}\n"
                 "reply\n"
                 "    expect-tool-result Plan contains \"3. and tell it\"\n"
                 "    text \"Building it.\"\n");
    vt_type(c->vt, "e");
    vt_wait_text(c->vt, "and tell it");
    vt_type(c->vt, "y");
    vt_wait_text(c->vt, "Building it.");
    agent_sandbox_check(c->server, "an edited plan");
    tui_case_quit(c);
    expect_log(c, "select json_extract(data,'$.edited') from events where kind='plan_accepted'",
               "1\n");
    free(editor);
}

static void test_escape_stops(void **state)
{
    struct tui_case *c = *state;

    open_plan(c, plan);
    vt_type(c->vt, ESC);
    vt_wait_no_text(c->vt, "sf has a plan");
    vt_wait_text(c->vt, "plan | manual | normal | smart");
    tui_case_quit(c);
    expect_log(c, "select count(*) from events where kind='plan_accepted'", "0\n");
}

static void test_steps_are_shown(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, steps);
    tui_case_open(c, "'what are the steps'", ROWS, COLS);
    vt_wait_text(c->vt, "☑ read it");
    vt_wait_text(c->vt, "☐ mend it");
}

static void test_chat_to_build(void **state)
{
    struct tui_case *c = *state;
    char *text;

    tui_case_serve(c, write_twice);
    tui_case_open(c, "--control assisted 'write two'", ROWS, COLS);
    vt_wait_text(c->vt, "allow and switch to build");
    vt_wait_text(c->vt, "waiting for you");
    vt_type(c->vt, "b");
    vt_wait_text(c->vt, "Both are there.");
    vt_wait_text(c->vt, "build | assisted | normal | smart");
    text = agent_sandbox_text(c->sandbox, "b.txt");
    assert_string_equal(text, "two\n");
    free(text);
}

/* In build there is nothing to switch to, and the key does nothing. */
static void test_build_does_not_offer(void **state)
{
    struct tui_case *c = *state;

    tui_case_serve(c, write_twice);
    tui_case_open(c, "--mode build --control manual 'write two'", ROWS, COLS);
    vt_wait_text(c->vt, "waiting for you");
    vt_wait_no_text(c->vt, "switch to build");
    vt_type(c->vt, "b");
    vt_wait_quiet(c->vt);
    vt_wait_text(c->vt, "waiting for you");
}

int main(void)
{
#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, tui_case_setup, tui_case_teardown)
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_accept),
        AT_TERMINAL(test_accept_autonomous),
        AT_TERMINAL(test_profile_in_sight),
        AT_TERMINAL(test_choice_in_sight),
        AT_TERMINAL(test_profile_on_small_screens),
        AT_TERMINAL(test_reject_with_words),
        AT_TERMINAL(test_edit),
        AT_TERMINAL(test_escape_stops),
        AT_TERMINAL(test_steps_are_shown),
        AT_TERMINAL(test_chat_to_build),
        AT_TERMINAL(test_build_does_not_offer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
