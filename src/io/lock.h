/*
 * lock: one holder at a time, between processes. The lock lives in the kernel and goes with its
 * holder, so a dead process never blocks anybody. The file stays behind on purpose: removing it
 * would let two holders stand on two files of one name.
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
 * Waits up to `wait_ms` (0: one attempt); SF_E_BUSY when somebody else holds it for longer. The
 * file is made (0600) when missing; its directory must exist. `lock` must not be held.
 */
bool sf_lock_take(const char *path, int64_t wait_ms, struct sf_lock *lock,
                  struct sf_error *err) SF_MUST_CHECK;

/*
 * For who waits for long: queue up once, then try whenever something may have happened, which opens
 * and closes nothing. SF_E_BUSY: still held. SF_E_NOENT: the file is another one now, or gone.
 */
bool sf_lock_queue(const char *path, struct sf_lock *lock, struct sf_error *err) SF_MUST_CHECK;
bool sf_lock_try(const char *path, const struct sf_lock *lock, struct sf_error *err) SF_MUST_CHECK;

void sf_lock_drop(struct sf_lock *lock); /* queued ones too; one that is not held is welcome */

#endif
