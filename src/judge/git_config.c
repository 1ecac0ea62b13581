/*
 * git_config.c: looks for keys that name programs. It parses sections and key names and ignores
 * values; an include is assumed to contain anything.
 */
#include "judge/git_config.h"

#include <ctype.h>

#include "base/base.h"
#include "io/io.h"

/* Sections and keys that make git run programs; an empty key means the whole section. */
static const struct {
    const char *section, *key;
} runs[] = {
    { "diff", "external" },
    { "diff", "command" },
    { "diff", "textconv" },
    { "filter", "" },
    { "alias", "" },
    { "include", "" },
    { "includeif", "" },
    { "core", "fsmonitor" },
    { "core", "pager" },
    { "core", "sshcommand" },
    { "core", "alternaterefscommand" },
    { "core", "hookspath" },
    { "pager", "" },
    { "gpg", "program" },
    { "gpg", "" },
    { "interactive", "difffilter" },
    { "extensions", "partialclone" },
};

enum { NAME_MAX_BYTES = 64 };

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

/* Copies a name in lower case, up to the first byte that cannot be part of one; may be cut. */
static void take_name(const char *text, size_t len, char name[NAME_MAX_BYTES])
{
    size_t n = 0;

    while (n < len && n + 1 < NAME_MAX_BYTES && is_name_byte(text[n])) {
        name[n] = lower(text[n]);
        n++;
    }
    name[n] = '\0';
}

static bool matches(const char *section, const char *key)
{
    for (size_t i = 0; i < SF_COUNT(runs); i++)
        if (!strcmp(section, runs[i].section) && (!*runs[i].key || !strcmp(key, runs[i].key)))
            return true;
    return false;
}

/*
 * Checks one line. The name of a section ends at a space, a dot or the bracket: [diff "x"] and
 * [diff.x] are both diff. Keys may follow the bracket on the same line.
 */
static bool line_runs(const char *line, size_t len, char section[NAME_MAX_BYTES])
{
    char key[NAME_MAX_BYTES];
    size_t at = 0;

    while (at < len && isspace((unsigned char)line[at]))
        at++;
    if (at < len && line[at] == '[') {
        const char *close = memchr(line + at, ']', len - at);

        take_name(line + at + 1, len - at - 1, section);
        section[strcspn(section, ".")] = '\0';
        if (!close)
            return true;
        close = memrchr(line + at, ']', len - at); /* a quoted name may contain one */
        at = (size_t)(close - line) + 1;
        while (at < len && isspace((unsigned char)line[at]))
            at++;
    }
    if (at >= len || line[at] == '#' || line[at] == ';')
        return false;
    take_name(line + at, len - at, key);
    return matches(section, key);
}

bool sf_gitconfig_runs(const char *text, size_t len)
{
    char section[NAME_MAX_BYTES] = "";
    size_t at = 0;

    while (at < len) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;

        if (line_runs(text + at, n, section))
            return true;
        at += n + 1;
    }
    return false;
}

/* A file that exists but cannot be read may contain anything. */
static bool file_runs(const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool yes = sf_file_read(path, (size_t)1 << 20, &text, &err)
                   ? sf_gitconfig_runs(text.buf, text.len)
                   : err.code != SF_E_NOENT;

    sf_strbuf_release(&text);
    free(path);
    return yes;
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

/* A linked worktree has the shared settings in the directory that "commondir" names. */
static bool common_runs(const char *dir)
{
    char *path = sf_path_join(dir, "commondir"), *common;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool yes = false;

    if (sf_file_read(path, 8192, &text, &err)) {
        text.buf[strcspn(text.buf, "\n")] = '\0';
        common = text.buf[0] == '/' ? sf_strdup(text.buf) : sf_path_join(dir, text.buf);
        yes = file_runs(common, "config");
        free(common);
    }
    sf_strbuf_release(&text);
    free(path);
    return yes;
}

bool sf_gitconfig_repository_runs(const char *workspace)
{
    char *dir = git_directory(workspace);
    bool yes = file_runs(dir, "config") || file_runs(dir, "config.worktree") || common_runs(dir);

    free(dir);
    return yes;
}
