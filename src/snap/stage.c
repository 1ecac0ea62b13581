/*
 * stage.c: the new contents of a restore, written before any file is removed.
 *
 * A file system that keeps inodes apart for a while after their file is gone, as ext4 without a
 * journal does, looks at each of them whenever a file is made. Removing and making files in turns
 * therefore takes quadratic time. Here all are made first, in a directory of the restore's own, and
 * renamed into place later. Nothing depends on it: what is not staged is made where it belongs.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

enum { FEW = 16 }; /* files, for which a directory is not worth while */

static void name_of(size_t index, char out[SF_SNAP_TEMP])
{
    snprintf(out, SF_SNAP_TEMP, "%zu", index);
}

static bool is_content(const struct sf_snap_step *step)
{
    return !step->kept && S_ISREG(step->to.mode) &&
           !(S_ISREG(step->from.mode) && sf_oid_same(&step->from.oid, &step->to.oid));
}

static bool write_one(struct sf_snap_stage *stage, struct sf_snap *snap,
                      const struct sf_snap_step *step, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = snap->git->read(snap->odb, &step->to.oid, SF_OBJECT_BLOB, &text, &ignored) &&
              sf_snap_make_file(stage->fd, name, step->to.mode & 0777, &text);

    sf_strbuf_release(&text);
    return ok;
}

void sf_snap_stage_name(const char *temp, char out[SF_SNAP_TEMP])
{
    snprintf(out, SF_SNAP_TEMP, "%s.new", temp);
}

void sf_snap_stage_open(struct sf_snap_stage *stage, struct sf_snap *snap,
                        const struct sf_snap_plan *plan, const char *temp)
{
    size_t wanted = 0;

    *stage = (struct sf_snap_stage){ .root = snap->fd, .fd = -1 };
    sf_snap_stage_name(temp, stage->name);
    for (size_t i = 0; i < plan->count; i++)
        wanted += is_content(&plan->steps[i]);
    /* that of an attempt which was cut short is for the plan to remove */
    if (wanted < FEW || mkdirat(snap->fd, stage->name, 0700) < 0)
        return;
    stage->fd = sf_beneath_open_dir(snap->fd, stage->name);
    stage->count = plan->count;
    stage->has = sf_alloc_array(plan->count, sizeof(*stage->has));
}

/* Where one cannot be written, for want of space perhaps, the others make no difference. */
void sf_snap_stage_fill(struct sf_snap_stage *stage, struct sf_snap *snap,
                        const struct sf_snap_plan *plan, const atomic_bool *cancel)
{
    bool ok = stage->fd >= 0;

    for (size_t i = 0; ok && i < plan->count && !(cancel && atomic_load(cancel)); i++) {
        char name[SF_SNAP_TEMP];

        if (!is_content(&plan->steps[i]))
            continue;
        name_of(i, name);
        ok = stage->has[i] = write_one(stage, snap, &plan->steps[i], name);
        if (!ok)
            unlinkat(stage->fd, name, 0);
    }
}

bool sf_snap_stage_move(struct sf_snap_stage *stage, size_t index, int dir, const char *name)
{
    char staged[SF_SNAP_TEMP];

    if (stage->fd < 0 || !stage->has[index])
        return false;
    name_of(index, staged);
    if (renameat(stage->fd, staged, dir, name) < 0)
        return false; /* another file system is mounted there */
    stage->has[index] = false;
    return true;
}

void sf_snap_stage_close(struct sf_snap_stage *stage)
{
    for (size_t i = 0; stage->fd >= 0 && i < stage->count; i++) {
        char name[SF_SNAP_TEMP];

        name_of(i, name);
        if (stage->has[i])
            unlinkat(stage->fd, name, 0);
    }
    if (stage->fd >= 0) {
        close(stage->fd);
        unlinkat(stage->root, stage->name, AT_REMOVEDIR);
    }
    free(stage->has);
    *stage = (struct sf_snap_stage){ .fd = -1 };
}
