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

bool sf_temp_open(struct sf_temp *temp, int dir, const char *shown, mode_t mode,
                  struct sf_error *err)
{
    temp->dir = dir;
    temp->shown = shown;
    for (int attempt = 0; attempt < 16 && temp->fd < 0; attempt++) {
        uint64_t lot;

        if (getrandom(&lot, sizeof(lot), 0) != (ssize_t)sizeof(lot))
            continue;
        snprintf(temp->name, sizeof(temp->name), ".sf-tmp-%016llx", (unsigned long long)lot);
        temp->fd =
            openat(dir, temp->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (temp->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (temp->fd >= 0)
        return true;
    temp->name[0] = '\0';
    return sf_fail_errno(err, "cannot write %s", shown);
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
    bool ok = sf_fd_write_all(fd, data, len) && sf_fd_sync(fd);
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
