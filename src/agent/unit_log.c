/*
 * unit_log.c: what each event of a run changes. Only these functions change the part of the machine
 * that outlives the process, live and when the log is loaded. Tasks that the log names before their
 * row is known are kept as they are named; the row's state then counts.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

/* ---- tasks ---- */

int sf_unit_find(const struct sf_units *u, const char *id)
{
    const struct sf_unit *t = sf_map_gets(&u->index, id);

    return t ? t->place : SF_UNIT_NONE;
}

struct sf_unit *sf_unit_current(const struct sf_units *u)
{
    return u->log.current >= 0 ? u->tasks[u->log.current] : NULL;
}

struct sf_unit *sf_unit_add(struct sf_units *u, const char *id, struct sf_error *err)
{
    struct sf_unit *t = sf_map_gets(&u->index, id);

    if (t)
        return t;
    if (u->count >= SF_UNITS_TASKS_MAX) {
        sf_fail(err, SF_E_LIMIT, "a run has at most %d tasks", SF_UNITS_TASKS_MAX);
        return NULL;
    }
    t = sf_alloc(sizeof(*t));
    t->id = sf_strdup(id);
    t->kind = sf_strdup("task");
    t->milestone = sf_strdup("");
    t->place = (int)u->count;
    u->tasks = sf_grow(u->tasks, &u->cap, u->count + 1, sizeof(struct sf_unit *));
    u->tasks[u->count++] = t;
    sf_map_add(&u->index, t->id, strlen(t->id), t);
    return t;
}

void sf_unit_free(struct sf_unit *t)
{
    free(t->id);
    free(t->kind);
    free(t->milestone);
    free(t->words);
    sf_strlist_release(&t->depends_on);
    free(t);
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = sf_strdup(text);
}

static void copy_digest(char to[SF_SHA256_HEX + 1], const char *digest)
{
    snprintf(to, SF_SHA256_HEX + 1, "%s", digest ? digest : "");
}

static void forget_seen(struct sf_units_log *log, unsigned guards)
{
    for (int g = 0; g < SF_UNITS_GUARD_COUNT; g++)
        if (guards & 1U << g)
            log->seen[g][0] = '\0';
}

/* Guards that stand before a dispatch, and those behind one. */
enum {
    BEFORE = 1 << SF_UNITS_GUARD_LEASE | 1 << SF_UNITS_GUARD_BLOCKED |
             1 << SF_UNITS_GUARD_APPROVAL | 1 << SF_UNITS_GUARD_STUCK | 1 << SF_UNITS_GUARD_GOAL,
    BEHIND = (1 << SF_UNITS_GUARD_COUNT) - 1 - BEFORE,
};

static void leave_current(struct sf_units_log *log, bool over)
{
    log->current = SF_UNIT_NONE;
    log->over = log->over || (log->single && over);
}

/* ---- the run ---- */

typedef void apply_fn(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e);

static void go(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_log *log = &u->log;

    (void)t;
    if (log->halted && log->halt.guard == SF_UNITS_GUARD_DEAR && log->last >= 0)
        u->tasks[log->last]->dear_ok = true;
    log->state = SF_UNITS_STATE_GOING;
    log->single = e->number[SF_UNIT_N_FLAG];
    log->over = false;
    log->halted = false;
    log->continues = 0;
}

static void begin(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_log *log = &u->log;

    log->run = (struct sf_budget){ .limit = { 0 } };
    log->past_count = 0;
    log->repairs = 0;
    log->findings[0] = '\0';
    forget_seen(log, BEFORE | BEHIND);
    go(u, t, e);
}

static void pausing(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    (void)t;
    u->log.state = e->number[SF_UNIT_N_FLAG] ? SF_UNITS_STATE_STOPPING : SF_UNITS_STATE_PAUSING;
}

static void halted(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_halt *h = &u->log.halt;

    h->guard = (enum sf_units_guard)e->number[SF_UNIT_N_GUARD];
    h->exit = (enum sf_units_exit)e->number[SF_UNIT_N_EXIT];
    h->again = e->number[SF_UNIT_N_FLAG];
    snprintf(h->who, sizeof(h->who), "%s", e->word[SF_UNIT_F_WHO]);
    snprintf(h->task, sizeof(h->task), "%s", t ? t->id : "");
    copy_digest(h->digest, e->word[SF_UNIT_F_DIGEST]);
    set_text(&h->why, e->word[SF_UNIT_F_TEXT]);
    copy_digest(u->log.seen[h->guard], h->digest);
    u->log.halted = true;
    u->log.state = SF_UNITS_STATE_PAUSED;
}

static void repair(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    (void)t;
    u->log.repairing = e->number[SF_UNIT_N_FLAG];
    if (!u->log.repairing) {
        u->log.findings[0] = '\0';
        forget_seen(&u->log, 1U << SF_UNITS_GUARD_HEALTH);
    }
}

static void end(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    (void)t;
    (void)e;
    u->log.state = SF_UNITS_STATE_OFF;
    u->log.halted = u->log.single = u->log.over = u->log.repairing = false;
    u->log.current = u->log.last = SF_UNIT_NONE;
}

/* ---- units ---- */

static void added(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    set_text(&t->kind, e->word[SF_UNIT_F_KIND]);
    set_text(&t->words, e->word[SF_UNIT_F_TEXT]);
    t->order = (int64_t)u->count;
    u->log.continues += !strcmp(t->kind, "goal");
}

static void finished(struct sf_units_log *log, const struct sf_unit *t, const char *kind)
{
    size_t i = 0;

    while (i < log->kind_count && strcmp(log->kinds[i].name, kind) != 0)
        i++;
    if (i == log->kind_count) {
        log->kinds = sf_grow(log->kinds, &log->kind_cap, i + 1, sizeof(*log->kinds));
        log->kinds[log->kind_count++] = (struct sf_unit_kind){ .name = sf_strdup(kind) };
    }
    log->kinds[i].count++;
    if (__builtin_add_overflow(log->kinds[i].cost, t->used.spent[SF_BUDGET_COST],
                               &log->kinds[i].cost))
        log->kinds[i].cost = INT64_MAX;
}

/* What a move means for the unit that is current. A running unit can stand still. */
static void moved_current(struct sf_units_log *log, enum sf_task_state to)
{
    switch (to) {
    case SF_TASK_RUNNING:
    case SF_TASK_VERIFYING:
    case SF_TASK_REVIEWING:
        break;
    case SF_TASK_DONE:
        log->stage = SF_UNIT_STAGE_CLOSING;
        forget_seen(log, BEHIND);
        break;
    case SF_TASK_PAUSED:
        if (log->stage != SF_UNIT_STAGE_RUNNING)
            leave_current(log, true);
        break;
    case SF_TASK_RETRYING:
    case SF_TASK_TODO:
        leave_current(log, false);
        break;
    case SF_TASK_BLOCKED:
    case SF_TASK_FAILED:
    case SF_TASK_CANCELLED:
        leave_current(log, true);
        break;
    }
}

static void moved(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    enum sf_task_state from = (enum sf_task_state)e->number[SF_UNIT_N_FROM];
    enum sf_task_state to = (enum sf_task_state)e->number[SF_UNIT_N_TO];

    t->state = to;
    if (sf_task_state_is_held(from) && to != SF_TASK_DONE)
        t->interrupted = t->interrupted || to == SF_TASK_RETRYING || to == SF_TASK_TODO;
    if (to == SF_TASK_DONE)
        finished(&u->log, t, e->word[SF_UNIT_F_KIND]);
    if (t->place == u->log.current)
        moved_current(&u->log, to);
}

static void remember(struct sf_units_log *log, int task)
{
    if (log->past_count == SF_UNITS_WINDOW)
        memmove(log->past, log->past + 1, (SF_UNITS_WINDOW - 1) * sizeof(*log->past));
    else
        log->past_count++;
    log->past[log->past_count - 1] = (struct sf_unit_past){ .task = task };
}

static void started(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_log *log = &u->log;

    log->stage = SF_UNIT_STAGE_RUNNING;
    log->current = t ? t->place : SF_UNIT_REPAIR;
    if (!t) {
        log->repairs++;
        copy_digest(log->findings, e->word[SF_UNIT_F_DIGEST]);
        return;
    }
    forget_seen(log, BEFORE);
    log->last = t->place;
    remember(log, t->place);
    t->starts++;
    t->interrupted = t->accepted = t->judged = t->same = false;
    t->verdict = SF_PROOF_NONE;
}

/* Also notes which percentages this passes; what other runs used in the day counts for that. */
static void spend(struct sf_units *u, enum sf_units_scope scope, struct sf_budget *b,
                  const int64_t *used)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++) {
        enum sf_budget_kind kind = (enum sf_budget_kind)i;
        struct sf_budget whole;

        sf_budget_spend(b, kind, used[i]);
        whole = *b;
        whole.limit[i] = u->setup.limit[scope][i];
        if (scope == SF_UNITS_PER_DAY)
            sf_budget_spend(&whole, kind, u->others.spent[i]);
        u->alerts[scope][i] = (unsigned char)sf_budget_alert(&whole, kind);
        b->event[i] = whole.event[i];
    }
}

static void used(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_log *log = &u->log;

    if (strcmp(log->today, e->word[SF_UNIT_F_DAY]) != 0) {
        snprintf(log->today, sizeof(log->today), "%s", e->word[SF_UNIT_F_DAY]);
        log->day = (struct sf_budget){ .limit = { 0 } };
    }
    if (t)
        spend(u, SF_UNITS_PER_UNIT, &t->used, e->used);
    spend(u, SF_UNITS_PER_RUN, &log->run, e->used);
    spend(u, SF_UNITS_PER_DAY, &log->day, e->used);
}

/*
 * By enum sf_units_end: whether it counts as an attempt, and whether the dispatch was ended from
 * outside, so that it says nothing about circles.
 */
static const struct {
    bool counts, outside;
} ends[] = {
    [SF_UNITS_END_DONE] = { false, false },        [SF_UNITS_END_CANCELLED] = { false, true },
    [SF_UNITS_END_FAILED] = { true, false },       [SF_UNITS_END_PROVIDER] = { false, true },
    [SF_UNITS_END_LIMIT] = { false, true },        [SF_UNITS_END_BLOCKED] = { true, false },
    [SF_UNITS_END_REFUSED] = { true, false },      [SF_UNITS_END_UNABLE] = { true, false },
    [SF_UNITS_END_DENIED] = { false, false },      [SF_UNITS_END_BUDGET] = { false, true },
    [SF_UNITS_END_IDLE] = { true, false },         [SF_UNITS_END_HARD] = { true, false },
    [SF_UNITS_END_ABORTED] = { false, true },      [SF_UNITS_END_STOPPED] = { false, true },
    [SF_UNITS_END_INTERRUPTED] = { false, false },
};

static void look_back(struct sf_units_log *log, const struct sf_unit *t,
                      const struct sf_unit_event *e)
{
    struct sf_unit_past *past = log->past_count ? &log->past[log->past_count - 1] : NULL;

    if (!past || past->task != t->place)
        return;
    copy_digest(past->error, e->word[SF_UNIT_F_DIGEST]);
    copy_digest(past->path, e->word[SF_UNIT_F_PATH]);
    log->past_count -= ends[log->end].outside;
}

static void ended(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    struct sf_units_log *log = &u->log;

    log->end = (enum sf_units_end)e->number[SF_UNIT_N_END];
    if (!t) {
        leave_current(log, false);
        return;
    }
    log->stage = log->end == SF_UNITS_END_DONE ? SF_UNIT_STAGE_ENDED : SF_UNIT_STAGE_BROKEN;
    t->failures += ends[log->end].counts;
    t->interrupted = log->end != SF_UNITS_END_DONE;
    look_back(log, t, e);
}

/* A second opinion counts only where it is worse: passed, then not verified, then failed. */
static enum sf_proof worse(enum sf_proof a, enum sf_proof b)
{
    if (a == SF_PROOF_FAILED || b == SF_PROOF_FAILED)
        return SF_PROOF_FAILED;
    return a == SF_PROOF_PASSED ? b : a;
}

static void verdict(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    enum sf_proof given = (enum sf_proof)e->number[SF_UNIT_N_VERDICT];
    const char *digest = e->word[SF_UNIT_F_DIGEST];
    bool second = e->number[SF_UNIT_N_FLAG];

    u->log.stage = SF_UNIT_STAGE_JUDGED;
    t->verdict = second ? worse(t->verdict, given) : given;
    t->judged = second;
    t->same = false;
    if (t->verdict != SF_PROOF_FAILED)
        return;
    t->same = *digest && !strncmp(t->failure, digest, SF_SHA256_HEX);
    t->failures++;
    copy_digest(t->failure, digest);
}

static void word(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    switch ((enum sf_units_word)e->number[SF_UNIT_N_WORD]) {
    case SF_UNITS_WORD_ACCEPT:
        t->accepted = true;
        if (u->log.current == SF_UNIT_NONE) {
            u->log.current = t->place;
            u->log.stage = SF_UNIT_STAGE_JUDGED;
        }
        break;
    case SF_UNITS_WORD_REDO:
        t->failures = 0;
        t->failure[0] = '\0';
        t->same = false;
        set_text(&t->words, e->word[SF_UNIT_F_TEXT]);
        u->log.past_count = 0;
        forget_seen(&u->log, BEFORE | BEHIND);
        break;
    case SF_UNITS_WORD_APPROVE:
        t->approved = true;
        break;
    case SF_UNITS_WORD_REVERT:
    case SF_UNITS_WORD_SKIP:
        break;
    }
}

static void closed(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    (void)e;
    if (t->place == u->log.current)
        leave_current(&u->log, true);
}

static void dropped(struct sf_units *u, struct sf_unit *t, const struct sf_unit_event *e)
{
    (void)e;
    leave_current(&u->log, t && t->state != SF_TASK_PAUSED && t->state != SF_TASK_TODO &&
                               t->state != SF_TASK_RETRYING);
}

static const struct {
    const char *kind;
    apply_fn *apply;
    enum { ABOUT_ANY, ABOUT_TASK, ABOUT_CURRENT, ABOUT_JUDGED } about; /* JUDGED: both */
} appliers[] = {
    { SF_UNITS_LOG_BEGIN, begin, ABOUT_ANY },     { SF_UNITS_LOG_GO, go, ABOUT_ANY },
    { SF_UNITS_LOG_PAUSING, pausing, ABOUT_ANY }, { SF_UNITS_LOG_HALT, halted, ABOUT_ANY },
    { SF_UNITS_LOG_REPAIR, repair, ABOUT_ANY },   { SF_UNITS_LOG_END, end, ABOUT_ANY },
    { SF_UNITS_LOG_ADDED, added, ABOUT_TASK },    { SF_UNITS_LOG_MOVE, moved, ABOUT_TASK },
    { SF_UNITS_LOG_START, started, ABOUT_ANY },   { SF_UNITS_LOG_USED, used, ABOUT_ANY },
    { SF_UNITS_LOG_ENDED, ended, ABOUT_CURRENT }, { SF_UNITS_LOG_VERDICT, verdict, ABOUT_JUDGED },
    { SF_UNITS_LOG_WORD, word, ABOUT_TASK },      { SF_UNITS_LOG_CLOSED, closed, ABOUT_TASK },
    { SF_UNITS_LOG_DROPPED, dropped, ABOUT_ANY },
};

bool sf_unit_apply(struct sf_units *u, const char *kind, const struct sf_unit_event *e,
                   struct sf_error *err)
{
    const char *id = e->word[SF_UNIT_F_TASK];
    struct sf_unit *t = NULL;
    size_t i = 0;

    while (strcmp(appliers[i].kind, kind) != 0)
        i++;
    if (id && *id && !(t = sf_unit_add(u, id, err)))
        return false;
    if (!t && (appliers[i].about == ABOUT_TASK || appliers[i].about == ABOUT_JUDGED))
        return sf_fail(err, SF_E_DAMAGED, "it names no task");
    if (appliers[i].about >= ABOUT_CURRENT && t != sf_unit_current(u))
        return sf_fail(err, SF_E_DAMAGED, "it is about a unit that is not current");
    appliers[i].apply(u, t, e);
    u->log.events++;
    return true;
}
