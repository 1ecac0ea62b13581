/*
 * tempdir.c: makes, finds and removes temporary directories. Commands can leave anything in them,
 * so removing follows no link and crosses no mount point.
 */
#include "judge/tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/io.h"

#define PREFIX "sf-"

enum { DIGITS = 16, OPEN_DIRS = 16, LOOK_AT = 10000, TRIES = 1000 };

static bool choose(struct sf_tempdir *scratch, const char *base, struct sf_error *err)
{
    char name[sizeof(PREFIX) + DIGITS];
    uint64_t random;

    *scratch = (struct sf_tempdir){ .lock = -1 };
    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return sf_fail_errno(err, "cannot choose a temporary directory");
    scratch->base = sf_path_real(base, err);
    if (!scratch->base)
        return false;
    snprintf(name, sizeof(name), PREFIX "%016" PRIx64, random);
    scratch->path = sf_path_join(scratch->base, name);
    return true;
}

bool sf_tempdir_init(struct sf_tempdir *scratch, struct sf_error *err)
{
    const char *given = sf_env_get("TMPDIR");

    return choose(scratch, given && *given == '/' ? given : "/tmp", err);
}

bool sf_tempdir_init_below(struct sf_tempdir *scratch, const char *base, struct sf_error *err)
{
    *scratch = (struct sf_tempdir){ .lock = -1 };
    return sf_dir_make(base, 0700, err) && choose(scratch, base, err);
}

/*
 * Commands may have left directories without permissions, which would block removing. A walk does
 * not enter a directory that it could not read, so what was closed is walked by itself once it is open.
 */
static int open_up(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)at;
    if (kind == FTW_D || kind == FTW_DNR)
        chmod(path, 0700);
    if (kind == FTW_DNR && access(path, R_OK | X_OK) == 0)
        nftw(path, open_up, OPEN_DIRS, FTW_PHYS | FTW_MOUNT);
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, open_up, OPEN_DIRS, FTW_PHYS | FTW_MOUNT);
    nftw(path, remove_one, OPEN_DIRS, FTW_PHYS | FTW_MOUNT | FTW_DEPTH);
}

static bool is_name(const char *name)
{
    size_t n = strlen(PREFIX);

    return !strncmp(name, PREFIX, n) && strlen(name) == n + DIGITS &&
           strspn(name + n, "0123456789abcdef") == DIGITS;
}

/* Opens and locks the directory; -1 if it is not the user's own or another process has the lock. */
static int open_locked(const char *path, int how)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, how | LOCK_NB) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Removes directories of sessions that were killed. */
void sf_tempdir_sweep(const char *base)
{
    DIR *dir = opendir(base);
    const struct dirent *entry;
    size_t seen = 0;

    while (dir && (entry = readdir(dir)) && seen++ < LOOK_AT) {
        char *path;
        int fd;

        if (!is_name(entry->d_name))
            continue;
        path = sf_path_join(base, entry->d_name);
        fd = open_locked(path, LOCK_EX);
        if (fd >= 0) {
            remove_tree(path);
            close(fd);
        }
        free(path);
    }
    if (dir)
        closedir(dir);
}

/* Whether the directory still exists: another process may have removed it before it was locked. */
static bool has_name(int fd, const char *path)
{
    struct stat held, named;

    return fstat(fd, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

/* Between mkdir and the lock, another process may take the directory for a leftover. */
static int make_locked(const char *path)
{
    static const struct timespec moment = { .tv_nsec = 1000000 };

    for (int i = 0; i < TRIES; i++) {
        int fd;

        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            return -1;
        fd = open_locked(path, LOCK_SH);
        if (fd >= 0 && has_name(fd, path))
            return fd;
        if (fd >= 0)
            close(fd);
        nanosleep(&moment, NULL); /* the process that holds it is about to remove it */
    }
    return -1;
}

bool sf_tempdir_make(struct sf_tempdir *scratch, struct sf_error *err)
{
    if (scratch->lock >= 0)
        return true;
    sf_tempdir_sweep(scratch->base);
    scratch->lock = make_locked(scratch->path);
    if (scratch->lock < 0)
        return sf_fail_errno(err, "cannot make the temporary directory %s", scratch->path);
    return true;
}

void sf_tempdir_release(struct sf_tempdir *scratch)
{
    if (scratch->lock >= 0) {
        remove_tree(scratch->path);
        close(scratch->lock);
    }
    free(scratch->base);
    free(scratch->path);
    *scratch = (struct sf_tempdir){ .lock = -1 };
}
