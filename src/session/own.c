/*
 * own.c: the tools whose work is the session itself: its questions, its scope, its memory, its
 * sub-agents. Its plans are plan.c's.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "session/internal.h"

/* ---- questions ---- */

static void run_question(struct sf_work *w)
{
    struct sf_told_call call = {
        .id = w->id, .name = w->name, .args = w->args, .len = w->len, .what = ""
    };
    const char *question = sf_arg_str(w->call->args, "question", "");
    struct sf_told told = {
        .kind = SF_TOLD_QUESTION, .call = &call, .text = question, .len = strlen(question)
    };

    if (!w->talk->setup.attended) {
        sf_work_answerf(w, true,
                        "[sf] Nobody is there to answer. Decide yourself, say what you "
                        "assumed, and go on.");
        return;
    }
    w->state = SF_WORK_QUESTION;
    sf_asks_open(w, question);
    if (!w->talk->dead)
        sf_talk_tell(w->talk, &told);
}

/* ---- the scope ---- */

static bool change_scope(struct sf_work *w, const char *scope, struct sf_error *err)
{
    struct sf_talk *t = w->talk;
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .when = SF_WHEN_NOW,
                                       .actor = SF_ACTOR_MODEL,
                                       .reason = sf_arg_str(w->call->args, "reason", "the model"),
                                       .session = t->id,
                                       .time = now };
    struct sf_machine_receipt receipt;

    if (!sf_scope_get(&t->setup.ground->scopes, scope, err))
        return false;
    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_change_scope(&change, scope);
    request.change = change;
    if (!sf_mode_machine_submit(t->machine, &request, &receipt, err))
        return false;
    if (!sf_talk_settle(t, err)) {
        sf_talk_die(t, err);
        return false;
    }
    return true;
}

static void run_scope(struct sf_work *w)
{
    struct sf_talk *t = w->talk;
    const char *scope = sf_arg_str(w->call->args, "mode", "");
    struct sf_mode_state before = *sf_mode_machine_state(t->machine);
    struct sf_strbuf answer = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (change_scope(w, scope, &err) && sf_work_switch_answer(&t->setup.ground->scopes, before.work,
                                                              before.scope, scope, &answer, &err))
        sf_work_answerf(w, false, "%s", answer.buf);
    else if (!t->dead)
        sf_work_answerf(w, true, "[sf] %s%s%s", err.msg, *err.hint ? ". " : "", err.hint);
    sf_strbuf_release(&answer);
}

/* ---- memory ---- */

char *sf_talk_memory_path(const struct sf_talk *t, enum sf_memory which, struct sf_error *err)
{
    char *own = sf_env_config_dir(err), *path = NULL;

    if (own || which == SF_MEMORY_PROJECT)
        path = sf_memory_path(which, t->setup.state_dir, own);
    free(own);
    return path;
}

bool sf_talk_remember(struct sf_talk *t, enum sf_memory which, const char *note,
                      struct sf_error *err)
{
    char *path = sf_talk_memory_path(t, which, err);
    bool ok = path && sf_memory_note(path, note, err);

    free(path);
    return ok;
}

static void run_remember(struct sf_work *w)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_talk_remember(w->talk, SF_MEMORY_PROJECT, sf_arg_str(w->call->args, "note", ""), &err))
        sf_work_answerf(w, false, "Noted for later sessions of this project.");
    else
        sf_work_answerf(w, true, "[sf] %s", err.msg);
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

static bool child_state(struct sf_work *w, struct sf_mode_state *state, struct sf_error *err)
{
    const char *scope = sf_arg_str(w->call->args, "mode", NULL);

    *state = *sf_mode_machine_state(w->talk->machine);
    state->version = 0;
    state->paused = false;
    if (!scope)
        return true;
    if (!sf_scope_get(&w->talk->setup.ground->scopes, scope, err))
        return false;
    if (!sf_work_model_may(state->work, scope))
        return sf_fail(err, SF_E_ARG, "the scope %s is not open to you in this work mode", scope);
    sf_mode_state_set_scope(state, scope);
    return true;
}

static void child_told(void *ctx, const struct sf_told *told);

static void run_agent(struct sf_work *w)
{
    struct sf_talk *t = w->talk;
    const char *prompt = sf_arg_str(w->call->args, "prompt", "");
    const struct sf_wish wish = { .tools = t->narrowed ? &t->wished_tools : NULL };
    struct sf_talk_setup setup = t->setup;
    struct sf_error err = SF_ERROR_INIT;

    setup.resume = NULL;
    setup.append = NULL;
    setup.below = "";
    setup.model = t->model_asked;
    setup.model_named = setup.provider_named = false;
    setup.budget = rest_of(sf_agent_budget(t->agent));
    setup.told = child_told;
    setup.ctx = w;
    if (t->depth >= SF_TALK_DEPTH_MAX)
        sf_fail(&err, SF_E_LIMIT, "sub-agents go no deeper than %d", SF_TALK_DEPTH_MAX);
    else if (t->depth >= sf_config_int(t->setup.config, "limits.max_subagents"))
        sf_fail(&err, SF_E_LIMIT, "%d at work at once is the limit (limits.max_subagents)",
                t->depth); /* those of one session work one after the other, so depth is all */
    else if (child_state(w, &setup.state, &err))
        w->child = sf_talk_open_child(w, &setup, &err);
    if (!w->child || !sf_talk_say(w->child, prompt, strlen(prompt), &wish, &err))
        sf_work_answerf(w, true, "[sf] The sub-agent could not start: %s", err.msg);
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
    struct sf_talk *t = ctx;

    t->close_timer = 0;
    sf_talk_close(t->closing);
    t->closing = NULL;
}

/* The child ended: its last words are the result. It is closed from the loop, not from within. */
static void child_done(struct sf_work *w, const struct sf_told *told)
{
    struct sf_talk *t = w->talk, *child = w->child;
    size_t len = 0;
    const char *text = last_text(sf_talk_history(child), &len);
    bool ok = told->status == SF_TURN_DONE && text;

    sf_refusal_adopt(t, told);
    sf_agent_charge(t->agent, sf_talk_budget(child));
    w->child = NULL;
    if (t->closing)
        close_child(t);
    t->closing = child;
    sf_loop_remove(t->setup.loop, t->close_timer);
    t->close_timer = sf_loop_add_timer(t->setup.loop, 0, 0, close_child, t);
    if (ok)
        sf_work_answerf(w, false, "%.*s", (int)(len < 60000 ? len : 60000), text);
    else
        sf_work_answerf(w, true, "[sf] The sub-agent ended as %s%s%s.%s%.*s",
                        sf_turn_status_names[told->status], *told->error->message ? ": " : "",
                        told->error->message, text ? " Its last words: " : "",
                        (int)(len < 8000 ? len : 8000), text ? text : "");
}

static void child_told(void *ctx, const struct sf_told *told)
{
    struct sf_work *w = ctx;
    struct sf_talk *t = w->talk;

    if (t->setup.told)
        t->setup.told(t->setup.ctx, told);
    if (told->kind == SF_TOLD_DONE && w->child && !strcmp(told->session, sf_talk_id(w->child)))
        child_done(w, told);
}

/* ---- the table ---- */

static const struct {
    const char *name;
    void (*run)(struct sf_work *w);
} own_tools[] = {
    { "Plan", sf_plan_run },      { "AskUser", run_question }, { "ChangeToolMode", run_scope },
    { "Remember", run_remember }, { "Agent", run_agent },      { "RevertTurn", sf_revert_run },
};

void sf_own_run(struct sf_work *w)
{
    for (size_t i = 0; i < SF_COUNT(own_tools); i++) {
        if (!strcmp(own_tools[i].name, w->name)) {
            own_tools[i].run(w);
            return;
        }
    }
    sf_work_answerf(w, true, "[sf] The tool %s cannot be run here.", w->name);
}
