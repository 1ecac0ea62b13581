/*
 * cmd_restore.c: sf restore. Shows what going back would do, asks, goes, and writes down both
 * ends: the state before, so that `sf restore undo` finds it, and the state after, so that the
 * next restore can tell what the user changed since.
 */
#include <errno.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "snap/snap.h"

enum { LIST_DEFAULT = 20, PREVIEW_MAX = 200, SHORT_COMMIT = 10 };

/* What every command here needs. */
struct bench {
    struct sf_store *store;
    const char *root;
    struct sf_snap *snap;
    struct sf_arena arena;
};

static bool bench_open(struct bench *b, struct sf_invocation *inv, bool snap, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, err);
    const char *dir = workspace ? sf_app_state_dir(inv->app, err) : NULL;

    if (!dir)
        return false;
    b->root = workspace->root;
    b->store = sf_app_store(inv->app, err);
    if (!b->store)
        return false;
    b->snap = snap ? sf_snap_open(dir, b->root, err) : NULL;
    return !snap || b->snap;
}

static void bench_close(struct bench *b)
{
    sf_snap_close(b->snap);
    sf_arena_release(&b->arena);
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

/* ---- list ---- */

struct listing {
    struct sf_strbuf out;
    int64_t left;
    bool json;
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
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_one_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
}

static bool list_row(void *ctx, const struct sf_snapshot_row *row)
{
    struct listing *l = ctx;

    if (l->left-- <= 0)
        return false;
    if (l->json) {
        add_json(&l->out, row);
        return true;
    }
    sf_strbuf_addf(&l->out, "%6lld  %.19sZ  %-8s", (long long)row->id, row->created_at, row->kind);
    add_one_line(&l->out, row->label);
    sf_strbuf_addch(&l->out, '\n');
    return true;
}

int sf_cmd_restore_list(struct sf_invocation *inv)
{
    struct listing l = { SF_STRBUF_INIT, LIST_DEFAULT, sf_cli_get(inv, "json") != NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    struct sf_snapshot_filter filter = { 0 };
    bool ok = (!inv->arg_count || read_number(inv->args[0], &l.left, &err)) &&
              bench_open(&b, inv, false, &err);

    filter.worktree = b.root;
    ok = ok && sf_store_each_snapshot(b.store, &filter, list_row, &l, &err);
    if (ok && !l.out.len && !l.json)
        sf_strbuf_adds(&l.out, "There are no snapshots of this workspace yet.\n");
    if (ok)
        sf_print(&l.out);
    sf_strbuf_release(&l.out);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* ---- preview ---- */

struct preview {
    struct sf_strbuf out;
    size_t lines;
};

static bool add_change(void *ctx, const struct sf_snap_change *change)
{
    static const char marks[] = {
        [SF_SNAP_ADDED] = '+', [SF_SNAP_CHANGED] = '~', [SF_SNAP_REMOVED] = '-'
    };
    struct preview *p = ctx;

    if (p->lines++ >= PREVIEW_MAX)
        return true;
    sf_strbuf_addf(&p->out, "  %c ", change->kept ? '=' : marks[change->how]);
    add_one_line(&p->out, change->path);
    if (((change->to_mode ? change->to_mode : change->from_mode) & 0170000) == 0040000)
        sf_strbuf_addch(&p->out, '/');
    if (change->kept)
        sf_strbuf_addf(&p->out, "  (kept: %s)", change->kept);
    sf_strbuf_addch(&p->out, '\n');
    return true;
}

static void add_tally(struct sf_strbuf *out, const struct sf_snap_tally *t)
{
    sf_strbuf_addf(out, "%zu added, %zu changed, %zu removed", t->added, t->changed, t->removed);
    if (t->dirs)
        sf_strbuf_addf(out, ", %zu directories", t->dirs);
    if (t->kept)
        sf_strbuf_addf(out, ", %zu kept as they are", t->kept);
    sf_strbuf_addch(out, '\n');
}

/* Prints what a restore would do; `*work` says whether it is anything. */
static bool show_plan(struct bench *b, const struct sf_snap_goal *goal, bool *work,
                      struct sf_error *err)
{
    struct preview p = { SF_STRBUF_INIT, 0 };
    struct sf_snap_tally tally;
    bool ok = sf_snap_restore_plan(b->snap, goal, add_change, &p, &tally, err);

    if (ok) {
        *work = tally.added || tally.changed || tally.removed || tally.dirs;
        if (p.lines > PREVIEW_MAX)
            sf_strbuf_addf(&p.out, "  … and %zu more\n", p.lines - PREVIEW_MAX);
        if (p.lines)
            add_tally(&p.out, &tally);
        else
            sf_strbuf_adds(&p.out, "The workspace is as it was then.\n");
        sf_print(&p.out);
    }
    sf_strbuf_release(&p.out);
    return ok;
}

/* ---- which ---- */

static bool find_row(struct bench *b, const struct sf_snapshot_filter *filter,
                     struct sf_snapshot_row *row, struct sf_error *err)
{
    bool found;

    if (!sf_store_snapshot_get(b->store, filter, &b->arena, row, &found, err))
        return false;
    if (found && !*row->pruned_at)
        return true;
    if (found)
        return sf_fail(err, SF_E_NOENT, "snapshot %lld went with the others of its age",
                       (long long)row->id);
    sf_fail(err, SF_E_NOENT, "there is no such snapshot of this workspace");
    return sf_hint(err, "`sf restore list` shows them");
}

static bool find_number(struct bench *b, const char *text, struct sf_snapshot_row *row,
                        struct sf_error *err)
{
    struct sf_snapshot_filter filter = { .worktree = b->root, .pruned = true };

    return read_number(text, &filter.id, err) && find_row(b, &filter, row, err);
}

struct newest {
    char commit[SF_SNAP_ID + 1];
};

static bool take_newest(void *ctx, const struct sf_snapshot_row *row)
{
    struct newest *n = ctx;

    if (!strcmp(row->kind, "edit") || !strcmp(row->kind, "restore"))
        return true;
    if (!strcmp(row->kind, "after"))
        snprintf(n->commit, sizeof(n->commit), "%s", row->commit);
    return false;
}

/* The state sf left behind last; "" when a turn began since and has not ended. */
static bool find_base(struct bench *b, struct newest *out, struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = b->root };

    out->commit[0] = '\0';
    return sf_store_each_snapshot(b->store, &filter, take_newest, out, err);
}

static void collect_paths(const struct sf_invocation *inv, struct sf_strlist *out)
{
    for (size_t i = 0; i < inv->given_count; i++)
        if (!strcmp(inv->given[i].option->name, "path"))
            sf_strlist_add(out, inv->given[i].value);
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

static bool add_row(struct bench *b, const char *kind, const char *commit, const char *label,
                    struct sf_error *err)
{
    const struct sf_snapshot_filter same = { .commit = commit };
    const struct sf_snapshot_new row = { .session = SF_SESSION_PROJECT,
                                         .kind = kind,
                                         .worktree = b->root,
                                         .commit = commit,
                                         .label = label };
    struct sf_snapshot_row there;
    bool found;
    int64_t id;

    return sf_store_snapshot_get(b->store, &same, &b->arena, &there, &found, err) &&
           (found || sf_store_snapshot_add(b->store, &row, &id, err));
}

int sf_cmd_restore_take(struct sf_invocation *inv)
{
    const char *label = inv->arg_count ? inv->args[0] : "taken by hand";
    const struct sf_snap_request request = { .kind = SF_SNAP_BEFORE,
                                             .label = label,
                                             .session = SF_SESSION_PROJECT,
                                             .budget = &sf_snap_budget_default };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    bool ok = bench_open(&b, inv, true, &err) && sf_snap_take(b.snap, &request, &result, &err) &&
              add_row(&b, sf_snap_kind_names[SF_SNAP_BEFORE], result.id, label, &err);

    if (ok) {
        sf_strbuf_addf(&out, "%llu files kept, %llu left out\n", (unsigned long long)result.files,
                       (unsigned long long)result.skipped);
        for (size_t i = 0; i < result.skips.count; i++) {
            sf_strbuf_adds(&out, "  ");
            add_one_line(&out, result.skips.items[i]);
            sf_strbuf_addch(&out, '\n');
        }
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_snap_result_release(&result);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

/* Says what happened and writes both ends down. */
static bool finish(struct sf_invocation *inv, struct bench *b, const char *what,
                   const struct sf_snap_restored *done, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT, json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_strbuf_addf(&text, "before %s", what);
    ok = add_row(b, "restore", done->before, text.buf, err);
    sf_strbuf_reset(&text);
    sf_strbuf_addf(&text, "after %s", what);
    ok = ok && add_row(b, "after", done->after, text.buf, err);
    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "what", what);
    sf_jw_key_str(&w, "before", done->before);
    sf_jw_key_str(&w, "after", done->after);
    sf_jw_key_int(&w, "added", (int64_t)done->tally.added);
    sf_jw_key_int(&w, "changed", (int64_t)done->tally.changed);
    sf_jw_key_int(&w, "removed", (int64_t)done->tally.removed);
    sf_jw_key_int(&w, "kept", (int64_t)done->tally.kept);
    sf_jw_object_end(&w);
    ok = ok && sf_app_record(inv->app, "restore", &json, err);
    sf_strbuf_reset(&text);
    sf_strbuf_adds(&text, "Done: ");
    add_tally(&text, &done->tally);
    sf_strbuf_adds(&text, "`sf restore undo` takes it back.\n");
    if (ok)
        sf_print(&text);
    sf_strbuf_release(&json);
    sf_strbuf_release(&text);
    return ok;
}

static bool go(struct sf_invocation *inv, struct bench *b, const struct sf_snapshot_row *row,
               const char *what, struct sf_error *err)
{
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    struct sf_strlist paths = SF_STRLIST_INIT;
    struct newest base;
    struct sf_snap_goal goal = { .id = row->commit,
                                 .base = base.commit,
                                 .paths = &paths,
                                 .overwrite = sf_cli_get(inv, "overwrite") != NULL,
                                 .session = SF_SESSION_PROJECT };
    bool work = false, ok = find_base(b, &base, err);

    collect_paths(inv, &paths);
    if (!base.commit[0])
        goal.base = NULL;
    ok = ok && show_plan(b, &goal, &work, err);
    if (ok && work && !sf_cli_get(inv, "dry-run"))
        ok = (sf_cli_get(inv, "yes") || confirm(err)) &&
             sf_snap_restore(b->snap, &goal, &done, err) && finish(inv, b, what, &done, err);
    sf_snap_restored_release(&done);
    sf_strlist_release(&paths);
    return ok;
}

int sf_cmd_restore(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    struct sf_snapshot_row row;
    char what[64];
    bool ok;

    if (!inv->arg_count)
        return sf_cmd_restore_list(inv);
    ok = bench_open(&b, inv, true, &err) && find_number(&b, inv->args[0], &row, &err);
    if (ok) {
        snprintf(what, sizeof(what), "restoring snapshot %lld", (long long)row.id);
        ok = go(inv, &b, &row, what, &err);
    }
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_undo(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    struct sf_snapshot_filter filter = { .kind = "restore" };
    struct sf_snapshot_row row;
    bool ok = bench_open(&b, inv, true, &err);

    filter.worktree = b.root;
    ok = ok && find_row(&b, &filter, &row, &err);
    if (!ok && err.code == SF_E_NOENT)
        sf_fail(&err, SF_E_NOENT, "no restore of this workspace can be undone");
    ok = ok && go(inv, &b, &row, "undoing a restore", &err);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_show(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    struct sf_snapshot_row row;
    struct sf_snap_goal goal = { 0 };
    bool work, ok = bench_open(&b, inv, true, &err) && find_number(&b, inv->args[0], &row, &err);

    if (ok) {
        sf_strbuf_addf(&out, "snapshot %lld, %s, %s, commit %.*s\n", (long long)row.id, row.kind,
                       row.created_at, SHORT_COMMIT, row.commit);
        add_one_line(&out, row.label);
        sf_strbuf_adds(&out, "\nGoing back to it would do this:\n");
        sf_print(&out);
        goal.id = row.commit;
        ok = show_plan(&b, &goal, &work, &err);
    }
    sf_strbuf_release(&out);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}

int sf_cmd_restore_resume(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct bench b = { .arena = SF_ARENA_INIT };
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    bool back = sf_cli_get(inv, "back") != NULL;
    bool ok = bench_open(&b, inv, true, &err) && sf_snap_resume(b.snap, back, &done, &err) &&
              finish(inv, &b, back ? "taking a restore back" : "finishing a restore", &done, &err);

    sf_snap_restored_release(&done);
    bench_close(&b);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}
