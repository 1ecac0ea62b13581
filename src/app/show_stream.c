/*
 * show_stream.c: one object a line, flushed at once. Objects of sub-agents carry "agent".
 */
#include "app/show_stream.h"

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"

static void open_object(struct sf_json_writer *w, struct sf_strbuf *line, const char *type)
{
    sf_jw_init(w, line);
    sf_jw_object_begin(w);
    sf_jw_key_int(w, "v", SF_STREAM_VERSION);
    sf_jw_key_str(w, "type", type);
}

static void print_object(struct sf_json_writer *w, struct sf_strbuf *line)
{
    sf_jw_object_end(w);
    sf_strbuf_addch(line, '\n');
    fwrite(line->buf, 1, line->len, stdout);
    sf_flush();
    sf_strbuf_release(line);
}

static void add_text(struct sf_json_writer *w, const char *key, const char *text, size_t len)
{
    sf_jw_key(w, key);
    sf_jw_strn(w, text, len);
}

static void add_money(struct sf_json_writer *w, int64_t micro)
{
    sf_jw_key(w, "cost_usd");
    if (micro >= 0)
        sf_jw_double(w, (double)micro / 1e6);
    else
        sf_jw_null(w);
}

/* ---- one function for each kind of object ---- */

static void add_call(struct sf_json_writer *w, const struct sf_event *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *input = sf_json_parse(event->call->args, event->call->len, NULL, &ignored);

    sf_jw_key_str(w, "id", event->call->id);
    sf_jw_key_str(w, "name", event->call->name);
    if (input) {
        sf_jw_key(w, "input");
        sf_jw_json(w, input);
    } else {
        add_text(w, "input_text", event->call->args, event->call->len);
    }
    sf_json_free(input);
}

static void add_verdict(struct sf_json_writer *w, const struct sf_event *event)
{
    const struct sf_judged *judged =
        event->kind == SF_EVENT_ASK ? event->ask.judged : event->verdict.judged;
    const struct sf_verdict *v = &judged->verdict;

    sf_jw_key_str(w, "id", event->call->id);
    sf_jw_key_str(w, "name", event->call->name);
    sf_jw_key_str(w, "verdict", sf_answer_name(v->answer));
    sf_jw_key_str(w, "layer", sf_guard_layer_name(v->layer));
    sf_jw_key_str(w, "rule", v->rule);
    sf_jw_key_str(w, "class", sf_matrix[v->kind].name);
    sf_jw_key_str(w, "reason", v->reason);
    sf_jw_key_str(w, "hint", v->hint);
    if (judged->cage)
        sf_jw_key_str(w, "cage", judged->cage);
    if (event->kind == SF_EVENT_ASK && event->ask.preview)
        sf_jw_key_str(w, "preview", event->ask.preview);
}

static void add_result(struct sf_json_writer *w, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;

    sf_jw_key_str(w, "id", event->call->id);
    sf_jw_key_str(w, "name", event->call->name);
    sf_jw_key_bool(w, "is_error", r->is_error);
    add_text(w, "text", r->text.buf, r->text.len);
    if (r->summary)
        sf_jw_key_str(w, "summary", r->summary);
    if (r->exit_code >= 0)
        sf_jw_key_int(w, "exit_code", r->exit_code);
    if (r->diff.len)
        add_text(w, "diff", r->diff.buf, r->diff.len);
}

static void add_usage(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_int(w, "input_tokens", event->usage.tokens->input);
    sf_jw_key_int(w, "output_tokens", event->usage.tokens->output);
    sf_jw_key_int(w, "cache_read_tokens", event->usage.tokens->cache_read);
    sf_jw_key_int(w, "cache_write_tokens", event->usage.tokens->cache_write);
    sf_jw_key_int(w, "reasoning_tokens", event->usage.tokens->reasoning);
    add_money(w, event->usage.cost);
}

static void add_retry(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_int(w, "attempt", event->retry->attempt);
    sf_jw_key_int(w, "of", event->retry->of);
    sf_jw_key_int(w, "wait_ms", event->retry->wait_ms);
    sf_jw_key_str(w, "category", sf_faults[event->retry->why->fault].name);
    sf_jw_key_str(w, "message", event->retry->why->message);
}

static void add_transition(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key(w, "transition");
    sf_transition_json(event->transition, w);
    sf_jw_key(w, "axes");
    sf_mode_state_json(&event->transition->to, w);
}

static void add_plain_text(struct sf_json_writer *w, const struct sf_event *event)
{
    add_text(w, "text", event->words.text, event->words.len);
}

static void add_output(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_str(w, "id", event->call->id);
    add_text(w, "text", event->words.text, event->words.len);
}

static void add_plan(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key(w, "plan");
    sf_jw_raw(w, event->words.text, event->words.len);
}

static void add_question(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_str(w, "id", event->call->id);
    add_text(w, "question", event->words.text, event->words.len);
}

static void add_submitted(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_str(w, "id", event->call->id);
    sf_jw_key_str(w, "digest", event->submitted.digest);
    add_text(w, "text", event->submitted.text, event->submitted.len);
}

static void add_goal(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key(w, "goal");
    sf_goal_json(event->goal.now, w);
    add_text(w, "text", event->goal.change, event->goal.len);
}

static void add_compacted(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key_int(w, "before", event->compacted.before);
    sf_jw_key_int(w, "after", event->compacted.after);
    add_text(w, "summary", event->compacted.summary, event->compacted.len);
}

static void add_notice(struct sf_json_writer *w, const struct sf_event *event)
{
    add_text(w, "text", event->notice.text, event->notice.len);
}

static void add_nothing(struct sf_json_writer *w, const struct sf_event *event)
{
    (void)w;
    (void)event;
}

static const struct {
    const char *type; /* NULL: not part of the stream */
    void (*add)(struct sf_json_writer *w, const struct sf_event *event);
} objects[] = {
    [SF_EVENT_TEXT] = { "text", add_plain_text },
    [SF_EVENT_REASONING] = { "reasoning", add_plain_text },
    [SF_EVENT_RESTART] = { "restart", add_nothing },
    [SF_EVENT_MESSAGE_END] = { NULL, NULL }, /* what follows says it */
    [SF_EVENT_CALL] = { "tool_use", add_call },
    [SF_EVENT_VERDICT] = { "verdict", add_verdict },
    [SF_EVENT_ASK] = { "ask", add_verdict },
    [SF_EVENT_AMENDED] = { "amended", add_verdict },
    [SF_EVENT_QUESTION] = { "question", add_question },
    [SF_EVENT_OUTPUT] = { "tool_output", add_output },
    [SF_EVENT_RESULT] = { "tool_result", add_result },
    [SF_EVENT_USAGE] = { "usage", add_usage },
    [SF_EVENT_RETRY] = { "retry", add_retry },
    [SF_EVENT_TRANSITION] = { "transition", add_transition },
    [SF_EVENT_PLAN] = { "plan", add_plan },
    [SF_EVENT_SUBMITTED] = { "plan_submitted", add_submitted },
    [SF_EVENT_GOAL] = { "goal", add_goal },
    [SF_EVENT_COMPACTED] = { "compaction", add_compacted },
    [SF_EVENT_STEERED] = { NULL, NULL }, /* nobody steers a run */
    [SF_EVENT_NOTICE] = { "notice", add_notice },
    [SF_EVENT_DONE] = { NULL, NULL }, /* the run's own comes from sf_stream_done */
};

static void add_agent(struct sf_json_writer *w, const struct sf_event *event)
{
    sf_jw_key(w, "agent");
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "session", event->session);
    sf_jw_key_int(w, "depth", event->depth);
    sf_jw_key_str(w, "parent", event->parent);
    sf_jw_object_end(w);
}

/* How a sub-agent ended; the session's own end is the run's. */
static void print_agent_done(const struct sf_event *event)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_json_writer w;

    open_object(&w, &line, "agent_done");
    add_agent(&w, event);
    sf_jw_key_str(&w, "status", sf_turn_status_names[event->done.status]);
    print_object(&w, &line);
}

void sf_stream_told(struct sf_show *show, const struct sf_event *event)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_json_writer w;

    (void)show;
    if (event->kind == SF_EVENT_DONE && event->depth)
        print_agent_done(event);
    if (!objects[event->kind].type)
        return;
    open_object(&w, &line, objects[event->kind].type);
    if (event->depth)
        add_agent(&w, event);
    objects[event->kind].add(&w, event);
    print_object(&w, &line);
}

void sf_stream_begin(struct sf_show *show, const char *workspace, const char *provider,
                     bool resumed)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_json_writer w;

    open_object(&w, &line, "session");
    sf_jw_key_str(&w, "session", sf_session_id(show->session));
    sf_jw_key_bool(&w, "resumed", resumed);
    sf_jw_key_str(&w, "workspace", workspace);
    sf_jw_key_str(&w, "provider", provider);
    sf_jw_key_str(&w, "model", sf_session_model(show->session));
    print_object(&w, &line);
    open_object(&w, &line, "axes");
    sf_jw_key(&w, "axes");
    sf_mode_state_json(sf_session_state(show->session), &w);
    print_object(&w, &line);
}

static void print_error(const struct sf_event_done *done, enum sf_exit code)
{
    struct sf_strbuf line = SF_STRBUF_INIT, reason = SF_STRBUF_INIT;
    const struct sf_fault_info *f = &sf_faults[done->error->fault];
    struct sf_json_writer w;

    sf_show_reason(done, code, &reason);
    if (!reason.len) /* nothing is wrong, or the answer says it */
        return;
    open_object(&w, &line, "error");
    sf_jw_key_str(&w, "category",
                  code == SF_EXIT_TIMEOUT ? "timeout"
                  : done->status == SF_TURN_FAILED && done->error->fault != SF_FAULT_NONE ? f->name
                  : done->status == SF_TURN_DONE || done->status == SF_TURN_UNABLE
                      ? "permission"
                      : sf_turn_status_names[done->status]);
    if (done->budget >= 0)
        sf_jw_key_str(&w, "limit", sf_budgets[done->budget].name);
    add_text(&w, "message", reason.buf, reason.len);
    print_object(&w, &line);
    sf_strbuf_release(&reason);
}

void sf_stream_done(struct sf_show *show, const struct sf_event_done *done, enum sf_exit code)
{
    struct sf_strbuf line = SF_STRBUF_INIT, resume = SF_STRBUF_INIT, reason = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (show->format == SF_SHOW_STREAM)
        print_error(done, code);
    sf_show_reason(done, code, &reason);
    sf_strbuf_addf(&resume, "sf exec --resume %s", sf_session_id(show->session));
    open_object(&w, &line, "done");
    sf_jw_key_str(&w, "status", sf_turn_status_names[done->status]);
    sf_jw_key_int(&w, "exit_code", (int64_t)code);
    sf_jw_key_str(&w, "session", sf_session_id(show->session));
    sf_jw_key_str(&w, "resume", resume.buf);
    add_text(&w, "result", show->answer.buf, show->answer.len);
    if (reason.len)
        sf_jw_key_str(&w, "reason", reason.buf);
    sf_jw_key_str(&w, "model", sf_session_model(show->session));
    sf_jw_key(&w, "axes");
    sf_mode_state_json(sf_session_state(show->session), &w);
    sf_jw_key_int(&w, "turns", show->turns);
    sf_jw_key_int(&w, "tool_calls", show->calls);
    sf_jw_key_int(&w, "input_tokens", show->tokens_in);
    sf_jw_key_int(&w, "output_tokens", show->tokens_out);
    add_money(&w, show->cost_known ? show->cost : -1);
    sf_jw_key_int(&w, "duration_ms", sf_clock_monotonic_ms() - show->started_ms);
    print_object(&w, &line);
    sf_strbuf_release(&resume);
    sf_strbuf_release(&reason);
}

void sf_stream_failure(struct sf_show *show, const struct sf_error *err, enum sf_exit code)
{
    struct sf_strbuf line = SF_STRBUF_INIT, reason = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_strbuf_adds(&reason, err->msg);
    if (*err->hint)
        sf_strbuf_addf(&reason, "; %s", err->hint);
    if (show->format == SF_SHOW_STREAM) {
        open_object(&w, &line, "error");
        sf_jw_key_str(&w, "category", "start");
        sf_jw_key_str(&w, "message", reason.buf);
        print_object(&w, &line);
    }
    open_object(&w, &line, "done");
    sf_jw_key_str(&w, "status", sf_turn_status_names[SF_TURN_FAILED]);
    sf_jw_key_int(&w, "exit_code", (int64_t)code);
    sf_jw_key_str(&w, "result", "");
    sf_jw_key_str(&w, "reason", reason.buf);
    print_object(&w, &line);
    sf_strbuf_release(&reason);
}
