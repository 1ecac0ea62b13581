/*
 * A plan that is made, accepted and carried out in one run without a screen: the exit code says how
 * its run ended, and the stream tells every step of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/schema.h"
#include "support/test.h"
#include "support/tree.h"

#define HEAD           "---\\ntitle: Files\\n---\\n\\n## M1 Files\\n\\n### S1 All\\n"
#define TASK(id, more) "\\n#### " id " Write\\n\\n- what: Write " id ".txt.\\n" more
#define SUBMIT(tasks)                                         \
    "reply\n    call Plan {\"submit\": \"" HEAD tasks "\"}\n" \
    "reply\n    text \"The plan is accepted.\"\n"
#define UNIT(id) \
    "reply\n    expect-contains \"Unit M1/S1/" id "\"\n    expect-lacks \"accepted.\"\n"
#define WRITE(id) "    call Write {\"file_path\": \"" id ".txt\", \"content\": \"x\"}\n"
#define SAY       "reply\n    text \"It is written.\"\n"
#define CHECK(id) "- verify: make " id "\\n"

static const char makefile[] = "T1 T2:\n\t@test -e $@.txt && echo '1 passed, 0 failed' || { "
                               "echo \"$@.txt is not there\"; echo '0 passed, 1 failed'; "
                               "exit 1; }\n";

static const struct {
    const char *name, *scenario, *profile;
    int code;
    const char *says; /* in the stream */
} cases[] = {
    { "done",
      SUBMIT(TASK("T1", CHECK("T1")) TASK("T2", CHECK("T2") "- depends_on: T1\\n")) UNIT("T1")
          WRITE("T1") SAY UNIT("T2") WRITE("T2") SAY,
      "trusted", 0, "the plan is done" },
    { "done at the second try",
      SUBMIT(TASK("T1", CHECK("T1"))) UNIT("T1") "    text \"Done.\"\n" UNIT(
          "T1") "    expect-contains \"T1.txt is not there\"\n" WRITE("T1") SAY,
      "trusted", 0, "begins, attempt 2" },
    { "nothing verifies it", SUBMIT(TASK("T1", "")) UNIT("T1") WRITE("T1") SAY, "trusted", 6,
      "\"way_out\":\"/next accept M1/S1/T1\"" },
    { "the same failure twice",
      SUBMIT(TASK("T1", CHECK("T1")))
          UNIT("T1") "    text \"Done.\"\n" UNIT("T1") "    text \"Done.\"\n",
      "trusted", 6, "\"way_out\":\"/next redo M1/S1/T1 WORDS\"" },
    { "the check may not run", SUBMIT(TASK("T1", CHECK("T1"))) UNIT("T1") WRITE("T1") SAY, "normal",
      6, "the check was refused" },
    { "a unit ends on a refusal",
      SUBMIT(TASK("T1", CHECK("T1"))) UNIT("T1") "    call Bash {\"command\": \"git push\"}\n" SAY,
      "trusted", 3, "\"what\":\"halt\"" },
    { "nobody is there to approve", SUBMIT(TASK("T1", CHECK("T1") "- approval: ask\\n")), "trusted",
      3, "\"what\":\"halt\"" },
};

static struct outcome carry_out(struct sandbox *w, const char *profile, const char *more)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words,
                   "exec --mode plan --control autonomous --permission-profile %s %s 'make a plan'",
                   profile, more);
    o = sandbox_run(w, words.buf);
    sf_strbuf_release(&words);
    return o;
}

static void run_case(size_t i)
{
    struct model_server *server;
    char ends[32];
    void *state = NULL;
    struct sandbox *w;
    struct outcome o;

    assert_int_equal(sandbox_setup(&state), 0);
    w = state;
    agent_sandbox_file(w, "Makefile", makefile);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, cases[i].scenario, NULL);
    o = carry_out(w, cases[i].profile, "--output-format stream-json");
    snprintf(ends, sizeof(ends), "\"exit_code\":%d,", cases[i].code);
    if (o.code != cases[i].code || !strstr(o.out, "\"type\":\"run\"") ||
        !strstr(o.out, cases[i].says) || !strstr(o.out, ends))
        fail_msg("%s: exit code %d: %s%s", cases[i].name, o.code, o.err, o.out);
    schema_check_stream(o.out, o.out_len, cases[i].name);
    agent_sandbox_check(server, cases[i].name);
    outcome_release(&o);
    model_server_stop(server);
    sandbox_teardown(&state);
}

static void test_exit_codes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        run_case(i);
}

/* A sick repository is found before anything is begun; the work is taken up once it is well. */
static void test_blocked(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_ANTHROPIC, SUBMIT(TASK("T1", CHECK("T1"))) UNIT("T1") WRITE("T1") SAY, NULL);
    struct outcome o;

    agent_sandbox_file(w, "Makefile", makefile);
    free(tree_run(w->workspace, "git init -q . && touch .git/MERGE_HEAD", NULL));
    o = carry_out(w, "trusted", "");
    if (o.code != 4 || !strstr(o.err, "to go on: /doctor"))
        fail_msg("exit code %d: %s%s", o.code, o.err, o.out);
    outcome_release(&o);
    assert_int_equal(model_server_count(server), 2); /* no unit was begun */
    free(tree_run(w->workspace, "rm .git/MERGE_HEAD", NULL));
    o = sandbox_run(w, "exec --permission-profile trusted /autonomous");
    if (o.code != 0 || !strstr(o.err, "the plan is done"))
        fail_msg("exit code %d: %s%s", o.code, o.err, o.out);
    outcome_release(&o);
    agent_sandbox_check(server, "blocked");
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test_setup_teardown(test_blocked, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests_name("exec_plan", tests, NULL, NULL);
}
