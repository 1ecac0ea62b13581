/*
 * git_dir.c: where git keeps what belongs to the workspace, and what its references lead to, read
 * from the files: no git runs, and nothing the repository configures can make one run.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "health/internal.h"
#include "io/io.h"

enum { LINKS_MAX = 5, PACKED_MAX = 32 * 1024 * 1024, SHA1 = 40, SHA256 = 64, ENTRIES_MAX = 10000 };

/* The real path that a pointer file names, relative to the directory it is in; NULL: none. */
static char *follow(const char *dir, const char *name, const char *prefix)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *line = sf_health_line(dir, name), *joined = NULL, *real = NULL;
    size_t skip = strlen(prefix);

    if (line && !strncmp(line, prefix, skip) && line[skip]) {
        joined = line[skip] == '/' ? sf_strdup(line + skip) : sf_path_join(dir, line + skip);
        real = sf_path_real(joined, &ignored);
    }
    free(joined);
    free(line);
    return real;
}

/* The workspace knows its main work tree only if that lists it, so a stranger's .git is not it. */
static bool is_own(const struct sf_workspace *w, const struct sf_health_git *git, bool is_dir)
{
    char *main = sf_path_join(w->project, ".git");
    bool own = is_dir || (strcmp(w->root, w->project) != 0 && !strcmp(main, git->common));

    free(main);
    return own;
}

static void find(struct sf_health_git *git, const struct sf_workspace *w)
{
    char *dot = sf_path_join(w->root, ".git");
    struct stat st;

    *git = (struct sf_health_git){ NULL, NULL, false };
    if (lstat(dot, &st) == 0) {
        git->dir = S_ISDIR(st.st_mode) ? sf_strdup(dot) : follow(w->root, ".git", "gitdir: ");
        git->common = git->dir ? follow(git->dir, "commondir", "") : NULL;
        if (git->dir && !git->common)
            git->common = sf_strdup(git->dir);
        git->own = git->dir && is_own(w, git, S_ISDIR(st.st_mode));
    }
    free(dot);
}

void sf_health_git_release(struct sf_health_git *git)
{
    free(git->dir);
    free(git->common);
    *git = (struct sf_health_git){ NULL, NULL, false };
}

bool sf_health_git_begin(struct sf_health *h, struct sf_health_git *git)
{
    *git = (struct sf_health_git){ NULL, NULL, false };
    if (!sf_health_has_workspace(h))
        return false;
    find(git, h->at->workspace);
    if (!git->dir && sf_health_exists(h->at->workspace->root, ".git"))
        sf_health_say(h, SF_HEALTH_PROBLEM, "look at the file .git in the workspace",
                      "the repository that .git names is not there");
    else if (!git->dir)
        sf_health_say(h, SF_HEALTH_OK, "", "the workspace is no repository");
    return git->dir != NULL;
}

/* ---- references ---- */

static bool is_id(const char *text)
{
    size_t n = strspn(text, "0123456789abcdef");

    return (n == SHA1 || n == SHA256) && !text[n];
}

/* Git's own rule in short: below refs/, without a way up and without odd characters. */
static bool is_ref(const char *name)
{
    return !strncmp(name, "refs/", 5) && !strstr(name, "..") && !strstr(name, "//") &&
           !strpbrk(name, " ~^:?*[\\\x7f");
}

/* The id of a packed reference, owned; NULL: there is none of that name. */
static char *find_packed(const struct sf_health_git *git, const char *ref)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = sf_path_join(git->common, "packed-refs"), *id = NULL;
    size_t len = strlen(ref);

    if (sf_file_read(path, PACKED_MAX, &text, &ignored) && text.len)
        for (const char *at = text.buf; at && !id; at = strchr(at, '\n'), at += at != NULL) {
            size_t digits = strspn(at, "0123456789abcdef");

            if ((digits == SHA1 || digits == SHA256) && at[digits] == ' ' &&
                !strncmp(at + digits + 1, ref, len) && strchr("\r\n", at[digits + 1 + len]))
                id = sf_strndup(at, digits);
        }
    sf_strbuf_release(&text);
    free(path);
    return id;
}

/* HEAD and the references of a bisection are a worktree's own; all others are shared. */
static char *read_ref(const struct sf_health_git *git, const char *ref)
{
    return sf_health_line(!strcmp(ref, "HEAD") ? git->dir : git->common, ref);
}

char *sf_health_git_resolve(const struct sf_health_git *git, const char *ref, char **name)
{
    *name = sf_strdup(ref);
    for (int i = 0; i < LINKS_MAX; i++) {
        char *line = read_ref(git, *name);

        if (!line) {
            char *id = strcmp(*name, "HEAD") != 0 ? find_packed(git, *name) : NULL;

            return id || !strcmp(*name, "HEAD") ? id : sf_strdup("");
        }
        if (is_id(line))
            return line;
        if (strncmp(line, "ref: ", 5) != 0 || !is_ref(line + 5)) {
            free(line);
            return NULL;
        }
        free(*name);
        *name = sf_strdup(line + 5);
        free(line);
    }
    return NULL;
}

static bool is_pack(void *ctx, const char *path, const struct stat *st)
{
    size_t len = strlen(path);

    (void)st;
    *(bool *)ctx = len > 5 && !strcmp(path + len - 5, ".pack");
    return !*(bool *)ctx;
}

/* Where there are packs or borrowed objects, an object that is not loose may be in them. */
bool sf_health_git_has(const struct sf_health_git *git, const char *id)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    char *objects = sf_path_join(git->common, "objects"), *packs = sf_path_join(objects, "pack");
    bool packed = false, has;
    struct sf_health_walk walk = { .fn = is_pack, .ctx = &packed, .left = ENTRIES_MAX };

    sf_strbuf_addf(&path, "%.2s/%s", id, id + 2);
    sf_health_walk(&walk, packs);
    has = packed || sf_health_exists(objects, path.buf) ||
          sf_health_exists(objects, "info/alternates");
    sf_strbuf_release(&path);
    free(packs);
    free(objects);
    return has;
}
