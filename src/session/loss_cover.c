/*
 * loss_cover.c: whether a snapshot brings back all that a call would delete, for a confirmation that
 * was given beforehand. Nobody is asked then, so the answer is yes only for what is certain: plain
 * files with one name, links and directories, of which the snapshot has the very bytes at the very
 * path. Whatever is not there, is protected, or was moved to where it is in this turn is a gap.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "session/snapshots.h"

enum {
    ENTRIES = 20000, /* looked at for one call */
    DEPTH = 64,
    WITHIN_MS = 1000,
};

void sf_loss_cover_init(struct sf_loss_cover *cover, struct sf_snapshots *k)
{
    *cover = (struct sf_loss_cover)SF_LOSS_COVER_INIT;
    if (k->before == SF_SNAPSHOT_TAKEN)
        memcpy(cover->snapshot, k->id, sizeof(cover->snapshot));
    cover->lost_track = k->unsure || k->unrecorded;
    for (size_t i = 0; i < k->known.count; i++)
        sf_strlist_add(&cover->tools, k->known.items[i]);
    cover->records = sf_alloc_array(k->record_count + 1, sizeof(struct sf_write_record *));
    for (size_t i = 0; i < k->record_count; i++)
        cover->records[cover->record_count++] = sf_write_record_hold(k->records[i]);
}

void sf_loss_cover_release(struct sf_loss_cover *cover)
{
    sf_strlist_release(&cover->tools);
    sf_write_set_release(&cover->commands);
    for (size_t i = 0; i < cover->record_count; i++)
        sf_write_record_drop(cover->records[i]);
    free(cover->records);
    free(cover->gap);
    *cover = (struct sf_loss_cover)SF_LOSS_COVER_INIT;
}

/* The first gap is kept; returns false. */
SF_PRINTF(2, 3)
static bool gap(struct sf_loss_cover *cover, const char *format, ...)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&out, format, args);
    va_end(args);
    if (cover->gap)
        sf_strbuf_release(&out);
    else
        cover->gap = sf_strbuf_detach(&out);
    return false;
}

/* ---- what is there ---- */

struct walk {
    struct sf_loss_cover *cover;
    dev_t dev;
    size_t left;
    int64_t until_ms;
};

static const char *oddity(const struct walk *w, const char *path, const struct stat *st)
{
    if (sf_path_is_protected(path))
        return "is protected";
    if (st->st_dev != w->dev)
        return "is on another file system";
    if (S_ISREG(st->st_mode) && st->st_nlink > 1)
        return "has another name as well";
    return S_ISREG(st->st_mode) || S_ISLNK(st->st_mode) || S_ISDIR(st->st_mode)
               ? NULL
               : "is no plain file";
}

static bool check_below(struct walk *w, int dir, const char *path, unsigned depth);

static bool check_entry(struct walk *w, int dir, const char *name, const char *path, unsigned depth)
{
    struct stat st;
    const char *odd;
    int below;

    if (!w->left || depth > DEPTH || sf_clock_monotonic_ms() > w->until_ms)
        return gap(w->cover, "there is more than could be looked at");
    w->left--;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
        return gap(w->cover, "%s is not there", path);
    odd = oddity(w, path, &st);
    if (odd)
        return gap(w->cover, "%s %s", path, odd);
    if (!S_ISDIR(st.st_mode))
        return true;
    below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return below < 0 ? gap(w->cover, "%s cannot be read", path)
                     : check_below(w, below, path, depth + 1);
}

/* Closes the directory. */
static bool check_below(struct walk *w, int dir, const char *path, unsigned depth)
{
    DIR *stream = fdopendir(dir);
    bool ok = stream != NULL;

    if (!stream)
        close(dir);
    for (struct dirent *e; ok && (e = readdir(stream)) != NULL;) {
        char *inner;

        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        inner = sf_path_join(path, e->d_name);
        ok = check_entry(w, dirfd(stream), e->d_name, inner, depth);
        free(inner);
    }
    if (stream)
        closedir(stream);
    return ok || gap(w->cover, "%s cannot be read", path);
}

/* The path is a resolved one: a link on the way to it came since. */
static bool check_path(struct walk *w, const struct sf_place_root *root, const char *path)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t n = strlen(path);
    bool found = n && (sf_place_resolve(root, path, n, SF_WANT_NAME, &place, &err) ||
                       sf_place_resolve(root, path, n, SF_WANT_DIR, &place, &err));
    bool ok = found && place.inside && !place.via.count && !*place.missing
                  ? check_entry(w, place.dir, place.name, path, 0)
                  : gap(w->cover, "%s is not there", n ? path : "the workspace");

    sf_place_release(&place);
    return ok;
}

static bool check_files(struct sf_loss_cover *cover, const char *dir,
                        const struct sf_strlist *paths)
{
    struct walk w = { .cover = cover,
                      .left = ENTRIES,
                      .until_ms = sf_clock_monotonic_ms() + WITHIN_MS };
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_place_root_open(&root, dir, &err) && paths->count;

    w.dev = root.dev;
    if (!ok)
        gap(cover, "what it would delete is not known");
    for (size_t i = 0; ok && i < paths->count; i++)
        ok = check_path(&w, &root, paths->items[i]);
    sf_place_root_close(&root);
    return ok;
}

/* ---- what changed since the turn's snapshot ---- */

struct comparison {
    struct sf_loss_cover *cover;
    const struct sf_strlist *paths;
};

static bool is_below(const char *path, const char *top)
{
    size_t n = strlen(top);

    return !strncmp(path, top, n) && (!path[n] || path[n] == '/' || (n && top[n - 1] == '/'));
}

static bool is_deleted(const struct comparison *c, const struct sf_snap_change *change)
{
    for (size_t i = 0; i < c->paths->count; i++)
        if (is_below(change->path, c->paths->items[i]) ||
            (change->lost && is_below(c->paths->items[i], change->path)))
            return true;
    return false;
}

/* New, written by a file tool of this turn, and by no command: its bytes are the turn's own. */
static bool is_own(const struct sf_loss_cover *cover, const struct sf_snap_change *change)
{
    return !change->from_mode && !change->lost && !cover->lost_track && !cover->commands.unsure &&
           sf_strlist_has(&cover->tools, change->path) &&
           sf_write_set_writer(&cover->commands, change->path) == SF_WRITER_OTHERS;
}

static bool note_change(void *ctx, const struct sf_snap_change *change)
{
    struct comparison *c = ctx;
    bool matters = change->lost || (change->to_mode && !S_ISDIR(change->to_mode));

    if (!matters || !is_deleted(c, change) || is_own(c->cover, change))
        return true;
    return gap(c->cover, "%s changed since this turn's snapshot was taken", change->path);
}

/* A snapshot that is taken before the call runs has it all; one that is there is older. */
static bool check_snapshot(struct sf_loss_cover *cover, struct sf_snap *snap,
                           const struct sf_strlist *paths)
{
    struct comparison c = { cover, paths };
    struct sf_error err = SF_ERROR_INIT;

    if (!*cover->snapshot)
        return true;
    for (size_t i = 0; i < cover->record_count; i++)
        sf_write_set_read(&cover->commands, cover->records[i]);
    if (!sf_snap_diff(snap, cover->snapshot, NULL, note_change, &c, &err))
        return gap(cover, "the snapshot cannot be compared: %s", err.msg);
    return !cover->gap;
}

bool sf_loss_cover_check(struct sf_loss_cover *cover, struct sf_snap *snap, const char *root,
                         const struct sf_strlist *paths)
{
    return check_files(cover, root, paths) && check_snapshot(cover, snap, paths);
}
