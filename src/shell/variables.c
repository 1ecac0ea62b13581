/*
 * variables.c: what it means that a variable gets a value, or loses it. Some name programs that
 * others start, or point tools at settings that do; those of sf's own keep git's helpers off, so
 * whoever takes one away has switched them on. Programs read more variables than any list knows, so
 * one that is passed on to them is harmless only if it is known to be.
 */
#include <string.h>

#include "shell/classifier.h"

/* clang-format off */
static const struct variable {
    const char *names;
    enum { RUNS, RUNS_UNLESS_PLAIN, PROMPT, STEERS } how;
} variables[] = {
    { "PATH|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH*|ENV|PROMPT_COMMAND|SHELLOPTS|"
      "DBUS_*_BUS_ADDRESS|APT_CONFIG|SYSTEMD_LESS|PERL5OPT|PERL5DB|PERLLIB|PERL5LIB|RUBYOPT|PYTHONSTARTUP|PYTHONHOME|"
      "PYTHONINSPECT|PYTHONWARNINGS|PYTHONBREAKPOINT|LESSOPEN|LESSCLOSE|LESSKEY*|GIT_EXTERNAL_DIFF|"
      "GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS|GIT_PROXY_COMMAND|GIT_CONFIG*|GIT_EXEC_PATH|"
      "GIT_TEMPLATE_DIR|GIT_ALTERNATE*|GIT_OBJECT_DIRECTORY|SSH_ASKPASS|SUDO_ASKPASS|ZDOTDIR|"
      "LUA_INIT*|GCONV_PATH|OPENSSL_CONF|OPENSSL_ENGINES|RSYNC_RSH|CVS_RSH|SVN_SSH|TAR_OPTIONS|"
      "VIMINIT|EXINIT|GVIMINIT|MYVIMRC|PHPRC|PHP_INI_SCAN_DIR|RUSTC_WRAPPER|"
      "RUSTC_WORKSPACE_WRAPPER|CARGO_TARGET_*_RUNNER|CARGO_BUILD_RUSTC*|MAKEFILES|FPATH|"
      "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|R_PROFILE*|ERL_AFLAGS|ERL_FLAGS|"
      "ELECTRON_RUN_AS_NODE|KUBECTL_EXTERNAL_DIFF|DOCKER_HOST|DOCKER_CONFIG|DOCKER_CONTEXT|GTK_MODULES|QT_PLUGIN_PATH|"
      "RIPGREP_CONFIG_PATH|BAT_CONFIG_*|ACKRC|FZF_DEFAULT_*|GIT_TRACE*|SSLKEYLOGFILE|CURL_HOME|"
      "WGETRC|MANPATH_MAP|TERMINFO|NLSPATH|PROMPT_DIRTRIM_COMMAND|command_not_found_handle|"
      "KUBECONFIG|AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE|CLOUDSDK_CONFIG|BOTO_CONFIG|GNUPGHOME|"
      "PSQLRC|ANSIBLE_CONFIG|ANSIBLE_*_PLUGINS|ANSIBLE_LIBRARY|ANSIBLE_COLLECTIONS_PATH*|HGRCPATH|HG|"
      "JJ_CONFIG|GH_CONFIG_DIR|GLAB_CONFIG_DIR|HELM_PLUGINS|"
      "HELM_CONFIG_HOME|TF_CLI_CONFIG_FILE|VAGRANT_HOME|SUBVERSION_*|SCREENRC|"
      "LESSGLOBALTAGS|GROFF_COMMAND_PREFIX|GROFF_BIN_PATH", RUNS },
    { "PAGER|*_PAGER|MANPAGER|EDITOR|VISUAL|*_EDITOR|FCEDIT|BROWSER|*_BROWSER|SHELL|TERMINAL|"
      "MANROFFOPT|MANOPT|LESS|MORE|MAILER|NODE_OPTIONS|LD_LIBRARY_PATH", RUNS_UNLESS_PLAIN },
    { "PS0|PS1|PS2|PS3|PS4|PROMPT|RPROMPT", PROMPT },
    { "GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|GIT_COMMON_DIR|GIT_CEILING_DIRECTORIES|"
      "GIT_DISCOVERY_ACROSS_FILESYSTEM|GIT_NAMESPACE|GIT_ATTR_*|GIT_SHALLOW_FILE|GIT_GRAFT_FILE|"
      "GIT_REPLACE_REF_BASE|GIT_OPTIONAL_LOCKS|GIT_NO_LAZY_FETCH|GIT_PROTOCOL*|GIT_ALLOW_PROTOCOL|"
      "GIT_SSL_*|GIT_HTTP_*|GIT_CURL_*|GIT_MAN_VIEWER|GIT_DIFF_*|GIT_PREFIX|GIT_INTERNAL_*|GIT_TEST_*|"
      "GIT_QUARANTINE_PATH|GIT_IMPLICIT_WORK_TREE|GIT_REDIRECT_*|"
      "ANSIBLE_*|PIP_*|HGPLAIN*|HGENCODING*|JJ_*|GTAGS*|MOST_INITFILE|COMPOSE_*|MYSQL_HOME|"
      "PGSERVICEFILE|PGSYSCONFDIR|TEXINPUTS|GROFF_*|"
      "HOME|CDPATH|*PATH|*_OPTIONS|*_OPTS|*FLAGS|PYTHON*|"
      "RUBY*|PERL*|NODE_*|CARGO_*|RUSTC*|GO*|npm_config_*|NPM_CONFIG_*|CC|CXX|LD|AR|XDG_*|"
      "POSIXLY_CORRECT|DBUS_*|APT_*|DPKG_*|PKG_CONFIG*|FFREPORT|DEBUGINFOD_*|SYSTEMD_*|LESS*|MAN*|"
      "TERMINFO_DIRS|MAGIC|TAPE|SSH_*|GPG_*|NIX_*|RUSTUP_*|NVM_*|PYENV_*|CONDA_*|JAVA_*|JAVACMD|"
      "GRADLE_*|MAVEN_*|ANDROID_*|OPENSSL_*|SSL_*|DOCKER_*|OLDPWD|"
      "*_proxy|*_PROXY|CURL_HOME|WGETRC|INPUTRC|HISTFILE|GLOBIGNORE|DYLD_*|LD_*|MAIL*", STEERS },
};
/* clang-format on */

/* Values with which the variables of programs to start are switched off. */
static bool starts_nothing(const char *name, const struct sf_word *value)
{
    static const char plain[] = "cat|less|more|true|:|head|less -*|more -*|/bin/cat|/usr/bin/less|"
                                "-R|-FRX|-FR|-X|bash|sh|zsh|vi|vim|nano";

    if (value->flags & SF_WORD_EXPANDS)
        return false;
    if (!strcmp(name, "NODE_OPTIONS"))
        return !strstr(value->text, "-r") && !strstr(value->text, "--import") &&
               !strstr(value->text, "loader") && !strstr(value->text, "--eval");
    if (!strcmp(name, "LD_LIBRARY_PATH"))
        return true;
    return !value->len || sf_pattern_fits(plain, sizeof(plain) - 1, value->text);
}

/* Of the families of names below, those that only change what a program says of its work. */
static bool only_tells(const char *name)
{
    static const char names[] = "NODE_ENV|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONUTF8|"
                                "PYTHONIOENCODING|PYTHONHASHSEED|CARGO_TERM_*";

    return sf_pattern_fits(names, sizeof(names) - 1, name);
}

/*
 * Those that change how something looks, who is named as its author, or how much is told of it;
 * and names without a capital, which scripts give to variables of their own.
 */
static bool is_harmless(const char *name)
{
    static const char names[] =
        "LANG|LANGUAGE|LC_*|TZ|TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR*|*_COLOR|"
        "*_COLORS|TIME_STYLE|TIMEFORMAT|QUOTING_STYLE|BLOCKSIZE|*BLOCK_SIZE|RUST_BACKTRACE|"
        "RUST_LOG|DEBUG|VERBOSE|CI|IFS|USER|LOGNAME|EMAIL|GIT_AUTHOR_*|GIT_COMMITTER_*|"
        "GIT_TERMINAL_PROMPT|GIT_*_PATHSPECS|GIT_REFLOG_ACTION|GIT_ADVICE|GIT_MERGE_AUTOEDIT|"
        "GIT_NOTES_REF|GIT_FLUSH|GIT_PS1_*|DEBIAN_FRONTEND|ZSTD_CLEVEL|MANWIDTH|BAT_THEME|BAT_STYLE|_";

    return sf_pattern_fits(names, sizeof(names) - 1, name) ||
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

static bool holds_command(const char *text)
{
    return strstr(text, "$(") || strchr(text, '`');
}

static void assign_known(struct sf_classifier *j, const struct variable *v, const char *name,
                         const struct sf_word *value)
{
    bool runs =
        v->how == RUNS || (v->how == RUNS_UNLESS_PLAIN && !starts_nothing(name, value)) ||
        (v->how == PROMPT && (holds_command(value->text) || value->flags & SF_WORD_EXPANDS));

    if (runs)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", value);
    else if (v->how == PROMPT && strchr(value->text, '$'))
        sf_classify_expanded(j, value, value->text);
    else if (v->how == STEERS || !strcmp(name, "NODE_OPTIONS") || !strcmp(name, "LD_LIBRARY_PATH"))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", value);
    else
        return;
    j->report->steered = true;
}

/* Variables of sf's own, with the values it gives them. */
static bool is_as_set(const char *name, const struct sf_word *value)
{
    static const struct {
        const char *name, *value;
    } own[] = { { "GIT_OPTIONAL_LOCKS", "0" }, { "GIT_NO_LAZY_FETCH", "1" } };

    for (size_t i = 0; i < SF_COUNT(own); i++)
        if (!strcmp(name, own[i].name))
            return !(value->flags & SF_WORD_EXPANDS) && !strcmp(value->text, own[i].value);
    return false;
}

/* What that means shows at the end, when it is known whether the text starts any program. */
static void pass_unknown(struct sf_classifier *j, const struct sf_word *at)
{
    if (!j->report->steered)
        sf_classify_place(j, at, &j->passed_at, &j->passed_len);
    j->report->steered = j->passes = true;
}

static const struct variable *row_of(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(variables); i++)
        if (sf_pattern_fits(variables[i].names, strlen(variables[i].names), name))
            return &variables[i];
    return NULL;
}

void sf_classify_assign(struct sf_classifier *j, const char *name, const struct sf_word *value,
                        enum sf_assign_for who)
{
    char *whole = sf_arena_strndup(j->arena, name, strcspn(name, "["));
    const struct variable *known = row_of(whole);

    if (!strcmp(whole, "IFS") && who != SF_ASSIGN_COMMAND)
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", value);
    if (is_as_set(whole, value) || only_tells(whole))
        return;
    if (known)
        assign_known(j, known, whole, value);
    else if (who != SF_ASSIGN_SHELL && !is_harmless(whole))
        pass_unknown(j, value);
}

/* One that the lists know was looked at where it got its value. */
void sf_classify_pass(struct sf_classifier *j, const char *name, const struct sf_word *at)
{
    if (!row_of(name) && !is_harmless(name))
        pass_unknown(j, at);
}

/*
 * A loss of one of these switches a helper of git's on, or a pager; without a PATH the shell looks
 * for programs where it stands.
 */
void sf_classify_unassign(struct sf_classifier *j, const char *name, const struct sf_word *at)
{
    static const char own[] =
        "PATH|GIT_CONFIG*|GIT_OPTIONAL_LOCKS|GIT_NO_LAZY_FETCH|GIT_PAGER|PAGER|MANPAGER";

    if (sf_pattern_fits(own, sizeof(own) - 1, name))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", at);
}

bool sf_heeds_variables(const char *program)
{
    static const char builtins[] = "echo|printf|:|true|false|test|[|cd|pwd|export|declare|typeset|"
                                   "local|readonly|unset|read|set|shift|return|exit|env|printenv";

    return !sf_pattern_fits(builtins, sizeof(builtins) - 1, program);
}
