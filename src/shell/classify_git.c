/*
 * classify_git.c: the sub-commands of git whose operands decide. The table knows which verbs read,
 * edit, talk or destroy; here stand the ones that do either, depending on what they are given.
 */
#include <string.h>

#include "shell/classifier.h"
#include "shell/git_settings.h"

/* Keys whose value git runs, or that send its traffic elsewhere. */
static bool key_runs(const char *key)
{
    static const char keys[] =
        "alias.*|core.pager|core.editor|core.hookspath|core.sshcommand|core.fsmonitor|core.askpass|"
        "core.gitproxy|core.alternaterefscommand|core.worktree|credential.*|diff.external|"
        "diff.*.command|"
        "diff.*.textconv|filter.*|merge.*.driver|mergetool.*|difftool.*|gpg.*|pager.*|"
        "sequence.editor|"
        "url.*|include.path|includeif.*|http.*|https.*|init.templatedir|protocol.*|remote.*|"
        "sendemail.*|uploadpack.*|receive.*|browser.*|man.*|help.*|interactive.difffilter|"
        "trailer.*.command|trailer.*.cmd|submodule.*|web.browser|instaweb.*|gc.*|"
        "clean.requireforce|"
        "safe.directory|ssh.variant|user.signingkey|commit.template|core.attributesfile|"
        "core.excludesfile|fsmonitor.*|maintenance.*|transfer.*|tar.*|hook.*|extensions.*|lfs.*|"
        "guitool.*|imap.*|log.showsignature|merge.tool|diff.tool|branch.*.mergeoptions|"
        "core.sparsecheckout*|core.commentstring|rebase.*.cmd|annex.*|svn.*|svn-remote.*|gitcvs.*|"
        "index.recordoffset*|attr.tree|blame.ignorerevsfile|mailmap.*|http|core.bare|core.symlinks|"
        "core.protect*|core.gitdir*|bitmap.*|promisor.*|gui.*|man|notes.*";
    char lower[128];
    size_t n = strlen(key);

    if (n >= sizeof(lower))
        return true;
    for (size_t i = 0; i <= n; i++)
        lower[i] = (char)(key[i] >= 'A' && key[i] <= 'Z' ? key[i] - 'A' + 'a' : key[i]);
    return sf_pattern_fits(keys, sizeof(keys) - 1, lower);
}

static char *lower_key(struct sf_classifier *j, const char *key)
{
    char *lower = sf_arena_strndup(j->arena, key, strlen(key));

    for (char *p = lower; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    return lower;
}

/* -c key=value in front of the verb; the row of the globals calls it for every git command. */
void sf_classify_git_key(struct sf_classifier *j, const struct sf_word_option *o)
{
    char *key = sf_arena_strndup(j->arena, o->value, strcspn(o->value, "="));
    const char *value = o->value + strlen(key) + (o->value[strlen(key)] == '=');

    if (!strcmp(key, "core.pager") && !strcmp(value, "cat"))
        return;
    if (key_runs(key) || o->value_in->flags & SF_WORD_EXPANDS)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-config-exec", o->value_in);
    else if (!sf_git_key_is_tame(lower_key(j, key)))
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "option-runs", o->value_in);
}

/* --git-dir and --work-tree in front of the verb: the parts of two repositories may come together. */
static bool is_put_together(const struct sf_word *words, size_t count)
{
    for (size_t i = 1; i < count && words[i].text[0] == '-'; i++) {
        if (!strncmp(words[i].text, "--git-dir", 9) || !strncmp(words[i].text, "--work-tree", 11))
            return true;
        if (!strcmp(words[i].text, "-C") || !strcmp(words[i].text, "-c"))
            i++;
    }
    return false;
}

void sf_classify_git_place(struct sf_classifier *j, const struct sf_word *words, size_t count,
                           bool asks)
{
    const struct sf_dirs *here = &j->where.now.here;
    struct sf_shell_report *report = j->report;

    if (j->bare)
        sf_classify_raise(j, SF_CLASS_BUILD_TEST, "git-helpers-on", &words[0]);
    if (asks && !sf_strlist_has(&report->families, "git help"))
        sf_strlist_add(&report->families, "git help");
    report->git_anywhere = report->git_anywhere || here->unknown || is_put_together(words, count);
    for (unsigned i = 0; i < here->count; i++) {
        if (sf_strlist_has(&report->git_dirs, here->at[i]))
            continue;
        if (report->git_dirs.count < SF_REPORT_ITEMS)
            sf_strlist_add(&report->git_dirs, here->at[i]);
        else
            report->git_anywhere = true;
    }
}

static bool looks_like_path(const struct sf_word *w)
{
    static const char usual[] =
        "Makefile|GNUmakefile|makefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Vagrantfile|"
        "Jenkinsfile|Brewfile|Justfile|justfile|Podfile|Fastfile|Pipfile|README|LICENSE|LICENCE|"
        "COPYING|AUTHORS|CHANGELOG|CHANGES|NEWS|TODO|VERSION|CODEOWNERS|BUILD|WORKSPACE|configure|"
        "src|lib|libs|test|tests|spec|docs|doc|app|apps|bin|include|pkg|cmd|internal|packages|"
        "scripts|config|public|assets|examples|vendor|tools|*/Makefile|*/Dockerfile|*/README|"
        "src/*|lib/*|tests/*|include/*";
    const char *t = w->text;
    const char *dot = strrchr(t, '.');
    size_t letters;

    if (sf_pattern_fits(usual, sizeof(usual) - 1, t))
        return true;
    if (w->flags & (SF_WORD_GLOB | SF_WORD_BRACE | SF_WORD_TILDE) || !strncmp(t, "./", 2) ||
        !strcmp(t, ".") || !strncmp(t, "..", 2) || *t == '/' || *t == ':' ||
        (w->len && t[w->len - 1] == '/'))
        return true;
    if (!dot || dot == t)
        return dot == t;
    letters = strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz");
    return letters && letters < 6 && !dot[1 + letters] && !(dot[-1] >= '0' && dot[-1] <= '9');
}

/* What find and xargs put in place of a word is a file. */
static bool stands_for_files(const struct sf_word *w)
{
    return w->flags & SF_WORD_EXPANDS && (!w->lead || !strcmp(w->lead, "{}")) &&
           !(w->flags & SF_WORD_SUBST);
}

/* checkout moves to a branch, or throws changes of files away. */
void sf_classify_git_checkout(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool creates = sf_options_has(call->options, "-b --orphan");

    for (size_t i = 1; i < call->count; i++)
        if (!strcmp(call->words[i].text, "--"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-discard", &call->words[i]);
    if (call->noperands > (creates ? 2u : 1u))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-discard", call->operands[1]);
    for (size_t i = 0; i < call->noperands; i++)
        if ((looks_like_path(call->operands[i]) || stands_for_files(call->operands[i])) && !creates)
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-discard", call->operands[i]);
    if (call->options->unknown)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-discard", call->options->unknown);
}

/* Refspecs can force (+) and delete (:name); a URL sends the history to a stranger. */
void sf_classify_git_push(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const struct sf_word *w = call->operands[i];

        if (w->text[0] == '+' || (w->text[0] == ':' && w->text[1]))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-force-push", w);
        if (i == 0 && (strstr(w->text, "://") || (strchr(w->text, '@') && strchr(w->text, ':')))) {
            sf_report_host(j, w->text);
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-push-elsewhere", w);
        }
    }
}

void sf_classify_git_clone(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++) {
        const struct sf_word *w = call->operands[i];

        if (strstr(w->text, "://") || strchr(w->text, '@'))
            sf_report_host(j, w->text);
        if (!strncmp(w->text, "ext::", 5) || !strncmp(w->text, "fd::", 4))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "option-exec", w);
        if (i == 1)
            sf_classify_write(j, w, w->text);
    }
}

/* Setting a key: which one, where, and whether the value hides a command. */
void sf_classify_git_config(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *file = sf_options_find(call->options, "-f --file");
    size_t first = call->noperands && !strcmp(call->operands[0]->text, "set");
    bool reads =
        sf_options_has(call->options,
                       "--get --get-all --get-regexp --get-urlmatch -l --list --get-color "
                       "--get-colorbool") ||
        (call->noperands && sf_pattern_fits("get|list|get-*", 14, call->operands[0]->text));

    if (reads || (call->noperands == 1 &&
                  !sf_options_has(call->options, "--unset --unset-all --remove-section -e --edit")))
        return;
    sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "git-config", &call->words[0]);
    if (file && file->value)
        sf_classify_write(j, file->value_in, file->value);
    if (sf_options_has(call->options, "--global --system"))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-outside", &call->words[0]);
    if (call->noperands <= first)
        return;
    if (call->operands[first]->flags & SF_WORD_EXPANDS || key_runs(call->operands[first]->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-config-exec", call->operands[first]);
    for (size_t i = first + 1; i < call->noperands; i++)
        if (strpbrk(call->operands[i]->text, "$`!;|&"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-config-exec", call->operands[i]);
}

/* branch and tag with an operand create; without one, or with a listing option, they list. */
void sf_classify_git_branch(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_git_format(j, call);
    if (call->noperands &&
        !sf_options_has(call->options, "-l --list --contains --no-contains --merged --no-merged "
                                       "--points-at -v --verify --show-current"))
        sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "git-edit", &call->words[0]);
}

/* submodule foreach, bisect run: a shell text, or a command with options of its own. */
void sf_classify_git_text(struct sf_classifier *j, const struct sf_shell_call *call)
{
    size_t left = 0;

    if (call->noperands)
        left = (size_t)(call->words + call->count - call->operands[0]);
    if (left == 1)
        sf_classify_word_text(j, call->operands[0], call->operands[0]->text);
    else if (left)
        sf_classify_words(j, call->cmd, call->operands[0], left, call->wrapped + 1);
}

/* git-clean, as git's own directory has it, is git clean. */
void sf_classify_git_dashed(struct sf_classifier *j, const struct sf_shell_call *call)
{
    bool foreign;
    const char *verb = sf_program_name(&call->argv[0], &foreign) + strlen("git-");
    struct sf_word *copy = sf_arena_alloc(j->arena, (call->argc + 1) * sizeof(*copy));

    memcpy(copy + 1, call->argv, call->argc * sizeof(*copy));
    copy[0] = copy[1];
    copy[0].text = "git";
    copy[0].len = 3;
    copy[1].text = verb;
    copy[1].len = (uint32_t)strlen(verb);
    sf_classify_words(j, call->cmd, copy, call->argc + 1, call->wrapped + 1);
}

/* A second tree usually stands beside the workspace; it must not enter a special place. */
void sf_classify_git_worktree(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands &&
        sf_reach_of(j, call->operands[0], call->operands[0]->text) == SF_REACH_PROTECTED)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "write-protected", call->operands[0]);
}

/* `git -- reset` and a verb that looks like an option are no git anybody types. */
void sf_classify_git_odd(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->count; i++)
        if (!strcmp(call->words[i].text, "--"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "unreadable", &call->words[i]);
    if (call->count == 1 || (!call->noperands && !call->options->unknown))
        return;
    sf_classify_verbs(j, call);
    if (!strcmp(call->words[0].text, "git"))
        sf_classify_anywhere(j, call);
}

/* symbolic-ref NAME reads, symbolic-ref NAME REF writes */
void sf_classify_git_symref(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->operands > call->options->operands &&
        !strcmp(call->operands[-1]->text, "hash-object"))
        sf_classify_operands_read(j, call);
    if (call->noperands > 1 && call->argc > 1 && !strcmp(call->argv[1].text, "symbolic-ref"))
        sf_classify_raise(j, SF_CLASS_LOCAL_EDIT, "git-edit", &call->argv[0]);
}

/* update-ref REF NEW OLD: only with an OLD of zeros is it sure that no commit loses its name. */
void sf_classify_git_update_ref(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const char *old = call->noperands > 2 ? call->operands[2]->text : "x";

    if (!*old || strspn(old, "0") != strlen(old))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-loss", &call->words[0]);
}

/* %G… and %(signature) check signatures, for which git starts what gpg.program names. */
static bool format_checks(const char *format)
{
    for (const char *p = format; (p = strchr(p, '%')) != NULL; p += 1 + (p[1] != '\0'))
        if (p[1] == 'G' || !strncmp(p, "%(signature", 11))
            return true;
    return false;
}

void sf_classify_git_format(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->options->count; i++) {
        const struct sf_word_option *o = &call->options->items[i];

        if (!o->value || !o->dashes ||
            !((o->name_len == 6 && !strncmp(o->name, "format", 6)) ||
              (o->name_len == 6 && !strncmp(o->name, "pretty", 6))))
            continue;
        if (format_checks(o->value) ||
            (o->value_in->flags & SF_WORD_EXPANDS &&
             o->value_in->head <= (size_t)(o->value - o->value_in->text)))
            sf_classify_raise(j, SF_CLASS_BUILD_TEST, "git-signature", o->word);
    }
}

void sf_classify_git_reflog(struct sf_classifier *j, const struct sf_shell_call *call)
{
    sf_classify_git_format(j, call);
    if (call->noperands && sf_pattern_fits("expire|delete|drop", 18, call->operands[0]->text))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-loss", call->operands[0]);
}

/* `git remote` with a verb no row knows */
void sf_classify_git_remote(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (call->noperands)
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-remote", call->operands[0]);
}

void sf_classify_git_clone_plain(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 0; i < call->noperands; i++)
        if (strstr(call->operands[i]->text, "://"))
            sf_report_host(j, call->operands[i]->text);
    for (size_t i = 1; i < call->count; i++)
        if (!strcmp(call->words[i].text, "--force") || !strcmp(call->words[i].text, "-f"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "git-discard", &call->words[i]);
}

void sf_classify_git_pull(struct sf_classifier *j, const struct sf_shell_call *call)
{
    for (size_t i = 1; i < call->count; i++)
        if (!strcmp(call->words[i].text, "pull"))
            sf_classify_raise(j, SF_CLASS_NETWORK, "network", &call->words[i]);
}

/* Files that operands name, verb by verb; the others work on the index and the objects. */
void sf_classify_git_edit(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const struct {
        const char *verb;
        size_t from, to; /* which operands */
    } written[] = {
        { "bundle", 1, 2 },     { "init", 0, 1 },         { "mv", 0, SIZE_MAX },
        { "merge-file", 0, 1 }, { "pack-objects", 0, 1 },
    };
    const char *verb = call->operands > call->options->operands ? call->operands[-1]->text : "";

    if (!strcmp(verb, "bundle") && !(call->noperands && !strcmp(call->operands[0]->text, "create")))
        return;
    for (size_t i = 0; i < SF_COUNT(written); i++)
        for (size_t k = written[i].from;
             !strcmp(verb, written[i].verb) && k < written[i].to && k < call->noperands; k++)
            sf_classify_write(j, call->operands[k], call->operands[k]->text);
}

/* ---- what is shown of the files in the history ---- */

/* The file in `HEAD:a/b`, `:0:a/b`, `:(top)a/b` or `a/b`; NULL: it is left out. */
static const char *path_in(const char *text)
{
    const char *colon = strchr(text, ':');

    if (text[0] == ':' && strchr("!^", text[1]) && text[1])
        return NULL;
    if (!strncmp(text, ":(", 2)) {
        const char *close = strchr(text, ')');

        return !close || strstr(text, "exclude") ? NULL : close + 1;
    }
    text = colon ? colon + 1 : text;
    if (*text >= '0' && *text <= '3' && text[1] == ':')
        text += 2;
    return text + strspn(text, "/") + (strncmp(text, "./", 2) ? 0 : 2);
}

/* What was once in a file with secrets is one as well, be the file there or not. */
static void judge_shown(struct sf_classifier *j, const struct sf_word *w, const char *text)
{
    const char *path = path_in(text);
    struct sf_word pattern = *w;

    if (!path || w->flags & SF_WORD_EXPANDS)
        return;
    if (strpbrk(path, "*?["))
        pattern.flags |= SF_WORD_GLOB;
    if (sf_is_secret(path) || (pattern.flags & SF_WORD_GLOB && sf_may_name_secret(path)))
        sf_classify_reads(j, &pattern, path);
}

/* Whether lines of files are shown, and not only which of them changed. */
static bool shows_lines(const struct sf_shell_call *call)
{
    static const char asked[] =
        "-p -u -U -L -c -W --patch --unified --cc --word-diff --color-words "
        "--function-context --patch-with-stat --patch-with-raw --binary";
    static const char counted[] =
        "-s --stat --numstat --shortstat --dirstat --summary --name-only "
        "--name-status --raw --no-patch --quiet --check --compact-summary";
    static const char quiet[] = "log|reflog|rev-list|shortlog|whatchanged|stash|list|diff-tree|"
                                "diff-index|diff-files";
    const char *verb = call->operands > call->options->operands ? call->operands[-1]->text : "";

    if (sf_options_has(call->options, asked))
        return true;
    return !sf_pattern_fits(quiet, sizeof(quiet) - 1, verb) &&
           !sf_options_has(call->options, counted);
}

void sf_classify_git_history(struct sf_classifier *j, const struct sf_shell_call *call)
{
    const struct sf_word_option *lines = sf_options_find(call->options, "-L");
    bool shows = shows_lines(call);

    sf_classify_git_format(j, call);
    for (size_t i = 0; i < call->noperands; i++)
        if (shows || strchr(call->operands[i]->text, ':'))
            judge_shown(j, call->operands[i], call->operands[i]->text);
    if (lines && lines->value && strrchr(lines->value, ':'))
        judge_shown(j, lines->value_in, strrchr(lines->value, ':') + 1);
}

/* With --no-index the operands are files, anywhere. */
void sf_classify_git_show(struct sf_classifier *j, const struct sf_shell_call *call)
{
    if (sf_options_has(call->options, "--no-index"))
        sf_classify_operands_read(j, call);
    sf_classify_git_history(j, call);
}

/* gh: views and comments are plain traffic, the verbs of the other kind are looked for. */
void sf_classify_gh(struct sf_classifier *j, const struct sf_shell_call *call)
{
    static const char public[] =
        "release|secret|variable|extension|alias|ssh-key|gpg-key|deploy-key";
    static const char changing[] =
        "create|upload|edit|set|install|delete|add|remove|upgrade|import|sync";
    const char *noun = call->count > 1 ? call->words[1].text : "";
    const char *verb = call->count > 2 ? call->words[2].text : "";

    if (sf_pattern_fits(public, sizeof(public) - 1, noun) &&
        sf_pattern_fits(changing, sizeof(changing) - 1, verb))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "publish", &call->words[2]);
    if (!strcmp(noun, "repo") && sf_pattern_fits("edit|sync|archive|rename", 24, verb))
        sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "publish", &call->words[2]);
    for (size_t i = 1; i < call->count; i++)
        if (!strncmp(call->words[i].text, "--delete", 8) || !strcmp(call->words[i].text, "--force"))
            sf_classify_raise(j, SF_CLASS_DESTRUCTIVE, "removal-verb", &call->words[i]);
}
