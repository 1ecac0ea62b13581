/*
 * commands_restore.c: /undo, /redo, /restore and /diff on the screen. The session looks, puts files
 * back and writes it down (session/restore_job.h); here are the card that asks, the list of states
 * with its preview, and what is said about the outcome. The conversation stays as it is.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { DIFF_MAX = 512 * 1024, PREVIEW_MAX = 64 * 1024 };

static void note(struct sf_tui *ui, const struct sf_strbuf *text)
{
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text->buf, text->len, sf_clock_wall_ms());
}

/* What somebody has to wait for is a word in passing; what went wrong stays readable. */
static void fail(struct sf_tui *ui, const struct sf_error *err)
{
    if (err->code == SF_E_BUSY || err->code == SF_E_CANCELLED)
        sf_tui_say(ui, err->code == SF_E_BUSY, "%s", err->msg);
    else
        sf_tui_fail(ui, err);
}

static bool is_looking(struct sf_tui *ui)
{
    if (ui->restore.looking)
        sf_tui_say(ui, true, "one moment: files are being looked at");
    return ui->restore.looking;
}

/* ---- a restore ---- */

/* Words that came meanwhile go on; last of all what hangs on it, which may open another session. */
static void finish(struct sf_tui *ui, bool as_they_were)
{
    sf_card_fn *and_then = ui->restore.and_then;

    ui->restore.and_then = NULL;
    if (!ui->quitting)
        sf_port_queue_resume(ui->port);
    if (and_then)
        and_then(ui, ui->restore.ctx, as_they_were && !ui->quitting);
}

static void agreed(struct sf_tui *ui, void *ctx, bool yes)
{
    (void)ctx;
    if (!ui->closed) /* the session has gone before its cards */
        sf_session_restore_answer(sf_port_raw(ui->port), yes);
}

/* Who changed it since is not known to be sf: that is the user's to choose. */
static void add_since(struct sf_strbuf *out, const struct sf_restore_job *job)
{
    if (job->tally.since)
        sf_strbuf_addf(out,
                       "%zu changed while no turn of sf ran that came to its end; "
                       "`/restore %" PRId64 " overwrite` goes back there too.\n\n",
                       job->tally.since, job->undo.number);
}

static void ask(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "Put files back as they were before “%s”?\n\n",
                   *job->undo.label ? job->undo.label : "the snapshot");
    sf_strbuf_addf(&text, "```\n%s```\n\n", job->preview.buf);
    add_since(&text, job);
    sf_strbuf_addf(&text, "%s `/restore undo` takes it back.",
                   ui->restore.and_then ? "Then the conversation goes back too."
                                        : "The conversation stays.");
    sf_card_ask(ui, text.buf, agreed, NULL);
    sf_strbuf_release(&text);
}

/* Nothing would be done, and yet not all is as it was: said in full, since no card follows. */
static void explain(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "nothing was put back:\n%s", job->preview.buf);
    add_since(&text, job);
    while (text.len && text.buf[text.len - 1] == '\n')
        sf_strbuf_truncate(&text, text.len - 1);
    note(ui, &text);
    sf_strbuf_release(&text);
}

static void planned(struct sf_tui *ui, const struct sf_restore_job *job)
{
    bool work = sf_undo_is_work(&job->tally), left = job->tally.kept || job->tally.lost;

    if (!ui->quitting && (work || (left && ui->restore.and_then))) {
        ask(ui, job);
        return;
    }
    if (!ui->quitting && left) {
        explain(ui, job);
    } else if (!ui->quitting) {
        ui->restore.nothing = true;
        sf_tui_say(ui, false, "nothing to put back: the files are as they were");
    }
    sf_session_restore_answer(sf_port_raw(ui->port), false);
}

static void tell_done(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_restored_say(&job->done.tally, &job->done.kept, &job->done.lost, &text);
    note(ui, &text);
    sf_strbuf_release(&text);
}

static void moved(void *ctx, const struct sf_restore_job *job)
{
    struct sf_tui *ui = ctx;

    sf_tui_dirty(ui);
    switch (job->state) {
    case SF_RESTORE_STATE_PLANNED:
        planned(ui, job);
        break;
    case SF_RESTORE_STATE_RECORDED:
        tell_done(ui, job);
        finish(ui, true);
        break;
    case SF_RESTORE_STATE_ENDED:
        if (*job->err.msg)
            fail(ui, &job->err);
        finish(ui, ui->restore.nothing);
        break;
    case SF_RESTORE_STATE_PLANNING:
    case SF_RESTORE_STATE_RUNNING:
        break;
    }
}

static bool restore(struct sf_tui *ui, const struct sf_restore_what *what, const char *reason,
                    bool overwrite)
{
    const struct sf_restore_how how = { .reason = reason, .overwrite = overwrite };
    struct sf_error err = SF_ERROR_INIT;

    if (is_looking(ui))
        return false;
    ui->restore.nothing = false;
    if (sf_session_restore(sf_port_raw(ui->port), what, &how, moved, ui, &err))
        return true;
    fail(ui, &err);
    return false;
}

static bool restore_number(struct sf_tui *ui, int64_t number, bool overwrite)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_NUMBER, number };

    return restore(ui, &what, "restoring a snapshot", overwrite);
}

void sf_tui_restore(struct sf_tui *ui, int64_t number, sf_card_fn *and_then, void *ctx)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_NUMBER, number };

    if (restore(ui, &what, "going back to before a prompt", false)) {
        ui->restore.and_then = and_then;
        ui->restore.ctx = ctx;
    } else if (and_then) {
        and_then(ui, ctx, false);
    }
}

/* ---- commands ---- */

static const char overwriting[] = "overwrite";

void sf_do_undo(struct sf_tui *ui, const char *args)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_TURN, 1 };

    restore(ui, &what, "undoing a turn", !strcmp(args, overwriting));
}

void sf_do_redo(struct sf_tui *ui, const char *args)
{
    const struct sf_restore_what what = { .goal = SF_RESTORE_TO_REDO };

    (void)args;
    restore(ui, &what, "taking an undo back", false);
}

/* ---- looking ---- */

static void look(struct sf_tui *ui, const struct sf_restore_what *what,
                 const struct sf_restore_how *how, sf_restore_fn *fn)
{
    ui->restore.looking = true;
    sf_tui_say(ui, false, "looking at the files");
    sf_session_look(sf_port_raw(ui->port), what, how, fn, ui);
}

static void end_look(struct sf_tui *ui)
{
    ui->restore.looking = false;
    ui->status[0] = '\0';
    sf_tui_dirty(ui);
}

static void show_diff(void *ctx, const struct sf_restore_job *job)
{
    struct sf_tui *ui = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;

    end_look(ui);
    sf_strbuf_add(&text, job->diff.buf, job->diff.len);
    if (ui->quitting)
        ; /* nobody is there to see it */
    else if (*job->err.msg)
        sf_tui_fail(ui, &job->err);
    else if (text.len)
        sf_overlay_diff(ui, job->reason, &text);
    else
        sf_tui_say(ui, false, "nothing changed");
    sf_strbuf_release(&text);
}

void sf_do_diff(struct sf_tui *ui, const char *args)
{
    const struct sf_restore_how how = { .reason = *args ? "Since then" : "Since the session began",
                                        .diff_only = true,
                                        .diff_max = DIFF_MAX };
    struct sf_restore_what what = { .goal = SF_RESTORE_TO_START };

    if (sf_port_busy(ui->port)) {
        sf_tui_say(ui, true, "a turn is running: Esc cancels it");
        return;
    }
    if (is_looking(ui))
        return;
    if (!strcmp(args, "turn"))
        what = (struct sf_restore_what){ SF_RESTORE_TO_TURN, 1 };
    else if (*args)
        what = (struct sf_restore_what){ SF_RESTORE_TO_NUMBER, strtoll(args, NULL, 10) };
    look(ui, &what, &how, show_diff);
}

/* ---- the list ---- */

static void snapshot_chosen(struct sf_tui *ui, const char *value);
static void snapshot_moved(struct sf_tui *ui, const char *value);

static const struct sf_overlay_kind snapshots = {
    .title = "Restore files (the conversation stays)",
    .keys = "Enter restore   ↑ ↓ choose   PgUp PgDn preview   /restore undo",
    .chosen = snapshot_chosen,
    .moved = snapshot_moved,
};

/* As it is: a line that begins with a minus is no item of a list. */
static void show_preview(struct sf_tui *ui, const struct sf_restore_job *job)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "```\n%s\n```\n", job->preview.buf);
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_add(&ui->overlay->preview_diff, job->diff.buf, job->diff.len);
    sf_strbuf_release(&text);
}

static void preview(struct sf_tui *ui, int64_t number);

/* The list may be gone by now, or on another row, or somebody chose one meanwhile. */
static void previewed(void *ctx, const struct sf_restore_job *job)
{
    struct sf_tui *ui = ctx;
    int64_t seen = job->what.number, wanted = ui->restore.row, chosen = ui->restore.chosen;
    bool listed = ui->overlay && ui->overlay->kind == &snapshots;

    end_look(ui);
    ui->restore.chosen = 0;
    if (ui->quitting)
        return;
    if (*job->err.msg && job->err.code != SF_E_NOENT) /* a state that has gone is no news here */
        sf_tui_fail(ui, &job->err);
    else if (!*job->err.msg && listed && seen == wanted)
        show_preview(ui, job);
    if (chosen)
        restore_number(ui, chosen, false);
    else if (listed && seen != wanted)
        preview(ui, wanted);
}

static void preview(struct sf_tui *ui, int64_t number)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_NUMBER, number };
    const struct sf_restore_how how = { .diff_max = PREVIEW_MAX };

    look(ui, &what, &how, previewed);
}

/* Whoever is faster than the preview waits for it, not for a second key. */
static void snapshot_chosen(struct sf_tui *ui, const char *value)
{
    int64_t number = strtoll(value, NULL, 10);

    if (ui->restore.looking)
        ui->restore.chosen = number;
    else
        restore_number(ui, number, false);
}

static void snapshot_moved(struct sf_tui *ui, const char *value)
{
    ui->restore.row = strtoll(value, NULL, 10);
    if (!ui->restore.looking)
        preview(ui, ui->restore.row);
}

static bool add_snapshot(void *ctx, const struct sf_snapshot_row *row,
                         const struct sf_undo_stat *turn)
{
    struct sf_tui *ui = ctx;
    char value[24], when[SF_CLOCK_MAX], left[48] = "";

    if (strcmp(row->kind, "before") != 0)
        return true;
    snprintf(value, sizeof(value), "%" PRId64, row->id);
    sf_clock_local(when, row->created_at);
    if (!turn) {
        sf_overlay_row(ui, value, "%s\t%.16s\t%s", value, when, row->label);
        return true;
    }
    if (turn->left)
        snprintf(left, sizeof(left), ", %" PRIu64 " not kept", turn->left);
    sf_overlay_row(ui, value, "%s\t%.16s\t%s\t%" PRIu64 " file%s%s\t+%" PRIu64 "\t−%" PRIu64, value,
                   when, row->label, turn->files, turn->files == 1 ? "" : "s", left, turn->plus,
                   turn->minus);
    return true;
}

static void list(struct sf_tui *ui)
{
    const struct sf_snapshot_filter filter = { .worktree = sf_port_workspace(ui->port) };
    struct sf_error err = SF_ERROR_INIT;

    sf_overlay_list(ui, &snapshots);
    if (!sf_undo_each(sf_port_raw_setup(ui->port)->store, &filter, add_snapshot, ui, &err)) {
        sf_overlay_close(ui);
        sf_tui_fail(ui, &err);
    } else if (ui->overlay->count) {
        sf_overlay_choose(ui, ui->overlay->rows[0].value);
    }
}

/* "[N [overwrite]|undo|list]" */
void sf_do_restore(struct sf_tui *ui, const char *args)
{
    const struct sf_restore_what last = { .goal = SF_RESTORE_TO_RESTORE };
    char *rest;
    int64_t number = strtoll(args, &rest, 10);

    if (!strcmp(args, "undo"))
        restore(ui, &last, "taking a restore back", false);
    else if (*args && strcmp(args, "list") != 0)
        restore_number(ui, number, !strcmp(rest + strspn(rest, " "), overwriting));
    else if (sf_port_busy(ui->port))
        sf_tui_say(ui, true, "a turn is running: Esc cancels it");
    else if (!is_looking(ui))
        list(ui);
}
