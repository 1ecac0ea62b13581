/*
 * environment.c: the table of names and the filter.
 */
#include "cage/environment.h"

#include <string.h>

#define SECRET "looks like a secret"
#define AGENT  "leads to a program that acts for the user"
#define LOADER "changes what other programs load"

const struct sf_env_rule sf_env_rules[] = {
    { "*KEY*", SECRET },          { "*TOKEN*", SECRET },
    { "*SECRET*", SECRET },       { "*PASSWORD*", SECRET },
    { "*PASSWD*", SECRET },       { "*PASSPHRASE*", SECRET },
    { "*_PASS", SECRET },         { "*_PWD", SECRET },
    { "*CREDENTIAL*", SECRET },   { "*PRIVATE*", SECRET },
    { "*_AUTH", SECRET },         { "*AUTH_*", SECRET },
    { "*COOKIE*", SECRET },       { "*_DSN", SECRET },
    { "*DATABASE_URL*", SECRET }, { "*CONNECTION_STRING*", SECRET },
    { "*WEBHOOK*", SECRET },      { "*_PAT", SECRET },
    { "AWS_*", SECRET },          { "AZURE_*", SECRET },
    { "ARM_*", SECRET },          { "GOOGLE_*", SECRET },
    { "GCP_*", SECRET },          { "GCLOUD_*", SECRET },
    { "CLOUDSDK_*", SECRET },     { "DO_*", SECRET },
    { "HEROKU_*", SECRET },       { "VAULT_*", SECRET },
    { "PGPASS*", SECRET },        { "MYSQL_PWD", SECRET },
    { "REDISCLI_*", SECRET },     { "KUBECONFIG", SECRET },
    { "NETRC", SECRET },          { "SSH_*", AGENT },
    { "GPG_*", AGENT },           { "DBUS_*", AGENT },
    { "DOCKER_*", AGENT },        { "CONTAINER_HOST", AGENT },
    { "TMUX*", AGENT },           { "STY", AGENT },
    { "DISPLAY", AGENT },         { "WAYLAND_*", AGENT },
    { "XAUTHORITY", AGENT },      { "XDG_RUNTIME_DIR", AGENT },
    { "VSCODE_*", AGENT },        { "EMACS_*", AGENT },
    { "NVIM*", AGENT },           { "KITTY_*", AGENT },
    { "WEZTERM_*", AGENT },       { "LD_*", LOADER },
    { "SF_*", "is sf's own" },
};
const size_t sf_env_rule_count = SF_COUNT(sf_env_rules);

static char upper(char c)
{
    if (c >= 'a' && c <= 'z')
        c = (char)(c & ~0x20);
    return c;
}

/* "*" stands for any run; without recursion. */
static bool fits(const char *pattern, const char *name, size_t len)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;

    while (at < len) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
        } else if (*pattern && upper(*pattern) == upper(name[at])) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool is_kept(const char *name, size_t len, const char *const *keep)
{
    for (; keep && *keep; keep++)
        if (fits(*keep, name, len))
            return true;
    return false;
}

const struct sf_env_rule *sf_cage_env_rule(const char *name, size_t len, const char *const *keep)
{
    if (is_kept(name, len, keep))
        return NULL;
    for (size_t i = 0; i < sf_env_rule_count; i++)
        if (fits(sf_env_rules[i].pattern, name, len))
            return &sf_env_rules[i];
    return NULL;
}

/* A password in an address: https://user:password@host. */
static bool has_login(const char *value)
{
    const char *start = strstr(value, "://");

    while (start) {
        size_t n = strcspn(start + 3, "/?#");
        const char *at = memchr(start + 3, '@', n);

        if (at && memchr(start + 3, ':', (size_t)(at - start - 3)))
            return true;
        start = strstr(start + 3, "://");
    }
    return false;
}

void sf_cage_env(const char *const *given, const char *const *keep, const char *temp,
                 struct sf_strlist *out)
{
    for (; *given; given++) {
        size_t len = strcspn(*given, "=");

        if (!len || !(*given)[len] || sf_cage_env_rule(*given, len, keep) ||
            (has_login(*given + len + 1) && !is_kept(*given, len, keep)))
            continue;
        if (!temp || len != 6 || strncmp(*given, "TMPDIR", 6) != 0)
            sf_strlist_add(out, *given);
    }
    if (temp)
        sf_strlist_addf(out, "TMPDIR=%s", temp);
}
