/*
 * backup.c: full copies of the database, made before an upgrade. A copy gets its name only when it
 * is complete and on disk. The newest three are kept; only files with names that sf itself gave are
 * ever removed.
 */
#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

#include "store/internal.h"

#define PREFIX "sf.db.v"
#define KEPT   3

/* 20261116T050953.123Z */
static bool is_stamp(const char *text)
{
    static const char shape[] = "00000000T000000.000Z";
    size_t i = 0;

    for (; shape[i]; i++)
        if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
            return false;
    return !text[i];
}

/* The time in the name of a backup of ours, or NULL. */
static const char *stamp_of(const char *name)
{
    size_t digits;

    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return NULL;
    name += strlen(PREFIX);
    digits = strspn(name, "0123456789");
    return digits && name[digits] == '-' && is_stamp(name + digits + 1) ? name + digits + 1 : NULL;
}

static int by_stamp(const void *a, const void *b)
{
    return strcmp(stamp_of(*(char *const *)a), stamp_of(*(char *const *)b));
}

void sf_store_backup_list(const struct sf_store_files *files, struct sf_strlist *out)
{
    DIR *dir = opendir(files->backups);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (stamp_of(entry->d_name))
            sf_strlist_add(out, entry->d_name);
    if (dir)
        closedir(dir);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof(*out->items), by_stamp);
}

static void remove_old(const struct sf_store_files *files)
{
    struct sf_strlist list = SF_STRLIST_INIT;

    sf_store_backup_list(files, &list);
    for (size_t i = 0; i + KEPT < list.count; i++) {
        char *path = sf_path_join(files->backups, list.items[i]);

        unlink(path);
        free(path);
    }
    sf_strlist_release(&list);
}

/* Copies the pages in one read transaction: writers can continue, and the copy is consistent. */
static bool copy_pages(struct sf_sql *from, struct sf_sql *to, struct sf_error *err)
{
    sqlite3_backup *backup = sqlite3_backup_init(to->db, "main", from->db, "main");
    int rc;

    if (!backup)
        return sf_sql_fail(to, sqlite3_extended_errcode(to->db), err);
    sqlite3_backup_step(backup, -1);
    rc = sqlite3_backup_finish(backup);
    return rc == SQLITE_OK || sf_sql_fail(to, rc, err);
}

static bool copy_into(struct sf_sql *from, const char *path, struct sf_error *err)
{
    struct sf_sql to = { 0 };
    bool ok = sf_dbfile_make(path, err) && sf_sql_open(&to, path, SF_SQL_WRITE, err) &&
              copy_pages(from, &to, err);

    sf_sql_close(&to);
    return ok && sf_dbfile_sync(path, err);
}

bool sf_store_backup_make(struct sf_sql *sql, const struct sf_store_files *files, int version,
                          struct sf_error *err)
{
    char *fresh = sf_path_join(files->backups, "new");
    struct sf_strbuf name = SF_STRBUF_INIT;
    char stamp[SF_STAMP_MAX];
    bool ok;

    sf_store_stamp(stamp);
    sf_strbuf_addf(&name, "%s/" PREFIX "%d-%s", files->backups, version, stamp);
    sf_dbfile_discard(fresh);
    ok = sf_dbdir_make(files->backups, err) && copy_into(sql, fresh, err) &&
         sf_dbfile_place(fresh, name.buf, err);
    if (ok)
        remove_old(files);
    else
        sf_dbfile_discard(fresh);
    if (!ok)
        sf_error_prefix(err, "backing it up: ");
    sf_strbuf_release(&name);
    free(fresh);
    return ok;
}
