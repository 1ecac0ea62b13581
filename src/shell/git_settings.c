/*
 * git_settings.c: a reader that is stricter than git's own. Whatever it takes for a setting git
 * takes for the same one; values that go on in the next line, bytes of zero and lines of other
 * shapes are not understood, and the caller is told so.
 */
#include "shell/git_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "shell/facts.h"

struct reader {
    sf_git_setting_fn *fn;
    void *ctx;
    struct sf_strbuf section, sub, key, value;
    bool has_sub;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_name(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* What stands between the quotes of [section "sub"]; behind the closing one, or NULL. */
static const char *read_quoted(struct reader *r, const char *p, const char *end)
{
    for (; p < end && *p != '"'; p++) {
        if (*p == '\\' && p + 1 < end)
            sf_strbuf_addch(&r->sub, *p++);
        sf_strbuf_addch(&r->sub, *p);
    }
    return p < end ? p + 1 : NULL;
}

/* [section], [section "sub"] or the old [section.sub]; behind the bracket, or NULL. */
static const char *read_header(struct reader *r, const char *p, const char *end)
{
    sf_strbuf_reset(&r->section);
    sf_strbuf_reset(&r->sub);
    r->has_sub = false;
    for (; p < end && is_name(*p); p++)
        sf_strbuf_addch(&r->section, lower(*p));
    if (!r->section.len)
        return NULL;
    if (p < end && *p == '.') {
        r->has_sub = true;
        for (p++; p < end && (is_name(*p) || *p == '.'); p++)
            sf_strbuf_addch(&r->sub, lower(*p));
    } else if (p < end && is_blank(*p)) {
        p = skip_blanks(p, end);
        r->has_sub = true;
        p = p < end && *p == '"' ? read_quoted(r, p + 1, end) : NULL;
    }
    return p && p < end && *p == ']' ? p + 1 : NULL;
}

static void tell(struct reader *r, bool has_value)
{
    const struct sf_git_setting setting = { .section = r->section.buf,
                                            .key = r->key.buf,
                                            .sub = r->has_sub ? r->sub.buf : NULL,
                                            .value = has_value ? r->value.buf : NULL };

    r->fn(r->ctx, &setting);
}

static bool read_setting(struct reader *r, const char *p, const char *end)
{
    sf_strbuf_reset(&r->key);
    sf_strbuf_reset(&r->value);
    for (; p < end && is_name(*p); p++)
        sf_strbuf_addch(&r->key, lower(*p));
    if (!r->key.len || !r->section.len)
        return false;
    p = skip_blanks(p, end);
    if (p == end || *p == '#' || *p == ';') {
        tell(r, false);
        return true;
    }
    if (*p != '=')
        return false;
    p = skip_blanks(p + 1, end);
    sf_strbuf_add(&r->value, p, (size_t)(end - p));
    tell(r, true);
    return true;
}

static bool read_line(struct reader *r, const char *p, const char *end)
{
    if (end > p && end[-1] == '\r')
        end--;
    p = skip_blanks(p, end);
    if (p < end && *p == '[') {
        p = read_header(r, p + 1, end);
        if (!p)
            return false;
        p = skip_blanks(p, end);
    }
    if (p == end || *p == '#' || *p == ';')
        return true;
    return end[-1] != '\\' && read_setting(r, p, end);
}

bool sf_git_settings_read(const char *text, size_t len, sf_git_setting_fn *fn, void *ctx)
{
    struct reader r = { .fn = fn, .ctx = ctx };
    const char *p = text, *end = text + len;
    bool ok = !memchr(text, '\0', len);

    sf_strbuf_init(&r.section);
    sf_strbuf_init(&r.sub);
    sf_strbuf_init(&r.key);
    sf_strbuf_init(&r.value);
    while (ok && p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));

        ok = read_line(&r, p, stop ? stop : end);
        p = stop ? stop + 1 : end;
    }
    sf_strbuf_release(&r.section);
    sf_strbuf_release(&r.sub);
    sf_strbuf_release(&r.key);
    sf_strbuf_release(&r.value);
    return ok;
}

/* Keys that change how something looks or who signs it, and nothing else. */
bool sf_git_key_is_tame(const char *key)
{
    static const char keys[] =
        "color.*|column.*|core.quotepath|core.abbrev|core.autocrlf|core.safecrlf|core.whitespace|"
        "core.filemode|core.ignorecase|core.precomposeunicode|core.longpaths|core.logallrefupdates|"
        "core.commentchar|core.preloadindex|core.untrackedcache|diff.renames|diff.renamelimit|"
        "diff.mnemonicprefix|diff.noprefix|diff.algorithm|diff.colormoved*|diff.context|"
        "diff.interhunkcontext|diff.wserrorhighlight|diff.wordregex|diff.statgraphwidth|"
        "diff.ignoresubmodules|diff.submodule|diff.indentheuristic|diff.relative|diff.orderfile|"
        "log.date|log.abbrevcommit|log.decorate|log.follow|log.graphcolors|log.mailmap|log.showroot|"
        "status.*|user.name|user.email|user.useconfigonly|author.*|committer.*|init.defaultbranch|"
        "advice.*|i18n.*|grep.linenumber|grep.column|grep.patterntype|grep.threads|grep.fullname|"
        "commit.gpgsign|commit.verbose|commit.cleanup|tag.gpgsign|tag.sort|branch.sort|"
        "branch.autosetup*|merge.conflictstyle|merge.ff|merge.renames|merge.renamelimit|merge.stat|"
        "pull.rebase|pull.ff|push.default|push.autosetupremote|push.followtags|fetch.prune|"
        "fetch.parallel|rebase.autosquash|rebase.autostash|rebase.updaterefs|rerere.*|pack.*|"
        "blame.date|blame.coloring|blame.showroot|showbranch.*|versionsort.*|feature.*|trace2.*x";

    return sf_pattern_fits(keys, sizeof(keys) - 1, key);
}

/* What git itself writes when it makes a repository, a remote, a branch or a submodule. */
static bool is_of_making(const char *key)
{
    static const char keys[] =
        "core.repositoryformatversion|core.bare|core.symlinks|core.worktree|core.sparsecheckout|"
        "core.sparsecheckoutcone|core.compression|core.bigfilethreshold|index.*|"
        "extensions.objectformat|extensions.refstorage|extensions.worktreeconfig|"
        "extensions.partialclone|extensions.preciousobjects|extensions.relativeworktrees|"
        "remote.*.url|remote.*.pushurl|remote.*.fetch|remote.*.push|remote.*.tagopt|"
        "remote.*.prune|remote.*.mirror|remote.*.promisor|remote.*.partialclonefilter|"
        "remote.*.skipdefaultupdate|remote.*.followremotehead|remote.pushdefault|branch.*.remote|"
        "branch.*.merge|branch.*.rebase|branch.*.pushremote|branch.*.description|"
        "branch.*.vscode-merge-base|branch.*.gh-merge-base|submodule.*.url|submodule.*.active|"
        "submodule.*.branch|submodule.*.ignore|submodule.*.path|submodule.active|"
        "submodule.recurse|submodule.fetchjobs|gc.*|receive.deny*|maintenance.auto|"
        "maintenance.strategy|user.signingkey|checkout.*|fetch.*|clone.defaultremotename|"
        "uploadpack.allow*|uploadpack.hiderefs|transfer.fsckobjects|stash.*|tag.forcesignannotated";

    return sf_pattern_fits(keys, sizeof(keys) - 1, key);
}

bool sf_git_setting_is_tame(const struct sf_git_setting *s)
{
    struct sf_strbuf key = SF_STRBUF_INIT;
    bool tame;

    /* what stands in the middle is anything: it must not look like a key of its own */
    sf_strbuf_addf(&key, "%s%s.%s", s->section, s->sub ? ".x" : "", s->key);
    tame = sf_git_key_is_tame(key.buf) || is_of_making(key.buf);
    sf_strbuf_release(&key);
    return tame;
}

char *sf_git_setting_text(const struct sf_git_setting *s)
{
    const char *p = s->value;
    size_t n;

    if (!p || strchr(p, '\\'))
        return NULL;
    if (*p == '"') {
        const char *close = strchr(p + 1, '"');

        return close && !close[1] ? sf_strndup(p + 1, (size_t)(close - p - 1)) : NULL;
    }
    if (strchr(p, '"'))
        return NULL;
    n = strcspn(p, "#;");
    while (n && is_blank(p[n - 1]))
        n--;
    return sf_strndup(p, n);
}
