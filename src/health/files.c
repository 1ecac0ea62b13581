/*
 * files.c: directories and small files for the checks. Everything has a limit, since a workspace
 * may hold anything; what cannot be read counts as not there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"

enum { LINE_BYTES = 8192 };

static bool is_passed_over(const struct sf_health_walk *walk, const char *name)
{
    for (const char *const *no = walk->no; no && *no; no++)
        if (!strcmp(*no, name))
            return true;
    return !strcmp(name, ".") || !strcmp(name, "..");
}

static bool visit(struct sf_health_walk *walk, const char *dir, const char *name, unsigned depth);

static bool enter(struct sf_health_walk *walk, const char *path, unsigned depth)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    bool go_on = true;

    while (dir && go_on && (entry = readdir(dir)))
        if (!is_passed_over(walk, entry->d_name))
            go_on = visit(walk, path, entry->d_name, depth);
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return go_on;
}

static bool visit(struct sf_health_walk *walk, const char *dir, const char *name, unsigned depth)
{
    char *path = sf_path_join(dir, name);
    bool go_on = walk->left > 0;
    struct stat st;

    if (go_on && lstat(path, &st) == 0) {
        walk->left--;
        go_on = walk->fn(walk->ctx, path, &st);
        if (go_on && S_ISDIR(st.st_mode) && depth < walk->depth)
            go_on = enter(walk, path, depth + 1);
    }
    free(path);
    return go_on;
}

void sf_health_walk(struct sf_health_walk *walk, const char *dir)
{
    enter(walk, dir, 0);
}

char *sf_health_line(const char *dir, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = sf_path_join(dir, name), *line = NULL;

    if (sf_file_read(path, LINE_BYTES, &text, &ignored))
        line = sf_strndup(text.len ? text.buf : "", strcspn(text.len ? text.buf : "", "\r\n"));
    sf_strbuf_release(&text);
    free(path);
    return line;
}

bool sf_health_exists(const char *dir, const char *name)
{
    char *path = sf_path_join(dir, name);
    struct stat st;
    bool there = lstat(path, &st) == 0;

    free(path);
    return there;
}

int64_t sf_health_age_ms(const struct stat *st)
{
    return sf_clock_wall_ms() -
           ((int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000);
}

bool sf_health_is_alive(pid_t pid)
{
    return pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH);
}
