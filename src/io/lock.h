/*
 * lock: mutual exclusion between processes. The lock lives in the kernel and ends with its holder,
 * so a dead process never blocks another. The file is left behind on purpose: after a removal, two
 * processes could hold locks on two different files of the same name.
 */
#ifndef SF_IO_LOCK_H
#define SF_IO_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

struct sf_lock {
    int fd; /* -1: not held */
};

#define SF_LOCK_INIT \
    {                \
        -1           \
    }

/*
 * Waits up to `wait_ms` (0: one attempt); SF_E_BUSY when another process holds it for longer. The
 * file is made (0600) when missing; its directory must exist. `lock` must not be held.
 */
bool sf_lock_take(const char *path, int64_t wait_ms, struct sf_lock *lock,
                  struct sf_error *err) SF_MUST_CHECK;

/*
 * For long waits: sf_lock_queue opens the file once, sf_lock_try then tries the lock without
 * opening or closing anything, which would wake file watches. There is no order among waiters.
 * SF_E_BUSY: still held. SF_E_NOENT: the file was replaced or removed.
 */
bool sf_lock_queue(const char *path, struct sf_lock *lock, struct sf_error *err) SF_MUST_CHECK;
bool sf_lock_try(const char *path, const struct sf_lock *lock, struct sf_error *err) SF_MUST_CHECK;

void sf_lock_drop(struct sf_lock *lock); /* also a queued one; does nothing if not open */

#endif
