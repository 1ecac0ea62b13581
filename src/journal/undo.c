/*
 * undo.c: finds the snapshot to restore and writes the rows of a restore. The row of a restore
 * names the row it restored; a walk back from the newest row skips everything in between, since
 * that is undone.
 */
#include "journal/undo.h"

#include "base/base.h"
#include "journal/log_event.h"

enum { PREVIEW_MAX = 200, MOVED_MAX = 50 };

void sf_undo_release(struct sf_undo *undo)
{
    free(undo->label);
    free(undo->time);
    sf_strlist_release(&undo->extra);
    sf_strlist_release(&undo->uncovered);
    sf_snap_lineage_release(&undo->lineage);
    *undo = (struct sf_undo)SF_UNDO_INIT;
}

/* ---- rows ---- */

static struct sf_json *details_of(const struct sf_snapshot_row *row)
{
    struct sf_error ignored = SF_ERROR_INIT;

    return sf_json_parse(row->details, strlen(row->details), NULL, &ignored);
}

int64_t sf_undo_detail(const struct sf_snapshot_row *row, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = details_of(row);
    int64_t n = 0;

    if (json && !sf_json_get_int(json, key, &n, &ignored))
        n = 0;
    sf_json_free(json);
    return n;
}

static void take_row(struct sf_undo *out, const struct sf_snapshot_row *row)
{
    out->number = row->id;
    snprintf(out->kind, sizeof(out->kind), "%s", row->kind);
    snprintf(out->id, sizeof(out->id), "%s", row->commit);
    free(out->label);
    free(out->time);
    out->label = sf_strdup(row->label);
    out->time = sf_strdup(row->created_at);
}

/* The paths of a list in the row's details. */
static void take_paths(const struct sf_snapshot_row *row, const char *key, struct sf_strlist *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = details_of(row);
    const struct sf_json *list = json ? sf_json_get(json, key) : NULL;
    const char *path;

    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it))
        if (sf_json_as_str(it, key, &path, &ignored) && !sf_strlist_has(out, path))
            sf_strlist_add(out, path);
    sf_json_free(json);
}

struct walk {
    const struct sf_undo_place *place;
    struct sf_undo *out;
    int64_t below; /* rows from this one on are undone; 0: none */
    int64_t turn;  /* first row of the turn that the walk is in; 0: none */
    int64_t idle;  /* first row of a turn that changed no file; 0: none */
    int64_t left;  /* turns still to go back */
    bool found;
};

static bool is_own(const struct walk *w, const struct sf_snapshot_row *row)
{
    return !w->place->session || !strcmp(w->place->session, row->session);
}

static bool is_turn(const struct walk *w, const struct sf_snapshot_row *row)
{
    return !strcmp(row->kind, "before") && strcmp(row->session, SF_SESSION_PROJECT) != 0 &&
           is_own(w, row);
}

/* Skipped: the row is undone, or lies within a turn that counts as a whole. */
static bool is_passed(const struct walk *w, const struct sf_snapshot_row *row)
{
    return (w->below && row->id >= w->below) || (w->turn && row->id > w->turn);
}

static bool find_turn(void *ctx, const struct sf_snapshot_row *row)
{
    struct walk *w = ctx;
    int64_t goal;

    if (is_passed(w, row))
        return true;
    if (!strcmp(row->kind, "restore")) {
        goal = sf_undo_detail(row, "goal");
        w->below = goal ? goal : w->below;
    } else if (!strcmp(row->kind, "after") && is_own(w, row)) {
        w->turn = sf_undo_detail(row, "before");
        w->idle = sf_undo_detail(row, "files") ? 0 : w->turn;
    } else if (is_turn(w, row) && row->id != w->idle && --w->left == 0) {
        take_row(w->out, row);
        w->found = true;
    }
    return !w->found;
}

static bool find_redo(void *ctx, const struct sf_snapshot_row *row)
{
    struct walk *w = ctx;
    int64_t goal;

    if (is_passed(w, row))
        return true;
    if (!strcmp(row->kind, "before") || sf_undo_detail(row, "before"))
        return false;
    goal = !strcmp(row->kind, "restore") ? sf_undo_detail(row, "goal") : 0;
    if (!goal)
        return true;
    if (sf_undo_detail(row, "again")) { /* a redo: the undo it reverted does not count */
        w->below = goal;
        return true;
    }
    take_row(w->out, row);
    w->found = true;
    return false;
}

static bool find_first(void *ctx, const struct sf_snapshot_row *row)
{
    struct walk *w = ctx;

    if (is_turn(w, row)) {
        take_row(w->out, row);
        w->found = true;
    }
    return true;
}

/* ---- the lineage ---- */

struct point {
    int64_t id;
    int64_t from;  /* sf made the changes since this row; 0: others may have */
    int64_t began; /* the first row of the turn that ends here; 0: no turn does */
    int64_t cut;   /* the same of a turn that was cut off and got its end later; or 0 */
    char commit[SF_SNAP_ID + 1];
    struct sf_strlist others; /* files that others changed in the turn that ends here */
    struct sf_strlist mine;   /* the only files that the turn changed that was cut off */
};

struct around {
    int64_t goal;
    const char *session;  /* whose turns are sf's here; NULL: those of every session */
    struct point *points; /* newest first */
    size_t count, cap;
    int64_t pending; /* the last point ends a restore, whose beginning is the next row; or 0 */
    struct sf_strlist *extra, *uncovered;
    bool has_extra;
};

/*
 * The end of a turn names its beginning, and the changes in between are sf's. The end of a restore
 * has its beginning right before it. A turn without an end claims no changes: they cannot be told
 * from changes that people made after it was cut off. If it got one later (cut_turn.h), it claims
 * the files listed there. To one session the turns of another are people's work.
 */
static bool is_ours(const struct around *a, const struct sf_snapshot_row *row)
{
    return !a->session || !strcmp(a->session, row->session) ||
           !strcmp(row->session, SF_SESSION_PROJECT);
}

/* Reads what the end of a turn says about it. */
static void take_end(struct around *a, struct point *p, const struct sf_snapshot_row *row)
{
    int64_t began = p->from;

    p->from = 0;
    if (!is_ours(a, row) || sf_undo_detail(row, "mixed"))
        return;
    if (sf_undo_detail(row, "cut")) {
        p->cut = began;
        take_paths(row, "mine", &p->mine);
        return;
    }
    p->from = p->began = began;
    take_paths(row, "others", &p->others);
    take_paths(row, "uncovered", a->uncovered);
}

static bool look_around(void *ctx, const struct sf_snapshot_row *row)
{
    struct around *a = ctx;
    struct point *p;
    bool end = !strcmp(row->kind, "after");

    if (!a->has_extra)
        take_paths(row, "extra", a->extra);
    a->has_extra = true;
    if (row->id < a->goal)
        return false;
    if (!strcmp(row->kind, "edit") && row->id != a->goal)
        return true;
    if (a->pending)
        a->points[a->count - 1].from = row->id;
    a->points = sf_grow(a->points, &a->cap, a->count + 1, sizeof(*p));
    p = &a->points[a->count++];
    *p = (struct point){ .id = row->id, .from = end ? sf_undo_detail(row, "before") : 0 };
    snprintf(p->commit, sizeof(p->commit), "%s", row->commit);
    a->pending = end && !p->from;
    if (p->from)
        take_end(a, p, row);
    return true;
}

/*
 * Where turns of two sessions ran at once, each has the other's files among those of others. Who
 * goes back over both means both, so a path is of others only if no turn of that time has it.
 */
static bool is_of_others(const struct around *a, const struct point *p, const char *path)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct point *q = &a->points[i];

        if (q != p && q->began && q->began < p->id && q->id > p->began &&
            !sf_strlist_has(&q->others, path))
            return false;
    }
    return true;
}

/* The files of a turn that was cut off are its own in each step up to its late end. */
static void add_mine(const struct around *a, const struct point *p, struct sf_snap_stop *stop)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct point *q = &a->points[i];

        if (q->cut && q->cut <= p[1].id && q->id >= p->id)
            sf_strlist_append(&stop->except, &q->mine);
    }
}

/* Adds the step that ends at the point, which is not the goal. */
static void add_stop(const struct around *a, const struct point *p, struct sf_snap_lineage *out)
{
    struct sf_snap_stop *stop = sf_snap_lineage_add(out, p->commit, p->from);

    if (!p->from)
        add_mine(a, p, stop);
    for (size_t i = 0; p->from && i < p->others.count; i++)
        if (is_of_others(a, p, p->others.items[i]))
            sf_strlist_add(&stop->except, p->others.items[i]);
}

static bool add_trail(const struct sf_undo_place *place, const char *session, struct sf_undo *out,
                      struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree };
    struct around a = {
        .goal = out->number, .session = session, .extra = &out->extra, .uncovered = &out->uncovered
    };
    int64_t ours = place->began ? place->began : INT64_MAX; /* changes since this row are sf's */
    bool ok = sf_store_each_snapshot(place->store, &filter, look_around, &a, err);

    for (size_t i = 0; ok && i + 1 < a.count; i++) { /* the last one is the goal */
        if (a.points[i].from && a.points[i].from < ours)
            ours = a.points[i].from;
        a.points[i].from = ours <= a.points[i + 1].id;
    }
    for (size_t i = a.count; ok && i > 1; i--)
        add_stop(&a, &a.points[i - 2], &out->lineage);
    out->lineage.running = place->began != 0;
    for (size_t i = 0; i < a.count; i++) {
        sf_strlist_release(&a.points[i].others);
        sf_strlist_release(&a.points[i].mine);
    }
    free(a.points);
    return ok;
}

static bool search(const struct sf_undo_place *place, sf_snapshot_fn *fn, int64_t turns,
                   struct sf_undo *out, bool *found, struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree };
    struct walk w = { .place = place, .out = out, .left = turns, .turn = place->running };
    bool ok = sf_store_each_snapshot(place->store, &filter, fn, &w, err);

    *found = w.found;
    out->is_own = fn == find_turn && place->session;
    return ok && (!w.found || add_trail(place, out->is_own ? place->session : NULL, out, err));
}

/* ---- why there is none ---- */

enum lack {
    LACK_TURNS, /* no row tells of a turn that changed files */
    LACK_TAKEN_BACK,
    LACK_PRUNED,
    LACK_COVER, /* the turn changed only what snapshots leave out */
};

/* The newest turn that changed files says why it cannot be gone back over. */
struct lacking {
    struct walk walk;
    enum lack lack;
    struct sf_strlist uncovered;
};

static void weigh_end(struct lacking *l, const struct sf_snapshot_row *row)
{
    l->walk.idle = sf_undo_detail(row, "files") ? 0 : sf_undo_detail(row, "before");
    if (!l->walk.idle || (l->walk.below && row->id >= l->walk.below))
        return;
    take_paths(row, "uncovered", &l->uncovered);
    if (l->uncovered.count)
        l->lack = LACK_COVER;
}

static bool find_lack(void *ctx, const struct sf_snapshot_row *row)
{
    struct lacking *l = ctx;
    bool back = l->walk.below && row->id >= l->walk.below;
    int64_t goal = 0;

    if (!back && !strcmp(row->kind, "restore"))
        goal = sf_undo_detail(row, "goal");
    l->walk.below = goal ? goal : l->walk.below;
    if (!strcmp(row->kind, "after") && is_own(&l->walk, row) && sf_undo_detail(row, "before"))
        weigh_end(l, row);
    else if (is_turn(&l->walk, row) && row->id != l->walk.idle)
        l->lack = *row->pruned_at ? LACK_PRUNED : back ? LACK_TAKEN_BACK : LACK_TURNS;
    return l->lack == LACK_TURNS;
}

static bool fail_lack(const struct lacking *l, const char *what, struct sf_error *err)
{
    const char *of = l->walk.place->session ? " of this session" : "";

    switch (l->lack) {
    case LACK_TAKEN_BACK:
        sf_fail(err, SF_E_NOENT, "the turns%s that changed files are taken back already", of);
        return sf_hint(err, "`sf restore list` shows all states that can be gone back to");
    case LACK_PRUNED:
        sf_fail(err, SF_E_NOENT, "the snapshots%s went with the others of their age", of);
        return sf_hint(err, "`sf restore list` shows all states that can be gone back to");
    case LACK_COVER:
        sf_fail(err, SF_E_NOENT, "there is no copy of what the last turn%s changed: %s%s", of,
                l->uncovered.items[0], l->uncovered.count > 1 ? " and more" : "");
        return sf_hint(err, "snapshots leave that out");
    case LACK_TURNS:
        break;
    }
    sf_fail(err, SF_E_NOENT, "there is no snapshot%s %s", of, what);
    return sf_hint(err, "its turns changed no files, or no snapshots were taken");
}

/*
 * The rows tell which snapshots there are, not what turns did: without any, snapshots may be off or
 * have failed, and a fork begins without them.
 */
static bool fail_without(const char *what, const struct sf_undo_place *place, struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree, .pruned = true };
    struct lacking l = { .walk = { .place = place }, .uncovered = SF_STRLIST_INIT };
    bool ok = sf_store_each_snapshot(place->store, &filter, find_lack, &l, err) &&
              fail_lack(&l, what, err);

    sf_strlist_release(&l.uncovered);
    return ok;
}

bool sf_undo_turns(const struct sf_undo_place *place, int64_t turns, struct sf_undo *out,
                   struct sf_error *err)
{
    bool found;

    if (!search(place, find_turn, turns, out, &found, err))
        return false;
    if (found)
        return true;
    if (turns == 1)
        return fail_without("from before a turn that changed files", place, err);
    return sf_fail(err, SF_E_NOENT, "there are no snapshots%s of %lld turns that changed files",
                   place->session ? " of this session" : "", (long long)turns);
}

bool sf_undo_redo(const struct sf_undo_place *place, struct sf_undo *out, struct sf_error *err)
{
    bool found;

    return search(place, find_redo, 0, out, &found, err) &&
           (found || sf_fail(err, SF_E_NOENT, "nothing was undone since the last turn"));
}

bool sf_undo_start(const struct sf_undo_place *place, struct sf_undo *out, struct sf_error *err)
{
    bool found;

    return search(place, find_first, 0, out, &found, err) &&
           (found || fail_without("from before a turn", place, err));
}

static bool find_row(const struct sf_undo_place *place, const struct sf_snapshot_filter *filter,
                     struct sf_undo *out, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_snapshot_row row;
    bool found, ok = sf_store_snapshot_get(place->store, filter, &arena, &row, &found, err);

    if (ok && !found) {
        sf_fail(err, SF_E_NOENT, "there is no such snapshot of this workspace");
        ok = sf_hint(err, "`sf restore list` shows them");
    } else if (ok && *row.pruned_at) {
        ok = sf_fail(err, SF_E_NOENT, "snapshot %lld went with the others of its age",
                     (long long)row.id);
    } else if (ok) {
        take_row(out, &row);
        ok = add_trail(place, NULL, out, err);
    }
    sf_arena_release(&arena);
    return ok;
}

bool sf_undo_number(const struct sf_undo_place *place, int64_t number, struct sf_undo *out,
                    struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree,
                                               .id = number,
                                               .pruned = true };

    return find_row(place, &filter, out, err);
}

bool sf_undo_restore(const struct sf_undo_place *place, struct sf_undo *out, struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree, .kind = "restore" };

    if (find_row(place, &filter, out, err))
        return true;
    return err->code == SF_E_NOENT
               ? sf_fail(err, SF_E_NOENT, "no restore of this workspace can be undone")
               : false;
}

/* ---- restoring ---- */

static struct sf_snap_goal goal_of(const struct sf_undo *undo, const struct sf_undo_how *how)
{
    return (struct sf_snap_goal){ .id = undo->id,
                                  .lineage = &undo->lineage,
                                  .paths = how->paths,
                                  .overwrite = how->overwrite,
                                  .session = how->session ? how->session : SF_SESSION_PROJECT,
                                  .extra = &undo->extra,
                                  .cancel = how->cancel };
}

struct preview {
    struct sf_strbuf *out;
    size_t lines;
};

static bool add_change(void *ctx, const struct sf_snap_change *change)
{
    static const char marks[] = {
        [SF_SNAP_HOW_ADDED] = '+', [SF_SNAP_HOW_CHANGED] = '~', [SF_SNAP_HOW_REMOVED] = '-'
    };
    struct preview *p = ctx;

    if (p->lines++ >= PREVIEW_MAX)
        return true;
    sf_strbuf_addf(p->out, "  %c ", change->lost ? '!' : change->kept ? '=' : marks[change->how]);
    sf_text_sanitize(p->out, change->path, strlen(change->path), SF_TEXT_ONE_LINE);
    if (((change->to_mode ? change->to_mode : change->from_mode) & 0170000) == 0040000)
        sf_strbuf_addch(p->out, '/');
    if (change->lost)
        sf_strbuf_addf(p->out, "  (%s, no copy was kept: %s)",
                       change->from_mode ? "changed" : "gone", change->kept);
    else if (change->kept)
        sf_strbuf_addf(p->out, "  (kept: %s)", change->kept);
    sf_strbuf_addch(p->out, '\n');
    return true;
}

bool sf_undo_is_work(const struct sf_snap_tally *tally)
{
    return tally->added || tally->changed || tally->removed || tally->dirs;
}

void sf_undo_add_tally(struct sf_strbuf *out, const struct sf_snap_tally *t)
{
    sf_strbuf_addf(out, "%zu added, %zu changed, %zu removed", t->added, t->changed, t->removed);
    if (t->dirs)
        sf_strbuf_addf(out, ", %zu director%s", t->dirs, t->dirs == 1 ? "y" : "ies");
    if (t->kept)
        sf_strbuf_addf(out, ", %zu kept as %s", t->kept, t->kept == 1 ? "it is" : "they are");
    if (t->lost)
        sf_strbuf_addf(out, ", %zu cannot be put back", t->lost);
}

bool sf_undo_is_left(const struct sf_snap_tally *tally)
{
    return !sf_undo_is_work(tally) && (tally->kept || tally->lost);
}

/* Beside people these are other sessions, commands without a record and turns that were cut off. */
static const char *owner(const struct sf_undo *undo)
{
    return undo->is_own ? "this session's" : "sf's";
}

bool sf_undo_fail_left(const struct sf_undo *undo, const struct sf_snap_tally *t,
                       struct sf_error *err)
{
    if (t->since)
        return sf_fail(err, SF_E_EXIST,
                       "nothing was put back: %zu %s changes that are not known to be %s own",
                       t->since, t->since == 1 ? "has" : "have", owner(undo));
    return sf_fail(err, SF_E_EXIST, "nothing was put back: %zu kept, %zu without a copy", t->kept,
                   t->lost);
}

void sf_undo_add_since(struct sf_strbuf *out, const struct sf_undo *undo,
                       const struct sf_snap_tally *t, const char *overwrites)
{
    bool one = t->since == 1;

    if (t->since)
        sf_strbuf_addf(out,
                       "%zu of those kept %s changes that are not known to be %s own; %s puts %s "
                       "back too.\n",
                       t->since, one ? "has" : "have", owner(undo), overwrites,
                       one ? "it" : "them");
}

void sf_undo_add_left(struct sf_strbuf *out, const struct sf_snap_restored *done)
{
    for (size_t i = 0; i < done->kept.count; i++)
        sf_strbuf_addf(out, "kept %s\n", done->kept.items[i]);
    for (size_t i = 0; i < done->lost.count; i++)
        sf_strbuf_addf(out, "not put back: %s\n", done->lost.items[i]);
}

/* Turns say what their commands changed where no snapshot has a copy. */
static void add_uncovered(const struct sf_undo *undo, struct preview *p)
{
    for (size_t i = 0; i < undo->uncovered.count; i++) {
        const char *name = undo->uncovered.items[i];

        if (p->lines++ >= PREVIEW_MAX)
            continue;
        sf_strbuf_adds(p->out, "  ! ");
        sf_text_sanitize(p->out, name, strlen(name), SF_TEXT_ONE_LINE);
        sf_strbuf_adds(p->out, "  (changed by a command, not covered by snapshots)\n");
    }
}

bool sf_undo_preview(struct sf_snap *snap, const struct sf_undo *undo,
                     const struct sf_undo_how *how, struct sf_strbuf *out,
                     struct sf_snap_tally *tally, struct sf_error *err)
{
    const struct sf_snap_goal goal = goal_of(undo, how);
    struct preview p = { out, 0 };
    bool is_same;

    if (!sf_snap_restore_plan(snap, &goal, add_change, &p, tally, err))
        return false;
    is_same = !p.lines;
    add_uncovered(undo, &p);
    if (p.lines > PREVIEW_MAX)
        sf_strbuf_addf(out, "  … and %zu more\n", p.lines - PREVIEW_MAX);
    if (!is_same)
        sf_undo_add_tally(out, tally);
    else
        sf_strbuf_addf(out, "The workspace is as it was then%s.",
                       undo->uncovered.count ? ", apart from that" : "");
    sf_strbuf_addch(out, '\n');
    return true;
}

static bool note_moved(void *ctx, const struct sf_snap_change *change)
{
    static const char *const words[] = { [SF_SNAP_HOW_ADDED] = "added",
                                         [SF_SNAP_HOW_CHANGED] = "changed",
                                         [SF_SNAP_HOW_REMOVED] = "removed" };
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct sf_strlist *moved = ctx;

    if (((change->to_mode ? change->to_mode : change->from_mode) & 0170000) != 0040000) {
        sf_text_sanitize(&path, change->path, strlen(change->path), SF_TEXT_ONE_LINE);
        sf_strlist_addf(moved, "%s %s", words[change->how], path.buf);
        sf_strbuf_release(&path);
    }
    return moved->count < MOVED_MAX;
}

/* The list of files is only for the log: if it cannot be made, the restore still succeeded. */
bool sf_undo_go(struct sf_snap *snap, const struct sf_undo *undo, const struct sf_undo_how *how,
                struct sf_snap_restored *out, struct sf_error *err)
{
    const struct sf_snap_goal goal = goal_of(undo, how);
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_snap_restore(snap, &goal, out, err))
        return false;
    if (!sf_snap_diff(snap, out->before, out->after, note_moved, &out->moved, &ignored))
        sf_strlist_release(&out->moved);
    return true;
}

/* ---- recording ---- */

static void write_details(const struct sf_undo *undo, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (undo->number) {
        sf_jw_key_int(&w, "goal", undo->number);
        sf_jw_key_int(&w, "again", !strcmp(undo->kind, "restore"));
    }
    if (undo->extra.count) {
        sf_jw_key(&w, "extra");
        sf_jw_array_begin(&w);
        for (size_t i = 0; i < undo->extra.count; i++)
            sf_jw_str(&w, undo->extra.items[i]);
        sf_jw_array_end(&w);
    }
    sf_jw_object_end(&w);
}

/* A restore that was interrupted and finished later may have its rows already. */
static bool add_row(const struct sf_undo_place *place, const struct sf_snapshot_new *row,
                    struct sf_error *err)
{
    const struct sf_snapshot_filter same = { .commit = row->commit };
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_snapshot_row there;
    bool found, ok;
    int64_t id;

    ok = sf_store_snapshot_get(place->store, &same, &arena, &there, &found, err) &&
         (found || sf_store_snapshot_add(place->store, row, &id, err));
    sf_arena_release(&arena);
    return ok;
}

static void write_list(struct sf_json_writer *w, const char *key, const struct sf_strlist *list)
{
    sf_jw_key(w, key);
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++)
        sf_jw_str(w, list->items[i]);
    sf_jw_array_end(w);
}

static bool add_event(const struct sf_undo_place *place, const char *what, const char *surface,
                      const struct sf_snap_restored *done, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = place->session ? place->session : SF_SESSION_PROJECT,
                                  .surface = surface,
                                  .kind = SF_LOG_RESTORE };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "what", what);
    sf_jw_key_str(&w, "before", done->before);
    sf_jw_key_str(&w, "after", done->after);
    sf_jw_key_int(&w, "added", (int64_t)done->tally.added);
    sf_jw_key_int(&w, "changed", (int64_t)done->tally.changed);
    sf_jw_key_int(&w, "removed", (int64_t)done->tally.removed);
    sf_jw_key_int(&w, "kept", (int64_t)done->tally.kept);
    sf_jw_key_int(&w, "lost", (int64_t)done->tally.lost);
    sf_jw_key_int(&w, "dirs", (int64_t)done->tally.dirs);
    sf_jw_key_str(&w, "worktree", place->worktree);
    sf_jw_key_bool(&w, "by_model", place->by_model);
    write_list(&w, "files", &done->moved);
    write_list(&w, "left", &done->kept);
    write_list(&w, "gone", &done->lost);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(place->store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

bool sf_undo_record(const struct sf_undo_place *place, const struct sf_undo *undo, const char *what,
                    const char *surface, const struct sf_snap_restored *done, struct sf_error *err)
{
    struct sf_strbuf before = SF_STRBUF_INIT, after = SF_STRBUF_INIT, details = SF_STRBUF_INIT;
    struct sf_snapshot_new row = { .session = place->session ? place->session : SF_SESSION_PROJECT,
                                   .kind = "restore",
                                   .worktree = place->worktree,
                                   .commit = done->before };
    bool ok;

    sf_strbuf_addf(&before, "before %s", what);
    sf_strbuf_addf(&after, "after %s", what);
    write_details(undo, &details);
    row.label = before.buf;
    row.details = details.buf;
    ok = add_row(place, &row, err);
    row.kind = "after";
    row.commit = done->after;
    row.label = after.buf;
    ok = ok && add_row(place, &row, err) && add_event(place, what, surface, done, err);
    sf_strbuf_release(&before);
    sf_strbuf_release(&after);
    sf_strbuf_release(&details);
    return ok;
}
