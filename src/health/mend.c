/*
 * mend.c: repairs. What an act does and how it is taken back is one table; both ways may be called
 * again after they were cut off, and then do what is left. Nothing is overwritten or deleted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "health/record.h"
#include "store/store.h"

enum { COPY_MAX = 256 * 1024 * 1024 };

/* A repair that is being performed, or taken back. */
struct mend {
    const char *state_dir;
    struct sf_health_record *record;
    char *dir; /* of the record */
};

typedef bool act_fn(const struct mend *m, const struct sf_health_act *act, size_t index,
                    struct sf_error *err);

/* ---- moving away ---- */

static bool is_there(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

/* To another file system only a plain file can be moved: as a copy, which is durable first. */
static bool copy_over(const char *from, const char *to, struct sf_error *err)
{
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    struct stat st;
    bool ok = false;

    if (lstat(from, &st) < 0) {
        sf_fail_errno(err, "cannot look at %s", from);
    } else if (!S_ISREG(st.st_mode)) {
        sf_fail(err, SF_E_IO, "%s is on another file system than %s", from, to);
        sf_hint(err, "move it away by hand");
    } else if (sf_file_read(from, COPY_MAX, &bytes, err) &&
               sf_file_write_atomic(to, bytes.len ? bytes.buf : "", bytes.len, 0600, err)) {
        const struct timespec times[] = { st.st_atim, st.st_mtim };

        ok = chmod(to, st.st_mode & 07777) == 0 && utimensat(AT_FDCWD, to, times, 0) == 0 &&
             unlink(from) == 0;
        if (!ok)
            sf_fail_errno(err, "cannot move %s", from);
    }
    sf_strbuf_release(&bytes);
    return ok;
}

/* Moves what is still at `from`; that it is at `to` already is as good. */
static bool move(const char *from, const char *to, struct sf_error *err)
{
    if (!is_there(from))
        return is_there(to) || sf_fail(err, SF_E_NOENT, "%s is gone", from);
    if (is_there(to)) {
        sf_fail(err, SF_E_EXIST, "%s is there already", to);
        return sf_hint(err, "move it away, then try again");
    }
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EXDEV || errno == EINVAL)
        return copy_over(from, to, err);
    return sf_fail_errno(err, "cannot move %s to %s", from, to);
}

/* The place in the record's directory. */
static char *kept(const struct mend *m, size_t index)
{
    char name[24];

    snprintf(name, sizeof(name), "%zu", index);
    return sf_path_join(m->dir, name);
}

static bool move_away(const struct mend *m, const struct sf_health_act *act, size_t index,
                      struct sf_error *err)
{
    char *to = kept(m, index);
    bool ok = move(act->subject, to, err);

    free(to);
    return ok;
}

/* What was never moved, because the repair was cut off, is where it belongs. */
static bool move_back(const struct mend *m, const struct sf_health_act *act, size_t index,
                      struct sf_error *err)
{
    char *from = kept(m, index);
    bool ok = !is_there(from) || move(from, act->subject, err);

    free(from);
    return ok;
}

/* ---- permissions ---- */

static bool set_mode(const char *path, const char *from, const char *to, struct sf_error *err)
{
    mode_t was = (mode_t)strtoul(from ? from : "", NULL, 8);
    mode_t now = (mode_t)strtoul(to ? to : "", NULL, 8);
    struct stat st;

    if (lstat(path, &st) < 0)
        return sf_fail_errno(err, "cannot look at %s", path);
    if ((st.st_mode & 07777) == now)
        return true;
    if (S_ISLNK(st.st_mode) || (st.st_mode & 07777) != was)
        return sf_fail(err, SF_E_BUSY, "%s has other permissions by now", path);
    return chmod(path, now) == 0 || sf_fail_errno(err, "cannot change %s", path);
}

static bool close_mode(const struct mend *m, const struct sf_health_act *act, size_t index,
                       struct sf_error *err)
{
    (void)m;
    (void)index;
    return set_mode(act->subject, act->was, act->now, err);
}

static bool open_mode(const struct mend *m, const struct sf_health_act *act, size_t index,
                      struct sf_error *err)
{
    (void)m;
    (void)index;
    return set_mode(act->subject, act->now, act->was, err);
}

/* ---- rows ---- */

/* TABLE/COLUMN/KEY; the key may hold anything. The parts are the caller's to free. */
static bool split(const char *subject, char parts[2][64], const char **key, struct sf_error *err)
{
    for (int i = 0; i < 2; i++) {
        size_t n = strcspn(subject, "/");

        if (!n || n >= sizeof(parts[i]) || subject[n] != '/')
            return sf_fail(err, SF_E_DAMAGED, "a record names no cell");
        snprintf(parts[i], sizeof(parts[i]), "%.*s", (int)n, subject);
        subject += n + 1;
    }
    *key = subject;
    return true;
}

static bool set_cell(const struct mend *m, const struct sf_health_act *act, bool back,
                     struct sf_error *err)
{
    struct sf_store_cell cell = { .was = back ? act->now : act->was,
                                  .now = back ? act->was : act->now };
    struct sf_store *store = NULL;
    char parts[2][64], reason[80];
    bool is = false, ok;

    if (!split(act->subject, parts, &cell.key, err))
        return false;
    cell.table = parts[0];
    cell.column = parts[1];
    snprintf(reason, sizeof(reason), "doctor: %s %" PRId64, back ? "undid repair" : "repair",
             m->record->number);
    store = sf_store_open(m->state_dir, SF_STORE_WRITE, err);
    ok = store && sf_store_cell_is(store, &cell, cell.now, &is, err) &&
         (is || sf_store_mend(store, &cell, reason, err));
    sf_store_close(store);
    return ok;
}

static bool change_cell(const struct mend *m, const struct sf_health_act *act, size_t index,
                        struct sf_error *err)
{
    (void)index;
    return set_cell(m, act, false, err);
}

static bool change_back(const struct mend *m, const struct sf_health_act *act, size_t index,
                        struct sf_error *err)
{
    (void)index;
    return set_cell(m, act, true, err);
}

/* ---- the store's log ---- */

static bool empty_log(const struct mend *m, const struct sf_health_act *act, size_t index,
                      struct sf_error *err)
{
    struct sf_store *store = sf_store_open(m->state_dir, SF_STORE_WRITE, err);
    bool ok = store && sf_store_checkpoint(store, err);

    (void)act;
    (void)index;
    sf_store_close(store);
    return ok;
}

/* The rows are the same before and after. */
static bool keep_log(const struct mend *m, const struct sf_health_act *act, size_t index,
                     struct sf_error *err)
{
    (void)m;
    (void)act;
    (void)index;
    (void)err;
    return true;
}

/* ---- the table ---- */

const char *const sf_health_act_names[] = { "move", "mode", "cell", "checkpoint", NULL };

static const struct {
    act_fn *perform, *reverse;
} acts[] = {
    [SF_HEALTH_MOVE] = { move_away, move_back },
    [SF_HEALTH_MODE] = { close_mode, open_mode },
    [SF_HEALTH_CELL] = { change_cell, change_back },
    [SF_HEALTH_CHECKPOINT] = { empty_log, keep_log },
};

void sf_health_act_add(const struct sf_health_act *act, struct sf_strbuf *out)
{
    switch (act->kind) {
    case SF_HEALTH_MOVE:
        sf_strbuf_addf(out, "move away %s", act->subject);
        break;
    case SF_HEALTH_MODE:
        sf_strbuf_addf(out, "permissions of %s: %s, not %s", act->subject, act->now, act->was);
        break;
    case SF_HEALTH_CELL:
        sf_strbuf_addf(out, "in the store, %s: %s, not %s", act->subject,
                       act->now ? act->now : "nothing", act->was ? act->was : "nothing");
        break;
    case SF_HEALTH_CHECKPOINT:
        sf_strbuf_addf(out, "put the log of the store into its file");
        break;
    }
}

/* ---- the event ---- */

/* The record is what counts; a store that takes no event may be why somebody repairs. */
static void tell(const struct mend *m, const char *kind)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_ref ref;
    struct sf_store *store = NULL;

    if (sf_health_exists(m->state_dir, "sf.db"))
        store = sf_store_open(m->state_dir, SF_STORE_WRITE, &ignored);
    if (store) {
        struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                      .surface = "headless",
                                      .kind = kind };

        sf_health_record_add(m->record, &json);
        event.json = json.buf;
        event.len = json.len;
        if (!sf_store_append(store, &event, &ref, &ignored))
            sf_log(SF_LOG_WARN, "repair %" PRId64 ": %s", m->record->number, ignored.msg);
    }
    sf_store_close(store);
    sf_strbuf_release(&json);
}

/* ---- repairing ---- */

static bool perform(const struct mend *m, struct sf_error *err)
{
    const struct sf_health_result *about = &m->record->about;

    for (size_t i = 0; i < about->act_count; i++)
        if (!acts[about->acts[i].kind].perform(m, &about->acts[i], i, err))
            return false;
    return true;
}

static bool reverse(const struct mend *m, struct sf_error *err)
{
    const struct sf_health_result *about = &m->record->about;

    for (size_t i = about->act_count; i-- > 0;)
        if (!acts[about->acts[i].kind].reverse(m, &about->acts[i], i, err))
            return false;
    return true;
}

bool sf_health_mend(const struct sf_health_context *at, const struct sf_health_result *result,
                    int64_t *number, struct sf_error *err)
{
    /* The texts are borrowed from the result. */
    struct sf_health_record record = { .time_ms = sf_clock_wall_ms(),
                                       .about = *result,
                                       .name = (char *)(uintptr_t)result->name };
    struct mend m = { .state_dir = at->state_dir, .record = &record };
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok;

    *number = 0;
    if (!at->state_dir) {
        *err = at->no_state_dir;
        return false;
    }
    ok = sf_health_record_lock(at->state_dir, &lock, err) &&
         sf_health_record_new(at->state_dir, &record.number, err);
    if (ok) {
        m.dir = sf_health_record_dir(at->state_dir, record.number);
        *number = record.number;
        ok = sf_health_record_write(at->state_dir, &record, err) && perform(&m, err);
        record.state = SF_HEALTH_DONE;
        ok = ok && sf_health_record_write(at->state_dir, &record, err);
        if (ok)
            tell(&m, "doctor.repaired");
    }
    sf_lock_drop(&lock);
    free(m.dir);
    return ok;
}

/* ---- undoing ---- */

/* The newest repair in force, or the one that is asked for. */
static bool find(const char *state_dir, int64_t number, struct sf_health_record *out,
                 struct sf_error *err)
{
    int64_t at = number ? number : sf_health_record_last(state_dir);

    for (; at > 0; at--) {
        struct sf_error why = SF_ERROR_INIT;
        bool ok = sf_health_record_read(state_dir, at, out, &why);

        if (ok && (number || out->state != SF_HEALTH_UNDONE))
            break;
        sf_health_record_release(out);
        if (number) {
            *err = why;
            return false;
        }
    }
    if (at <= 0)
        return sf_fail(err, SF_E_NOENT, "there is no repair to undo");
    if (out->state == SF_HEALTH_UNDONE)
        return sf_fail(err, SF_E_ARG, "repair %" PRId64 " is undone already", at);
    return true;
}

bool sf_health_undo(const char *state_dir, int64_t number, struct sf_health_record *out,
                    struct sf_error *err)
{
    struct mend m = { .state_dir = state_dir, .record = out };
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok;

    *out = (struct sf_health_record){ 0 };
    if (!sf_health_record_last(state_dir))
        return sf_fail(err, SF_E_NOENT, "there is no repair to undo");
    ok = sf_health_record_lock(state_dir, &lock, err) && find(state_dir, number, out, err);
    if (ok) {
        m.dir = sf_health_record_dir(state_dir, out->number);
        ok = reverse(&m, err);
        out->state = ok ? SF_HEALTH_UNDONE : out->state;
        ok = ok && sf_health_record_write(state_dir, out, err);
        if (ok)
            tell(&m, "doctor.undone");
    }
    sf_lock_drop(&lock);
    free(m.dir);
    return ok;
}
