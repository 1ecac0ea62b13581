/*
 * apply_patch.c: the ApplyPatch tool, for models that prefer to write patches. The edit room parses
 * and fits a patch, patch_files.c applies it; here is what the call would touch, and the report.
 */
#include "base/base.h"
#include "edit/edit.h"
#include "tools/patch_files.h"
#include "tools/table_rows.h"

static struct sf_patch *read_patch(const struct sf_tool_call *call, struct sf_error *err)
{
    const char *text = sf_arg_str(call->args, "patch", "");

    return sf_patch_parse(text, strlen(text), err);
}

static bool deletes(const struct sf_patch_op *op, const char *path)
{
    return op->kind == SF_PATCH_DELETE && !strcmp(op->path, path);
}

static bool moves(const struct sf_patch_op *op, const char *path)
{
    return op->move_to && !strcmp(op->path, path);
}

static bool writes(const struct sf_patch_op *op, const char *path)
{
    if (op->move_to && !strcmp(op->move_to, path))
        return true;
    return op->kind != SF_PATCH_DELETE && !strcmp(op->path, path);
}

/*
 * Adds one target for each path and act; a move writes both ends and deletes nothing. A path whose
 * name is removed is resolved by name, so that a link is not mistaken for its target.
 */
static bool add_path(struct sf_tool_call *call, const struct sf_patch *patch, const char *path,
                     struct sf_error *err)
{
    bool goes = false, moved = false, written = false;
    enum sf_place_want want;

    for (size_t i = 0; i < call->target_count; i++)
        if (!strcmp(call->targets[i].path, path))
            return true;
    for (size_t i = 0; i < patch->count; i++) {
        goes = goes || deletes(&patch->ops[i], path);
        moved = moved || moves(&patch->ops[i], path);
        written = written || writes(&patch->ops[i], path);
    }
    want = goes || moved ? SF_WANT_NAME : SF_WANT_FILE;
    return (!written || sf_tool_call_add_target(call, path, want, SF_ACT_WRITE, err)) &&
           (!goes || sf_tool_call_add_target(call, path, want, SF_ACT_DELETE, err));
}

static bool describe_patch(struct sf_tool_call *call, struct sf_error *err)
{
    struct sf_patch *patch = read_patch(call, err);
    bool ok = patch != NULL;

    for (size_t i = 0; ok && i < patch->count; i++) {
        ok = add_path(call, patch, patch->ops[i].path, err);
        if (ok && patch->ops[i].move_to)
            ok = add_path(call, patch, patch->ops[i].move_to, err);
    }
    if (ok && !patch->count)
        ok = sf_fail(err, SF_E_ARG, "the patch changes nothing");
    sf_patch_free(patch);
    return ok;
}

static void fail_plan(struct sf_tool_call *call, const struct sf_strbuf *detail,
                      const struct sf_error *err)
{
    sf_tool_call_fail(call, err);
    sf_tool_call_addf(call, "\nnothing was changed\n");
    sf_tool_call_add_text(call, detail->buf, detail->len);
}

static void fail_commit(struct sf_tool_call *call, const struct sf_patch_files *files,
                        const struct sf_error *err)
{
    sf_tool_call_fail(call, err);
    if (!files->trouble.len) {
        sf_tool_call_addf(call, "\nnothing was changed: what had been done was put back\n");
        return;
    }
    sf_tool_call_addf(call, "\nthe rest was put back, but:\n");
    sf_tool_call_add_text(call, files->trouble.buf, files->trouble.len);
}

/* Records what was seen of the file, for this session and for the log. */
static void note(struct sf_patch_file *f, struct sf_toolbox *box, struct sf_tool_call *call)
{
    enum sf_seen_state state = f->from ? f->from->change.state : f->change.state;

    if (f->deed == SF_DEED_REMOVE || f->deed == SF_DEED_LEAVE)
        sf_seen_drop(box->seen, f->change.place->real);
    else if (state != SF_SEEN_STALE)
        sf_change_note(&f->change, box, call,
                       f->deed == SF_DEED_CREATE ? !f->from || state == SF_SEEN_WHOLE
                                                 : state == SF_SEEN_WHOLE);
}

/* Shows a moved file as a change from its old contents. */
static void tell_deed(struct sf_patch_file *f)
{
    f->change.gone = f->deed == SF_DEED_REMOVE;
    if (f->deed != SF_DEED_MOVE)
        return;
    f->change.existed = true;
    f->change.from = f->from->change.place->real;
    sf_strbuf_add(&f->change.before, f->from->change.before.buf, f->from->change.before.len);
}

static void add_line(struct sf_tool_call *call, struct sf_patch_file *f)
{
    const char *shown = f->change.place->shown;

    tell_deed(f);
    sf_change_diff(&f->change, call, f->change.place->real);
    switch (f->deed) {
    case SF_DEED_CREATE:
        sf_tool_call_addf(call, "added %s (+%zu)\n", shown, f->change.added);
        break;
    case SF_DEED_REPLACE:
        sf_tool_call_addf(call, "updated %s (+%zu -%zu)", shown, f->change.added,
                          f->change.removed);
        if (f->rung != SF_RUNG_EXACT)
            sf_tool_call_addf(call, ", matched %s", sf_rung_name(f->rung));
        if (f->change.state == SF_SEEN_STALE)
            sf_tool_call_addf(call, "; it had changed since it was read");
        sf_tool_call_addf(call, "\n");
        break;
    case SF_DEED_MOVE:
        sf_tool_call_addf(call, "moved %s to %s (+%zu -%zu)\n", f->from->change.place->shown, shown,
                          f->change.added, f->change.removed);
        break;
    case SF_DEED_REMOVE:
        sf_tool_call_addf(call, "deleted %s\n", shown);
        break;
    case SF_DEED_NONE:
    case SF_DEED_LEAVE:
        break;
    }
}

static void report(struct sf_tool_call *call, struct sf_patch_files *files)
{
    size_t added = 0, removed = 0, event = 0;

    for (size_t i = 0; i < files->count; i++) {
        struct sf_patch_file *f = &files->items[i];

        if (f->deed == SF_DEED_NONE)
            continue;
        note(f, files->box, call);
        if (f->deed == SF_DEED_LEAVE)
            continue;
        add_line(call, f);
        added += f->change.added;
        removed += f->change.removed;
        event++;
    }
    if (!event)
        sf_tool_call_addf(call, "the files are as the patch wants them already\n");
    sf_tool_call_summary(call, "patched %zu file%s +%zu \xe2\x88\x92%zu", event,
                         event == 1 ? "" : "s", added, removed);
}

static void show_plan(struct sf_tool_call *call, struct sf_patch_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct sf_patch_file *f = &files->items[i];

        if (f->deed == SF_DEED_NONE || f->deed == SF_DEED_LEAVE)
            continue;
        tell_deed(f);
        sf_change_plan(&f->change, call);
    }
}

static void try_patch(struct sf_toolbox *box, struct sf_tool_call *call, bool for_real)
{
    struct sf_strbuf detail = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_patch *patch = read_patch(call, &err);
    struct sf_patch_files files = { 0 };
    bool planned = false;

    sf_strbuf_init(&files.trouble);
    if (patch)
        planned = sf_patch_files_init(&files, box, call, &err) &&
                  sf_patch_files_plan(&files, patch, &detail, &err);
    if (planned && atomic_load(&call->cancelled))
        planned = sf_fail(&err, SF_E_CANCELLED, "cancelled");
    if (!planned)
        fail_plan(call, &detail, &err);
    else if (for_real && !sf_patch_files_commit(&files, &err))
        fail_commit(call, &files, &err);
    else if (for_real)
        report(call, &files);
    else
        show_plan(call, &files);
    sf_patch_files_release(&files);
    sf_patch_free(patch);
    sf_strbuf_release(&detail);
}

static void run_patch(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_patch(box, call, true);
}

static void rehearse_patch(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_patch(box, call, false);
}

/* clang-format off */
static const struct sf_tool_arg patch_args[] = {
    { .name = "patch", .type = SF_ARG_STRING, .required = true, .alias = "input",
      .help = "The patch, from *** Begin Patch to *** End Patch" },
};
/* clang-format on */

const struct sf_tool sf_tool_apply_patch = {
    .name = "ApplyPatch",
    .help = "Change files by a patch. It begins with *** Begin Patch and ends with *** End Patch; "
            "between them stand sections: *** Add File: PATH, each line of the file behind a +; "
            "*** Delete File: PATH; *** Update File: PATH, perhaps followed by *** Move to: PATH, "
            "then hunks. A hunk begins with @@ and perhaps a line to go to first; its lines begin "
            "with a blank (as it is), - (goes) or + (new). Give three lines around each change. "
            "Unified diffs are taken too. All of it is done, or nothing.",
    .args = patch_args,
    .arg_count = SF_COUNT(patch_args),
    .act = SF_ACT_DELETE,
    .amends = "patch",
    .least = SF_PROFILE_NORMAL,
    .where = SF_TOOL_WORKER,
    .instead_of_edit = true,
    .describe = describe_patch,
    .run = run_patch,
    .rehearse = rehearse_patch,
};
