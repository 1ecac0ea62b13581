/*
 * patch_files.c: turns the steps of a plan into one deed for each file, and does the deeds in an
 * order that loses nothing: new files first, removals last.
 */
#include "tools/patch_files.h"

#include "base/base.h"

static struct sf_patch_file *find(struct sf_patch_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->items[i].path, path))
            return &files->items[i];
    return NULL;
}

static bool check_distinct(const struct sf_patch_files *files, const struct sf_patch_file *file,
                           struct sf_error *err)
{
    const struct sf_place *place = file->change.place;

    for (const struct sf_patch_file *f = files->items; f < file; f++)
        if (f->change.place->inside == place->inside &&
            !strcmp(f->change.place->real, place->real)) {
            sf_fail(err, SF_E_ARG, "%s and %s are the same file", f->change.place->shown,
                    place->shown);
            return sf_hint(err, "name each file by one path");
        }
    return true;
}

bool sf_patch_files_init(struct sf_patch_files *files, struct sf_toolbox *box,
                         struct sf_tool_call *call, struct sf_error *err)
{
    *files = (struct sf_patch_files){ .box = box };
    sf_strbuf_init(&files->trouble);
    files->items = sf_alloc_array(call->target_count, sizeof(*files->items));
    for (size_t i = 0; i < call->target_count; i++) {
        struct sf_tool_call_target *target = &call->targets[i];
        struct sf_patch_file *file = &files->items[files->count];

        if (find(files, target->path))
            continue; /* the same path, as the target of another act */
        *file = (struct sf_patch_file){ .change = SF_CHANGE_INIT, .path = target->path };
        file->change.place = &target->place;
        files->count++;
        if (!check_distinct(files, file, err))
            return false;
    }
    return true;
}

void sf_patch_files_release(struct sf_patch_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        sf_change_release(&files->items[i].change);
    free(files->items);
    sf_strbuf_release(&files->trouble);
}

static bool read_once(struct sf_patch_files *files, struct sf_patch_file *file,
                      struct sf_error *err)
{
    struct sf_place *place = file->change.place;

    if (file->is_read)
        return true;
    if (place->kind == SF_PLACE_LINK) {
        sf_fail(err, SF_E_ARG, "%s is a link", place->shown);
        return sf_hint(err, "patch the file it leads to");
    }
    if (!sf_change_begin(&file->change, files->box, place, err))
        return false;
    file->is_read = true;
    file->exists = file->change.existed;
    file->mode = place->st.st_mode;
    return true;
}

static bool read_for_plan(void *ctx, const char *path, struct sf_strbuf *bytes, bool *exists,
                          struct sf_error *err)
{
    struct sf_patch_files *files = ctx;
    struct sf_patch_file *file = find(files, path);

    if (!file)
        return sf_fail(err, SF_E_ARG, "%s was not named before", path);
    if (!read_once(files, file, err))
        return false;
    *exists = file->change.existed;
    sf_strbuf_add(bytes, file->change.before.buf, file->change.before.len);
    return true;
}

static bool fail_there(const struct sf_patch_file *file, struct sf_error *err)
{
    sf_fail(err, SF_E_EXIST, "%s is there already", file->change.place->shown);
    return sf_hint(err, "use Update File to change it, or choose another name");
}

static void set_after(struct sf_patch_file *file, const struct sf_patch_step *step)
{
    sf_strbuf_reset(&file->change.after);
    sf_strbuf_add(&file->change.after, step->new_bytes.buf, step->new_bytes.len);
    file->exists = true;
    if (step->rung > file->rung)
        file->rung = step->rung;
}

/* A file that changed since it was read is patched only if the patch matches exactly. */
static bool check_stale(const struct sf_patch_file *file, const struct sf_patch_step *step,
                        struct sf_error *err)
{
    if (file->change.state != SF_SEEN_STALE || step->rung == SF_RUNG_EXACT)
        return true;
    sf_fail(err, SF_E_BUSY, "%s has changed since it was read, and the patch fits only loosely",
            file->change.place->shown);
    return sf_hint(err, "Read it again, then make a new patch");
}

static bool take_move(struct sf_patch_files *files, struct sf_patch_file *file,
                      const struct sf_patch_step *step, struct sf_error *err)
{
    struct sf_patch_file *to = find(files, step->move_to);

    if (!to || to == file)
        return sf_fail(err, SF_E_ARG, "%s cannot be moved onto itself", file->change.place->shown);
    if (!read_once(files, to, err))
        return false;
    if (to->exists)
        return fail_there(to, err);
    to->touched++;
    to->from = file;
    file->exists = false;
    set_after(to, step);
    return true;
}

static bool take_step(struct sf_patch_files *files, const struct sf_patch_step *step,
                      struct sf_error *err)
{
    struct sf_patch_file *file = find(files, step->path);

    if (!file || !read_once(files, file, err))
        return file ? false : sf_fail(err, SF_E_ARG, "%s was not named before", step->path);
    file->touched++;
    if (step->kind == SF_PATCH_ADD ? file->exists : !file->exists)
        return step->kind == SF_PATCH_ADD
                   ? fail_there(file, err)
                   : sf_fail(err, SF_E_NOENT, "%s is not there", file->change.place->shown);
    if (!check_stale(file, step, err))
        return false;
    if (step->kind == SF_PATCH_DELETE) {
        file->exists = false;
        return true;
    }
    if (step->move_to)
        return take_move(files, file, step, err);
    set_after(file, step);
    return true;
}

static bool is_same(const struct sf_change *change)
{
    return change->before.len == change->after.len &&
           !memcmp(change->before.buf, change->after.buf, change->before.len);
}

/* A rename is possible only if nothing else happens at either end; else it is copy and removal. */
static bool is_plain_move(const struct sf_patch_file *to)
{
    return to->from && to->exists && !to->change.existed && to->touched == 1 &&
           to->from->touched == 1 && to->from->change.existed;
}

static void choose_deeds(struct sf_patch_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct sf_patch_file *f = &files->items[i];

        if (is_plain_move(f)) {
            f->deed = SF_DEED_MOVE;
            f->from->deed = SF_DEED_LEAVE;
        } else if (f->exists && f->change.existed && f->touched) {
            f->deed = is_same(&f->change) ? SF_DEED_NONE : SF_DEED_REPLACE;
        } else if (f->exists && !f->change.existed) {
            f->deed = SF_DEED_CREATE;
        } else if (!f->exists && f->change.existed && f->deed != SF_DEED_LEAVE) {
            f->deed = SF_DEED_REMOVE;
        }
    }
    for (size_t i = 0; i < files->count; i++) /* sources, after all targets are known */
        if (files->items[i].deed == SF_DEED_MOVE)
            files->items[i].from->deed = SF_DEED_LEAVE;
}

bool sf_patch_files_plan(struct sf_patch_files *files, const struct sf_patch *patch,
                         struct sf_strbuf *detail, struct sf_error *err)
{
    struct sf_patch_plan plan = { 0 };
    bool ok = sf_patch_plan(&plan, patch, read_for_plan, files, err);

    if (!ok)
        sf_strbuf_add(detail, plan.result.detail.buf, plan.result.detail.len);
    for (size_t i = 0; ok && i < plan.count; i++)
        ok = take_step(files, &plan.steps[i], err);
    sf_patch_plan_release(&plan);
    if (ok)
        choose_deeds(files);
    return ok;
}

static bool do_create(struct sf_patch_file *f, struct sf_error *err)
{
    const struct sf_strbuf *after = &f->change.after;
    mode_t mode = f->from ? f->from->mode & 0777 : 0666;

    return sf_place_create(f->change.place, after->buf, after->len, mode, err);
}

static bool do_move(struct sf_patch_file *f, struct sf_error *err)
{
    const struct sf_strbuf *after = &f->change.after, *before = &f->from->change.before;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_place_move(f->from->change.place, f->change.place, err))
        return false;
    if (after->len == before->len && !memcmp(after->buf, before->buf, before->len))
        return true;
    if (sf_place_replace(f->change.place, after->buf, after->len, err))
        return true;
    f->stuck = !sf_place_move(f->change.place, f->from->change.place, &ignored);
    return false;
}

static bool do_deed(struct sf_patch_file *f, struct sf_error *err)
{
    switch (f->deed) {
    case SF_DEED_CREATE:
        return do_create(f, err);
    case SF_DEED_REPLACE:
        return sf_change_commit(&f->change, err);
    case SF_DEED_MOVE:
        return do_move(f, err);
    case SF_DEED_REMOVE:
        return sf_place_remove(f->change.place, err);
    case SF_DEED_NONE:
    case SF_DEED_LEAVE:
        break;
    }
    return true;
}

static bool undo_move(struct sf_patch_file *f, struct sf_error *err)
{
    const struct sf_strbuf *before = &f->from->change.before, *after = &f->change.after;
    bool same = after->len == before->len && !memcmp(after->buf, before->buf, before->len);

    return (same || sf_place_replace(f->change.place, before->buf, before->len, err)) &&
           sf_place_move(f->change.place, f->from->change.place, err);
}

static bool undo_deed(struct sf_patch_file *f, struct sf_error *err)
{
    const struct sf_strbuf *before = &f->change.before;

    switch (f->deed) {
    case SF_DEED_CREATE:
        return sf_place_remove(f->change.place, err);
    case SF_DEED_REPLACE:
        return sf_place_replace(f->change.place, before->buf, before->len, err);
    case SF_DEED_MOVE:
        return undo_move(f, err);
    case SF_DEED_REMOVE:
        return sf_place_create(f->change.place, before->buf, before->len, f->mode & 0777, err);
    case SF_DEED_NONE:
    case SF_DEED_LEAVE:
        break;
    }
    return true;
}

static void note_trouble(struct sf_patch_files *files, const struct sf_patch_file *f,
                         const struct sf_error *err)
{
    static const char *const states[] = {
        [SF_DEED_NONE] = "",
        [SF_DEED_CREATE] = "stays as the patch made it",
        [SF_DEED_REPLACE] = "stays as the patch changed it",
        [SF_DEED_MOVE] = "stays where the patch moved it",
        [SF_DEED_LEAVE] = "",
        [SF_DEED_REMOVE] = "stays removed",
    };

    sf_strbuf_addf(&files->trouble, "%s %s: %s\n", f->change.place->shown, states[f->deed],
                   err->msg);
}

/* The order in which deeds are done. */
static const enum sf_patch_deed order[] = { SF_DEED_CREATE, SF_DEED_REPLACE, SF_DEED_MOVE,
                                            SF_DEED_REMOVE };

bool sf_patch_files_commit(struct sf_patch_files *files, struct sf_error *err)
{
    struct sf_patch_file **done = sf_alloc_array(files->count, sizeof(struct sf_patch_file *));
    size_t count = 0;
    bool ok = true;

    for (size_t k = 0; ok && k < SF_COUNT(order); k++)
        for (size_t i = 0; ok && i < files->count; i++) {
            struct sf_patch_file *f = &files->items[i];

            if (f->deed != order[k])
                continue;
            ok = do_deed(f, err);
            if (ok)
                done[count++] = f;
            else if (f->stuck)
                note_trouble(files, f, err);
        }
    while (!ok && count > 0) {
        struct sf_error why = SF_ERROR_INIT;

        if (!undo_deed(done[--count], &why))
            note_trouble(files, done[count], &why);
    }
    free(done);
    return ok;
}
