/*
 * test_where.c: sf works where it is started. The program is run from directories of the workspace:
 * the offline operator, the user's own commands and the guard all begin there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/test.h"

static void expect_in(struct sandbox *w, const char *script, int code, const char *out,
                      const char *err)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words, "-c 'SF=" SF_PROGRAM "; %s'", script);
    o = sandbox_run_program(w, "/bin/sh", words.buf);
    if (o.code != code || (out && !strstr(o.out, out)) || (err && !strstr(o.err, err)))
        fail_msg("%s: exit code %d\n%s\n%s", script, o.code, o.out, o.err);
    outcome_release(&o);
    sf_strbuf_release(&words);
}

static void plant(struct sandbox *w)
{
    struct outcome o;

    agent_sandbox_file(w, "src/app/a.c", "hello app\n");
    agent_sandbox_file(w, "src/lib/b.c", "hello lib\n");
    agent_sandbox_file(w, "top.md", "hello top\n");
    agent_sandbox_file(w, ".sf/commands/look.md", "Look at @a.c\n");
    o = sandbox_run_program(w, "/bin/sh", "-c 'ln -s src/app here; git init -q .'");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    sandbox_expect(w, "trust add", 0, NULL, NULL);
}

static const struct {
    const char *name, *script;
    int code;
    const char *out, *err;
} starts[] = {
    { "the operator reads", "cd src/app && $SF -p \"read a.c\"", 0, "hello app", NULL },
    { "the operator reads beside", "cd src/app && $SF -p \"read ../lib/b.c\"", 0, "hello lib",
      NULL },
    { "the operator reads what is absolute", "W=$PWD; cd src/app && $SF -p \"read $W/top.md\"", 0,
      "hello top", NULL },
    { "what the root calls it is not there", "cd src/app && $SF -p \"read src/app/a.c\"", 1, NULL,
      NULL },
    { "the operator lists", "cd src/app && $SF -p \"list .\"", 0, "a.c", NULL },
    { "the operator finds", "cd src/app && $SF -p \"find hello in ..\"", 0, "../lib/b.c", NULL },
    { "a command of the user's", "cd src/app && $SF -p \"!pwd; cat a.c\"", 0, "/src/app\nhello app",
      NULL },
    { "through a link", "cd here && $SF -p \"!pwd; cat a.c\"", 0, "/src/app\nhello app", NULL },
    { "with -C", "$SF -C src/lib -p \"read b.c\"", 0, "hello lib", NULL },
    { "with -C from elsewhere", "cd src/app && $SF -C ../lib -p \"!cat b.c\"", 0, "hello lib",
      NULL },
    { "with -C to a link", "$SF -C here -p \"read a.c\"", 0, "hello app", NULL },
    { "a row says where from the root",
      "cd src/app && $SF -p \"read a.c\" --output-format stream-json", 0, "read src/app/a.c",
      NULL },
    { "a custom command", "cd src/app && $SF -p /look --output-format stream-json", 0,
      "read src/app/a.c", NULL },
    { "the guard judges from here",
      "cd src/app && $SF guard explain --tool Edit --path ../../top.md", 0, "Edit top.md", NULL },
    { "and sees the way out", "cd src/app && $SF guard explain --tool Edit --path ../../../x", 0,
      "lies outside the workspace", NULL },
    { "and what is protected",
      "cd src/app && $SF guard explain --tool Edit --path ../../.git/config", 0,
      "deny  Edit .git/config", NULL },
    { "commands too", "cd src/app && $SF guard explain -- \"cat ../../../x\"", 0,
      "outside the workspace", NULL },
    { "and what stays inside", "cd src/app && $SF guard explain -- \"cat ../../top.md\"", 0,
      "top.md (inside)", NULL },
};

static void test_starts(void **state)
{
    plant(*state);
    for (size_t i = 0; i < SF_COUNT(starts); i++) {
        print_message("%s\n", starts[i].name);
        expect_in(*state, starts[i].script, starts[i].code, starts[i].out, starts[i].err);
    }
}

/* A link that leads out of the repository: where it leads is another workspace. */
static void test_link_out(void **state)
{
    plant(*state);
    expect_in(*state,
              "mkdir ../other && echo else > ../other/x && ln -s ../other out && cd out && "
              "$SF -p \"read x\"",
              0, "else", NULL);
    expect_in(*state, "cd src/app && $SF -C ../../../other -p \"read a.c\"", 1, NULL, NULL);
}

/* A session of one directory goes on in another. */
static void test_resumes_where_one_stands(void **state)
{
    plant(*state);
    expect_in(*state, "cd src/app && $SF -p \"read a.c\"", 0, "hello app", NULL);
    expect_in(*state, "cd src/lib && $SF exec --continue \"read b.c\"", 0, "hello lib", NULL);
    expect_in(*state, "$SF exec --continue \"read top.md\"", 0, "hello top", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_starts, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_link_out, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_resumes_where_one_stands, sandbox_setup,
                                        sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
