/*
 * plan.c: from the difference of two states to steps, and which of them are not done: what would
 * destroy something that no snapshot has, or that somebody changed since, is kept, and the plan
 * says why.
 */
#include <sys/random.h>
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

const char sf_snap_was_ignored[] = "was ignored then";
static const char changed_since[] = "changed since";

struct planner {
    struct sf_snap *snap;
    const struct sf_plan_request *request;
    struct sf_snap_plan *out;
    struct sf_strlist now_skipped, target_skipped, absent;
    struct sf_strbuf blocked; /* a path that stays and has steps below it, or "" */
    const char *blocked_why;
};

static bool is_below(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    return !strncmp(dir, path, n) && (!path[n] || path[n] == '/');
}

/* The paths of a list of skips, or of absent files (`stride` 1). */
static bool load_paths(struct sf_snap *snap, const struct sf_oid *blob, int stride,
                       struct sf_strlist *out, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_oid_none(blob) || snap->git->read(snap->odb, blob, SF_OBJECT_BLOB, &text, err);
    int n = 0;

    for (const char *at = text.buf; ok && at < text.buf + text.len; at += strlen(at) + 1)
        if (n++ % stride == 0)
            sf_strlist_add(out, at);
    sf_strlist_sort(out);
    sf_strbuf_release(&text);
    return ok;
}

bool sf_snap_absent(struct sf_snap *snap, const struct sf_snap_state *state, struct sf_strlist *out,
                    struct sf_error *err)
{
    return load_paths(snap, &state->absent, 1, out, err);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One of the paths is this one, or above it. */
static bool touches(const struct sf_strlist *skipped, const char *path)
{
    char *key = skipped->count ? sf_strdup(path) : NULL;
    bool found = false;

    for (char *end = key; end && !found; end = strrchr(key, '/')) {
        if (end != key)
            *end = '\0';
        found = bsearch(&key, skipped->items, skipped->count, sizeof(char *), by_text) != NULL;
    }
    free(key);
    return found;
}

/* Asked for; directories above what was asked for are made when they are missing. */
static bool is_asked(const struct planner *p, const struct sf_diff_change *c)
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

static bool same(const struct sf_snap_item *a, const struct sf_snap_item *b)
{
    return a->mode == b->mode && (S_ISDIR(a->mode) || sf_oid_same(&a->oid, &b->oid));
}

/* Whether somebody changed the path since `base`; a directory's insides speak for themselves. */
static bool differs_from(struct planner *p, const struct sf_snap_state *base,
                         const struct sf_diff_change *c, bool *out, struct sf_error *err)
{
    struct sf_snap_item then;
    bool ignored = false;

    *out = false;
    if (!sf_snap_lookup(p->snap, base, c->path, &then, err))
        return false;
    if (same(&then, &c->from))
        return true;
    if (!then.mode && !sf_snap_ignores(p->snap, base, c->path, false, &ignored, err))
        return false;
    *out = !ignored && !(base->partial && !then.mode);
    return true;
}

/* The snapshot says of an ignored path, or of one below it, that it was not there. */
static bool was_absent(const struct planner *p, const char *path)
{
    for (size_t i = 0; i < p->absent.count; i++)
        if (is_below(path, p->absent.items[i]))
            return true;
    return false;
}

/* Sets *why when the step is not to be done. */
static bool judge(struct planner *p, const struct sf_diff_change *c, const char **why,
                  struct sf_error *err)
{
    const struct sf_plan_request *r = p->request;
    bool yes = false;

    *why = NULL;
    if (c->from.mode == SF_SNAP_REPOSITORY || c->to.mode == SF_SNAP_REPOSITORY)
        *why = "a repository of its own";
    else if (!S_ISDIR(c->from.mode) && touches(&p->now_skipped, c->path))
        *why = "cannot be saved first";
    else if (!c->to.mode && touches(&p->target_skipped, c->path))
        *why = "the snapshot left it out";
    if (*why)
        return true;
    if (!c->to.mode && !r->target->partial && !was_absent(p, c->path)) {
        if (!sf_snap_ignores(p->snap, r->target, c->path, S_ISDIR(c->from.mode), &yes, err))
            return false;
        *why = yes ? sf_snap_was_ignored : NULL;
    }
    if (!*why && r->before && c->from.mode && !S_ISDIR(c->from.mode)) {
        if (!differs_from(p, r->before, c, &yes, err))
            return false;
        *why = yes ? changed_since : NULL;
    }
    if (!*why && r->base && !r->overwrite) {
        struct sf_diff_change began = *c;

        if (r->before && !sf_snap_lookup(p->snap, r->before, c->path, &began.from, err))
            return false;
        if (!differs_from(p, r->base, &began, &yes, err))
            return false;
        *why = yes ? changed_since : NULL;
    }
    return true;
}

static void count(struct sf_snap_tally *tally, const struct sf_snap_step *step)
{
    bool dir = S_ISDIR(step->from.mode ? step->from.mode : step->to.mode);

    if (step->kept) {
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

static void add_step(struct sf_snap_plan *plan, const struct sf_diff_change *c, const char *why)
{
    struct sf_snap_step step = {
        .path = sf_strndup(c->path, c->len), .from = c->from, .to = c->to, .kept = why
    };

    step.from.name = step.to.name = NULL;
    count(&plan->tally, &step);
    plan->steps = sf_grow(plan->steps, &plan->cap, plan->count + 1, sizeof(step));
    plan->steps[plan->count++] = step;
}

static bool is_temp(const struct planner *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    return p->request->temp && !strcmp(slash ? slash + 1 : path, p->request->temp);
}

static bool add_change(void *ctx, const struct sf_diff_change *c, struct sf_error *err)
{
    struct planner *p = ctx;
    const char *why = NULL;

    if (is_temp(p, c->path)) {
        add_step(p->out, c, NULL);
        return true;
    }
    if (!is_asked(p, c))
        return true;
    if (p->blocked.len && is_below(p->blocked.buf, c->path))
        why = p->blocked_why;
    else if (!judge(p, c, &why, err))
        return false;
    if (why && S_ISDIR(c->to.mode) && !S_ISDIR(c->from.mode)) {
        sf_strbuf_reset(&p->blocked);
        sf_strbuf_add(&p->blocked, c->path, c->len);
        p->blocked_why = why;
    }
    add_step(p->out, c, why);
    return true;
}

bool sf_snap_plan_make(struct sf_snap *snap, const struct sf_plan_request *request,
                       struct sf_snap_plan *out, struct sf_error *err)
{
    struct planner p = { .snap = snap, .request = request, .out = out, .blocked = SF_STRBUF_INIT };
    bool ok = load_paths(snap, &request->now->skipped, 2, &p.now_skipped, err) &&
              load_paths(snap, &request->target->skipped, 2, &p.target_skipped, err) &&
              sf_snap_absent(snap, request->target, &p.absent, err) &&
              sf_snap_diff_trees(snap, request->now, request->target, add_change, &p, err);

    sf_strlist_release(&p.now_skipped);
    sf_strlist_release(&p.target_skipped);
    sf_strlist_release(&p.absent);
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

void sf_snap_plan_tell(const struct sf_snap_plan *plan, sf_snap_change_fn *fn, void *ctx)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_snap_step *s = &plan->steps[i];
        const struct sf_snap_change change = {
            .how = !s->from.mode ? SF_SNAP_ADDED
                   : !s->to.mode ? SF_SNAP_REMOVED
                                 : SF_SNAP_CHANGED,
            .path = s->path,
            .from_mode = s->from.mode,
            .to_mode = s->to.mode,
            .kept = s->kept,
        };

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
