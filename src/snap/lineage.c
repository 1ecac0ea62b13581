/*
 * lineage.c: finds out who changed a path. The snapshots since the goal form a line, and each step
 * from one to the next was made by sf or by others:
 *
 *     goal ──sf──► after ──?──► before ──sf──► after ──?──► now
 *
 * A path is followed along this line. If it changed in a step of others and has not returned to
 * what the goal has, a restore would destroy that change. A snapshot that left the path out knows
 * nothing of it; then the steps up to the next snapshot that does count as one.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

struct stop {
    struct sf_snap_state state;
    struct sf_skips skips;
    struct sf_strlist absent;
    bool ours;
    const struct sf_strlist *except; /* files of which the opposite of `ours` is true */
    bool passed;                     /* the steps before and after it are by the same side */
};

struct sf_lineage {
    struct sf_snap *snap;
    struct stop *stops;
    size_t count, cap;
    bool running;
};

struct sf_snap_stop *sf_snap_lineage_add(struct sf_snap_lineage *lineage, const char *id, bool ours)
{
    struct sf_snap_stop *stop;

    lineage->items = sf_grow(lineage->items, &lineage->cap, lineage->count + 1, sizeof(*stop));
    stop = &lineage->items[lineage->count++];
    *stop = (struct sf_snap_stop){ .ours = ours, .except = SF_STRLIST_INIT };
    snprintf(stop->id, sizeof(stop->id), "%s", id);
    return stop;
}

void sf_snap_lineage_release(struct sf_snap_lineage *lineage)
{
    for (size_t i = 0; i < lineage->count; i++)
        sf_strlist_release(&lineage->items[i].except);
    free(lineage->items);
    *lineage = (struct sf_snap_lineage){ 0 };
}

static bool same_state(const struct sf_snap_state *a, const struct sf_snap_state *b)
{
    return a->partial == b->partial && sf_oid_same(&a->files, &b->files) &&
           sf_oid_same(&a->modes, &b->modes) && sf_oid_same(&a->skipped, &b->skipped) &&
           sf_oid_same(&a->absent, &b->absent) && sf_oid_same(&a->exclude, &b->exclude);
}

static void release_stop(struct stop *stop)
{
    sf_skips_release(&stop->skips);
    sf_strlist_release(&stop->absent);
}

/* A stop where nothing changed adds nothing. */
static void add_stop(struct sf_lineage *t, const struct sf_snap_state *state, bool ours,
                     const struct sf_strlist *except)
{
    struct stop *last = t->count ? &t->stops[t->count - 1] : NULL;

    if (last && same_state(&last->state, state))
        return;
    if (last)
        last->passed = last->ours == ours;
    t->stops = sf_grow(t->stops, &t->cap, t->count + 1, sizeof(*t->stops));
    t->stops[t->count++] =
        (struct stop){ .state = *state, .skips = SF_SKIPS_INIT, .ours = ours, .except = except };
}

struct sf_lineage *sf_lineage_load(struct sf_snap *snap, const struct sf_snap_lineage *from,
                                   struct sf_error *err)
{
    static const struct sf_strlist none = SF_STRLIST_INIT;
    struct sf_lineage *t = sf_alloc(sizeof(*t));
    bool ok = true, others = false; /* a step of others was seen since the last readable stop */

    t->snap = snap;
    for (size_t i = 0; i < from->count; i++) {
        struct sf_error unreadable = SF_ERROR_INIT;
        struct sf_snap_state state;
        bool longer = others; /* by a step of others, of which nothing is excepted */

        others = others || !from->items[i].ours;
        if (!sf_snap_load(snap, from->items[i].id, &state, &unreadable)) {
            sf_log(SF_LOG_WARN, "a state on the way is passed over: %s", unreadable.msg);
            others = others || from->items[i].except.count; /* of the step, which is now longer */
            continue;
        }
        add_stop(t, &state, !others, longer ? &none : &from->items[i].except);
        others = false;
    }
    t->running = from->running && !others;
    for (size_t i = 0; ok && i < t->count; i++) {
        ok = sf_skips_load(snap, &t->stops[i].state.skipped, &t->stops[i].skips, err) &&
             sf_snap_absent(snap, &t->stops[i].state, &t->stops[i].absent, err);
    }
    if (ok)
        return t;
    sf_lineage_free(t);
    return NULL;
}

void sf_lineage_free(struct sf_lineage *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->count; i++)
        release_stop(&t->stops[i]);
    free(t->stops);
    free(t);
}

bool sf_snap_same_item(const struct sf_snap_item *a, const struct sf_snap_item *b)
{
    return a->mode == b->mode && (S_ISDIR(a->mode) || sf_oid_same(&a->oid, &b->oid));
}

/* The item at the path at this stop; `*known` false: the stop does not know. */
static bool recall(struct sf_lineage *t, const struct stop *stop, const char *path,
                   struct sf_snap_item *item, bool *known, struct sf_error *err)
{
    bool out = false;

    if (!sf_snap_lookup(t->snap, &stop->state, path, item, err))
        return false;
    *known = item->mode || sf_snap_absent_below(&stop->absent, path);
    if (*known || stop->state.partial || sf_skips_touch(&stop->skips, path))
        return true;
    if (!sf_snap_ignores(t->snap, &stop->state, path, false, &out, err))
        return false;
    *known = !out;
    return true;
}

struct ends {
    const struct sf_snap_item *goal, *now;
};

static bool is_by_others(const struct sf_lineage *t, size_t step, const char *path)
{
    const struct stop *stop = step < t->count ? &t->stops[step] : NULL;

    return stop ? stop->ours == sf_strlist_has(stop->except, path) : !t->running;
}

/* Whether a step excepts the path: then each stop counts. */
static bool is_listed(const struct sf_lineage *t, const char *path)
{
    for (size_t i = 0; i < t->count; i++)
        if (sf_strlist_has(t->stops[i].except, path))
            return true;
    return false;
}

/* Without `all`, looks only at stops between a step of sf and a step of others. */
static bool follow(struct sf_lineage *t, const char *path, const struct ends *ends, bool all,
                   bool *out, struct sf_error *err)
{
    const struct sf_snap_item *goal = ends->goal, *now = ends->now;
    struct sf_snap_item last = *goal, item;
    bool others = false, known;

    *out = false;
    for (size_t i = 0; i <= t->count; i++) {
        if (!all && i < t->count && t->stops[i].passed)
            continue;
        others = others || is_by_others(t, i, path);
        item = *now;
        known = true;
        if (i < t->count && !recall(t, &t->stops[i], path, &item, &known, err))
            return false;
        if (!known)
            continue;
        if (sf_snap_same_item(&item, goal))
            *out = false; /* the path is back at the goal, so earlier changes are gone already */
        else if (others && !sf_snap_same_item(&item, &last))
            *out = true;
        last = item;
        others = false;
    }
    return true;
}

/* Skipping stops can only add suspicion, so all stops are read only for suspicious paths. */
bool sf_lineage_is_others(struct sf_lineage *t, const char *path, const struct sf_snap_item *goal,
                          const struct sf_snap_item *now, bool *out, struct sf_error *err)
{
    const struct ends ends = { goal, now };

    if (is_listed(t, path))
        return follow(t, path, &ends, true, out, err);
    return follow(t, path, &ends, false, out, err) &&
           (!*out || follow(t, path, &ends, true, out, err));
}
