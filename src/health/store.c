/*
 * store.c: checks of the project's state directory: whether it can be written, whether the store
 * opens and is sound, its log, its permissions, and who shares it. Checks create nothing, in
 * particular no store.
 */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"
#include "journal/journal.h"
#include "tools/tools.h"

enum {
    CHECK_MAX = 64 * 1024 * 1024,
    LOG_MAX = 64 * 1024 * 1024, /* SQLite's own checkpoints keep it near 4 MiB */
    ASK_MS = 5000,
    FILES_MAX = 20000,
    SHOWN = 10,
};

void sf_health_look_state(struct sf_health *h)
{
    char *at;
    bool ok;

    if (!sf_health_has_state(h))
        return;
    at = sf_strdup(h->at->state_dir);
    while (!(ok = access(at, W_OK | X_OK) == 0) && errno == ENOENT && strrchr(at, '/') > at)
        *strrchr(at, '/') = '\0';
    if (!ok)
        sf_health_say(h, SF_HEALTH_PROBLEM, "make it writable, or set SF_HOME to a place that is",
                      "sf's state cannot be written in %s: %s", at, strerror(errno));
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s", h->at->state_dir);
    free(at);
}

/* ---- the store ---- */

static bool has_store(struct sf_health *h)
{
    if (!sf_health_has_state(h))
        return false;
    if (sf_health_exists(h->at->state_dir, "sf.db"))
        return true;
    sf_health_say(h, SF_HEALTH_OK, "", "there is none yet");
    return false;
}

void sf_health_look_opens(struct sf_health *h)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;

    if (!has_store(h))
        return;
    store = sf_store_open(h->at->state_dir, SF_STORE_READ, &err);
    if (!store)
        sf_health_say(h, SF_HEALTH_PROBLEM, *err.hint ? err.hint : "sf store recover", "%s",
                      err.msg);
    else if (*sf_store_warning(store))
        sf_health_say(h, SF_HEALTH_WARNING, "install the newer sf again", "%s",
                      sf_store_warning(store));
    else
        sf_health_say(h, SF_HEALTH_OK, "", "it opens");
    sf_store_close(store);
}

void sf_health_look_store(struct sf_health *h)
{
    struct sf_strbuf report = SF_STRBUF_INIT, size = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct stat st;
    char *path;

    if (!has_store(h))
        return;
    path = sf_path_join(h->at->state_dir, "sf.db");
    if (stat(path, &st) == 0)
        sf_kind_size(&size, (uint64_t)st.st_size);
    if (size.len && st.st_size > CHECK_MAX)
        sf_health_say(h, SF_HEALTH_OK, "", "%s; `sf store check` reads all of it", size.buf);
    else if (sf_store_check(h->at->state_dir, &report, &err))
        sf_health_say(h, SF_HEALTH_OK, "", "%s, sound", size.len ? size.buf : "");
    else
        sf_health_say(h, SF_HEALTH_PROBLEM, *err.hint ? err.hint : "sf store recover", "%s",
                      err.msg);
    sf_strbuf_release(&report);
    sf_strbuf_release(&size);
    free(path);
}

void sf_health_look_log(struct sf_health *h)
{
    struct sf_strbuf size = SF_STRBUF_INIT;
    struct stat st;
    char *path;

    if (!has_store(h))
        return;
    path = sf_path_join(h->at->state_dir, "sf.db-wal");
    if (stat(path, &st) < 0)
        st.st_size = 0;
    sf_kind_size(&size, (uint64_t)st.st_size);
    if (st.st_size > LOG_MAX) {
        sf_health_say(h, SF_HEALTH_WARNING, "sf doctor fix store-log",
                      "the log of the store has grown to %s", size.buf);
        sf_health_offer(h, SF_HEALTH_CHECKPOINT, h->at->state_dir, NULL, NULL);
    } else {
        sf_health_say(h, SF_HEALTH_OK, "", "%s", size.buf);
    }
    sf_strbuf_release(&size);
    free(path);
}

/* ---- permissions ---- */

static bool look_mode(struct sf_health *h, const char *path)
{
    struct stat st;

    if (lstat(path, &st) < 0 || S_ISLNK(st.st_mode) || !(st.st_mode & 077))
        return false;
    sf_health_say(h, SF_HEALTH_WARNING, "sf doctor fix private", "others can read %s", path);
    if (st.st_uid == geteuid())
        sf_health_offer_private(h, path, &st);
    return true;
}

void sf_health_look_private(struct sf_health *h)
{
    static const char *const names[] = { "sf.db",   "sf.db-wal",     "sf.db-shm", "locks",
                                         "backups", "snapshots.git", "doctor" };
    size_t open = 0;

    if (!sf_health_has_state(h))
        return;
    open += look_mode(h, h->at->state_dir);
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char *path = sf_path_join(h->at->state_dir, names[i]);

        open += look_mode(h, path);
        free(path);
    }
    if (!open)
        sf_health_say(h, SF_HEALTH_OK, "", "nobody else can read sf's state");
}

/* ---- who shares it ---- */

struct shared {
    struct sf_health *health;
    size_t others;
};

/* A place that is gone may have been a worktree; one that is there says itself whose it is. */
static bool look_project(const struct sf_query_row *row, void *ctx)
{
    struct shared *s = ctx;
    const struct sf_workspace *own = s->health->at->workspace;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_workspace other = { NULL, NULL };
    const char *path = row->values[0].type == SF_QUERY_TEXT ? row->values[0].bytes : "";

    if (*path == '/' && access(path, F_OK) == 0 && sf_workspace_find(path, &other, &ignored) &&
        strcmp(other.project, own->project) != 0) {
        s->others++;
        sf_health_say(s->health, SF_HEALTH_WARNING,
                      "one of them was moved or copied: set SF_HOME for one of the two",
                      "another project uses this state as well: %s", other.project);
    }
    sf_workspace_release(&other);
    return true;
}

void sf_health_look_shared(struct sf_health *h)
{
    struct shared s = { .health = h };
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = { .sql = "SELECT DISTINCT project FROM sessions LIMIT 200",
                                    .timeout_ms = ASK_MS,
                                    .row = look_project,
                                    .ctx = &s };

    if (!sf_health_has_workspace(h) || !has_store(h))
        return;
    if (!sf_store_query(h->at->state_dir, &query, &err))
        sf_health_error(h, SF_HEALTH_WARNING, &err);
    else if (!s.others)
        sf_health_say(h, SF_HEALTH_OK, "", "this project's alone");
}

/* ---- lock files of sessions ---- */

struct locks {
    struct sf_health *health;
    struct sf_store *store;
    size_t held, stale;
};

static bool is_session(struct sf_store *store, const char *id)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool found = sf_store_session_get(store, id, &arena, &row, &err) && !strcmp(row.id, id);

    sf_arena_release(&arena);
    return found || (err.code != SF_E_NOENT && err.code != SF_E_NONE);
}

/* The kernel drops a lock with its holder, so a file alone blocks nobody. */
static bool look_lock(void *ctx, const char *path, const struct stat *st)
{
    struct locks *l = ctx;
    const char *id = strrchr(path, '/') + 1;

    if (!S_ISREG(st->st_mode))
        return true;
    if (sf_session_lock_is_held(l->health->at->state_dir, id)) {
        l->held++;
    } else if (!is_session(l->store, id) && l->stale++ < SHOWN) {
        sf_health_say(l->health, SF_HEALTH_WARNING, "sf doctor fix session-locks moves it away",
                      "a lock file is left of a session that is gone: %s", id);
        sf_health_offer(l->health, SF_HEALTH_MOVE, path, NULL, NULL);
    }
    return true;
}

void sf_health_look_session_locks(struct sf_health *h)
{
    struct locks l = { .health = h };
    struct sf_health_walk walk = { .fn = look_lock, .ctx = &l, .left = FILES_MAX };
    struct sf_error err = SF_ERROR_INIT;
    char *dir;

    if (!has_store(h))
        return;
    l.store = sf_store_open(h->at->state_dir, SF_STORE_READ, &err);
    if (!l.store) {
        sf_health_say(h, SF_HEALTH_OK, "", "the store does not open: not looked at");
        return;
    }
    dir = sf_path_join(h->at->state_dir, "locks");
    sf_health_walk(&walk, dir);
    if (!l.stale)
        sf_health_say(h, SF_HEALTH_OK, "", "%zu session%s in use", l.held, l.held == 1 ? "" : "s");
    sf_store_close(l.store);
    free(dir);
}
