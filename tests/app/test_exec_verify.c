/*
 * What the exit code of a run says about its work: 3 only if it ended on a refusal, 6 unless the
 * check that was asked for passed, 124 also while the prompt is awaited.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

#define MAKE  "    call Bash {\"command\":\"make\"}\n"
#define WRITE "    call Write {\"file_path\":\"src/b.c\",\"content\":\"int b;\\n\"}\n"
#define PUSH  "    call Bash {\"command\":\"git push\"}\n"
#define MKDIR "    call Bash {\"command\":\"mkdir -p src/x\"}\n"
#define LIST  "    call Bash {\"command\":\"ls\"}\n"
#define SAY   "reply\n    text \"done\"\n"
#define BUILD "exec --mode build --control assisted "

static const struct {
    const char *name, *scenario, *words;
    int code;
    const char *says, *silent; /* on standard error */
} refusals[] = {
    { "the run ends on a refusal", "reply\n" MAKE SAY, BUILD "go", 3, "Bash was refused",
      "on the way" },
    { "another way was found", "reply\n" MAKE "reply\n" WRITE SAY, BUILD "go", 0,
      "refused on the way:\n    Bash was refused", "sf: Bash" },
    { "another way is not enough", "reply\n" MAKE "reply\n" WRITE SAY, BUILD "--fail-on-refusal go",
      3, "Bash was refused", NULL },
    { "nothing was refused", "reply\n" WRITE SAY, BUILD "--fail-on-refusal go", 0, "", "refused" },
    { "a call of the same answer is no other way", "reply\n" MAKE WRITE SAY, BUILD "go", 3,
      "Bash was refused", "on the way" },
    { "the same in the other order", "reply\n" WRITE MAKE SAY, BUILD "go", 3, "Bash was refused",
      "on the way" },
    { "a call of a later answer is one", "reply\n" MAKE WRITE "reply\n" MKDIR SAY, BUILD "go", 0,
      "refused on the way:\n    Bash was refused", "sf: Bash" },
    { "a directory is no push", "reply\n" PUSH "reply\n" MKDIR SAY, BUILD "go", 3,
      "Bash was refused", "on the way" },
    { "nor with another refusal between them", "reply\n" PUSH "reply\n" MAKE "reply\n" MKDIR SAY,
      BUILD "go", 3, "network write", NULL },
    { "looking is no work", "reply\n" MAKE "reply\n" LIST SAY, BUILD "go", 3, "Bash was refused",
      "on the way" },
    { "the last one stands", "reply\n" MAKE "reply\n" WRITE "reply\n" MAKE SAY, BUILD "go", 3,
      "Bash was refused", "on the way" },
};

static void test_refusals(void **state)
{
    struct sandbox *w = *state;
    char *path = test_path(w->workspace, "src/b.c");

    agent_sandbox_file(w, "src/a.c", "x\n");
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        struct model_server *server =
            agent_sandbox_serve(w, SF_WIRE_CHAT, refusals[i].scenario, NULL);
        struct outcome o;

        unlink(path);
        o = sandbox_run(w, refusals[i].words);
        if (o.code != refusals[i].code || !strstr(o.err, refusals[i].says) ||
            (refusals[i].silent && strstr(o.err, refusals[i].silent)))
            fail_msg("%s: exit code %d: %s", refusals[i].name, o.code, o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
    free(path);
}

/* The last object lists what was refused, although the run went well. */
static void test_refusals_in_json(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n" MAKE "reply\n" WRITE SAY, NULL);
    struct outcome o = sandbox_run(w, BUILD "--output-format json go");
    struct sf_json *json = agent_sandbox_object(o.out, "done");
    const struct sf_json *list;

    assert_int_equal(o.code, 0);
    list = json ? sf_json_get(json, "refusals") : NULL;
    if (!list || sf_json_count(list) != 1)
        fail_msg("%s", o.out);
    assert_null(sf_json_get(json, "verification"));
    sf_json_free(json);
    outcome_release(&o);
    model_server_stop(server);
}

static const struct {
    const char *name, *words;
    int code;
    const char *verdict; /* NULL: none is told */
    const char *says;
} checks[] = {
    { "a check that passes", "-p 'list src' --verify 'test -f src/a.c'", 0, "passed",
      "verified: test -f src/a.c passed" },
    { "a check that fails", "-p 'list src' --verify 'echo broken; false'", 6, "failed",
      "sf: echo broken; false: failed: it ended with exit code 1" },
    { "no such command", "-p 'list src' --verify no-such-check", 6, "not verified",
      "there is no such command" },
    { "no test ran", "-p 'list src' --verify 'echo Ran 0 tests'", 6, "not verified",
      "it ran no test" },
    { "some tests ran", "-p 'list src' --verify 'echo Ran 2 tests'", 0, "passed", "" },
    { "no such command before a filter", "-p 'list src' --verify 'no-such-check -q | tail -1'", 6,
      "not verified", "there is no such command" },
    { "no such command before another", "-p 'list src' --verify 'no-such-check -q; echo'", 6,
      "not verified", "a command in it was not found" },
    { "a failure before a filter", "-p 'list src' --verify 'false | true'", 6, "failed",
      "sf: false | true: failed: it ended with exit code 1" },
    { "a check in the background", "-p 'list src' --verify 'sleep 0.1 &'", 6, "not verified",
      "it was left to run in the background" },
    { "a check that counts failures", "-p 'list src' --verify 'echo 5 passed, 2 failed'", 6,
      "failed", "its output tells of failures, although it ended with exit code 0" },
    { "a check that skips all", "-p 'list src' --verify 'echo 1 skipped in 0.01s'", 6,
      "not verified", "it skipped every test" },
    { "a dry run", "-p 'list src' --verify 'make -n test' --on-ask allow", 6, "not verified",
      "it is a dry run" },
    { "the project's own check", "-p 'list src' --verify auto --on-ask allow", 6, "failed",
      "sf: make test: failed: it ended with exit code 2" },
    { "a test run that tells nothing", "-p 'list src' --verify './pytest -q' --on-ask allow", 6,
      "not verified", "it does not tell how many tests it ran" },
    { "a test run that was cut off", "-p 'list src' --verify 'printf \"1..3\\nok 1\\n\"'", 6,
      "not verified", "it did not run to its end" },
    { "a filter that reads all", "-p 'list src' --verify 'cat src/a.c | grep x'", 0, "passed",
      "verified: cat src/a.c | grep x passed" },
    { "a check that destroys", "-p 'list src' --verify 'rm -rf src' --on-ask allow", 6,
      "not verified", "it was refused" },
    { "a turn that failed is not checked", "-p 'read nope' --verify 'touch checked'", 1,
      "not verified", "" },
    { "nothing was asked for", "-p 'list src'", 0, NULL, "" },
};

static void check_object(const char *out, const char *name, const char *verdict)
{
    struct sf_json *json = agent_sandbox_object(out, "done");
    struct sf_error err = SF_ERROR_INIT;
    const char *text = NULL;

    if (!json || !sf_json_opt_str(json, "verification", NULL, &text, &err) ||
        (verdict ? !text || strcmp(text, verdict) != 0 : text != NULL))
        fail_msg("%s: %s", name, out);
    sf_json_free(json);
}

static void test_checks(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;
    char *path = test_path(w->workspace, "checked"), *program = test_path(w->workspace, "pytest");

    agent_sandbox_file(w, "src/a.c", "x\n");
    sandbox_expect(w, "-p 'list src' --verify auto", 2, "", "--verify auto finds no check");
    agent_sandbox_file(w, "Makefile", "test:\n\tfalse\n");
    agent_sandbox_file(w, "pytest", "#!/bin/sh\nexit 0\n");
    assert_int_equal(chmod(program, 0755), 0);
    for (size_t i = 0; i < SF_COUNT(checks); i++) {
        struct outcome o = sandbox_run(w, checks[i].words);

        if (o.code != checks[i].code || !strstr(o.err, checks[i].says))
            fail_msg("%s: exit code %d: %s", checks[i].name, o.code, o.err);
        outcome_release(&o);
        sf_strbuf_reset(&words);
        sf_strbuf_addf(&words, "--output-format json %s", checks[i].words);
        o = sandbox_run(w, words.buf);
        assert_int_equal(o.code, checks[i].code);
        check_object(o.out, checks[i].name, checks[i].verdict);
        outcome_release(&o);
    }
    sandbox_expect(w, "-p 'list src' --verify ' '", 2, "", "--verify names no command");
    sandbox_expect(w, "--verify true -p /cost", 2, "", "this is a command");
    assert_int_equal(access(path, F_OK), -1);
    free(agent_sandbox_text(w, "src/a.c"));
    sf_strbuf_release(&words);
    free(program);
    free(path);
}

static const struct {
    const char *name, *script;
} silences[] = {
    { "with a prompt", "exec 3<>pipe; " SF_PROGRAM " -p why --timeout 1 <&3" },
    { "without one", "exec 3<>pipe; " SF_PROGRAM " exec --timeout 1 <&3" },
    { "in the middle", "exec 3<>pipe; echo half >&3; " SF_PROGRAM " -p why --timeout 1 <&3" },
};

/* The time runs while a pipe is awaited, whether it says nothing or does not come to its end. */
static void test_timeout_of_input(void **state)
{
    struct sandbox *w = *state;
    struct outcome o = sandbox_run_program(w, "/bin/sh", "-c 'mkfifo pipe'");

    outcome_release(&o);
    for (size_t i = 0; i < SF_COUNT(silences); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;

        sf_strbuf_addf(&words, "-c '%s'", silences[i].script);
        o = sandbox_run_program(w, "/bin/sh", words.buf);
        if (o.code != 124 || !strstr(o.err, "timed out waiting for standard input"))
            fail_msg("%s: exit code %d: %s", silences[i].name, o.code, o.err);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
}

/* At a terminal a run says what it waits for; the line is gone when the answer comes. */
static void test_wait_is_told(void **state)
{
    static const char *const argv[] = { SF_PROGRAM, "-p", "hello", NULL };
    struct pty_case *s = *state;
    struct vt *vt;

    pty_case_serve(s, "reply\n    headers-delay 2500\n    text \"fine\"\n");
    vt = pty_case_run(s, argv);
    vt_wait_text(vt, "waiting for test-model 0:01 (Ctrl+C ends it)");
    vt_wait_text(vt, "fine");
    vt_wait_no_text(vt, "waiting for");
    assert_int_equal(vt_wait_exit(vt), 0);
}

/* A call that runs is named. */
static void test_call_is_told(void **state)
{
    static const char *const argv[] = {
        SF_PROGRAM, "-p", "run sleep 2", "--on-ask", "allow", NULL
    };
    struct pty_case *s = *state;
    struct vt *vt = pty_case_run(s, argv);

    vt_wait_text(vt, "Bash sleep 2 0:01");
    assert_int_equal(vt_wait_exit(vt), 0);
    assert_false(pty_case_sees(s, "0:01 (Ctrl+C"));
}

/* What a call prints does not begin its time anew: each that is shown is later than the last. */
static void test_time_goes_on(void **state)
{
    static const char *const argv[] = { SF_PROGRAM, "-p",    "run sh beat.sh",
                                        "--on-ask", "allow", NULL };
    static const char line[] = "Bash sh beat.sh ";
    struct pty_case *s = *state;
    struct vt *vt;
    unsigned shown = 0;
    long last = 0;

    agent_sandbox_file(s->sandbox, "beat.sh", "for i in 1 2 3 4 5; do echo $i; sleep 1.3; done\n");
    vt = pty_case_run(s, argv);
    assert_int_equal(vt_wait_exit(vt), 0);
    for (const char *at = vt_take(vt)->buf; (at = strstr(at, line)); shown++) {
        char *end;
        long minutes = strtol(at + strlen(line), &end, 10), now;

        assert_int_equal(*end, ':');
        now = minutes * 60 + strtol(end + 1, &end, 10);
        if (now <= last)
            fail_msg("%ld seconds are shown after %ld", now, last);
        last = now;
        at = end;
    }
    assert_true(shown >= 2);
}

/* The axes of a resumed session change before it is open: that is told, too. */
static void test_axes_of_a_resumed_run(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, SAY SAY, NULL);
    struct outcome o = sandbox_run(w, "exec --mode chat one");

    assert_int_equal(o.code, 0);
    outcome_release(&o);
    o = sandbox_run(w, "exec --continue --mode build two");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refusals, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_refusals_in_json, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_checks, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_axes_of_a_resumed_run, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_timeout_of_input, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_wait_is_told, pty_case_setup, pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_call_is_told, pty_case_setup, pty_case_teardown),
        cmocka_unit_test_setup_teardown(test_time_goes_on, pty_case_setup, pty_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
