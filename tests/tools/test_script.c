/*
 * What a command is given: the shell, its arguments and its environment.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"
#include "support/tree.h"
#include "tools/script.h"

static const char *find(const struct sf_strlist *env, const char *name)
{
    const char *found = NULL;
    size_t n = strlen(name);

    for (size_t i = 0; i < env->count; i++) {
        if (strncmp(env->items[i], name, n) != 0 || env->items[i][n] != '=')
            continue;
        if (found)
            fail_msg("%s is there twice", name);
        found = env->items[i] + n + 1;
    }
    return found;
}

static const struct {
    const char *given, *name, *want; /* NULL: it is not there */
} passed[] = {
    { "HOME=/home/me", "HOME", "/home/me" },
    { "MY_TOKEN=listed", "MY_TOKEN", "listed" },
    { "EMPTY=", "EMPTY", "" },
    { "SF_HOME=/x", "SF_HOME", NULL },
    { "SF_=x", "SF_", NULL },
    { "SFX=x", "SFX", "x" },
    { "BASH_ENV=/evil", "BASH_ENV", NULL },
    { "BASH_FUNC_ls%%=() { evil; }", "BASH_FUNC_ls%%", NULL },
    { "ENV=/evil", "ENV", NULL },
    { "ENVIRONMENT=test", "ENVIRONMENT", "test" },
    { "SHELLOPTS=xtrace", "SHELLOPTS", NULL },
    { "POSIXLY_CORRECT=1", "POSIXLY_CORRECT", NULL },
    { "PS4=$(evil)", "PS4", NULL },
    { "CDPATH=/", "CDPATH", NULL },
    { "TERM=xterm", "TERM", "dumb" },
    { "PAGER=less", "PAGER", "cat" },
    { "GIT_PAGER=less", "GIT_PAGER", "cat" },
    { "NO_COLOR=", "NO_COLOR", "1" },
    { "COLORTERM=truecolor", "COLORTERM", NULL },
    { "FORCE_COLOR=3", "FORCE_COLOR", NULL },
    { "GIT_EXTERNAL_DIFF=evil", "GIT_EXTERNAL_DIFF", NULL },
    { "GIT_CONFIG_PARAMETERS='a=b'", "GIT_CONFIG_PARAMETERS", NULL },
    { "GIT_CONFIG_KEY_0=core.pager", "GIT_CONFIG_KEY_0", "core.fsmonitor" },
    { "GIT_CONFIG_KEY_99=x", "GIT_CONFIG_KEY_99", NULL },
    { "GIT_DIR=/x", "GIT_DIR", NULL },
    { "GIT_AUTHOR_NAME=me", "GIT_AUTHOR_NAME", "me" },
    { "GIT_TERMINAL_PROMPT=1", "GIT_TERMINAL_PROMPT", "0" },
    { "PATH=/a:/b c", "PATH", "/a:/b c" },
    { "PATH=.:/a::node_modules/.bin:/b:", "PATH", "/a:/b" },
    { "PATH=bin", "PATH", "/usr/local/bin:/usr/bin:/bin" },
    { "PATH=", "PATH", "/usr/local/bin:/usr/bin:/bin" },
    { "no equals sign", "no equals sign", NULL },
};

static void test_what_is_passed_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(passed); i++) {
        const char *given[] = { passed[i].given, NULL };
        struct sf_strlist env = SF_STRLIST_INIT;
        const char *got;

        sf_script_env(given, false, &env);
        got = find(&env, passed[i].name);
        if (!got != !passed[i].want || (got && strcmp(got, passed[i].want) != 0))
            fail_msg("%s: got %s", passed[i].given, got ? got : "nothing");
        sf_strlist_release(&env);
    }
}

static void test_safe_unless_given(void **state)
{
    struct sf_strlist env = SF_STRLIST_INIT;

    (void)state;
    setenv("SERVICE_API_KEY", "secret", 1);
    setenv("SF_HOME", "/x", 1);
    sf_script_env(NULL, false, &env);
    assert_null(find(&env, "SERVICE_API_KEY"));
    assert_null(find(&env, "SF_HOME"));
    assert_non_null(find(&env, "PATH"));
    assert_string_equal(find(&env, "TERM"), "dumb");
    unsetenv("SERVICE_API_KEY");
    unsetenv("SF_HOME");
    sf_strlist_release(&env);
}

static void make_program(const char *dir, const char *name, mode_t mode)
{
    char *path = test_path(dir, name);

    test_write(path, "#!/bin/sh\n", 10);
    assert_int_equal(chmod(path, mode), 0);
    free(path);
}

static void expect_shell(const char *path, const char *dir, const char *name)
{
    struct sf_strlist env = SF_STRLIST_INIT;
    char *got, *want = *dir ? test_path(dir, name) : sf_strdup(name);

    sf_strlist_addf(&env, "PATH=%s", path);
    got = sf_script_shell(&env);
    assert_string_equal(got, want);
    free(want);
    free(got);
    sf_strlist_release(&env);
}

static void test_bash_or_else_sh(void **state)
{
    const char *dir = *state;

    expect_shell(dir, "", "/bin/sh");
    make_program(dir, "sh", 0700);
    make_program(dir, "bash", 0600);
    expect_shell(dir, dir, "sh");
    make_program(dir, "bash", 0700);
    expect_shell(dir, dir, "bash");
    sf_env_distrust(dir);
    expect_shell(dir, "", "/bin/sh"); /* the workspace's own is not the shell */
    sf_env_distrust("/");
}

/* A filter that a repository calls the one for large files runs for what stores, not for reads. */
static void test_large_files(void **state)
{
    const char *dir = *state;

    free(tree_run(
        dir,
        "printf '#!/bin/sh\\necho >>ran; cat\\n' >evil; chmod +x evil; git init -q r; cd r; "
        "echo '*.bin filter=lfs' >.gitattributes; echo one >a.bin; git add -A; "
        "git -c user.name=t -c user.email=t@t commit -qm f; echo two >a.bin; "
        "git config filter.lfs.clean ../evil; git config filter.lfs.required true",
        NULL));
    for (int reads = 1; reads >= 0; reads--) {
        struct sf_strlist env = SF_STRLIST_INIT;
        struct sf_strbuf script = SF_STRBUF_INIT;
        char *out;

        sf_script_env(NULL, reads, &env);
        sf_strbuf_adds(&script, "cd r; rm -f ran; ");
        for (size_t i = 0; i < env.count; i++)
            if (!strncmp(env.items[i], "GIT_CONFIG", 10))
                sf_strbuf_addf(&script, "export '%s'; ", env.items[i]);
        sf_strbuf_adds(&script, "git status --short && git diff --stat && ls ran 2>&1");
        out = tree_run(dir, script.buf, NULL);
        assert_non_null(strstr(out, "M a.bin"));
        assert_int_equal(strstr(out, "ran\n") && !strstr(out, "cannot access"), !reads);
        free(out);
        sf_strbuf_release(&script);
        sf_strlist_release(&env);
    }
}

static void test_arguments(void **state)
{
    const char *argv[SF_SCRIPT_ARGS];
    size_t n = 0;

    (void)state;
    sf_script_argv(argv, "/bin/bash", "echo", NULL);
    while (argv[n])
        n++;
    assert_int_equal(n, SF_SCRIPT_ARGS - 1);
    assert_string_equal(argv[1], "--noprofile");
    assert_string_equal(argv[2], "--norc");
    assert_string_equal(argv[n - 2], "echo");
    assert_string_equal(argv[n - 1], "/dev/null");
    sf_script_argv(argv, "/bin/sh", "echo", "/tmp/x");
    assert_string_equal(argv[1], "-c");
    assert_string_equal(argv[3], "sh");
    assert_string_equal(argv[5], "/tmp/x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_passed_on),
        cmocka_unit_test(test_safe_unless_given),
        cmocka_unit_test_setup_teardown(test_bash_or_else_sh, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_large_files, test_dir_setup, test_dir_teardown),
        cmocka_unit_test(test_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
