/*
 * files.c: the directory of a store and operations on whole files. Opening a database here and
 * closing it again would drop the locks that SQLite holds on it in this process, so only stat is
 * used, and reading is left to SQLite.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"

bool sf_dbdir_make(const char *dir, struct sf_error *err)
{
    if (sf_dbfile_exists(dir))
        return true;
    if (!sf_dir_make(dir, 0700, err))
        return false;
    return chmod(dir, 0700) == 0 || sf_fail_errno(err, "cannot make %s private", dir);
}

bool sf_store_files_init(struct sf_store_files *files, const char *dir, enum sf_store_mode mode,
                         struct sf_error *err)
{
    *files = (struct sf_store_files){ 0 };
    if (mode == SF_STORE_WRITE && !sf_dbdir_make(dir, err))
        return false;
    files->dir = sf_path_real(dir, err);
    if (!files->dir)
        return false;
    files->db = sf_path_join(files->dir, "sf.db");
    files->wal = sf_path_join(files->dir, "sf.db-wal");
    files->shm = sf_path_join(files->dir, "sf.db-shm");
    files->journal = sf_path_join(files->dir, "sf.db-journal");
    files->lock = sf_path_join(files->dir, "store.lock");
    files->backups = sf_path_join(files->dir, "backups");
    files->fresh = sf_path_join(files->dir, "sf.db.new");
    files->recovering = sf_path_join(files->dir, "recovering");
    return true;
}

void sf_store_files_release(struct sf_store_files *files)
{
    char **all[] = { &files->dir,     &files->db,      &files->wal,
                     &files->shm,     &files->journal, &files->lock,
                     &files->backups, &files->fresh,   &files->recovering };

    for (size_t i = 0; i < SF_COUNT(all); i++) {
        free(*all[i]);
        *all[i] = NULL;
    }
}

int64_t sf_dbfile_size(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

bool sf_dbfile_exists(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

bool sf_dbfile_sync(const char *path, struct sf_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    /* Some file systems do not support syncing a directory, and do not need it. */
    bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);

    if (!ok)
        sf_fail_errno(err, "cannot make %s durable", path);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool sf_dbfile_make(const char *path, struct sf_error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0 && fchmod(fd, 0600) == 0;

    if (!ok)
        sf_fail_errno(err, "cannot create %s", path);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* If the file system has no exclusive rename, a hard link does it in two steps. */
static bool rename_exclusive(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    return link(from, to) == 0 && unlink(from) == 0;
}

bool sf_dbfile_place(const char *from, const char *to, struct sf_error *err)
{
    char *dir = sf_strdup(to);
    char *slash = strrchr(dir, '/');
    bool ok = rename_exclusive(from, to);

    if (!ok)
        sf_fail_errno(err, "cannot put %s in place", to);
    if (slash)
        *slash = '\0';
    ok = ok && sf_dbfile_sync(dir, err);
    free(dir);
    return ok;
}

void sf_dbfile_discard(const char *db)
{
    static const char *const tails[] = { "", "-wal", "-shm", "-journal" };
    struct sf_strbuf path = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(tails); i++) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s%s", db, tails[i]);
        unlink(path.buf);
    }
    sf_strbuf_release(&path);
}

void sf_store_stamp(char out[SF_STAMP_MAX])
{
    char time[SF_TIME_MAX];
    size_t n = 0;

    sf_time_format_utc(time, sf_clock_wall_ms());
    for (const char *p = time; *p && n + 1 < SF_STAMP_MAX; p++)
        if (*p != '-' && *p != ':')
            out[n++] = *p;
    out[n] = '\0';
}
