/*
 * temp.c: the temporary file of an atomic write. Its name does not contain the target's, so it
 * cannot be too long where the target's name is not.
 */
#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/base.h"
#include "io/fd.h"

/* Makes a name that is not used yet, with `make`; false: errno says why there is none. */
static bool choose_name(struct sf_temp *temp, bool (*make)(struct sf_temp *temp, mode_t mode),
                        mode_t mode)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t lot;

        if (getrandom(&lot, sizeof(lot), 0) != (ssize_t)sizeof(lot))
            continue;
        snprintf(temp->name, sizeof(temp->name), ".sf-tmp-%016llx", (unsigned long long)lot);
        if (make(temp, mode))
            return true;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    temp->name[0] = '\0';
    return false;
}

static bool open_named(struct sf_temp *temp, mode_t mode)
{
    temp->fd =
        openat(temp->dir, temp->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    return temp->fd >= 0;
}

static bool link_named(struct sf_temp *temp, mode_t mode)
{
    char path[32];

    (void)mode;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", temp->fd);
    return linkat(AT_FDCWD, path, temp->dir, temp->name, AT_SYMLINK_FOLLOW) == 0;
}

/* A file without a name can only be given one through /proc. */
static bool can_link(int fd)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/*
 * Where the file system can, the file has no name until it is full, so that a process that is killed
 * meanwhile leaves nothing behind.
 */
bool sf_temp_open(struct sf_temp *temp, int dir, const char *shown, mode_t mode,
                  struct sf_error *err)
{
    temp->dir = dir;
    temp->shown = shown;
    temp->fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (temp->fd >= 0 && can_link(temp->fd))
        return true;
    if (temp->fd >= 0)
        close(temp->fd);
    temp->fd = -1;
    return choose_name(temp, open_named, mode) || sf_fail_errno(err, "cannot write %s", shown);
}

/*
 * The owner is kept if that is permitted; otherwise the set-id bits are dropped, which would give
 * the new owner's rights to others.
 */
bool sf_temp_keep(const struct sf_temp *temp, const struct stat *st, struct sf_error *err)
{
    mode_t mode = st->st_mode & 07777;
    struct stat now;

    if (fstat(temp->fd, &now) < 0)
        return sf_fail_errno(err, "cannot write %s", temp->shown);
    if ((now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
        fchown(temp->fd, st->st_uid, st->st_gid) < 0)
        mode &= 0777;
    if (fchmod(temp->fd, mode) < 0)
        return sf_fail_errno(err, "cannot keep the mode of %s", temp->shown);
    return true;
}

bool sf_temp_fill(struct sf_temp *temp, const void *data, size_t len, struct sf_error *err)
{
    int fd = temp->fd;
    bool ok = sf_fd_write_all(fd, data, len) && sf_fd_sync(fd) &&
              (temp->name[0] || choose_name(temp, link_named, 0));
    int problem = errno;

    temp->fd = -1;
    if (close(fd) < 0 && ok && errno != EINTR) {
        problem = errno;
        ok = false;
    }
    errno = problem;
    return ok || sf_fail_errno(err, "cannot write %s", temp->shown);
}

void sf_temp_discard(struct sf_temp *temp)
{
    if (temp->fd >= 0)
        close(temp->fd);
    if (temp->name[0])
        unlinkat(temp->dir, temp->name, 0);
    temp->fd = -1;
    temp->name[0] = '\0';
}
