/*
 * commands_restore.c: files as they were. The way is always the same: find the state that is
 * meant, look in a worker what going there would change, show it and ask, go in a worker, write
 * it down. The conversation stays as it is.
 */
#include <inttypes.h>
#include <string.h>

#include "snap/snap.h"
#include "tui/commands.h"
#include "tui/internal.h"

enum { DIFF_MAX = 512 * 1024, PREVIEW_MAX = 64 * 1024 };

typedef bool find_fn(const struct sf_undo_place *place, struct sf_undo *out, struct sf_error *err);

/* One walk to a worker and back. */
struct trip {
    struct sf_tui *desk;
    char *dir, *root;
    find_fn *find;  /* what is meant, or NULL: … */
    int64_t number; /* … the row of this number */
    struct sf_undo undo;
    char *what; /* in words: "undoing the last turn" */
    char session[SF_ID_LEN + 1];
    bool overwrite; /* what others changed since, too */
    bool diff;      /* only look, as a diff */
    int64_t row;    /* only look, for this row of the list; 0: for no row */
    bool going;     /* the user agreed */
    bool ok;
    bool as_they_were;    /* the files are as they should be now */
    sf_card_fn *and_then; /* what else hangs on it, or NULL */
    void *ctx;
    struct sf_error err;
    struct sf_strbuf text, changes;
    struct sf_snap_tally tally;
    struct sf_snap_restored done;
};

static void end_trip(struct trip *t)
{
    struct sf_tui *ui = t->desk;
    sf_card_fn *and_then = t->and_then;
    void *ctx = t->ctx;
    bool yes = t->as_they_were && !ui->quitting;

    if (ui->trip == t)
        ui->trip = NULL;
    sf_undo_release(&t->undo);
    sf_snap_restored_release(&t->done);
    sf_strbuf_release(&t->text);
    sf_strbuf_release(&t->changes);
    free(t->what);
    free(t->dir);
    free(t->root);
    free(t);
    if (and_then)
        and_then(ui, ctx, yes);
}

static struct sf_undo_place place_of(const struct sf_tui *ui, const struct trip *t)
{
    return (struct sf_undo_place){ .store = sf_port_raw_setup(ui->port)->store,
                                   .worktree = sf_port_workspace(ui->port),
                                   .session = t->session };
}

static struct trip *new_trip(struct sf_tui *ui, const char *what)
{
    struct trip *t = sf_alloc(sizeof(*t));

    *t = (struct trip){ .desk = ui,
                        .dir = sf_strdup(sf_port_state_dir(ui->port)),
                        .root = sf_strdup(sf_port_workspace(ui->port)),
                        .what = sf_strdup(what),
                        .undo = SF_UNDO_INIT,
                        .err = SF_ERROR_INIT,
                        .text = SF_STRBUF_INIT,
                        .changes = SF_STRBUF_INIT,
                        .done = SF_SNAP_RESTORED_INIT };
    snprintf(t->session, sizeof(t->session), "%s", sf_port_session(ui->port));
    return t;
}

static bool is_free(struct sf_tui *ui)
{
    if (sf_port_busy(ui->port))
        sf_tui_say(ui, true, "a turn is running: Esc cancels it");
    else if (ui->trip)
        sf_tui_say(ui, true, "one moment: files are being looked at");
    return !sf_port_busy(ui->port) && !ui->trip;
}

/* ---- in the worker ---- */

static void travel(void *ctx)
{
    struct trip *t = ctx;
    const struct sf_undo_how how = { .overwrite = t->overwrite, .session = t->session };
    const struct sf_undo_pair pair = { .from = t->undo.id,
                                       .extra = &t->undo.extra,
                                       .max = t->row ? PREVIEW_MAX : DIFF_MAX,
                                       .back = t->row != 0 };
    struct sf_snap *snap = sf_snap_open(t->dir, t->root, &t->err);
    struct sf_undo_stat stat = { 0 };

    if (snap && t->diff)
        t->ok = sf_undo_diff(snap, &pair, &t->text, &stat, &t->err);
    else if (snap && t->going)
        t->ok = sf_undo_go(snap, &t->undo, &how, &t->done, &t->err);
    else if (snap)
        t->ok = sf_undo_preview(snap, &t->undo, &how, &t->text, &t->tally, &t->err);
    if (t->ok && t->row)
        t->ok = sf_undo_diff(snap, &pair, &t->changes, &stat, &t->err);
    sf_snap_close(snap);
}

static void arrived(void *ctx);
static void restore_number(struct sf_tui *ui, int64_t number, bool overwrite);
static void look_at(struct sf_tui *ui, int64_t number);
static void snapshot_chosen(struct sf_tui *ui, const char *value);
static void snapshot_moved(struct sf_tui *ui, const char *value);

static const struct sf_overlay_kind snapshots = {
    .title = "Restore files (the conversation stays)",
    .keys = "Enter restore   ↑ ↓ choose   PgUp PgDn preview   /restore undo",
    .chosen = snapshot_chosen,
    .moved = snapshot_moved,
};

static void depart(struct trip *t)
{
    t->desk->trip = t;
    sf_workers_start(sf_port_raw_setup(t->desk->port)->workers, travel, arrived, t);
    sf_tui_say(t->desk, false, "looking at the files");
}

/* ---- back on the loop ---- */

static void agreed(struct sf_tui *ui, void *ctx, bool yes)
{
    struct trip *t = ctx;

    if (!yes) {
        end_trip(t);
        return;
    }
    t->going = true;
    sf_strbuf_reset(&t->text);
    (void)ui;
    depart(t);
}

/* Who changed it since is not known to be sf: that is the user's to choose. */
static void add_since(struct sf_strbuf *out, const struct trip *t)
{
    if (t->tally.since)
        sf_strbuf_addf(out,
                       "%zu changed while no turn of sf ran that came to its end; "
                       "`/restore %" PRId64 " overwrite` goes back there too.\n\n",
                       t->tally.since, t->undo.number);
}

static void ask(struct sf_tui *ui, struct trip *t)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "Put files back as they were before “%s”?\n\n",
                   *t->undo.label ? t->undo.label : "the snapshot");
    sf_strbuf_addf(&text, "```\n%s```\n\n", t->text.buf);
    add_since(&text, t);
    sf_strbuf_addf(&text, "%s `/restore undo` takes it back.",
                   t->and_then ? "Then the conversation goes back too."
                               : "The conversation stays.");
    ui->trip = NULL;
    sf_card_ask(ui, text.buf, agreed, t);
    sf_strbuf_release(&text);
}

static void went(struct sf_tui *ui, struct trip *t)
{
    struct sf_undo_place place = place_of(ui, t);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_undo_record(&place, &t->undo, t->what, "tui", &t->done, &err))
        sf_tui_fail(ui, &err);
    sf_restored_say(&t->done.tally, &t->done.kept, &t->done.lost, &text);
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text.buf, text.len, sf_clock_wall_ms());
    ui->status[0] = '\0';
    sf_strbuf_release(&text);
}

/* Nothing would be done, and yet not all is as it was: said in full, since no card follows. */
static void explain(struct sf_tui *ui, const struct trip *t)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "nothing was put back:\n%s", t->text.buf);
    add_since(&text, t);
    while (text.len && text.buf[text.len - 1] == '\n')
        sf_strbuf_truncate(&text, text.len - 1);
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text.buf, text.len, sf_clock_wall_ms());
    sf_strbuf_release(&text);
}

static void show_diff(struct sf_tui *ui, struct trip *t)
{
    if (t->text.len)
        sf_overlay_diff(ui, t->what, &t->text);
    else
        sf_tui_say(ui, false, "nothing changed");
}

/* As it is: a line that begins with a minus is no item of a list. */
static void show_preview(struct sf_tui *ui, const struct trip *t)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "```\n%s\n```\n", t->text.buf);
    sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_add(&ui->overlay->preview_diff, t->changes.buf, t->changes.len);
    sf_strbuf_release(&text);
}

/* The list may be gone by now, or on another row, or somebody chose one meanwhile. */
static void looked(struct sf_tui *ui, struct trip *t)
{
    int64_t seen = t->row, wanted = ui->restore.row, chosen = ui->restore.chosen;
    bool listed = ui->overlay && ui->overlay->kind == &snapshots;

    ui->restore.chosen = 0;
    if (t->ok && listed && seen == wanted)
        show_preview(ui, t);
    else if (*t->err.msg)
        sf_tui_fail(ui, &t->err);
    end_trip(t);
    if (chosen)
        restore_number(ui, chosen, false);
    else if (listed && seen != wanted)
        look_at(ui, wanted);
}

static void arrived(void *ctx)
{
    struct trip *t = ctx;
    struct sf_tui *ui = t->desk;

    if (ui->trip == t)
        ui->trip = NULL;
    ui->status[0] = '\0';
    sf_tui_dirty(ui);
    if (ui->quitting) {
        if (t->going && t->ok) /* it happened, and whoever goes on is to know */
            went(ui, t);
        end_trip(t);
    } else if (t->row) {
        looked(ui, t);
    } else if (!t->ok) {
        sf_tui_fail(ui, &t->err);
        end_trip(t);
    } else if (t->diff) {
        show_diff(ui, t);
        end_trip(t);
    } else if (t->going) {
        t->as_they_were = true;
        went(ui, t);
        end_trip(t);
    } else if (!sf_undo_is_work(&t->tally) && !t->and_then && (t->tally.kept || t->tally.lost)) {
        explain(ui, t);
        end_trip(t);
    } else if (!sf_undo_is_work(&t->tally) && !t->tally.kept && !t->tally.lost) {
        t->as_they_were = true;
        sf_tui_say(ui, false, "nothing to put back: the files are as they were");
        end_trip(t);
    } else {
        ask(ui, t);
    }
}

/* ---- commands ---- */

/* The state is looked up when the last turn has been written down to its end. */
static void look_up(void *ctx)
{
    struct trip *t = ctx;
    struct sf_tui *ui = t->desk;
    struct sf_undo_place place = place_of(ui, t);
    struct sf_error err = SF_ERROR_INIT;

    if (ui->quitting || ui->closed) {
        end_trip(t);
    } else if (t->find ? t->find(&place, &t->undo, &err)
                       : sf_undo_number(&place, t->number, &t->undo, &err)) {
        depart(t);
    } else if (t->row) { /* it has gone meanwhile: the list goes on without */
        looked(ui, t);
    } else {
        sf_tui_fail(ui, &err);
        end_trip(t);
    }
}

/* To the state that `find` finds, or NULL: to the one with the number; with a look first. */
static void set_out(struct trip *t, find_fn *find, int64_t number)
{
    t->find = find;
    t->number = number;
    t->desk->trip = t;
    sf_session_when_kept(sf_port_raw(t->desk->port), look_up, t);
}

static bool find_last_turn(const struct sf_undo_place *place, struct sf_undo *out,
                           struct sf_error *err)
{
    return sf_undo_turns(place, 1, out, err);
}

static const char overwriting[] = "overwrite";

static void go_back(struct sf_tui *ui, const char *what, bool overwrite, find_fn *find)
{
    struct trip *t;

    if (!is_free(ui))
        return;
    t = new_trip(ui, what);
    t->overwrite = overwrite;
    set_out(t, find, 0);
}

void sf_do_undo(struct sf_tui *ui, const char *args)
{
    go_back(ui, "undoing a turn", !strcmp(args, overwriting), find_last_turn);
}

void sf_do_redo(struct sf_tui *ui, const char *args)
{
    (void)args;
    go_back(ui, "taking an undo back", false, sf_undo_redo);
}

void sf_do_diff(struct sf_tui *ui, const char *args)
{
    bool turn = !strcmp(args, "turn");
    struct trip *t;

    if (!is_free(ui))
        return;
    t = new_trip(ui, *args ? "Since then" : "Since the session began");
    t->diff = true;
    set_out(t, turn ? find_last_turn : *args ? NULL : sf_undo_start, strtoll(args, NULL, 10));
}

void sf_tui_restore(struct sf_tui *ui, int64_t number, sf_card_fn *and_then, void *ctx)
{
    struct trip *t;

    if (!is_free(ui)) {
        if (and_then)
            and_then(ui, ctx, false);
        return;
    }
    t = new_trip(ui, "going back to before a prompt");
    t->and_then = and_then;
    t->ctx = ctx;
    set_out(t, NULL, number);
}

/* ---- the list ---- */

static void restore_number(struct sf_tui *ui, int64_t number, bool overwrite)
{
    struct trip *t;

    if (!is_free(ui))
        return;
    t = new_trip(ui, "restoring a snapshot");
    t->overwrite = overwrite;
    set_out(t, NULL, number);
}

/*
 * `value` is a number, and behind it perhaps a word. Whoever is faster than the preview waits for
 * it, not for a second key.
 */
static void snapshot_chosen(struct sf_tui *ui, const char *value)
{
    char *rest;
    int64_t number = strtoll(value, &rest, 10);
    bool overwrite = !strcmp(rest + strspn(rest, " "), overwriting);

    if (ui->trip && ui->trip->row && !overwrite)
        ui->restore.chosen = number;
    else
        restore_number(ui, number, overwrite);
}

static void look_at(struct sf_tui *ui, int64_t number)
{
    struct trip *t = new_trip(ui, "looking");

    t->row = number;
    set_out(t, NULL, number);
}

static void snapshot_moved(struct sf_tui *ui, const char *value)
{
    ui->restore.row = strtoll(value, NULL, 10);
    if (!ui->trip)
        look_at(ui, ui->restore.row);
}

struct ends {
    struct sf_tui *desk;
    struct {
        int64_t before, files, plus, minus, left;
    } rows[512];
    size_t count;
};

/* Newest first, so the end of a turn comes before its beginning. */
static bool add_snapshot(void *ctx, const struct sf_snapshot_row *row)
{
    struct ends *e = ctx;
    char value[24], when[SF_CLOCK_MAX], left[48] = "";

    if (!strcmp(row->kind, "after") && e->count < SF_COUNT(e->rows)) {
        e->rows[e->count].before = sf_undo_detail(row, "before");
        e->rows[e->count].files = sf_undo_detail(row, "files");
        e->rows[e->count].plus = sf_undo_detail(row, "plus");
        e->rows[e->count].left = sf_undo_detail(row, "left");
        e->rows[e->count++].minus = sf_undo_detail(row, "minus");
    }
    if (strcmp(row->kind, "before") != 0)
        return true;
    snprintf(value, sizeof(value), "%" PRId64, row->id);
    sf_clock_local(when, row->created_at);
    for (size_t i = 0; i < e->count; i++)
        if (e->rows[i].before == row->id) {
            if (e->rows[i].left)
                snprintf(left, sizeof(left), ", %" PRId64 " not kept", e->rows[i].left);
            sf_overlay_row(e->desk, value,
                           "%s\t%.16s\t%s\t%" PRId64 " file%s%s\t+%" PRId64 "\t−%" PRId64, value,
                           when, row->label, e->rows[i].files, e->rows[i].files == 1 ? "" : "s",
                           left, e->rows[i].plus, e->rows[i].minus);
            return true;
        }
    sf_overlay_row(e->desk, value, "%s\t%.16s\t%s", value, when, row->label);
    return true;
}

void sf_do_restore(struct sf_tui *ui, const char *args)
{
    const struct sf_snapshot_filter filter = { .worktree = sf_port_workspace(ui->port) };
    struct sf_error err = SF_ERROR_INIT;
    struct ends *ends;

    if (!is_free(ui))
        return;
    if (!strcmp(args, "undo")) {
        set_out(new_trip(ui, "taking a restore back"), sf_undo_restore, 0);
        return;
    }
    if (*args && strcmp(args, "list") != 0) {
        snapshot_chosen(ui, args);
        return;
    }
    ends = sf_alloc(sizeof(*ends));
    ends->desk = ui;
    sf_overlay_list(ui, &snapshots);
    if (!sf_store_each_snapshot(sf_port_raw_setup(ui->port)->store, &filter, add_snapshot, ends,
                                &err)) {
        sf_overlay_close(ui);
        sf_tui_fail(ui, &err);
    } else if (ui->overlay->count) {
        sf_overlay_choose(ui, ui->overlay->rows[0].value);
    }
    free(ends);
}
