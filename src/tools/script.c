/*
 * script.c: the wrapper around a command and the tables of its environment.
 */
#include "tools/script.h"

#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/*
 * One line, so that line numbers in errors are those of the command. The space keeps a text that
 * begins with a dash from being an option of eval. The trap must be silent and must not fail, even
 * under set -x, -e or -C, or with a limit on file sizes.
 */
static const char wrapper[] =
    "__sf_text=$1 __sf_dir=$2; shift 2; "
    "trap '{ set +x; trap \"\" XFSZ; command pwd -P >|\"$__sf_dir\"; } 2>/dev/null || :' EXIT; "
    "eval \" $__sf_text\"";

#define NO_EDITOR                                                                         \
    "echo 'sf: there is no editor here. Give the text with an option such as -m, or put " \
    "GIT_EDITOR=true in front to keep it as it is.' >&2; false"

static const char *const fixed[] = {
    "TERM=dumb",
    "NO_COLOR=1",
    "PAGER=cat",
    "MANPAGER=cat",
    "GIT_PAGER=cat",
    "EDITOR=" NO_EDITOR,
    "VISUAL=" NO_EDITOR,
    "GIT_EDITOR=" NO_EDITOR,
    "GIT_TERMINAL_PROMPT=0",
    "GCM_INTERACTIVE=never",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_NO_LAZY_FETCH=1",
};

/* These override every configuration file of git. */
static const struct git_setting {
    const char *key, *value;
} git_settings[] = {
    { "core.fsmonitor", "false" },         { "core.pager", "cat" },
    { "log.showSignature", "false" },      { "diff.autoRefreshIndex", "false" },
    { "safe.bareRepository", "explicit" }, { "alias.st", "status" },
};

/* While a command only reads, nothing has to be stored in another form than it lies in the tree. */
static const struct git_setting git_reading[] = {
    { "filter.lfs.clean", "" },
    { "filter.lfs.smudge", "" },
    { "filter.lfs.process", "" },
    { "filter.lfs.required", "false" },
};

const char *const sf_script_git_obeys[] = {
    "diff.external",  "diff.*.command",   "diff.*.textconv",
    "filter.*.clean", "filter.*.process", NULL,
};

/* Variables that are never passed on: a name, or a prefix followed by "*". */
static const char *const dropped[] = {
    "SF_*",
    /* Shells read these before or while they read the command. */
    "BASH_*",
    "BASHOPTS",
    "CDPATH",
    "ENV",
    "GLOBIGNORE",
    "IFS",
    "OLDPWD",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
    "PS4",
    "PWD",
    "SHELLOPTS",
    "SHLVL",
    /* These point git elsewhere, or name programs that it runs. */
    "GIT_ASKPASS",
    "GIT_CONFIG*",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "SSH_ASKPASS",
    /* These ask for colours. */
    "CLICOLOR_FORCE",
    "COLORTERM",
    "FORCE_COLOR",
};

static bool is_named(const char *pattern, const char *name, size_t len)
{
    size_t n;

    if (*pattern != *name) /* As of most: every variable is compared with every row. */
        return false;
    n = strlen(pattern);
    if (pattern[n - 1] == '*')
        return len >= n - 1 && !strncmp(pattern, name, n - 1);
    return n == len && !strncmp(pattern, name, n);
}

static bool is_fixed(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(fixed); i++)
        if (*fixed[i] == *name && !strncmp(fixed[i], name, len) && fixed[i][len] == '=')
            return true;
    return false;
}

static bool is_dropped(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(dropped); i++)
        if (is_named(dropped[i], name, len))
            return true;
    return is_fixed(name, len);
}

static const char *value_of(const char *const *env, const char *name)
{
    size_t n = strlen(name);

    for (; *env; env++)
        if (!strncmp(*env, name, n) && (*env)[n] == '=')
            return *env + n + 1;
    return NULL;
}

static void pass_on(const char *const *given, struct sf_strlist *out)
{
    const char *path = value_of(given, "PATH");
    char *kept = sf_env_path(path ? path : "", NULL); /* a verdict on "git" is not on any "git" */

    sf_strlist_addf(out, "PATH=%s", *kept ? kept : DEFAULT_PATH);
    free(kept);
    for (; *given; given++) {
        size_t len = strcspn(*given, "=");

        if ((*given)[len] && !is_named("PATH", *given, len) && !is_dropped(*given, len))
            sf_strlist_add(out, *given);
    }
}

static void set_git(struct sf_strlist *out, size_t number, const struct git_setting *setting)
{
    sf_strlist_addf(out, "GIT_CONFIG_KEY_%zu=%s", number, setting->key);
    sf_strlist_addf(out, "GIT_CONFIG_VALUE_%zu=%s", number, setting->value);
}

void sf_script_env(const char *const *given, bool only_reads, struct sf_strlist *out)
{
    const size_t more = only_reads ? SF_COUNT(git_reading) : 0;
    struct sf_strlist safe = SF_STRLIST_INIT;

    if (!given) {
        sf_env_safe(&safe);
        sf_strlist_add(&safe, "");
        given = (const char *const *)safe.items;
    }
    pass_on(given, out);
    for (size_t i = 0; i < SF_COUNT(fixed); i++)
        sf_strlist_add(out, fixed[i]);
    sf_strlist_addf(out, "GIT_CONFIG_COUNT=%zu", SF_COUNT(git_settings) + more);
    for (size_t i = 0; i < SF_COUNT(git_settings); i++)
        set_git(out, i, &git_settings[i]);
    for (size_t i = 0; i < more; i++)
        set_git(out, SF_COUNT(git_settings) + i, &git_reading[i]);
    sf_strlist_release(&safe);
}

static char *find_in_path(const char *name, const char *path)
{
    while (*path) {
        size_t n = strcspn(path, ":");
        char *dir = sf_strndup(path, n), *found = sf_path_join(dir, name);

        free(dir);
        if (!access(found, X_OK))
            return found;
        free(found);
        path += n + (path[n] == ':');
    }
    return NULL;
}

char *sf_script_shell(const struct sf_strlist *env)
{
    static const char *const names[] = { "bash", "sh" };
    const char *given = value_of((const char *const *)env->items, "PATH");
    char *path = sf_env_path(given ? given : DEFAULT_PATH, NULL), *found = NULL;

    for (size_t i = 0; !found && i < SF_COUNT(names); i++)
        found = find_in_path(names[i], path);
    free(path);
    return found ? found : sf_strdup("/bin/sh");
}

void sf_script_argv(const char *argv[SF_SCRIPT_ARGS], const char *shell, const char *command,
                    const char *report)
{
    const char *name = strrchr(shell, '/');
    size_t n = 0;

    name = name ? name + 1 : shell;
    argv[n++] = shell;
    if (!strcmp(name, "bash")) {
        argv[n++] = "--noprofile";
        argv[n++] = "--norc";
    }
    argv[n++] = "-c";
    argv[n++] = wrapper;
    argv[n++] = name;
    argv[n++] = command;
    argv[n++] = report ? report : "/dev/null";
    argv[n] = NULL;
}
