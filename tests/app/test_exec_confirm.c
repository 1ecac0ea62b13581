/*
 * Deletions that were confirmed beforehand, end to end: the files go only where a snapshot has them,
 * `sf restore` brings them back, and the row of the decision says who confirmed it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/program.h"
#include "support/test.h"

#define BASH(command) "reply\n    call Bash {\"command\":\"" command "\"}\n"
#define IN(dir, command) \
    "reply\n    call Bash {\"command\":\"" command "\",\"workdir\":\"" dir "\"}\n"
#define SAY   "reply\n    text \"done\"\n"
#define BUILD "exec --mode build --control assisted --scope free "

static const struct {
    const char *name, *scenario, *words;
    int code;
    bool gone; /* old/a.txt */
    const char *says;
} cases[] = {
    { "nothing was confirmed", BASH("rm -rf old") SAY, BUILD "go", 3, false, "--confirm delete" },
    { "confirmed", BASH("rm -rf old") SAY, BUILD "--confirm delete go", 0, true, "" },
    { "confirmed under --on-ask allow", BASH("rm -rf old") SAY,
      BUILD "--on-ask allow --confirm delete go", 0, true, "" },
    { "confirmed for the path", BASH("rm -rf old") SAY, BUILD "--confirm delete:old go", 0, true,
      "" },
    { "confirmed for another path", BASH("rm -rf old") SAY, BUILD "--confirm delete:src go", 3,
      false, "what was not confirmed" },
    { "an ignored file in it", BASH("rm -rf old out") SAY, BUILD "--confirm delete go", 3, false,
      "1 ignored file" },
    { "outside of the workspace", BASH("rm -rf old ../beside") SAY, BUILD "--confirm delete go", 3,
      false, "" },
    { "the repository's records", BASH("rm -rf old .git") SAY, BUILD "--confirm delete go", 3,
      false, "" },
    { "a truncation beside it", BASH("rm -rf old; : > src/a.c") SAY, BUILD "--confirm delete go", 3,
      false, "no option and no rule" },
    { "the history", BASH("git branch -D x") SAY, BUILD "--confirm delete go", 3, false, "" },
    { "a pattern", BASH("rm old/*.txt") SAY, BUILD "--confirm delete go", 0, true, "" },
    { "a pattern behind a link", BASH("ln -s ../old src/x") BASH("rm src/x/*") SAY,
      BUILD "--confirm delete:src/x go", 3, false, "" },
    { "the call's own directory", IN("old", "rm a.txt") SAY, BUILD "--confirm delete:old/a.txt go",
      0, true, "" },
    { "the name in another directory", IN("old", "rm a.txt") SAY, BUILD "--confirm delete:a.txt go",
      3, false, "what was not confirmed" },
    { "ignored in the call's directory", IN("out", "rm b.o") SAY, BUILD "--confirm delete go", 3,
      false, "" },
    { "inside the repository's records", IN(".git", "rm -rf objects") SAY,
      BUILD "--confirm delete go", 3, false, "" },
    { "what a link leads to", BASH("ln -s old lk") BASH("rm -rf lk/") SAY,
      BUILD "--confirm delete go", 3, false, "through a link" },
    { "ignored files behind a link", BASH("ln -s out lo") BASH("rm -rf lo//") SAY,
      BUILD "--confirm delete go", 3, false, "" },
    { "a pattern that follows a link", BASH("ln -s out lo") BASH("rm -rf l*o/") SAY,
      BUILD "--confirm delete go", 3, false, "" },
    { "a pattern in the middle", BASH("rm -rf old o*t/b.o") SAY, BUILD "--confirm delete go", 3,
      false, "not known" },
    { "what is not there", BASH("rm -rf old nothing") SAY, BUILD "--confirm delete go", 3, false,
      "nothing is not there" },
    { "what was moved", BASH("mv out out2") BASH("rm -rf old out2") SAY,
      BUILD "--confirm delete go", 3, false, "" },
    { "a FIFO", BASH("mkfifo old/pipe") BASH("rm -rf old") SAY, BUILD "--confirm delete go", 3,
      false, "" },
    { "a second name", BASH("ln old/a.txt src/b.txt") BASH("rm -rf old") SAY,
      BUILD "--confirm delete go", 3, false, "another name" },
    { "outside the write scope", BASH("rm -rf old") SAY,
      "exec --mode build --control assisted --scope implement --confirm delete:old go", 3, false,
      "old is outside scope implement" },
    { "inside the write scope", BASH("rm src/a.c") SAY,
      "exec --mode build --control assisted --scope implement --confirm delete:src go", 0, false,
      "" },
    { "nonsense", SAY, BUILD "--confirm everything go", 2, false, "only deletions can be" },
};

/* What the commands of a case leave behind is in nobody's way. */
static void fill(struct sandbox *w)
{
    static const char *const left[] = { "out2/b.o", "old/pipe", "src/b.txt", "src/x", "lk", "lo" };

    for (size_t i = 0; i < SF_COUNT(left); i++) {
        char *path = test_path(w->workspace, left[i]);

        unlink(path);
        free(path);
    }
    agent_sandbox_file(w, ".gitignore", "out/\n");
    agent_sandbox_file(w, "old/a.txt", "old text\n");
    agent_sandbox_file(w, "out/b.o", "object\n");
    agent_sandbox_file(w, ".git/objects/ab", "history\n");
    agent_sandbox_file(w, "src/a.c", "int a;\n");
}

static bool is_there(struct sandbox *w, const char *name)
{
    char *path = test_path(w->workspace, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void test_cases(void **state)
{
    struct sandbox *w = *state;
    bool failed = false;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, cases[i].scenario, NULL);
        struct outcome o;

        fill(w);
        o = sandbox_run(w, cases[i].words);
        if (o.code != cases[i].code || is_there(w, "old/a.txt") == cases[i].gone ||
            !strstr(o.err, cases[i].says) || is_there(w, "out/b.o") == is_there(w, "out2/b.o") ||
            !is_there(w, ".git/objects/ab")) {
            print_error("%s: exit code %d: %s\n", cases[i].name, o.code, o.err);
            failed = true;
        }
        outcome_release(&o);
        model_server_stop(server);
    }
    assert_false(failed);
}

/* The files come back, and the row says who confirmed it and when. */
static void test_back(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, BASH("rm -rf old") SAY, NULL);
    struct outcome o;
    char *text;

    fill(w);
    o = sandbox_run(w, BUILD "--confirm delete:old go");
    assert_int_equal(o.code, 0);
    assert_false(is_there(w, "old/a.txt"));
    outcome_release(&o);
    o = sandbox_run(w, "log --sql 'select rule, answer, answered_by from decisions where answer is "
                       "not null'");
    if (!strstr(o.out, "confirmed beforehand") ||
        !strstr(o.out, "user, with --confirm delete:old at 20"))
        fail_msg("%s%s", o.out, o.err);
    outcome_release(&o);
    o = sandbox_run(w, "restore 1 --yes");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    text = agent_sandbox_text(w, "old/a.txt");
    assert_string_equal(text, "old text\n");
    free(text);
    model_server_stop(server);
}

/* What others changed since the turn's snapshot was taken would be lost; what the turn made is its own. */
static void test_changed_since(void **state)
{
    struct sandbox *w = *state;
    static const char made[] =
        "reply\n    call Write {\"file_path\":\"old/new.txt\",\"content\":\"x\"}\n";
    struct model_server *server;
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&scenario, "%s%s", made, BASH("rm old/new.txt") SAY);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, scenario.buf, NULL);
    fill(w);
    o = sandbox_run(w, BUILD "--confirm delete go");
    if (o.code != 0 || is_there(w, "old/new.txt"))
        fail_msg("exit code %d: %s", o.code, o.err);
    outcome_release(&o);
    model_server_stop(server);
    sf_strbuf_release(&scenario);
}

/* The user's own settings confirm as well; those of a project and the environment do not. */
static void test_settings(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;

    agent_sandbox_settings(w, "[guard]\nconfirm = \"delete:old\"\n");
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, BASH("rm -rf old") SAY, NULL);
    fill(w);
    o = sandbox_run(w, BUILD "go");
    if (o.code != 0 || is_there(w, "old/a.txt"))
        fail_msg("exit code %d: %s", o.code, o.err);
    outcome_release(&o);
    model_server_stop(server);

    agent_sandbox_settings(w, NULL);
    agent_sandbox_file(w, ".sf/config.toml", "[guard]\nconfirm = \"delete\"\n");
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, BASH("rm -rf old") SAY, NULL);
    fill(w);
    o = sandbox_run(w, "trust add");
    outcome_release(&o);
    o = sandbox_run(w, BUILD "go");
    if (o.code != 3 || !is_there(w, "old/a.txt"))
        fail_msg("exit code %d: %s", o.code, o.err);
    outcome_release(&o);
    model_server_stop(server);

    sandbox_setenv(w, "SF_GUARD_CONFIRM", "delete");
    o = sandbox_run(w, BUILD "go");
    if (o.code != 2 || !is_there(w, "old/a.txt"))
        fail_msg("exit code %d: %s", o.code, o.err);
    outcome_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_back, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_changed_since, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_settings, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
