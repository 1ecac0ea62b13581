/*
 * classify.c: the whole text. Walks the flat list of commands the reader found, judges each one
 * with its redirections and assignments, and joins what only shows across commands: files
 * written and then run, secrets read and then sent.
 */
#include "shell/classify.h"

#include <string.h>

#include "shell/classifier.h"

/* clang-format off */
static const struct variable {
    const char *names;
    enum { RUNS, RUNS_UNLESS_PLAIN, PROMPT, STEERS } how;
} variables[] = {
    { "PATH|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|"
      "BASHOPTS|BASH_FUNC*|PERL5OPT|PERL5DB|PERLLIB|PERL5LIB|RUBYOPT|PYTHONSTARTUP|PYTHONHOME|"
      "PYTHONINSPECT|PYTHONWARNINGS|PYTHONBREAKPOINT|LESSOPEN|LESSCLOSE|LESSKEY*|GIT_EXTERNAL_DIFF|"
      "GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS|GIT_PROXY_COMMAND|GIT_CONFIG*|GIT_EXEC_PATH|"
      "GIT_TEMPLATE_DIR|GIT_ALTERNATE*|GIT_OBJECT_DIRECTORY|SSH_ASKPASS|SUDO_ASKPASS|ZDOTDIR|"
      "LUA_INIT*|GCONV_PATH|OPENSSL_CONF|OPENSSL_ENGINES|RSYNC_RSH|CVS_RSH|SVN_SSH|TAR_OPTIONS|"
      "VIMINIT|EXINIT|GVIMINIT|MYVIMRC|PHPRC|PHP_INI_SCAN_DIR|RUSTC_WRAPPER|"
      "RUSTC_WORKSPACE_WRAPPER|CARGO_TARGET_*_RUNNER|CARGO_BUILD_RUSTC*|MAKEFILES|FPATH|"
      "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|R_PROFILE*|ERL_AFLAGS|ERL_FLAGS|"
      "ELECTRON_RUN_AS_NODE|KUBECTL_EXTERNAL_DIFF|DOCKER_HOST|GTK_MODULES|QT_PLUGIN_PATH|"
      "RIPGREP_CONFIG_PATH|BAT_CONFIG_*|ACKRC|FZF_DEFAULT_*|GIT_TRACE*|SSLKEYLOGFILE|CURL_HOME|"
      "WGETRC|MANPATH_MAP|TERMINFO|NLSPATH|PROMPT_DIRTRIM_COMMAND|command_not_found_handle", RUNS },
    { "PAGER|*_PAGER|MANPAGER|EDITOR|VISUAL|*_EDITOR|FCEDIT|BROWSER|*_BROWSER|SHELL|TERMINAL|"
      "MANROFFOPT|MANOPT|LESS|MORE|MAILER|NODE_OPTIONS|LD_LIBRARY_PATH", RUNS_UNLESS_PLAIN },
    { "PS0|PS1|PS2|PS3|PS4|PROMPT|RPROMPT", PROMPT },
    { "HOME|CDPATH|*PATH|*_OPTIONS|*_OPTS|*FLAGS|GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|PYTHON*|"
      "RUBY*|PERL*|NODE_*|CARGO_*|RUSTC*|GO*|npm_config_*|NPM_CONFIG_*|CC|CXX|LD|AR|XDG_*|"
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

static bool holds_command(const char *text)
{
    return strstr(text, "$(") || strchr(text, '`');
}

/* `a[$(x)]`: a text that runs x wherever arithmetic evaluates it. */
static bool arms(const char *text, size_t len)
{
    bool inside = false;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '[' || text[i] == ']')
            inside = text[i] == '[';
        else if (inside &&
                 (text[i] == '`' || (text[i] == '$' && i + 1 < len && text[i + 1] == '(')))
            return true;
    }
    return false;
}

static void assign_known(struct sf_classifier *j, const struct variable *v, const char *name,
                         const struct sf_word *value)
{
    bool runs =
        v->how == RUNS || (v->how == RUNS_UNLESS_PLAIN && !starts_nothing(name, value)) ||
        (v->how == PROMPT && (holds_command(value->text) || value->flags & SF_WORD_EXPANDS));

    if (runs)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", value);
    else if (v->how == STEERS || !strcmp(name, "NODE_OPTIONS") || !strcmp(name, "LD_LIBRARY_PATH"))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", value);
}

void sf_classify_assign(struct sf_classifier *j, const char *name, const struct sf_word *value,
                        bool for_a_command)
{
    if (!strcmp(name, "IFS") && !for_a_command)
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "variable-steers", value);
    for (size_t i = 0; i < SF_COUNT(variables); i++) {
        if (sf_pattern_fits(variables[i].names, strlen(variables[i].names), name)) {
            assign_known(j, &variables[i], name, value);
            return;
        }
    }
}

void sf_report_host(struct sf_classifier *j, const char *text)
{
    const char *scheme = strstr(text, "://");
    const char *start = scheme ? scheme + 3 : text;
    const char *at = memchr(start, '@', strcspn(start, "/"));
    char host[256];
    size_t len;

    if (at)
        start = at + 1;
    len = strcspn(start, "/:?#");
    if (!len || len >= sizeof(host))
        return;
    memcpy(host, start, len);
    host[len] = '\0';
    if (j->report->hosts.count >= SF_REPORT_ITEMS)
        j->report->more = true;
    else if (!sf_strlist_has(&j->report->hosts, host))
        sf_strlist_add(&j->report->hosts, host);
}

void sf_classify_made(struct sf_classifier *j, const char *name, const char *text, size_t len,
                      bool fetched)
{
    if (j->nmade >= SF_MADE_MAX)
        return;
    j->made[j->nmade++] = (struct sf_made){ name, text, len, fetched };
}

/* Its input is /dev/null. */
static bool starves(const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        if (r->op == SF_REDIRECT_READ && !strcmp(r->target.text, "/dev/null"))
            return true;
    return false;
}

/* `: > f`, `cat /dev/null > f`, `printf '' > f`: nothing is written, so the file is emptied. */
static bool prints_nothing(const struct sf_shell_command *cmd)
{
    const char *name = cmd->count ? cmd->words[0].text : ":";

    if (!strcmp(name, ":") || !strcmp(name, "true") || !strcmp(name, "false"))
        return true;
    if (!strcmp(name, "cat") || !strcmp(name, "tee"))
        return (cmd->count == 2 && !strcmp(cmd->words[1].text, "/dev/null")) || starves(cmd);
    if (!strcmp(name, "echo") || !strcmp(name, "printf"))
        return (cmd->count == 2 && (!strcmp(cmd->words[1].text, "-n") || !cmd->words[1].len) &&
                !(cmd->words[1].flags & SF_WORD_EXPANDS)) ||
               (cmd->count == 3 && !strcmp(cmd->words[1].text, "-n") && !cmd->words[2].len &&
                !(cmd->words[2].flags & SF_WORD_EXPANDS));
    return false;
}

static void judge_output(struct sf_classifier *j, const struct sf_shell_command *cmd,
                         const struct sf_redirect *r)
{
    const char *text = NULL;
    size_t len = 0;
    bool some;
    bool empties = r->op == SF_REDIRECT_WRITE || r->op == SF_REDIRECT_BOTH;

    if (r->target.flags & SF_WORD_PROCESS)
        return;
    sf_classify_write(j, &r->target, r->target.text);
    if (sf_reach_of(j, &r->target, r->target.text) == SF_REACH_SINK)
        return;
    j->report->redirects = true;
    if (empties && cmd->kind == SF_SHELL_SIMPLE && r->fd < 2 && r->fd != 0 && prints_nothing(cmd))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "truncate", &r->target);
    if (cmd->kind == SF_SHELL_SIMPLE && cmd->count && !strcmp(cmd->words[0].text, "cat") &&
        cmd->count == 1 && !sf_classify_input(j, cmd, &text, &len, &some))
        text = NULL;
    if (cmd->kind == SF_SHELL_SIMPLE && cmd->count && !text) {
        struct sf_shell_command reader = { .from = cmd, .piped = true };

        if (!sf_classify_input(j, &reader, &text, &len, &some))
            text = NULL;
    }
    sf_classify_made(j, r->target.text, text, len, j->talks);
}

static void judge_redirects(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next) {
        switch (r->op) {
        case SF_REDIRECT_READ:
            if (!(r->target.flags & SF_WORD_PROCESS))
                sf_classify_reads(j, &r->target, r->target.text);
            break;
        case SF_REDIRECT_WRITE:
        case SF_REDIRECT_APPEND:
        case SF_REDIRECT_BOTH:
        case SF_REDIRECT_READWRITE:
            judge_output(j, cmd, r);
            break;
        case SF_REDIRECT_DUP:
        case SF_REDIRECT_TEXT:
        case SF_REDIRECT_STRING:
            break;
        }
    }
}

/* [[ -v 'a[$(x)]' ]] and [[ 'a[$(x)]' -eq 1 ]] evaluate text. */
static void judge_test(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char numeric[] = "-v|-eq|-ne|-lt|-le|-gt|-ge|-R";
    bool evaluates = false;

    for (size_t i = 0; i < cmd->count; i++)
        evaluates = evaluates || sf_pattern_fits(numeric, sizeof(numeric) - 1, cmd->words[i].text);
    for (size_t i = 0; evaluates && i < cmd->count; i++)
        if (j->armed || holds_command(cmd->words[i].text))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "hidden-command", &cmd->words[i]);
}

static void add_name(struct sf_classifier *j, struct sf_strlist *list, const char *name)
{
    (void)j;
    if (list->count < SF_NAMES_MAX && strlen(name) < 128)
        sf_strlist_add(list, name);
}

static void note_value(struct sf_classifier *j, const char *name, const struct sf_word *value,
                       bool each)
{
    bool inside = !(value->flags & SF_WORD_EXPANDS) && value->len && value->text[0] != '-' &&
                  sf_reach_of(j, value, value->text) == SF_REACH_INSIDE;

    if (holds_command(value->text) || strchr(value->text, '['))
        j->armed = true;
    if (sf_is_secret(value->text))
        sf_classify_reads(j, value, value->text); /* f=.env; cat $f */
    sf_value_note(
        j, &(struct sf_value){
               .name = name, .word = value, .text = value->text, .shell = j->shell, .each = each });
    add_name(j, inside ? &j->safe_names : &j->open_names, name);
    if (j->open_names.count >= SF_NAMES_MAX)
        sf_strlist_release(&j->safe_names);
}

/* A variable gets a value only the run will show. */
static void assign_unknown(struct sf_classifier *j, const char *name, const struct sf_word *at)
{
    struct sf_word value = *at;

    value.text = "";
    value.len = value.head = value.tail = 0;
    value.flags |= SF_WORD_EXPANDS;
    sf_classify_assign(j, name, &value, true);
}

/* A word in the place of a name: which variable it is must be known. */
static void judge_name(struct sf_classifier *j, const struct sf_word *w, const char *name)
{
    if (w->flags & SF_WORD_EXPANDS && w->head <= (size_t)(name - w->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "variable-exec", w);
    else
        assign_unknown(j, name, w);
}

/* read [options] NAMES; options that end in one of these letters take the next word. */
static void judge_read_names(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    const char *taking = strcmp(cmd->words[0].text, "read") ? "dnOsuCc" : "pdnNtui";

    for (size_t i = 1; i < cmd->count; i++) {
        const struct sf_word *w = &cmd->words[i];

        if (w->text[0] != '-')
            judge_name(j, w, w->text);
        else if (w->len > 1 && strchr(taking, w->text[w->len - 1]))
            i++;
    }
}

/* Names behind read and mapfile, and behind the -v and -p of printf and wait. */
static void judge_setters(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char readers[] = "read|mapfile|readarray|getopts";
    const char *program = cmd->count ? cmd->words[0].text : "";

    if (sf_pattern_fits(readers, sizeof(readers) - 1, program))
        judge_read_names(j, cmd);
    if (strcmp(program, "printf") != 0 && strcmp(program, "wait") != 0)
        return;
    for (size_t i = 1; i < cmd->count; i++) {
        const char *text = cmd->words[i].text;

        if (text[0] != '-' || (text[1] != 'v' && text[1] != 'p'))
            continue;
        if (text[2])
            judge_name(j, &cmd->words[i], text + 2);
        else if (i + 1 < cmd->count)
            judge_name(j, &cmd->words[i + 1], cmd->words[i + 1].text);
    }
}

/* `find . | while read -r f`: a name found in the workspace, unless something else feeds it. */
static bool reads_names(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    return !strcmp(cmd->words[0].text, "read") && cmd->feed && !cmd->from && !cmd->redirects &&
           !j->group_input && sf_outputs_inside(j, cmd->feed);
}

/* What a builtin does to the values of one of the names behind it. */
static void note_new_value(struct sf_classifier *j, const struct sf_shell_command *cmd, size_t i,
                           const char *name)
{
    static const char declaring[] = "declare|typeset|local|export|readonly";
    static const char keeping[] = "export|readonly|printf|wait|let";
    const char *program = cmd->words[0].text, *equals = strchr(cmd->words[i].text, '=');
    bool declares = sf_pattern_fits(declaring, sizeof(declaring) - 1, program);

    if (declares && equals && equals[-1] != '+' && !strchr(name, '['))
        sf_value_note(
            j, &(struct sf_value){
                   .name = name, .word = &cmd->words[i], .text = equals + 1, .shell = j->shell });
    else if (!sf_pattern_fits(keeping, sizeof(keeping) - 1, program) || equals ||
             (i > 1 && !strcmp(cmd->words[i - 1].text, "-v")))
        sf_value_note(j, &(struct sf_value){ .name = name,
                                             .listed = reads_names(j, cmd) ? cmd->feed : NULL });
}

/* Builtins that set variables to what only the run will show. */
static void note_unknown_values(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    static const char setters[] =
        "read|mapfile|readarray|getopts|printf|declare|typeset|local|export|readonly|let|unset|"
        "wait";

    if (!cmd->count || !sf_pattern_fits(setters, sizeof(setters) - 1, cmd->words[0].text))
        return;
    for (size_t i = 1; i < cmd->count; i++) {
        const char *text = cmd->words[i].text;
        char *name = sf_arena_strndup(j->arena, text, strcspn(text, "=["));

        if (holds_command(text))
            j->armed = true;
        add_name(j, &j->open_names, name);
        if (*text != '-')
            note_new_value(j, cmd, i, name);
    }
}

/* A function that calls itself never ends, or ends the machine. */
static void judge_recursion(struct sf_classifier *j, const struct sf_shell_command *function)
{
    for (const struct sf_shell_command *cmd = function->next; cmd; cmd = cmd->next)
        if (cmd->at < function->body_end && cmd->kind == SF_SHELL_SIMPLE && cmd->count &&
            !strcmp(cmd->words[0].text, function->words[0].text))
            sf_classify_rename(j, SF_CLASS_DESTRUCTIVE, "fork-bomb", &cmd->words[0]);
}

/* Words and inputs that arithmetic would run, should they ever get into it. */
static void survey_texts(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (size_t i = 0; i < cmd->count; i++)
        j->armed = j->armed || arms(cmd->words[i].text, cmd->words[i].len);
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        j->armed = j->armed || arms(r->target.text, r->target.len) ||
                   (r->body && arms(r->body, r->body_len));
}

static void survey_group(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    for (const struct sf_redirect *r = cmd->redirects; r; r = r->next)
        j->group_input = j->group_input || r->op == SF_REDIRECT_READ || r->op == SF_REDIRECT_TEXT ||
                         r->op == SF_REDIRECT_STRING;
}

/* Functions, variables and hidden values of the whole text, before any of it is judged. */
static void survey(struct sf_classifier *j, const struct sf_shell *shell)
{
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next)
        if (cmd->kind == SF_SHELL_GROUP)
            survey_group(j, cmd);
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next) {
        survey_texts(j, cmd);
        for (const struct sf_assign *a = cmd->assigns; a; a = a->next) {
            note_value(j, a->name, &a->value, false);
            if (a->adds)
                sf_value_note(j, &(struct sf_value){ .name = a->name });
        }
        if (cmd->kind == SF_SHELL_FUNCTION && cmd->count)
            add_name(j, &j->functions, cmd->words[0].text);
        if (cmd->kind == SF_SHELL_FUNCTION && cmd->count && j->functions.count < SF_NAMES_MAX)
            judge_recursion(j, cmd);
        if (cmd->kind == SF_SHELL_FOR && cmd->count)
            for (size_t i = 1; i < cmd->count; i++)
                note_value(j, cmd->words[0].text, &cmd->words[i], true);
        if (cmd->kind == SF_SHELL_FOR && cmd->count == 1) {
            add_name(j, &j->open_names, cmd->words[0].text);
            sf_value_note(j, &(struct sf_value){ .name = cmd->words[0].text });
        }
        note_unknown_values(j, cmd);
        j->moves = j->moves || sf_moves(cmd);
    }
}

static void judge_tricks(struct sf_classifier *j, const struct sf_shell *shell)
{
    static const struct {
        enum sf_class class;
        const char *rule;
    } tricks[SF_TRICK_COUNT] = {
        [SF_TRICK_PROMPT] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
        [SF_TRICK_INDIRECT] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
        [SF_TRICK_ASSIGN] = { SF_CLASS_BUILD_TEST, "assigning-expansion" },
        [SF_TRICK_ASSEMBLE] = { SF_CLASS_DESTRUCTIVE, "hidden-expansion" },
        [SF_TRICK_ARITH] = { SF_CLASS_DESTRUCTIVE, "hidden-command" },
    };

    for (size_t i = 0; i < SF_TRICK_COUNT; i++) {
        struct sf_word at = { .text = "", .at = (uint32_t)shell->trick_at[i], .span = 1 };

        if (shell->tricks & 1u << i && (i != SF_TRICK_ARITH || j->armed))
            sf_classify_raise(j, tricks[i].class, tricks[i].rule, &at);
    }
}

static void judge_command(struct sf_classifier *j, const struct sf_shell_command *cmd)
{
    sf_cwd_step(j, cmd);
    for (const struct sf_assign *a = cmd->assigns; a; a = a->next) {
        sf_classify_assign(j, a->name, &a->value, cmd->count > 0);
        if (!cmd->count && !cmd->loose && !a->adds)
            sf_cwd_set(j, a->name);
    }
    if (cmd->kind == SF_SHELL_SIMPLE) {
        judge_setters(j, cmd);
        sf_classify_words(j, cmd, cmd->words, cmd->count, 0);
    } else if (cmd->kind == SF_SHELL_TEST) {
        judge_test(j, cmd);
    } else if (cmd->kind == SF_SHELL_FOR && cmd->count) {
        assign_unknown(j, cmd->words[0].text, &cmd->words[0]);
        j->where.loop_name = cmd->words[0].text;
    } else if (cmd->kind == SF_SHELL_FUNCTION && cmd->count) {
        add_name(j, &j->defined, cmd->words[0].text);
        j->body_end = cmd->body_end;
    }
    judge_redirects(j, cmd);
}

static void judge_shell(struct sf_classifier *j, const char *text, size_t len)
{
    const struct sf_shell *outer = j->shell;
    struct sf_shell *shell = sf_arena_alloc(j->arena, sizeof(*shell));
    uint32_t body_end = j->body_end;
    struct sf_cwd where;
    bool moves = false;

    if (!sf_shell_read(shell, text, len, j->arena)) {
        struct sf_word at = { .text = "", .at = (uint32_t)shell->problem_at, .span = 1 };

        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &at);
    }
    j->shell = shell;
    j->report->steps += shell->steps;
    survey(j, shell);
    judge_tricks(j, shell);
    j->body_end = 0;
    sf_cwd_begin(j, &where);
    for (const struct sf_shell_command *cmd = shell->first; cmd; cmd = cmd->next) {
        moves = moves || sf_moves(cmd);
        judge_command(j, cmd);
    }
    sf_cwd_end(j, &where, moves);
    j->body_end = body_end;
    j->shell = outer;
}

void sf_classify_text(struct sf_classifier *j, const char *text, size_t len,
                      const struct sf_word *at)
{
    const struct sf_shell *shell = j->shell;
    size_t was_at = j->at, was_len = j->len;
    bool quoted = j->quoted;

    if (j->depth >= SF_CLASSIFY_DEPTH) {
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "nested-too-deeply", at);
        return;
    }
    if (!quoted && at) {
        j->at = at->at;
        j->len = at->span;
    }
    j->quoted = true;
    j->depth++;
    judge_shell(j, text, len);
    j->depth--;
    j->quoted = quoted;
    j->at = was_at;
    j->len = was_len;
    j->shell = shell;
}

void sf_shell_classify(const char *text, size_t len, struct sf_shell_report *out)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_classifier j = { .report = out, .arena = &arena, .len = len };

    memset(out, 0, sizeof(*out));
    out->rule = "";
    judge_shell(&j, text, len);
    if (j.talks && j.secret)
        sf_classify_raise(&j, SF_CLASS_DESTRUCTIVE, "secret-leaves", j.secret);
    if (out->at > len)
        out->at = len;
    if (out->len > len - out->at)
        out->len = len - out->at;
    out->reason = sf_rule_reason(out->rule);
    out->talks = j.talks || out->class == SF_CLASS_NETWORK || sf_network_is_meant(out->rule);
    out->sends = out->class == SF_CLASS_NETWORK && !sf_network_only_fetches(out, &j.talkers);
    sf_strlist_release(&j.talkers);
    sf_map_release(&j.rows);
    sf_strlist_release(&j.functions);
    sf_strlist_release(&j.defined);
    sf_strlist_release(&j.safe_names);
    sf_strlist_release(&j.open_names);
    sf_arena_release(&arena);
}

void sf_shell_report_release(struct sf_shell_report *report)
{
    sf_strlist_release(&report->programs);
    sf_strlist_release(&report->hosts);
    sf_strlist_release(&report->families);
    sf_strlist_release(&report->options);
    sf_strlist_release(&report->removes);
    sf_strlist_release(&report->removes_like);
    for (size_t i = 0; i < report->npaths; i++)
        free(report->paths[i].text);
    report->npaths = 0;
}

void sf_shell_report_raise(struct sf_shell_report *report, enum sf_class class, const char *rule)
{
    if (report->class >= class)
        return;
    report->class = class;
    report->rule = rule;
    report->reason = sf_rule_reason(rule);
}
