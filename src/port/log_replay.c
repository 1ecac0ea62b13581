/*
 * log_replay.c: one function for each kind of row. A call is sent when the agent would have begun
 * it, by the same rule (agent/calls.c): calls that only read in parallel, others one after the
 * other. So what happened between two calls appears between them again.
 */
#include "port/log_replay.h"

#include <string.h>

#include "run/run.h"

struct replay_call {
    char *id, *name, *args;
    size_t len;
    char *what; /* the subject of the call; NULL: not determined yet */
    bool parallel, begun, done;
};

struct sf_log_replay {
    sf_session_event_fn *told; /* of the row that is being read */
    void *ctx;
    const char *session;
    int64_t time_ms;
    int64_t turn;
    int answers;               /* number of answers in the turn */
    char *root;                /* of the workspace */
    char *stand;               /* where paths of the last answer begin, below the root */
    struct replay_call *calls; /* of the last answer */
    size_t call_count, call_cap;
    struct sf_strlist steers; /* text that has not joined the turn yet */
};

struct sf_log_replay *sf_log_replay_new(const char *root)
{
    struct sf_log_replay *r = sf_alloc(sizeof(*r));

    *r = (struct sf_log_replay){ .steers = SF_STRLIST_INIT,
                                 .root = sf_strdup(root),
                                 .stand = sf_strdup("") };
    return r;
}

static void drop_calls(struct sf_log_replay *r)
{
    for (size_t i = 0; i < r->call_count; i++) {
        free(r->calls[i].id);
        free(r->calls[i].name);
        free(r->calls[i].args);
        free(r->calls[i].what);
    }
    r->call_count = 0;
}

static void drop_steers(struct sf_log_replay *r)
{
    sf_strlist_release(&r->steers);
    r->steers = (struct sf_strlist)SF_STRLIST_INIT;
}

void sf_log_replay_free(struct sf_log_replay *r)
{
    if (!r)
        return;
    drop_calls(r);
    drop_steers(r);
    free(r->calls);
    free(r->root);
    free(r->stand);
    free(r);
}

static void tell(struct sf_log_replay *r, struct sf_event event)
{
    event.session = r->session;
    event.turn = r->turn;
    event.message = r->answers;
    event.time_ms = r->time_ms;
    r->told(r->ctx, &event);
}

static void tell_notice(struct sf_log_replay *r, const char *text)
{
    tell(r, sf_event_of_notice(text, strlen(text)));
}

/* ---- words during a turn ---- */

static void join_steers(struct sf_log_replay *r)
{
    for (size_t i = 0; i < r->steers.count; i++)
        tell(r,
             sf_event_of_words(SF_EVENT_STEERED, r->steers.items[i], strlen(r->steers.items[i])));
    drop_steers(r);
}

static void refuse_steers(struct sf_log_replay *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < r->steers.count; i++) {
        sf_strbuf_reset(&text);
        sf_strbuf_addf(&text, SF_UNSTEERED "%s", r->steers.items[i]);
        tell_notice(r, text.buf);
    }
    sf_strbuf_release(&text);
    drop_steers(r);
}

static void read_steer(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (!sf_json_get_str(l->json, "text", &text, &ignored))
        return;
    sf_strlist_add(&r->steers, text);
    tell(r, sf_event_of_words(SF_EVENT_STEER, text, strlen(text)));
}

/* ---- calls ---- */

static const char *what_of(const struct sf_log_replay *r, struct replay_call *c)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_tool *tool = sf_tool_find(c->name);
    struct sf_tool_call *call;

    if (c->what)
        return c->what;
    call = tool ? sf_tool_call_new(tool, c->id, c->args, c->len, &ignored) : NULL;
    if (call)
        sf_tool_call_stand(call, r->root, r->stand);
    c->what = sf_strdup(call ? call->what : "");
    sf_tool_call_free(call);
    return c->what;
}

/* `amended` is the subject after the user changed the call, or NULL. */
static void tell_call(struct sf_log_replay *r, struct replay_call *c, const char *amended,
                      struct sf_event event)
{
    const struct sf_event_call view = { .id = c->id,
                                        .name = c->name,
                                        .args = c->args,
                                        .len = c->len,
                                        .what = amended ? amended : what_of(r, c),
                                        .amended = amended != NULL };

    event.call = &view;
    tell(r, event);
}

static void begin_call(struct sf_log_replay *r, struct replay_call *c)
{
    if (!c->begun)
        tell_call(r, c, NULL, (struct sf_event){ .kind = SF_EVENT_CALL });
    c->begun = true;
}

static void begin_calls(struct sf_log_replay *r)
{
    bool out = false; /* an earlier call has no result yet */

    for (size_t i = 0; i < r->call_count; i++) {
        struct replay_call *c = &r->calls[i];

        if (c->parallel || !out)
            begin_call(r, c);
        out = out || !c->done;
        if (!c->done && !c->parallel)
            return;
    }
}

static void add_call(struct sf_log_replay *r, const struct sf_block *b)
{
    const struct sf_tool *tool = sf_tool_find(b->name);

    r->calls = sf_grow(r->calls, &r->call_cap, r->call_count + 1, sizeof(*r->calls));
    r->calls[r->call_count++] = (struct replay_call){ .id = sf_strdup(b->id),
                                                      .name = sf_strdup(b->name),
                                                      .args = sf_strndup(b->text, b->len),
                                                      .len = b->len,
                                                      .parallel = tool && tool->parallel };
}

static struct replay_call *find_call(const struct sf_log_replay *r, const char *id)
{
    for (size_t i = 0; i < r->call_count; i++)
        if (!strcmp(r->calls[i].id, id))
            return &r->calls[i];
    return NULL;
}

static bool is_open(const struct sf_log_replay *r)
{
    for (size_t i = 0; i < r->call_count; i++)
        if (!r->calls[i].done)
            return true;
    return false;
}

/* ---- the conversation ---- */

/* The user's prompt, without the notes that sf added for the model. */
static void read_user(struct sf_log_replay *r, const struct sf_log_event *l)
{
    drop_calls(r);
    for (size_t i = 0; i < l->message.count; i++) {
        const struct sf_block *b = &l->message.blocks[i];

        if (sf_log_event_is_words(b))
            tell(r, sf_event_of_words(SF_EVENT_PROMPT, b->text, b->len));
    }
}

/* Where the model stood when it made the calls of the answer. */
static void read_stand(struct sf_log_replay *r, const struct sf_log_event *l)
{
    const struct sf_json *detail = sf_json_get(l->json, "detail");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *stand = "";

    if (detail && !sf_json_opt_str(detail, "cwd", "", &stand, &ignored))
        stand = "";
    free(r->stand);
    r->stand = sf_strdup(stand);
}

static void read_answer(struct sf_log_replay *r, const struct sf_log_event *l)
{
    drop_calls(r);
    read_stand(r, l);
    r->answers++;
    for (size_t i = 0; i < l->message.count; i++) {
        const struct sf_block *b = &l->message.blocks[i];

        if (b->kind == SF_BLOCK_TEXT)
            tell(r, sf_event_of_words(SF_EVENT_TEXT, b->text, b->len));
        else if (b->kind == SF_BLOCK_REASONING && b->len)
            tell(r, sf_event_of_words(SF_EVENT_REASONING, b->text, b->len));
        else if (b->kind == SF_BLOCK_CALL)
            add_call(r, b);
    }
    tell(r, (struct sf_event){ .kind = SF_EVENT_MESSAGE_END });
    if (r->call_count)
        begin_calls(r);
    else
        join_steers(r);
}

/* The details beside a result in the log; "detail" may be missing. */
struct detail {
    const char *summary, *diff, *amended;
    int64_t code, took;
    bool refused;
};

static bool read_detail(const struct sf_json *json, struct detail *d)
{
    struct sf_error ignored = SF_ERROR_INIT;

    *d = (struct detail){ .code = -1, .took = -1 };
    return !json || (sf_json_opt_str(json, "summary", NULL, &d->summary, &ignored) &&
                     sf_json_opt_str(json, "diff", NULL, &d->diff, &ignored) &&
                     sf_json_opt_str(json, "amended", NULL, &d->amended, &ignored) &&
                     sf_json_opt_int(json, "exit", -1, &d->code, &ignored) &&
                     sf_json_opt_int(json, "took_ms", -1, &d->took, &ignored) &&
                     sf_json_opt_bool(json, "refused", false, &d->refused, &ignored));
}

static void tell_result(struct sf_log_replay *r, struct replay_call *c, const struct detail *d,
                        const struct sf_block *b)
{
    struct sf_tool_result result = { .is_error = b->is_error, .exit_code = (int)d->code };

    sf_strbuf_init(&result.text);
    sf_strbuf_init(&result.diff);
    sf_strbuf_add(&result.text, b->text, b->len);
    sf_strbuf_adds(&result.diff, d->diff ? d->diff : "");
    result.summary = d->summary ? sf_strdup(d->summary) : NULL;
    tell_call(
        r, c, d->amended,
        (struct sf_event){ .kind = SF_EVENT_RESULT, .result = { &result, d->refused, d->took } });
    sf_strbuf_release(&result.text);
    sf_strbuf_release(&result.diff);
    free(result.summary);
}

static void read_result(struct sf_log_replay *r, const struct sf_log_event *l)
{
    const struct sf_block *b = l->message.count ? &l->message.blocks[0] : NULL;
    struct replay_call *c = b && b->kind == SF_BLOCK_RESULT ? find_call(r, b->id) : NULL;
    struct detail d;

    if (!c || c->done)
        return;
    begin_call(r, c); /* a call that never began has a result all the same */
    if (read_detail(sf_json_get(l->json, "detail"), &d))
        tell_result(r, c, &d, b);
    c->done = true;
    if (is_open(r))
        begin_calls(r);
    else
        join_steers(r);
}

/* An end with an unknown status becomes a notice with its own text. */
static void read_end(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_event event = { .kind = SF_EVENT_DONE };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_wire_error error;
    const char *text;

    drop_calls(r);
    refuse_steers(r);
    if (sf_event_read_end(&event.done, &error, l->json))
        tell(r, event);
    else if (sf_json_get_str(l->json, "message", &text, &ignored) ||
             sf_json_get_str(l->json, "status", &text, &ignored))
        tell_notice(r, text);
    r->turn = 0;
    r->answers = 0;
}

static void read_compaction(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_event event = { .kind = SF_EVENT_COMPACTED };
    struct sf_event_compacted *c = &event.compacted;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *why;

    if (!sf_json_opt_str(l->json, "why", "", &why, &ignored) || !strcmp(why, SF_WHY_AFRESH) ||
        !sf_json_get_str(l->json, "summary", &c->summary, &ignored) ||
        !sf_json_opt_int(l->json, "before", 0, &c->before, &ignored) ||
        !sf_json_opt_int(l->json, "after", 0, &c->after, &ignored))
        return;
    c->len = strlen(c->summary);
    tell(r, event);
}

/* ---- beside the conversation ---- */

/* A command that the user typed: one row has the call and its result. */
static void read_shell(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_block block = { .kind = SF_BLOCK_RESULT };
    struct replay_call call = { .name = (char *)(uintptr_t) "Bash" };
    const char *id, *command, *text;
    struct sf_json_writer w;
    struct detail d;

    if (!read_detail(l->json, &d) || !sf_json_get_str(l->json, "id", &id, &ignored) ||
        !sf_json_get_str(l->json, "command", &command, &ignored) ||
        !sf_json_get_str(l->json, "text", &text, &ignored) ||
        !sf_json_get_bool(l->json, "error", &block.is_error, &ignored))
        return;
    sf_jw_init(&w, &args);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "command", command);
    sf_jw_object_end(&w);
    call.id = sf_strdup(id);
    call.args = args.buf;
    call.len = args.len;
    block.text = sf_strdup(text);
    block.len = strlen(text);
    begin_call(r, &call);
    tell_result(r, &call, &d, &block);
    free(block.text);
    free(call.id);
    free(call.what);
    sf_strbuf_release(&args);
}

static void read_transition(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_transition t;

    if (sf_transition_shown(&t, l->json, &ignored))
        tell(r, (struct sf_event){ .kind = SF_EVENT_TRANSITION, .transition = &t });
}

static bool read_goal_json(const struct sf_json *json, struct sf_goal *g)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text, *status, *why;

    if (!json || sf_json_type(json) != SF_JSON_OBJECT ||
        !sf_json_get_str(json, "text", &text, &ignored) ||
        !sf_json_get_str(json, "status", &status, &ignored) ||
        !sf_goal_status_parse(status, &g->status))
        return false;
    g->set = true;
    snprintf(g->text, sizeof(g->text), "%s", text);
    if (sf_json_opt_str(json, "why", "", &why, &ignored) && why)
        snprintf(g->why, sizeof(g->why), "%s", why);
    return sf_json_opt_int(json, "budget", 0, &g->budget, &ignored) &&
           sf_json_opt_int(json, "tokens_used", 0, &g->tokens, &ignored) &&
           sf_json_opt_int(json, "time_used_ms", 0, &g->time_ms, &ignored);
}

/* Older rows do not say what changed, only the new goal. */
static void read_goal(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_goal goal = { .set = false };
    const char *change = NULL;

    read_goal_json(sf_json_get(l->json, "goal"), &goal);
    if (sf_json_opt_str(l->json, "change", NULL, &change, &ignored) && change)
        sf_strbuf_adds(&line, change);
    else if (goal.set)
        sf_strbuf_addf(&line, "goal %s: %s", sf_goal_status_names[goal.status], goal.text);
    else
        sf_strbuf_adds(&line, "goal cleared");
    tell(r, (struct sf_event){ .kind = SF_EVENT_GOAL, .goal = { &goal, line.buf, line.len } });
    sf_strbuf_release(&line);
}

/* A restore by the model yields no event: it is the result of a call. */
static void read_restore(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (sf_restored_add(l->json, &line))
        tell(r, sf_event_of_words(SF_EVENT_RESTORED, line.buf, line.len));
    sf_strbuf_release(&line);
}

static void read_instructions(struct sf_log_replay *r, const struct sf_log_event *l)
{
    const struct sf_json *names = sf_json_get(l->json, "names");
    struct sf_strlist list = SF_STRLIST_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *name;

    for (const struct sf_json *it = names ? sf_json_first(names) : NULL; it; it = sf_json_next(it))
        if (sf_json_as_str(it, "names", &name, &ignored))
            sf_strlist_add(&list, name);
    sf_log_event_add_instructions(&list, &line);
    if (list.count)
        tell_notice(r, line.buf);
    sf_strbuf_release(&line);
    sf_strlist_release(&list);
}

/* Something is not as the user may believe; the row's line was shown at once, and is again. */
static void tell_urgent(struct sf_log_replay *r, const struct sf_log_event *l, const char *member)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_event event;
    const char *text;

    if (!sf_json_get_str(l->json, member, &text, &ignored))
        return;
    event = sf_event_of_notice(text, strlen(text));
    event.notice.urgent = true;
    tell(r, event);
}

static void tell_run(void *ctx, const struct sf_event_run *event)
{
    tell(ctx, (struct sf_event){ .kind = SF_EVENT_RUN, .run = *event });
}

static void read_aftermath(struct sf_log_replay *r, const struct sf_log_event *l)
{
    tell_urgent(r, l, "text");
}

/* Only a background job's has a notice; that of a command is in the command's result. */
static void read_scope_audit(struct sf_log_replay *r, const struct sf_log_event *l)
{
    tell_urgent(r, l, "notice");
}

static void read_plan(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &json);
    sf_jw_json(&w, l->json);
    tell(r, sf_event_of_words(SF_EVENT_PLAN, json.buf, json.len));
    sf_strbuf_release(&json);
}

/* What is no report, as a log that was tampered with may have it, is left out. */
static void read_review(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_review_report report;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;

    if (!sf_review_report_read(&report, l->json, &ignored))
        return;
    sf_jw_init(&w, &json);
    sf_review_report_json(&report, &w);
    tell(r, sf_event_of_words(SF_EVENT_REVIEW, json.buf, json.len));
    sf_strbuf_release(&json);
    sf_review_report_release(&report);
}

/* ---- questions ---- */

static void tell_about(struct sf_log_replay *r, const struct sf_log_event *l, struct sf_event event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_event_call call = { .args = "{}", .len = 2 };

    if (!sf_json_get_str(l->json, "call", &call.id, &ignored) ||
        !sf_json_opt_str(l->json, "tool", "Plan", &call.name, &ignored) ||
        !sf_json_opt_str(l->json, "what", "", &call.what, &ignored))
        return;
    event.call = &call;
    tell(r, event);
}

static void read_asked(struct sf_log_replay *r, const struct sf_log_event *l)
{
    tell_about(r, l, (struct sf_event){ .kind = SF_EVENT_ASKED });
}

static void read_answered(struct sf_log_replay *r, const struct sf_log_event *l)
{
    tell_about(r, l, (struct sf_event){ .kind = SF_EVENT_ANSWERED });
}

static void read_submitted(struct sf_log_replay *r, const struct sf_log_event *l)
{
    struct sf_event event = { .kind = SF_EVENT_SUBMITTED };
    struct sf_event_submitted *s = &event.submitted;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_json_get_str(l->json, "text", &s->text, &ignored) ||
        !sf_json_opt_str(l->json, "digest", "", &s->digest, &ignored))
        return;
    s->len = strlen(s->text);
    tell_about(r, l, event);
}

/* ---- the table ---- */

/* Functions with `message` run if the row has a message, others if the row is valid JSON. */
static const struct {
    const char *kind;
    void (*read)(struct sf_log_replay *r, const struct sf_log_event *l);
    bool message;
} kinds[] = {
    { SF_LOG_USER, read_user, true },
    { SF_LOG_ASSISTANT, read_answer, true },
    { SF_LOG_RESULT, read_result, true },
    { SF_LOG_STEER, read_steer, false },
    { SF_LOG_END, read_end, false },
    { SF_LOG_COMPACTION, read_compaction, false },
    { SF_TRANSITION_EVENT, read_transition, false },
    { SF_LOG_GOAL, read_goal, false },
    { SF_LOG_RESTORE, read_restore, false },
    { SF_LOG_INSTRUCTIONS, read_instructions, false },
    { SF_LOG_ASKED, read_asked, false },
    { SF_LOG_ANSWERED, read_answered, false },
    { SF_LOG_SHELL, read_shell, false },
    { SF_LOG_PLAN, read_plan, false },
    { SF_LOG_REVIEW, read_review, false },
    { SF_LOG_PLAN_SUBMITTED, read_submitted, false },
    { SF_LOG_PLAN_ACCEPTED, read_answered, false },
    { SF_LOG_PLAN_REJECTED, read_answered, false },
    { SF_LOG_CAGE_AFTERMATH, read_aftermath, false },
    { SF_LOG_SCOPE_AUDIT, read_scope_audit, false },
};

static void begin(struct sf_log_replay *r, sf_session_event_fn *told, void *ctx)
{
    r->told = told;
    r->ctx = ctx;
}

void sf_log_replay_row(struct sf_log_replay *r, const struct sf_event_row *row,
                       sf_session_event_fn *told, void *ctx)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_log_event l;

    begin(r, told, ctx);
    r->session = row->session;
    if (!sf_time_parse_rfc3339(row->time, strlen(row->time), &r->time_ms, &ignored))
        r->time_ms = 0;
    if (!strcmp(row->kind, SF_LOG_USER)) {
        r->turn = row->seq;
        r->answers = 0;
    }
    sf_run_event_read(row->kind, row->json, row->len, tell_run, r);
    sf_log_event_read(&l, row);
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (!strcmp(kinds[i].kind, row->kind) && (kinds[i].message ? l.has_message : !!l.json))
            kinds[i].read(r, &l);
    sf_log_event_release(&l);
    r->session = NULL;
}

void sf_log_replay_end(struct sf_log_replay *r, sf_session_event_fn *told, void *ctx)
{
    begin(r, told, ctx);
    refuse_steers(r);
}
