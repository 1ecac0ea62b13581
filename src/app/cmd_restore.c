/*
 * cmd_restore.c: sf restore and sf diff. The commands show what a restore would do, ask, and do it:
 * they run the common restore job (session/restore_job.h) and wait for its steps.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "app/within.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"
#include "snap/snap.h"

enum { LIST_DEFAULT = 20, SHORT_COMMIT = 10, DIFF_MAX = 1024 * 1024, STAT_DIGITS = 6 };

/* What every command of this file needs. */
struct bench {
    struct sf_undo_place place;
    struct sf_snap *snap;
    struct sf_restore_job *job; /* NULL: there is none yet. */
};

/* Gives a turn that was cut off its end; false: there is none to do. */
static bool end_cut(struct bench *b, const char *dir, struct sf_strlist *live, struct sf_error *err)
{
    struct sf_cut_turn cut = SF_CUT_TURN_INIT;
    bool found = sf_cut_turn_find(&cut, &b->place, live, err) && cut.row;

    if (found && !b->snap)
        b->snap = sf_snap_open(dir, b->place.worktree, err);
    found = found && b->snap && sf_cut_turn_look(&cut, b->snap, err) &&
            sf_cut_turn_record(&cut, &b->place, err);
    if (found)
        sf_strlist_add(live, cut.session);
    sf_cut_turn_release(&cut);
    return found;
}

/* Turns without an end are those that run in a live session, and those that sf was killed in. */
static void end_cuts(struct bench *b, const char *dir)
{
    struct sf_strlist live = SF_STRLIST_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_live_sessions(dir, &live);
    while (end_cut(b, dir, &live, &err))
        continue;
    if (err.code != SF_E_NONE)
        sf_log(SF_LOG_WARN, "a turn that was cut off stays without an end: %s", err.msg);
    sf_strlist_release(&live);
}

static bool bench_open(struct bench *b, struct sf_invocation *inv, bool snap, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, err);
    const char *dir = workspace ? sf_app_state_dir(inv->app, err) : NULL;

    if (!dir)
        return false;
    b->place.worktree = workspace->root;
    b->place.store = sf_app_store(inv->app, err);
    if (!b->place.store)
        return false;
    b->snap = snap ? sf_snap_open(dir, workspace->root, err) : NULL;
    if (!snap || b->snap)
        end_cuts(b, dir);
    return !snap || b->snap;
}

static void bench_close(struct bench *b)
{
    sf_snap_close(b->snap);
    sf_restore_job_free(b->job);
}

static bool read_number(const char *text, int64_t *out, struct sf_error *err)
{
    char *end;
    long long n;

    errno = 0;
    n = strtoll(text, &end, 10);
    if (errno || end == text || *end || n < 1) {
        sf_fail(err, SF_E_ARG, "'%s' is no number of a snapshot", text);
        return sf_hint(err, "`sf restore list` shows them");
    }
    *out = n;
    return true;
}

/* Only what was named can be named wrongly: without a number, it is the workspace that lacks it. */
static int fail_at(bool named, const struct sf_error *err)
{
    bool wrong = named && (err->code == SF_E_ARG || err->code == SF_E_NOENT);

    return wrong || err->code == SF_E_DENIED ? sf_print_failure(err)
                                             : sf_print_error(err, SF_EXIT_FAILED);
}

/*
 * After an interrupted restore the files may be of two states; that is said before anything else.
 */
static void warn_of_half(struct sf_snap *snap)
{
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];

    if (snap && sf_snap_interrupted(snap, goal, before))
        fputs("sf: an earlier restore was interrupted\n"
              "    `sf restore resume` finishes it, with --back it is undone\n",
              stderr);
}

/* ---- list ---- */

struct listing {
    struct sf_strbuf out;
    int64_t left;
    bool json, all;
};

static void add_json(struct sf_strbuf *out, const struct sf_snapshot_row *row)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "id", row->id);
    sf_jw_key_str(&w, "time", row->created_at);
    sf_jw_key_str(&w, "kind", row->kind);
    sf_jw_key_str(&w, "session", row->session);
    sf_jw_key_str(&w, "label", row->label);
    sf_jw_key_str(&w, "commit", row->commit);
    sf_jw_key_int(&w, "bytes", row->bytes);
    sf_jw_key(&w, "details");
    sf_jw_raw(&w, row->details, strlen(row->details));
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_one_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
}

/* The minus sign has three bytes and one column. */
static void add_right(struct sf_strbuf *out, const char *sign, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);

    sf_strbuf_addf(out, "%*s%s%s", len < STAT_DIGITS ? STAT_DIGITS - len + 1 : 1, "", sign, digits);
}

/* Adds "    2 files      +3      −1", or blanks of the same width where no figures are known. */
static void add_stat(struct sf_strbuf *out, const struct sf_undo_stat *turn)
{
    if (!turn) {
        sf_strbuf_addf(out, "%*s", 11 + 2 * (STAT_DIGITS + 2), "");
        return;
    }
    sf_strbuf_addf(out, "%5" PRIu64 " %s", turn->files, turn->files == 1 ? "file " : "files");
    add_right(out, "+", turn->plus);
    add_right(out, "−", turn->minus);
}

/*
 * Adds what the turn changed and cannot be put back; where the end of the turn is not known, what
 * the snapshot does not hold.
 */
static void add_left(struct sf_strbuf *out, const struct sf_snapshot_row *row,
                     const struct sf_undo_stat *turn)
{
    int64_t skipped = turn ? 0 : sf_undo_detail(row, "skipped");

    if (turn && turn->left)
        sf_strbuf_addf(out, "  (%" PRIu64 " cannot be put back)", turn->left);
    if (skipped)
        sf_strbuf_addf(out, "  (%" PRId64 " left out)", skipped);
}

/* What was put back in the turn is counted, lest it pushes turns out of the list. */
static void add_saved(struct sf_strbuf *out, size_t saved)
{
    if (saved)
        sf_strbuf_addf(out, "%*sput back in this turn: %zu time%s, see --all\n", 30, "", saved,
                       saved == 1 ? "" : "s");
}

static void add_entry(struct listing *l, const struct sf_undo_entry *entry)
{
    const struct sf_snapshot_row *row = entry->row;

    sf_strbuf_addf(&l->out, "%6lld  %.19sZ ", (long long)row->id, row->created_at);
    if (l->all)
        sf_strbuf_addf(&l->out, " %-8s", row->kind);
    else
        add_stat(&l->out, entry->turn);
    sf_strbuf_adds(&l->out, "  ");
    add_one_line(&l->out, row->label);
    add_left(&l->out, row, l->all ? NULL : entry->turn);
    sf_strbuf_addch(&l->out, '\n');
    if (!l->all)
        add_saved(&l->out, entry->saved);
}

/* Only the states are counted: what else there is comes with them if it was asked for. */
static bool list_row(void *ctx, const struct sf_undo_entry *entry)
{
    struct listing *l = ctx;

    if (l->left <= 0)
        return false;
    if (l->json)
        add_json(&l->out, entry->row);
    else if (l->all || entry->is_state)
        add_entry(l, entry);
    l->left -= entry->is_state;
    return true;
}

/* The list works without snapshots; where there are none, no restore was interrupted. */
static void look_for_half(struct sf_invocation *inv, struct bench *b)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &ignored);

    if (dir && !b->snap)
        b->snap = sf_snap_open(dir, b->place.worktree, &ignored);
    warn_of_half(b->snap);
}

int sf_cmd_restore_list(struct sf_invocation *inv)
{
    struct listing l = { .out = SF_STRBUF_INIT,
                         .left = LIST_DEFAULT,
                         .json = sf_cli_get(inv, "json") != NULL,
                         .all = sf_cli_get(inv, "all") != NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { 0 };
    struct sf_snapshot_filter filter = { 0 };
    bool ok = (!inv->arg_count || read_number(inv->args[0], &l.left, &err)) &&
              bench_open(&b, inv, false, &err);

    filter.worktree = b.place.worktree;
    ok = ok && sf_undo_each(b.place.store, &filter, list_row, &l, &err);
    if (ok && l.out.len && !l.json)
        look_for_half(inv, &b);
    else if (ok && !l.json)
        sf_strbuf_adds(&l.out, "There are no snapshots of this workspace yet.\n");
    if (ok)
        sf_print(&l.out);
    sf_strbuf_release(&l.out);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

/* ---- which ---- */

/* Makes the job and finds its state; the bench owns the job from here on. */
static bool find(struct bench *b, const struct sf_restore_what *what,
                 const struct sf_restore_how *how, struct sf_error *err)
{
    b->job = sf_restore_job_new(what, how);
    return sf_restore_find(b->job, &b->place, err);
}

static bool collect_paths(const struct bench *b, struct sf_invocation *inv, struct sf_strlist *out,
                          struct sf_error *err)
{
    const char *start = sf_cli_get(inv, "workspace");
    bool ok = true;

    for (size_t i = 0; ok && i < inv->given_count; i++) {
        struct sf_strbuf path = SF_STRBUF_INIT;

        if (strcmp(inv->given[i].option->name, "path") != 0)
            continue;
        ok = sf_within(b->place.worktree, start, inv->given[i].value, &path, err);
        if (ok)
            sf_strlist_add(out, path.buf);
        sf_strbuf_release(&path);
    }
    return ok;
}

/* A mistyped name must not look like a file that needs no change. */
static bool is_anywhere(struct bench *b, const char *path, struct sf_error *err)
{
    struct sf_strbuf ignored = SF_STRBUF_INIT;
    char *here = sf_path_join(b->place.worktree, path);
    struct stat st;
    uint32_t mode = 0;
    bool ok = true;

    if (lstat(here, &st) < 0) {
        ok = sf_snap_read_blob(b->snap, b->job->undo.id, path, &ignored, &mode, err);
        if (ok && !mode)
            ok = sf_fail(err, SF_E_NOENT, "neither the snapshot nor the workspace has %s", path);
    }
    free(here);
    sf_strbuf_release(&ignored);
    return ok;
}

static bool are_anywhere(struct bench *b, struct sf_error *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < b->job->paths.count; i++)
        ok = is_anywhere(b, b->job->paths.items[i], err);
    return ok;
}

/* ---- the steps of the job ---- */

static bool look(struct bench *b, struct sf_error *err)
{
    if (sf_restore_look(b->job, b->snap))
        return true;
    *err = b->job->err;
    return false;
}

/* Prints what a restore would do; where `fails` and it would do nothing, the error says why. */
static bool show_plan(struct bench *b, bool fails, struct sf_error *err)
{
    const struct sf_restore_job *job = b->job;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = look(b, err);

    if (ok) {
        sf_strbuf_add(&text, job->preview.buf, job->preview.len);
        if (!(fails && sf_undo_is_left(&job->tally)))
            sf_undo_add_since(&text, &job->undo, &job->tally, "--overwrite");
        sf_print(&text);
    }
    sf_strbuf_release(&text);
    return ok;
}

/* Prints what the restore did. */
static void show_done(const struct sf_snap_restored *done)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "Done: ");
    sf_undo_add_tally(&text, &done->tally);
    sf_strbuf_addch(&text, '\n');
    for (size_t i = 0; i < done->lost.count; i++) {
        sf_strbuf_adds(&text, "Not put back: ");
        add_one_line(&text, done->lost.items[i]);
        sf_strbuf_addch(&text, '\n');
    }
    sf_strbuf_adds(&text, "`sf restore undo` takes it back.\n");
    sf_print(&text);
    sf_strbuf_release(&text);
}

static bool run(struct bench *b, struct sf_error *err)
{
    sf_restore_advance(b->job, SF_RESTORE_STATE_PLANNED);
    sf_restore_advance(b->job, SF_RESTORE_STATE_RUNNING);
    if (!sf_restore_run(b->job, b->snap)) {
        *err = b->job->err;
        return false;
    }
    if (!sf_restore_record(b->job, &b->place, "headless", err))
        return false;
    show_done(&b->job->done);
    return true;
}

/* ---- going ---- */

static bool confirm(struct sf_error *err)
{
    char line[16] = "";

    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        sf_fail(err, SF_E_DENIED, "there is no terminal to ask on");
        return sf_hint(err, "add --yes to go on, or --dry-run to only look");
    }
    fputs("Restore this? [y/N] ", stderr);
    if (fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y'))
        return true;
    return sf_fail(err, SF_E_CANCELLED, "nothing was changed");
}

static bool add_row(struct bench *b, const struct sf_snap_result *result, const char *label,
                    struct sf_error *err)
{
    char details[48];
    const struct sf_snapshot_new row = { .session = SF_SESSION_PROJECT,
                                         .kind = sf_snap_kind_names[SF_SNAP_BEFORE],
                                         .worktree = b->place.worktree,
                                         .commit = result->id,
                                         .label = label,
                                         .details = result->skipped ? details : NULL };
    int64_t id;

    snprintf(details, sizeof(details), "{\"skipped\":%llu}", (unsigned long long)result->skipped);
    return sf_store_snapshot_add(b->place.store, &row, &id, err);
}

static bool read_budget(struct sf_invocation *inv, struct sf_snap_budget *out,
                        struct sf_strlist *live, struct sf_error *err)
{
    struct sf_config *config = sf_app_config(inv->app, err);

    if (!config)
        return false;
    *out = sf_live_snap_budget(config);
    sf_live_sessions(sf_app_state_dir(inv->app, err), live);
    out->live = live;
    return true;
}

int sf_cmd_restore_take(struct sf_invocation *inv)
{
    const char *label = inv->arg_count ? inv->args[0] : "taken by hand";
    struct sf_strlist live = SF_STRLIST_INIT;
    struct sf_snap_budget budget = { 0 };
    const struct sf_snap_request request = {
        .kind = SF_SNAP_BEFORE, .label = label, .session = SF_SESSION_PROJECT, .budget = &budget
    };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { 0 };
    bool ok = bench_open(&b, inv, true, &err) && read_budget(inv, &budget, &live, &err) &&
              sf_snap_take(b.snap, &request, &result, &err) && add_row(&b, &result, label, &err);

    for (size_t i = 0; ok && i < result.pruned.count; i++)
        ok = sf_store_snapshot_pruned(b.place.store, result.pruned.items[i], &err);

    if (ok) {
        sf_strbuf_addf(&out, "%llu file%s kept, %llu left out\n", (unsigned long long)result.files,
                       result.files == 1 ? "" : "s", (unsigned long long)result.skipped);
        for (size_t i = 0; i < result.skips.count; i++) {
            sf_strbuf_adds(&out, "  ");
            add_one_line(&out, result.skips.items[i]);
            sf_strbuf_addch(&out, '\n');
        }
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_strlist_release(&live);
    sf_snap_result_release(&result);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* Files that differ and are all kept are a failure: what was asked for was not done. */
static bool say_left(struct bench *b, struct sf_error *err)
{
    const struct sf_snap_tally *tally = &b->job->tally;

    warn_of_half(b->snap);
    if (!sf_undo_is_left(tally))
        return true;
    sf_undo_fail_left(&b->job->undo, tally, err);
    return tally->since ? sf_hint(err, "--overwrite puts that back too") : false;
}

static bool go(struct sf_invocation *inv, struct bench *b, struct sf_error *err)
{
    bool dry = sf_cli_get(inv, "dry-run") != NULL;

    if (!are_anywhere(b, err) || !show_plan(b, !dry, err))
        return false;
    if (dry) {
        warn_of_half(b->snap);
        return true;
    }
    if (!sf_undo_is_work(&b->job->tally))
        return say_left(b, err);
    return (sf_cli_get(inv, "yes") || confirm(err)) && run(b, err);
}

static int restore(struct sf_invocation *inv, const struct sf_restore_what *what,
                   const char *reason)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { 0 };
    struct sf_strlist paths = SF_STRLIST_INIT;
    const struct sf_restore_how how = { .reason = reason,
                                        .paths = &paths,
                                        .overwrite = sf_cli_get(inv, "overwrite") != NULL };
    bool ok = bench_open(&b, inv, true, &err) && collect_paths(&b, inv, &paths, &err) &&
              find(&b, what, &how, &err) && go(inv, &b, &err);

    sf_strlist_release(&paths);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : fail_at(what->goal == SF_RESTORE_TO_NUMBER, &err);
}

int sf_cmd_restore(struct sf_invocation *inv)
{
    struct sf_restore_what what = { .goal = SF_RESTORE_TO_NUMBER };
    struct sf_error err = SF_ERROR_INIT;
    char reason[64];

    if (!inv->arg_count)
        return sf_cmd_restore_list(inv);
    if (!read_number(inv->args[0], &what.number, &err))
        return sf_print_failure(&err);
    snprintf(reason, sizeof(reason), "restoring snapshot %" PRId64, what.number);
    return restore(inv, &what, reason);
}

int sf_cmd_restore_undo(struct sf_invocation *inv)
{
    const struct sf_restore_what what = { .goal = SF_RESTORE_TO_RESTORE };

    return restore(inv, &what, "undoing a restore");
}

int sf_cmd_restore_show(struct sf_invocation *inv)
{
    struct sf_restore_what what = { .goal = SF_RESTORE_TO_NUMBER };
    const struct sf_restore_how how = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct bench b = { 0 };
    bool ok = bench_open(&b, inv, true, &err) && read_number(inv->args[0], &what.number, &err) &&
              find(&b, &what, &how, &err);

    if (ok) {
        const struct sf_undo *undo = &b.job->undo;

        sf_strbuf_addf(&out, "snapshot %lld, %s, %s, commit %.*s\n", (long long)undo->number,
                       undo->kind, undo->time, SHORT_COMMIT, undo->id);
        add_one_line(&out, undo->label);
        sf_strbuf_adds(&out, "\nGoing back to it would do this:\n");
        sf_print(&out);
        ok = show_plan(&b, false, &err);
        warn_of_half(b.snap);
    }
    sf_strbuf_release(&out);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_failure(&err);
}

int sf_cmd_restore_resume(struct sf_invocation *inv)
{
    bool back = sf_cli_get(inv, "back") != NULL;
    const struct sf_restore_what what = { .goal =
                                              back ? SF_RESTORE_TO_ORIGIN : SF_RESTORE_TO_FINISH };
    const struct sf_restore_how how = { .reason = back ? "taking a restore back"
                                                       : "finishing a restore" };
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { 0 };
    bool ok = bench_open(&b, inv, true, &err) && find(&b, &what, &how, &err) && run(&b, &err);

    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* ---- sf diff ---- */

/* Without a number the difference is that since the beginning of the last conversation. */
static bool find_since(struct bench *b, const char *number, struct sf_error *err)
{
    const struct sf_restore_how how = { .diff_only = true, .diff_max = DIFF_MAX };
    struct sf_restore_what what = { .goal = number ? SF_RESTORE_TO_NUMBER : SF_RESTORE_TO_START };
    char session[SF_ID_LEN + 1];
    bool ok;

    if (number)
        return read_number(number, &what.number, err) && find(b, &what, &how, err);
    if (!sf_app_last_session(b->place.store, session, err))
        return false;
    b->place.session = session;
    ok = find(b, &what, &how, err);
    b->place.session = NULL;
    return ok;
}

int sf_cmd_diff(struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { 0 };
    bool ok = bench_open(&b, inv, true, &err) &&
              find_since(&b, inv->arg_count ? inv->args[0] : NULL, &err) && look(&b, &err);

    if (ok) {
        const struct sf_undo_stat *stat = &b.job->stat;

        sf_strbuf_add(&text, b.job->diff.buf, b.job->diff.len);
        sf_strbuf_addf(&text, "%" PRIu64 " file%s, +%" PRIu64 " −%" PRIu64, stat->files,
                       stat->files == 1 ? "" : "s", stat->plus, stat->minus);
        if (stat->left)
            sf_strbuf_addf(&text, ", and %" PRIu64 " that no snapshot has", stat->left);
        sf_strbuf_addch(&text, '\n');
        sf_print(&text);
    }
    sf_strbuf_release(&text);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : fail_at(inv->arg_count, &err);
}
