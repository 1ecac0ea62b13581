/*
 * Commands in the foreground: what they are given, how they end, what is told of them, and the
 * directory that lasts.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/child.h"
#include "support/shellcase.h"
#include "support/test.h"
#include "tools/output.h"
#include "tools/script.h"

static void expect(struct shellcase *c, const char *command, const char *want)
{
    const char *got = shell_run(c, command);

    if (strcmp(got, want) != 0)
        fail_msg("%s\ngot:  %s\nwant: %s", command, got, want);
}

static void expect_part(struct shellcase *c, const char *command, const char *want)
{
    const char *got = shell_run(c, command);

    if (!strstr(got, want))
        fail_msg("%s\ngot:  %s\nwant: … %s …", command, got, want);
}

static void test_every_exit_code(void **state)
{
    struct shellcase *c = *state;

    for (int code = 0; code < 256; code++) {
        struct sf_strbuf command = SF_STRBUF_INIT;
        char words[32];
        const char *text;

        sf_strbuf_addf(&command, "echo out; exit %d", code);
        snprintf(words, sizeof(words), "[exit code %d", code);
        text = shell_run(c, command.buf);
        assert_int_equal(shell_code(c), code);
        assert_int_equal(c->calls->call->result.is_error, code != 0);
        if (!strstr(text, words) != !code)
            fail_msg("exit %d: %s", code, text);
        sf_strbuf_release(&command);
    }
}

static const struct {
    const char *name, *command, *want;
} results[] = {
    { "output", "echo hello", "hello\n" },
    { "no newline at its end", "printf hello", "hello\n" },
    { "none at all", "true", "(no output)\n" },
    { "both streams in order", "echo a; echo b >&2; echo c; echo d >&2", "a\nb\nc\nd\n" },
    { "failure", "echo a; false", "a\n[exit code 1]\n" },
    { "failure without output", "exit 3", "(no output)\n[exit code 3]\n" },
    { "killed", "kill -KILL $$", "(no output)\n[ended by SIGKILL]\n" },
    { "terminated", "echo a; kill -TERM $$", "a\n[ended by SIGTERM]\n" },
    { "a program below it killed", "{ bash -c 'kill -9 $$'; } 2>/dev/null; exit $?",
      "(no output)\n[exit code 137, as after SIGKILL]\n" },
    { "colours", "printf '\\033[31mred\\033[0m\\n'", "red\n" },
    { "progress", "printf '1%%\\r2%%\\r3%%\\n'", "3%\n" },
    { "damage", "printf 'a\\377b\\n'", "a�b\n" },
    { "a terminal is not there", "[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo none", "none\n" },
    { "standard input is empty", "cat; read x || echo end; readlink /proc/self/fd/0",
      "end\n/dev/null\n" },
    { "no controlling terminal", "(: </dev/tty) 2>/dev/null || echo none", "none\n" },
    { "its own session", "[ \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$ ] && echo own", "own\n" },
    { "leftovers do not hold it", "sleep 1000 & echo done", "done\n" },
    { "nor do those of their own session", "setsid sleep 1000 & echo done", "done\n" },
    { "wait works", "(exit 4) & wait $!; echo $?", "4\n" },
};

static void test_results(void **state)
{
    for (size_t i = 0; i < SF_COUNT(results); i++) {
        const char *got = shell_run(*state, results[i].command);

        if (strcmp(got, results[i].want) != 0)
            fail_msg("%s: got %s", results[i].name, got);
    }
    assert_false(child_any_waiting());
}

/* Texts a wrapper could stumble over: each must do what `bash -c` does. */
static const char *const texts[] = {
    "echo a # comment",
    "echo a \\",
    "# nothing else",
    "echo 'a\nb'",
    "echo \"unfinished",
    "echo 'unfinished",
    "echo $(unfinished",
    "if",
    "echo a;; echo b",
    "echo one\n)\necho two",
    "}",
    "done",
    "cat <<X\na $((1 + 2))\nX",
    "cat <<'X'\n$HOME\nX\n",
    "cat <<X\nunfinished",
    "cat <<X && echo b\na\nX",
    "exit",
    "exit 7; echo no",
    "set -e; false; echo no",
    "set -e; false || true; echo yes; (exit 3); echo no",
    "set -eu; echo \"$nope\"; echo no",
    "set -o pipefail; false | true",
    "false; true",
    "! true",
    "(exit 5)",
    "f() { exit 9; }; f; echo no",
    "f() { return 8; }; f",
    "trap 'echo bye' EXIT; echo hi; exit 6",
    "trap 'exit 4' EXIT; true",
    "exec sh -c 'echo hi; exit 3'",
    "exec no-such-program-at-all",
    "echo $# \"$@\" $0",
    "set -- a b; echo $# $2",
    "echo $LINENO\necho $LINENO",
    "x=$(exit 7); echo $?",
    "exec >&-; echo no; exit 2",
    "exec 2>&-; echo yes",
    "set -C; echo yes",
    "set -f; echo *",
    "ulimit -f 0; exit 5",
    "set -a; x=1; env | grep -c '^__sf'",
    "eval 'echo \"$((6 * 7))\"'; eval 'exit 11'",
    "echo a | { read x; echo \"<$x>\"; exit 3; }",
    "[[ a == b ]]",
    "kill -USR1 $$",
    "cd /; exec pwd",
    "\n\necho late\n\n",
    "no-such-program-at-all 2>/dev/null",
    "\t echo blanks",
    "echo ü 漢 🙂",
};

static void test_texts_do_what_bash_does(void **state)
{
    for (size_t i = 0; i < SF_COUNT(texts); i++) {
        const char *argv[] = { "bash", "--noprofile", "--norc", "-c", texts[i], "bash", NULL };
        const struct sf_child_spec spec = { .argv = argv, .output_cap = 4096 };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_child_result want;
        const char *got = shell_run(*state, texts[i]);
        int code;

        assert_true(sf_child_run(&spec, &want, &err));
        code = want.how == SF_CHILD_SIGNALLED ? 128 + want.signo : want.code;
        if (shell_code(*state) != code)
            fail_msg("%s: code %d, not %d: %s", texts[i], shell_code(*state), code, got);
        if (strncmp(got, want.output[SF_CHILD_STREAM_OUT].buf,
                    want.output[SF_CHILD_STREAM_OUT].len) != 0 &&
            !want.output[SF_CHILD_STREAM_ERR].len)
            fail_msg("%s: %s", texts[i], got);
        sf_child_result_release(&want);
    }
}

static void test_a_dash_is_no_option(void **state)
{
    expect_part(*state, "-n", "-n: command not found");
    assert_int_equal(shell_code(*state), 127);
}

static void test_errors_count_the_lines_of_the_command(void **state)
{
    expect_part(*state, "true\n\nno-such-program-at-all", "line 3: no-such-program-at-all");
}

/* The child's shell prints its directory, and so does the next command's. */
static void expect_cwd(struct shellcase *c, const char *below)
{
    struct sf_strbuf want = SF_STRBUF_INIT;

    assert_string_equal(sf_toolbox_cwd(c->box), below);
    sf_strbuf_addf(&want, "%s%s%s\n", c->root.path, *below ? "/" : "", below);
    expect(c, "pwd -P", want.buf);
    sf_strbuf_release(&want);
}

static const struct {
    const char *name, *command, *below;
} moves[] = {
    { "into a directory", "mkdir -p a/b; cd a", "a" },
    { "further down", "cd b", "a/b" },
    { "nowhere", "true", "a/b" },
    { "in a subshell", "(cd ..)", "a/b" },
    { "up again", "cd ..", "a" },
    { "and failing", "cd b; false", "a/b" },
    { "and exiting", "cd ..; exit 3", "a" },
    { "and stopping at an error", "set -e; cd b; false; cd ..", "a/b" },
    { "and a syntax error", "cd ..\n)", "a" },
    { "under set -C, -x and -f", "set -Cxf; cd b", "a/b" },
    { "with the name of pwd taken", "pwd() { echo /; }; cd ..", "a" },
    { "exec leaves it as it was", "cd b; exec true", "a" },
    { "an own trap too", "cd b; trap : EXIT", "a" },
    { "and a kill", "cd b; kill -KILL $$", "a" },
    { "through a link, to where it leads",
      "ln -s a/b \"$OLDPWD/../ln\" 2>/dev/null; cd ..; "
      "ln -sfn a/b ln; cd ln",
      "a/b" },
    { "to the root", "cd ../..", "" },
    { "with blanks", "mkdir -p ' a  b '; cd ' a  b '", " a  b " },
    { "with a newline", "cd ..; mkdir -p $'new\\nline'; cd $'new\\nline'", "new\nline" },
    { "with newlines at the end", "cd ..; mkdir -p $'end\\n\\n'; cd $'end\\n\\n'", "end\n\n" },
    { "with quotes and a dollar", "cd ..; mkdir -p '$(x)\"'\\'; cd '$(x)\"'\\'", "$(x)\"'" },
    { "with bytes that are no text", "cd ..; mkdir -p $'\\377'; cd $'\\377'", "\377" },
    { "with a dash", "cd ..; mkdir -p ./-x; cd ./-x", "-x" },
};

static void test_directory_lasts(void **state)
{
    struct shellcase *c = *state;

    for (size_t i = 0; i < SF_COUNT(moves); i++) {
        const char *text = shell_run(c, moves[i].command);

        if (strcmp(sf_toolbox_cwd(c->box), moves[i].below) != 0)
            fail_msg("%s: in %s: %s", moves[i].name, sf_toolbox_cwd(c->box), text);
        if (strcmp(moves[i].below, "\377") != 0)
            expect_cwd(c, moves[i].below);
    }
}

static void test_directory_outside_does_not_last(void **state)
{
    struct shellcase *c = *state;
    char *beside = test_path(c->top, "work-too");

    assert_int_equal(mkdir(beside, 0700), 0);
    shell_run(c, "mkdir sub; cd sub");
    expect_part(c, "cd /; echo there",
                "there\n[/ is outside the workspace: the next command "
                "starts in sub again]\n");
    expect_cwd(c, "sub");
    expect_part(c, "cd ../../work-too", "work-too is outside the workspace");
    expect_cwd(c, "sub");
    free(beside);
}

static void test_directory_that_goes(void **state)
{
    struct shellcase *c = *state;

    shell_run(c, "mkdir -p sub/deep; cd sub/deep");
    expect_cwd(c, "sub/deep");
    shell_run(c, "rmdir ../deep");
    expect_part(c, "pwd -P", "[the directory sub/deep is gone: started in the workspace's root]");
    expect_cwd(c, "");
}

/* Commands are judged by where they start; a link in its place must not lead them elsewhere. */
static void test_directory_turned_into_a_link(void **state)
{
    struct shellcase *c = *state;

    shell_run(c, "mkdir sub; cd sub");
    shell_run(c, "cd ..; mv sub was; ln -s / sub; exec true");
    expect_part(c, "pwd -P", "is gone: started in the workspace's root");
    expect_cwd(c, "");
}

static void test_directory_set_from_outside(void **state)
{
    struct shellcase *c = *state;

    shell_run(c, "mkdir sub");
    sf_toolbox_set_cwd(c->box, "sub");
    expect_cwd(c, "sub");
    sf_toolbox_set_cwd(c->box, "nowhere");
    expect_part(c, "true", "is gone");
    sf_toolbox_set_cwd(c->box, "../..");
    expect_part(c, "true", "is gone");
    expect_cwd(c, "");
}

static void test_directory_for_one_command(void **state)
{
    struct shellcase *c = *state;
    const char *text;

    shell_run(c, "mkdir -p a b/c; cd a");
    text = shell_wait(c, shell_begin(c, "pwd; cd c; pwd", ", \"workdir\": \"b\""));
    assert_non_null(strstr(text, "/b\n"));
    assert_non_null(strstr(text, "/b/c\n"));
    expect_cwd(c, "a");
    text = shell_wait(c, shell_begin(c, "pwd", ", \"workdir\": \".\""));
    assert_int_equal(strncmp(text, c->root.path, strlen(c->root.path)), 0);
    text = shell_wait(c, shell_begin(c, "pwd", ", \"workdir\": \"nowhere\""));
    assert_null(c->calls->call);
    assert_non_null(strstr(text, "nowhere"));
}

/* Nothing is left of the files the directory is told in. */
static void test_nothing_is_left_behind(void **state)
{
    struct shellcase *c = *state;
    char *command;
    struct sf_strbuf sb = SF_STRBUF_INIT;

    for (int i = 0; i < 5; i++)
        shell_run(c, i % 2 ? "true" : "exec false");
    sf_strbuf_addf(&sb, "ls -A '%s' | grep -v \"${__sf_dir##*/}\"", c->spill);
    command = sf_strbuf_detach(&sb);
    expect(c, command, "(no output)\n[exit code 1]\n");
    free(command);
}

static void test_no_place_to_tell_it_in(void **state)
{
    struct shellcase *c = *state;

    test_write(c->spill, "a file", 6);
    expect_part(c, "echo hi; mkdir sub; cd sub", "hi\n[cd does not last: ");
    assert_string_equal(sf_toolbox_cwd(c->box), "");
}

static const struct {
    const char *name, *args, *words;
} refusals[] = {
    { "no command", "{}", "command" },
    { "an empty one", "{\"command\": \" \\n\"}", "the command is empty" },
    { "no string", "{\"command\": [\"ls\"]}", "command" },
    { "a timeout beyond the limit", "{\"command\": \"ls\", \"timeout\": 600001}", "timeout" },
    { "no timeout at all", "{\"command\": \"ls\", \"timeout\": 0}", "timeout" },
    { "another argument", "{\"command\": \"ls\", \"dir\": \"x\"}", "dir" },
};

static void test_refusals(void **state)
{
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        const char *got = shell_wait(*state, shell_start(*state, "Bash", refusals[i].args));

        if (((struct shellcase *)*state)->calls->call || !strstr(got, refusals[i].words))
            fail_msg("%s: %s", refusals[i].name, got);
    }
}

static void test_long_commands(void **state)
{
    struct shellcase *c = *state;
    struct sf_strbuf command = SF_STRBUF_INIT;

    sf_strbuf_adds(&command, "echo ");
    sf_strbuf_fill(&command, 'x', SF_SCRIPT_MAX - command.len - 7);
    sf_strbuf_adds(&command, " | wc -c"); /* one too many */
    expect_part(c, command.buf, "more than 131071 bytes");
    sf_strbuf_splice(&command, 5, 1, "", 0);
    expect(c, command.buf, "131059\n");
    sf_strbuf_release(&command);
}

static void test_environment(void **state)
{
    struct shellcase *c = *state;
    char *rc = test_path(c->dir, "rc"), *bash_env, *home;
    const char *env[] = { "PATH=.:/usr/bin:/bin", "TOKEN=listed", "SF_X=1", NULL, NULL, NULL };
    struct sf_strbuf sb = SF_STRBUF_INIT;

    test_write(rc, "echo sourced\n", 13);
    sf_strbuf_addf(&sb, "BASH_ENV=%s", rc);
    bash_env = sf_strbuf_detach(&sb);
    sf_strbuf_addf(&sb, "HOME=%s", c->dir);
    home = sf_strbuf_detach(&sb);
    env[3] = bash_env;
    env[4] = home;
    shell_run(c, "cp rc .bashrc; cp rc .profile; cp rc .bash_profile");
    shell_reopen(c, env);
    expect(c, "echo $TOKEN $SF_X $BASH_ENV $TERM $PAGER $PATH", "listed dumb cat /usr/bin:/bin\n");
    expect(c, "export A=1; b=2", "(no output)\n");
    expect(c, "echo $A$b", "\n");
    setenv("SERVICE_API_KEY", "secret", 1);
    setenv("SF_TEST", "x", 1);
    shell_reopen(c, NULL);
    expect(c, "env | grep -c 'SERVICE\\|^SF_\\|secret'", "0\n[exit code 1]\n");
    unsetenv("SERVICE_API_KEY");
    unsetenv("SF_TEST");
    free(home);
    free(bash_env);
    free(rc);
}

static void test_sh_where_there_is_no_bash(void **state)
{
    struct shellcase *c = *state;
    char *bin = test_path(c->dir, "bin"), *sh = test_path(bin, "sh");
    struct sf_strbuf path = SF_STRBUF_INIT;
    const char *env[] = { NULL, NULL };

    sf_strbuf_addf(&path, "PATH=%s", bin);
    env[0] = path.buf;
    assert_int_equal(mkdir(bin, 0700), 0);
    assert_int_equal(symlink("/bin/sh", sh), 0);
    shell_reopen(c, env);
    expect(c, "echo \"$0 $#\"; cd bin; exit 3", "sh 0\n[exit code 3]\n");
    assert_string_equal(sf_toolbox_cwd(c->box), "bin");
    sf_strbuf_release(&path);
    free(sh);
    free(bin);
}

static void test_descriptors(void **state)
{
    int extra = dup(1); /* inheritable, as a careless library would leave it */

    expect(*state,
           "i=3; while [ $i -lt 200 ]; do [ -e /proc/$$/fd/$i ] && [ $i != 255 ] && echo $i; "
           "i=$((i+1)); done; echo end",
           "end\n");
    close(extra);
}

static void test_live_output(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *call;

    shell_fifo(c, "go");
    call = shell_begin(c, "printf '\\033[1mready'; read x <go; echo \" $x\"", "");
    shell_until(c, call, "\033[1mready");
    assert_false(call->done);
    shell_release(c, "go");
    assert_string_equal(shell_wait(c, call), "ready go\n");
    assert_string_equal(call->live.buf, "\033[1mready go\n");
}

/* Each needs the other to get on. */
static void test_side_by_side(void **state)
{
    struct shellcase *c = *state;
    struct shell_call *one, *two;

    shell_fifo(c, "to-one");
    shell_fifo(c, "to-two");
    one = shell_begin(c, "echo ping >to-two; read x <to-one; echo one $x", "");
    two = shell_begin(c, "read x <to-two; echo pong >to-one; echo two $x", "");
    assert_string_equal(shell_wait(c, two), "two ping\n");
    assert_string_equal(shell_wait(c, one), "one pong\n");
}

/* The whole tree goes, also what forked twice, left the session or ignores SIGTERM. */
static void test_cancel(void **state)
{
    struct shellcase *c = *state;
    struct sf_strbuf command = SF_STRBUF_INIT;
    struct shell_call *call;

    sf_strbuf_addf(&command,
                   "(setsid sh -c 'trap \"\" TERM; sleep 1000.%s & wait' &) ; sleep 1000.%s & "
                   "trap '' TERM; echo ready; sleep 1000.%s; wait",
                   c->marker, c->marker, c->marker);
    call = shell_begin(c, command.buf, "");
    shell_until(c, call, "ready");
    sf_toolbox_cancel(c->box, call->call);
    sf_toolbox_cancel(c->box, call->call);
    assert_string_equal(shell_wait(c, call), "ready\n[cancelled: ended with all it had started]\n");
    assert_int_equal(child_count_marked(c->marker), 0);
    assert_int_equal(call->call->result.exit_code, -1);
    assert_true(call->call->result.is_error);
    assert_false(child_any_waiting());
    sf_strbuf_release(&command);
}

#define AT_LEISURE ", \"timeout\": 600000" /* what takes longer goes to the background */

static void test_flood(void **state)
{
    struct shellcase *c = *state;
    const char *text = shell_wait(
        c, shell_begin(c, "yes 'a line of some length' | head -c 104857600", AT_LEISURE));
    const char *file = strstr(text, c->spill);
    struct stat st;
    char *path;

    assert_true(strlen(text) < SF_OUTPUT_SHOWN + 500);
    assert_non_null(strstr(text, "holds the first 64 MiB"));
    assert_non_null(file);
    path = sf_strndup(file, strcspn(file, " "));
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= SF_OUTPUT_KEPT && st.st_size > SF_OUTPUT_KEPT - 100);
    assert_non_null(strstr(c->calls->call->result.summary, " lines"));
    free(path);
}

/* One line of 30 MB, which no window can cut at its end. */
static void test_flood_of_one_line(void **state)
{
    const char *text = shell_wait(
        *state, shell_begin(*state, "head -c 30000000 /dev/zero | tr '\\0' x", AT_LEISURE));

    assert_true(strlen(text) < SF_OUTPUT_SHOWN + 500);
    assert_non_null(strstr(text, "left out here"));
}

/* What a hostile repository would run, if it could: each leaves a file of its name. */
static const char hostile[] =
    "set -e; git init -q .; git config user.name x; git config user.email x@x;"
    "echo one >a; echo one >b; git add a b; git commit -qm one; echo two >a;"
    "signed=$(git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\\n"
    " \\\n x\\\n -----END PGP SIGNATURE-----' | git hash-object -t commit -w --stdin);"
    "git update-ref HEAD $signed; git tag v1;"
    "for i in fsmonitor pager signature alias hook ext; do"
    "  printf '#!/bin/sh\\necho ran-%s >>\"%s/ran\"\\n' $i \"$PWD\" >$i; chmod +x $i; done;"
    "git config core.fsmonitor \"$PWD/fsmonitor\"; git config core.pager \"$PWD/pager\";"
    "git config pager.log \"$PWD/pager\"; git config pager.status true;"
    "git config log.showSignature true; git config gpg.program \"$PWD/signature\";"
    "git config alias.st \"!$PWD/alias\"; git config alias.status \"!$PWD/alias\";"
    "git config alias.log \"!$PWD/alias\"; git config core.editor \"$PWD/pager\";"
    "git config sequence.editor \"$PWD/pager\"; cp hook .git/hooks/post-index-change;"
    "mkdir -p bare/objects bare/refs; echo ref: refs/heads/x >bare/HEAD;"
    "printf '[core]\\nbare = true\\nfsmonitor = %s\\n' \"$PWD/fsmonitor\" >bare/config";

static const char *const git_reads[] = {
    "git status",
    "git log",
    "git diff",
    "git log -p",
    "git show",
    "git st",
    "git diff HEAD",
    "git diff --stat",
    "git blame a",
    "git log --stat",
    "git ls-files -m",
    "git branch -a",
    "git describe --tags",
    "git -p log",
    "git stash list",
    "git grep -n two",
    "(cd bare && git status) || true",
    "(cd bare && git log) || true",
};

static void test_hostile_repository(void **state)
{
    struct shellcase *c = *state;
    const char *text;

    if (strstr(shell_run(c, "git --version"), "not found"))
        test_not_run("there is no git");
    text = shell_run(c, hostile);
    if (shell_code(c) != 0)
        fail_msg("%s", text);
    for (size_t i = 0; i < SF_COUNT(git_reads); i++) {
        shell_run(c, "rm -f ran; touch -d 2001-01-01 a b");
        text = shell_run(c, git_reads[i]);
        if (shell_code(c) != 0)
            fail_msg("%s fails: %s", git_reads[i], text);
        if (access("ran", F_OK) == 0)
            fail_msg("%s: %s", git_reads[i], shell_run(c, "cat ran"));
    }
    expect_part(c, "git diff", "+two");
    expect_part(c, "cd bare && git rev-parse --git-dir", "cannot use bare repository");
}

/* An object that is missing would be fetched, by a program the configuration names. */
static void test_git_fetches_nothing_unasked(void **state)
{
    struct shellcase *c = *state;
    const char *text;

    if (strstr(shell_run(c, "git --version"), "not found"))
        test_not_run("there is no git");
    shell_run(c, hostile);
    shell_run(c, "git config remote.o.url \"$PWD\"; git config remote.o.uploadpack \"$PWD/ext\"; "
                 "git config remote.o.promisor true; git config extensions.partialClone o; "
                 "git config core.repositoryFormatVersion 1; rm -f ran");
    text = shell_run(c, "git cat-file -p 1234567890123456789012345678901234567890; cat ran");
    assert_null(strstr(text, "ran-ext"));
    text = shell_run(c, "export GIT_NO_LAZY_FETCH=0; "
                        "git cat-file -p 1234567890123456789012345678901234567890; cat ran");
    assert_non_null(strstr(text, "ran-ext")); /* it would have */
}

/* The list is true: each of its settings still runs what it names, with this git. */
static void test_what_git_still_obeys(void **state)
{
    static const char attributes[] = "a diff=x filter=x";
    struct shellcase *c = *state;

    if (strstr(shell_run(c, "git --version"), "not found"))
        test_not_run("there is no git");
    shell_run(c, hostile);
    for (size_t i = 0; sf_script_git_obeys[i]; i++) {
        struct sf_strbuf command = SF_STRBUF_INIT;
        char *key = sf_strdup(sf_script_git_obeys[i]), *star = strchr(key, '*');

        if (star)
            *star = 'x';
        sf_strbuf_addf(&command,
                       "rm -f ran; touch a; echo '%s' >.git/info/attributes; "
                       "git config %s \"$PWD/ext\"; (git diff; git log -p) >/dev/null 2>&1; "
                       "git config --unset %s; cat ran",
                       attributes, key, key);
        if (!strstr(shell_run(c, command.buf), "ran-ext"))
            fail_msg("%s is off now: take it from the list", key);
        sf_strbuf_release(&command);
        free(key);
    }
}

static void test_git_can_still_write(void **state)
{
    struct shellcase *c = *state;

    if (strstr(shell_run(c, "git --version"), "not found"))
        test_not_run("there is no git");
    shell_run(c, "git init -q . && git config user.name x && git config user.email x@x && "
                 "printf '#!/bin/sh\\necho hooked\\n' >.git/hooks/pre-commit && "
                 "chmod +x .git/hooks/pre-commit && echo a >a && git add a");
    expect_part(c, "git commit -m first", "hooked");
    assert_int_equal(shell_code(c), 0);
    expect(c, "git log --format=%s", "first\n");
    expect_part(c, "echo b >a; git commit -a", "there is no editor here");
    assert_int_equal(shell_code(c), 1);
    expect_part(
        c,
        "GIT_EDITOR=true git commit --amend -a; git worktree add -q ../wt; git -C ../wt log "
        "--format=%s",
        "first\n");
    expect_part(c, "git clone -q --bare . ../bare.git; git --git-dir=../bare.git log --format=%s",
                "first\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SHELL(test_results),
        WITH_SHELL(test_every_exit_code),
        WITH_SHELL(test_texts_do_what_bash_does),
        WITH_SHELL(test_a_dash_is_no_option),
        WITH_SHELL(test_errors_count_the_lines_of_the_command),
        WITH_SHELL(test_directory_lasts),
        WITH_SHELL(test_directory_outside_does_not_last),
        WITH_SHELL(test_directory_that_goes),
        WITH_SHELL(test_directory_turned_into_a_link),
        WITH_SHELL(test_directory_set_from_outside),
        WITH_SHELL(test_directory_for_one_command),
        WITH_SHELL(test_nothing_is_left_behind),
        WITH_SHELL(test_no_place_to_tell_it_in),
        WITH_SHELL(test_refusals),
        WITH_SHELL(test_long_commands),
        WITH_SHELL(test_environment),
        WITH_SHELL(test_sh_where_there_is_no_bash),
        WITH_SHELL(test_descriptors),
        WITH_SHELL(test_live_output),
        WITH_SHELL(test_side_by_side),
        WITH_SHELL(test_cancel),
        WITH_SHELL(test_flood),
        WITH_SHELL(test_flood_of_one_line),
        WITH_SHELL(test_hostile_repository),
        WITH_SHELL(test_git_fetches_nothing_unasked),
        WITH_SHELL(test_what_git_still_obeys),
        WITH_SHELL(test_git_can_still_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
