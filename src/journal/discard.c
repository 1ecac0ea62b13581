/*
 * discard.c: deletes under the session's lock, so that no process opens the session meanwhile. The
 * store comes first; then nothing refers to the files any more.
 */
#include "journal/discard.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"
#include "journal/draft.h"
#include "journal/session_lock.h"

struct family {
    struct sf_strlist ids;
    bool more;
};

/* Adds the sub-agents of the sessions known so far; repeated until there are no more. */
static bool add_child(const struct sf_session_row *row, void *ctx)
{
    struct family *f = ctx;

    if (row->agent && sf_strlist_has(&f->ids, row->parent_id) &&
        !sf_strlist_has(&f->ids, row->id)) {
        sf_strlist_add(&f->ids, row->id);
        f->more = true;
    }
    return true;
}

/* Removes the files in the directory and the directory itself, without following links. */
static void remove_spill(const char *state_dir, const char *id)
{
    char *spill = sf_path_join(state_dir, "spill"), *dir = sf_path_join(spill, id);
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (d && (entry = readdir(d)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    rmdir(dir);
    free(dir);
    free(spill);
}

static bool lock(const char *state_dir, const char *id, struct sf_lock *out, struct sf_error *err)
{
    char *path = sf_session_lock_path(state_dir, id);
    bool ok = sf_session_lock_take(state_dir, id, out, err);

    if (ok)
        unlink(path);
    else if (err->code == SF_E_BUSY)
        sf_hint(err, "leave it there first");
    free(path);
    return ok;
}

bool sf_discard_session(struct sf_store *store, const char *state_dir, const char *id,
                        struct sf_error *err)
{
    struct family family = { .ids = SF_STRLIST_INIT, .more = true };
    struct sf_lock held = SF_LOCK_INIT;
    bool ok = lock(state_dir, id, &held, err);

    sf_strlist_add(&family.ids, id);
    while (ok && family.more) {
        family.more = false;
        ok = sf_store_each_session(store, add_child, &family, err);
    }
    ok = ok && sf_store_session_delete(store, id, err);
    for (size_t i = 0; ok && i < family.ids.count; i++)
        remove_spill(state_dir, family.ids.items[i]);
    ok = ok && sf_draft_write(state_dir, id, NULL, 0, err);
    sf_lock_drop(&held);
    sf_strlist_release(&family.ids);
    return ok;
}
