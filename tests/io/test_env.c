/*
 * The environment: where things lie under hostile and missing variables, and what children see.
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

#define PASSWD_HOME "~" /* stands for the home directory of the passwd entry */

static const char *const places[] = { "SF_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME" };

/* NULL: unset. */
static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static const struct {
    const char *name;
    const char *sf_home, *state_home, *config_home, *home;
    const char *want_state, *want_config; /* NULL: refused */
} cases[] = {
    { "plain home", NULL, NULL, NULL, "/h", "/h/.local/state/sf", "/h/.config/sf" },
    { "XDG variables", NULL, "/s", "/c", "/h", "/s/sf", "/c/sf" },
    { "SF_HOME wins", "/own", "/s", "/c", "/h", "/own", "/c/sf" },
    { "empty counts as unset", "", "", "", "/h", "/h/.local/state/sf", "/h/.config/sf" },
    { "relative XDG is ignored", NULL, "s", "./c", "/h", "/h/.local/state/sf", "/h/.config/sf" },
    { "relative SF_HOME is refused", "own", "/s", NULL, "/h", NULL, "/h/.config/sf" },
    { "dotted SF_HOME is refused", "../own", "/s", NULL, "/h", NULL, "/h/.config/sf" },
    { "XDG without a home", NULL, "/s", "/c", NULL, "/s/sf", "/c/sf" },
    { "no home", NULL, NULL, NULL, NULL, PASSWD_HOME "/.local/state/sf",
      PASSWD_HOME "/.config/sf" },
    { "relative home", NULL, NULL, NULL, "h", PASSWD_HOME "/.local/state/sf",
      PASSWD_HOME "/.config/sf" },
    { "home with a slash behind", NULL, NULL, NULL, "/h/", "/h/.local/state/sf", "/h/.config/sf" },
};

static bool is_wanted(const char *got, const char *want)
{
    const struct passwd *entry = getpwuid(getuid());
    bool same;
    char *full;

    if (!want || !got || want[0] != PASSWD_HOME[0])
        return want && got ? !strcmp(got, want) : want == got;
    full = sf_path_join(entry ? entry->pw_dir : "/none", want + 1);
    same = !strcmp(full, got);
    free(full);
    return same;
}

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_error state_err = SF_ERROR_INIT, config_err = SF_ERROR_INIT;
        char *state_dir, *config_dir;
        bool ok;

        set("SF_HOME", cases[i].sf_home);
        set("XDG_STATE_HOME", cases[i].state_home);
        set("XDG_CONFIG_HOME", cases[i].config_home);
        set("HOME", cases[i].home);
        state_dir = sf_env_state_dir(&state_err);
        config_dir = sf_env_config_dir(&config_err);
        ok = is_wanted(state_dir, cases[i].want_state) &&
             is_wanted(config_dir, cases[i].want_config) && (state_dir || state_err.hint[0]);
        free(state_dir);
        free(config_dir);
        if (!ok)
            fail_msg("%s (%s)", cases[i].name, state_err.msg);
    }
}

static void test_refusal_names_the_value(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    set("SF_HOME", "some/where");
    assert_null(sf_env_state_dir(&err));
    assert_int_equal(err.code, SF_E_ARG);
    assert_non_null(strstr(err.msg, "SF_HOME is some/where"));
}

/* A user without an entry and without HOME: only root can become one. */
static void test_nobody_at_home(void **state)
{
    int status = 0;
    pid_t pid;

    (void)state;
    if (getuid() != 0)
        test_not_run("only root can set this up");
    pid = fork();
    if (pid == 0) {
        struct sf_error err = SF_ERROR_INIT;
        char *home;

        unsetenv("HOME");
        if (setuid(4242421) < 0)
            _exit(2);
        home = sf_env_home(&err);
        _exit(!home && err.code == SF_E_NOENT && strstr(err.hint, "HOME") ? 0 : 1);
    }
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    assert_int_equal(status, 0);
}

static void test_get(void **state)
{
    (void)state;
    set("SF_TEST_VALUE", "x");
    assert_string_equal(sf_env_get("SF_TEST_VALUE"), "x");
    set("SF_TEST_VALUE", "");
    assert_null(sf_env_get("SF_TEST_VALUE"));
    set("SF_TEST_VALUE", NULL);
    assert_null(sf_env_get("SF_TEST_VALUE"));
}

static void test_safe_list(void **state)
{
    static const char *const secret[] = {
        "OPENAI_API_KEY",   "ANTHROPIC_API_KEY",
        "GITHUB_TOKEN",     "AWS_SECRET_ACCESS_KEY",
        "DATABASE_URL",     "SSH_AUTH_SOCK",
        "LD_PRELOAD",       "BASH_ENV",
        "LC_HIDDEN_TOKEN",  "PATHS",
        "MY_HOME",          "SF_API_KEY",
        "NPM_TOKEN",        "XDG_RUNTIME_DIR",
        "GIT_CONFIG_COUNT", "ENV",
    };
    struct sf_strlist list = SF_STRLIST_INIT;
    bool leaked = false, complete;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(secret); i++)
        set(secret[i], "marker");
    set("PATH", "/bin:/usr/bin");
    set("LANG", "C.UTF-8");
    sf_env_safe(&list);
    for (size_t i = 0; i < list.count; i++)
        leaked = leaked || strstr(list.items[i], "marker");
    complete = sf_strlist_has(&list, "PATH=/bin:/usr/bin") && sf_strlist_has(&list, "LANG=C.UTF-8");
    sf_strlist_release(&list);
    for (size_t i = 0; i < SF_COUNT(secret); i++)
        set(secret[i], NULL);
    assert_false(leaked);
    assert_true(complete);
}

/* A workspace's own "git" is not sf's, also by a link; its neighbours are. */
static void test_programs_of_the_workspace(void **state)
{
    static const char *const rows[][2] = {
        { "/usr/bin:%s/ws/bin:/bin", "PATH=/usr/bin:/bin" },
        { "%s/ws:/bin", "PATH=/bin" },
        { "%s/link:/bin", "PATH=/bin" },
        { "bin:.:/bin", "PATH=/bin" },
        { "%s/ws/later/bin:/bin", "PATH=/bin" },      /* the command will make it */
        { "%s/missing/../ws/bin:/bin", "PATH=/bin" }, /* lies in there when that is made */
        { "%s/broken:/bin", "PATH=/bin" },            /* a link to what is made later */
        { "/proc/self/cwd/bin:/dev/fd/3:/bin", "PATH=/bin" },
        { "/no/such/dir:/bin", "PATH=/no/such/dir:/bin" },
        { "", "PATH=" },
    };
    char *dir = test_dir_new(), *real = realpath(dir, NULL), *ws = test_path(real, "ws");
    char *bin = test_path(ws, "bin"), *link = test_path(real, "link");
    char *later = test_path(ws, "later"), *broken = test_path(real, "broken");
    bool ok = mkdir(ws, 0700) == 0 && mkdir(bin, 0700) == 0 && symlink(bin, link) == 0 &&
              symlink(later, broken) == 0;

    (void)state;
    sf_env_distrust(ws);
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        struct sf_strlist list = SF_STRLIST_INIT;
        struct sf_strbuf path = SF_STRBUF_INIT;
        const char *hole = strstr(rows[i][0], "%s");

        sf_strbuf_add(&path, rows[i][0], hole ? (size_t)(hole - rows[i][0]) : strlen(rows[i][0]));
        if (hole) {
            sf_strbuf_adds(&path, real);
            sf_strbuf_adds(&path, hole + 2);
        }
        set("PATH", path.len ? path.buf : "");
        sf_env_safe(&list);
        if (!sf_strlist_has(&list, rows[i][1])) {
            print_error("%s\n", path.len ? path.buf : "");
            ok = false;
        }
        sf_strlist_release(&list);
        sf_strbuf_release(&path);
    }
    set("PATH", "/usr/bin:/bin");
    sf_env_distrust("/");
    free(broken);
    free(later);
    free(link);
    free(bin);
    free(ws);
    free(real);
    test_dir_free(dir);
    assert_true(ok);
}

static int forget_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(places); i++)
        unsetenv(places[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_places, forget_places),
        cmocka_unit_test_setup(test_refusal_names_the_value, forget_places),
        cmocka_unit_test_setup(test_nobody_at_home, forget_places),
        cmocka_unit_test(test_get),
        cmocka_unit_test(test_programs_of_the_workspace),
        cmocka_unit_test(test_safe_list),
    };

    return cmocka_run_group_tests_name("env", tests, NULL, NULL);
}
