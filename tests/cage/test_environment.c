/*
 * Which variables a command sees.
 */
#include <string.h>

#include "cage/cage.h"
#include "support/test.h"

static const struct {
    const char *name;
    bool passes;
} names[] = {
    { "PATH", true },
    { "HOME", true },
    { "LANG", true },
    { "GIT_AUTHOR_NAME", true },
    { "CC", true },
    { "CI", true },
    { "JAVA_HOME", true },
    { "GOPATH", true },
    { "VIRTUAL_ENV", true },
    { "OLDPWD", true },
    { "OPENAI_API_KEY", false },
    { "openai_api_key", false },
    { "GITHUB_TOKEN", false },
    { "MY_SECRET_THING", false },
    { "DB_PASSWORD", false },
    { "DB_PASS", false },
    { "MYSQL_PWD", false },
    { "AWS_REGION", false },
    { "AWS_SECRET_ACCESS_KEY", false },
    { "GOOGLE_APPLICATION_CREDENTIALS", false },
    { "DATABASE_URL", false },
    { "NPM_CONFIG__AUTH", false },
    { "SENTRY_DSN", false },
    { "SSH_AUTH_SOCK", false },
    { "DBUS_SESSION_BUS_ADDRESS", false },
    { "TMUX", false },
    { "DISPLAY", false },
    { "DOCKER_HOST", false },
    { "LD_PRELOAD", false },
    { "SF_HOME", false },
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!sf_cage_env_rule(names[i].name, strlen(names[i].name), NULL) != names[i].passes)
            fail_msg("%s", names[i].name);
}

static void test_kept_by_the_user(void **state)
{
    static const char *const keep[] = { "NPM_TOKEN", "CI_*", NULL };

    (void)state;
    assert_null(sf_cage_env_rule("NPM_TOKEN", 9, keep));
    assert_null(sf_cage_env_rule("CI_JOB_TOKEN", 12, keep));
    assert_non_null(sf_cage_env_rule("OTHER_TOKEN", 11, keep));
    assert_non_null(sf_cage_env_rule("NPM_TOKENS", 10, keep));
}

static void test_list(void **state)
{
    static const char *const given[] = { "PATH=/bin", "API_KEY=x", "TMPDIR=/tmp",     "broken",
                                         "=odd",      "A=",        "P=http://u:p@h/", NULL };
    struct sf_strlist out = SF_STRLIST_INIT;

    (void)state;
    sf_cage_env(given, NULL, "/tmp/sf-1", &out);
    assert_int_equal(out.count, 3);
    assert_string_equal(out.items[0], "PATH=/bin");
    assert_string_equal(out.items[1], "A=");
    assert_string_equal(out.items[2], "TMPDIR=/tmp/sf-1");
    sf_strlist_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_kept_by_the_user),
        cmocka_unit_test(test_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
