/*
 * call.c: a call on its way. Prepared, judged, written down, and only then allowed, asked about
 * or refused; a refusal is a result that tells the model what would change it.
 */
#include "base/base.h"
#include "session/internal.h"

struct sf_event_call sf_call_event(const struct sf_call *c)
{
    const char *what = c->tool_call ? sf_tool_call_what(c->tool_call) : "";

    if (!*what && c->about)
        what = c->about;
    return (struct sf_event_call){ .id = c->id,
                                   .name = c->name,
                                   .args = c->amended ? c->amended : c->args,
                                   .len = c->amended ? strlen(c->amended) : c->len,
                                   .what = what,
                                   .amended = c->amended != NULL };
}

static void tell(struct sf_call *c, struct sf_event event)
{
    struct sf_event_call call = sf_call_event(c);

    event.call = &call;
    sf_session_tell(c->session, &event);
}

static void tell_ask(struct sf_call *c)
{
    tell(c, (struct sf_event){ .kind = SF_EVENT_ASK,
                               .ask = { .judged = &c->judged,
                                        .preview = c->preview,
                                        .planned = c->planned,
                                        .facts = &c->facts,
                                        .draft = sf_amend_draft(c) } });
}

void sf_call_release(struct sf_call *c)
{
    struct sf_session *s = c->session;

    if (c->has_judged)
        sf_judged_release(&c->judged);
    sf_tool_call_free(c->tool_call);
    sf_snapshots_leave(c);
    sf_scope_audit_free(c->audit);
    sf_undo_release(&c->undo);
    free(c->about);
    free(c->preview);
    free(c->planned);
    free(c->amended);
    sf_strlist_release(&c->facts);
    free(c->plan);
    free(c->id);
    free(c->name);
    free(c->args);
    *c = (struct sf_call){ .session = s };
}

/* ---- results ---- */

static void write_seen(struct sf_json_writer *w, const struct sf_file_seen *seen)
{
    char hex[2 * sizeof(seen->digest) + 1];

    for (size_t i = 0; i < sizeof(seen->digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", seen->digest[i]);
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "path", seen->path);
    sf_jw_key_int(w, "size", seen->size);
    sf_jw_key_int(w, "mtime_ns", seen->mtime_ns);
    sf_jw_key_str(w, "sha256", hex);
    sf_jw_key_bool(w, "whole", seen->whole);
    if (seen->first > 0) {
        sf_jw_key_int(w, "first", seen->first);
        sf_jw_key_int(w, "last", seen->last);
        sf_jw_key_int(w, "limit", seen->limit);
    }
    if (seen->again)
        sf_jw_key_bool(w, "again", true);
    sf_jw_object_end(w);
}

bool sf_call_is_refused(const struct sf_call *c, const struct sf_tool_result *result)
{
    return result->is_error && c->has_judged && c->judged.verdict.answer == SF_DENY;
}

/* What stands beside the result in the log: for people and for resuming, not for the model. */
static void write_detail(const struct sf_call *call, const struct sf_tool_result *r,
                         struct sf_strbuf *out)
{
    enum { DIFF_MAX = 64 * 1024 };
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (call->judged.decision)
        sf_jw_key_int(&w, "decision", call->judged.decision);
    if (r->summary)
        sf_jw_key_str(&w, "summary", r->summary);
    if (call->amended)
        sf_jw_key_str(&w, "amended", sf_tool_call_what(call->tool_call));
    if (sf_call_is_refused(call, r))
        sf_jw_key_bool(&w, "refused", true);
    if (r->exit_code >= 0)
        sf_jw_key_int(&w, "exit", r->exit_code);
    if (call->took_ms >= 0)
        sf_jw_key_int(&w, "took_ms", call->took_ms);
    if (r->diff.len) {
        sf_jw_key(&w, "diff");
        sf_jw_strn(&w, r->diff.buf, r->diff.len < DIFF_MAX ? r->diff.len : DIFF_MAX);
    }
    if (r->seen_count) {
        sf_jw_key(&w, "seen");
        sf_jw_array_begin(&w);
        for (size_t i = 0; i < r->seen_count; i++)
            write_seen(&w, &r->seen[i]);
        sf_jw_array_end(&w);
    }
    sf_side_state_write(call->session, &w);
    sf_jw_object_end(&w);
}

static void free_finished(struct sf_finished *f)
{
    if (!f)
        return;
    sf_strbuf_release(&f->own.text);
    sf_strbuf_release(&f->own.diff);
    sf_call_release(&f->call);
    free(f);
}

/* The call is over: the machine first, which writes it down; then sf_call_saved tells it. */
static void answer_user(struct sf_call *c, struct sf_tool_result *own)
{
    sf_shell_ended(c, own ? own : &c->tool_call->result);
    if (own) {
        sf_strbuf_release(&own->text);
        sf_strbuf_release(&own->diff);
    }
}

static void answer(struct sf_call *c, struct sf_tool_result *own)
{
    struct sf_session *s = c->session;
    struct sf_finished *f;
    struct sf_strbuf detail = SF_STRBUF_INIT;
    struct sf_block block = { .kind = SF_BLOCK_RESULT };
    struct sf_input in = { .kind = SF_IN_RESULT, .call = c->index, .result = &block };

    c->took_ms = c->started_ms ? sf_clock_monotonic_ms() - c->started_ms : -1;
    if (c->index == SF_CALL_USER) {
        answer_user(c, own);
        return;
    }
    f = sf_alloc(sizeof(*f));
    f->call = *c;
    f->own = own ? *own : (struct sf_tool_result){ .exit_code = -1 };
    if (!own) {
        sf_strbuf_init(&f->own.text);
        sf_strbuf_init(&f->own.diff);
    }
    f->result = own ? &f->own : &c->tool_call->result;
    sf_refusal_outdo(c, f->result);
    if (!own)
        sf_amend_note(c, f->result);
    block.text = sf_strndup(f->result->text.buf, f->result->text.len);
    block.len = f->result->text.len;
    block.is_error = f->result->is_error;
    if (f->result->media && f->result->data) {
        block.media = sf_strdup(f->result->media);
        block.data = sf_strdup(f->result->data);
    }
    write_detail(c, f->result, &detail);
    in.detail = detail.buf;
    free_finished(s->finished[c->index]);
    s->finished[c->index] = f;
    *c = (struct sf_call){ .session = s };
    if (f->call.counted)
        sf_session_notify(s, SF_MACHINE_TOOL_ENDED);
    sf_session_feed(s, &in);
    sf_block_release(&block);
    sf_strbuf_release(&detail);
}

void sf_call_saved(struct sf_session *s, const struct sf_effect *e)
{
    struct sf_tool_result plain = { .is_error = e->is_error, .text = e->text, .exit_code = -1 };
    struct sf_event_call call = { .id = e->block->id,
                                  .name = e->block->name,
                                  .args = e->block->text,
                                  .len = e->block->len,
                                  .what = "" };
    struct sf_event event = { .kind = SF_EVENT_CALL, .call = &call };
    struct sf_finished *f = e->call < SF_COUNT(s->finished) ? s->finished[e->call] : NULL;
    struct sf_event result = { .kind = SF_EVENT_RESULT,
                               .result = { .tool = f ? f->result : &plain,
                                           .refused = f && sf_call_is_refused(&f->call, f->result),
                                           .took_ms = f ? f->call.took_ms : -1 } };

    sf_strbuf_init(&plain.diff);
    if (f) {
        s->finished[e->call] = NULL;
        call = sf_call_event(&f->call);
    } else {
        sf_session_tell(
            s, &event); /* it was refused unseen; a result belongs to a call all the same */
    }
    result.call = &call;
    sf_session_tell(s, &result);
    free_finished(f);
}

void sf_call_drop(struct sf_session *s)
{
    for (size_t i = 0; i < SF_COUNT(s->finished); i++) {
        free_finished(s->finished[i]);
        s->finished[i] = NULL;
    }
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        sf_call_release(&s->calls[i]);
}

void sf_call_answerf(struct sf_call *c, bool is_error, const char *format, ...)
{
    struct sf_tool_result r = { .is_error = is_error, .exit_code = -1 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    sf_strbuf_init(&r.text);
    sf_strbuf_init(&r.diff);
    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_safe_add(&r.text, text.buf, text.len); /* names in it are the model's */
    sf_strbuf_release(&text);
    answer(c, &r);
}

/* ---- judging ---- */

void sf_call_refuse(struct sf_call *c)
{
    const struct sf_verdict *v = &c->judged.verdict;
    bool event =
        *v->hint && c->session->setup.attended && !v->unanswered; /* else it is for people */

    sf_refusal_note(c);
    sf_call_answerf(c, true, "[sf] Refused%s rule %s (%s): %s%s%s%s",
                    v->unanswered ? ": needs a person, by" : " by", v->rule,
                    sf_guard_layer_name(v->layer), v->reason, *v->hint ? "\n" : "", v->hint,
                    event ? "" : "\nGo on another way, or say what you need and why.");
}

void sf_call_allow(struct sf_call *c)
{
    struct sf_input in = { .kind = SF_IN_ALLOWED, .call = c->index };

    if (c->index == SF_CALL_USER)
        sf_call_run(c);
    else
        sf_session_feed(c->session, &in);
}

void sf_call_ask(struct sf_call *c)
{
    struct sf_input in = { .kind = SF_IN_ASKED, .call = c->index };

    c->state = SF_CALL_ASKED;
    if (c->index != SF_CALL_USER) {
        sf_session_feed(c->session, &in);
    } else if (!c->judged.verdict.confirm && !c->session->custom) {
        /* who typed it has answered already */
        sf_session_answer(c->session, c->id, SF_REPLY_ONCE, NULL, "user, who typed it");
        return;
    }
    sf_approvals_open(c, sf_call_event(c).what);
    if (!c->session->dead)
        tell_ask(c);
}

/* What the user typed needs no offer; what stands in a file of commands does. */
static bool is_typed(const struct sf_call *c)
{
    return c->index == SF_CALL_USER && !c->session->custom;
}

/* A tool's row says the most it does; a call that names files does what it does to these. */
static enum sf_act act_of(const struct sf_tool_call *c)
{
    enum sf_act act = c->target_count ? SF_ACT_READ : c->tool->act;

    for (size_t i = 0; i < c->target_count; i++)
        if (c->targets[i].act > act)
            act = c->targets[i].act;
    return c->command || c->url ? c->tool->act : act;
}

static struct sf_call_asked describe(const struct sf_call *w)
{
    const struct sf_session *s = w->session;
    struct sf_tool_call *c = w->tool_call;
    bool typed = is_typed(w);

    return (struct sf_call_asked){ .tool = c->tool->name,
                                   .act = act_of(c),
                                   .least = c->tool->least,
                                   .command = c->command,
                                   .command_len = c->command ? strlen(c->command) : 0,
                                   .cwd = sf_toolbox_cwd(s->box),
                                   .url = c->url,
                                   .about = w->about ? w->about : c->note,
                                   .targets = c->targets,
                                   .target_count = c->target_count,
                                   .granted = { typed ? NULL : s->setup.allowed,
                                                typed || !s->narrowed ? NULL : &s->wished_tools },
                                   .withheld = typed ? NULL : s->setup.disallowed };
}

/* What will hold the command, for the row and the card. */
static void note_cage(struct sf_call *c, const struct sf_mode_state *state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_cage_coverage coverage;

    if (!c->judged.has_report)
        return;
    coverage = sf_confine_coverage(c->session->confine, &c->judged, state->trust);
    sf_cage_coverage_add(&text, &coverage);
    c->judged.cage = sf_arena_strndup(&c->judged.arena, text.buf, text.len);
    sf_strbuf_reset(&text);
    sf_cage_coverage_brief(&text, &coverage);
    c->judged.cage_brief = sf_arena_strndup(&c->judged.arena, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* The verdict, with its row. Nobody there to answer turns an ask into a refusal first. */
bool sf_call_verdict(struct sf_call *c, struct sf_error *err)
{
    struct sf_session *s = c->session;
    const struct sf_mode_state *state = sf_mode_machine_state(s->machine);
    struct sf_call_asked asked = describe(c);

    if (!sf_judge_call(s->setup.policy, &asked, state, &c->judged, err))
        return false;
    c->has_judged = true;
    if (!s->setup.attended)
        sf_verdict_unattended(&c->judged.verdict);
    note_cage(c, state);
    return sf_judged_record(s->setup.store, s->id, &asked, state, &c->judged, err);
}

/* A tool of the table that is not on this session's list: told apart from one that is unknown. */
static bool prepare(struct sf_call *c)
{
    struct sf_error err = SF_ERROR_INIT;

    c->tool_call = sf_tool_call_new(c->id, c->name, c->args, c->len, &err);
    tell(c, (struct sf_event){ .kind = SF_EVENT_CALL });
    if (!c->tool_call) {
        sf_call_answerf(c, true, "[sf] %s%s%s", err.msg, *err.hint ? ". " : "", err.hint);
        return false;
    }
    return true;
}

void sf_call_begin(struct sf_session *s, size_t index, const struct sf_block *block)
{
    struct sf_call *c = &s->calls[index];

    *c = (struct sf_call){ .session = s,
                           .index = index,
                           .id = sf_strdup(block->id),
                           .name = sf_strdup(block->name),
                           .args = sf_strndup(block->text, block->len),
                           .len = block->len,
                           .state = SF_CALL_JUDGED };
    if (!prepare(c))
        return;
    if (c->tool_call->tool->act == SF_ACT_REVERT)
        sf_revert_look(c);
    else
        sf_call_judge(c);
}

void sf_call_judge(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_refresh(s, &err) ||
        !sf_call_verdict(c, &err)) { /* by the axes of this moment */
        sf_session_die(s, &err);
        return;
    }
    tell(c, (struct sf_event){ .kind = SF_EVENT_VERDICT, .verdict.judged = &c->judged });
    if (c->judged.verdict.answer != SF_DENY && !is_typed(c) && !sf_model_link_offers(s, c->name)) {
        sf_refusal_withheld(c);
        sf_call_answerf(c, true, "[sf] The tool %s is not offered in this %s.", c->name,
                        s->narrowed ? "turn" : "session");
    } else if (c->judged.verdict.answer == SF_ALLOW)
        sf_call_allow(c);
    else if (c->judged.verdict.answer == SF_DENY)
        sf_call_refuse(c);
    else if (!sf_rehearsal_begin(c))
        sf_call_possible(c);
}

void sf_call_possible(struct sf_call *c)
{
    if (c->judged.verdict.confirm && !c->preview)
        sf_loss_preview_begin(c);
    else
        sf_call_ask(c);
}

/* ---- running ---- */

static void call_done(void *ctx, struct sf_tool_call *call)
{
    (void)call;
    if (!sf_scope_audit_check(ctx))
        answer(ctx, NULL);
}

void sf_call_done(struct sf_call *c)
{
    answer(c, NULL);
}

static void call_output(void *ctx, struct sf_tool_call *call, const char *text, size_t len)
{
    (void)call;
    tell(ctx, sf_event_of_words(SF_EVENT_OUTPUT, text, len));
}

static struct sf_confine_call confined(const struct sf_session *s, const struct sf_tool_call *call)
{
    struct sf_confine_call c = { .trusted = sf_mode_machine_state(s->machine)->trust };

    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        if (s->calls[i].tool_call == call && s->calls[i].has_judged)
            c.judged = &s->calls[i].judged;
    return c;
}

/* One command's confinement, from its start to its end. */
struct caged {
    struct sf_cage *cage;
    struct sf_git_repair *care;
};

static bool enter_cage(void *held)
{
    return sf_cage_enter(((struct caged *)held)->cage);
}

static void *open_cage(void *ctx, const struct sf_tool_call *call, const char *report,
                       const char *dir, struct sf_error *err)
{
    struct sf_session *s = ctx;
    struct sf_confine_call wanted = confined(s, call);
    struct sf_cage *cage;
    struct caged *held;

    wanted.report = report;
    wanted.dir = dir;
    cage = sf_confine_cage(s->confine, &wanted, err);
    if (!cage)
        return NULL;
    held = sf_alloc(sizeof(*held));
    held->cage = cage;
    held->care = sf_confine_care(s->confine, &wanted);
    return held;
}

static void explain_failure(void *ctx, const struct sf_tool_call *call, bool failed,
                            const struct sf_strbuf *output, struct sf_strbuf *out)
{
    struct sf_session *s = ctx;
    struct sf_confine_call wanted = confined(s, call);

    sf_confine_hint(s->confine, &wanted, failed, output, out);
}

static void close_cage(void *ctx, void *setup_ctx)
{
    struct caged *held = setup_ctx;

    (void)ctx;
    sf_cage_free(held->cage);
    held->cage = NULL;
}

static bool write_aftermath(struct sf_session *s, const char *text, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "text", text);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, "cage_aftermath", &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* People hear of it at once: a job in the background may be one that nobody asks about again. */
static void tell_aftermath(struct sf_session *s, const struct sf_strbuf *words)
{
    struct sf_error err = SF_ERROR_INIT;
    char *line = sf_strndup(words->buf, words->len);
    struct sf_event event;

    line[strcspn(line, "\n")] = '\0';
    memmove(line, line + 5, strlen(line + 5) + 1); /* without the "[sf] " that the model reads */
    event = sf_event_of_notice(line, strlen(line));
    event.notice.urgent = true;
    sf_log(SF_LOG_WARN, "%s", line);
    if (!write_aftermath(s, line, &err) && !s->dead)
        sf_session_die(s, &err);
    if (!s->dead)
        sf_session_tell(s, &event);
    free(line);
}

static void settle_cage(void *ctx, void *setup_ctx, struct sf_strbuf *out)
{
    struct caged *held = setup_ctx;

    if (held->care)
        sf_git_repair_settle(held->care, out);
    if (out->len)
        tell_aftermath(ctx, out);
    sf_git_repair_free(held->care);
    free(held);
}

void sf_call_cage(struct sf_session *s)
{
    s->cage = (struct sf_tool_cage){
        .open = open_cage,
        .close = close_cage,
        .ended = settle_cage,
        .explain = explain_failure,
        .setup = enter_cage,
        .ctx = s,
        .watch = sf_confine_watch(s->confine),
    };
}

void sf_call_run(struct sf_call *c)
{
    c->state = SF_CALL_RUNNING;
    c->started_ms = sf_clock_monotonic_ms();
    if (c->tool_call->tool->where == SF_TOOL_SESSION)
        sf_session_tool_run(c);
    else if (!sf_snapshots_hold(c))
        sf_call_go(c);
}

void sf_call_go(struct sf_call *c)
{
    c->counted = true;
    sf_session_notify(c->session, SF_MACHINE_TOOL_STARTED);
    if (!c->session->dead)
        sf_toolbox_start(c->session->box, c->tool_call, call_done, call_output, c);
}

static void stop_waiting(struct sf_call *c)
{
    sf_snapshots_leave(c);
    sf_approvals_close(c);
    sf_call_answerf(c, true, "[sf] Not run: the turn was stopped.");
}

void sf_call_stop(struct sf_call *c)
{
    switch (c->state) {
    case SF_CALL_RUNNING:
        if (c->child)
            sf_session_cancel(c->child);
        else if (c->job && !c->counted && c->tool_call->tool->where != SF_TOOL_SESSION)
            stop_waiting(c);
        else if (c->tool_call->tool->where != SF_TOOL_SESSION)
            sf_toolbox_cancel(c->session->box, c->tool_call);
        break;
    case SF_CALL_REHEARSED:
        sf_toolbox_cancel(c->session->box, c->tool_call);
        break;
    case SF_CALL_ASKED:
    case SF_CALL_QUESTION:
    case SF_CALL_SUBMITTED:
    case SF_CALL_JUDGED:
        stop_waiting(c);
        break;
    case SF_CALL_FREE:
        break;
    }
}
