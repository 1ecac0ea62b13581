/*
 * plan.c: turns the difference of two states into steps, and decides which are not done: a step
 * that would destroy something without a copy in a snapshot, or a change of others, is kept, and
 * the plan says why.
 */
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

const char sf_snap_was_ignored[] = "was ignored then";
static const char changed_since[] = "changed since";
static const char unsaved[] = "cannot be saved first";
static const char left_out[] = "the snapshot left it out";

struct planner {
    struct sf_snap *snap;
    const struct sf_plan_request *request;
    struct sf_snap_plan *out;
    struct sf_lineage *lineage; /* or NULL */
    struct sf_skips now_skipped, target_skipped;
    struct sf_strlist absent;
    struct sf_times times;    /* of the target */
    struct sf_strbuf blocked; /* a path that stays and has steps below it, or "" */
    const char *blocked_why;
};

static bool is_below(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    return !strncmp(dir, path, n) && (!path[n] || path[n] == '/');
}

bool sf_snap_absent(struct sf_snap *snap, const struct sf_snap_state *state, struct sf_strlist *out,
                    struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_oid_none(&state->absent) ||
              snap->git->read(snap->odb, &state->absent, SF_OBJECT_BLOB, &text, err);

    for (const char *at = text.buf; ok && at < text.buf + text.len; at += strlen(at) + 1)
        sf_strlist_add(out, at);
    sf_strlist_sort(out);
    sf_strbuf_release(&text);
    return ok;
}

/* The first path of the sorted list that does not come before this one. */
static size_t find_absent(const struct sf_strlist *sorted, const char *path)
{
    size_t low = 0, high = sorted->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(sorted->items[middle], path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sf_snap_absent_has(const struct sf_strlist *sorted, const char *path)
{
    size_t at = find_absent(sorted, path);

    return at < sorted->count && !strcmp(sorted->items[at], path);
}

bool sf_snap_absent_below(const struct sf_strlist *sorted, const char *path)
{
    char *below = sf_path_join(path, "");
    size_t at = find_absent(sorted, below);
    bool yes = sf_snap_absent_has(sorted, path) ||
               (at < sorted->count && is_below(path, sorted->items[at]));

    free(below);
    return yes;
}

/* Whether the path was asked for; missing directories above such a path are made too. */
static bool is_asked(const struct planner *p, const struct sf_tree_change *c)
{
    const struct sf_strlist *paths = p->request->paths;

    if (p->request->spares)
        return !p->request->spares(p->request->ctx, c->path,
                                   S_ISDIR(c->from.mode) || S_ISDIR(c->to.mode));
    if (!paths || !paths->count)
        return true;
    for (size_t i = 0; i < paths->count; i++)
        if (is_below(paths->items[i], c->path) ||
            (S_ISDIR(c->to.mode) && !c->from.mode && is_below(c->path, paths->items[i])))
            return true;
    return false;
}

/* The reason why a step is impossible even with `overwrite`, or NULL. */
static const char *obstacle(const struct planner *p, const struct sf_tree_change *c, bool *lost)
{
    const struct sf_skip *then = c->to.mode ? NULL : sf_skips_find(&p->target_skipped, c->path);

    *lost = then || (c->to.mode == SF_SNAP_REPOSITORY && !c->from.mode);
    if (c->from.mode == SF_SNAP_REPOSITORY || c->to.mode == SF_SNAP_REPOSITORY)
        return sf_skip_repository;
    if (!S_ISDIR(c->from.mode) && sf_skips_touch(&p->now_skipped, c->path)) {
        const struct sf_skip *now = sf_skips_find(&p->now_skipped, c->path);

        *lost = false;
        return now ? now->why : unsaved;
    }
    if (then)
        return then->why;
    return !c->to.mode && sf_skips_touch(&p->target_skipped, c->path) ? left_out : NULL;
}

/* When resuming: whether the path differs from what it was when the restore began. */
static bool has_moved(struct planner *p, const struct sf_tree_change *c, bool *out,
                      struct sf_error *err)
{
    const struct sf_snap_state *before = p->request->before;
    struct sf_snap_item then;
    bool ignored = false;

    *out = false;
    if (!sf_snap_lookup(p->snap, before, c->path, &then, err))
        return false;
    if (sf_snap_same_item(&then, &c->from))
        return true;
    if (!then.mode && !sf_snap_ignores(p->snap, before, c->path, false, &ignored, err))
        return false;
    *out = !ignored && !(before->partial && !then.mode);
    return true;
}

static bool is_others(struct planner *p, const struct sf_tree_change *c, bool *out,
                      struct sf_error *err)
{
    const struct sf_plan_request *r = p->request;
    struct sf_snap_item began = c->from;

    if (r->before && !sf_snap_lookup(p->snap, r->before, c->path, &began, err))
        return false;
    return sf_lineage_is_others(p->lineage, c->path, &c->to, &began, out, err);
}

/* Sets *why if the step is not to be done. */
static bool judge(struct planner *p, const struct sf_tree_change *c, const char **why, bool *lost,
                  struct sf_error *err)
{
    const struct sf_plan_request *r = p->request;
    bool yes = false;

    *why = obstacle(p, c, lost);
    if (*why)
        return true;
    if (!c->to.mode && !r->target->partial && !sf_snap_absent_below(&p->absent, c->path)) {
        if (!sf_snap_ignores(p->snap, r->target, c->path, S_ISDIR(c->from.mode), &yes, err))
            return false;
        *why = yes ? sf_snap_was_ignored : NULL;
    }
    if (!*why && r->before && c->from.mode && !S_ISDIR(c->from.mode)) {
        if (!has_moved(p, c, &yes, err))
            return false;
        *why = yes ? changed_since : NULL;
    }
    if (!*why && p->lineage && !r->overwrite) {
        if (!is_others(p, c, &yes, err))
            return false;
        *why = yes ? changed_since : NULL;
    }
    return true;
}

static void count(struct sf_snap_tally *tally, const struct sf_snap_step *step)
{
    bool dir = S_ISDIR(step->from.mode ? step->from.mode : step->to.mode);

    if (step->lost) {
        tally->lost++;
    } else if (step->kept) {
        tally->kept++;
        tally->since += step->kept == changed_since;
    } else if (dir && (!step->from.mode || !step->to.mode)) {
        tally->dirs++;
    } else if (!step->from.mode) {
        tally->added++;
    } else if (!step->to.mode) {
        tally->removed++;
    } else {
        tally->changed++;
    }
}

static void add_step(struct planner *p, const struct sf_tree_change *c, const char *why, bool lost)
{
    struct sf_snap_plan *plan = p->out;
    struct sf_snap_step step = {
        .path = sf_strndup(c->path, c->len), .from = c->from, .to = c->to, .kept = why, .lost = lost
    };

    step.from.name = step.to.name = NULL;
    step.modified = sf_times_find(&p->times, step.path);
    count(&plan->tally, &step);
    plan->steps = sf_grow(plan->steps, &plan->cap, plan->count + 1, sizeof(step));
    plan->steps[plan->count++] = step;
}

/* A temporary file, or the directory of contents that were written beforehand, or one of them. */
static bool is_temp(const struct planner *p, const char *path)
{
    const char *slash = strrchr(path, '/'), *temp = p->request->temp;
    char stage[SF_SNAP_TEMP];

    if (!temp)
        return false;
    sf_snap_stage_name(temp, stage);
    return !strcmp(slash ? slash + 1 : path, temp) || is_below(stage, path);
}

static bool add_change(void *ctx, const struct sf_tree_change *c, struct sf_error *err)
{
    struct planner *p = ctx;
    const char *why = NULL;
    bool lost = false;

    if (is_temp(p, c->path)) {
        add_step(p, c, NULL, false);
        return true;
    }
    if (!is_asked(p, c))
        return true;
    if (p->blocked.len && is_below(p->blocked.buf, c->path)) {
        if (p->blocked_why == sf_skip_repository)
            return true; /* reported as a whole */
        why = p->blocked_why;
    } else if (!judge(p, c, &why, &lost, err)) {
        return false;
    }
    if (why && (why == sf_skip_repository || (S_ISDIR(c->to.mode) && !S_ISDIR(c->from.mode)))) {
        sf_strbuf_reset(&p->blocked);
        sf_strbuf_add(&p->blocked, c->path, c->len);
        p->blocked_why = why;
    }
    add_step(p, c, why, lost);
    return true;
}

static uint32_t mode_of(const struct sf_skip *skip)
{
    if (!skip)
        return 0;
    return skip->known ? skip->stat.mode : skip->why == sf_skip_repository ? S_IFDIR : S_IFREG;
}

/* The file existed, no copy was kept, and now it is gone or different. */
static void add_lost(struct planner *p, const struct sf_tree_change *c, const struct sf_skip *then)
{
    struct stat st;

    if (then->why != sf_skip_hidden &&
        (c->from.mode || fstatat(p->snap->fd, c->path, &st, AT_SYMLINK_NOFOLLOW) < 0))
        add_step(p, c, then->why, true);
}

/* Adds steps for paths that are only in the lists of skips. */
static bool add_skip(void *ctx, const struct sf_skip_change *skip, struct sf_error *err)
{
    struct planner *p = ctx;
    const struct sf_skip *any = skip->to ? skip->to : skip->from;
    struct sf_tree_change c = { .path = any->path, .len = strlen(any->path) };

    (void)err;
    c.from.mode = mode_of(skip->from);
    c.to.mode = mode_of(skip->to);
    if (!is_asked(p, &c))
        return true;
    if (skip->to)
        add_lost(p, &c, skip->to);
    else if (skip->ignored && !sf_snap_absent_below(&p->absent, any->path))
        add_step(p, &c, sf_snap_was_ignored, false);
    else
        add_step(p, &c, any->why, false);
    return true;
}

/* The order of the tree walk: the contents of a directory before names that only start like it. */
static int by_walk(const void *a, const void *b)
{
    const struct sf_snap_step *x = a, *y = b;
    const unsigned char *p = (const unsigned char *)x->path, *q = (const unsigned char *)y->path;

    while (*p && *p == *q) {
        p++;
        q++;
    }
    return (*p == '/' ? 1 : *p ? *p + 1 : 0) - (*q == '/' ? 1 : *q ? *q + 1 : 0);
}

static bool add_skips(struct planner *p, struct sf_error *err)
{
    const struct sf_skips_pair pair = { .from = p->request->now,
                                        .to = p->request->target,
                                        .from_list = &p->now_skipped,
                                        .to_list = &p->target_skipped };
    size_t before = p->out->count;
    bool ok = sf_skips_compare(p->snap, &pair, add_skip, p, err);

    if (p->out->count > before)
        qsort(p->out->steps, p->out->count, sizeof(*p->out->steps), by_walk);
    return ok;
}

bool sf_snap_plan_make(struct sf_snap *snap, const struct sf_plan_request *request,
                       struct sf_snap_plan *out, struct sf_error *err)
{
    struct planner p = { .snap = snap,
                         .request = request,
                         .out = out,
                         .now_skipped = SF_SKIPS_INIT,
                         .target_skipped = SF_SKIPS_INIT,
                         .times = SF_TIMES_INIT,
                         .blocked = SF_STRBUF_INIT };
    bool ok = sf_skips_load(snap, &request->now->skipped, &p.now_skipped, err) &&
              sf_skips_load(snap, &request->target->skipped, &p.target_skipped, err) &&
              sf_times_load(snap, &request->target->times, &p.times, err) &&
              sf_snap_absent(snap, request->target, &p.absent, err);

    if (ok && request->lineage) {
        p.lineage = sf_lineage_load(snap, request->lineage, err);
        ok = p.lineage;
    }
    ok = ok && sf_snap_diff_trees(snap, request->now, request->target, add_change, &p, err) &&
         add_skips(&p, err);
    sf_lineage_free(p.lineage);
    sf_skips_release(&p.now_skipped);
    sf_skips_release(&p.target_skipped);
    sf_strlist_release(&p.absent);
    sf_times_release(&p.times);
    sf_strbuf_release(&p.blocked);
    return ok;
}

void sf_snap_plan_release(struct sf_snap_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->steps[i].path);
    free(plan->steps);
    *plan = (struct sf_snap_plan){ 0 };
}

struct sf_snap_change sf_snap_step_change(const struct sf_snap_step *s)
{
    return (struct sf_snap_change){
        .how = !s->from.mode ? SF_SNAP_HOW_ADDED
               : !s->to.mode ? SF_SNAP_HOW_REMOVED
                             : SF_SNAP_HOW_CHANGED,
        .path = s->path,
        .from_mode = s->from.mode,
        .to_mode = s->to.mode,
        .kept = s->kept,
        .lost = s->lost,
    };
}

void sf_snap_plan_tell(const struct sf_snap_plan *plan, sf_snap_change_fn *fn, void *ctx)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_snap_change change = sf_snap_step_change(&plan->steps[i]);

        if (!fn(ctx, &change))
            break;
    }
}

bool sf_snap_temp_name(char out[SF_SNAP_TEMP], struct sf_error *err)
{
    uint64_t lot;

    if (getrandom(&lot, sizeof(lot), 0) != (ssize_t)sizeof(lot))
        return sf_fail_errno(err, "cannot restore");
    snprintf(out, SF_SNAP_TEMP, ".sf-tmp-%016llx", (unsigned long long)lot);
    return true;
}

void sf_snap_plan_keep(struct sf_snap_plan *plan, struct sf_snap_step *step, const char *why)
{
    struct sf_snap_tally was = { 0 };

    if (step->kept)
        return;
    count(&was, step);
    plan->tally.added -= was.added;
    plan->tally.changed -= was.changed;
    plan->tally.removed -= was.removed;
    plan->tally.dirs -= was.dirs;
    plan->tally.kept++;
    step->kept = why;
}
