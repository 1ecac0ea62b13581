/*
 * keeper.c: a file is written under another name and renamed, so that nobody finds half of one.
 * That a copy is current shows in its size and its time of writing, which are those of the file, and
 * in its change time, which nobody can set: whatever happened to the file happened before.
 */
#include "cage/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/io.h"

enum {
    SMALL_MAX = 1 << 20, /* a larger file is shared or linked, if that is enough */
    COPY_MAX = 64 << 20,
};

static int open_beneath(int root, const char *path, uint64_t flags)
{
    const struct open_how how = { .flags = flags | O_CLOEXEC,
                                  .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };

    return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

int sf_keeper_dir(int root, const char *path)
{
    return open_beneath(root, *path ? path : ".", O_RDONLY | O_DIRECTORY);
}

bool sf_keeper_open(struct sf_keeper *k, const char *git_dir, const char *store)
{
    struct sf_error ignored = SF_ERROR_INIT;

    *k = (struct sf_keeper){ -1, -1 };
    if (!sf_dir_make(store, 0700, &ignored))
        return false;
    k->store = open(store, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    k->live = open(git_dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return k->store >= 0 && k->live >= 0;
}

void sf_keeper_close(struct sf_keeper *k)
{
    if (k->live >= 0)
        close(k->live);
    if (k->store >= 0)
        close(k->store);
    *k = (struct sf_keeper){ -1, -1 };
}

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The directory that the path lies in; with `make` those that are missing are made. */
static int open_parent(int root, const char *path, bool make)
{
    char *dir = sf_strndup(path, (size_t)(name_in(path) - path));
    int fd = -1;

    for (char *slash = dir; make && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdirat(root, dir, 0755);
        *slash = '/';
    }
    fd = sf_keeper_dir(root, dir);
    free(dir);
    return fd;
}

void sf_keeper_dirs(const struct sf_keeper *k, const char *path, struct sf_keeper *out)
{
    char *inside = sf_path_join(path, ".");

    out->live = sf_keeper_dir(k->live, path);
    out->store = open_parent(k->store, inside, true);
    free(inside);
}

static bool copy_bytes(int in, int out)
{
    char chunk[65536];
    ssize_t n;

    while ((n = read(in, chunk, sizeof(chunk))) > 0)
        if (!sf_fd_write_all(out, chunk, (size_t)n))
            return false;
    return n == 0;
}

/* A file at both ends of a copy, by the handle of its directory and its name. */
struct end {
    int dir;
    const char *name;
};

/* With the mode, the times and, where permitted, the owner. */
static bool make_copy(int in, const struct end *to, const struct stat *st, off_t max)
{
    const struct timespec times[2] = { st->st_atim, st->st_mtim };
    int out = openat(to->dir, to->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool ok = out >= 0 &&
              (ioctl(out, FICLONE, in) == 0 || (st->st_size <= max && lseek(in, 0, SEEK_SET) == 0 &&
                                                ftruncate(out, 0) == 0 && copy_bytes(in, out)));

    if (ok && fchown(out, st->st_uid, st->st_gid) < 0)
        ok = errno == EPERM;
    ok = ok && fchmod(out, st->st_mode & 07777) == 0 && futimens(out, times) == 0;
    if (out >= 0)
        close(out);
    if (!ok && out >= 0)
        unlinkat(to->dir, to->name, 0);
    return ok;
}

static bool make(int in, const struct end *from, const struct end *to, enum sf_keeper_how how)
{
    struct stat st;

    if (in < 0 || fstat(in, &st) < 0 || !S_ISREG(st.st_mode))
        return false;
    if (how == SF_KEEPER_LINK && linkat(from->dir, from->name, to->dir, to->name, 0) == 0)
        return true;
    if (how != SF_KEEPER_COPY && st.st_size > SMALL_MAX)
        return make_copy(in, to, &st, 0) ||
               linkat(from->dir, from->name, to->dir, to->name, 0) == 0 ||
               make_copy(in, to, &st, COPY_MAX);
    return make_copy(in, to, &st, COPY_MAX);
}

/* From one end to the other: under a name of its own first, then in the place of what is there. */
static bool transfer(const struct end *from, const struct end *to, enum sf_keeper_how how)
{
    char temp[40];
    const struct end under = { to->dir, temp };
    int in = openat(from->dir, from->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok;

    snprintf(temp, sizeof(temp), ".sf-kept-%d", (int)getpid());
    unlinkat(to->dir, temp, 0);
    ok = make(in, from, &under, how) && renameat(to->dir, temp, to->dir, to->name) == 0;
    unlinkat(to->dir, temp, 0); /* also when both names were one file */
    if (in >= 0)
        close(in);
    return ok;
}

static bool move(int from_root, int to_root, const char *path, enum sf_keeper_how how)
{
    struct end from = { open_parent(from_root, path, false), name_in(path) };
    struct end to = { open_parent(to_root, path, true), name_in(path) };
    bool ok = from.dir >= 0 && to.dir >= 0 && transfer(&from, &to, how);

    if (from.dir >= 0)
        close(from.dir);
    if (to.dir >= 0)
        close(to.dir);
    return ok;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static bool is_current(const struct stat *kept, const struct stat *st, enum sf_keeper_how how)
{
    if (is_same_file(kept, st))
        return how != SF_KEEPER_COPY;
    return kept->st_size == st->st_size && kept->st_mtim.tv_sec == st->st_mtim.tv_sec &&
           kept->st_mtim.tv_nsec == st->st_mtim.tv_nsec && is_before(&st->st_ctim, &kept->st_ctim);
}

bool sf_keeper_keep(const struct sf_keeper *k, const char *path, const struct stat *st,
                    enum sf_keeper_how how)
{
    struct stat kept;

    if (fstatat(k->store, path, &kept, AT_SYMLINK_NOFOLLOW) == 0 && is_current(&kept, st, how))
        return true;
    return move(k->live, k->store, path, how);
}

bool sf_keeper_has_copy(const struct sf_keeper *k, const char *path, struct stat *kept)
{
    struct stat live;

    return fstatat(k->store, path, kept, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(kept->st_mode) &&
           (fstatat(k->live, path, &live, AT_SYMLINK_NOFOLLOW) < 0 || !is_same_file(kept, &live));
}

bool sf_keeper_put_back(const struct sf_keeper *k, const char *path, enum sf_keeper_how how)
{
    return move(k->store, k->live, path, how);
}

void sf_keeper_drop(const struct sf_keeper *k, const char *path)
{
    unlinkat(k->store, path, 0);
}

bool sf_keeper_read(int root, const char *path, size_t max, struct sf_strbuf *out)
{
    int fd = open_beneath(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct sf_error ignored = SF_ERROR_INIT;
    bool ok = fd >= 0 && sf_fd_read_all(fd, path, max, out, &ignored);

    if (fd >= 0)
        close(fd);
    return ok;
}

void sf_keeper_list(int root, const char *path, struct sf_strlist *out)
{
    int fd = sf_keeper_dir(root, path);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            sf_strlist_add(out, entry->d_name);
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
}
