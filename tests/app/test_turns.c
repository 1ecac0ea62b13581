/*
 * What a run changed and the way back, through the program: a real repository, a scripted model,
 * real commands. The user's own repository stays as it is, whatever sf keeps and puts back.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/child.h"
#include "support/snapcase.h"
#include "support/test.h"
#include "support/tree.h"

static void fill(struct sandbox *w)
{
    agent_sandbox_file(w, ".gitignore", "build/\n");
    agent_sandbox_file(w, "src/add.sh", "add() { echo $(( a - b )); }\n");
    agent_sandbox_file(w, "src/version", "1.0\n");
    agent_sandbox_file(w, "tests/run.sh",
                       "a=2 b=3; . src/add.sh; [ \"$(add)\" = 5 ] && echo PASS || { echo FAIL; "
                       "exit 1; }\n");
    agent_sandbox_file(w, "build/out", "old\n");
    free(tree_run(w->workspace,
                  "git init -q && git add -A && git -c user.name=t -c user.email=t@t "
                  "commit -qm first",
                  NULL));
}

static bool is_git(const char *path)
{
    return !strcmp(path, ".git");
}

static bool is_no_git(const char *path)
{
    return strncmp(path, ".git", 4) != 0 || !strcmp(path, ".gitignore");
}

static void expect_file(struct sandbox *w, const char *name, const char *want)
{
    char *is = agent_sandbox_text(w, name);

    if (strcmp(is, want) != 0)
        fail_msg("%s is \"%s\", want \"%s\"", name, is, want);
    free(is);
}

static void expect_none(struct sandbox *w, const char *name)
{
    char *path = test_path(w->workspace, name);

    assert_int_equal(access(path, F_OK), -1);
    free(path);
}

static void test_there_and_back(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, NULL, "ten-steps.txt");
    struct sf_strlist before = SF_STRLIST_INIT, after = SF_STRLIST_INIT, is = SF_STRLIST_INIT,
                      git = SF_STRLIST_INIT;

    fill(w);
    snap_listing(w->workspace, is_git, &before);
    snap_listing(w->workspace, is_no_git, &git);
    sandbox_expect(w, "exec --permission-profile trusted 'Make add() add'", 0, NULL, NULL);
    agent_sandbox_check(server, "ten steps");
    snap_listing(w->workspace, is_git, &after);
    sandbox_expect(w, "restore list", 0, "2 files      +2      −2  Make add() add\n", NULL);
    sandbox_expect(w, "restore list --all", 0, "after     Make add() add\n", NULL);
    sandbox_expect(w, "diff", 0, "+add() { echo $(( a + b )); }", NULL);
    sandbox_expect(w, "diff 1", 0, "2 files, +2 −2\n", NULL);
    sandbox_expect(w, "restore 1", 3, NULL, "no terminal to ask on");
    sandbox_expect(w, "restore 1 --yes", 0, "Done: 0 added, 2 changed, 0 removed", NULL);
    snap_listing(w->workspace, is_git, &is);
    snap_same("restored", &is, &before);
    sf_strlist_release(&is);
    sandbox_expect(w, "restore undo --yes", 0, "2 changed", NULL);
    snap_listing(w->workspace, is_git, &is);
    snap_same("undone", &is, &after);
    sf_strlist_release(&is);
    snap_listing(w->workspace, is_no_git, &is);
    snap_same("the user's repository", &is, &git);
    sf_strlist_release(&is);
    sf_strlist_release(&before);
    sf_strlist_release(&after);
    sf_strlist_release(&git);
    model_server_stop(server);
}

/* A script edits the tests while sources are the scope; ignored build output is left alone. */
static void test_scope(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;

    fill(w);
    agent_sandbox_file(w, "src/job.sh",
                       "echo 'exit 0' > tests/run.sh; echo x > tests/new.sh; echo new > build/out\n"
                       "mv src/version src/release; rm -rf tests/none\n");
    server =
        agent_sandbox_serve(w, SF_WIRE_CHAT,
                            "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n"
                            "reply\n    expect-tool-result Bash contains \"not writable in scope "
                            "implement (writable: src/, lib/)\"\n"
                            "    expect-tool-result Bash contains \"changed tests/run.sh\"\n"
                            "    expect-tool-result Bash contains \"made tests/new.sh\"\n"
                            "    text \"I see.\"\n",
                            NULL);
    sandbox_expect(w, "exec -v --permission-profile trusted 'run it'", 0, "I see.",
                   "2 outside the scope put back");
    agent_sandbox_check(server, "scope");
    free(tree_run(w->workspace, "grep -q PASS tests/run.sh", NULL));
    expect_none(w, "tests/new.sh");
    expect_none(w, "src/version");
    expect_file(w, "src/release", "1.0\n");
    expect_file(w, "build/out", "new\n");
    sandbox_expect(w, "log --kind scope_audit", 0, "tests/new.sh", NULL);
    sandbox_expect(w, "restore list", 0, "run it\n", NULL);
    sandbox_expect(w, "restore list", 0, "  put back in this turn: 1 time, see --all\n", NULL);
    sandbox_expect(w, "restore list --all", 0,
                   "edit      written outside scope implement: sh src/job.sh", NULL);
    sandbox_expect(w, "restore 2 --path tests/new.sh --yes", 0, "1 added", NULL);
    expect_file(w, "tests/new.sh", "x\n");
    model_server_stop(server);
}

static pid_t begin(struct sandbox *w)
{
    static const char *const words[] = { "exec", "--permission-profile", "trusted", "half of it",
                                         NULL };

    return sandbox_start(w, SF_PROGRAM, words);
}

/* Killed in the middle of a command; the script says through a pipe when it has come there. */
static void test_killed(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    char *pipe = test_path(w->workspace, "src/pipe");
    pid_t pid;
    int status;

    fill(w);
    agent_sandbox_file(w, "src/job.sh",
                       "echo half > src/version; echo x > src/made; echo > src/pipe; sleep 600\n");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC,
                                 "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n", NULL);
    pid = begin(w);
    assert_true(child_wait_for_byte(pid, pipe));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    expect_file(w, "src/version", "half\n");
    sandbox_expect(w, "restore list", 0, "half of it  (1 left out)\n", NULL);
    sandbox_expect(w, "restore 1 --yes --dry-run", 0, "  = src/version  (kept: changed since)",
                   NULL);
    sandbox_expect(w, "restore 1 --yes", 1, "  = src/version  (kept: changed since)",
                   "nothing was put back: 2 have changes that are not known to be sf's own");
    sandbox_expect(w, "-c -p /undo --provider offline --on-ask allow", 1, "(kept: changed since)",
                   "/restore 1 overwrite");
    sandbox_expect(w, "-c -p /undo --provider offline --on-ask allow --output-format json", 1,
                   "\"status\":\"failed\"", NULL);
    expect_file(w, "src/version", "half\n");
    sandbox_expect(w, "restore 1 --yes --overwrite", 0, "1 changed, 1 removed", NULL);
    expect_file(w, "src/version", "1.0\n");
    expect_none(w, "src/made");
    sandbox_expect(w, "restore undo --yes", 0, "1 added, 1 changed", NULL);
    expect_file(w, "src/version", "half\n");
    free(pipe);
    model_server_stop(server);
}

/* Killed in a turn that has written two files with tools, and a third in a command that still runs. */
static void kill_after_writes(struct sandbox *w)
{
    struct model_server *server;
    char *pipe = test_path(w->workspace, "src/pipe");
    pid_t pid;
    int status;

    fill(w);
    agent_sandbox_file(w, "src/job.sh", "echo x > src/made; echo > src/pipe; sleep 600\n");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    server = agent_sandbox_serve(
        w, SF_WIRE_ANTHROPIC,
        "reply\n    call Write {\"file_path\":\"src/new\",\"content\":\"new\\n\"}\n"
        "    call Read {\"file_path\":\"src/version\"}\n"
        "reply\n    call Edit {\"file_path\":\"src/version\",\"old_string\":\"1.0\","
        "\"new_string\":\"2.0\"}\n"
        "reply\n    call Bash {\"command\":\"sh src/job.sh\"}\n",
        NULL);
    pid = begin(w);
    assert_true(child_wait_for_byte(pid, pipe));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    expect_file(w, "src/version", "2.0\n");
    free(pipe);
    model_server_stop(server);
}

static void test_killed_after_writes(void **state)
{
    struct sandbox *w = *state;

    kill_after_writes(w);
    sandbox_expect(w, "restore 1 --dry-run", 0, "  = src/made  (kept: changed since)\n", NULL);
    sandbox_expect(w, "restore list", 0, "2 files      +2      −1  half of it\n", NULL);
    sandbox_expect(w, "-c -p /undo --provider offline", 3, NULL,
                   "1 of those kept has changes that are not known to be this session's own; "
                   "`/restore 1 overwrite` puts it back too.");
    sandbox_expect(w, "-c -p /undo --provider offline --on-ask allow", 0, NULL, NULL);
    expect_file(w, "src/version", "1.0\n");
    expect_none(w, "src/new");
    expect_file(w, "src/made", "x\n");
    sandbox_expect(w, "restore undo --yes", 0, "1 added, 1 changed", NULL);
    sandbox_expect(w, "restore 1 --yes", 0, "1 changed, 1 removed", NULL);
    expect_file(w, "src/version", "1.0\n");
    expect_file(w, "src/made", "x\n");
}

/* A later turn does not change what the one that was killed had written. */
static void test_killed_and_resumed(void **state)
{
    struct sandbox *w = *state;

    kill_after_writes(w);
    agent_sandbox_file(w, "src/version", "by hand\n");
    sandbox_expect(w, "-c -p 'create src/a with content hello' --provider offline", 0, NULL, NULL);
    sandbox_expect(w, "restore list", 0, "1 file       +1      −0  half of it\n", NULL);
    sandbox_expect(w, "-c -p /undo --provider offline --on-ask allow", 0, NULL, NULL);
    expect_none(w, "src/a");
    expect_file(w, "src/new", "new\n");
    sandbox_expect(w, "-c -p /undo --provider offline --on-ask allow", 0, NULL, NULL);
    expect_none(w, "src/new");
    expect_file(w, "src/version", "by hand\n");
    expect_file(w, "src/made", "x\n");
}

/* Going back from a conversation that is not the one that was killed. */
static void test_killed_and_left(void **state)
{
    struct sandbox *w = *state;

    kill_after_writes(w);
    agent_sandbox_file(w, "src/new", "by hand\n");
    sandbox_expect(w, "-p '/restore 1' --provider offline --on-ask allow", 0, NULL, NULL);
    expect_file(w, "src/version", "1.0\n");
    expect_file(w, "src/new", "by hand\n");
    expect_file(w, "src/made", "x\n");
}

/* Whoever answers by policy does not answer this. */
static void test_revert_is_never_automatic(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;

    fill(w);
    server = agent_sandbox_serve(
        w, SF_WIRE_RESPONSES,
        "reply\n    call Write {\"file_path\":\"src/a\",\"content\":\"a\"}\n"
        "reply\n    call RevertTurn {}\n"
        "reply\n    expect-tool-result RevertTurn contains \"a person's confirmation\"\n"
        "    text \"so be it\"\n",
        NULL);
    sandbox_expect(w, "exec --auto --output-format stream-json --permission-profile trusted 'go'",
                   3, "\"preview\":\"  - src/a\\n0 added, 0 changed, 1 removed\\n\"", NULL);
    agent_sandbox_check(server, "never automatic");
    expect_file(w, "src/a", "a");
    model_server_stop(server);
}

static void test_home(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_ANTHROPIC,
                            "reply\n    call Write {\"file_path\":\"a\",\"content\":\"a\"}\n"
                            "reply\n    text \"done\"\n",
                            NULL);

    sf_strbuf_addf(&words, "exec -v --permission-profile trusted -C %s go", w->dir);
    sandbox_expect(w, words.buf, 0, "done", "it is your home directory");
    sf_strbuf_reset(&words);
    sf_strbuf_addf(&words, "restore list -C %s", w->dir);
    sandbox_expect(w, words.buf, 0, "There are no snapshots", NULL);
    expect_file(w, "../a", "a");
    sf_strbuf_release(&words);
    model_server_stop(server);
}

/* The operator without a model goes the same way, and is refused like one where nobody sits. */
static void test_offline_undo(void **state)
{
    struct sandbox *w = *state;

    fill(w);
    sandbox_expect(w, "-p 'create src/a with content hello' --provider offline", 0, NULL, NULL);
    expect_file(w, "src/a", "hello\n");
    sandbox_expect(w, "-p undo --provider offline -c", 3, "Refused: needs a person, by rule revert",
                   NULL);
    sandbox_expect(w, "restore 1 --yes", 0, "1 removed", NULL);
    expect_none(w, "src/a");
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, sandbox_setup, sandbox_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_there_and_back),
        CASE(test_scope),
        CASE(test_killed),
        CASE(test_killed_after_writes),
        CASE(test_killed_and_resumed),
        CASE(test_killed_and_left),
        CASE(test_revert_is_never_automatic),
        CASE(test_home),
        CASE(test_offline_undo),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
