/*
 * restore.c: restores a snapshot, so that it can always be undone and never stays half done.
 *
 *     save the present ─► journal ─► sync ─► plan, apply ─► sync ─► save the result ─► no journal
 *
 * The journal names the snapshots: goal, before, and the lineage that tells changes of others.
 * Together with the workspace that is enough: a file as in `before` is still to do, a file as in
 * the goal is done, any other was changed by others and is kept. So resuming is planning again.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

enum { JOURNAL_MAX = 1024 * 1024 };

/* Version 1 had at most one stop. */
static const char journal_magic[] = "sf restore 3", second_magic[] = "sf restore 2",
                  first_magic[] = "sf restore 1";

struct journal {
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];
    struct sf_snap_lineage lineage;
    bool has_trail;
    bool overwrite;
    char temp[SF_SNAP_TEMP];
    struct sf_strlist paths;
};

/* ---- the journal ---- */

static void journal_release(struct journal *j)
{
    sf_strlist_release(&j->paths);
    sf_snap_lineage_release(&j->lineage);
}

/*
 * A head "COUNT RUNNING", or "-" without a lineage; then for each stop its id, and `ours` with the
 * number of the excepted paths, each of which ends with a NUL.
 */
static void write_trail(const struct journal *j, struct sf_strbuf *out)
{
    if (!j->has_trail) {
        sf_strbuf_adds(out, "-\n");
        return;
    }
    sf_strbuf_addf(out, "%zu %d\n", j->lineage.count, j->lineage.running);
    for (size_t i = 0; i < j->lineage.count; i++) {
        const struct sf_snap_stop *stop = &j->lineage.items[i];

        sf_strbuf_addf(out, "%s\n%d %zu\n", stop->id, stop->ours, stop->except.count);
        for (size_t k = 0; k < stop->except.count; k++)
            sf_strbuf_add(out, stop->except.items[k], strlen(stop->except.items[k]) + 1);
    }
}

static bool journal_write(struct sf_snap *snap, const struct journal *j, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_addf(&text, "%s\n%s\n%s\n", journal_magic, j->goal, j->before);
    write_trail(j, &text);
    sf_strbuf_addf(&text, "%d\n%s\n", j->overwrite, j->temp);
    for (size_t i = 0; i < j->paths.count; i++)
        sf_strbuf_add(&text, j->paths.items[i], strlen(j->paths.items[i]) + 1);
    ok = text.len < JOURNAL_MAX || sf_fail(err, SF_E_LIMIT, "too many paths to restore at once");
    ok = ok && sf_snap_put(snap->journal, text.buf, text.len, err) && sf_snap_sync(snap, err);
    sf_strbuf_release(&text);
    return ok;
}

/* Copies the next line to `out`; false if it is missing or too long. */
static bool take_line(const char **at, char *out, size_t size)
{
    size_t n = strcspn(*at, "\n");

    if (n >= size || (*at)[n] != '\n')
        return false;
    memcpy(out, *at, n);
    out[n] = '\0';
    *at += n + 1;
    return true;
}

static bool take_id(const char **at, char id[SF_SNAP_ID + 1])
{
    struct sf_oid oid;

    return take_line(at, id, SF_SNAP_ID + 1) && sf_oid_read(id, &oid);
}

/* Stops of the second version have no number of paths. */
static bool take_stop(const char **at, const char *end, struct journal *j)
{
    char flag[32], id[SF_SNAP_ID + 1];
    struct sf_snap_stop *stop;
    unsigned long count;

    if (!take_id(at, id) || !take_line(at, flag, sizeof(flag)))
        return false;
    stop = sf_snap_lineage_add(&j->lineage, id, flag[0] == '1');
    count = flag[1] ? strtoul(flag + 1, NULL, 10) : 0;
    for (unsigned long i = 0; i < count; i++) {
        if (*at >= end)
            return false;
        sf_strlist_add(&stop->except, *at);
        *at += strlen(*at) + 1;
    }
    return true;
}

static bool take_trail(const char **at, const char *stop, bool first, struct journal *j)
{
    char head[SF_SNAP_ID + 1];
    unsigned long count;
    char *end;

    if (!take_line(at, head, sizeof(head)))
        return false;
    j->has_trail = strcmp(head, "-") != 0;
    if (!j->has_trail)
        return true;
    if (first) {
        sf_snap_lineage_add(&j->lineage, head, true);
        return true;
    }
    count = strtoul(head, &end, 10);
    j->lineage.running = !strcmp(end, " 1");
    for (unsigned long i = 0; i < count; i++)
        if (!take_stop(at, stop, j))
            return false;
    return true;
}

static bool journal_parse(const struct sf_strbuf *text, struct journal *j)
{
    const char *at = text->buf;
    char magic[sizeof(journal_magic)], flag[2];

    if (!take_line(&at, magic, sizeof(magic)) ||
        (strcmp(magic, journal_magic) != 0 && strcmp(magic, second_magic) != 0 &&
         strcmp(magic, first_magic) != 0) ||
        !take_id(&at, j->goal) || !take_id(&at, j->before) ||
        !take_trail(&at, text->buf + text->len, !strcmp(magic, first_magic), j) ||
        !take_line(&at, flag, sizeof(flag)) || !take_line(&at, j->temp, sizeof(j->temp)))
        return false;
    j->overwrite = flag[0] == '1';
    for (; at < text->buf + text->len; at += strlen(at) + 1)
        sf_strlist_add(&j->paths, at);
    return true;
}

/* False without an error: there is no journal. SF_E_DAMAGED: it cannot be parsed. */
static bool journal_read(const struct sf_snap *snap, struct journal *j, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_file_read(snap->journal, JOURNAL_MAX, &text, &ignored);

    if (!ok && ignored.code != SF_E_NOENT) {
        *err = ignored;
    } else if (ok && !journal_parse(&text, j)) {
        sf_fail(err, SF_E_DAMAGED, "the journal %s cannot be read", snap->journal);
        ok = sf_hint(err, "remove that file to keep the files of the workspace as they are now");
    }
    sf_strbuf_release(&text);
    return ok;
}

/* ---- states ---- */

static bool add_path(void *ctx, const struct sf_tree_change *c, struct sf_error *err)
{
    (void)err;
    if (!S_ISDIR(c->to.mode))
        sf_strlist_adopt(ctx, sf_strndup(c->path, c->len));
    return true;
}

/* The paths of a partial snapshot, present and absent. */
static bool paths_of(struct sf_snap *snap, const struct sf_snap_state *state,
                     struct sf_strlist *out, struct sf_error *err)
{
    const struct sf_snap_state empty = { .partial = true };

    return sf_snap_diff_trees(snap, &empty, state, add_path, out, err) &&
           sf_snap_absent(snap, state, out, err);
}

struct looked {
    struct sf_snap_state now;
    struct sf_snap_result result;
};

/* clang-format off */
#define LOOKED_INIT { .result = SF_SNAP_RESULT_INIT }
/* clang-format on */

/*
 * Scans the workspace, as far as the goal is concerned; with `request` the result becomes a
 * snapshot. The lock must be held.
 */
static bool look(struct sf_snap *snap, const struct sf_snap_state *goal,
                 const struct sf_snap_goal *how, const struct sf_snap_request *request,
                 struct looked *out, struct sf_error *err)
{
    struct sf_strlist paths = SF_STRLIST_INIT;
    const struct sf_scan_request scan = {
        .extra = &paths, .target = goal, .exclude = goal, .cancel = how->cancel
    };
    bool ok;

    if (goal->partial) {
        ok = paths_of(snap, goal, &paths, err) &&
             sf_snap_keep_locked(snap, &paths, NULL, &out->now, &out->result, err);
    } else {
        for (size_t i = 0; how->extra && i < how->extra->count; i++)
            sf_strlist_add(&paths, how->extra->items[i]);
        ok = sf_snap_absent(snap, goal, &paths, err) &&
             sf_snap_scan(snap, &scan, &out->now, &out->result, err) &&
             sf_snap_note_absent(snap, &paths, &out->now, &out->result, err);
    }
    ok = ok && (!request || sf_snap_commit(snap, &out->now, request, &out->result, err));
    sf_strlist_release(&paths);
    return ok;
}

/* Normalises the paths of the request. */
static bool normalize(const struct sf_strlist *paths, struct sf_strlist *out, struct sf_error *err)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok = true;

    for (size_t i = 0; ok && paths && i < paths->count; i++) {
        sf_strbuf_reset(&path);
        ok = sf_beneath_normalize(paths->items[i], &path, err);
        if (ok && path.len)
            sf_strlist_add(out, path.buf);
    }
    sf_strbuf_release(&path);
    return ok;
}

/* ---- the plan only ---- */

bool sf_snap_restore_plan(struct sf_snap *snap, const struct sf_snap_goal *goal,
                          sf_snap_change_fn *fn, void *ctx, struct sf_snap_tally *tally,
                          struct sf_error *err)
{
    struct looked looked = LOOKED_INIT;
    struct sf_strlist paths = SF_STRLIST_INIT;
    struct sf_snap_state target = { 0 };
    struct sf_snap_plan plan = { 0 };
    struct sf_lock lock = SF_LOCK_INIT;
    const struct sf_plan_request request = { .now = &looked.now,
                                             .target = &target,
                                             .lineage = goal->lineage,
                                             .paths = &paths,
                                             .overwrite = goal->overwrite };
    bool ok = normalize(goal->paths, &paths, err) && sf_snap_lock(snap, goal->cancel, &lock, err) &&
              sf_snap_load(snap, goal->id, &target, err) &&
              look(snap, &target, goal, NULL, &looked, err) &&
              sf_snap_plan_make(snap, &request, &plan, err);

    if (ok)
        sf_snap_plan_tell(&plan, fn, ctx);
    *tally = plan.tally;
    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    sf_snap_plan_release(&plan);
    sf_snap_result_release(&looked.result);
    sf_strlist_release(&paths);
    return ok;
}

/* ---- restoring ---- */

static bool sync_root(struct sf_snap *snap, struct sf_error *err)
{
    return syncfs(snap->fd) == 0 || sf_fail_errno(err, "cannot make the restore durable");
}

static void report(const struct sf_snap_plan *plan, struct sf_snap_restored *out)
{
    out->tally = plan->tally;
    for (size_t i = 0; i < plan->count && out->kept.count + out->lost.count < SF_SNAP_SKIPS_MAX;
         i++)
        if (plan->steps[i].kept)
            sf_strlist_addf(plan->steps[i].lost ? &out->lost : &out->kept, "%s: %s",
                            plan->steps[i].path, plan->steps[i].kept);
}

/* Saves the whole workspace even if only some files were restored: it is the next stop. */
static bool save_result(struct sf_snap *snap, const struct sf_snap_plan *plan,
                        const struct sf_snap_state *target, const struct sf_snap_goal *how,
                        char id[SF_SNAP_ID + 1], struct sf_error *err)
{
    const struct sf_scan_request scan = { .extra = how->extra,
                                          .target = target,
                                          .exclude = target };
    const struct sf_snap_request after = { .kind = SF_SNAP_AFTER,
                                           .label = "after a restore",
                                           .session = how->session };
    struct sf_snap_result result = SF_SNAP_RESULT_INIT;
    struct sf_strlist gone = SF_STRLIST_INIT;
    struct sf_snap_state state;
    bool ok;

    for (size_t i = 0; i < plan->count; i++)
        if (!plan->steps[i].kept && !plan->steps[i].to.mode)
            sf_strlist_add(&gone, plan->steps[i].path);
    ok = sf_snap_scan(snap, &scan, &state, &result, err) &&
         sf_snap_note_absent(snap, &gone, &state, &result, err) &&
         sf_snap_commit(snap, &state, &after, &result, err);
    sf_strlist_release(&gone);
    memcpy(id, result.id, sizeof(result.id));
    sf_snap_result_release(&result);
    return ok;
}

static bool carry_out(struct sf_snap *snap, const struct journal *j,
                      const struct sf_plan_request *request, const struct sf_snap_goal *how,
                      struct sf_snap_restored *out, struct sf_error *err)
{
    struct sf_snap_plan plan = { 0 };
    bool ok = sf_snap_plan_make(snap, request, &plan, err) &&
              sf_snap_apply(snap, &plan, j->temp, how->cancel, err) && sync_root(snap, err) &&
              save_result(snap, &plan, request->target, how, out->after, err);

    if (ok && unlink(snap->journal) < 0)
        ok = sf_fail_errno(err, "cannot remove %s", snap->journal);
    memcpy(out->before, j->before, sizeof(out->before));
    report(&plan, out);
    sf_snap_plan_release(&plan);
    return ok;
}

static void copy_trail(const struct sf_snap_lineage *from, struct sf_snap_lineage *to)
{
    to->running = from->running;
    for (size_t i = 0; i < from->count; i++) {
        struct sf_snap_stop *stop = sf_snap_lineage_add(to, from->items[i].id, from->items[i].ours);

        for (size_t k = 0; k < from->items[i].except.count; k++)
            sf_strlist_add(&stop->except, from->items[i].except.items[k]);
    }
}

/* Saves the present state and writes the journal; from here on the restore can be undone. */
static bool begin(struct sf_snap *snap, const struct sf_snap_goal *goal,
                  const struct sf_snap_state *target, struct journal *j, struct looked *looked,
                  struct sf_error *err)
{
    char label[64];
    const struct sf_snap_request request = { .kind = SF_SNAP_RESTORE,
                                             .label = label,
                                             .session = goal->session };
    bool ok;

    snprintf(label, sizeof(label), "before restoring %.10s", goal->id);
    snprintf(j->goal, sizeof(j->goal), "%s", goal->id);
    j->has_trail = goal->lineage != NULL;
    if (goal->lineage)
        copy_trail(goal->lineage, &j->lineage);
    j->overwrite = goal->overwrite;
    ok = sf_snap_temp_name(j->temp, err) && normalize(goal->paths, &j->paths, err) &&
         look(snap, target, goal, &request, looked, err);
    if (ok)
        memcpy(j->before, looked->result.id, sizeof(j->before));
    return ok && journal_write(snap, j, err);
}

/*
 * A damaged journal means a power cut while it was being written, before any file was touched: it
 * is set aside.
 */
static bool none_waits(struct sf_snap *snap, struct sf_error *err)
{
    struct sf_error unreadable = SF_ERROR_INIT;
    struct journal j = { .goal = "" };
    bool found = journal_read(snap, &j, &unreadable);

    journal_release(&j);
    if (found) {
        sf_fail(err, SF_E_EXIST, "an earlier restore was interrupted");
        return sf_hint(err, "`sf restore resume` finishes it, with --back it is undone");
    }
    if (unreadable.code == SF_E_DAMAGED) {
        char *aside = sf_path_join(snap->own, "damaged-restore");

        sf_log(SF_LOG_WARN, "%s; moved to %s", unreadable.msg, aside);
        if (rename(snap->journal, aside) < 0)
            unreadable.code = SF_E_IO;
        free(aside);
    }
    if (unreadable.code == SF_E_NONE || unreadable.code == SF_E_DAMAGED)
        return true;
    *err = unreadable;
    return false;
}

bool sf_snap_restore(struct sf_snap *snap, const struct sf_snap_goal *goal,
                     struct sf_snap_restored *out, struct sf_error *err)
{
    struct journal j = { .goal = "" };
    struct sf_lock lock = SF_LOCK_INIT;
    struct looked looked = LOOKED_INIT;
    struct sf_snap_state target = { 0 };
    const struct sf_plan_request request = { .now = &looked.now,
                                             .target = &target,
                                             .lineage = goal->lineage,
                                             .paths = &j.paths,
                                             .overwrite = goal->overwrite };
    bool ok = sf_snap_lock(snap, goal->cancel, &lock, err) && none_waits(snap, err) &&
              sf_snap_load(snap, goal->id, &target, err) &&
              begin(snap, goal, &target, &j, &looked, err) &&
              carry_out(snap, &j, &request, goal, out, err);

    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    sf_snap_result_release(&looked.result);
    journal_release(&j);
    return ok;
}

bool sf_snap_interrupted(struct sf_snap *snap, char goal[SF_SNAP_ID + 1],
                         char before[SF_SNAP_ID + 1])
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct journal j = { .goal = "" };
    bool found = journal_read(snap, &j, &ignored);

    memcpy(goal, j.goal, sizeof(j.goal));
    memcpy(before, j.before, sizeof(j.before));
    journal_release(&j);
    return found;
}

static bool resume_locked(struct sf_snap *snap, struct journal *j, bool back,
                          struct sf_snap_restored *out, struct sf_error *err)
{
    const struct sf_snap_goal how = { .id = j->goal };
    struct sf_snap_state goal = { 0 }, before = { 0 };
    struct looked looked = LOOKED_INIT;
    const struct sf_plan_request request = { .now = &looked.now,
                                             .target = back ? &before : &goal,
                                             .before = back ? &goal : &before,
                                             .lineage = j->has_trail && !back ? &j->lineage : NULL,
                                             .paths = &j->paths,
                                             .overwrite = j->overwrite,
                                             .temp = j->temp };
    bool ok = sf_snap_load(snap, j->goal, &goal, err) &&
              sf_snap_load(snap, j->before, &before, err) &&
              look(snap, request.target, &how, NULL, &looked, err) &&
              carry_out(snap, j, &request, &how, out, err);

    sf_snap_result_release(&looked.result);
    return ok;
}

bool sf_snap_resume(struct sf_snap *snap, bool back, struct sf_snap_restored *out,
                    struct sf_error *err)
{
    struct journal j = { .goal = "" };
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok = sf_snap_lock(snap, NULL, &lock, err);

    if (ok && !journal_read(snap, &j, err)) {
        ok = false;
        if (err->code == SF_E_NONE)
            sf_fail(err, SF_E_NOENT, "no restore waits to be finished");
    }
    ok = ok && resume_locked(snap, &j, back, out, err);
    snap->git->drop(snap->odb);
    sf_lock_drop(&lock);
    journal_release(&j);
    return ok;
}
