/*
 * zone.c: where a path leads, judged by its text alone: inside the workspace, outside it, to a
 * device, or to a name that later starts programs. Links are not seen here; the path guard and
 * the cage hold them.
 */
#include <string.h>

#include "guard/judge.h"

/* Names of files and directories that start programs or steer tools, wherever they stand. */
static const char protected_names[] =
    ".git|.sf|.ssh|.gnupg|.aws|.kube|.docker|.bashrc|.bash_profile|.bash_login|.bash_logout|"
    ".bash_aliases|.profile|.zshrc|.zshenv|.zprofile|.zlogin|.zlogout|.kshrc|.cshrc|.tcshrc|"
    ".login|.inputrc|.vimrc|.gvimrc|.exrc|.nvimrc|.emacs|.emacs.d|.gitconfig|.git-credentials|"
    ".gitmodules|.netrc|.npmrc|.yarnrc|.yarnrc.yml|.pnpmfile.cjs|.pypirc|.envrc|.mcp.json|"
    "mcp.json|.claude|.claude.json|.codex|.gemini|.qwen|.cursor|.windsurf|.continue|.aider*|"
    ".opencode|opencode.json|.crush.json|crush.json|.roo|.roomodes|.cline|.goosehints|.vscode|"
    ".idea|.devcontainer|.devcontainer.json|.husky|.githooks|.pre-commit-config.yaml|.lldbinit|"
    ".gdbinit|.pythonrc|.pythonrc.py|.Rprofile|.irbrc|.pryrc|.psqlrc|.sqliterc|.mailcap|.xinitrc|"
    ".xsession|.xprofile|authorized_keys|crontab|sitecustomize.py|usercustomize.py|.screenrc|"
    ".tmux.conf|.lesskey|.lessfilter|.config|.local|.terraformrc|.my.cnf|.pgpass|.curlrc|.wgetrc";

static const char secret_names[] =
    ".ssh|.aws|.gnupg|.kube|.netrc|.npmrc|.pypirc|.git-credentials|.env|.env.local|"
    ".env.production|.env.prod|.env.development|.env.staging|.env.test|.pgpass|.my.cnf|"
    ".vault-token|"
    "id_rsa|id_dsa|id_ecdsa|id_ed25519|*.pem|*.key|*.p12|*.pfx|*.kdbx|*.keystore|*.jks|shadow|"
    "gshadow|credentials|credentials.json|credentials.db|secrets|secrets.*|secret.*|master.key|"
    "service-account*.json|.terraform.d|.dockercfg|.docker|wallet.dat|Login Data|Cookies|"
    "token.json|.htpasswd|.authinfo|.bash_history|.zsh_history|keyring*|gcloud|environ";

static bool component_fits(const char *patterns, const char *start, size_t len)
{
    char name[64];

    if (!len || len >= sizeof(name))
        return false;
    memcpy(name, start, len);
    name[len] = '\0';
    return sf_pattern_fits(patterns, strlen(patterns), name);
}

static bool any_component(const char *patterns, const char *text, const char *breaks)
{
    while (*text) {
        size_t len = strcspn(text, breaks);

        if (component_fits(patterns, text, len))
            return true;
        text += len + (text[len] != '\0');
    }
    return false;
}

bool sf_is_secret(const char *text)
{
    return !strstr(text, "://") && any_component(secret_names, text, "/@=:,");
}

/* Whether a relative path ever stands above its start. */
static bool climbs(const char *text)
{
    int depth = 0;

    while (*text) {
        size_t len = strcspn(text, "/");

        if (len == 2 && !strncmp(text, "..", 2))
            depth--;
        else if (len && !(len == 1 && *text == '.'))
            depth++;
        if (depth < 0)
            return true;
        text += len + (text[len] == '/');
    }
    return false;
}

static enum sf_reach relative(const char *text)
{
    if (any_component(protected_names, text, "/"))
        return SF_REACH_PROTECTED;
    return climbs(text) ? SF_REACH_OUTSIDE : SF_REACH_INSIDE;
}

static enum sf_reach absolute(const char *text)
{
    static const char sinks[] = "/dev/null|/dev/stdout|/dev/stderr|/dev/tty|/dev/fd/*";
    static const char sockets[] = "/dev/tcp/*|/dev/udp/*";

    if (strstr(text, ".."))
        return SF_REACH_OUTSIDE;
    if (sf_pattern_fits(sinks, sizeof(sinks) - 1, text))
        return SF_REACH_SINK;
    if (sf_pattern_fits(sockets, sizeof(sockets) - 1, text))
        return SF_REACH_SOCKET;
    return strncmp(text, "/dev/", 5) == 0 ? SF_REACH_DEVICE : SF_REACH_OUTSIDE;
}

/* A word whose first part is a variable. */
static enum sf_reach led_by(const struct sf_judge *j, const struct sf_word *w)
{
    const char *rest = w->text + w->len - w->tail;

    if (!w->lead || strstr(rest, ".."))
        return SF_REACH_UNKNOWN;
    if (!strcmp(w->lead, "PWD") && *rest == '/')
        return relative(rest + 1);
    if (sf_strlist_has(&j->safe_names, w->lead) && !sf_strlist_has(&j->open_names, w->lead))
        return any_component(protected_names, rest, "/") ? SF_REACH_PROTECTED : SF_REACH_INSIDE;
    if (!strcmp(w->lead, "HOME") || !strcmp(w->lead, "TMPDIR"))
        return SF_REACH_OUTSIDE;
    return SF_REACH_UNKNOWN;
}

enum sf_reach sf_reach_of(const struct sf_judge *j, const struct sf_word *w, const char *text)
{
    bool whole = text == w->text;

    if (w->flags & SF_WORD_TILDE && whole)
        return SF_REACH_OUTSIDE;
    if (*text == '/')
        return absolute(text);
    if (w->flags & SF_WORD_EXPANDS) {
        size_t before = (size_t)(text - w->text);

        if (w->head <= before)
            return whole ? led_by(j, w) : SF_REACH_UNKNOWN;
    } else if (*text == '~') {
        return SF_REACH_OUTSIDE; /* as a value it may still be expanded by the program */
    }
    return relative(text);
}

static void note_path(struct sf_judge *j, const struct sf_word *w, const char *text, bool writes)
{
    struct sf_shell_report *report = j->report;

    if (report->npaths >= SF_REPORT_ITEMS || strlen(text) > 4096) {
        report->more = true;
        return;
    }
    report->paths[report->npaths++] = (struct sf_report_path){
        .text = sf_strdup(text),
        .known = !(w->flags & (SF_WORD_EXPANDS | SF_WORD_GLOB | SF_WORD_TILDE)),
        .writes = writes,
    };
}

void sf_judge_write(struct sf_judge *j, const struct sf_word *w, const char *text)
{
    static const struct {
        enum sf_class class;
        const char *rule;
    } zones[] = {
        [SF_REACH_SINK] = { SF_CLASS_READONLY, "" },
        [SF_REACH_INSIDE] = { SF_CLASS_LOCAL_EDIT, "write" },
        [SF_REACH_PROTECTED] = { SF_CLASS_DESTRUCTIVE, "write-protected" },
        [SF_REACH_OUTSIDE] = { SF_CLASS_DESTRUCTIVE, "write-outside" },
        [SF_REACH_DEVICE] = { SF_CLASS_DESTRUCTIVE, "write-device" },
        [SF_REACH_SOCKET] = { SF_CLASS_NETWORK, "shell-socket" },
        [SF_REACH_UNKNOWN] = { SF_CLASS_DESTRUCTIVE, "write-unknown" },
    };
    enum sf_reach zone;

    if ((!strcmp(text, "-") && text == w->text) || w->flags & SF_WORD_PROCESS)
        return; /* by convention the terminal; or the pipe of a command that is judged itself */
    zone = sf_reach_of(j, w, text);
    if (zone == SF_REACH_INSIDE && j->away)
        zone = SF_REACH_OUTSIDE;
    sf_judge_raise(j, zones[zone].class, zones[zone].rule, w);
    j->talks = j->talks || zone == SF_REACH_SOCKET;
    if (zone != SF_REACH_SINK)
        note_path(j, w, text, true);
}

void sf_judge_reads(struct sf_judge *j, const struct sf_word *w, const char *text)
{
    if (sf_reach_of(j, w, text) == SF_REACH_SOCKET)
        sf_judge_raise(j, SF_CLASS_NETWORK, "shell-socket", w);
    if (sf_is_secret(text))
        j->secret = w;
    note_path(j, w, text, false);
}
