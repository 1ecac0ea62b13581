/*
 * lock_owner: who holds a lock, as its file says. The lock itself lives in the kernel; what is written
 * in the file is for people, and is believed only while it names a process that lives and began
 * when it says: numbers of processes are used again.
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
    char tty[SF_LOCK_OWNER_TTY]; /* "pts/3"; "": it has none */
    int64_t since_ms;            /* wall clock, when it took the lock */
};

/* Writes this process into the file of a lock it holds. What cannot be written stays unknown. */
void sf_lock_owner_sign(const struct sf_lock *lock);

/* Who it is. That somebody holds the lock at all is for the lock to say. */
struct sf_lock_owner sf_lock_owner_read(const char *path);

/* "process 4711 on pts/3 (since 15:02)", or "another process" where it is unknown. */
void sf_lock_owner_add(const struct sf_lock_owner *holder, int64_t now_ms, struct sf_strbuf *out);

#endif
