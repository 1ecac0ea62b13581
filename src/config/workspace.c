/*
 * workspace.c: finds the workspace's root and the project it belongs to. Reads only .git files,
 * never git's configuration: nothing in a repository can make this code run a program.
 */
#include "config/workspace.h"

#include <sys/stat.h>

#include "base/base.h"
#include "io/io.h"

enum { MAX_POINTER = 8192 };

static bool is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Whether .git is a directory, or a file that may point to one. */
static bool has_git(const char *dir)
{
    char *path = sf_path_join(dir, ".git");
    struct stat st;
    bool yes = lstat(path, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));

    free(path);
    return yes;
}

/* The nearest directory upwards that has a .git; `start` itself if there is none. */
static char *find_root(const char *start)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *home = sf_env_home(&ignored);
    char *dir = sf_strdup(start), *found = NULL;

    while (!found && strcmp(dir, "/") != 0 && !(home && !strcmp(dir, home))) {
        if (has_git(dir)) {
            found = sf_strdup(dir);
        } else {
            char *slash = strrchr(dir, '/');

            slash[slash == dir] = '\0';
        }
    }
    free(dir);
    free(home);
    return found ? found : sf_strdup(start);
}

/* The path in a one-line pointer file, resolved against `base`; NULL: none. */
static char *read_pointer(const char *file, const char *prefix, const char *base)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *joined = NULL, *real = NULL;
    size_t skip = strlen(prefix);

    if (!sf_file_read(file, MAX_POINTER, &text, &ignored))
        goto out;
    while (text.len && (text.buf[text.len - 1] == '\n' || text.buf[text.len - 1] == '\r'))
        sf_strbuf_truncate(&text, text.len - 1);
    if (text.len <= skip || strncmp(text.buf, prefix, skip) != 0 || strlen(text.buf) != text.len)
        goto out;
    joined =
        text.buf[skip] == '/' ? sf_strdup(text.buf + skip) : sf_path_join(base, text.buf + skip);
    real = sf_path_real(joined, &ignored);
out:
    free(joined);
    sf_strbuf_release(&text);
    return real;
}

/* Whether the repository's entry for the worktree names this .git file. */
static bool points_back(const char *gitdir, const char *dotgit)
{
    char *file = sf_path_join(gitdir, "gitdir");
    char *back = read_pointer(file, "", gitdir);
    bool yes = back && !strcmp(back, dotgit);

    free(file);
    free(back);
    return yes;
}

/*
 * Whether the repository itself lists this worktree: its git directory must be in the repository's
 * directory `worktrees`. Anything else could come from whoever wrote the .git file.
 */
static bool is_listed(const char *common, const char *gitdir)
{
    char *list = sf_path_join(common, "worktrees");
    const char *slash = strrchr(gitdir, '/');
    size_t n = strlen(list);
    bool yes = slash && (size_t)(slash - gitdir) == n && !strncmp(gitdir, list, n);

    free(list);
    return yes;
}

/* The main work tree behind a linked one; NULL when root is not a linked worktree. */
static char *find_main(const char *root)
{
    char *dotgit = sf_path_join(root, ".git"), *gitdir = read_pointer(dotgit, "gitdir: ", root);
    char *file = gitdir ? sf_path_join(gitdir, "commondir") : NULL;
    char *common = file ? read_pointer(file, "", gitdir) : NULL, *result = NULL;
    char *slash = common ? strrchr(common, '/') : NULL;

    if (slash && slash != common && !strcmp(slash, "/.git") && is_listed(common, gitdir) &&
        points_back(gitdir, dotgit)) {
        *slash = '\0';
        result = sf_strdup(common);
    }
    free(dotgit);
    free(gitdir);
    free(file);
    free(common);
    return result;
}

bool sf_workspace_find(const char *start, struct sf_workspace *out, struct sf_error *err)
{
    char *real = sf_path_real(start, err);

    *out = (struct sf_workspace){ NULL, NULL };
    if (!real)
        return false;
    if (!is_dir(real)) {
        sf_fail(err, SF_E_ARG, "%s is not a directory", start);
        free(real);
        return false;
    }
    out->root = find_root(real);
    out->project = find_main(out->root);
    if (!out->project)
        out->project = sf_strdup(out->root);
    free(real);
    return true;
}

void sf_workspace_release(struct sf_workspace *workspace)
{
    free(workspace->root);
    free(workspace->project);
    *workspace = (struct sf_workspace){ NULL, NULL };
}

/* Appends a name that people recognise in a listing; the hash after it makes it unique. */
static void add_slug(struct sf_strbuf *out, const char *path)
{
    const char *name = strrchr(path, '/');
    size_t n = 0;

    for (name = name ? name + 1 : path; *name && n < 40; name++, n++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '-' || *name == '_' ||
                     (*name == '.' && n);

        sf_strbuf_addch(out, (char)(plain ? *name : '_'));
    }
    if (!n)
        sf_strbuf_adds(out, "root");
}

char *sf_workspace_state_dir(const struct sf_workspace *workspace, struct sf_error *err)
{
    char *state = sf_env_state_dir(err), *projects, *dir;
    struct sf_strbuf name = SF_STRBUF_INIT;
    char hex[SF_SHA256_HEX + 1];

    if (!state)
        return NULL;
    sf_sha256_hex(workspace->project, strlen(workspace->project), hex);
    add_slug(&name, workspace->project);
    sf_strbuf_addf(&name, "-%.16s", hex);
    projects = sf_path_join(state, "projects");
    dir = sf_path_join(projects, name.buf);
    free(state);
    free(projects);
    sf_strbuf_release(&name);
    return dir;
}
