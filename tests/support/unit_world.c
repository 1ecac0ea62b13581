/*
 * unit_world.c: the performer and what it checks. Saves go through a lease with a token, as in the
 * store; a process whose save is refused is replaced. A second machine reads every event as text
 * and must equal the running one, which is looked at after every step that saved in a third of
 * the runs, and after about every tenth in the others.
 */
#include "support/unit_world.h"

#include <inttypes.h>

#include "base/base.h"
#include "support/test.h"
#include "support/unit_world_parts.h"

uint64_t world_random(struct world *w, uint64_t n)
{
    w->rng ^= w->rng << 13;
    w->rng ^= w->rng >> 7;
    w->rng ^= w->rng << 17;
    return n ? (w->rng * UINT64_C(0x2545F4914F6CDD1D) >> 32) % n : 0;
}

bool world_chance(struct world *w, int percent)
{
    return (int)world_random(w, 100) < percent;
}

void world_note(struct world *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(w->trail[w->trail_at++ % WORLD_TRAIL], sizeof(w->trail[0]), format, args);
    va_end(args);
}

void world_wrong(struct world *w, const char *what)
{
    int from = w->trail_at > WORLD_TRAIL ? w->trail_at - WORLD_TRAIL : 0;

    for (int i = from; i < w->trail_at; i++)
        print_message("  %s\n", w->trail[i % WORLD_TRAIL]);
    fail_msg("seed %" PRIu64 ", step %" PRId64 ": %s", w->seed, w->steps, what);
    abort();
}

static int find(const struct world *w, const char *id)
{
    for (int i = 0; id && i < w->count; i++)
        if (!strcmp(w->tasks[i].id, id))
            return i;
    return -1;
}

/* ---- rows ---- */

struct world_task *world_add_row(struct world *w, const char *id, const char *kind)
{
    struct world_task *t = &w->tasks[w->count++];

    assert_true(w->count <= WORLD_TASKS);
    snprintf(t->id, sizeof(t->id), "%s", id);
    snprintf(t->kind, sizeof(t->kind), "%s", kind);
    t->deps = (struct sf_strlist)SF_STRLIST_INIT;
    return t;
}

void world_feed_rows(struct world *w, struct sf_units *units)
{
    struct sf_error err = SF_ERROR_INIT;

    for (int i = 0; i < w->count; i++) {
        const struct world_task *t = &w->tasks[i];
        struct sf_units_task facts = { .id = t->id,
                                       .kind = t->kind,
                                       .milestone = t->milestone,
                                       .state = t->state,
                                       .depends_on = &t->deps,
                                       .priority = t->priority,
                                       .order = i,
                                       .estimate_ms = t->estimate_ms,
                                       .asks = t->asks };

        assert_true(sf_units_task(units, &facts, &err));
    }
}

void world_load(struct world *w, struct sf_units *units, size_t *from)
{
    struct sf_error err = SF_ERROR_INIT;

    for (; *from < w->events.count; (*from)++)
        if (!sf_units_load(units, w->kinds.items[*from], w->events.items[*from],
                           strlen(w->events.items[*from]), &err))
            world_wrong(w, err.msg);
}

static void compare(struct world *w, const struct sf_units *a, const struct sf_units *b)
{
    struct sf_strbuf one = SF_STRBUF_INIT, two = SF_STRBUF_INIT;

    sf_units_canonical(a, &one);
    sf_units_canonical(b, &two);
    if (strcmp(one.buf, two.buf) != 0) {
        size_t at = 0, from;

        while (one.buf[at] == two.buf[at])
            at++;
        from = at > 150 ? at - 150 : 0;
        print_message("live:   %.300s\nloaded: %.300s\n", one.buf + from, two.buf + from);
        world_wrong(w, "what was loaded is not what ran");
    }
    sf_strbuf_release(&one);
    sf_strbuf_release(&two);
}

void world_spawn(struct world *w, struct world_proc *p)
{
    sf_units_free(p->units);
    p->units = sf_units_new(&w->setup);
    p->loaded = 0;
    p->token = 0;
    p->running = p->closing = -1;
    p->paused = p->void_ = p->leaving = false;
    world_load(w, p->units, &p->loaded);
    world_feed_rows(w, p->units);
    sf_units_day(p->units, "2026-11-18", NULL);
    sf_units_goal(p->units, w->goal);
    if (w->thorough)
        compare(w, p->units, w->shadow);
}

void world_kill(struct world *w, struct world_proc *p)
{
    world_note(w, "%d killed", (int)(p - w->procs));
    sf_units_free(p->units);
    p->units = NULL;
    p->running = p->closing = -1;
    w->kills++;
}

bool world_has_lease(const struct world *w, const struct world_proc *p)
{
    return p->units && w->holder == (int)(p - w->procs) && w->token == p->token;
}

/* ---- effects ---- */

static bool is_kind(const struct sf_units_effect *e, const char *kind)
{
    return !strcmp(e->event, kind);
}

static void check_move(struct world *w, const struct sf_units_effect *e)
{
    int at = find(w, e->task);
    struct world_task *t = at >= 0 ? &w->tasks[at] : NULL;

    if (!t)
        world_wrong(w, "a task that does not exist is moved");
    if (t->state != e->from)
        world_wrong(w, "a move begins at another state than the row's");
    if (!sf_task_move_may(e->from, e->to, e->mover))
        world_wrong(w, "a move that is not legal");
    if (e->to == SF_TASK_DONE && !(e->mover == SF_TASK_BY_PERSON ? t->accepted : t->passed))
        world_wrong(w, "done without a passed verdict and without a person's word");
    w->dones += e->to == SF_TASK_DONE;
    t->state = e->to;
}

/* Nothing is used after a limit was reached, so none is passed by more than one call. */
static void spend(struct world *w, int64_t *spent, enum sf_units_scope scope, int kind, int64_t n)
{
    int64_t limit = w->setup.limit[scope][kind];

    if (limit > 0 && spent[kind] >= limit && n > 0 && kind != SF_BUDGET_TIME)
        world_wrong(w, "a budget that is used up is used");
    spent[kind] += n;
}

static void charge(struct world *w, const struct sf_json *json, int kind, int64_t *unit)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t n = 0;

    assert_true(sf_json_opt_int(json, sf_budgets[kind].name, 0, &n, &err));
    spend(w, w->run_spent, SF_UNITS_PER_RUN, kind, n);
    spend(w, w->day_spent, SF_UNITS_PER_DAY, kind, n);
    if (unit)
        spend(w, unit, SF_UNITS_PER_UNIT, kind, n);
}

/* Reads again what only the events say: verdicts, a person's words, new units, what was used. */
static void follow(struct world *w, const struct sf_units_effect *e)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(e->json.buf, e->json.len, NULL, &err);
    const char *id = "", *text = "";
    int64_t second = 0;
    int at;

    assert_true(sf_json_opt_str(json, "task", "", &id, &err));
    at = find(w, id);
    if (is_kind(e, SF_UNITS_LOG_BEGIN))
        memset(w->run_spent, 0, sizeof(w->run_spent));
    if (is_kind(e, SF_UNITS_LOG_ADDED)) {
        assert_true(sf_json_get_str(json, "kind", &text, &err));
        world_add_row(w, id, text);
    } else if (is_kind(e, SF_UNITS_LOG_VERDICT) && at >= 0) {
        assert_true(sf_json_get_str(json, "verdict", &text, &err));
        assert_true(sf_json_opt_int(json, "flag", 0, &second, &err));
        w->tasks[at].passed = !strcmp(text, "passed") && (!second || w->tasks[at].passed);
    } else if (is_kind(e, SF_UNITS_LOG_WORD) && at >= 0) {
        assert_true(sf_json_get_str(json, "word", &text, &err));
        w->tasks[at].accepted = !strcmp(text, "accept");
    } else if (is_kind(e, SF_UNITS_LOG_START) && at >= 0) {
        w->tasks[at].passed = w->tasks[at].accepted = false;
    } else if (is_kind(e, SF_UNITS_LOG_USED)) {
        for (int k = 0; k < SF_BUDGET_COUNT; k++)
            charge(w, json, k, at >= 0 ? w->tasks[at].spent : NULL);
    }
    sf_json_free(json);
}

/* The store's transaction; false: it was refused. */
static bool save(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    size_t from = w->events.count;

    if (!world_has_lease(w, p)) {
        world_note(w, "%d refused %s", (int)(p - w->procs), e->event);
        return false;
    }
    if (is_kind(e, SF_UNITS_LOG_MOVE))
        check_move(w, e);
    follow(w, e);
    sf_strlist_add(&w->kinds, e->event);
    sf_strlist_add(&w->events, e->json.buf);
    world_load(w, w->shadow, &from);
    p->loaded = w->events.count;
    world_note(w, "%d saves %s %.110s", (int)(p - w->procs), e->event, e->json.buf);
    return true;
}

static void check_start(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    int at = find(w, e->task);

    w->starts++;
    p->leaving = false;
    if (!world_has_lease(w, p))
        world_wrong(w, "a unit is started without the lease");
    if (p->running != -1)
        world_wrong(w, "a unit is started while another runs");
    if (e->task && (at < 0 || w->tasks[at].state != SF_TASK_RUNNING))
        world_wrong(w, "a unit is started whose row does not say that it runs");
    for (int i = 0; i < WORLD_PROCS; i++)
        if (&w->procs[i] != p && at >= 0 && w->procs[i].running == at &&
            world_has_lease(w, &w->procs[i]))
            world_wrong(w, "two processes work on one unit");
    p->running = at >= 0 ? at : -2;
}

static void check_close(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    int at = find(w, e->task);

    p->leaving = false;
    if (at < 0 || w->tasks[at].state != SF_TASK_DONE)
        world_wrong(w, "a unit is closed out that is not done");
    if (w->tasks[at].committed && !e->flag)
        world_wrong(w, "a unit is committed twice");
    p->closing = at;
    if (world_chance(w, 50))
        w->tasks[at].committed = true;
}

static void check_halt(struct world *w, struct world_proc *p, const struct sf_units_halt *h)
{
    struct sf_strbuf way = SF_STRBUF_INIT;

    sf_units_way_out(h, &way);
    if (!way.len || !*h->why || !*h->who || !*h->digest)
        world_wrong(w, "a halt does not say who, why, or what leads on");
    world_note(w, "%d halts: %s, %s: %s%s", (int)(p - w->procs), sf_units_guards[h->guard].name,
               h->why, way.buf, h->again ? " (again)" : "");
    if (p->leaving && p->left.guard == h->guard && !strcmp(p->left.digest, h->digest))
        world_wrong(w, "the way out of a halt does not lead on");
    p->leaving = false;
    w->halts++;
    sf_strbuf_release(&way);
}

/* Effects that begin something; after a pause there is none. */
static bool is_side_effect(enum sf_units_effect_kind kind)
{
    return kind == SF_UNITS_DO_START || kind == SF_UNITS_DO_VERIFY || kind == SF_UNITS_DO_GATE ||
           kind == SF_UNITS_DO_OPINION || kind == SF_UNITS_DO_CLOSE || kind == SF_UNITS_DO_REVERT ||
           kind == SF_UNITS_DO_RESUME || kind == SF_UNITS_DO_AXES ||
           kind == SF_UNITS_DO_RECONCILE || kind == SF_UNITS_DO_ASK;
}

/* False: the rest must not be performed. */
static bool perform(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    if (e->kind != SF_UNITS_DO_SAVE)
        world_note(w, "%d effect %d %s", (int)(p - w->procs), (int)e->kind, e->task ? e->task : "");
    if (p->paused && is_side_effect(e->kind))
        world_wrong(w, "something starts after a pause");
    if (e->kind == SF_UNITS_DO_SAVE)
        return save(w, p, e);
    if (e->kind == SF_UNITS_DO_START)
        check_start(w, p, e);
    else if (e->kind == SF_UNITS_DO_CLOSE)
        check_close(w, p, e);
    else if (e->kind == SF_UNITS_DO_HALT)
        check_halt(w, p, e->halt);
    else if (e->kind == SF_UNITS_DO_RELEASE && world_has_lease(w, p))
        w->holder = -1;
    else if (e->kind == SF_UNITS_DO_RESUME || e->kind == SF_UNITS_DO_VERIFY)
        p->leaving = false;
    else if (e->kind == SF_UNITS_DO_END) {
        p->leaving = false;
        w->ends++;
    }
    return true;
}

void world_send(struct world *w, struct world_proc *p, struct sf_units_input *in)
{
    in->now_ms = w->now;
    world_note(w, "%d input %d %s%s", (int)(p - w->procs), (int)in->kind, in->task ? in->task : "",
               in->flag ? " yes" : "");
    sf_units_step(p->units, in, &p->fx);
    for (size_t i = 0; i < p->fx.count && p->units; i++) {
        if (!w->gentle && world_chance(w, 1))
            world_kill(w, p);
        else if (!perform(w, p, &p->fx.items[i])) {
            p->void_ = true;
            break;
        }
    }
    sf_units_effects_reset(&p->fx);
    if (p->units && (p->void_ || sf_units_phase(p->units) == SF_UNITS_PHASE_LOST))
        world_spawn(w, p);
    else if (world_has_lease(w, p) && p->loaded == w->events.count &&
             (w->compared == w->events.count ? world_chance(w, 1)
                                             : w->thorough || world_chance(w, 10)))
        compare(w, p->units, w->shadow);
    w->compared = w->events.count;
}
