/*
 * loss_cover.c: holds what a call would delete against the snapshot of its turn. The snapshot is
 * older than the call: what others changed in between it would not bring back, and what the turn
 * itself made is the turn's to delete.
 */
#include "session/loss_cover.h"

#include <sys/stat.h>

#include "base/base.h"
#include "session/snapshots.h"

bool sf_loss_cover_begin(struct sf_loss_cover *cover, const struct sf_snapshots *k)
{
    if (k->before == SF_SNAPSHOT_TAKEN)
        memcpy(cover->snapshot, k->id, sizeof(cover->snapshot));
    cover->writes.unsure = k->unsure;
    for (size_t i = 0; i < k->known.count; i++)
        sf_write_set_add(&cover->writes, k->known.items[i]);
    cover->records = sf_alloc_array(k->record_count + 1, sizeof(struct sf_write_record *));
    for (size_t i = 0; i < k->record_count; i++)
        cover->records[cover->record_count++] = sf_write_record_hold(k->records[i]);
    return k->before == SF_SNAPSHOT_TAKEN || k->before == SF_SNAPSHOT_NONE;
}

void sf_loss_cover_release(struct sf_loss_cover *cover)
{
    sf_strlist_release(&cover->deletion.paths);
    free(cover->deletion.lacks);
    sf_write_set_release(&cover->writes);
    for (size_t i = 0; i < cover->record_count; i++)
        sf_write_record_drop(cover->records[i]);
    free(cover->records);
    free(cover->changed);
    *cover = (struct sf_loss_cover)SF_LOSS_COVER_INIT;
}

static bool is_deleted(const struct sf_loss_cover *cover, const char *path)
{
    for (size_t i = 0; i < cover->deletion.paths.count; i++) {
        const char *top = cover->deletion.paths.items[i];
        size_t n = strlen(top);

        if (!strncmp(path, top, n) && (!path[n] || path[n] == '/'))
            return true;
    }
    return false;
}

/* What the turn itself made since is its own to delete; no snapshot has to bring it back. */
static bool note_change(void *ctx, const struct sf_snap_change *change)
{
    struct sf_loss_cover *cover = ctx;
    bool made = !change->from_mode && !cover->writes.unsure &&
                sf_write_set_writer(&cover->writes, change->path) == SF_WRITER_COMMAND;

    if (S_ISDIR(change->to_mode) || !change->to_mode || made || !is_deleted(cover, change->path))
        return true;
    cover->changed = sf_strdup(change->path);
    return false;
}

/* The snapshot that the turn has is older than the call: files may have changed since. */
static bool is_current(struct sf_loss_cover *cover, struct sf_snap *snap, struct sf_error *err)
{
    for (size_t i = 0; i < cover->record_count; i++)
        sf_write_set_read(&cover->writes, cover->records[i]);
    return !*cover->snapshot ||
           (sf_snap_diff(snap, cover->snapshot, NULL, note_change, cover, err) && !cover->changed);
}

SF_PRINTF(2, 3)
static void say_lacks(struct sf_loss_cover *cover, const char *format, ...)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&out, format, args);
    va_end(args);
    cover->deletion.lacks = sf_strbuf_detach(&out);
}

void sf_loss_cover_find(struct sf_loss_cover *cover, struct sf_snap *snap, const char *lacks)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!snap)
        say_lacks(cover, "no snapshot is taken");
    else if (*lacks)
        say_lacks(cover, "no snapshot is sure to hold %s", lacks);
    else if (!cover->deletion.known)
        say_lacks(cover, "what it would delete is not known");
    else if (is_current(cover, snap, &err))
        cover->deletion.whole = true;
    else if (cover->changed)
        say_lacks(cover, "%s changed since this turn's snapshot was taken", cover->changed);
    else
        say_lacks(cover, "the snapshot cannot be compared: %s", err.msg);
}
