/*
 * lock.c: flock(2) with a timeout. flock has none of its own, and a blocking call could not be
 * abandoned, so waiting means trying again after a growing pause.
 */
#include "io/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "io/clock.h"

#define PAUSE_MAX_MS 50

enum attempt { TAKEN, HELD_ELSEWHERE, REPLACED, FAILED };

static int open_lock(const char *path, struct sf_error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat st;

    if (fd < 0) {
        sf_fail_errno(err, "cannot open the lock %s", path);
        return -1;
    }
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        sf_fail(err, SF_E_ARG, "the lock %s is not a regular file", path);
        close(fd);
        return -1;
    }
    return fd;
}

/* If the file was removed since it was opened, this lock guards nothing. */
static bool is_current(const char *path, int fd)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static enum attempt attempt_once(const char *path, int fd, struct sf_error *err)
{
    int rc;

    do
        rc = flock(fd, LOCK_EX | LOCK_NB);
    while (rc < 0 && errno == EINTR);
    if (rc == 0)
        return is_current(path, fd) ? TAKEN : REPLACED;
    if (errno == EWOULDBLOCK)
        return HELD_ELSEWHERE;
    sf_fail_errno(err, "cannot lock %s", path);
    return FAILED;
}

static enum attempt try_lock(const char *path, struct sf_lock *lock, struct sf_error *err)
{
    enum attempt got = FAILED;
    int fd = open_lock(path, err);

    if (fd < 0)
        return FAILED;
    got = attempt_once(path, fd, err);
    if (got == TAKEN)
        lock->fd = fd;
    else
        close(fd);
    return got;
}

static void pause_ms(int64_t ms)
{
    const struct timespec span = { .tv_nsec = (long)ms * 1000000 };

    nanosleep(&span, NULL);
}

bool sf_lock_take(const char *path, int64_t wait_ms, struct sf_lock *lock, struct sf_error *err)
{
    int64_t start = sf_clock_monotonic_ms();
    int64_t pause = 1;

    for (;;) {
        enum attempt got = try_lock(path, lock, err);
        int64_t left = wait_ms - (sf_clock_monotonic_ms() - start);

        if (got == TAKEN)
            return true;
        if (got == FAILED)
            return false;
        if (left <= 0)
            break;
        pause_ms(pause < left ? pause : left);
        if (pause < PAUSE_MAX_MS)
            pause *= 2;
    }
    sf_fail(err, SF_E_BUSY, "another process holds %s", path);
    return sf_hint(err, "wait for it to finish, or see who it is with: fuser %s", path);
}

bool sf_lock_queue(const char *path, struct sf_lock *lock, struct sf_error *err)
{
    lock->fd = open_lock(path, err);
    return lock->fd >= 0;
}

bool sf_lock_try(const char *path, const struct sf_lock *lock, struct sf_error *err)
{
    switch (attempt_once(path, lock->fd, err)) {
    case TAKEN:
        return true;
    case HELD_ELSEWHERE:
        return sf_fail(err, SF_E_BUSY, "another process holds %s", path);
    case REPLACED:
        flock(lock->fd, LOCK_UN);
        return sf_fail(err, SF_E_NOENT, "the lock %s was replaced", path);
    case FAILED:
        break;
    }
    return false;
}

void sf_lock_drop(struct sf_lock *lock)
{
    if (lock->fd < 0)
        return;
    /* Unlocked explicitly, not by closing: a process forked just now may still have a copy. */
    flock(lock->fd, LOCK_UN);
    close(lock->fd);
    lock->fd = -1;
}
