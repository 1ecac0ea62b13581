/*
 * lock_owner: who holds a lock, according to its file. The lock itself lives in the kernel; the
 * text in the file is for people, and is believed only while it names a running process with the
 * same start time, because pids are reused.
 */
#ifndef SF_IO_LOCK_OWNER_H
#define SF_IO_LOCK_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"
#include "io/lock.h"

enum { SF_LOCK_OWNER_TTY = 32 };

struct sf_lock_owner {
    pid_t pid;                   /* 0: unknown */
    char tty[SF_LOCK_OWNER_TTY]; /* "pts/3"; "": no terminal */
    int64_t since_ms;            /* wall clock, when the process took the lock */
};

/* Writes this process into the file of a lock it holds. If that fails, the owner is unknown. */
void sf_lock_owner_sign(const struct sf_lock *lock);

/* Reads the owner from the file. Only the lock itself tells whether it is held at all. */
struct sf_lock_owner sf_lock_owner_read(const char *path);

/* "process 4711 on pts/3 (since 15:02)", or "another process" where it is unknown. */
void sf_lock_owner_add(const struct sf_lock_owner *holder, int64_t now_ms, struct sf_strbuf *out);

#endif
