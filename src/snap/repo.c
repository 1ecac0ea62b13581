/*
 * repo.c: the files around the objects. The repository is created by hand, so that no templates or
 * settings of the user get into it; git can read it nevertheless.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

enum { LOCK_WAIT_MS = 120000, LOCK_STEP_MS = 100 };

/* The path of a file that belongs to this worktree. */
static char *own_path(const char *top, const char *root, const char *stem)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    char hex[SF_SHA256_HEX + 1];

    sf_sha256_hex(root, strlen(root), hex);
    sf_strbuf_addf(&path, "%s/sf/%s-%.16s", top, stem, hex);
    return sf_strbuf_detach(&path);
}

bool sf_snap_is_between(const char *dir, const char *root)
{
    char *top = sf_path_join(dir, "snapshots.git");
    char *journal = own_path(top, root, "restore");
    bool between = access(journal, F_OK) == 0;

    free(journal);
    free(top);
    return between;
}

static bool put_if_missing(const char *dir, const char *name, const char *text,
                           struct sf_error *err)
{
    char *path = sf_path_join(dir, name);
    bool ok = access(path, F_OK) == 0 || sf_snap_put(path, text, strlen(text), err);

    free(path);
    return ok;
}

bool sf_snap_repo_make(struct sf_snap *snap, const char *dir, struct sf_error *err)
{
    char *top = sf_path_join(dir, "snapshots.git");
    char *pack = sf_path_join(top, "objects/pack");
    bool ok;

    snap->objects = sf_path_join(top, "objects");
    snap->refs = sf_path_join(top, "refs/sf");
    snap->own = sf_path_join(top, "sf");
    snap->lock = sf_path_join(snap->own, "lock");
    snap->index = own_path(top, snap->root.path, "index");
    snap->journal = own_path(top, snap->root.path, "restore");
    ok = sf_dir_make(pack, 0700, err) && sf_dir_make(snap->refs, 0700, err) &&
         sf_dir_make(snap->own, 0700, err) &&
         put_if_missing(top, "HEAD", "ref: refs/heads/none\n", err) &&
         put_if_missing(top, "config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
                        err);
    free(pack);
    free(top);
    return ok;
}

bool sf_snap_odb_open(struct sf_snap *snap, struct sf_error *err)
{
    snap->git->close(snap->odb);
    snap->odb = snap->git->open(snap->objects, err);
    return snap->odb != NULL;
}

bool sf_snap_lock(struct sf_snap *snap, const atomic_bool *cancel, struct sf_lock *lock,
                  struct sf_error *err)
{
    int64_t end = sf_clock_monotonic_ms() + LOCK_WAIT_MS;

    while (!sf_lock_take(snap->lock, LOCK_STEP_MS, lock, err)) {
        if (err->code != SF_E_BUSY || sf_clock_monotonic_ms() >= end)
            return false;
        if (cancel && atomic_load(cancel))
            return sf_fail(err, SF_E_CANCELLED, "the snapshot was cancelled");
        *err = (struct sf_error)SF_ERROR_INIT;
    }
    return true;
}

bool sf_snap_put(const char *path, const void *data, size_t len, struct sf_error *err)
{
    char *temp = sf_alloc(strlen(path) + 32);
    bool ok;
    int fd;

    snprintf(temp, strlen(path) + 32, "%s.%ld.tmp", path, (long)getpid());
    fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    ok = fd >= 0 && sf_fd_write_all(fd, data, len);
    if (fd >= 0 && close(fd) < 0)
        ok = false;
    ok = ok && rename(temp, path) == 0;
    if (!ok) {
        sf_fail_errno(err, "cannot write %s", path);
        if (fd >= 0)
            unlink(temp);
    }
    free(temp);
    return ok;
}

bool sf_snap_ref_add(struct sf_snap *snap, const char *id, struct sf_error *err)
{
    char *path = sf_path_join(snap->refs, id);
    char text[SF_OID_HEX + 2];
    bool ok;

    snprintf(text, sizeof(text), "%s\n", id);
    ok = sf_snap_put(path, text, SF_OID_HEX + 1, err);
    free(path);
    return ok;
}

bool sf_snap_ref_list(struct sf_snap *snap, struct sf_strlist *out, struct sf_error *err)
{
    DIR *dir = opendir(snap->refs);
    struct dirent *entry;
    struct sf_oid oid;

    if (!dir)
        return sf_fail_errno(err, "cannot list %s", snap->refs);
    while ((entry = readdir(dir)))
        if (strlen(entry->d_name) == SF_OID_HEX && sf_oid_read(entry->d_name, &oid))
            sf_strlist_add(out, entry->d_name);
    closedir(dir);
    return true;
}

bool sf_snap_sync(struct sf_snap *snap, struct sf_error *err)
{
    int fd = open(snap->objects, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && syncfs(fd) == 0;

    if (!ok)
        sf_fail_errno(err, "cannot make the snapshot durable");
    if (fd >= 0)
        close(fd);
    return ok;
}
