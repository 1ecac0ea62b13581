/*
 * Work that must go on inside a cage: building, testing, committing, pipes, jobs, terminals,
 * temporary files, servers of one's own. Tried with all this kernel has, and without namespaces.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cagecase.h"
#include "support/test.h"
#include "support/tree.h"

enum { SPACES = 1 }; /* works with namespaces alone */

/* clang-format off */
static const struct {
    const char *name;
    const char *needs; /* a program that may be missing, or NULL */
    const char *script;
    const char *want; /* what it prints last */
    int flags;
} cases[] = {
    { "files in the workspace", NULL,
      "echo a > a && cat a && mkdir -p d/e && mv a d/e/ && mv d/e/a d/b && rm -r d && ln -s own.txt l && "
      "cat l && rm l && touch -d 2020-01-01 own.txt && chmod 600 own.txt && chmod 644 own.txt && echo done",
      "done\n", 0 },
    { "in place with sed", NULL, "echo abc > f && sed -i s/b/x/ f && cat f && rm f", "axc\n", 0 },
    { "the usual devices", NULL,
      "echo x > /dev/null && head -c 3 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c && "
      "echo err > /dev/stderr && echo out > /dev/stdout", "out\n", 0 },
    { "temporary files", NULL,
      "f=$(mktemp) && echo x > $f && cat $f && d=$(mktemp -d) && touch $d/y && rm -r $f $d && echo done", "done\n", 0 },
    { "temporary files in /tmp", NULL, "echo x > /tmp/file && cat /tmp/file && rm /tmp/file", "x\n", SPACES },
    { "pipes and here-documents", NULL,
      "seq 1000 | sort -rn | head -1; cat <<E | tr a b\naaa\nE\necho $(( $(seq 10 | wc -l) + 1 ))", "11\n", 0 },
    { "process substitution and named pipes", "bash",
      "bash -c 'diff <(echo a) <(echo a) && mkfifo p && (echo through > p &) && cat p && rm p'", "through\n", 0 },
    { "jobs", "bash", "bash -c 'sleep 0.01 & wait $! && set -m && (sleep 0.01 &) && kill -0 $$ && jobs; echo done'",
      "done\n", 0 },
    { "signals among themselves", NULL, "sleep 50 & kill $! && wait $! ; echo $?", "143\n", 0 },
    { "limits and traps", NULL, "trap 'echo bye' EXIT; ulimit -c; exit 0", "bye\n", 0 },
    { "one's own limits and priority", "prlimit",
      "ulimit -n 100 && ulimit -n && nice -n 3 nice && taskset -c 0 true && ionice -c 3 true && chrt -b 0 true && "
      "prlimit --nofile=50:50 sh -c 'ulimit -n' && prlimit --pid $PPID --nofile > /dev/null && echo done", "done\n", 0 },
    { "make that looks at the load", "make",
      "printf 'all: a b\\na b:\\n\\t@echo x > $@\\n' > Makefile && make -s -j4 -l 8 && cat a b && rm Makefile a b", "x\n", 0 },
    { "python with limits", "/usr/bin/python3",
      "/usr/bin/python3 -c 'import os,resource,subprocess\nresource.setrlimit(resource.RLIMIT_NOFILE,(64,64))\n"
      "os.nice(1)\nos.sched_setaffinity(0,os.sched_getaffinity(0))\n"
      "subprocess.run([\"true\"],preexec_fn=lambda:resource.setrlimit(resource.RLIMIT_CPU,(9,9)),check=True)\n"
      "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])'", "64\n", 0 },
    { "reading outside", NULL, "cat $OUT/victim.txt && cat $HOME/plain.txt && cat $OUT/cfg/tool/settings && cat $HOME/.config/tool/settings", "colour\n", 0 },
    { "listing the home", NULL, "ls -a $HOME | grep -c . > /dev/null && echo done", "done\n", 0 },
    { "locales and time zones", NULL, "LC_ALL=C.UTF-8 locale charmap; TZ=Europe/Berlin date +%Z > /dev/null; echo done", "done\n", 0 },
    { "names of users", NULL, "id -un > /dev/null; getent passwd root | cut -d: -f1; ls -l own.txt > /dev/null; echo done", "done\n", 0 },
    { "git status, add, commit, branch, stash, log", "git",
      "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
      "echo two > two && git status --short && git add two && git commit -qm two && git branch side && "
      "git checkout -q side && echo more >> two && git stash -q && git stash pop -q && git checkout -q two && "
      "git checkout -q - && git gc -q && git log --oneline | wc -l", "3\n", 0 },
    { "git worktrees and diffs", "git",
      "git worktree add -q wt && ls wt && git worktree remove wt && git diff --stat HEAD && echo done", "done\n", 0 },
    { "a C program", "gcc",
      "printf '#include <stdio.h>\\nint main(void){puts(\"built\");return 0;}' > m.c && gcc -O1 -o m m.c && ./m && rm m m.c",
      "built\n", 0 },
    { "a C program under the address sanitizer", "gcc",
      "printf '#include <stdlib.h>\\n#include <stdio.h>\\nint main(void){char*p=malloc(3);free(p);puts(\"clean\");}' > m.c && "
      "gcc -fsanitize=address -o m m.c && ./m && rm m m.c", "clean\n", 0 },
    { "make, in parallel", "make",
      "printf 'all: a b\\na b:\\n\\t@echo x > $@\\n' > Makefile && make -s -j4 && cat a b && rm Makefile a b", "x\n", 0 },
    { "a CMake project with a test", "cmake",
      "mkdir c && cd c && printf 'int main(void){return 0;}' > m.c && "
      "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(p C)\\nenable_testing()\\nadd_executable(m m.c)\\n"
      "add_test(NAME t COMMAND m)\\n' > CMakeLists.txt && cmake -S . -B build > log 2>&1 && "
      "cmake --build build >> log 2>&1 && cd build && ctest 2>&1 | grep -c 'tests passed' ; cd ../..; rm -rf c", "1\n", 0 },
    { "python with tests", "/usr/bin/python3",
      "printf 'import unittest,tempfile,subprocess\\nclass T(unittest.TestCase):\\n"
      "  def test(self):\\n    with tempfile.TemporaryDirectory() as d: open(d+\"/x\",\"w\").write(\"y\")\\n"
      "    self.assertEqual(subprocess.check_output([\"echo\",\"a\"]),b\"a\\\\n\")\\n' > t.py && "
      "/usr/bin/python3 -m unittest t 2>&1 | tail -1; rm -rf t.py __pycache__", "OK\n", 0 },
    { "python with processes", "/usr/bin/python3",
      "/usr/bin/python3 -c 'import multiprocessing as m\nwith m.Pool(2) as p: print(sum(p.map(abs,[-1,-2])))'", "3\n", SPACES },
    { "a server of one's own", "/usr/bin/python3",
      "/usr/bin/python3 -c 'import socket,threading\ns=socket.create_server((\"127.0.0.1\",0))\n"
      "threading.Thread(target=lambda:s.accept()[0].send(b\"x\")).start()\n"
      "print(socket.create_connection(s.getsockname()).recv(1).decode())'", "x\n", SPACES },
    { "a local socket of one's own", "/usr/bin/python3",
      "/usr/bin/python3 -c 'import socket\ns=socket.socket(socket.AF_UNIX)\ns.bind(\"sock\")\ns.listen()\n"
      "c=socket.socket(socket.AF_UNIX)\nc.connect(\"sock\")\nprint(1)'; rm -f sock", "1\n", SPACES },
    { "a pair of sockets", "/usr/bin/python3",
      "/usr/bin/python3 -c 'import socket\na,b=socket.socketpair()\na.send(b\"x\")\nprint(b.recv(1).decode())'", "x\n", 0 },
    { "perl", "perl", "perl -e 'print join(\",\", map { $_*2 } 1..3), \"\\n\"'", "2,4,6\n", 0 },
    { "node", "node",
      "printf 'const fs=require(\"fs\"),cp=require(\"child_process\");fs.writeFileSync(\"n\",\"x\");"
      "console.log(cp.execSync(\"cat n\").toString());' > n.js && node n.js; rm -f n n.js; echo done", "done\n", 0 },
    { "a terminal of one's own", "script", "script -qec 'test -t 0 && echo tty' /dev/null | tr -d '\\r'", "tty\n", 0 },
    { "a program of the workspace", NULL, "printf '#!/bin/sh\\necho ran\\n' > r && chmod +x r && ./r && rm r", "ran\n", 0 },
    { "archives", NULL, "tar czf a.tgz own.txt sub && mkdir x && tar xzf a.tgz -C x && cat x/own.txt && rm -r x a.tgz", "own\n", 0 },
    { "find, xargs, grep", NULL, "find . -name '*.txt' -not -path './.git/*' | xargs grep -l other", "./sub/other.txt\n", 0 },
    { "locks", "flock", "flock lock echo held && rm lock", "held\n", 0 },
    { "who one is", NULL, "test $(id -u) = $(stat -c %u own.txt) && touch mine && test $(stat -c %u mine) = $(id -u) && rm mine && echo same", "same\n", 0 },
};
/* clang-format on */

static bool is_there(const char *program)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    char *out;
    bool there;

    sf_strbuf_addf(&command, "command -v %s || :", program);
    out = tree_run("/", command.buf, NULL);
    there = *out;
    free(out);
    sf_strbuf_release(&command);
    return there;
}

static unsigned run_cases(struct cage_sandbox *w, const struct sf_kernel *kernel)
{
    struct sf_cage_plan plan;
    unsigned wrong = 0;

    cage_sandbox_plan(w, &plan);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_child_result *r;
        size_t want = strlen(cases[i].want);

        if ((cases[i].needs && !is_there(cases[i].needs)) ||
            ((cases[i].flags & SPACES) && !kernel->mounts))
            continue;
        r = cage_sandbox_run(w, kernel, &plan, cases[i].script);
        if (r->output[0].len < want ||
            strcmp(r->output[0].buf + r->output[0].len - want, cases[i].want) != 0) {
            print_error("%s: exit %d\n%s\n", cases[i].name, r->code, r->output[0].buf);
            wrong++;
        }
        if (cage_sandbox_damage(w)) {
            print_error("%s: changed something outside\n", cases[i].name);
            wrong++;
        }
    }
    sf_cage_plan_release(&plan);
    return wrong;
}

static void test_work_goes_on(void **state)
{
    assert_int_equal(run_cases(*state, sf_kernel()), 0);
}

static void test_work_goes_on_without_namespaces(void **state)
{
    struct sf_kernel kernel = *sf_kernel();

    kernel.mounts = kernel.nets = false;
    assert_int_equal(run_cases(*state, &kernel), 0);
}

/* ---- what the verdict opens ---- */

static void test_network_when_allowed(void **state)
{
    struct cage_sandbox *w = *state;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    plan.network = true;
    assert_int_equal(cage_sandbox_run(w, sf_kernel(), &plan, "$PROBE tcp $TCP")->code, 0);
    assert_string_equal(cage_sandbox_damage(w), "reached a service over TCP");
    cage_sandbox_run(w, sf_kernel(), &plan, "$PROBE unix $SOCK; $PROBE abstract $ABSTRACT");
    if (sf_kernel()->landlock >= 6)
        assert_null(cage_sandbox_damage(w));
    sf_cage_plan_release(&plan);
}

static void test_git_settings_when_it_is_git(void **state)
{
    struct cage_sandbox *w = *state;
    const char *git_dirs[] = { w->git, NULL };
    const struct sf_cage_wish wish = {
        .root = w->ws, .home = w->home, .git_dirs = git_dirs, .git_settings = true
    };
    struct sf_cage_plan plan;

    sf_cage_plan_make(&plan, &wish);
    assert_int_equal(cage_sandbox_run(w, sf_kernel(), &plan, "git config a.b c")->code, 0);
    sf_cage_plan_release(&plan);
}

static void test_files_that_were_allowed(void **state)
{
    struct cage_sandbox *w = *state;
    char *key = test_path(w->home, ".ssh/config"), *victim = test_path(w->outside, "victim.txt");
    const char *reads[] = { key, w->home, NULL }, *writes[] = { victim, NULL };
    const struct sf_cage_wish wish = {
        .root = w->ws, .home = w->home, .may_read = reads, .may_write = writes
    };
    const struct sf_child_result *r;
    struct sf_cage_plan plan;

    sf_cage_plan_make(&plan, &wish);
    r = cage_sandbox_run(w, sf_kernel(), &plan, "cat $HOME/.ssh/config");
    assert_string_equal(r->output[0].buf, CAGE_SECRET "\n");
    cage_sandbox_run(w, sf_kernel(), &plan, "cat $HOME/.ssh/id_rsa; touch $OUT/new");
    assert_null(cage_sandbox_damage(w));
    cage_sandbox_run(w, sf_kernel(), &plan, "echo x > $OUT/victim.txt");
    assert_string_equal(cage_sandbox_damage(w), "changed files");
    sf_cage_plan_release(&plan);
    free(key);
    free(victim);
}

static void test_require_refuses(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_kernel bare = { .seccomp = true, .mounts = true, .nets = true };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    plan.need = SF_CAGE_NEED_REQUIRE;
    assert_null(sf_cage_new(&plan, &bare, NULL, &err));
    assert_non_null(strstr(err.msg, "cannot confine"));
    assert_non_null(strstr(err.hint, "guard.cage"));
    sf_cage_plan_release(&plan);
}

/* ---- limits ---- */

static void test_no_core_and_no_endless_file(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_child_result *r;
    struct sf_cage_plan plan;
    struct stat st;
    char *big = test_path(w->ws, "big");

    cage_sandbox_plan(w, &plan);
    plan.limits.file_bytes = 65536;
    r = cage_sandbox_run(w, sf_kernel(), &plan, "ulimit -c; head -c 10000000 /dev/zero > big");
    assert_memory_equal(r->output[0].buf, "0\n", 2);
    assert_int_equal(stat(big, &st), 0);
    assert_int_equal(st.st_size, 65536);
    sf_cage_plan_release(&plan);
    free(big);
}

/* Root is exempt from the count; there the supervisor's end of everything is what bounds it. */
static void test_fork_bomb_ends(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_child_result *r;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    plan.limits.processes = 64;
    r = cage_sandbox_run(w, sf_kernel(), &plan,
                         "i=0; while [ $i -lt 150 ]; do sleep 60 & i=$((i+1)); done; echo all");
    if (geteuid() != 0)
        assert_null(strstr(r->output[0].buf, "all"));
    assert_int_equal(r->left_count, 0);
    sf_cage_plan_release(&plan);
}

/* ---- a trusted session ---- */

static void test_trust_opens_all_but_secrets(void **state)
{
    struct cage_sandbox *w = *state;
    struct sf_cage_plan plan;

    cage_sandbox_plan(w, &plan);
    plan.trusted = true;
    cage_sandbox_run(w, sf_kernel(), &plan,
                     "cat $HOME/.ssh/id_rsa; echo x > $HOME/.ssh/authorized_keys; echo x > "
                     "$STATE/store.db; echo evil > .git/hooks/pre-commit; true");
    if (sf_kernel()->mounts)
        assert_null(cage_sandbox_damage(w));
    cage_sandbox_run(w, sf_kernel(), &plan, "echo x > $OUT/victim.txt");
    assert_string_equal(cage_sandbox_damage(w), "changed files");
    sf_cage_plan_release(&plan);
}

/* The socket of an agent that the user lends, and no other. */
static void test_socket_that_was_allowed(void **state)
{
    struct cage_sandbox *w = *state;
    char *sock = test_path(w->outside, "agent.sock");
    const char *reads[] = { sock, NULL };
    const struct sf_cage_wish wish = {
        .root = w->ws, .home = w->home, .temp = w->temp, .may_read = reads
    };
    struct sf_cage_plan plan;

    sf_cage_plan_make(&plan, &wish);
    if (sf_kernel()->mounts) { /* without, local sockets cannot be made at all */
        cage_sandbox_run(w, sf_kernel(), &plan, "$PROBE unix $SOCK");
        assert_string_equal(cage_sandbox_damage(w), "reached a local socket");
    }
    cage_sandbox_run(w, sf_kernel(), &plan, "$PROBE unix $TMPSOCK");
    assert_null(cage_sandbox_damage(w));
    sf_cage_plan_release(&plan);
    free(sock);
}

static int run_group(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, cage_sandbox_setup, cage_sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_work_goes_on),
        CASE(test_work_goes_on_without_namespaces),
        CASE(test_network_when_allowed),
        CASE(test_git_settings_when_it_is_git),
        CASE(test_files_that_were_allowed),
        CASE(test_require_refuses),
        CASE(test_no_core_and_no_endless_file),
        CASE(test_fork_bomb_ends),
        CASE(test_trust_opens_all_but_secrets),
        CASE(test_socket_that_was_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    int failed = cage_as_user(run_group);

    return run_group() + failed;
}
