/*
 * repair_file.c: writing, removing and bringing back single files, by a handle on their directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cage/repair.h"
#include "io/io.h"

int sf_repair_open_parent(const char *path, const char **name)
{
    const struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                                  .resolve = RESOLVE_NO_SYMLINKS };
    const char *slash = strrchr(path, '/');
    char *dir = sf_strndup(path, slash == path ? 1 : (size_t)(slash - path));
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, dir, &how, sizeof(how));

    *name = slash + 1;
    free(dir);
    return fd;
}

bool sf_repair_remove(const char *path)
{
    const char *name;
    int dir = sf_repair_open_parent(path, &name);
    bool ok = dir >= 0 && unlinkat(dir, name, 0) == 0;

    if (dir >= 0)
        close(dir);
    return ok;
}

bool sf_repair_write(const char *path, const char *text, size_t len)
{
    const char *name;
    char temp[40];
    int dir = sf_repair_open_parent(path, &name), fd = -1;
    bool ok;

    snprintf(temp, sizeof(temp), ".sf-mended-%d", (int)getpid());
    if (dir >= 0 && (unlinkat(dir, temp, 0) == 0 || errno == ENOENT))
        fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    ok = fd >= 0 && sf_fd_write_all(fd, text, len) && renameat(dir, temp, dir, name) == 0;
    if (!ok && fd >= 0)
        unlinkat(dir, temp, 0);
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    return ok;
}

/* The directories on the way, where they are missing. */
static void make_parents(const char *path)
{
    char *at = sf_strdup(path);

    for (char *slash = at + 1; (slash = strchr(slash, '/')); slash++) {
        const char *name;
        int dir;

        *slash = '\0';
        dir = sf_repair_open_parent(at, &name);
        if (dir >= 0) {
            mkdirat(dir, name, 0755);
            close(dir);
        }
        *slash = '/';
    }
    free(at);
}

bool sf_repair_restore(const struct sf_repair_part *was)
{
    const char *name;
    int dir;
    bool ok;

    make_parents(was->path);
    ok = was->text.len <= SF_MEND_TEXT_MAX &&
         sf_repair_write(was->path, was->text.len ? was->text.buf : "", was->text.len);

    dir = ok ? sf_repair_open_parent(was->path, &name) : -1;
    ok = dir >= 0 && fchmodat(dir, name, was->mode, AT_SYMLINK_NOFOLLOW) == 0;
    if (dir >= 0)
        close(dir);
    return ok;
}
