/*
 * git_config.c: looks for keys that name programs. It reads sections and key names and leaves
 * values alone; an include is taken to hold anything.
 */
#include "judge/git_config.h"

#include <ctype.h>

#include "base/base.h"
#include "io/io.h"

#define FILTERING                                                                               \
    "status|st|diff|diff-index|diff-files|add|stage|commit|ci|stash|blame|annotate|ls-files|"   \
    "describe|hash-object|checkout|co|switch|restore|reset|merge|rebase|cherry-pick|revert|am|" \
    "apply|submodule|update-index|archive|rm|mv|cat-file|worktree|read-tree|checkout-index"

/*
 * Section, key and the verbs for which the setting runs something; an empty key stands for all of
 * the section, no verbs for all there are.
 */
static const struct {
    const char *section, *key, *verbs;
} runs[] = {
    { "diff", "external", "diff|range-diff|stash" },
    { "diff", "command", "diff|range-diff|stash" },
    { "diff", "textconv",
      "diff|log|show|whatchanged|blame|annotate|praise|stash|grep|reflog|range-diff|cat-file" },
    { "filter", "", FILTERING },
    { "alias", "", "co|ci" }, /* what git has itself no alias hides, and st is set for every run */
    { "include", "", NULL },
    { "includeif", "", NULL },
    { "core", "hookspath",
      "commit|ci|merge|rebase|checkout|co|switch|am|cherry-pick|revert|worktree|gc|clone|pull|push|"
      "reset|stash|apply" },
    { "core", "sshcommand", "fetch|pull|push|clone|ls-remote|submodule|remote|archive" },
    { "core", "alternaterefscommand", "fetch|pull|push|receive-pack" },
    { "gpg", "", "commit|ci|tag|merge|rebase|cherry-pick|revert|am|verify-commit|verify-tag|push" },
    { "format", "pretty", "log|show|whatchanged|rev-list|reflog|stash|diff-tree" },
    { "pretty", "", "log|show|whatchanged|rev-list|reflog|stash|diff-tree" },
    { "interactive", "difffilter", "add|stage|checkout|co|reset|restore|stash|commit|ci" },
    { "extensions", "partialclone", NULL }, /* an older git fetches what a read lacks */
};
_Static_assert(SF_COUNT(runs) < SF_GIT_HELPERS, "one more place for what cannot be read");

enum { NAME_MAX_BYTES = SF_GIT_KEY_BYTES / 2, UNREADABLE = SF_COUNT(runs) };

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        c = (char)(c | 0x20);
    return c;
}

static bool is_name_byte(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Up to the first byte that is part of no name, in lower case; longer ones are cut. */
static void take_name(const char *text, size_t len, char name[NAME_MAX_BYTES])
{
    size_t n = 0;

    while (n < len && n + 1 < NAME_MAX_BYTES && is_name_byte(text[n])) {
        name[n] = lower(text[n]);
        n++;
    }
    name[n] = '\0';
}

static void note(struct sf_git_helpers *h, size_t kind, const char *section, const char *key)
{
    if (!*h->keys[kind])
        snprintf(h->keys[kind], sizeof(h->keys[kind]), "%s.%s", section, key);
}

static void match(struct sf_git_helpers *h, const char *section, const char *key)
{
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        if (!strcmp(section, runs[i].section) && (!*runs[i].key || !strcmp(key, runs[i].key)))
            note(h, i, section, key);
}

/*
 * One line. A section's name ends at a blank, a dot or the bracket: [diff "x"] and [diff.x] are
 * both diff. Keys may follow the bracket on the same line.
 */
static void read_line(struct sf_git_helpers *h, const char *line, size_t len,
                      char section[NAME_MAX_BYTES])
{
    char key[NAME_MAX_BYTES];
    size_t at = 0;

    while (at < len && isspace((unsigned char)line[at]))
        at++;
    if (at < len && line[at] == '[') {
        const char *close = memchr(line + at, ']', len - at);

        take_name(line + at + 1, len - at - 1, section);
        section[strcspn(section, ".")] = '\0';
        if (!close) {
            note(h, UNREADABLE, section, "?");
            return;
        }
        close = memrchr(line + at, ']', len - at); /* a name in quotes may hold one */
        at = (size_t)(close - line) + 1;
        while (at < len && isspace((unsigned char)line[at]))
            at++;
    }
    if (at >= len || line[at] == '#' || line[at] == ';')
        return;
    take_name(line + at, len - at, key);
    match(h, section, key);
}

void sf_git_helpers_read(struct sf_git_helpers *helpers, const char *text, size_t len)
{
    char section[NAME_MAX_BYTES] = "";
    size_t at = 0;

    while (at < len) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;

        read_line(helpers, text + at, n, section);
        at += n + 1;
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
    if (*helpers->keys[UNREADABLE])
        return helpers->keys[UNREADABLE];
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        if (*helpers->keys[i] && (!verb || !runs[i].verbs || is_listed(runs[i].verbs, verb)))
            return helpers->keys[i];
    return NULL;
}

/* A file that is there and cannot be read may say anything. */
static void read_file(struct sf_git_helpers *h, const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_file_read(path, (size_t)1 << 20, &text, &err))
        sf_git_helpers_read(h, text.buf, text.len);
    else if (err.code != SF_E_NOENT)
        note(h, UNREADABLE, name, "?");
    sf_strbuf_release(&text);
    free(path);
}

/* `.git` is a directory, or a file that names one: "gitdir: PATH". */
static char *git_directory(const char *workspace)
{
    char *dot = sf_path_join(workspace, ".git");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = dot;

    if (sf_file_read(dot, 8192, &text, &err) && text.len > 8 && !memcmp(text.buf, "gitdir: ", 8)) {
        text.buf[strcspn(text.buf, "\n")] = '\0';
        dir = text.buf[8] == '/' ? sf_strdup(text.buf + 8) : sf_path_join(workspace, text.buf + 8);
        free(dot);
    }
    sf_strbuf_release(&text);
    return dir;
}

/* A linked worktree keeps the shared settings where "commondir" says. */
static void read_common(struct sf_git_helpers *h, const char *dir)
{
    char *path = sf_path_join(dir, "commondir"), *common;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_file_read(path, 8192, &text, &err)) {
        text.buf[strcspn(text.buf, "\n")] = '\0';
        common = text.buf[0] == '/' ? sf_strdup(text.buf) : sf_path_join(dir, text.buf);
        read_file(h, common, "config");
        free(common);
    }
    sf_strbuf_release(&text);
    free(path);
}

void sf_git_helpers_look(struct sf_git_helpers *helpers, const char *workspace)
{
    char *dir = git_directory(workspace);

    *helpers = (struct sf_git_helpers){ 0 };
    read_file(helpers, dir, "config");
    read_file(helpers, dir, "config.worktree");
    read_common(helpers, dir);
    free(dir);
}
