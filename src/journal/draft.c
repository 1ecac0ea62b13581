/*
 * draft.c: a draft is taken over under the lock of the session it came from, so that it is never
 * taken from a process that is still editing it.
 */
#include "journal/draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "io/io.h"
#include "journal/live_sessions.h"
#include "journal/session_lock.h"

enum { DRAFTS_MAX = 10000 };

static char *draft_path(const char *state_dir, const char *id)
{
    char *dir = sf_path_join(state_dir, "drafts"), *path = sf_path_join(dir, id);

    free(dir);
    return path;
}

void sf_draft_read(const char *state_dir, const char *id, size_t max, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = draft_path(state_dir, id);

    if (!sf_file_read(path, max, out, &ignored))
        sf_strbuf_reset(out);
    free(path);
}

bool sf_draft_write(const char *state_dir, const char *id, const char *text, size_t len,
                    struct sf_error *err)
{
    char *dir = sf_path_join(state_dir, "drafts"), *path = draft_path(state_dir, id);
    bool ok;

    if (len)
        ok = sf_dir_make(dir, 0700, err) && sf_file_write_atomic(path, text, len, 0600, err);
    else
        ok = unlink(path) == 0 || errno == ENOENT || sf_fail_errno(err, "cannot remove %s", path);
    free(path);
    free(dir);
    return ok;
}

static bool is_older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static bool note_event(const struct sf_event_row *event, void *ctx)
{
    (void)event;
    *(bool *)ctx = true;
    return false;
}

/* Whether the session has a prompt; true if the store cannot be read. */
static bool is_used(struct sf_store *store, const char *id)
{
    const struct sf_event_filter filter = { .session = id, .kind = SF_LOG_USER, .limit = 1 };
    struct sf_error ignored = SF_ERROR_INIT;
    bool used = false;

    return !sf_store_each_event(store, &filter, note_event, &used, &ignored) || used;
}

/* Finds the newest draft of a session that no process owns; `name` stays empty if there is none. */
static void find_newest(DIR *drafts, struct sf_store *store, const struct sf_strlist *live,
                        struct sf_strbuf *name)
{
    struct timespec newest = { 0 };
    const struct dirent *entry;
    struct stat st;
    size_t seen = 0;

    while ((entry = readdir(drafts)) && seen++ < DRAFTS_MAX) {
        if (entry->d_name[0] == '.' || sf_strlist_has(live, entry->d_name) ||
            fstatat(dirfd(drafts), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode) || is_older(&st.st_mtim, &newest) || is_used(store, entry->d_name))
            continue;
        newest = st.st_mtim;
        sf_strbuf_reset(name);
        sf_strbuf_adds(name, entry->d_name);
    }
}

/* Renames the draft while holding the lock of the session it belonged to. */
static bool take_over(const char *state_dir, const char *from, const char *to)
{
    char *old = draft_path(state_dir, from), *new = draft_path(state_dir, to);
    char *held = sf_session_lock_path(state_dir, from);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok = sf_lock_take(held, 0, &lock, &ignored) && rename(old, new) == 0;

    sf_lock_drop(&lock);
    free(held);
    free(old);
    free(new);
    return ok;
}

bool sf_draft_claim(struct sf_store *store, const char *state_dir, const char *id)
{
    char *dir = sf_path_join(state_dir, "drafts");
    DIR *drafts = opendir(dir);
    struct sf_strlist live = SF_STRLIST_INIT;
    struct sf_strbuf name = SF_STRBUF_INIT;
    bool ok = false;

    if (drafts) {
        sf_live_sessions(state_dir, &live);
        find_newest(drafts, store, &live, &name);
        closedir(drafts);
        ok = name.len && take_over(state_dir, name.buf, id);
    }
    sf_strbuf_release(&name);
    sf_strlist_release(&live);
    free(dir);
    return ok;
}
