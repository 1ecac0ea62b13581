/*
 * unit_world.c: the performer and what it checks. Saves go through a lease with a token, as in the
 * store; a process whose save is refused is replaced. A second machine reads every event as text
 * and must equal the running one, which is looked at after about every eighth step that saved.
 */
#include "support/unit_world.h"

#include <inttypes.h>

#include "base/base.h"
#include "support/test.h"

enum { DAY_LIMIT = 4000, CALL_MOST = 20 };

static const char *const phrases[] = { "no such file", "it does not build", "two tests fail" };

uint64_t world_random(struct world *w, uint64_t n)
{
    w->rng ^= w->rng << 13;
    w->rng ^= w->rng >> 7;
    w->rng ^= w->rng << 17;
    return n ? (w->rng * UINT64_C(0x2545F4914F6CDD1D) >> 32) % n : 0;
}

static bool chance(struct world *w, int percent)
{
    return (int)world_random(w, 100) < percent;
}

static const char *phrase(struct world *w)
{
    return phrases[world_random(w, SF_COUNT(phrases))];
}

static void note(struct world *w, const char *format, ...) SF_PRINTF(2, 3);
static void note(struct world *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(w->trail[w->trail_at++ % WORLD_TRAIL], sizeof(w->trail[0]), format, args);
    va_end(args);
}

static void wrong(struct world *w, const char *what) SF_NORETURN;
static void wrong(struct world *w, const char *what)
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

static struct world_task *add_row(struct world *w, const char *id, const char *kind)
{
    struct world_task *t = &w->tasks[w->count++];

    assert_true(w->count <= WORLD_TASKS);
    snprintf(t->id, sizeof(t->id), "%s", id);
    snprintf(t->kind, sizeof(t->kind), "%s", kind);
    t->deps = (struct sf_strlist)SF_STRLIST_INIT;
    return t;
}

static void feed_rows(struct world *w, struct sf_units *units)
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
                                       .asks = t->asks };

        assert_true(sf_units_task(units, &facts, &err));
    }
}

static void load(struct world *w, struct sf_units *units, size_t *from)
{
    struct sf_error err = SF_ERROR_INIT;

    for (; *from < w->events.count; (*from)++)
        if (!sf_units_load(units, w->kinds.items[*from], w->events.items[*from],
                           strlen(w->events.items[*from]), &err))
            wrong(w, err.msg);
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
        wrong(w, "what was loaded is not what ran");
    }
    sf_strbuf_release(&one);
    sf_strbuf_release(&two);
}

static void spawn(struct world *w, struct world_proc *p)
{
    sf_units_free(p->units);
    p->units = sf_units_new(&w->setup);
    p->loaded = 0;
    p->token = 0;
    p->running = p->closing = -1;
    p->paused = p->void_ = p->leaving = false;
    load(w, p->units, &p->loaded);
    feed_rows(w, p->units);
    sf_units_day(p->units, "2026-11-18", NULL);
    compare(w, p->units, w->shadow);
}

static void kill_proc(struct world *w, struct world_proc *p)
{
    note(w, "%d killed", (int)(p - w->procs));
    sf_units_free(p->units);
    p->units = NULL;
    p->running = p->closing = -1;
    w->kills++;
}

static bool has_lease(const struct world *w, const struct world_proc *p)
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
        wrong(w, "a task that does not exist is moved");
    if (t->state != e->from)
        wrong(w, "a move begins at another state than the row's");
    if (!sf_task_move_may(e->from, e->to, e->mover))
        wrong(w, "a move that is not legal");
    if (e->to == SF_TASK_DONE && !(e->mover == SF_TASK_BY_PERSON ? t->accepted : t->passed))
        wrong(w, "done without a passed verdict and without a person's word");
    w->dones += e->to == SF_TASK_DONE;
    t->state = e->to;
}

/* Reads again what only the events say: verdicts, a person's words, new units, what was used. */
static void follow(struct world *w, const struct sf_units_effect *e)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(e->json.buf, e->json.len, NULL, &err);
    const char *id = "", *text = "";
    int64_t cost = 0, second = 0;
    int at;

    assert_true(sf_json_opt_str(json, "task", "", &id, &err));
    at = find(w, id);
    if (is_kind(e, SF_UNITS_LOG_BEGIN))
        w->run_spent = 0;
    if (is_kind(e, SF_UNITS_LOG_ADDED)) {
        assert_true(sf_json_get_str(json, "kind", &text, &err));
        add_row(w, id, text);
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
        assert_true(sf_json_opt_int(json, "cost", 0, &cost, &err));
        w->run_spent += cost;
        w->day_spent += cost;
        if (at >= 0)
            w->tasks[at].spent += cost;
    }
    sf_json_free(json);
}

/* The store's transaction; false: it was refused. */
static bool save(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    size_t from = w->events.count;

    if (!has_lease(w, p)) {
        note(w, "%d refused %s", (int)(p - w->procs), e->event);
        return false;
    }
    if (is_kind(e, SF_UNITS_LOG_MOVE))
        check_move(w, e);
    follow(w, e);
    sf_strlist_add(&w->kinds, e->event);
    sf_strlist_add(&w->events, e->json.buf);
    load(w, w->shadow, &from);
    p->loaded = w->events.count;
    note(w, "%d saves %s %.110s", (int)(p - w->procs), e->event, e->json.buf);
    return true;
}

static void check_start(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    int at = find(w, e->task);

    w->starts++;
    p->leaving = false;
    if (!has_lease(w, p))
        wrong(w, "a unit is started without the lease");
    if (p->running != -1)
        wrong(w, "a unit is started while another runs");
    if (e->task && (at < 0 || w->tasks[at].state != SF_TASK_RUNNING))
        wrong(w, "a unit is started whose row does not say that it runs");
    for (int i = 0; i < WORLD_PROCS; i++)
        if (&w->procs[i] != p && at >= 0 && w->procs[i].running == at && has_lease(w, &w->procs[i]))
            wrong(w, "two processes work on one unit");
    p->running = at >= 0 ? at : -2;
}

static void check_close(struct world *w, struct world_proc *p, const struct sf_units_effect *e)
{
    int at = find(w, e->task);

    p->leaving = false;
    if (at < 0 || w->tasks[at].state != SF_TASK_DONE)
        wrong(w, "a unit is closed out that is not done");
    if (w->tasks[at].committed && !e->flag)
        wrong(w, "a unit is committed twice");
    p->closing = at;
    if (chance(w, 50))
        w->tasks[at].committed = true;
}

static void check_halt(struct world *w, struct world_proc *p, const struct sf_units_halt *h)
{
    struct sf_strbuf way = SF_STRBUF_INIT;

    sf_units_way_out(h, &way);
    if (!way.len || !*h->why || !*h->who || !*h->digest)
        wrong(w, "a halt does not say who, why, or what leads on");
    note(w, "%d halts: %s, %s: %s%s", (int)(p - w->procs), sf_units_guards[h->guard].name, h->why,
         way.buf, h->again ? " (again)" : "");
    if (p->leaving && p->left.guard == h->guard && !strcmp(p->left.digest, h->digest))
        wrong(w, "the way out of a halt does not lead on");
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
        note(w, "%d effect %d %s", (int)(p - w->procs), (int)e->kind, e->task ? e->task : "");
    if (p->paused && is_side_effect(e->kind))
        wrong(w, "something starts after a pause");
    if (e->kind == SF_UNITS_DO_SAVE)
        return save(w, p, e);
    if (e->kind == SF_UNITS_DO_START)
        check_start(w, p, e);
    else if (e->kind == SF_UNITS_DO_CLOSE)
        check_close(w, p, e);
    else if (e->kind == SF_UNITS_DO_HALT)
        check_halt(w, p, e->halt);
    else if (e->kind == SF_UNITS_DO_RELEASE && has_lease(w, p))
        w->holder = -1;
    else if (e->kind == SF_UNITS_DO_RESUME || e->kind == SF_UNITS_DO_VERIFY)
        p->leaving = false;
    else if (e->kind == SF_UNITS_DO_END) {
        p->leaving = false;
        w->ends++;
    }
    return true;
}

static void send(struct world *w, struct world_proc *p, struct sf_units_input *in)
{
    in->now_ms = w->now;
    note(w, "%d input %d %s%s", (int)(p - w->procs), (int)in->kind, in->task ? in->task : "",
         in->flag ? " yes" : "");
    sf_units_step(p->units, in, &p->fx);
    for (size_t i = 0; i < p->fx.count && p->units; i++) {
        if (!w->gentle && chance(w, 1))
            kill_proc(w, p);
        else if (!perform(w, p, &p->fx.items[i])) {
            p->void_ = true;
            break;
        }
    }
    sf_units_effects_reset(&p->fx);
    if (p->units && (p->void_ || sf_units_phase(p->units) == SF_UNITS_LOST))
        spawn(w, p);
    else if (has_lease(w, p) && p->loaded == w->events.count &&
             chance(w, w->compared != w->events.count ? 12 : 2))
        compare(w, p->units, w->shadow);
    w->compared = w->events.count;
}

/* ---- outcomes ---- */

static void answer_claim(struct world *w, struct world_proc *p)
{
    int me = (int)(p - w->procs);
    bool alive = w->holder >= 0 && w->holder != me && w->procs[w->holder].units;
    struct sf_units_input in = { .kind = alive ? SF_UNITS_IN_TAKEN : SF_UNITS_IN_LEASED,
                                 .flag = alive,
                                 .text = "process 4711" };

    if (!alive && w->holder >= 0 && w->holder != me && chance(w, 50)) {
        in = (struct sf_units_input){ .kind = SF_UNITS_IN_TAKEN, .text = "process 4711" };
        w->holder = -1; /* the claim that follows takes it over */
    } else if (!alive) {
        w->holder = me;
        p->token = ++w->token;
        load(w, p->units, &p->loaded);
        feed_rows(w, p->units);
    }
    send(w, p, &in);
}

static void call_model(struct world *w, struct world_proc *p)
{
    struct sf_budget used = { .spent = { [SF_BUDGET_TURNS] = 1 } };
    struct sf_units_input in = { .kind = SF_UNITS_IN_USED, .used = &used };
    const int64_t *unit = w->setup.limit[SF_UNITS_PER_UNIT],
                  *run = w->setup.limit[SF_UNITS_PER_RUN];
    const char *why;

    used.spent[SF_BUDGET_COST] = 1 + (int64_t)world_random(w, w->gentle ? 2 : CALL_MOST);
    if (!sf_units_may_spend(p->units, &why))
        return;
    if (p->paused)
        wrong(w, "the model is asked after a pause");
    if (has_lease(w, p) &&
        ((p->running >= 0 && w->tasks[p->running].spent >= unit[SF_BUDGET_COST]) ||
         w->run_spent >= run[SF_BUDGET_COST] ||
         w->day_spent >= w->setup.limit[SF_UNITS_PER_DAY][SF_BUDGET_COST]))
        wrong(w, "the model is asked although a budget is used up");
    send(w, p, &in);
}

static void end_unit(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_ENDED, .end = SF_UNITS_END_DONE };

    if (!w->gentle && chance(w, 40))
        in.end = (enum sf_units_end)world_random(w, SF_UNITS_END_DENIED + 1);
    if (in.end != SF_UNITS_END_DONE)
        in.text = phrase(w);
    if (in.end != SF_UNITS_END_DONE && chance(w, 20))
        in.path = "src/gone.c";
    p->running = -1;
    send(w, p, &in);
}

static void unit_goes_on(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_ACTIVE };
    uint64_t what = world_random(w, w->gentle ? 6 : 12);

    if (sf_units_state(p->units) == SF_UNITS_PAUSING && chance(w, 70)) {
        in.kind = SF_UNITS_IN_HELD;
        send(w, p, &in);
    } else if (what < 3) {
        end_unit(w, p);
    } else if (what < 9) {
        call_model(w, p);
    } else {
        in.kind = what == 9    ? SF_UNITS_IN_QUESTION
                  : what == 10 ? SF_UNITS_IN_ABORT
                               : SF_UNITS_IN_ACTIVE;
        in.flag = chance(w, 50);
        send(w, p, &in);
    }
}

static void verify(struct world *w, struct world_proc *p, enum sf_units_input_kind kind)
{
    struct sf_units_input in = { .kind = kind, .verdict = SF_PROOF_PASSED };

    if (!w->gentle && chance(w, 45))
        in.verdict = chance(w, 60) ? SF_PROOF_FAILED : SF_PROOF_NONE;
    if (in.verdict == SF_PROOF_FAILED)
        in.text = phrase(w);
    send(w, p, &in);
}

static void close_out(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_CLOSED, .close = SF_UNITS_CLOSE_COMMITTED };

    if (p->closing < 0)
        wrong(w, "a close-out is awaited that was never asked for");
    if (!w->gentle && chance(w, 15)) {
        in.close = (enum sf_units_close)world_random(w, SF_UNITS_CLOSE_FAILED + 1);
        in.text = phrase(w);
    } else {
        w->tasks[p->closing].committed = true;
    }
    p->closing = -1;
    send(w, p, &in);
}

static void outcome(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .flag = w->gentle || chance(w, 85) };

    switch (sf_units_phase(p->units)) {
    case SF_UNITS_CLAIMING:
        answer_claim(w, p);
        return;
    case SF_UNITS_GATING:
        in.kind = SF_UNITS_IN_GATE;
        in.flag = !w->sick;
        in.text = w->sick ? phrase(w) : NULL;
        w->sick = w->sick && chance(w, 80);
        break;
    case SF_UNITS_RECONCILING:
        feed_rows(w, p->units);
        in.kind = SF_UNITS_IN_RECONCILED;
        break;
    case SF_UNITS_ASKING:
        in.kind = SF_UNITS_IN_ANSWER;
        in.text = !in.flag && chance(w, 50) ? "nobody" : NULL;
        break;
    case SF_UNITS_RUNNING:
        unit_goes_on(w, p);
        return;
    case SF_UNITS_VERIFYING:
        verify(w, p, SF_UNITS_IN_VERDICT);
        return;
    case SF_UNITS_JUDGING:
        verify(w, p, SF_UNITS_IN_OPINION);
        return;
    case SF_UNITS_CLOSING:
        close_out(w, p);
        return;
    case SF_UNITS_REVERTING:
        in.kind = SF_UNITS_IN_REVERTED;
        break;
    case SF_UNITS_REST:
    case SF_UNITS_LOST:
        return;
    }
    send(w, p, &in);
}

/* ---- the person ---- */

static void say(struct world *w, struct world_proc *p, enum sf_units_word word, const char *task)
{
    struct sf_units_input in = {
        .kind = SF_UNITS_IN_WORD, .word = word, .task = task, .text = "mind the edge"
    };

    p->paused = false;
    send(w, p, &in);
}

static void control(struct world *w, struct world_proc *p, enum sf_units_input_kind kind)
{
    struct sf_units_input in = { .kind = kind };
    bool was = sf_units_may_act(p->units) || sf_units_phase(p->units) != SF_UNITS_REST;

    p->paused = false;
    send(w, p, &in);
    if (kind != SF_UNITS_IN_PAUSE || !p->units || !was || !has_lease(w, p))
        return;
    if (sf_units_state(p->units) == SF_UNITS_PAUSING || sf_units_state(p->units) == SF_UNITS_PAUSED)
        p->paused = true;
}

static void raise_limits(struct world *w)
{
    for (int s = 0; s < SF_UNITS_SCOPES; s++)
        w->setup.limit[s][SF_BUDGET_COST] *= 10;
    for (int i = 0; i < WORLD_PROCS; i++)
        if (w->procs[i].units)
            sf_units_set(w->procs[i].units, &w->setup);
    sf_units_set(w->shadow, &w->setup);
}

/* Another process has gone on meanwhile: what is shown is read again. */
static bool is_stale(struct world *w, struct world_proc *p)
{
    if (p->loaded == w->events.count || !sf_units_halt(p->units))
        return false;
    if (sf_units_halt(p->units)->guard == SF_UNITS_GUARD_LEASE)
        return false;
    spawn(w, p);
    return true;
}

/* Does what the halt says leads on. */
static void leave(struct world *w, struct world_proc *p)
{
    const struct sf_units_halt *h = sf_units_halt(p->units);
    static const enum sf_units_word words[] = { SF_UNITS_ACCEPT, SF_UNITS_REDO, SF_UNITS_SKIP };
    enum sf_units_exit way = h->exit;
    char task[SF_UNITS_ID_MAX + 1];
    bool saved = w->gentle;

    snprintf(task, sizeof(task), "%s", h->task);
    p->left = *h;
    p->left.why = NULL;
    p->leaving = true;
    note(w, "%d leaves %s by %d", (int)(p - w->procs), sf_units_guards[h->guard].name, (int)way);
    w->gentle = true;
    if (way == SF_UNITS_EXIT_LIMITS)
        raise_limits(w);
    if (way == SF_UNITS_EXIT_DOCTOR)
        w->sick = false;
    if (way == SF_UNITS_EXIT_HOLDER) {
        w->holder = -1;
        for (int i = 0; i < WORLD_PROCS; i++)
            if (&w->procs[i] != p && w->procs[i].units)
                kill_proc(w, &w->procs[i]);
    }
    if (way == SF_UNITS_EXIT_REVIEW)
        say(w, p, words[world_random(w, SF_COUNT(words))], task);
    else if (way == SF_UNITS_EXIT_REDO)
        say(w, p, SF_UNITS_REDO, task);
    else if (way == SF_UNITS_EXIT_SKIP)
        say(w, p, SF_UNITS_SKIP, task);
    else if (way == SF_UNITS_EXIT_APPROVE)
        say(w, p, SF_UNITS_APPROVE, task);
    else
        control(w, p, SF_UNITS_IN_GO);
    for (int i = 0; i < 8 && p->leaving && sf_units_phase(p->units) != SF_UNITS_REST; i++)
        outcome(w, p);
    if (p->leaving && sf_units_phase(p->units) == SF_UNITS_REST)
        wrong(w, "the way out of a halt does nothing");
    w->gentle = saved;
}

static void person(struct world *w, struct world_proc *p)
{
    static const enum sf_units_input_kind controls[] = { SF_UNITS_IN_GO,    SF_UNITS_IN_GO,
                                                         SF_UNITS_IN_NEXT,  SF_UNITS_IN_PAUSE,
                                                         SF_UNITS_IN_PAUSE, SF_UNITS_IN_STOP };
    struct sf_units_input in = { .kind = SF_UNITS_IN_REQUEST, .text = "tidy up" };
    char id[32];

    if (is_stale(w, p))
        return;
    if (sf_units_halt(p->units) && sf_units_phase(p->units) == SF_UNITS_REST && chance(w, 60)) {
        leave(w, p);
    } else if (chance(w, 25)) {
        say(w, p, (enum sf_units_word)world_random(w, SF_UNITS_APPROVE + 1),
            w->tasks[world_random(w, (uint64_t)w->count)].id);
    } else if (chance(w, 4) && w->count < WORLD_TASKS / 2) {
        snprintf(id, sizeof(id), "request-%" PRId64, w->steps);
        in.task = id;
        in.flag = chance(w, 50);
        p->paused = false;
        send(w, p, &in);
    } else {
        control(w, p, controls[world_random(w, SF_COUNT(controls))]);
    }
}

/* ---- the world ---- */

/* The process was frozen and its lease ran out; it is told when it wakes. */
static void lose_lease(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_LOST };

    w->holder = -1;
    w->token++;
    note(w, "%d loses its lease", (int)(p - w->procs));
    if (chance(w, 50)) /* otherwise it finds out when a save is refused */
        send(w, p, &in);
}

static void pass_time(struct world *w, struct world_proc *p)
{
    struct sf_units_input in = { .kind = SF_UNITS_IN_TIME };

    if (chance(w, 3))
        w->now += chance(w, 50) ? 100 * 3600 * 1000 : -3600 * 1000; /* asleep, or set back */
    else
        w->now += (int64_t)world_random(w, 40000);
    send(w, p, &in);
}

void world_step(struct world *w)
{
    struct world_proc *p = &w->procs[chance(w, 80) ? 0 : 1];
    int what = (int)world_random(w, 100);

    w->steps++;
    if (!p->units)
        spawn(w, p);
    else if (what < 1)
        kill_proc(w, p);
    else if (what < 2 && has_lease(w, p))
        lose_lease(w, p);
    else if (what < 10)
        pass_time(w, p);
    else if (what < 20 || sf_units_phase(p->units) == SF_UNITS_REST)
        person(w, p);
    else
        outcome(w, p);
    if (chance(w, 1))
        w->sick = true;
}

void world_finish(struct world *w)
{
    struct world_proc *p = &w->procs[0];
    int64_t ends = w->ends;

    w->gentle = true;
    w->sick = false;
    for (int i = 1; i < WORLD_PROCS; i++)
        if (w->procs[i].units)
            kill_proc(w, &w->procs[i]);
    if (!p->units)
        spawn(w, p);
    is_stale(w, p);
    note(w, "from here on everything succeeds");
    for (int i = 0; i < 4000; i++) {
        bool open = false;

        w->steps++;
        w->now += 1000;
        if (sf_units_phase(p->units) != SF_UNITS_REST)
            outcome(w, p);
        else if (sf_units_halt(p->units))
            leave(w, p);
        else
            control(w, p, SF_UNITS_IN_GO);
        for (int k = 0; k < w->count; k++)
            open = open ||
                   (w->tasks[k].state != SF_TASK_DONE && w->tasks[k].state != SF_TASK_CANCELLED);
        if (!open && w->ends > ends && sf_units_state(p->units) == SF_UNITS_OFF)
            return;
    }
    wrong(w, "the run does not come to its end");
}

/* Mostly a graph that can be done; sometimes a circle or a task that does not exist. */
static void add_dependencies(struct world *w, int at)
{
    struct world_task *t = &w->tasks[at];

    for (int i = 0; i < at; i++)
        if (chance(w, 25))
            sf_strlist_add(&t->deps, w->tasks[i].id);
    if (chance(w, 3))
        sf_strlist_add(&t->deps, "nowhere");
    if (chance(w, 3))
        sf_strlist_addf(&t->deps, "T%d", (int)world_random(w, (uint64_t)w->count));
}

void world_open(struct world *w, uint64_t seed)
{
    int tasks;

    *w = (struct world){ .seed = seed, .rng = seed * 2 + 1, .now = 1000, .holder = -1 };
    for (int i = 0; i < 4; i++)
        world_random(w, 1);
    w->setup = sf_units_defaults;
    w->setup.limit[SF_UNITS_PER_UNIT][SF_BUDGET_COST] = 60;
    w->setup.limit[SF_UNITS_PER_RUN][SF_BUDGET_COST] = 250;
    w->setup.limit[SF_UNITS_PER_DAY][SF_BUDGET_COST] = DAY_LIMIT;
    w->setup.limit[SF_UNITS_PER_UNIT][SF_BUDGET_TURNS] = 0;
    w->setup.limit[SF_UNITS_PER_UNIT][SF_BUDGET_TIME] = 0;
    w->setup.repair = (enum sf_units_repair)world_random(w, 3);
    w->setup.opinion = chance(w, 30);
    tasks = 1 + (int)world_random(w, 6);
    for (int i = 0; i < tasks; i++) {
        char id[16];

        snprintf(id, sizeof(id), "T%d", i);
        add_row(w, id, chance(w, 70) ? "task" : "docs")->priority = (int)world_random(w, 3);
        w->tasks[i].asks = chance(w, 10);
        snprintf(w->tasks[i].milestone, sizeof(w->tasks[i].milestone), "M%d", i / 3);
    }
    for (int i = 0; i < tasks; i++)
        add_dependencies(w, i);
    w->shadow = sf_units_new(&w->setup);
    feed_rows(w, w->shadow);
    for (int i = 0; i < WORLD_PROCS; i++) {
        w->procs[i].running = w->procs[i].closing = -1;
        spawn(w, &w->procs[i]);
    }
}

void world_close(struct world *w)
{
    for (int i = 0; i < WORLD_PROCS; i++) {
        sf_units_free(w->procs[i].units);
        sf_units_effects_release(&w->procs[i].fx);
    }
    for (int i = 0; i < w->count; i++)
        sf_strlist_release(&w->tasks[i].deps);
    sf_units_free(w->shadow);
    sf_strlist_release(&w->kinds);
    sf_strlist_release(&w->events);
}
