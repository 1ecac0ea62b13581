/*
 * recover.c: makes a new store from a damaged one. The order makes it safe to die at any point:
 *
 *     recovering/ is made           from now on no process opens the store
 *     the old files move into it    one rename each; sf.db first
 *     a new sf.db is put in place   complete, in one rename
 *     recovering/ -> damaged-TIME/  done
 *
 * If there is an sf.db both in recovering/ and outside, the outer one is the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/schema.h"

/* The byte range that SQLite locks; a process that has the database open locks part of it. */
#define LOCK_START 0x40000000
#define LOCK_BYTES 512

struct recovery {
    const struct sf_store_files *files;
    char *source; /* recovering/sf.db */
    struct sf_strbuf *report;
    struct sf_store_tally *tallies;
    const char *origin; /* what the rows came from, for the report */
};

/* True when there is damage to repair; otherwise `err` says why there is nothing to do. */
static bool is_needed(const struct sf_store_files *files, struct sf_error *err)
{
    struct sf_strbuf ignored = SF_STRBUF_INIT;
    struct sf_sql sql = { 0 };
    int version = 0;
    bool sound;

    err->code = SF_E_NONE;
    sound = sf_store_connect_read(&sql, files, SF_SQL_WRITE, &version, err);
    if (sound && version > sf_store_schema_version()) {
        sf_fail(err, SF_E_NEWER, "%s was written by a newer sf", files->db);
        sf_hint(err, "update sf first");
    } else if (sound && sf_store_check_all(&sql, version, &ignored, err)) {
        sf_fail(err, SF_E_ARG, "%s is not damaged; nothing was changed", files->db);
    }
    sf_sql_close(&sql);
    sf_strbuf_release(&ignored);
    return err->code == SF_E_DAMAGED;
}

static bool fail_in_use(int fd, const struct sf_store_files *files, struct sf_error *err)
{
    struct flock who = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_START, .l_len = LOCK_BYTES
    };

    if (fcntl(fd, F_OFD_GETLK, &who) == 0 && who.l_type != F_UNLCK && who.l_pid > 0)
        sf_fail(err, SF_E_BUSY, "%s is in use by process %ld", files->db, (long)who.l_pid);
    else
        sf_fail(err, SF_E_BUSY, "%s is in use by another process", files->db);
    return sf_hint(err, "end every sf of this project, then repeat");
}

/* Keeps out processes that do not take store.lock; closing `*fd` releases the lock. */
static bool claim(const struct sf_store_files *files, int *fd, struct sf_error *err)
{
    struct flock all = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_START, .l_len = LOCK_BYTES
    };

    if (!sf_dbfile_exists(files->db))
        return true;
    *fd = open(files->db, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (*fd < 0)
        return sf_fail_errno(err, "cannot open %s", files->db);
    if (fcntl(*fd, F_OFD_SETLK, &all) == 0)
        return true;
    if (errno == EAGAIN || errno == EACCES)
        return fail_in_use(*fd, files, err);
    return sf_fail_errno(err, "cannot lock %s", files->db);
}

/* Moves one file, unless it does not exist or was moved already. */
static bool set_aside(const struct sf_store_files *files, const char *path, struct sf_error *err)
{
    char *to = sf_path_join(files->recovering, strrchr(path, '/') + 1);
    bool ok = !sf_dbfile_exists(path) || sf_dbfile_exists(to) || sf_dbfile_place(path, to, err);

    free(to);
    return ok;
}

static bool set_all_aside(const struct recovery *r, struct sf_error *err)
{
    const struct sf_store_files *files = r->files;

    if (sf_dbfile_exists(r->source) && sf_dbfile_exists(files->db))
        return true; /* the new one is in place */
    /* An orphaned log gets an empty database beside it, as a sign that the files were moved. */
    return sf_dbdir_make(files->recovering, err) && set_aside(files, files->db, err) &&
           (sf_dbfile_exists(r->source) || sf_dbfile_make(r->source, err)) &&
           set_aside(files, files->wal, err) && set_aside(files, files->shm, err) &&
           set_aside(files, files->journal, err) && sf_dbfile_sync(files->dir, err);
}

static int64_t count_saved(const struct recovery *r)
{
    int64_t sum = 0;

    for (size_t i = 0; i < sf_store_table_count; i++)
        sum += r->tallies[i].saved;
    return sum;
}

static bool has_holes(const struct recovery *r)
{
    for (size_t i = 0; i < sf_store_table_count; i++)
        if (r->tallies[i].holes)
            return true;
    return false;
}

static struct sf_store_tally *tally_of(const struct recovery *r, const char *table)
{
    size_t i = 0;

    while (strcmp(sf_store_tables[i].name, table) != 0)
        i++;
    return &r->tallies[i];
}

/* Tries the backups, newest first, until one yields rows. */
static bool use_backups(struct recovery *r, struct sf_sql *to, struct sf_error *err)
{
    struct sf_strlist list = SF_STRLIST_INIT;
    bool ok = true;

    sf_store_backup_list(r->files, &list);
    for (size_t i = list.count; i-- > 0 && ok && !count_saved(r);) {
        char *path = sf_path_join(r->files->backups, list.items[i]);

        ok = sf_store_salvage(to, path, r->tallies, err);
        if (count_saved(r)) {
            r->origin = "a backup";
            sf_strbuf_addf(r->report, "nothing could be read; taken from the backup %s\n",
                           list.items[i]);
        }
        free(path);
    }
    sf_strlist_release(&list);
    return ok;
}

/* Makes rows for lost sessions from their events. */
static bool rebuild_sessions(struct recovery *r, struct sf_sql *to, struct sf_error *err)
{
    int made;

    if (!sf_sql_exec(to,
                     "INSERT INTO sessions (id, project, title, surface, created_at, updated_at)"
                     " SELECT session_id, '', '(recovered)', surface, min(time), max(time)"
                     " FROM events WHERE session_id NOT IN (SELECT id FROM sessions)"
                     " GROUP BY session_id",
                     err))
        return false;
    made = sqlite3_changes(to->db);
    if (made)
        sf_strbuf_addf(r->report, "sessions: %d rebuilt from their events\n", made);
    return sf_sql_exec(to,
                       "UPDATE sessions SET parent_id = NULL, forked_at_seq = NULL"
                       " WHERE parent_id NOT IN (SELECT id FROM sessions)",
                       err);
}

/*
 * A reference to a lost row is set to NULL; if the column does not allow that, the row is deleted.
 * SQLite names table, row and, through the list of keys, the column, and formats both statements.
 */
#define DANGLING                                                                                 \
    "SELECT format('UPDATE \"%w\" SET \"%w\" = NULL WHERE rowid = %d', c.\"table\", k.\"from\"," \
    " c.\"rowid\"), format('DELETE FROM \"%w\" WHERE rowid = %d', c.\"table\", c.\"rowid\")"     \
    " FROM pragma_foreign_key_check AS c JOIN pragma_foreign_key_list(c.\"table\") AS k"         \
    " ON k.id = c.fkid LIMIT 1000"

/* Lists both statements for each dangling reference, one after the other. */
static bool list_cuts(struct sf_sql *to, struct sf_strlist *cuts, struct sf_error *err)
{
    struct sf_sql_bind b = { .stmt = sf_sql_prepare(to, DANGLING, err) };
    bool row = true, ok = b.stmt != NULL;

    while (ok && row) {
        ok = sf_sql_step(to, &b, &row, err);
        if (!ok || !row)
            continue;
        sf_strlist_add(cuts, sf_sql_column_text(b.stmt, 0));
        sf_strlist_add(cuts, sf_sql_column_text(b.stmt, 1));
    }
    sqlite3_finalize(b.stmt);
    return ok;
}

/* Repeated until nothing is left, since deleting a row may leave other references dangling. */
static bool cut_dangling(struct recovery *r, struct sf_sql *to, struct sf_error *err)
{
    struct sf_error refused = SF_ERROR_INIT;
    size_t total = 0, found = 1;
    bool ok = true;

    while (ok && found) {
        struct sf_strlist cuts = SF_STRLIST_INIT;

        ok = list_cuts(to, &cuts, err);
        found = cuts.count / 2;
        for (size_t i = 0; i < found && ok; i++)
            ok = sf_sql_exec(to, cuts.items[2 * i], &refused) ||
                 sf_sql_exec(to, cuts.items[2 * i + 1], err);
        total += found;
        sf_strlist_release(&cuts);
    }
    if (total)
        sf_strbuf_addf(r->report, "%zu pointers to lost rows were cut\n", total);
    return ok;
}

static void describe(const struct recovery *r)
{
    for (size_t i = 0; i < sf_store_table_count; i++) {
        const struct sf_store_tally *t = &r->tallies[i];

        if (t->ever > t->saved)
            sf_strbuf_addf(r->report, "%s: %" PRId64 " saved, %" PRId64 " lost\n",
                           sf_store_tables[i].name, t->saved, t->ever - t->saved);
        else if (t->saved || t->holes)
            sf_strbuf_addf(r->report, "%s: %" PRId64 " saved%s\n", sf_store_tables[i].name,
                           t->saved, t->holes ? ", perhaps not all" : "");
    }
}

/* Logs the recovery; check.c treats gaps before this event as known. */
static bool write_event(const struct recovery *r, struct sf_sql *to, struct sf_error *err)
{
    struct sf_sql_bind b = {
        .stmt = sf_sql_prepare(
            to,
            "INSERT INTO events (session_id, time, surface, kind, data, seq)"
            " SELECT '" SF_SESSION_PROJECT "', ?1, 'headless', 'store.recovered',"
            " ?2, coalesce(max(seq), 0) + 1 FROM events WHERE session_id = '" SF_SESSION_PROJECT
            "'",
            err)
    };
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    char now[SF_TIME_MAX];
    bool ok;

    if (!b.stmt)
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "origin", r->origin);
    sf_jw_key_str(&w, "report", r->report->buf);
    sf_jw_object_end(&w);
    sf_sql_bind_text(&b, now);
    sf_sql_bind_bytes(&b, json.buf, json.len);
    ok = sf_sql_run(to, &b, err);
    sqlite3_finalize(b.stmt);
    sf_strbuf_release(&json);
    return ok;
}

static bool collect(struct recovery *r, struct sf_sql *to, struct sf_error *err)
{
    if (!sf_store_salvage(to, r->source, r->tallies, err))
        return false;
    if (has_holes(r) && !sf_store_carve_events(to, r->source, &tally_of(r, "events")->saved, err))
        return false;
    if (!count_saved(r) && !use_backups(r, to, err))
        return false;
    describe(r);
    return rebuild_sessions(r, to, err) && cut_dangling(r, to, err) && write_event(r, to, err) &&
           sf_store_words_rebuild(to, err);
}

static bool fill(struct sf_sql *to, void *ctx, struct sf_error *err)
{
    struct sf_strbuf ignored = SF_STRBUF_INIT;
    struct recovery *r = ctx;
    bool ok;

    if (!sf_sql_exec(to, "PRAGMA foreign_keys=OFF", err) || !sf_sql_begin(to, err))
        return false;
    if (collect(r, to, err)) {
        ok = sf_sql_commit(to, err);
    } else {
        sf_sql_rollback(to);
        ok = false;
    }
    ok = ok && sf_store_check_all(to, sf_store_schema_version(), &ignored, err);
    sf_strbuf_release(&ignored);
    return ok;
}

/* Moves the old files to their final name and reports it. The name is free: we hold store.lock. */
static bool finish(const struct recovery *r, struct sf_error *err)
{
    struct sf_strbuf to = SF_STRBUF_INIT;
    char stamp[SF_STAMP_MAX];
    bool ok;

    sf_store_stamp(stamp);
    sf_strbuf_addf(&to, "%s/damaged-%s", r->files->dir, stamp);
    ok = sf_dbfile_place(r->files->recovering, to.buf, err);
    if (ok)
        sf_strbuf_addf(r->report, "the damaged files are kept in %s\n", to.buf);
    sf_strbuf_release(&to);
    return ok;
}

static bool recover_locked(struct recovery *r, struct sf_error *err)
{
    const struct sf_store_files *files = r->files;
    bool resumed = sf_dbfile_exists(files->recovering);
    bool ok = false;
    int fd = -1;

    if (resumed)
        sf_strbuf_adds(r->report, "finishing a recovery that was interrupted\n");
    else if (!is_needed(files, err))
        return false;
    if (sf_dbfile_exists(r->source) || claim(files, &fd, err))
        ok = set_all_aside(r, err);
    if (fd >= 0)
        close(fd);
    if (!ok)
        return false;
    if (sf_dbfile_exists(files->db))
        return finish(r, err);
    return sf_store_create(files, fill, r, err) && finish(r, err);
}

bool sf_store_recover(const char *dir, struct sf_strbuf *report, struct sf_error *err)
{
    struct sf_lock lock = SF_LOCK_INIT;
    struct recovery r = { .report = report, .origin = "the damaged store" };
    struct sf_store_files files;
    bool ok = false;

    r.files = &files;
    r.tallies = sf_alloc_array(sf_store_table_count, sizeof(*r.tallies));
    if (sf_store_files_init(&files, dir, SF_STORE_READ, err)) {
        r.source = sf_path_join(files.recovering, "sf.db");
        ok = sf_lock_take(files.lock, SF_STORE_PATIENCE_MS, &lock, err) && recover_locked(&r, err);
    }
    sf_lock_drop(&lock);
    sf_store_files_release(&files);
    free(r.source);
    free(r.tallies);
    return ok;
}
