/*
 * Programs and variables of a command, at every strength of cage, by root and by an ordinary user:
 * a workspace that has its own git, sh and ls and is in PATH in one way or another, and commands as
 * sf runs them. None of its programs is run, ordinary variables arrive, and secrets do not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cage_strength.h"
#include "support/cagecase.h"
#include "support/test.h"
#include "support/tree.h"
#include "tools/tools.h"

#define SYSTEM "/usr/local/bin:/usr/bin:/bin"

/* Each is somebody's own program in these directories of the workspace. */
static const char *const hostile[] = { "git", "sh", "bash", "ls", "cat", "env", "id" };
static const char *const dirs[] = { "bin", "node_modules/.bin", "." };

/* What is written for WS and OUT is their path. */
static const struct {
    const char *name, *path;
    const char *before; /* a command of the agent's that makes the directory; or NULL */
} ways[] = {
    { "a directory of the workspace", "WS/bin:" SYSTEM, NULL },
    { "the workspace itself", "WS:" SYSTEM, NULL },
    { "packages' programs", "WS/node_modules/.bin:" SYSTEM, NULL },
    { "several", "WS/bin:.:WS/node_modules/.bin:" SYSTEM, NULL },
    { "with dots in it", "WS/./bin/../bin/:" SYSTEM, NULL },
    { "by way of the outside", "OUT/../ws/bin:" SYSTEM, NULL },
    { "a link outside", "OUT/way:" SYSTEM, NULL },
    { "a link to a link", "OUT/way2:" SYSTEM, NULL },
    { "a link to the workspace", "OUT/root/bin:" SYSTEM, NULL },
    { "a relative one", "bin:" SYSTEM, NULL },
    { "a relative one below", "node_modules/.bin:" SYSTEM, NULL },
    { "where one stands", ".:" SYSTEM, NULL },
    { "an empty one, first", ":" SYSTEM, NULL },
    { "an empty one, between", "/usr/local/bin::" SYSTEM, NULL },
    { "an empty one, last", "OUT/tools:", NULL },
    { "nothing", "", NULL },
    { "where the process stands", "/proc/self/cwd/bin:" SYSTEM, NULL },
    { "one that is made later", "WS/later:" SYSTEM, "mkdir -p later; cp -f bin/* later" },
    { "below one that is made later", "WS/later/x/bin:" SYSTEM,
      "mkdir -p later/x/bin; cp -f bin/* later/x/bin" },
    { "a link to one that is made later", "OUT/dangling:" SYSTEM,
      "mkdir -p later; cp -f bin/* later" },
};

static const char use[] =
    "git --version; ls -d .; sh -c :; bash -c :; env true; cat own.txt; id -u; "
    "command -v git ls sh bash; echo over";

/* clang-format off */
static const char *const ordinary[] = {
    "JAVA_HOME=/opt/java", "GOPATH=/srv/go", "GOFLAGS=-mod=mod", "VIRTUAL_ENV=/srv/venv", "CC=clang",
    "CFLAGS=-O2", "CI=true", "NODE_ENV=test", "RUSTFLAGS=-g", "CARGO_HOME=/srv/cargo",
    "PYTHONPATH=lib", "MAKEFLAGS=-j2", "LANG=C.UTF-8", "EDITION=7", "http_proxy=http://proxy:3128",
};
static const char *const secret[] = {
    "OPENAI_API_KEY=s3cr3t", "GITHUB_TOKEN=s3cr3t", "AWS_SECRET_ACCESS_KEY=s3cr3t",
    "DB_PASSWORD=s3cr3t", "DATABASE_URL=postgres://u:s3cr3t@h/d", "https_proxy=http://u:s3cr3t@h:1",
    "SSH_AUTH_SOCK=/s3cr3t", "NPM_CONFIG__AUTH=s3cr3t", "SF_HOME=/s3cr3t", "LD_PRELOAD=/s3cr3t",
};
/* clang-format on */

static void put_program(const struct cage_sandbox *w, const char *dir, const char *name)
{
    char *path;
    struct sf_strbuf at = SF_STRBUF_INIT;

    sf_strbuf_addf(&at, "%s/%s", dir, name);
    tree_puts(w->ws, at.buf, "#!/bin/sh\necho hostile ${0##*/}\n");
    path = test_path(w->ws, at.buf);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
    sf_strbuf_release(&at);
}

static void put_link(const struct cage_sandbox *w, const char *to, const char *name)
{
    char *target = test_path(w->ws, to), *path = test_path(w->outside, name);

    assert_int_equal(symlink(target, path), 0);
    free(target);
    free(path);
}

static int setup(void **state)
{
    struct cage_sandbox *w;

    cage_sandbox_setup(state);
    w = *state;
    for (size_t d = 0; d < SF_COUNT(dirs); d++)
        for (size_t i = 0; i < SF_COUNT(hostile); i++)
            put_program(w, dirs[d], hostile[i]);
    free(tree_run(w->outside, "mkdir tools && ln -s /usr/bin/* tools && rm -f tools/git", NULL));
    put_link(w, "bin", "way");
    put_link(w, "../outside/way", "way2");
    put_link(w, ".", "root");
    put_link(w, "later", "dangling");
    sf_env_distrust(w->ws);
    return 0;
}

static int teardown(void **state)
{
    sf_env_distrust("/");
    return cage_sandbox_teardown(state);
}

static void fill_in(const struct cage_sandbox *w, const char *path, struct sf_strbuf *out)
{
    while (*path) {
        const char *dir = !strncmp(path, "WS", 2)    ? w->ws
                          : !strncmp(path, "OUT", 3) ? w->outside
                                                     : NULL;

        if (dir) {
            sf_strbuf_adds(out, dir);
            path += strspn(path, "WSOUT");
        } else {
            sf_strbuf_addch(out, *path++);
        }
    }
}

/* The environment of the user who has started sf. */
static void fill_given(const struct cage_sandbox *w, const char *path, struct sf_strlist *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    fill_in(w, path, &text);
    sf_strlist_addf(out, "PATH=%s", text.len ? text.buf : "");
    sf_strlist_addf(out, "HOME=%s", w->home);
    for (size_t i = 0; i < SF_COUNT(ordinary); i++)
        sf_strlist_add(out, ordinary[i]);
    for (size_t i = 0; i < SF_COUNT(secret); i++)
        sf_strlist_add(out, secret[i]);
    sf_strbuf_release(&text);
}

/* As sf runs the text; what was printed belongs to the sandbox. */
static const char *run_as_sf(struct cage_sandbox *w, const struct sf_kernel *kernel,
                             const char *path, const char *text)
{
    struct sf_strlist given = SF_STRLIST_INIT, passed = SF_STRLIST_INIT, before = w->env;
    const char *argv[SF_SCRIPT_ARGS];
    struct sf_cage_plan plan;
    char *shell;

    fill_given(w, path, &given);
    sf_cage_env((const char *const *)given.items, NULL, w->temp, &passed);
    sf_strlist_add(&passed, ""); /* ends the list also when nothing is passed on */
    w->env = (struct sf_strlist)SF_STRLIST_INIT;
    sf_script_env((const char *const *)passed.items, false, &w->env);
    shell = sf_script_shell(&w->env);
    sf_script_argv(argv, shell, text, NULL);
    cage_sandbox_plan(w, &plan);
    cage_sandbox_start(w, kernel, &plan, argv);
    sf_cage_plan_release(&plan);
    sf_strlist_release(&w->env);
    w->env = before;
    sf_strlist_release(&given);
    sf_strlist_release(&passed);
    free(shell);
    return w->result.output[0].len ? w->result.output[0].buf : "";
}

static unsigned try_ways(struct cage_sandbox *w, const struct sf_kernel *kernel)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        const char *said;

        if (ways[i].before)
            run_as_sf(w, kernel, ways[i].path, ways[i].before);
        said = run_as_sf(w, kernel, ways[i].path, use);
        if (strstr(said, "hostile") || strstr(said, w->ws) || !strstr(said, "own\n") ||
            !strstr(said, "over\n")) {
            print_error("%s:\n%s\n", ways[i].name, said);
            wrong++;
        }
        if (ways[i].before)
            free(tree_run(w->ws, "rm -rf later", NULL));
    }
    return wrong;
}

static unsigned try_variables(struct cage_sandbox *w, const struct sf_kernel *kernel)
{
    const char *said = run_as_sf(w, kernel, "WS/bin:" SYSTEM, "env");
    unsigned wrong = 0;

    for (size_t i = 0; i < SF_COUNT(ordinary); i++)
        if (!strstr(said, ordinary[i])) {
            print_error("%s does not arrive\n", ordinary[i]);
            wrong++;
        }
    if (strstr(said, "s3cr3t")) {
        print_error("a secret arrives:\n%s\n", said);
        wrong++;
    }
    return wrong;
}

static void test_programs_and_variables(void **state)
{
    struct cage_sandbox *w = *state;
    unsigned wrong = 0;

    print_message("  %zu ways, %zu variables\n", SF_COUNT(ways),
                  SF_COUNT(ordinary) + SF_COUNT(secret));
    for (size_t i = 0; i < CAGE_STRENGTHS; i++) {
        struct sf_kernel kernel = cage_weaken(i);

        if (!cage_is_offered(i))
            continue;
        print_message("    %s\n", cage_strength_names[i]);
        wrong += try_ways(w, &kernel) + try_variables(w, &kernel);
    }
    assert_int_equal(wrong, 0);
}

/* A way that leads to none of those programs for an ordinary shell says nothing about sf. */
static void test_ways_are_real(void **state)
{
    struct cage_sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(ways); i++) {
        struct sf_strbuf script = SF_STRBUF_INIT;
        char *said;

        sf_strbuf_addf(&script, "%s; PATH='", ways[i].before ? ways[i].before : ":");
        fill_in(w, ways[i].path, &script);
        sf_strbuf_adds(&script, "'; git --version");
        said = tree_run(w->ws, script.buf, NULL);
        if (!strstr(said, "hostile git"))
            fail_msg("%s: %s", ways[i].name, said);
        free(said);
        free(tree_run(w->ws, "rm -rf later", NULL));
        sf_strbuf_release(&script);
    }
}

/* A program that sf starts itself is looked for in the same PATH, outside of any cage. */
static void test_own_tools(void **state)
{
    static const char *const tools[] = { "git", "sh", "ls" };
    struct cage_sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(ways); i++)
        for (size_t t = 0; t < SF_COUNT(tools); t++) {
            const char *const argv[] = { tools[t], "--version", NULL };
            const struct sf_child_spec spec = { .argv = argv, .cwd = w->ws, .output_cap = 4096 };
            struct sf_strbuf path = SF_STRBUF_INIT;
            struct sf_error err = SF_ERROR_INIT;
            struct sf_child_result result;

            fill_in(w, ways[i].path, &path);
            assert_int_equal(setenv("PATH", path.len ? path.buf : "", 1), 0);
            assert_true(sf_child_run(&spec, &result, &err));
            assert_int_equal(setenv("PATH", SYSTEM, 1), 0);
            if (result.output[0].len && strstr(result.output[0].buf, "hostile"))
                fail_msg("%s: %s", ways[i].name, result.output[0].buf);
            sf_child_result_release(&result);
            sf_strbuf_release(&path);
        }
}

static int run_group(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ways_are_real, setup, teardown),
        cmocka_unit_test_setup_teardown(test_programs_and_variables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_own_tools, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    /* first, while nothing is known about the kernel yet */
    int failed = cage_as_user(run_group);

    return run_group() + failed;
}
