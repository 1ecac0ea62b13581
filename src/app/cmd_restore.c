/*
 * cmd_restore.c: sf restore and sf diff. Shows what going back would do, asks, and goes; which
 * state is meant, and what is written down, is the common undo of the sessions.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "app/within.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"
#include "snap/snap.h"

enum { LIST_DEFAULT = 20, SHORT_COMMIT = 10, DIFF_MAX = 1024 * 1024, STAT_DIGITS = 6 };

/* What every command here needs. */
struct bench {
    struct sf_undo_place place;
    struct sf_snap *snap;
    struct sf_undo undo; /* what is gone back to */
};

/* clang-format off */
#define BENCH_INIT { .undo = SF_UNDO_INIT }
/* clang-format on */

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
    return !snap || b->snap;
}

static void bench_close(struct bench *b)
{
    sf_snap_close(b->snap);
    sf_undo_release(&b->undo);
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

/* Half of the files may be of one state and half of another: said before anything else is. */
static void warn_of_half(struct sf_snap *snap)
{
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];

    if (snap && sf_snap_interrupted(snap, goal, before))
        fputs("sf: an earlier restore was interrupted\n"
              "    `sf restore resume` finishes it, with --back it is undone\n",
              stderr);
}

/* ---- list ---- */

/* A turn's end comes before its beginning here, and says what the turn changed. */
struct turn_end {
    int64_t before, files, plus, minus, left;
};

struct listing {
    struct sf_strbuf out;
    int64_t left;
    bool json, all;
    struct turn_end *ends;
    size_t count, cap;
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

static void note_end(struct listing *l, const struct sf_snapshot_row *row)
{
    l->ends = sf_grow(l->ends, &l->cap, l->count + 1, sizeof(*l->ends));
    l->ends[l->count++] = (struct turn_end){ .before = sf_undo_detail(row, "before"),
                                             .files = sf_undo_detail(row, "files"),
                                             .plus = sf_undo_detail(row, "plus"),
                                             .minus = sf_undo_detail(row, "minus"),
                                             .left = sf_undo_detail(row, "left") };
}

/* The sign of minus has three bytes and one column. */
static void add_right(struct sf_strbuf *out, const char *sign, int64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%lld", (long long)n);

    sf_strbuf_addf(out, "%*s%s%s", len < STAT_DIGITS ? STAT_DIGITS - len + 1 : 1, "", sign, digits);
}

/* "    2 files      +3      −1", or blanks of the same width where nothing is known. */
static void add_stat(struct listing *l, const struct sf_snapshot_row *row)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct turn_end *e = &l->ends[i];

        if (e->before != row->id)
            continue;
        sf_strbuf_addf(&l->out, "%5lld %s", (long long)e->files, e->files == 1 ? "file " : "files");
        add_right(&l->out, "+", e->plus);
        add_right(&l->out, "−", e->minus);
        return;
    }
    sf_strbuf_addf(&l->out, "%*s", 11 + 2 * (STAT_DIGITS + 2), "");
}

/* What the turn changed and nobody can put back; where its end is not known, what is not kept. */
static void add_left(struct listing *l, const struct sf_snapshot_row *row)
{
    int64_t skipped = sf_undo_detail(row, "skipped");

    for (size_t i = 0; i < l->count; i++) {
        if (l->ends[i].before != row->id)
            continue;
        if (l->ends[i].left)
            sf_strbuf_addf(&l->out, "  (%lld cannot be put back)", (long long)l->ends[i].left);
        return;
    }
    if (skipped)
        sf_strbuf_addf(&l->out, "  (%lld left out)", (long long)skipped);
}

/* States to go back to: what was before a turn, a restore or by hand. Their ends are not shown. */
static bool list_row(void *ctx, const struct sf_snapshot_row *row)
{
    struct listing *l = ctx;

    if (!l->json && !l->all && !strcmp(row->kind, "after")) {
        note_end(l, row);
        return true;
    }
    if (l->left-- <= 0)
        return false;
    if (l->json) {
        add_json(&l->out, row);
        return true;
    }
    sf_strbuf_addf(&l->out, "%6lld  %.19sZ ", (long long)row->id, row->created_at);
    if (l->all)
        sf_strbuf_addf(&l->out, " %-8s", row->kind);
    else
        add_stat(l, row);
    sf_strbuf_adds(&l->out, "  ");
    add_one_line(&l->out, row->label);
    add_left(l, row);
    sf_strbuf_addch(&l->out, '\n');
    return true;
}

/* The list needs no snapshots; where there are none nothing was interrupted. */
static void look_for_half(struct sf_invocation *inv, struct bench *b)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(inv->app, &ignored);

    b->snap = dir ? sf_snap_open(dir, b->place.worktree, &ignored) : NULL;
    warn_of_half(b->snap);
}

int sf_cmd_restore_list(struct sf_invocation *inv)
{
    struct listing l = { .out = SF_STRBUF_INIT,
                         .left = LIST_DEFAULT,
                         .json = sf_cli_get(inv, "json") != NULL,
                         .all = sf_cli_get(inv, "all") != NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = BENCH_INIT;
    struct sf_snapshot_filter filter = { 0 };
    bool ok = (!inv->arg_count || read_number(inv->args[0], &l.left, &err)) &&
              bench_open(&b, inv, false, &err);

    filter.worktree = b.place.worktree;
    ok = ok && sf_store_each_snapshot(b.place.store, &filter, list_row, &l, &err);
    if (ok && l.out.len && !l.json)
        look_for_half(inv, &b);
    else if (ok && !l.json)
        sf_strbuf_adds(&l.out, "There are no snapshots of this workspace yet.\n");
    if (ok)
        sf_print(&l.out);
    sf_strbuf_release(&l.out);
    free(l.ends);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* ---- which ---- */

static bool find_number(struct bench *b, const char *text, struct sf_error *err)
{
    int64_t number = 0;

    return read_number(text, &number, err) && sf_undo_number(&b->place, number, &b->undo, err);
}

/* A name that was mistyped must not look like one that needs nothing. */
static bool is_anywhere(struct bench *b, const char *path, struct sf_error *err)
{
    struct sf_strbuf ignored = SF_STRBUF_INIT;
    char *here = sf_path_join(b->place.worktree, path);
    struct stat st;
    uint32_t mode = 0;
    bool ok = true;

    if (lstat(here, &st) < 0) {
        ok = sf_snap_read_blob(b->snap, b->undo.id, path, &ignored, &mode, err);
        if (ok && !mode)
            ok = sf_fail(err, SF_E_NOENT, "neither the snapshot nor the workspace has %s", path);
    }
    free(here);
    sf_strbuf_release(&ignored);
    return ok;
}

static bool collect_paths(struct bench *b, struct sf_invocation *inv, struct sf_strlist *out,
                          struct sf_error *err)
{
    const char *start = sf_cli_get(inv, "workspace");
    bool ok = true;

    for (size_t i = 0; ok && i < inv->given_count; i++) {
        struct sf_strbuf path = SF_STRBUF_INIT;

        if (strcmp(inv->given[i].option->name, "path") != 0)
            continue;
        ok = sf_within(b->place.worktree, start, inv->given[i].value, &path, err) &&
             is_anywhere(b, path.buf, err);
        if (ok)
            sf_strlist_add(out, path.buf);
        sf_strbuf_release(&path);
    }
    return ok;
}

/* Prints what a restore would do; `*work` says whether it is anything. */
static bool show_plan(struct bench *b, const struct sf_undo_how *how, bool *work,
                      struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_snap_tally tally;
    bool ok = sf_undo_preview(b->snap, &b->undo, how, &text, &tally, err);

    if (ok) {
        *work = sf_undo_is_work(&tally);
        if (tally.since)
            sf_strbuf_addf(&text,
                           "%zu of them changed while no turn of sf ran that came to its end; "
                           "--overwrite goes back there too.\n",
                           tally.since);
        sf_print(&text);
    }
    sf_strbuf_release(&text);
    return ok;
}

/* ---- going ---- */

static bool confirm(struct sf_error *err)
{
    char line[16] = "";

    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        sf_fail(err, SF_E_ARG, "nobody is here to be asked");
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
    struct bench b = BENCH_INIT;
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

/* Says what happened and writes both ends down. */
static bool finish(struct bench *b, const char *what, const struct sf_snap_restored *done,
                   struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_undo_record(&b->place, &b->undo, what, "headless", done, err);

    sf_strbuf_adds(&text, "Done: ");
    sf_undo_add_tally(&text, &done->tally);
    sf_strbuf_addch(&text, '\n');
    for (size_t i = 0; i < done->lost.count; i++) {
        sf_strbuf_adds(&text, "Not put back: ");
        add_one_line(&text, done->lost.items[i]);
        sf_strbuf_addch(&text, '\n');
    }
    sf_strbuf_adds(&text, "`sf restore undo` takes it back.\n");
    if (ok)
        sf_print(&text);
    sf_strbuf_release(&text);
    return ok;
}

static bool go(struct sf_invocation *inv, struct bench *b, const char *what, struct sf_error *err)
{
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    struct sf_strlist paths = SF_STRLIST_INIT;
    const struct sf_undo_how how = { .paths = &paths,
                                     .overwrite = sf_cli_get(inv, "overwrite") != NULL };
    bool work = false, ok;

    ok = collect_paths(b, inv, &paths, err) && show_plan(b, &how, &work, err);
    if (ok && (!work || sf_cli_get(inv, "dry-run")))
        warn_of_half(b->snap);
    if (ok && work && !sf_cli_get(inv, "dry-run"))
        ok = (sf_cli_get(inv, "yes") || confirm(err)) &&
             sf_undo_go(b->snap, &b->undo, &how, &done, err) && finish(b, what, &done, err);
    sf_snap_restored_release(&done);
    sf_strlist_release(&paths);
    return ok;
}

int sf_cmd_restore(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = BENCH_INIT;
    char what[64];
    bool ok;

    if (!inv->arg_count)
        return sf_cmd_restore_list(inv);
    ok = bench_open(&b, inv, true, &err) && find_number(&b, inv->args[0], &err);
    if (ok) {
        snprintf(what, sizeof(what), "restoring snapshot %lld", (long long)b.undo.number);
        ok = go(inv, &b, what, &err);
    }
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_undo(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = BENCH_INIT;
    bool ok = bench_open(&b, inv, true, &err) && sf_undo_restore(&b.place, &b.undo, &err) &&
              go(inv, &b, "undoing a restore", &err);

    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_show(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct bench b = BENCH_INIT;
    const struct sf_undo_how how = { .overwrite = false };
    bool work, ok = bench_open(&b, inv, true, &err) && find_number(&b, inv->args[0], &err);

    if (ok) {
        sf_strbuf_addf(&out, "snapshot %lld, %s, %s, commit %.*s\n", (long long)b.undo.number,
                       b.undo.kind, b.undo.time, SHORT_COMMIT, b.undo.id);
        add_one_line(&out, b.undo.label);
        sf_strbuf_adds(&out, "\nGoing back to it would do this:\n");
        sf_print(&out);
        ok = show_plan(&b, &how, &work, &err);
        warn_of_half(b.snap);
    }
    sf_strbuf_release(&out);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_resume(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = BENCH_INIT;
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    bool back = sf_cli_get(inv, "back") != NULL;
    bool ok = bench_open(&b, inv, true, &err) && sf_snap_resume(b.snap, back, &done, &err) &&
              finish(&b, back ? "taking a restore back" : "finishing a restore", &done, &err);

    sf_snap_restored_release(&done);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* ---- sf diff ---- */

/* Without a number since the last conversation began. */
static bool find_start(struct bench *b, struct sf_error *err)
{
    char session[SF_ID_LEN + 1];
    struct sf_undo_place place = b->place;

    if (!sf_app_last_session(b->place.store, session, err))
        return false;
    place.session = session;
    return sf_undo_start(&place, &b->undo, err);
}

int sf_cmd_diff(struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = BENCH_INIT;
    struct sf_undo_pair pair = { .max = DIFF_MAX };
    struct sf_undo_stat stat = { 0 };
    bool ok = bench_open(&b, inv, true, &err) &&
              (inv->arg_count ? find_number(&b, inv->args[0], &err) : find_start(&b, &err));

    pair.from = b.undo.id;
    pair.extra = &b.undo.extra;
    ok = ok && sf_undo_diff(b.snap, &pair, &text, &stat, &err);
    if (ok) {
        sf_strbuf_addf(&text, "%llu file%s, +%llu −%llu", (unsigned long long)stat.files,
                       stat.files == 1 ? "" : "s", (unsigned long long)stat.plus,
                       (unsigned long long)stat.minus);
        if (stat.left)
            sf_strbuf_addf(&text, ", and %llu that no snapshot has", (unsigned long long)stat.left);
        sf_strbuf_addch(&text, '\n');
        sf_print(&text);
    }
    sf_strbuf_release(&text);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}
