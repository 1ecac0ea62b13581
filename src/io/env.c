/*
 * env.c: directories from the environment, and the list of variables that children inherit. The
 * list names what may pass, because a list of everything that may not would never be complete.
 */
#include "io/env.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/file.h"

#define PASSWD_MAX 65536

/* Not every LC_*: sshd accepts that prefix, so people use it to pass other things. */
static const char *const harmless[] = {
    "COLORTERM",     "HOME",           "LANG",
    "LANGUAGE",      "LC_ALL",         "LC_COLLATE",
    "LC_CTYPE",      "LC_MESSAGES",    "LC_MONETARY",
    "LC_NUMERIC",    "LC_TIME",        "LOGNAME",
    "NO_COLOR",      "PATH",           "SHELL",
    "TERM",          "TMPDIR",         "TZ",
    "USER",          "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
    "XDG_DATA_HOME", "XDG_STATE_HOME",
};

const char *sf_env_get(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

/* The home directory of the passwd entry; NULL when there is none or it is not absolute. */
static char *home_of_user(void)
{
    char *buf = sf_alloc(PASSWD_MAX);
    struct passwd entry, *found = NULL;
    char *home = NULL;

    if (getpwuid_r(getuid(), &entry, buf, PASSWD_MAX, &found) == 0 && found &&
        is_absolute(found->pw_dir))
        home = sf_strdup(found->pw_dir);
    free(buf);
    return home;
}

char *sf_env_home(struct sf_error *err)
{
    const char *home = sf_env_get("HOME");
    char *found = is_absolute(home) ? sf_strdup(home) : home_of_user();

    if (found)
        return found;
    sf_fail(err, SF_E_NOENT, "there is no home directory: HOME is not set and the user has none");
    sf_hint(err, "set HOME to an absolute path");
    return NULL;
}

/* $VARIABLE/sf when the variable holds an absolute path, else ~/FALLBACK/sf. */
static char *xdg_dir(const char *variable, const char *fallback, struct sf_error *err)
{
    const char *value = sf_env_get(variable);
    char *home, *base, *dir;

    if (is_absolute(value))
        return sf_path_join(value, "sf");
    home = sf_env_home(err);
    if (!home)
        return NULL;
    base = sf_path_join(home, fallback);
    dir = sf_path_join(base, "sf");
    free(base);
    free(home);
    return dir;
}

char *sf_env_state_dir(struct sf_error *err)
{
    const char *own = sf_env_get("SF_HOME");

    if (!own)
        return xdg_dir("XDG_STATE_HOME", ".local/state", err);
    if (is_absolute(own))
        return sf_strdup(own);
    sf_fail(err, SF_E_ARG, "SF_HOME is %s, which is not an absolute path", own);
    sf_hint(err, "set SF_HOME to a path that begins with /, or unset it");
    return NULL;
}

char *sf_env_config_dir(struct sf_error *err)
{
    return xdg_dir("XDG_CONFIG_HOME", ".config", err);
}

static char distrusted[PATH_MAX]; /* "": nothing is */

void sf_env_distrust(const char *root)
{
    size_t n = strlen(root);

    /* a workspace that is everything has no outside to take programs from */
    distrusted[0] = '\0';
    if (n > 1 && n < sizeof(distrusted))
        memcpy(distrusted, root, n + 1);
}

/* Cuts the last name off; false: the name is .., or none is left. */
static bool climb(char *path)
{
    char *slash = strrchr(path, '/');
    bool ok = slash != path && strcmp(slash, "/..") != 0;

    *slash = '\0';
    return ok;
}

/* Names that mean something else in each process. */
static bool is_passing(const char *path)
{
    return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/fd/", 8);
}

/*
 * A link into the workspace is one of its directories too. One that is not there yet lies where the
 * nearest directory above it does; what leads through a missing one and back up may lie anywhere.
 */
static bool is_trusted(const char *dir, size_t len)
{
    size_t n = strlen(distrusted);
    char path[PATH_MAX], real[PATH_MAX];
    struct stat st;

    if (len == 0 || len >= sizeof(path) || *dir != '/')
        return false;
    memcpy(path, dir, len);
    path[len] = '\0';
    if (is_passing(path))
        return false;
    while (n && !realpath(path, real)) {
        if (errno != ENOENT || lstat(path, &st) == 0) /* nobody can search it, or a broken link */
            return false;
        if (!climb(path))
            return !*path;
    }
    return !n || strncmp(real, distrusted, n) != 0 || (real[n] && real[n] != '/');
}

char *sf_env_path(const char *path, struct sf_strlist *left_out)
{
    struct sf_strbuf kept = SF_STRBUF_INIT;

    while (*path) {
        size_t n = strcspn(path, ":");

        if (is_trusted(path, n)) {
            sf_strbuf_adds(&kept, kept.len ? ":" : "");
            sf_strbuf_add(&kept, path, n);
        } else if (left_out) {
            sf_strlist_addf(left_out, "%.*s", (int)n, path);
        }
        path += n + (path[n] == ':');
    }
    return sf_strbuf_detach(&kept);
}

static void add_path(struct sf_strlist *out, const char *path)
{
    char *kept = sf_env_path(path, NULL);

    sf_strlist_addf(out, "PATH=%s", kept);
    free(kept);
}

static bool is_harmless(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(harmless); i++)
        if (strlen(harmless[i]) == len && !memcmp(harmless[i], name, len))
            return true;
    return false;
}

void sf_env_safe(struct sf_strlist *out)
{
    for (char **at = environ; at && *at; at++) {
        const char *equals = strchr(*at, '=');

        if (equals && !strncmp(*at, "PATH=", 5))
            add_path(out, equals + 1);
        else if (equals && is_harmless(*at, (size_t)(equals - *at)))
            sf_strlist_add(out, *at);
    }
}
