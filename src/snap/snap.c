/*
 * snap.c: opens the snapshots of a worktree, and refuses some: a snapshot of a home directory or of
 * a system would be huge, would contain secrets, and restoring it would be a catastrophe.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

static const char *const system_dirs[] = {
    "/bin",   "/boot",  "/dev", "/etc", "/home",      "/lib", "/lib32",
    "/lib64", "/media", "/mnt", "/opt", "/proc",      "/run", "/sbin",
    "/srv",   "/sys",   "/tmp", "/usr", "/usr/local", "/var", "/var/tmp",
};

/* Whether `inner` is `outer` or lies below it. */
static bool holds(const char *outer, const char *inner)
{
    size_t n = strlen(outer);

    return !strncmp(outer, inner, n) && (!inner[n] || inner[n] == '/' || outer[n - 1] == '/');
}

static bool refuse(const char *root, const char *why, struct sf_error *err)
{
    sf_fail(err, SF_E_IO, "no snapshots of %s: %s", root, why);
    return sf_hint(err, "start sf in the directory of a project");
}

static bool is_fit(const char *root, const char *dir, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *home = sf_env_home(&ignored);
    char *real = home ? sf_path_real(home, &ignored) : NULL;
    char *state = sf_path_real(dir, &ignored);
    bool ok = true;

    for (size_t i = 0; i < SF_COUNT(system_dirs) && ok; i++)
        ok = strcmp(root, system_dirs[i]) != 0 || refuse(root, "it belongs to the system", err);
    if (ok && !strcmp(root, "/"))
        ok = refuse(root, "it is the whole system", err);
    if (ok && (holds("/proc", root) || holds("/sys", root) ||
               (holds("/dev", root) && !holds("/dev/shm/", root))))
        ok = refuse(root, "there are no real files in it", err);
    if (ok && real && holds(root, real))
        ok = refuse(root, "it is your home directory or holds it", err);
    if (ok && state && (holds(root, state) || holds(state, root)))
        ok = refuse(root, "sf keeps its own files there", err);
    free(state);
    free(real);
    free(home);
    return ok;
}

struct sf_snap *sf_snap_open(const char *dir, const char *root, struct sf_error *err)
{
    struct sf_snap *snap = sf_alloc(sizeof(*snap));

    snap->fd = -1;
    snap->root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
    snap->git = sf_module_git(err);
    if (!snap->git || !sf_place_root_open(&snap->root, root, err) || !sf_dir_make(dir, 0700, err) ||
        !is_fit(snap->root.path, dir, err) || !sf_snap_repo_make(snap, dir, err) ||
        !sf_snap_odb_open(snap, err))
        goto fail;
    snap->fd = openat(snap->root.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (snap->fd >= 0)
        return snap;
    sf_fail_errno(err, "cannot read %s", snap->root.path);
fail:
    sf_snap_close(snap);
    return NULL;
}

void sf_snap_close(struct sf_snap *snap)
{
    if (!snap)
        return;
    sf_snap_recent_drop(snap);
    if (snap->git)
        snap->git->close(snap->odb);
    if (snap->fd >= 0)
        close(snap->fd);
    sf_place_root_close(&snap->root);
    free(snap->objects);
    free(snap->refs);
    free(snap->own);
    free(snap->lock);
    free(snap->index);
    free(snap->journal);
    free(snap);
}

void sf_snap_result_release(struct sf_snap_result *result)
{
    sf_strlist_release(&result->skips);
    sf_strlist_release(&result->pruned);
    sf_strlist_release(&result->extra);
}

void sf_snap_restored_release(struct sf_snap_restored *restored)
{
    sf_strlist_release(&restored->kept);
    sf_strlist_release(&restored->lost);
    sf_strlist_release(&restored->moved);
}
