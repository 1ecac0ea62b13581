/*
 * session_lock.c: the locks of sessions, one file each in the project's state directory.
 */
#include "journal/session_lock.h"

#include <unistd.h>

enum { LOCK_MS = 200 }; /* another process may hold the lock briefly, to check whether it is free */

char *sf_session_lock_path(const char *state_dir, const char *id)
{
    char *dir = sf_path_join(state_dir, "locks"), *path = sf_path_join(dir, id);

    free(dir);
    return path;
}

static bool fail_held(const char *path, const char *id, struct sf_error *err)
{
    struct sf_lock_owner holder = sf_lock_owner_read(path);
    struct sf_strbuf who = SF_STRBUF_INIT;

    sf_lock_owner_add(&holder, sf_clock_wall_ms(), &who);
    sf_fail(err, SF_E_BUSY, "%s holds session %s", who.buf, id);
    sf_strbuf_release(&who);
    return sf_hint(err, "wait until it ends, or watch it from a terminal: sf -r %.10s", id);
}

bool sf_session_lock_take(const char *state_dir, const char *id, struct sf_lock *lock,
                          struct sf_error *err)
{
    char *dir = sf_path_join(state_dir, "locks"), *path = sf_path_join(dir, id);
    bool ok = sf_dir_make(dir, 0700, err) && sf_lock_take(path, LOCK_MS, lock, err);

    if (ok)
        sf_lock_owner_sign(lock);
    else if (err->code == SF_E_BUSY)
        fail_held(path, id, err);
    free(path);
    free(dir);
    return ok;
}

/* A lock that can be taken is free, and is released at once. */
bool sf_session_lock_is_held(const char *state_dir, const char *id)
{
    char *path = sf_session_lock_path(state_dir, id);
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool held =
        access(path, F_OK) == 0 && !sf_lock_take(path, 0, &lock, &err) && err.code == SF_E_BUSY;

    sf_lock_drop(&lock);
    free(path);
    return held;
}
