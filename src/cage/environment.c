/*
 * environment.c: the table of names and the filter.
 */
#include "cage/environment.h"

#include <stdlib.h>
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

/* Names are compared in capitals, and folded once for all patterns. */
static char *fold(const char *name, size_t len)
{
    char *folded = sf_strndup(name, len);

    for (size_t i = 0; i < len; i++)
        folded[i] = upper(folded[i]);
    return folded;
}

/* Where what follows a star may begin: where its first character stands, or at the end. */
static size_t next_start(const char *star, const char *folded, size_t at, size_t len)
{
    const char *found;

    if (at >= len || !*star || *star == '*')
        return at;
    found = memchr(folded + at, upper(*star), len - at);
    return found ? (size_t)(found - folded) : len;
}

/* "*" stands for any run; without recursion. */
static bool fits(const char *pattern, const char *folded, size_t len)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;

    while (at < len) {
        if (*pattern == '*') {
            star = ++pattern;
            at = retry = next_start(star, folded, at, len);
        } else if (*pattern && upper(*pattern) == folded[at]) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = retry = next_start(star, folded, retry + 1, len);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool is_kept(const char *folded, size_t len, const char *const *keep)
{
    for (; keep && *keep; keep++)
        if (fits(*keep, folded, len))
            return true;
    return false;
}

static const struct sf_env_rule *find_rule(const char *folded, size_t len)
{
    for (size_t i = 0; i < sf_env_rule_count; i++)
        if (fits(sf_env_rules[i].pattern, folded, len))
            return &sf_env_rules[i];
    return NULL;
}

const struct sf_env_rule *sf_cage_env_rule(const char *name, size_t len, const char *const *keep)
{
    char *folded = fold(name, len);
    const struct sf_env_rule *rule = is_kept(folded, len, keep) ? NULL : find_rule(folded, len);

    free(folded);
    return rule;
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

/* Whether a variable is withheld, by its name or by what its value looks like. */
static bool is_withheld(const char *given, size_t len, const char *const *keep)
{
    char *folded;
    bool kept;

    if (sf_cage_env_rule(given, len, keep))
        return true;
    if (!has_login(given + len + 1))
        return false;
    folded = fold(given, len);
    kept = is_kept(folded, len, keep);
    free(folded);
    return !kept;
}

void sf_cage_env(const char *const *given, const char *const *keep, const char *temp,
                 struct sf_strlist *out)
{
    for (; *given; given++) {
        size_t len = strcspn(*given, "=");

        if (!len || !(*given)[len] || is_withheld(*given, len, keep))
            continue;
        if (!temp || len != 6 || strncmp(*given, "TMPDIR", 6) != 0)
            sf_strlist_add(out, *given);
    }
    if (temp)
        sf_strlist_addf(out, "TMPDIR=%s", temp);
}
