/*
 * goal.c: reads and writes goals, and keeps the goal of a running session. The usage of each
 * request counts for the goal in the same transaction, and every change (by this surface, by
 * another, by the goal's budget, by the provider's limit) is reported.
 */
#include "session/goal.h"

#include "session/internal.h"

static bool from_row(struct sf_goal *g, const struct sf_goal_row *row, struct sf_error *err)
{
    *g = (struct sf_goal){ .set = true,
                           .budget = row->token_budget,
                           .tokens = row->tokens_used,
                           .time_ms = row->time_used_ms };
    snprintf(g->text, sizeof(g->text), "%s", row->objective);
    snprintf(g->why, sizeof(g->why), "%s", row->reason);
    return sf_goal_status_parse(row->status, &g->status) ||
           sf_fail(err, SF_E_DAMAGED, "the store holds a goal with the status %.20s", row->status);
}

static bool load(struct sf_store *store, const char *session, struct sf_arena *arena,
                 struct sf_goal_row *row, struct sf_goal *out, struct sf_error *err)
{
    bool found;

    *out = (struct sf_goal){ .set = false };
    *row = (struct sf_goal_row){ .id = 0 };
    return sf_store_goal_get(store, session, arena, row, &found, err) &&
           (!found || from_row(out, row, err));
}

bool sf_goal_load(struct sf_store *store, const char *session, struct sf_goal *out,
                  struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_goal_row row;
    bool ok = load(store, session, &arena, &row, out, err);

    sf_arena_release(&arena);
    return ok;
}

/* ---- changing ---- */

static void describe(const struct sf_goal *was, const struct sf_goal *now, struct sf_strbuf *out)
{
    bool same = was->set && now->set && !strcmp(was->text, now->text);

    if (!now->set) {
        sf_strbuf_addf(out, "goal cleared: %s", was->text);
        return;
    }
    if (!same) {
        sf_strbuf_adds(out, "goal ");
        sf_goal_line(now, out);
        return;
    }
    sf_strbuf_addf(out, "goal %s → %s", sf_goal_status_names[was->status],
                   sf_goal_status_names[now->status]);
    if (was->status == now->status)
        sf_strbuf_adds(out, ", another budget");
    if (now->why[0])
        sf_strbuf_addf(out, " (%s)", now->why);
    sf_strbuf_adds(out, ": ");
    sf_goal_used(now, out);
    sf_strbuf_adds(out, " used");
    if (now->status == SF_GOAL_BUDGET_LIMITED)
        sf_strbuf_adds(out,
                       "; the model is told to come to an end, and nothing stops it: Esc does, "
                       "/goal resume --budget TOKENS gives it more");
}

static void event_json(const struct sf_goal *was, const struct sf_goal *g, struct sf_strbuf *out)
{
    struct sf_strbuf change = SF_STRBUF_INIT;
    struct sf_json_writer w;

    describe(was, g, &change);
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "goal");
    sf_goal_json(g, &w);
    sf_jw_key_str(&w, "change", change.buf);
    sf_jw_object_end(&w);
    sf_strbuf_release(&change);
}

static bool write_change(const struct sf_goal_place *p, const struct sf_goal_row *was,
                         const struct sf_goal *g, bool fresh, struct sf_error *err)
{
    const struct sf_goal_row now = { .id = fresh ? 0 : was->id,
                                     .objective = g->text,
                                     .status = sf_goal_status_names[g->status],
                                     .reason = g->why,
                                     .token_budget = g->budget,
                                     .tokens_used = g->tokens,
                                     .time_used_ms = g->time_ms };
    struct sf_goal before = { .set = false };
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = p->session,
                                  .surface = p->surface,
                                  .kind = SF_LOG_GOAL };
    const struct sf_goal_change change = { .session = p->session,
                                           .was = was->id ? was : NULL,
                                           .now = g->set ? &now : NULL,
                                           .event = &event };
    bool ok;

    if (was->id && !from_row(&before, was, err))
        return false;
    event_json(&before, g, &json);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_goal_change(p->store, &change, err);
    sf_strbuf_release(&json);
    return ok;
}

bool sf_goal_do(const struct sf_goal_place *p, const struct sf_goal_command *c, struct sf_goal *out,
                struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_goal_row was;
    bool ok = load(p->store, p->session, &arena, &was, out, err) && sf_goal_apply(out, c, err);

    if (ok && c->verb != SF_GOAL_VERB_SHOW)
        ok = write_change(p, &was, out, c->verb == SF_GOAL_VERB_SET, err);
    sf_arena_release(&arena);
    return ok;
}

/* ---- the goal of a running session ---- */

/* Only the user's own session has a goal; what sub-agents use counts there. */
static struct sf_session *owner(struct sf_session *s)
{
    return s->depth ? sf_snapshots_session(s->snapshots) : s;
}

/* Time passes for the goal while a turn runs, as for the budget of time. */
static int64_t take_time(struct sf_session *s)
{
    int64_t spent = sf_agent_budget(s->agent)->spent[SF_BUDGET_TIME], passed = spent - s->goal.mark;

    s->goal.mark = spent;
    return passed;
}

static void take(struct sf_session *s, const struct sf_goal *now)
{
    const struct sf_goal was = s->goal.now;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event = { .kind = SF_EVENT_GOAL };
    bool another = strcmp(was.text, now->text) != 0;
    bool moved =
        another || was.set != now->set || was.status != now->status || was.budget != now->budget;

    s->goal.now = *now;
    if (moved) {
        sf_session_flush(s); /* text that came before the change goes first */
        if (sf_goal_counts(now) && (another || !sf_goal_counts(&was)))
            take_time(s); /* earlier time does not count for this goal */
        s->goal.news = now->set && now->status == SF_GOAL_BUDGET_LIMITED;
        describe(&was, now, &text);
        event.goal = (struct sf_event_goal){ &s->goal.now, text.buf, text.len };
        sf_session_tell(s, &event);
    }
    sf_strbuf_release(&text);
}

bool sf_goal_refresh(struct sf_session *s, struct sf_error *err)
{
    struct sf_goal now;

    if (s->depth)
        return true;
    if (!sf_goal_load(s->setup.store, s->id, &now, err))
        return false;
    take(s, &now);
    return true;
}

const struct sf_goal *sf_session_goal(const struct sf_session *s)
{
    return &s->goal.now;
}

bool sf_session_goal_do(struct sf_session *s, const struct sf_goal_command *command,
                        struct sf_error *err)
{
    const struct sf_goal_place place = { .store = s->setup.store,
                                         .session = s->id,
                                         .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                 (int)s->setup.state.surface) };
    struct sf_goal now;

    if (!sf_goal_do(&place, command, &now, err))
        return false;
    take(s, &now);
    return true;
}

/* ---- counting ---- */

void sf_goal_charge(struct sf_session *s, struct sf_usage_new *row)
{
    struct sf_session *o = owner(s);

    if (!o->goal.now.set)
        return;
    row->goal_of = o->id;
    row->goal_time_ms = take_time(o);
}

bool sf_goal_charged(struct sf_session *s, struct sf_error *err)
{
    return sf_goal_refresh(owner(s), err);
}

static bool is_limit(const struct sf_effect *end)
{
    return end->status == SF_TURN_FAILED &&
           (end->error.fault == SF_FAULT_QUOTA || end->error.fault == SF_FAULT_RATE);
}

bool sf_goal_turn_ended(struct sf_session *s, const struct sf_effect *end, struct sf_error *err)
{
    struct sf_goal_command limited = { .verb = SF_GOAL_VERB_MOVE,
                                       .to = SF_GOAL_USAGE_LIMITED,
                                       .text = end->error.message,
                                       .budget = -1 };

    if (s->depth || !sf_goal_counts(&s->goal.now))
        return true;
    if (!sf_store_goal_count(s->setup.store, s->id, 0, take_time(s), err) ||
        !sf_goal_refresh(s, err))
        return false;
    if (!is_limit(end) || s->goal.now.status != SF_GOAL_ACTIVE)
        return true;
    limited.len = strlen(limited.text);
    if (limited.len > SF_GOAL_WHY_MAX / 3) /* no byte becomes more than three */
        limited.len = sf_utf8_cut(limited.text, SF_GOAL_WHY_MAX / 3);
    return sf_session_goal_do(s, &limited, err);
}

/* Only while calls run: after the last answer the remark would cost a request of its own. */
void sf_goal_speak(struct sf_session *s)
{
    enum sf_phase phase = sf_agent_phase(s->agent);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_effects effects = { 0 };
    struct sf_input in = { .kind = SF_IN_REMARK, .now_ms = sf_clock_monotonic_ms() };

    if (phase != SF_PHASE_TOOLS && phase != SF_PHASE_IDLE)
        return;
    s->goal.news = false;
    if (phase == SF_PHASE_TOOLS) {
        sf_strbuf_adds(&text, SF_META_TAG "\ngoal: ");
        sf_goal_meta(&s->goal.now, &text);
        sf_strbuf_adds(&text, "\n</turn_meta>");
        in.text = text.buf;
        in.len = text.len;
        sf_agent_step(s->agent, &in, &effects);
        sf_session_perform(s, &effects);
        sf_effects_release(&effects);
    }
    sf_strbuf_release(&text);
}
