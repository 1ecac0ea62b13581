/*
 * sf cage, and the cage around the agent's commands, through the real program.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/cage.h"
#include "support/agent_sandbox.h"
#include "support/test.h"
#include "support/tree.h"

static bool is_there(const struct sandbox *w, const char *name)
{
    char *path = test_path(w->dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static const struct {
    const char *name, *words;
    int code;
    const char *out, *err;
} rows[] = {
    { "the exit code is passed on", "cage -- sh -c 'exit 7'", 7, "", NULL },
    { "so is a signal", "cage -- sh -c 'kill -TERM $$'", 143, "", NULL },
    { "and both outputs", "cage -- sh -c 'echo one; echo two >&2'", 0, "one", "two" },
    { "writing here", "cage -- sh -c 'echo x > here && cat here'", 0, "x", NULL },
    { "not writing there", "cage -- sh -c 'echo x > ../there'", 2, "", "there" },
    { "not reading keys", "cage -- cat ../.ssh/id_rsa", 1, "", "ermission denied" },
    { "not reading sf's state", "cage -- cat ../state/x", 1, "", "ermission denied" },
    { "variables", "cage -- sh -c 'echo [$API_KEY][$KEPT_TOKEN]'", 0, "[][kept]", NULL },
    { "nothing to run", "cage", 2, "", "which command?" },
    { "no such program", "cage -- no-such-program", 1, "", "no-such-program" },
    { "an explanation", "cage --explain", 0, "(the workspace)", NULL },
    { "reading, as judged", "cage --as-judged --explain -- ls", 0, "the command only reads", NULL },
    { "writing, as judged", "cage --as-judged --explain -- 'touch x'", 0, "(the workspace)", NULL },
    { "a text of the shell, as judged", "cage --as-judged -- 'cat here | tr x y'", 0, "y", NULL },
    { "words, as judged", "cage --as-judged -- echo 'a  b' '$HOME'", 0, "a  b $HOME", NULL },
    { "nothing to judge", "cage --as-judged", 2, "", "which command?" },
    { "in another directory", "cage -C /usr -- pwd", 0, "/usr", NULL },
    { "sockets", "cage --explain", 0, "but for any that lie in a writable place", NULL },
    { "with the network", "cage --explain --network", 0, "network   yes", NULL },
};

static void test_command(void **state)
{
    struct sandbox *w = *state;
    static const char settings[] = "[guard]\nenv_keep = [\"KEPT_TOKEN\"]\n";

    if (!sf_kernel_fences())
        test_not_run("this kernel has no such fences");
    test_write(w->config, settings, strlen(settings));
    tree_puts(w->dir, ".ssh/id_rsa", "secret\n");
    tree_puts(w->dir, "state/x", "secret\n");
    sandbox_setenv(w, "API_KEY", "hidden");
    sandbox_setenv(w, "KEPT_TOKEN", "kept");
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        print_message("  %s\n", rows[i].name);
        sandbox_expect(w, rows[i].words, rows[i].code, rows[i].out, rows[i].err);
    }
    assert_false(is_there(w, "there"));
}

static const struct {
    const char *name, *words;
    int code;
    const char *out, *err;
} at_home[] = {
    { "a command", "cage -- true", 0, "", NULL },
    { "an explanation", "cage --explain", 0, "hidden    ~/.ssh ", NULL },
    { "the home itself", "cage --explain", 0, "/work (the workspace)", NULL },
    { "reading keys", "cage -- cat .ssh/id_rsa", 1, "", ".ssh/id_rsa" },
    { "writing beside the keys", "cage -- sh -c 'echo x > here && cat here'", 0, "x", NULL },
};

/* What could be written to leads out of the cage, so that it is not passed on. */
static void test_standard_input(void **state)
{
    static const struct {
        const char *name, *words, *out, *err;
    } inputs[] = {
        { "a pipe", "-c 'echo piped | " SF_PROGRAM " cage -- cat'", "piped\n", "" },
        { "as judged", "-c 'echo piped | " SF_PROGRAM " cage --as-judged -- cat'", "piped\n", "" },
        { "a file", "-c '" SF_PROGRAM " cage -- cat <given'", "given\n", "" },
        { "the rest of it", "-c '{ read x; " SF_PROGRAM " cage -- cat; } <two'", "second\n", "" },
        { "a file to be written", "-c '" SF_PROGRAM " cage -- cat <>given'", "", "does not get" },
        { "nothing", "-c '" SF_PROGRAM " cage -- cat </dev/null'", "", "" },
        { "closed", "-c '" SF_PROGRAM " cage -- cat <&-'", "", "" },
    };
    struct sandbox *w = *state;

    tree_puts(w->workspace, "given", "given\n");
    tree_puts(w->workspace, "two", "first\nsecond\n");
    for (size_t i = 0; i < SF_COUNT(inputs); i++) {
        struct outcome o = sandbox_run_program(w, "/bin/sh", inputs[i].words);

        if (o.code != 0 || strcmp(o.out, inputs[i].out) != 0 || !strstr(o.err, inputs[i].err) ||
            (!*inputs[i].err && *o.err))
            fail_msg("%s: exit %d\nstdout: %s\nstderr: %s", inputs[i].name, o.code, o.out, o.err);
        outcome_release(&o);
    }
}

static void move_home(struct sandbox *w, const char *to)
{
    size_t i = 0;

    while (strncmp(w->env.items[i], "HOME=", 5) != 0)
        i++;
    sf_strlist_remove(&w->env, i);
    sandbox_setenv(w, "HOME", to);
}

/* The workspace may be the home directory, which is not spelled with a slash at its end then. */
static void test_workspace_is_home(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf home = SF_STRBUF_INIT;

    if (!sf_kernel_fences())
        test_not_run("this kernel has no such fences");
    tree_puts(w->workspace, ".ssh/id_rsa", "secret\n");
    for (int slash = 0; slash < 2; slash++) {
        sf_strbuf_reset(&home);
        sf_strbuf_addf(&home, "%s%s", w->workspace, slash ? "/" : "");
        move_home(w, home.buf);
        for (size_t i = 0; i < SF_COUNT(at_home); i++) {
            print_message("  %s\n", at_home[i].name);
            sandbox_expect(w, at_home[i].words, at_home[i].code, at_home[i].out, at_home[i].err);
        }
    }
    sf_strbuf_release(&home);
}

/* It stays until it is seen: what a command takes is looked at now and then. */
static void test_memory(void **state)
{
    static const char settings[] = "[guard]\nmax_memory = 1\n";
    struct sandbox *w = *state;
    struct sf_strbuf words = SF_STRBUF_INIT;

    test_write(w->config, settings, strlen(settings));
    sf_strbuf_addf(&words, "cage -- perl -e '$x = \"x\" x (%llu << 20); sleep 600'",
                   (unsigned long long)(sf_kernel_memory() / 100 >> 20) + 64);
    sandbox_expect(w, words.buf, 5, "", "of memory");
    sf_strbuf_release(&words);
}

static void test_off(void **state)
{
    struct sandbox *w = *state;

    sandbox_setenv(w, "SF_GUARD_CAGE", "off");
    sandbox_expect(w, "cage -- sh -c 'echo x > ../there'", 0, NULL, NULL);
    assert_true(is_there(w, "there"));
    sandbox_expect(w, "cage --explain", 0, "enforced  none", NULL);
}

/* A disk that cannot be written is a failure, not a refusal. */
static void test_no_place_for_temporary_files(void **state)
{
    struct sandbox *w = *state;

    sandbox_setenv(w, "TMPDIR", "/proc");
    sandbox_expect(w, "cage -- true", 1, "", "cannot make the temporary directory");
}

static void test_nothing_is_left(void **state)
{
    struct sandbox *w = *state;
    char *temp = test_path(w->dir, "temp"), *out;

    assert_int_equal(mkdir(temp, 0700), 0);
    sandbox_setenv(w, "TMPDIR", temp);
    sandbox_expect(w, "cage -- sh -c 'mkdir -p $TMPDIR/a/b && chmod 0 $TMPDIR/a && echo $TMPDIR'",
                   0, temp, NULL);
    out = tree_run(temp, "mkdir sf-0123456789abcdef sf-other; ls", NULL);
    assert_string_equal(out, "sf-0123456789abcdef\nsf-other\n");
    free(out);
    sandbox_expect(w, "cage -- true", 0, NULL, NULL); /* takes away what a killed one left */
    out = tree_run(temp, "ls", NULL);
    assert_string_equal(out, "sf-other\n");
    free(out);
    free(temp);
}

/* The model's own command, allowed by the profile, held by the kernel, and written down. */
static void test_agent_is_caged(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;

    if (!sf_kernel_fences())
        test_not_run("this kernel has no such fences");
    tree_puts(w->dir, ".ssh/id_rsa", "s3cr3t\n");
    agent_sandbox_file(w, "go.sh", "echo x > made; echo x > ../../there; cat ../../.ssh/id_rsa\n");
    agent_sandbox_file(w, "sub/a", "");
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC,
                                 "reply\n    call Bash {\"command\":\"mkdir x && cd sub\"}\n"
                                 "reply\n    call Bash {\"command\":\"sh ../go.sh; pwd\"}\n"
                                 "reply\n    expect-contains \"ermission denied\"\n"
                                 "    expect-contains \"/work/sub\"\n    text \"held\"\n",
                                 NULL);
    sandbox_expect(w, "exec --permission-profile trusted go", 0, "held", NULL);
    agent_sandbox_check(server, "caged");
    assert_false(is_there(w, "there"));
    assert_true(is_there(w, "work/sub/made"));
    sandbox_expect(w, "log --sql 'select cage from decisions where cage is not null'", 0,
                   "landlock", NULL);
}

/* What the cage had to do with a failure stands below the output, and nowhere else. */
static void test_agent_is_told_why(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;

    if (!sf_kernel_fences() || !sf_kernel()->mounts)
        test_not_run("this kernel has no such fences");
    agent_sandbox_file(w, ".env", "TOKEN=s3cr3t\n");
    agent_sandbox_file(w, "get.sh", "echo Could not resolve host: x; exit 6\n");
    agent_sandbox_file(w, "use.sh", "cat .env\n");
    agent_sandbox_file(w, "fine.sh", "echo Could not resolve host: x\n");
    server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC,
                                 "reply\n    call Bash {\"command\":\"sh fine.sh; sh fine.sh\"}\n"
                                 "reply\n    expect-lacks \"network was off\"\n"
                                 "    call Bash {\"command\":\"sh get.sh\"}\n"
                                 "reply\n    expect-contains \"network was off\"\n"
                                 "    call Bash {\"command\":\"sh use.sh\"}\n"
                                 "reply\n    expect-contains \".env is hidden from commands\"\n"
                                 "    expect-lacks \"s3cr3t\"\n    text \"told\"\n",
                                 NULL);
    sandbox_expect(w, "exec --permission-profile trusted --output-format stream-json go", 0,
                   "\"cage\":\"landlock", NULL);
    agent_sandbox_check(server, "told why");
}

/* By a file that says where to, so that it works for whoever runs it. */
#define EVIL_GIT(dir) \
    "git init -q " dir " && git -C " dir " config core.fsmonitor \"sh $PWD/evil.sh\""

/* A command leaves nothing behind that git would run, and the words say so. */
static void test_git_is_put_back(void **state)
{
    struct sandbox *w = *state;
    char *work = test_path(w->dir, "work"), *said;

    if (!sf_kernel_fences())
        test_not_run("this kernel has no such fences");
    agent_sandbox_file(w, "evil.sh", "touch $(dirname $0)/ran\n");
    sandbox_expect(w, "cage -- sh -c 'git init -q quiet'", 0, "", NULL);
    sandbox_expect(w, "cage -- sh -c '" EVIL_GIT("made") "'", 0, "", "[sf] Put back");
    said = tree_run(work, "cd made; git status >/dev/null 2>&1; ls ../ran 2>/dev/null", NULL);
    assert_string_equal(said, "");
    free(said);
    free(work);
}

/* The agent's commands, the one in the background too: when it has ended, asked for or not. */
static void test_agent_and_git(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    char *work = test_path(w->dir, "work"), *said;

    if (!sf_kernel_fences())
        test_not_run("this kernel has no such fences");
    agent_sandbox_file(w, "evil.sh", "touch $(dirname $0)/ran\n");
    agent_sandbox_file(w, "one.sh", EVIL_GIT("one") "\n");
    agent_sandbox_file(w, "two.sh", EVIL_GIT("two") "\n");
    agent_sandbox_file(w, "three.sh", EVIL_GIT("three") "; sleep 600\n");
    server = agent_sandbox_serve(
        w, SF_WIRE_ANTHROPIC,
        "reply\n    call Bash {\"command\":\"sh one.sh\"}\n"
        "reply\n    expect-contains \"one/.git/config (core.fsmonitor taken out)\"\n"
        "    call Bash {\"command\":\"sh two.sh\",\"run_in_background\":true}\n"
        "reply\n    call BashOutput {\"id\":1,\"wait_ms\":60000}\n"
        "reply\n    expect-contains \"two/.git/config (core.fsmonitor taken out)\"\n"
        "    call Bash {\"command\":\"sh three.sh\",\"run_in_background\":true}\n"
        "reply\n    text \"done\"\n",
        NULL);
    sandbox_expect(w, "exec --permission-profile trusted go", 0, "done", "Put back");
    agent_sandbox_check(server, "put back");
    sandbox_expect(w, "log --kind cage_aftermath", 0, "two/.git/config", NULL);
    said = tree_run(work,
                    "for d in one two three; do [ -d $d ] && ( cd $d; git status ) done "
                    ">/dev/null 2>&1; ls ran 2>/dev/null",
                    NULL);
    assert_string_equal(said, "");
    free(said);
    free(work);
}

/* A workspace that is in PATH lends no program, neither to a command nor to sf. */
static void test_programs_of_the_workspace(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf path = SF_STRBUF_INIT;

    free(tree_run(w->workspace,
                  "mkdir bin && for p in git sh bash ls; do printf '#!/bin/sh\\necho hostile\\n' "
                  "> bin/$p; done && chmod +x bin/*",
                  NULL));
    sf_strbuf_addf(&path, "PATH=%s/bin:.:/usr/local/bin:/usr/bin:/bin", w->workspace);
    for (size_t k = w->env.count; k > 0; k--)
        if (!strncmp(w->env.items[k - 1], "PATH=", 5))
            sf_strlist_remove(&w->env, k - 1);
    sf_strlist_add(&w->env, path.buf);
    sandbox_expect(w, "cage -- git --version", 0, "git version", NULL);
    sandbox_expect(w, "cage --as-judged -- 'git --version; ls bin/sh'", 0, "git version", NULL);
    sandbox_expect(w, "cage --as-judged -- bin/ls", 0, "hostile", NULL);
    sandbox_expect(w, "cage --explain", 0,
                   "/bin (of PATH: relative, or in the workspace)\n"
                   "unused    . (of PATH",
                   NULL);
    sf_strbuf_release(&path);
}

int main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_command),
        CASE(test_standard_input),
        CASE(test_workspace_is_home),
        CASE(test_off),
        CASE(test_memory),
        CASE(test_nothing_is_left),
        CASE(test_no_place_for_temporary_files),
        CASE(test_programs_of_the_workspace),
        CASE(test_agent_is_caged),
        CASE(test_agent_is_told_why),
        CASE(test_git_is_put_back),
        CASE(test_agent_and_git),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
