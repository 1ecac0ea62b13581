/*
 * session_tools.c: the tools that the session itself implements: questions, the scope, memory,
 * sub-agents. plan.c has the tool for plans, revert.c has RevertTurn.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "session/internal.h"

/* ---- questions ---- */

void sf_question_unanswered(struct sf_call *c)
{
    sf_call_answerf(c, true,
                    "[sf] Nobody is there to answer. Decide yourself, say what you assumed, and go "
                    "on.");
}

static void run_question(struct sf_call *c)
{
    struct sf_event_call call = {
        .id = c->id, .name = c->name, .args = c->args, .len = c->len, .what = ""
    };
    const char *question = sf_arg_str(c->tool_call->args, "question", "");
    struct sf_event event = sf_event_of_words(SF_EVENT_QUESTION, question, strlen(question));

    if (!c->session->setup.attended) {
        sf_question_unanswered(c);
        return;
    }
    event.call = &call;
    c->state = SF_CALL_QUESTION;
    sf_approvals_open(c, question);
    if (!c->session->dead)
        sf_session_tell(c->session, &event);
}

/* ---- the scope ---- */

static bool change_scope(struct sf_call *c, const char *scope, struct sf_error *err)
{
    struct sf_session *s = c->session;
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .when = SF_WHEN_NOW,
                                       .actor = SF_ACTOR_MODEL,
                                       .reason =
                                           sf_arg_str(c->tool_call->args, "reason", "the model"),
                                       .session = s->id,
                                       .time = now };
    struct sf_machine_receipt receipt;

    if (!sf_scope_get(&s->setup.policy->scopes, scope, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_change_scope(&change, scope);
    request.change = change;
    if (!sf_mode_machine_submit(s->axes.machine, &request, &receipt, err))
        return false;
    if (!sf_session_settle(s, err)) {
        sf_session_die(s, err);
        return false;
    }
    return true;
}

static void run_scope(struct sf_call *c)
{
    struct sf_session *s = c->session;
    const char *scope = sf_arg_str(c->tool_call->args, "mode", "");
    struct sf_strbuf answer = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (change_scope(c, scope, &err) &&
        sf_work_switch_answer(&s->setup.policy->scopes, c->axes.work, c->axes.scope, scope, &answer,
                              &err))
        sf_call_answerf(c, false, "%s", answer.buf);
    else if (!s->dead)
        sf_call_answerf(c, true, "[sf] %s%s%s", err.msg, *err.hint ? ". " : "", err.hint);
    sf_strbuf_release(&answer);
}

/* ---- memory ---- */

char *sf_session_memory_path(const struct sf_session *s, enum sf_memory which, struct sf_error *err)
{
    char *own = sf_env_config_dir(err), *path = NULL;

    if (own || which == SF_MEMORY_PROJECT)
        path = sf_memory_path(which, s->setup.state_dir, own);
    free(own);
    return path;
}

bool sf_session_remember(struct sf_session *s, enum sf_memory which, const char *note,
                         struct sf_error *err)
{
    char *path = sf_session_memory_path(s, which, err);
    bool ok = path && sf_memory_note(path, note, err);

    free(path);
    return ok;
}

static void run_remember(struct sf_call *c)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_session_remember(c->session, SF_MEMORY_PROJECT,
                            sf_arg_str(c->tool_call->args, "note", ""), &err))
        sf_call_answerf(c, false, "Noted for later sessions of this project.");
    else
        sf_call_answerf(c, true, "[sf] %s", err.msg);
}

/* ---- sub-agents ---- */

/* What is left of the parent's budget is all a sub-agent has. */
static struct sf_budget rest_of(const struct sf_budget *b)
{
    struct sf_budget rest = { 0 };

    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        if (b->limit[i] > 0)
            rest.limit[i] = b->limit[i] > b->spent[i] ? b->limit[i] - b->spent[i] : 1;
    return rest;
}

static bool child_state(struct sf_call *c, struct sf_mode_state *state, struct sf_error *err)
{
    const char *scope = sf_arg_str(c->tool_call->args, "mode", NULL);

    *state = c->axes;
    state->version = 0;
    state->paused = false;
    if (!scope)
        return true;
    if (!sf_scope_get(&c->session->setup.policy->scopes, scope, err))
        return false;
    if (!sf_work_model_may(state->work, scope))
        return sf_fail(err, SF_E_ARG, "the scope %s is not open to you in this work mode", scope);
    sf_mode_state_set_scope(state, scope);
    return true;
}

static void child_told(void *ctx, const struct sf_event *event);

static void run_agent(struct sf_call *c)
{
    struct sf_session *s = c->session;
    const char *prompt = sf_arg_str(c->tool_call->args, "prompt", "");
    const struct sf_wish wish = { .tools = s->registry.turn };
    struct sf_session_setup setup = s->setup;
    struct sf_error err = SF_ERROR_INIT;

    setup.resume = NULL;
    setup.append = setup.role = NULL;
    setup.dirs = NULL;
    setup.model = s->link.asked;
    setup.model_named = setup.provider_named = false;
    setup.budget = rest_of(sf_agent_budget(s->agent));
    setup.event = child_told;
    setup.ctx = c;
    if (s->depth >= sf_config_int(s->setup.config, "limits.max_subagents"))
        sf_fail(&err, SF_E_LIMIT, "%d at work at once is the limit (limits.max_subagents)",
                s->depth); /* sub-agents of one session never run in parallel, so depth counts */
    else if (child_state(c, &setup.state, &err))
        c->child = sf_session_open_child(c, &setup, &err);
    if (!c->child || !sf_session_say(c->child, prompt, strlen(prompt), &wish, &err))
        sf_call_answerf(c, true, "[sf] The sub-agent could not start: %s", err.msg);
}

static const char *last_text(const struct sf_history *h, size_t *len)
{
    for (size_t i = h->count; i-- > 0;) {
        const struct sf_message *m = &h->messages[i];

        for (size_t k = m->role == SF_ROLE_ASSISTANT ? m->count : 0; k-- > 0;) {
            if (m->blocks[k].kind == SF_BLOCK_TEXT) {
                *len = m->blocks[k].len;
                return m->blocks[k].text;
            }
        }
    }
    return NULL;
}

static void close_child(void *ctx)
{
    struct sf_session *s = ctx;

    s->close_timer = 0;
    sf_session_retire_child(s, s->closing);
    s->closing = NULL;
}

/* The last text of the sub-agent is the result. It is closed from the loop, not in its callback. */
static void child_done(struct sf_call *c, const struct sf_event_done *done)
{
    struct sf_session *s = c->session, *child = c->child;
    size_t len = 0;
    const char *text = last_text(sf_session_history(child), &len);
    bool ok = done->status == SF_TURN_DONE && text;

    sf_refusal_adopt(s, &child->refusal);
    sf_agent_charge(s->agent, sf_session_budget(child));
    c->child = NULL;
    if (s->closing)
        close_child(s);
    s->closing = child;
    sf_loop_remove(s->setup.loop, s->close_timer);
    s->close_timer = sf_loop_add_timer(s->setup.loop, 0, 0, close_child, s);
    if (ok)
        sf_call_answerf(c, false, "%.*s", (int)(len < 60000 ? len : 60000), text);
    else
        sf_call_answerf(c, true, "[sf] The sub-agent ended as %s%s%s.%s%.*s",
                        sf_turn_status_names[done->status], *done->error->message ? ": " : "",
                        done->error->message, text ? " Its last words: " : "",
                        (int)(len < 8000 ? len : 8000), text ? text : "");
}

static void child_told(void *ctx, const struct sf_event *event)
{
    struct sf_call *c = ctx;
    struct sf_session *s = c->session;

    if (s->setup.event)
        s->setup.event(s->setup.ctx, event);
    if (event->kind == SF_EVENT_DONE && c->child &&
        !strcmp(event->session, sf_session_id(c->child)))
        child_done(c, &event->done);
}

/* ---- the table ---- */

static const struct {
    const char *name;
    void (*run)(struct sf_call *c);
} own_tools[] = {
    { "Plan", sf_plan_run },       { "AskUser", run_question }, { "ChangeToolMode", run_scope },
    { "Remember", run_remember },  { "Agent", run_agent },      { "RevertTurn", sf_revert_run },
    { "Findings", sf_review_run },
};

void sf_session_tool_run(struct sf_call *c)
{
    for (size_t i = 0; i < SF_COUNT(own_tools); i++) {
        if (!strcmp(own_tools[i].name, c->name)) {
            own_tools[i].run(c);
            return;
        }
    }
    sf_call_answerf(c, true, "[sf] The tool %s cannot be run here.", c->name);
}
