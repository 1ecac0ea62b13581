/*
 * namespaces.c: entering namespaces and arranging mounts in them. Sources are cloned before the
 * tree becomes read-only, so that the clones stay writable, and put in place afterwards.
 */
#include "cage/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

void sf_namespaces_ids(struct sf_namespaces *spaces)
{
    unsigned uid = geteuid(), gid = getegid();

    snprintf(spaces->uid_map, sizeof(spaces->uid_map), "%u %u 1\n", uid, uid);
    snprintf(spaces->gid_map, sizeof(spaces->gid_map), "%u %u 1\n", gid, gid);
}

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    size_t len = strlen(text);
    bool ok;

    if (fd < 0)
        return false;
    ok = write(fd, text, len) == (ssize_t)len;
    close(fd);
    return ok;
}

bool sf_namespaces_enter(const struct sf_namespaces *spaces)
{
    int flags = (spaces->user ? CLONE_NEWUSER : 0) | (spaces->mounts ? CLONE_NEWNS : 0) |
                (spaces->nets ? CLONE_NEWNET | CLONE_NEWIPC : 0);

    if (unshare(flags) < 0)
        return false;
    if (spaces->user && (!write_file("/proc/self/setgroups", "deny") ||
                         !write_file("/proc/self/uid_map", spaces->uid_map) ||
                         !write_file("/proc/self/gid_map", spaces->gid_map)))
        return false;
    return !spaces->mounts || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* So that programs under test find themselves. */
bool sf_namespaces_loopback_up(void)
{
    struct ifreq request = { .ifr_name = "lo" };
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok;

    if (fd < 0)
        return errno == EAFNOSUPPORT;
    ok = ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
    ok = ok && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    close(fd);
    return ok;
}

bool sf_namespaces_read_only(void)
{
    struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };

    return mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &attr, sizeof(attr)) == 0;
}

static bool is_in_memory(const struct sf_mount *m)
{
    return m->how == SF_MOUNT_MEMORY || m->how == SF_MOUNT_EMPTY;
}

/* -1 with errno 0: there is nothing to clone. */
static int clone_source(const struct sf_mount *m)
{
    struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };
    int fd;

    if (is_in_memory(m))
        return -1;
    if (m->how == SF_MOUNT_COVER)
        attr.attr_set |= MOUNT_ATTR_NODEV;
    fd = open_tree(AT_FDCWD, m->source,
                   OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW);
    if (fd >= 0 && (m->how == SF_MOUNT_READONLY || m->how == SF_MOUNT_COVER) &&
        mount_setattr(fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof(attr)) < 0) {
        close(fd);
        return -2;
    }
    if (fd < 0)
        return m->optional && (errno == ENOENT || errno == ENOTDIR) ? -1 : -2;
    return fd;
}

static bool put(const struct sf_mount *m, int tree)
{
    bool ok;

    if (m->how == SF_MOUNT_MEMORY)
        ok = mount("tmpfs", m->path, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0;
    else if (m->how == SF_MOUNT_EMPTY)
        ok = mount("tmpfs", m->path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=0,size=4k") ==
             0;
    else
        ok = tree < 0 || move_mount(tree, "", AT_FDCWD, m->path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    return ok || (m->optional && (errno == ENOENT || errno == ENOTDIR));
}

static bool mount_all(const struct sf_mount *mounts, size_t count, bool fence)
{
    int trees[SF_MOUNTS_MAX];

    if (count > SF_MOUNTS_MAX) {
        errno = E2BIG;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        trees[i] = clone_source(&mounts[i]);
        if (trees[i] == -2)
            return false;
    }
    if (fence && !sf_namespaces_read_only())
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!put(&mounts[i], trees[i]))
            return false;
        if (trees[i] >= 0)
            close(trees[i]);
    }
    return true;
}

bool sf_namespaces_mount(const struct sf_mount *mounts, size_t count, bool fence)
{
    char cwd[PATH_MAX];

    /* the system call: glibc's function may allocate */
    if (syscall(SYS_getcwd, cwd, sizeof(cwd)) < 0 || cwd[0] != '/')
        cwd[0] = '\0';
    return mount_all(mounts, count, fence) && (!cwd[0] || chdir(cwd) == 0);
}
