/*
 * write.c: the Write tool: writes a whole file. An existing file may be overwritten only if all of
 * it was read and it has not changed since: otherwise contents that the model never saw would be
 * lost.
 */
#include <inttypes.h>

#include "base/base.h"
#include "edit/edit.h"
#include "tools/change.h"
#include "tools/table_rows.h"

static bool describe_write(struct sf_tool_call *call, struct sf_error *err)
{
    return sf_tool_call_add_target(call, sf_arg_str(call->args, "file_path", ""), SF_WANT_FILE,
                                   SF_ACT_WRITE, err);
}

static bool may_overwrite(const struct sf_change *change, struct sf_error *err)
{
    const char *shown = change->place->shown;

    if (!change->existed || !change->before.len)
        return true;
    switch (change->state) {
    case SF_SEEN_WHOLE:
        return true;
    case SF_SEEN_STALE:
        sf_fail(err, SF_E_BUSY, "%s has changed since it was read", shown);
        return sf_hint(err, "Read it again, then write it with what changed");
    case SF_SEEN_NEVER:
    case SF_SEEN_PART:
        break;
    }
    sf_fail(err, SF_E_EXIST, "%s is there already and has not been read %s", shown,
            change->state == SF_SEEN_PART ? "to its end" : "yet");
    return sf_hint(err, "Read it first, so that nothing in it is lost; or use Edit");
}

static size_t count_lines(const struct sf_strbuf *text)
{
    struct sf_lines lines;
    size_t count;

    sf_lines_init(&lines, text->buf, text->len, SF_LINES_LF);
    count = lines.count;
    sf_lines_release(&lines);
    return count;
}

/* Remarks about changes that the model does not see in its own text, such as the encoding. */
static void add_notes(const struct sf_change *change, struct sf_tool_call *call)
{
    struct sf_textfile before, after;

    sf_textfile_read(&before, change->before.buf, change->before.len);
    sf_textfile_read(&after, change->after.buf, change->after.len);
    if (!before.trouble && before.encoding != after.encoding && before.len)
        sf_tool_call_addf(call, "[the file was %s and is %s now]\n",
                          sf_encoding_name(before.encoding), sf_encoding_name(after.encoding));
    if (before.endings != after.endings && before.endings != SF_ENDINGS_NONE &&
        after.endings != SF_ENDINGS_NONE)
        sf_tool_call_addf(call, "[its line ends were %s and are %s now]\n",
                          sf_endings_name(before.endings), sf_endings_name(after.endings));
    sf_textfile_release(&before);
    sf_textfile_release(&after);
}

static void report(struct sf_change *change, struct sf_toolbox *box, struct sf_tool_call *call)
{
    const char *shown = change->place->shown;
    size_t lines = count_lines(&change->after);

    sf_change_note(change, box, call, true);
    sf_change_diff(change, call, change->place->real);
    sf_tool_call_addf(call, "%s %s (%zu line%s)\n", change->existed ? "overwrote" : "created",
                      shown, lines, lines == 1 ? "" : "s");
    if (change->existed)
        add_notes(change, call);
    sf_tool_call_summary(call, "%s %s +%zu \xe2\x88\x92%zu", change->existed ? "wrote" : "created",
                         sf_tool_call_shown(call, change->place), change->added, change->removed);
}

static void try_write(struct sf_toolbox *box, struct sf_tool_call *call, bool for_real)
{
    struct sf_change change = SF_CHANGE_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_adds(&change.after, sf_arg_str(call->args, "content", ""));
    if (!sf_change_begin(&change, box, &call->targets[0].place, &err) ||
        !may_overwrite(&change, &err) || (for_real && !sf_change_commit(&change, &err)))
        sf_tool_call_fail(call, &err);
    else if (for_real)
        report(&change, box, call);
    else
        sf_change_plan(&change, call);
    sf_change_release(&change);
}

static void run_write(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_write(box, call, true);
}

static void rehearse_write(struct sf_toolbox *box, struct sf_tool_call *call)
{
    try_write(box, call, false);
}

/* clang-format off */
static const struct sf_tool_arg write_args[] = {
    { .name = "file_path", .type = SF_ARG_STRING, .required = true, .alias = "path",
      .help = "Path of the file, absolute or from the working directory" },
    { .name = "content", .type = SF_ARG_STRING, .required = true,
      .help = "All of the file, exactly as it is to be" },
};
/* clang-format on */

const struct sf_tool sf_tool_write = {
    .name = "Write",
    .help = "Write a whole file: a new one, with the directories it needs, or one in place of "
            "what is there. An existing file must have been read to its end before, and must not "
            "have changed since. To change part of a file, Edit is better.",
    .args = write_args,
    .arg_count = SF_COUNT(write_args),
    .act = SF_ACT_WRITE,
    .least = SF_PROFILE_NORMAL,
    .where = SF_TOOL_WORKER,
    .amends = "content",
    .describe = describe_write,
    .run = run_write,
    .rehearse = rehearse_write,
};
