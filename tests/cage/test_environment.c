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
    { "ROOT_PASSWD", false },
    { "SIGNING_PASSPHRASE", false },
    { "DB_PASS", false },
    { "MYSQL_PWD", false },
    { "DB_PWD", false },
    { "GIT_CREDENTIALS", false },
    { "CERT_PRIVATE", false },
    { "AWS_REGION", false },
    { "AWS_SECRET_ACCESS_KEY", false },
    { "AZURE_TENANT_ID", false },
    { "ARM_CLIENT_ID", false },
    { "GOOGLE_APPLICATION_CREDENTIALS", false },
    { "GOOGLE_CLOUD_PROJECT", false },
    { "GCP_PROJECT", false },
    { "GCLOUD_PROJECT", false },
    { "CLOUDSDK_CONFIG", false },
    { "DO_REGION", false },
    { "HEROKU_APP", false },
    { "VAULT_ADDR", false },
    { "PGPASSFILE", false },
    { "REDISCLI_RCFILE", false },
    { "KUBECONFIG", false },
    { "NETRC", false },
    { "DATABASE_URL", false },
    { "BUS_CONNECTION_STRING", false },
    { "SLACK_WEBHOOK_URL", false },
    { "GH_PAT", false },
    { "SESSION_COOKIE", false },
    { "NPM_CONFIG__AUTH", false },
    { "AUTH_HEADER", false },
    { "SENTRY_DSN", false },
    { "SSH_AUTH_SOCK", false },
    { "SSH_AGENT_PID", false },
    { "GPG_AGENT_INFO", false },
    { "GPG_TTY", false },
    { "DBUS_SESSION_BUS_ADDRESS", false },
    { "TMUX", false },
    { "STY", false },
    { "DISPLAY", false },
    { "WAYLAND_DISPLAY", false },
    { "XAUTHORITY", false },
    { "XDG_RUNTIME_DIR", false },
    { "VSCODE_IPC_HOOK_CLI", false },
    { "EMACS_SERVER_FILE", false },
    { "NVIM", false },
    { "NVIM_LISTEN_ADDRESS", false },
    { "KITTY_LISTEN_ON", false },
    { "WEZTERM_UNIX_SOCKET", false },
    { "DOCKER_HOST", false },
    { "CONTAINER_HOST", false },
    { "LD_PRELOAD", false },
    { "SF_HOME", false },
    { "STYLE", true },
    { "NETRC_COUNT", true },
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

static const struct {
    const char *given;
    bool passes;
} addresses[] = {
    { "A=https://example.com/", true },
    { "A=https://example.com:8080/", true },
    { "A=https://user@example.com:8080/", true },
    { "A=https://@example.com:8080/", true },
    { "A=https://example.com/a:b@c", true },
    { "A=https://example.com?q=a:b@c", true },
    { "A=https://user:word@example.com/", false },
    { "A=https://user:@example.com/", false },
    { "A=https://:word@example.com/", false },
    { "A=https://:@example.com/", false },
    { "A=see https://example.com and ftp://user:word@example.com", false },
};

/* A token is written as the user or as the password, and the other part may be empty. */
static void test_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(addresses); i++) {
        const char *const given[] = { addresses[i].given, NULL };
        struct sf_strlist out = SF_STRLIST_INIT;
        size_t count;

        sf_cage_env(given, NULL, NULL, &out);
        count = out.count;
        sf_strlist_release(&out);
        if (count != addresses[i].passes)
            fail_msg("%s", addresses[i].given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_kept_by_the_user),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
