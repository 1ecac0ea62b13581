/*
 * git_config.c: keys that name programs, as a table. Values are left alone; an include is taken to
 * hold anything.
 */
#include "judge/git_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

#define FILTERING                                                                               \
    "status|st|diff|diff-index|diff-files|add|stage|commit|ci|stash|blame|annotate|ls-files|"   \
    "describe|hash-object|checkout|co|switch|restore|reset|merge|rebase|cherry-pick|revert|am|" \
    "apply|submodule|update-index|archive|rm|mv|cat-file|worktree|read-tree|checkout-index|"    \
    "merge-tree|merge-file|lfs|difftool"
/* The filter for large files is off where git only reads (see tools/script.c). */
#define LFS "filter.lfs"
#define STORING                                                                            \
    "add|stage|commit|ci|stash|hash-object|checkout|co|switch|restore|reset|merge|rebase|" \
    "cherry-pick|revert|am|apply|submodule|update-index|archive|rm|mv|worktree|read-tree|" \
    "checkout-index|merge-tree|merge-file|lfs|cat-file|difftool"
#define COMMITTING "commit|ci|merge|rebase|cherry-pick|revert|am|pull|stash"
#define MERGING \
    "merge|merge-tree|merge-file|rebase|cherry-pick|revert|am|pull|stash|checkout|co|switch|apply"
#define TENDING "gc|repack|maintenance|prune|commit|ci|merge|rebase|am|fetch|pull|push|submodule"
#define TEXTS   "log|show|whatchanged|rev-list|reflog|stash|diff-tree|shortlog|format-patch"

/* What some version of git has not: an alias may stand behind it. */
#define NEW_VERBS \
    "co|ci|praise|submodules|diff-pairs|last-modified|refs|history|lfs|rm-cached|stash-create"

/*
 * Section, key and the verbs for which the setting runs something; an empty key stands for all of
 * the section, no verbs for all there are. The section HOOKS holds files in a directory of hooks.
 */
#define HOOKS "hooks/"
static const struct {
    const char *section, *key, *verbs;
} runs[] = {
    { "diff", "external", "diff|range-diff|stash|difftool" },
    { "diff", "command", "diff|range-diff|stash|difftool" },
    { "diff", "textconv",
      TEXTS "|diff|blame|annotate|praise|grep|range-diff|cat-file|diff-index|diff-files" },
    { "filter", "", FILTERING },
    { LFS, "", STORING },
    { "alias", "",
      NEW_VERBS }, /* what git has itself no alias hides, and st is set for every run */
    { "include", "", NULL },
    { "includeif", "", NULL },
    { "hook", "", NULL },
    { "core", "hookspath", COMMITTING "|checkout|co|switch|worktree|gc|clone|push|reset|apply" },
    { "core", "sshcommand", "fetch|pull|push|clone|ls-remote|submodule|remote|archive" },
    { "core", "alternaterefscommand", "fetch|pull|push|receive-pack" },
    /* archive checks the signatures that $Format:%G?$ in a file asks for */
    { "gpg", "",
      "commit|ci|tag|merge|rebase|cherry-pick|revert|am|verify-commit|verify-tag|push|archive" },
    { "format", "pretty", TEXTS },
    { "pretty", "", TEXTS },
    { "interactive", "difffilter", "add|stage|checkout|co|reset|restore|stash|commit|ci" },
    { "merge", "driver", MERGING },
    { "sequence", "editor", "rebase" },
    { "trailer", "", "interpret-trailers|" COMMITTING },
    { "tar", "", "archive" },
    { "gc", "recentobjectshook", TENDING },
    { "man", "", "help" },
    { "help", "", "help" },
    { "web", "", "help" },
    { "browser", "", "help" },
    /* an older git fetches what a read lacks, and the remote says by which program */
    { "extensions", "partialclone", NULL },
    { "remote", "promisor", NULL },
    { "remote", "partialclonefilter", NULL },

    { HOOKS, "pre-commit", COMMITTING },
    { HOOKS, "prepare-commit-msg", COMMITTING },
    { HOOKS, "commit-msg", COMMITTING },
    { HOOKS, "post-commit", COMMITTING },
    { HOOKS, "pre-merge-commit", "merge|pull" },
    { HOOKS, "post-merge", "merge|pull" },
    { HOOKS, "pre-rebase", "rebase|pull" },
    { HOOKS, "post-rewrite", "rebase|pull|commit|ci|am" },
    { HOOKS, "applypatch-msg", "am" },
    { HOOKS, "pre-applypatch", "am" },
    { HOOKS, "post-applypatch", "am" },
    { HOOKS, "post-checkout", "checkout|co|switch|worktree|rebase|clone|submodule" },
    { HOOKS, "pre-auto-gc", TENDING },
    { HOOKS, "post-index-change", NULL },
    { HOOKS, "reference-transaction", NULL },
};
_Static_assert(SF_COUNT(runs) <= SF_GIT_HELPERS, "a place for each kind");

static void note(struct sf_git_helpers *h, size_t kind, const char *name)
{
    if (!*h->keys[kind])
        snprintf(h->keys[kind], sizeof(h->keys[kind]), "%s", name);
}

/* A name that says nothing else stands in the key. */
static bool is_plain(const char *name)
{
    return name && *name &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")] == '\0';
}

void sf_git_helpers_add(struct sf_git_helpers *helpers, const struct sf_git_setting *setting)
{
    bool lfs = !strcmp(setting->section, "filter") && setting->sub && !strcmp(setting->sub, "lfs");
    const char *section = lfs ? LFS : setting->section;
    struct sf_strbuf name = SF_STRBUF_INIT;

    sf_strbuf_adds(&name, setting->section);
    if (is_plain(setting->sub))
        sf_strbuf_addf(&name, ".%s", setting->sub);
    sf_strbuf_addf(&name, ".%s", setting->key);
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        if (!strcmp(section, runs[i].section) &&
            (!*runs[i].key || !strcmp(setting->key, runs[i].key)))
            note(helpers, i, name.buf);
    sf_strbuf_release(&name);
}

void sf_git_helpers_hooks(struct sf_git_helpers *helpers, const char *dir)
{
    if (access(dir, F_OK) != 0)
        return;
    for (size_t i = 0; i < SF_COUNT(runs); i++) {
        char *path = strcmp(runs[i].section, HOOKS) ? NULL : sf_path_join(dir, runs[i].key);

        if (path && access(path, X_OK) == 0) {
            char name[SF_GIT_KEY_BYTES];

            snprintf(name, sizeof(name), "%s%s", HOOKS, runs[i].key);
            note(helpers, i, name);
        }
        free(path);
    }
}

static bool is_listed(const char *verbs, const char *verb)
{
    size_t n = strlen(verb);

    for (;; verbs += strcspn(verbs, "|") + 1) {
        if (!strncmp(verbs, verb, n) && (!verbs[n] || verbs[n] == '|'))
            return true;
        if (!verbs[strcspn(verbs, "|")])
            return false;
    }
}

const char *sf_git_helpers_key(const struct sf_git_helpers *helpers, const char *verb)
{
    if (helpers->doubt)
        return helpers->doubt;
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        if (*helpers->keys[i] && (!verb || !runs[i].verbs || is_listed(runs[i].verbs, verb)))
            return helpers->keys[i];
    return NULL;
}
