/*
 * ignore_file.c: fetching the ignore files of one directory through its handle. A file that
 * cannot be read says nothing: the worst that comes of it is a longer list.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "find/beneath.h"
#include "find/ignore.h"

bool sf_ignore_is_machinery(const char *name)
{
    static const char *const names[] = { ".git", ".hg", ".svn", ".jj" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

bool sf_ignore_sees(struct sf_ignore_seen *has, const char *name)
{
    if (!strcmp(name, ".gitignore"))
        has->gitignore = true;
    else if (!strcmp(name, ".ignore"))
        has->ignore = true;
    else if (!strcmp(name, ".git"))
        has->git = true;
    else
        return false;
    return true;
}

/* True when it was read; more than the ceiling is cut there. */
static bool fetch(int dir, const char *name, struct sf_strbuf *out)
{
    struct stat st;
    int fd = sf_beneath_open_file(dir, name, &st);
    bool ok;

    if (fd < 0)
        return false;
    ok = sf_beneath_read(fd, SF_IGNORE_FILE_MAX, out);
    close(fd);
    return ok;
}

/* Of a .git that is a directory; a linked worktree has its elsewhere. */
bool sf_ignore_read_exclude(int dir, struct sf_strbuf *out)
{
    int info = sf_beneath_open_dir(dir, ".git/info");
    bool ok;

    if (info < 0)
        return false;
    ok = fetch(info, "exclude", out);
    close(info);
    return ok;
}

struct sf_ignore *sf_ignore_load(struct sf_ignore *above, int fd, size_t dir_len,
                                 const struct sf_ignore_seen *has)
{
    struct sf_strbuf exclude = SF_STRBUF_INIT;
    bool found = has->git && sf_ignore_read_exclude(fd, &exclude);
    struct sf_ignore *node = sf_ignore_load_as(above, fd, dir_len, has, found ? &exclude : NULL);

    sf_strbuf_release(&exclude);
    return node;
}

struct sf_ignore *sf_ignore_load_as(struct sf_ignore *above, int fd, size_t dir_len,
                                    const struct sf_ignore_seen *has,
                                    const struct sf_strbuf *exclude)
{
    struct sf_strbuf git = SF_STRBUF_INIT, own = SF_STRBUF_INIT;
    struct sf_ignore_texts texts = { .repository = has->git };
    struct sf_ignore *node;

    if (!has->gitignore && !has->ignore && !has->git && !exclude)
        return sf_ignore_ref(above);
    if (has->gitignore && fetch(fd, ".gitignore", &git)) {
        texts.gitignore = git.buf;
        texts.gitignore_len = git.len;
    }
    if (has->ignore && fetch(fd, ".ignore", &own)) {
        texts.ignore = own.buf;
        texts.ignore_len = own.len;
    }
    if (exclude) {
        texts.exclude = exclude->buf;
        texts.exclude_len = exclude->len;
    }
    node = sf_ignore_enter(above, dir_len, &texts);
    sf_strbuf_release(&git);
    sf_strbuf_release(&own);
    return node;
}

/* Adds what one directory above the start says; takes `above` over. */
static struct sf_ignore *load_one(int root, struct sf_ignore *above, const char *path, size_t len)
{
    char *dir = sf_strndup(path, len);
    int fd = sf_beneath_open_dir(root, dir);
    struct sf_ignore_seen has = { true, true, false };
    struct sf_ignore *ignore;
    struct stat st;

    free(dir);
    if (fd < 0)
        return above;
    has.git = fstatat(fd, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0;
    ignore = sf_ignore_load(above, fd, len, &has);
    close(fd);
    sf_ignore_unref(above);
    return ignore;
}

struct sf_ignore *sf_ignore_load_above(int root, const char *path, const char *user)
{
    struct sf_ignore *ignore = user ? sf_ignore_user(user, strlen(user)) : NULL;
    size_t len = 0;

    while (*path) {
        const char *slash;

        ignore = load_one(root, ignore, path, len);
        slash = strchr(path + len + (len > 0), '/');
        if (!slash)
            break;
        len = (size_t)(slash - path);
    }
    return ignore;
}
