/*
 * machine.c: a bounded queue in order of submission. An entry is ripe once the event it waits for
 * has happened, and due once it is ripe and no tool runs. Superseded and cancelled entries stay in
 * the queue until their row has been written, and are due at once.
 */
#include "modes/machine.h"

#include <string.h>

struct sf_mode_machine {
    struct sf_mode_state state;
    const struct sf_scope_set *scopes;
    bool workspace_trusted, elsewhere;
    bool turn, unit, milestone;
    size_t tools, stubborn; /* number of running tools; of those that cannot be aborted */
    int64_t last_id;
    struct sf_transition queue[SF_MACHINE_QUEUE];
    size_t count;
    struct sf_transition row; /* the one that sf_mode_machine_due returned */
    bool offered;             /* `row` is still the due one */
};

struct sf_mode_machine *sf_mode_machine_new(const struct sf_machine_setup *setup)
{
    struct sf_mode_machine *m = sf_alloc(sizeof(*m));

    m->state = setup->state;
    m->scopes = setup->scopes;
    m->workspace_trusted = setup->workspace_trusted;
    m->last_id = setup->last_id;
    m->elsewhere = setup->elsewhere;
    return m;
}

void sf_mode_machine_free(struct sf_mode_machine *m)
{
    free(m);
}

const struct sf_mode_state *sf_mode_machine_state(const struct sf_mode_machine *m)
{
    return &m->state;
}

static bool tool_runs(const struct sf_mode_machine *m)
{
    return m->tools + m->stubborn > 0;
}

/*
 * A revert does not raise what was lowered since. While a revert waits, its `from` is the state
 * with which the unit began.
 */
static void keep_lowered(const struct sf_transition *t, const struct sf_mode_state *from,
                         struct sf_mode_state *to)
{
    const struct sf_mode_state *set = &t->from;

    if (from->profile < set->profile && to->profile > from->profile)
        to->profile = from->profile;
    if (from->control < set->control && to->control > from->control)
        to->control = from->control;
    if (!from->trust && set->trust)
        to->trust = false;
    if (to->control != SF_RUN_AUTONOMOUS)
        to->paused = false;
    /* A scope belongs to its work mode, which may have been changed since. */
    if (!(t->change.fields & SF_FIELD_BIT(SF_FIELD_WORK)) && from->work != t->from.work)
        sf_field_copy(to, from, SF_FIELD_SCOPE);
}

static struct sf_mode_state target_of(const struct sf_mode_machine *m,
                                      const struct sf_transition *t,
                                      const struct sf_mode_state *from)
{
    struct sf_mode_state to = sf_change_target(&t->change, from, m->scopes);

    if (t->reverts)
        keep_lowered(t, from, &to);
    return to;
}

/* A rank for how long an entry waits; lower ranks happen first. */
static int patience(const struct sf_transition *t)
{
    static const int steps[] = {
        [SF_WHEN_NOW] = 0,           [SF_WHEN_AFTER_TOOL] = 0,     [SF_WHEN_AFTER_UNIT] = 1,
        [SF_WHEN_FOR_NEXT_UNIT] = 1, [SF_WHEN_NEXT_MILESTONE] = 2,
    };

    return t->ripe ? 0 : steps[t->when];
}

static struct sf_mode_state foresee(const struct sf_mode_machine *m, int steps)
{
    struct sf_mode_state state = m->state;

    for (size_t i = 0; i < m->count; i++)
        if (m->queue[i].outcome == SF_OUTCOME_PENDING && patience(&m->queue[i]) <= steps)
            state = target_of(m, &m->queue[i], &state);
    return state;
}

struct sf_mode_state sf_mode_machine_preview(const struct sf_mode_machine *m)
{
    return foresee(m, 2);
}

static bool request_ok(const struct sf_mode_request *r, struct sf_error *err)
{
    size_t session = strnlen(r->session, SF_TRANSITION_SESSION + 1);
    int64_t ms;

    if (!r->change.fields)
        return sf_fail(err, SF_E_ARG, "the transition changes nothing");
    if (session == 0 || session > SF_TRANSITION_SESSION)
        return sf_fail(err, SF_E_ARG, "a transition needs the id of its session");
    if (strnlen(r->time, SF_TRANSITION_TIME + 1) > SF_TRANSITION_TIME)
        return sf_fail(err, SF_E_ARG, "the time of a transition is too long");
    if (r->when == SF_WHEN_FOR_NEXT_UNIT && (r->change.fields & SF_FIELD_BIT(SF_FIELD_PAUSED)) &&
        r->change.want.paused)
        return sf_fail(err, SF_E_ARG, "a pause cannot be for one unit");
    return sf_time_parse_rfc3339(r->time, strlen(r->time), &ms, err);
}

static void copy_text(char *out, size_t size, const char *text)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t len;

    sf_text_sanitize(&sb, text, strnlen(text, 4 * size), SF_TEXT_ONE_LINE);
    len = sb.len < size ? sb.len : size - 1;
    while (len > 0 && ((unsigned char)sb.buf[len] & 0xc0) == 0x80)
        len--; /* cut at the end of a character */
    memcpy(out, sb.buf, len);
    out[len] = '\0';
    sf_strbuf_release(&sb);
}

static enum sf_when resolve_when(const struct sf_mode_machine *m, enum sf_when when)
{
    if (when != SF_WHEN_DEFAULT)
        return when;
    return m->turn || m->unit || tool_runs(m) ? SF_WHEN_AFTER_TOOL : SF_WHEN_NOW;
}

/* Whether there is nothing to wait for. */
static bool ripe_at_once(const struct sf_mode_machine *m, enum sf_when when)
{
    switch (when) {
    case SF_WHEN_AFTER_TOOL:
        return !m->elsewhere;
    case SF_WHEN_AFTER_UNIT:
        return !m->elsewhere && !m->unit;
    case SF_WHEN_NEXT_MILESTONE:
        return !m->elsewhere && !m->milestone;
    case SF_WHEN_FOR_NEXT_UNIT:
        return false;
    case SF_WHEN_NOW:
    case SF_WHEN_DEFAULT:
        return true;
    }
    return true;
}

static void fill(const struct sf_mode_machine *m, const struct sf_mode_request *r,
                 struct sf_transition *t)
{
    *t = (struct sf_transition){ .asked = r->change,
                                 .change = r->change,
                                 .when = resolve_when(m, r->when),
                                 .actor = r->actor,
                                 .confirmed = r->confirmed };
    t->ripe = ripe_at_once(m, t->when);
    copy_text(t->reason, sizeof(t->reason), r->reason);
    copy_text(t->session, sizeof(t->session), r->session);
    snprintf(t->time, sizeof(t->time), "%s", r->time);
    t->from = m->state;
    t->to = target_of(m, t, &m->state);
}

static bool allowed(const struct sf_mode_machine *m, const struct sf_transition *t,
                    const struct sf_mode_state *from, bool confirmed, struct sf_error *err)
{
    const struct sf_authority authority = { t->actor, confirmed, m->workspace_trusted };
    struct sf_mode_state to = target_of(m, t, from);

    return t->reverts || sf_authority_check(&authority, &t->change, from, &to, m->scopes, err);
}

/* The fields that an entry claims: entering a work mode also sets the scope. */
static unsigned claims(const struct sf_mode_change *change)
{
    unsigned fields = change->fields;

    if (fields & SF_FIELD_BIT(SF_FIELD_WORK))
        fields |= SF_FIELD_BIT(SF_FIELD_SCOPE);
    return fields;
}

static bool may_replace(const struct sf_transition *later, const struct sf_transition *earlier)
{
    return earlier->outcome == SF_OUTCOME_PENDING &&
           (sf_actor_is_person(later->actor) || !sf_actor_is_person(earlier->actor)) &&
           (earlier->change.fields & claims(&later->change));
}

static void supersede(struct sf_mode_machine *m, struct sf_transition *later)
{
    for (size_t i = 0; i < m->count; i++) {
        struct sf_transition *earlier = &m->queue[i];

        if (!may_replace(later, earlier))
            continue;
        earlier->change.fields &= ~claims(&later->change);
        earlier->superseded_by = later->id;
        earlier->reduced = true;
        if (!earlier->change.fields)
            earlier->outcome = SF_OUTCOME_SUPERSEDED;
        if (later->supersedes_count < SF_COUNT(later->supersedes))
            later->supersedes[later->supersedes_count++] = earlier->id;
    }
}

bool sf_mode_machine_submit(struct sf_mode_machine *m, const struct sf_mode_request *request,
                            struct sf_machine_receipt *receipt, struct sf_error *err)
{
    struct sf_mode_state from;
    struct sf_error ignored;
    struct sf_transition t;

    *receipt = (struct sf_machine_receipt){ .id = 0 };
    if (!request_ok(request, err))
        return false;
    fill(m, request, &t);
    from = foresee(m, patience(&t));
    if (!allowed(m, &t, &from, t.confirmed, err)) {
        receipt->confirm = !t.confirmed && allowed(m, &t, &from, true, &ignored);
        return false;
    }
    if (m->count == SF_MACHINE_QUEUE) {
        sf_fail(err, SF_E_LIMIT, "%d transitions are already waiting", SF_MACHINE_QUEUE);
        return sf_hint(err, "wait for the running unit to end");
    }
    t.id = ++m->last_id;
    supersede(m, &t);
    m->queue[m->count++] = t;
    m->offered = false;
    receipt->id = t.id;
    receipt->due = t.ripe && !tool_runs(m);
    receipt->abort = t.when == SF_WHEN_NOW && m->tools > 0 && sf_actor_is_person(t.actor);
    return true;
}

static void ripen(struct sf_mode_machine *m, enum sf_when when, bool ripe)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->queue[i].when == when)
            m->queue[i].ripe = ripe;
}

static void count_down(size_t *running)
{
    if (*running > 0)
        --*running;
}

static void unit_ended(struct sf_mode_machine *m)
{
    if (!m->unit)
        return;
    m->unit = false;
    ripen(m, SF_WHEN_AFTER_UNIT, true);
    /* An entry that was not applied during its unit waits for the next one. */
    ripen(m, SF_WHEN_FOR_NEXT_UNIT, false);
}

static void milestone_ended(struct sf_mode_machine *m)
{
    if (!m->milestone)
        return;
    m->milestone = false;
    ripen(m, SF_WHEN_NEXT_MILESTONE, true);
}

void sf_mode_machine_notify(struct sf_mode_machine *m, enum sf_machine_event event)
{
    m->offered = false;
    switch (event) {
    case SF_MACHINE_TURN_STARTED:
    case SF_MACHINE_TURN_ENDED:
        m->turn = event == SF_MACHINE_TURN_STARTED;
        break;
    case SF_MACHINE_TOOL_STARTED:
        m->tools++;
        break;
    case SF_MACHINE_TOOL_ENDED:
        count_down(&m->tools);
        break;
    case SF_MACHINE_STUBBORN_TOOL_STARTED:
        m->stubborn++;
        break;
    case SF_MACHINE_STUBBORN_TOOL_ENDED:
        count_down(&m->stubborn);
        break;
    case SF_MACHINE_UNIT_STARTED:
        m->unit = true;
        ripen(m, SF_WHEN_FOR_NEXT_UNIT, true);
        break;
    case SF_MACHINE_UNIT_ENDED:
        unit_ended(m);
        break;
    case SF_MACHINE_MILESTONE_STARTED:
        m->milestone = true;
        break;
    case SF_MACHINE_MILESTONE_ENDED:
        milestone_ended(m);
        break;
    }
}

static size_t first_due(const struct sf_mode_machine *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->queue[i].outcome != SF_OUTCOME_PENDING || (m->queue[i].ripe && !tool_runs(m)))
            return i;
    return m->count;
}

static void judge(const struct sf_mode_machine *m, struct sf_transition *row)
{
    struct sf_error err = SF_ERROR_INIT;

    row->to = target_of(m, row, &m->state);
    row->outcome = SF_OUTCOME_APPLIED;
    if (allowed(m, row, &m->state, row->confirmed, &err)) {
        row->to.version = m->state.version + 1;
        return;
    }
    row->outcome = SF_OUTCOME_REFUSED;
    copy_text(row->note, sizeof(row->note), err.msg);
}

const struct sf_transition *sf_mode_machine_due(struct sf_mode_machine *m, const char *time)
{
    size_t at = first_due(m);

    m->offered = at < m->count;
    if (!m->offered)
        return NULL;
    m->row = m->queue[at];
    snprintf(m->row.time, sizeof(m->row.time), "%s", time);
    if (m->row.outcome == SF_OUTCOME_PENDING)
        judge(m, &m->row);
    else
        m->row.to = sf_change_target(&m->row.asked, &m->state, m->scopes);
    m->row.from = m->state;
    return &m->row;
}

static void remove_at(struct sf_mode_machine *m, size_t at)
{
    m->count--;
    memmove(&m->queue[at], &m->queue[at + 1], (m->count - at) * sizeof(m->queue[0]));
}

/* What undoes the row after its unit; false: nothing has to be undone. */
static bool make_revert(const struct sf_mode_machine *m, const struct sf_transition *cause,
                        struct sf_transition *back)
{
    *back = *cause;
    back->change = SF_MODE_CHANGE_INIT;
    back->change.fields = sf_change_between(&cause->from, &cause->to);
    back->change.fields = claims(&back->change);
    back->change.want = cause->from;
    back->asked = back->change;
    back->id = m->last_id + 1;
    back->from = cause->to;
    back->to = cause->from;
    back->when = SF_WHEN_AFTER_UNIT;
    back->outcome = SF_OUTCOME_PENDING;
    back->ripe = !m->unit;
    back->reverts = cause->id;
    back->superseded_by = 0;
    back->written = false;
    back->reduced = false;
    back->supersedes_count = 0;
    snprintf(back->reason, sizeof(back->reason), "back after one unit");
    return cause->outcome == SF_OUTCOME_APPLIED && cause->when == SF_WHEN_FOR_NEXT_UNIT &&
           back->change.fields;
}

bool sf_mode_machine_revert(const struct sf_mode_machine *m, struct sf_transition *back)
{
    return m->offered && make_revert(m, &m->row, back);
}

bool sf_mode_machine_apply(struct sf_mode_machine *m, int64_t id, struct sf_error *err)
{
    size_t at = first_due(m);
    struct sf_transition back;

    if (!m->offered || m->row.id != id || at == m->count || m->queue[at].id != id) {
        sf_fail(err, SF_E_ARG, "transition %lld is not the one that is due", (long long)id);
        return sf_hint(err, "ask again what is due and write that row");
    }
    m->offered = false;
    remove_at(m, at);
    if (m->row.outcome != SF_OUTCOME_APPLIED)
        return true;
    m->state = m->row.to;
    if (make_revert(m, &m->row, &back)) { /* in the slot that its cause has left free */
        m->last_id = back.id;
        m->queue[m->count++] = back;
    }
    return true;
}

size_t sf_mode_machine_waiting(const struct sf_mode_machine *m)
{
    return m->count;
}

const struct sf_transition *sf_mode_machine_item(const struct sf_mode_machine *m, size_t index)
{
    return index < m->count ? &m->queue[index] : NULL;
}

bool sf_mode_machine_unwritten(const struct sf_transition *waiting)
{
    return waiting->outcome == SF_OUTCOME_PENDING && (!waiting->written || waiting->reduced);
}

void sf_mode_machine_written(struct sf_mode_machine *m, int64_t id)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->queue[i].id == id) {
            m->queue[i].written = true;
            m->queue[i].reduced = false;
        }
}

/* ---- pending transitions of the store ---- */

static struct sf_transition *find_waiting(struct sf_mode_machine *m, int64_t id)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->queue[i].id == id && m->queue[i].written)
            return &m->queue[i];
    return NULL;
}

/* Removes entries that another process settled; their rows are written already. */
static bool drop_settled(struct sf_mode_machine *m, const struct sf_transition *waiting,
                         size_t count)
{
    size_t before = m->count;

    for (size_t i = m->count; i-- > 0;) {
        bool waits = !m->queue[i].written;

        for (size_t k = 0; k < count && !waits; k++)
            waits = waiting[k].id == m->queue[i].id;
        if (!waits)
            remove_at(m, i);
    }
    return m->count != before;
}

static bool take_over(struct sf_mode_machine *m, struct sf_transition *mine,
                      const struct sf_transition *theirs)
{
    unsigned left = mine->change.fields & theirs->change.fields;
    bool changed = left && left != mine->change.fields;

    if (changed) {
        mine->change.fields = left;
        mine->superseded_by = theirs->superseded_by;
    }
    mine->ripe = mine->ripe || ripe_at_once(m, mine->when);
    return changed;
}

static bool join(struct sf_mode_machine *m, const struct sf_transition *theirs)
{
    struct sf_transition t = *theirs;

    if (m->count == SF_MACHINE_QUEUE)
        return false;
    t.outcome = SF_OUTCOME_PENDING;
    t.written = true;
    t.reduced = false;
    t.ripe = ripe_at_once(m, t.when);
    supersede(m, &t); /* as when it was submitted */
    m->queue[m->count++] = t;
    if (t.id > m->last_id)
        m->last_id = t.id;
    return true;
}

bool sf_mode_machine_sync(struct sf_mode_machine *m, const struct sf_transition *waiting,
                          size_t count)
{
    bool changed = drop_settled(m, waiting, count);

    for (size_t i = 0; i < count; i++) {
        struct sf_transition *mine = find_waiting(m, waiting[i].id);

        changed |= mine ? take_over(m, mine, &waiting[i]) : join(m, &waiting[i]);
    }
    m->offered = false;
    return changed;
}

void sf_mode_machine_here(struct sf_mode_machine *m)
{
    m->elsewhere = false;
}

/* Changes a number, and the references to it. */
static void renumber(struct sf_mode_machine *m, int64_t from, int64_t to)
{
    for (size_t i = 0; i < m->count; i++) {
        struct sf_transition *t = &m->queue[i];

        if (t->id == from)
            t->id = to;
        if (t->superseded_by == from)
            t->superseded_by = to;
        for (size_t k = 0; k < t->supersedes_count; k++)
            if (t->supersedes[k] == from)
                t->supersedes[k] = to;
    }
}

void sf_mode_machine_resync(struct sf_mode_machine *m, const struct sf_mode_state *state,
                            int64_t last_id)
{
    m->state = *state;
    m->offered = false;
    if (m->last_id < last_id)
        m->last_id = last_id;
    for (size_t i = 0; i < m->count; i++)
        if (!m->queue[i].written && m->queue[i].id <= last_id)
            renumber(m, m->queue[i].id, ++m->last_id);
}
