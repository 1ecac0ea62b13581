/*
 * Commands in the background: how they get there, what is told of them, and that nothing of
 * them outlives its end or the toolbox.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/child.h"
#include "support/shellcase.h"
#include "support/test.h"
#include "tools/jobs.h"

#define BACKGROUND ", \"run_in_background\": true"
#define LONG_MS    600000

static void expect_part(const char *got, const char *want)
{
    if (!strstr(got, want))
        fail_msg("got:  %s\nwant: … %s …", got, want);
}

static void start_job(struct shellcase *c, const char *command, int id)
{
    char words[64];

    snprintf(words, sizeof(words), "[started in the background as job %d;", id);
    expect_part(shell_wait(c, shell_begin(c, command, BACKGROUND)), words);
}

static void test_background(void **state)
{
    struct shellcase *c = *state;

    shell_fifo(c, "go");
    start_job(c, "echo one; read x <go; echo two; exit 3", 1);
    assert_int_equal(shell_code(c), -1);
    expect_part(shell_run(c, "echo meanwhile"), "meanwhile\n");
    shell_release(c, "go");
    expect_part(shell_job(c, "BashOutput", 1, LONG_MS), "one\ntwo\n[job 1, echo one; read x <go;");
    expect_part(c->calls->call->result.text.buf, ": exit code 3]\n");
    assert_int_equal(shell_code(c), 3);
    assert_false(c->calls->call->result.is_error);
    expect_part(shell_job(c, "BashOutput", 1, LONG_MS), "(nothing new)\n[job 1");
}

/* Looks until the job has said `word` and no `old` one; it must still be running. */
static void look_until(struct shellcase *c, int id, const char *word, const char *old)
{
    const char *text;

    do {
        text = shell_job(c, "BashOutput", id, 1);
        expect_part(text, "running for ");
        assert_false(old && strstr(text, old));
    } while (!strstr(text, word));
}

/* Each look shows what came since the one before. */
static void test_news_only(void **state)
{
    struct shellcase *c = *state;

    /* two pipes: a reader that opens one again could meet the end of the earlier writer */
    shell_fifo(c, "go");
    shell_fifo(c, "on");
    start_job(c, "echo one; read x <go; echo two; read x <on", 1);
    look_until(c, 1, "one\n", NULL);
    assert_int_equal(shell_code(c), -1);
    shell_release(c, "go");
    look_until(c, 1, "two\n", "one\n");
    shell_release(c, "on");
    expect_part(shell_job(c, "BashOutput", 1, LONG_MS), "(nothing new)\n");
}

static int count(const char *text, const char *part)
{
    int found = 0;

    while ((text = strstr(text, part))) {
        found++;
        text++;
    }
    return found;
}

/* Whether a line came before the deadline or after it, it is told once. */
static void test_deadline_moves_it(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *call;
    const char *text;

    shell_fifo(c, "go");
    call = shell_begin(c, "mkdir sub; cd sub; echo before; read x <../go; echo after; exit 4",
                       ", \"timeout\": 300, \"description\": \"late\"");
    expect_part(shell_wait(c, call), "[still running: moved to the background as job 1;");
    assert_false(call->call->result.is_error);
    assert_int_equal(call->call->result.exit_code, -1);
    shell_release(c, "go");
    text = shell_job(c, "BashOutput", 1, LONG_MS);
    expect_part(text, "after\n[job 1, late: exit code 4]\n");
    assert_int_equal(count(call->call->result.text.buf, "before") + count(text, "before"), 1);
    assert_int_equal(count(call->live.buf, "after"), 0);
    /* its directory is its own */
    assert_string_equal(sf_toolbox_cwd(c->box), "");
}

/* What runs to its end has its exit code, however long it takes. */
static void test_endless(void **state)
{
    struct shellcase *c = *state;

    c->endless = true;
    expect_part(shell_wait(c, shell_begin(c, "sleep 0.3; echo over; exit 4", ", \"timeout\": 1")),
                "over\n[exit code 4]");
    assert_int_equal(shell_code(c), 4);
}

static void test_description_names_it(void **state)
{
    struct shellcase *c = *state;

    shell_wait(c,
               shell_begin(c, "true", BACKGROUND ", \"description\": \"the\\u001b[31m server\""));
    expect_part(shell_job(c, "BashOutput", 1, LONG_MS), "[job 1, the␛[31m server: exit code 0]");
}

static void test_kill(void **state)
{
    struct shellcase *c = *state;
    struct sf_strbuf command = SF_STRBUF_INIT;

    sf_strbuf_addf(&command,
                   "(setsid sh -c 'trap \"\" TERM; sleep 1000.%s & wait' &); sleep 1000.%s & "
                   "echo ready; wait",
                   c->marker, c->marker);
    start_job(c, command.buf, 1);
    look_until(c, 1, "ready\n", NULL);
    expect_part(shell_job(c, "BashKill", 1, 0), "cancelled]\n");
    assert_int_equal(child_count_marked(c->marker), 0);
    expect_part(shell_job(c, "BashKill", 1, 0), "[it had ended before]\n");
    expect_part(shell_job(c, "BashOutput", 1, 0), "(nothing new)\n");
    assert_false(child_any_waiting());
    sf_strbuf_release(&command);
}

static void test_killed_while_somebody_waits(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *one, *two, *kill;

    shell_fifo(c, "go");
    start_job(c, "read x <go", 1);
    one = shell_start(c, "BashOutput", "{\"id\": 1, \"wait_ms\": 600000}");
    two = shell_start(c, "BashOutput", "{\"id\": 1, \"wait_ms\": 600000}");
    kill = shell_start(c, "BashKill", "{\"id\": 1}");
    expect_part(shell_wait(c, kill), "cancelled]");
    expect_part(shell_wait(c, one), "cancelled]");
    expect_part(shell_wait(c, two), "cancelled]");
}

static void test_waiting_can_be_cancelled(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *wait;

    shell_fifo(c, "go");
    start_job(c, "read x <go; echo end", 1);
    wait = shell_start(c, "BashOutput", "{\"id\": 1, \"wait_ms\": 600000}");
    sf_toolbox_cancel(c->box, wait->call);
    expect_part(shell_wait(c, wait), "running for ");
    shell_release(c, "go");
    expect_part(shell_job(c, "BashOutput", 1, LONG_MS), "end\n[job 1");
}

static void test_unknown_numbers(void **state)
{
    struct shellcase *c = *state;

    expect_part(shell_job(c, "BashOutput", 7, 0), "there is no job 7; none was started");
    assert_true(c->calls->call->result.is_error);
    start_job(c, "exit 2", 1);
    shell_job(c, "BashOutput", 1, LONG_MS);
    shell_fifo(c, "go");
    start_job(c, "read x <go", 2);
    expect_part(shell_job(c, "BashKill", 3, 0),
                "there is no job 3; there are 1 (exit code 2), 2 (running for ");
    expect_part(shell_wait(c, shell_start(c, "BashOutput", "{\"id\": \"x\"}")), "id");
    assert_null(c->calls->call);
    expect_part(shell_job(c, "BashKill", 2, 0), "cancelled]");
}

static void test_so_many_and_no_more(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *call;

    shell_fifo(c, "go");
    for (int i = 1; i <= SF_JOBS_MAX; i++)
        start_job(c, "read x <go", i);
    call = shell_begin(c, "echo no", BACKGROUND);
    expect_part(shell_wait(c, call), "16 jobs run in the background already: 1 (running");
    expect_part(call->call->result.text.buf, "end one with BashKill");
    assert_true(call->call->result.is_error);
    /* at its deadline there is nowhere to go */
    call = shell_begin(c, "echo yes; read x <go", ", \"timeout\": 300");
    expect_part(shell_wait(c, call), "[timed out and ended, as 16 jobs run");
    assert_true(call->call->result.is_error);
    expect_part(shell_job(c, "BashKill", 5, 0), "cancelled]");
    start_job(c, "read x <go", SF_JOBS_MAX + 1);
}

static void test_ended_ones_are_forgotten_in_time(void **state)
{
    struct shellcase *c = *state;

    shell_fifo(c, "go");
    start_job(c, "read x <go", 1);
    for (int i = 2; i <= SF_JOBS_KEPT + 3; i++) {
        start_job(c, "true", i);
        shell_job(c, "BashOutput", i, LONG_MS);
    }
    expect_part(shell_job(c, "BashOutput", 4, 0), "there is no job 4; there are 1 (running");
    expect_part(shell_job(c, "BashOutput", 5, 0), "exit code 0]");
    expect_part(shell_job(c, "BashKill", 1, 0), "cancelled]");
}

/* Daemons that forked twice, in sessions of their own, deaf to SIGTERM. */
static void test_nothing_outlives_the_toolbox(void **state)
{
    struct shellcase *c = *state;
    struct sf_strbuf command = SF_STRBUF_INIT;

    sf_strbuf_addf(&command,
                   "(setsid sh -c '(trap \"\" TERM HUP; echo ready; exec sleep 1000.%s) &' &); "
                   "sleep 1000.%s",
                   c->marker, c->marker);
    for (int i = 1; i <= 3; i++) {
        start_job(c, command.buf, i);
        look_until(c, i, "ready\n", NULL);
    }
    assert_true(child_count_marked(c->marker) > 0);
    shell_reopen(c, NULL);
    assert_int_equal(child_count_marked(c->marker), 0);
    assert_false(child_any_waiting());
    sf_strbuf_release(&command);
}

static void test_no_descriptors_are_lost(void **state)
{
    struct shellcase *c = *state;
    int before;

    shell_run(c, "true");
    before = child_count_fds();
    for (int i = 1; i <= 5; i++) {
        start_job(c, "yes | head -c 100000", i);
        shell_job(c, "BashOutput", i, LONG_MS);
        shell_run(c, "yes | head -c 100000");
    }
    assert_int_equal(child_count_fds(), before);
}

static void test_offered_with_the_shell_only(void **state)
{
    static const char *const names[] = { "Bash", "BashOutput", "BashKill" };
    struct sf_registry registry = { .allow_shell = true };
    struct sf_toolset set;

    (void)state;
    sf_toolset_init(&set, false, 0);
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        struct sf_offer_terms terms = sf_toolset_terms(&set, sf_toolset_find(&set, names[i]));

        registry.allow_shell = true;
        assert_true(sf_registry_lists(&registry, names[i], &terms, SF_PROFILE_RESTRICTED));
        registry.allow_shell = false;
        assert_false(sf_registry_lists(&registry, names[i], &terms, SF_PROFILE_RESTRICTED));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SHELL(test_background),
        WITH_SHELL(test_endless),
        WITH_SHELL(test_news_only),
        WITH_SHELL(test_deadline_moves_it),
        WITH_SHELL(test_description_names_it),
        WITH_SHELL(test_kill),
        WITH_SHELL(test_killed_while_somebody_waits),
        WITH_SHELL(test_waiting_can_be_cancelled),
        WITH_SHELL(test_unknown_numbers),
        WITH_SHELL(test_so_many_and_no_more),
        WITH_SHELL(test_ended_ones_are_forgotten_in_time),
        WITH_SHELL(test_nothing_outlives_the_toolbox),
        WITH_SHELL(test_no_descriptors_are_lost),
        cmocka_unit_test(test_offered_with_the_shell_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
