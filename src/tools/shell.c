/*
 * shell.c: where commands start. What a command reports is taken for a wish: it counts when it
 * is a real directory of the workspace.
 */
#include "tools/shell.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/script.h"

struct sf_shell_state {
    const struct sf_place_root *root;
    struct sf_jobs *jobs;
    struct sf_strlist env;
    char *program;
    char *cwd; /* below the root */
};

struct sf_shell_state *sf_shell_new(const struct sf_toolbox_setup *setup)
{
    struct sf_shell_state *shell = sf_alloc(sizeof(*shell));

    shell->root = setup->root;
    shell->jobs = sf_jobs_new(setup->loop, setup->spill_dir);
    sf_jobs_watch(shell->jobs, setup->job_ended, setup->ctx);
    sf_script_env(setup->child_env, &shell->env);
    shell->program = sf_script_shell(&shell->env);
    shell->cwd = sf_strdup("");
    return shell;
}

void sf_shell_free(struct sf_shell_state *shell)
{
    if (!shell)
        return;
    sf_jobs_free(shell->jobs);
    sf_strlist_release(&shell->env);
    free(shell->program);
    free(shell->cwd);
    free(shell);
}

const char *sf_shell_cwd(const struct sf_shell_state *shell)
{
    return shell->cwd;
}

void sf_shell_set_cwd(struct sf_shell_state *shell, const char *dir)
{
    char *copy = sf_strdup(dir);

    free(shell->cwd);
    shell->cwd = copy;
}

struct sf_jobs *sf_shell_jobs(const struct sf_shell_state *shell)
{
    return shell->jobs;
}

const char *sf_shell_program(const struct sf_shell_state *shell)
{
    return shell->program;
}

const char *const *sf_shell_env(const struct sf_shell_state *shell)
{
    return (const char *const *)shell->env.items;
}

bool sf_shell_is_dir(const char *path)
{
    struct sf_error err = SF_ERROR_INIT;
    char *real = sf_path_real(path, &err);
    struct stat st;
    bool ok = real && !strcmp(real, path) && !stat(path, &st) && S_ISDIR(st.st_mode);

    free(real);
    return ok;
}

char *sf_shell_enter(struct sf_shell_state *shell, struct sf_strbuf *note)
{
    char *path;

    if (!*shell->cwd)
        return sf_strdup(shell->root->path);
    path = sf_path_join(shell->root->path, shell->cwd);
    if (sf_shell_is_dir(path))
        return path;
    free(path);
    sf_strbuf_addf(note, "[the directory %s is gone: started in the workspace's root]\n",
                   shell->cwd);
    sf_shell_set_cwd(shell, "");
    return sf_strdup(shell->root->path);
}

/* What of the path lies below the root; NULL: it is outside. */
static const char *below(const struct sf_shell_state *shell, const char *path)
{
    const char *root = shell->root->path;
    size_t n = strlen(root);

    if (!strcmp(root, "/"))
        return path + 1;
    if (strncmp(path, root, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path + n + (path[n] == '/');
}

void sf_shell_follow(struct sf_shell_state *shell, const char *report, struct sf_strbuf *note)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const char *dir;

    if (!sf_file_read(report, PATH_MAX, &path, &err) || !path.len || path.buf[path.len - 1] != '\n')
        goto out;
    sf_strbuf_truncate(&path, path.len - 1);
    if (strlen(path.buf) != path.len || !sf_shell_is_dir(path.buf))
        goto out;
    dir = below(shell, path.buf);
    if (dir)
        sf_shell_set_cwd(shell, dir);
    else
        sf_strbuf_addf(note, "[%s is outside the workspace: the next command starts in %s again]\n",
                       path.buf, *shell->cwd ? shell->cwd : "the workspace's root");
out:
    sf_strbuf_release(&path);
}
