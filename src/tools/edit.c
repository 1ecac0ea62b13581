/*
 * edit.c: the Edit and MultiEdit tools. The edit room finds and replaces the text; here is what
 * concerns files: whether the model has read this one, whether it changed since, replacing it
 * atomically, and reporting the result.
 *
 * A file that changed since it was read may still be edited where the old text occurs exactly once.
 * The model has not seen its other changes, so it still counts as changed until it is read.
 */
#include "edit/edit.h"

#include "base/base.h"
#include "tools/change.h"
#include "tools/nearby.h"
#include "tools/table_rows.h"

static bool describe_edit(struct sf_tool_call *call, struct sf_error *err)
{
    return sf_tool_call_add_target(call, sf_arg_str(call->args, "file_path", ""), SF_WANT_FILE,
                                   SF_ACT_WRITE, err);
}

static struct sf_edit edit_of(const struct sf_json *args)
{
    struct sf_edit edit = { .old_text = sf_arg_str(args, "old_string", ""),
                            .new_text = sf_arg_str(args, "new_string", ""),
                            .all = sf_arg_bool(args, "replace_all", false) };

    edit.old_len = strlen(edit.old_text);
    edit.new_len = strlen(edit.new_text);
    return edit;
}

/* The edits of either tool; owned by the caller. */
static struct sf_edit *edits_of(const struct sf_json *args, size_t *count)
{
    const struct sf_json *list = sf_json_get(args, "edits");
    struct sf_edit *edits;
    size_t i = 0;

    *count = list ? sf_json_count(list) : 1;
    edits = sf_alloc_array(*count, sizeof(*edits));
    if (!list)
        edits[0] = edit_of(args);
    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it))
        edits[i++] = edit_of(it);
    return edits;
}

static bool may_edit(const struct sf_change *change, const struct sf_edit *first, const char *stand,
                     struct sf_error *err)
{
    if (!change->existed) {
        if (!first->old_len)
            return true;
        sf_nearby_fail(change->place, stand, err);
        return false;
    }
    if (change->state != SF_SEEN_NEVER || !change->before.len)
        return true;
    sf_fail(err, SF_E_BUSY, "%s has not been read yet", change->place->shown);
    return sf_hint(err, "Read it first, then edit what you saw");
}

static void report(struct sf_change *change, const struct sf_edit_result *result,
                   struct sf_toolbox *box, struct sf_tool_call *call)
{
    const char *shown = change->place->shown;
    struct sf_strbuf sentence = SF_STRBUF_INIT;

    if (change->state != SF_SEEN_STALE)
        sf_change_note(change, box, call,
                       !change->existed || !change->before.len || change->state == SF_SEEN_WHOLE);
    sf_change_diff(change, call, change->place->real);
    sf_edit_describe(result, &sentence);
    sf_tool_call_addf(call, "%s: %s\n", shown, sentence.buf);
    sf_change_excerpt(change, call);
    sf_tool_call_summary(call, "%s %s +%zu \xe2\x88\x92%zu", change->existed ? "edited" : "created",
                         sf_tool_call_shown(call, change->place), change->added, change->removed);
    sf_strbuf_release(&sentence);
}

static void fail_edit(struct sf_tool_call *call, const struct sf_place *place,
                      const struct sf_edit_result *result, struct sf_error *err)
{
    sf_error_prefix(err, "%s: ", place->shown);
    sf_tool_call_fail(call, err);
    if (result->detail.len) {
        sf_tool_call_add_text(call, "\n", 1);
        sf_tool_call_add_text(call, result->detail.buf, result->detail.len);
    }
}

/* Computes the new contents of the file; false: the call has failed. */
static bool plan(struct sf_change *change, struct sf_edit_result *result, struct sf_toolbox *box,
                 struct sf_tool_call *call)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit_job job = { 0 };
    struct sf_edit *edits = edits_of(call->args, &job.count);
    bool ok = sf_change_begin(change, box, &call->targets[0].place, &err) &&
              may_edit(change, &edits[0], box->stand, &err);

    if (!ok) {
        sf_tool_call_fail(call, &err);
    } else {
        job.bytes = change->existed ? change->before.buf : NULL;
        job.len = change->before.len;
        job.stale = change->state == SF_SEEN_STALE;
        job.edits = edits;
        ok = sf_edit_apply(&job, result, &err);
        if (!ok)
            fail_edit(call, change->place, result, &err);
    }
    free(edits);
    return ok;
}

static void commit(struct sf_change *change, const struct sf_edit_result *result,
                   struct sf_toolbox *box, struct sf_tool_call *call)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_change_commit(change, &err))
        report(change, result, box, call);
    else
        sf_tool_call_fail(call, &err);
}

static void try_edit(struct sf_toolbox *box, struct sf_tool_call *call, bool for_real)
{
    struct sf_change change = SF_CHANGE_INIT;
    struct sf_edit_result result;

    sf_edit_result_init(&result);
    if (plan(&change, &result, box, call)) {
        sf_strbuf_add(&change.after, result.bytes.buf, result.bytes.len);
        if (for_real)
            commit(&change, &result, box, call);
        else
            sf_change_plan(&change, call);
    }
    sf_edit_result_release(&result);
    sf_change_release(&change);
}

static void run_edit(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_edit(box, call, true);
}

static void rehearse_edit(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_edit(box, call, false);
}

/* clang-format off */
static const struct sf_tool_arg edit_args[] = {
    { .name = "file_path", .type = SF_ARG_STRING, .required = true, .alias = "path",
      .help = "Path of the file, absolute or from the working directory" },
    { .name = "old_string", .type = SF_ARG_STRING, .required = true,
      .help = "The text as it stands in the file, long enough to be there once; empty for a new file" },
    { .name = "new_string", .type = SF_ARG_STRING, .required = true,
      .help = "What takes its place" },
    { .name = "replace_all", .type = SF_ARG_BOOL,
      .help = "Replace every occurrence" },
};

static const struct sf_tool_arg multi_edit_args[] = {
    { .name = "file_path", .type = SF_ARG_STRING, .required = true, .alias = "path",
      .help = "Path of the file, absolute or from the working directory" },
    { .name = "edits", .type = SF_ARG_OBJECTS, .required = true, .min = 1, .max = 200,
      .members = edit_args + 1, .member_count = SF_COUNT(edit_args) - 1,
      .help = "Edits, each on what the one before left" },
};
/* clang-format on */

const struct sf_tool sf_tool_edit = {
    .name = "Edit",
    .help = "Replace one piece of text in a file that was read before. old_string must be there "
            "exactly once, without the line numbers of Read; include lines around it until it "
            "is, or set replace_all. Line endings, encoding and mode of the file stay.",
    .args = edit_args,
    .arg_count = SF_COUNT(edit_args),
    .act = SF_ACT_WRITE,
    .least = SF_PROFILE_NORMAL,
    .where = SF_TOOL_WORKER,
    .is_edit = true,
    .amends = "new_string",
    .describe = describe_edit,
    .run = run_edit,
    .rehearse = rehearse_edit,
};

const struct sf_tool sf_tool_multi_edit = {
    .name = "MultiEdit",
    .help = "Several edits to one file in one step, in order; each works like Edit on what the "
            "one before left. When one of them fails, none is made.",
    .args = multi_edit_args,
    .arg_count = SF_COUNT(multi_edit_args),
    .act = SF_ACT_WRITE,
    .least = SF_PROFILE_NORMAL,
    .where = SF_TOOL_WORKER,
    .is_edit = true,
    .describe = describe_edit,
    .run = run_edit,
    .rehearse = rehearse_edit,
};
