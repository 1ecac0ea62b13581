/*
 * commands_restore.c: /undo, /redo, /restore and /diff. The session plans, restores and records
 * (session/restore_job.h); here are the question, the list of snapshots, and the texts about the
 * outcome. The conversation stays as it is.
 */
#include <inttypes.h>
#include <string.h>

#include "port/internal.h"

enum { DIFF_MAX = 512 * 1024, PREVIEW_MAX = 64 * 1024 };

/* Being busy or cancelled is only worth a note; real failures are error responses. */
static void fail(struct sf_port *p, const struct sf_error *err)
{
    if (err->code == SF_E_BUSY)
        sf_port_note_while(p, SF_HOLDS_LOOKING, "%s", err->msg);
    else if (err->code == SF_E_CANCELLED)
        sf_port_note(p, false, "%s", err->msg);
    else
        sf_port_fail(p, err);
}

static bool is_looking(struct sf_port *p)
{
    if (p->restore.looking)
        sf_port_note_while(p, SF_HOLDS_LOOKING,
                           "one moment: files are being looked at; then try again");
    return p->restore.looking;
}

/* ---- a restore ---- */

/*
 * Words that came meanwhile go on if the files are as they were wanted: who cancels a restore may
 * want to say something else first. Last comes what hangs on it, which may open another session.
 */
static void finish(struct sf_port *p, bool as_they_were)
{
    sf_question_fn *and_then = p->restore.and_then;

    p->restore.and_then = NULL;
    sf_port_paid(p);
    if (!p->ending)
        sf_queue_after_shell(p, as_they_were);
    if (and_then)
        and_then(p, p->restore.ctx, as_they_were && !p->ending);
}

static void agreed(struct sf_port *p, void *ctx, bool yes)
{
    (void)ctx;
    sf_session_restore_answer(p->session, yes);
}

/* Files that others may have changed since are left to the user's choice. */
static void add_since(struct sf_strbuf *out, const struct sf_restore_job *job)
{
    char overwrites[48];
    size_t len = out->len;

    snprintf(overwrites, sizeof(overwrites), "`/restore %" PRId64 " overwrite`", job->undo.number);
    sf_undo_add_since(out, &job->undo, &job->tally, overwrites);
    if (out->len > len)
        sf_strbuf_addch(out, '\n');
}

static void ask(struct sf_port *p, const struct sf_restore_job *job)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_QUESTION, "");
    r.reversible = true;
    sf_strbuf_addf(&r.text, "Put files back as they were before “%s”?\n\n",
                   *job->undo.label ? job->undo.label : "the snapshot");
    sf_strbuf_addf(&r.text, "```\n%s```\n\n", job->preview.buf);
    add_since(&r.text, job);
    sf_strbuf_addf(&r.text, "%s `/restore undo` takes it back.",
                   p->restore.and_then ? "Then the conversation goes back too."
                                       : "The conversation stays.");
    sf_port_ask_with(p, &r, agreed, NULL);
}

/* Nothing can be restored although files differ: said in full, since no question follows. */
static void explain(struct sf_port *p, const struct sf_restore_job *job)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.lasts = true;
    sf_strbuf_addf(&r.text, "these files are not as they were:\n%s", job->preview.buf);
    while (r.text.len && r.text.buf[r.text.len - 1] == '\n')
        sf_strbuf_truncate(&r.text, r.text.len - 1);
    sf_port_respond(p, &r);
    sf_undo_fail_left(&job->undo, &job->tally, &err);
    if (job->tally.since)
        sf_hint(&err, "`/restore %" PRId64 " overwrite` puts that back too", job->undo.number);
    sf_port_fail(p, &err);
}

static void planned(struct sf_port *p, const struct sf_restore_job *job)
{
    bool left = sf_undo_is_left(&job->tally);

    if (!p->ending && (sf_undo_is_work(&job->tally) || (left && p->restore.and_then))) {
        ask(p, job);
        return;
    }
    if (!p->ending && left) {
        explain(p, job);
    } else if (!p->ending) {
        p->restore.nothing = true;
        sf_port_say(p, "nothing to put back: the files are as they were");
    }
    sf_session_restore_answer(p->session, false);
}

static void moved(void *ctx, const struct sf_restore_job *job)
{
    struct sf_port *p = ctx;
    const char *before = p->command;

    p->command = p->restore.command;
    switch (job->state) {
    case SF_RESTORE_STATE_PLANNED:
        planned(p, job);
        break;
    case SF_RESTORE_STATE_RECORDED:
        finish(p, true);
        break;
    case SF_RESTORE_STATE_ENDED:
        if (*job->err.msg)
            fail(p, &job->err);
        finish(p, p->restore.nothing);
        break;
    case SF_RESTORE_STATE_PLANNING:
    case SF_RESTORE_STATE_RUNNING:
        break;
    }
    p->command = before;
    sf_port_changed(p);
}

static bool restore(struct sf_port *p, const struct sf_restore_what *what, const char *reason,
                    bool overwrite)
{
    const struct sf_restore_how how = { .reason = reason, .overwrite = overwrite };
    struct sf_error err = SF_ERROR_INIT;

    if (is_looking(p))
        return false;
    p->restore.nothing = false;
    p->restore.command = sf_port_owe(p);
    if (sf_session_restore(p->session, what, &how, moved, p, &err))
        return true;
    sf_port_paid(p);
    fail(p, &err);
    return false;
}

void sf_port_restore_then(struct sf_port *p, int64_t number, sf_question_fn *and_then, void *ctx)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_NUMBER, number };

    if (restore(p, &what, "going back to before a prompt", false)) {
        p->restore.and_then = and_then;
        p->restore.ctx = ctx;
    } else if (and_then) {
        and_then(p, ctx, false);
    }
}

void sf_port_end_restore(struct sf_port *p)
{
    const struct sf_restore_job *job = sf_port_restoring(p);

    p->ending = true;
    if (job && job->state != SF_RESTORE_STATE_RUNNING)
        sf_session_cancel(p->session);
    while (p->restore.looking || sf_port_restoring(p))
        sf_loop_turn(p->loop, -1);
}

/* ---- commands ---- */

static const char overwriting[] = "overwrite";

/* Whether nothing but that word is left of the arguments, or not even that. */
static bool read_overwriting(struct sf_port *p, const char *args, bool *overwrite)
{
    *overwrite = !strcmp(args, overwriting);
    if (!*args || *overwrite)
        return true;
    sf_port_usage(p, "%.40s is not %s, which is all that may follow", args, overwriting);
    return false;
}

void sf_command_undo(struct sf_port *p, const char *args)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_TURN, 1 };
    bool overwrite;

    if (read_overwriting(p, args, &overwrite))
        restore(p, &what, "undoing a turn", overwrite);
}

void sf_command_redo(struct sf_port *p, const char *args)
{
    const struct sf_restore_what what = { .goal = SF_RESTORE_TO_REDO };

    if (*args)
        sf_port_usage(p, "/redo takes nothing");
    else
        restore(p, &what, "taking an undo back", false);
}

/* ---- looking ---- */

static void begin_look(struct sf_port *p)
{
    p->restore.looking = true;
    p->restore.command = sf_port_owe(p);
    sf_port_passing(p, "looking at the files");
}

static void end_look(struct sf_port *p)
{
    p->restore.looking = false;
    sf_port_passing(p, "");
}

/* No turn of the session has changed a file, so there is no snapshot to compare with. */
static bool is_untouched(struct sf_port *p, const struct sf_restore_job *job)
{
    return job->err.code == SF_E_NOENT && job->what.goal != SF_RESTORE_TO_NUMBER &&
           sf_config_bool(p->setup.session.config, "snapshots.enabled") &&
           !sf_overview_has_snapshot(p);
}

static void show_diff(void *ctx, const struct sf_restore_job *job)
{
    struct sf_port *p = ctx;
    const char *before = p->command;
    struct sf_response r;

    p->command = p->restore.command;
    end_look(p);
    if (p->ending || job->err.code == SF_E_CANCELLED) {
        ; /* the surface or the session ends, so nothing is shown */
    } else if (*job->err.msg && !is_untouched(p, job)) {
        sf_port_fail(p, &job->err);
    } else if (!*job->err.msg && job->diff.len) {
        sf_response_init(&r, SF_RESPONSE_DIFF, job->reason);
        sf_strbuf_add(&r.text, job->diff.buf, job->diff.len);
        sf_port_respond(p, &r);
    } else {
        sf_port_say(p, "nothing changed");
    }
    p->command = before;
    sf_port_paid(p);
}

void sf_command_diff(struct sf_port *p, const char *args)
{
    const struct sf_restore_how how = { .reason = *args ? "Since then" : "Since the session began",
                                        .diff_only = true,
                                        .diff_max = DIFF_MAX };
    struct sf_restore_what what = { .goal = SF_RESTORE_TO_START };

    if (sf_port_busy(p)) {
        sf_port_note_while(p, SF_HOLDS_RUNNING, "a turn is running: Esc cancels it");
        return;
    }
    if (is_looking(p))
        return;
    if (!strcmp(args, "turn")) {
        what = (struct sf_restore_what){ SF_RESTORE_TO_TURN, 1 };
    } else if (*args) {
        what.goal = SF_RESTORE_TO_NUMBER;
        if (!sf_args_number(args, &what.number)) {
            sf_port_usage(p, "/diff, /diff N of a snapshot, /diff turn");
            return;
        }
    }
    begin_look(p);
    sf_session_look(p->session, &what, &how, show_diff, p);
}

/* A snapshot that was pruned meanwhile is not reported: the user only moves through a list. */
static void previewed(void *ctx, const struct sf_restore_job *job)
{
    struct sf_port *p = ctx;

    end_look(p);
    if (!p->ending && *job->err.msg && job->err.code != SF_E_NOENT &&
        job->err.code != SF_E_CANCELLED)
        sf_port_fail(p, &job->err);
    if (!p->ending)
        p->restore.seen(p->restore.seen_ctx, job);
    sf_port_paid(p);
}

bool sf_port_preview_restore(struct sf_port *p, int64_t number, sf_restore_fn *seen, void *ctx)
{
    const struct sf_restore_what what = { SF_RESTORE_TO_NUMBER, number };
    const struct sf_restore_how how = { .diff_max = PREVIEW_MAX };

    if (p->restore.looking)
        return false;
    p->restore.seen = seen;
    p->restore.seen_ctx = ctx;
    begin_look(p);
    sf_session_look(p->session, &what, &how, previewed, p);
    return true;
}

/* ---- the list ---- */

static bool add_snapshot(void *ctx, const struct sf_undo_entry *entry)
{
    const struct sf_snapshot_row *row = entry->row;
    const struct sf_undo_stat *turn = entry->turn;
    struct sf_response *r = ctx;
    char value[24], left[48] = "";
    bool newest = !r->count;

    if (strcmp(row->kind, "before") != 0)
        return true;
    snprintf(value, sizeof(value), "%" PRId64, row->id);
    sf_response_row(r, value)->current = newest;
    sf_response_cell(r, "%s", value);
    sf_response_age(r, row->created_at);
    sf_response_cell(r, "%s", row->label);
    if (!turn)
        return true;
    if (turn->left)
        snprintf(left, sizeof(left), ", %" PRIu64 " not kept", turn->left);
    sf_response_cell(r, "%" PRIu64 " file%s%s", turn->files, turn->files == 1 ? "" : "s", left);
    sf_response_cell(r, "+%" PRIu64, turn->plus);
    sf_response_cell(r, "−%" PRIu64, turn->minus);
    return true;
}

/* The list has an age; here is the date. */
void sf_restore_explain(struct sf_port *p, const char *value, struct sf_strbuf *out)
{
    const struct sf_snapshot_filter filter = { .id = strtoll(value, NULL, 10) };
    struct sf_error ignored = SF_ERROR_INIT; /* A snapshot that is gone has no date. */
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_snapshot_row row;
    char taken[SF_CLOCK_MAX];
    bool found = false;

    if (filter.id > 0 &&
        sf_store_snapshot_get(p->setup.session.store, &filter, &arena, &row, &found, &ignored) &&
        found) {
        sf_clock_local(taken, row.created_at);
        sf_strbuf_addf(out, "The files as they were on %s.\n", taken);
    }
    sf_arena_release(&arena);
}

static void list(struct sf_port *p)
{
    const struct sf_snapshot_filter filter = { .worktree = sf_port_workspace(p) };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Restore files (the conversation stays)");
    if (sf_undo_each(p->setup.session.store, &filter, add_snapshot, &r, &err)) {
        sf_port_respond(p, &r);
        return;
    }
    sf_response_release(&r);
    sf_port_fail(p, &err);
}

static void restore_number(struct sf_port *p, const char *args)
{
    struct sf_restore_what what = { .goal = SF_RESTORE_TO_NUMBER };
    bool overwrite;

    if (!sf_args_take_number(&args, &what.number))
        sf_port_usage(p, "/restore, /restore N [overwrite], /restore undo");
    else if (read_overwriting(p, args, &overwrite))
        restore(p, &what, "restoring a snapshot", overwrite);
}

/* "[N [overwrite]|undo|list]" */
void sf_command_restore(struct sf_port *p, const char *args)
{
    const struct sf_restore_what last = { .goal = SF_RESTORE_TO_RESTORE };

    if (!strcmp(args, "undo"))
        restore(p, &last, "taking a restore back", false);
    else if (*args && strcmp(args, "list") != 0)
        restore_number(p, args);
    else if (sf_port_busy(p))
        sf_port_note_while(p, SF_HOLDS_RUNNING, "a turn is running: Esc cancels it");
    else if (!is_looking(p))
        list(p);
}
