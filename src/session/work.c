/*
 * work.c: a call on its way. Prepared, judged, written down, and only then allowed, asked about
 * or refused; a refusal is a result that tells the model what would change it.
 */
#include "base/base.h"
#include "session/internal.h"

struct sf_told_call sf_work_told(const struct sf_work *w)
{
    const char *what = w->call ? sf_call_what(w->call) : "";

    if (!*what && w->about)
        what = w->about;
    return (struct sf_told_call){ .id = w->id,
                                  .name = w->name,
                                  .args = w->amended ? w->amended : w->args,
                                  .len = w->amended ? strlen(w->amended) : w->len,
                                  .what = what };
}

static void tell(struct sf_work *w, enum sf_told_kind kind, const char *text, size_t len)
{
    struct sf_told_call call = sf_work_told(w);
    struct sf_told told = { .kind = kind,
                            .call = &call,
                            .text = text,
                            .len = len,
                            .judged = w->has_judged ? &w->judged : NULL,
                            .planned = w->planned,
                            .facts = &w->facts,
                            .draft = kind == SF_TOLD_ASK ? sf_amend_draft(w) : NULL,
                            .amended = w->amended != NULL };

    sf_talk_tell(w->talk, &told);
}

void sf_work_release(struct sf_work *w)
{
    struct sf_talk *t = w->talk;

    if (w->has_judged)
        sf_judged_release(&w->judged);
    sf_call_free(w->call);
    sf_keep_leave(w);
    sf_fence_free(w->fence);
    sf_undo_release(&w->undo);
    free(w->about);
    free(w->preview);
    free(w->planned);
    free(w->amended);
    sf_strlist_release(&w->facts);
    free(w->plan);
    free(w->id);
    free(w->name);
    free(w->args);
    *w = (struct sf_work){ .talk = t };
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

/* What stands beside the result in the log: for people and for resuming, not for the model. */
static void write_detail(const struct sf_work *work, const struct sf_tool_result *r,
                         struct sf_strbuf *out)
{
    enum { DIFF_MAX = 64 * 1024 };
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    if (work->judged.decision)
        sf_jw_key_int(&w, "decision", work->judged.decision);
    if (r->summary)
        sf_jw_key_str(&w, "summary", r->summary);
    if (work->amended)
        sf_jw_key_str(&w, "amended", sf_call_what(work->call));
    if (r->is_error && work->judged.verdict.answer == SF_DENY)
        sf_jw_key_bool(&w, "refused", true);
    if (r->exit_code >= 0)
        sf_jw_key_int(&w, "exit", r->exit_code);
    if (work->took_ms >= 0)
        sf_jw_key_int(&w, "took_ms", work->took_ms);
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
    sf_keepsake_write(work->talk, &w);
    sf_jw_object_end(&w);
}

static void free_finished(struct sf_finished *f)
{
    if (!f)
        return;
    sf_strbuf_release(&f->own.text);
    sf_strbuf_release(&f->own.diff);
    sf_work_release(&f->work);
    free(f);
}

/* The call is over: the machine first, which writes it down; then sf_work_saved tells it. */
static void answer_user(struct sf_work *w, struct sf_tool_result *own)
{
    sf_shell_ended(w, own ? own : &w->call->result);
    if (own) {
        sf_strbuf_release(&own->text);
        sf_strbuf_release(&own->diff);
    }
}

static void answer(struct sf_work *w, struct sf_tool_result *own)
{
    struct sf_talk *t = w->talk;
    struct sf_finished *f;
    struct sf_strbuf detail = SF_STRBUF_INIT;
    struct sf_block block = { .kind = SF_BLOCK_RESULT };
    struct sf_input in = { .kind = SF_IN_RESULT, .call = w->index, .result = &block };

    w->took_ms = w->started_ms ? sf_clock_monotonic_ms() - w->started_ms : -1;
    if (w->index == SF_WORK_USER) {
        answer_user(w, own);
        return;
    }
    f = sf_alloc(sizeof(*f));
    f->work = *w;
    f->own = own ? *own : (struct sf_tool_result){ .exit_code = -1 };
    if (!own) {
        sf_strbuf_init(&f->own.text);
        sf_strbuf_init(&f->own.diff);
    }
    f->result = own ? &f->own : &w->call->result;
    sf_refusal_outdo(w, f->result);
    if (!own)
        sf_amend_note(w, f->result);
    block.text = sf_strndup(f->result->text.buf, f->result->text.len);
    block.len = f->result->text.len;
    block.is_error = f->result->is_error;
    if (f->result->media && f->result->data) {
        block.media = sf_strdup(f->result->media);
        block.data = sf_strdup(f->result->data);
    }
    write_detail(w, f->result, &detail);
    in.detail = detail.buf;
    free_finished(t->finished[w->index]);
    t->finished[w->index] = f;
    *w = (struct sf_work){ .talk = t };
    if (f->work.counted)
        sf_talk_notify(t, SF_EVENT_TOOL_ENDED);
    sf_talk_feed(t, &in);
    sf_block_release(&block);
    sf_strbuf_release(&detail);
}

void sf_work_saved(struct sf_talk *t, const struct sf_effect *e)
{
    struct sf_tool_result plain = { .is_error = e->is_error, .text = e->text, .exit_code = -1 };
    struct sf_told_call call = { .id = e->block->id,
                                 .name = e->block->name,
                                 .args = e->block->text,
                                 .len = e->block->len,
                                 .what = "" };
    struct sf_told told = { .kind = SF_TOLD_CALL, .call = &call };
    struct sf_finished *f = e->call < SF_COUNT(t->finished) ? t->finished[e->call] : NULL;
    int64_t took = -1;

    sf_strbuf_init(&plain.diff);
    if (f) {
        t->finished[e->call] = NULL;
        call = sf_work_told(&f->work);
        took = f->work.took_ms;
    } else {
        sf_talk_tell(t, &told); /* it was refused unseen; a result belongs to a call all the same */
    }
    told.kind = SF_TOLD_RESULT;
    told.result = f ? f->result : &plain;
    told.took_ms = took;
    sf_talk_tell(t, &told);
    free_finished(f);
}

void sf_work_drop(struct sf_talk *t)
{
    for (size_t i = 0; i < SF_COUNT(t->finished); i++) {
        free_finished(t->finished[i]);
        t->finished[i] = NULL;
    }
    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        sf_work_release(&t->works[i]);
}

void sf_work_answerf(struct sf_work *w, bool is_error, const char *format, ...)
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
    answer(w, &r);
}

/* ---- judging ---- */

void sf_work_refuse(struct sf_work *w)
{
    const struct sf_verdict *v = &w->judged.verdict;
    bool told = *v->hint && w->talk->setup.attended && !v->unanswered; /* else it is for people */

    sf_refusal_note(w);
    sf_work_answerf(w, true, "[sf] Refused%s rule %s (%s): %s%s%s%s",
                    v->unanswered ? ": needs a person, by" : " by", v->rule,
                    sf_guard_layer_name(v->layer), v->reason, *v->hint ? "\n" : "", v->hint,
                    told ? "" : "\nGo on another way, or say what you need and why.");
}

void sf_work_allow(struct sf_work *w)
{
    struct sf_input in = { .kind = SF_IN_ALLOWED, .call = w->index };

    if (w->index == SF_WORK_USER)
        sf_work_run(w);
    else
        sf_talk_feed(w->talk, &in);
}

void sf_work_ask(struct sf_work *w)
{
    struct sf_input in = { .kind = SF_IN_ASKED, .call = w->index };

    w->state = SF_WORK_ASKED;
    if (w->index != SF_WORK_USER) {
        sf_talk_feed(w->talk, &in);
    } else if (!w->judged.verdict.confirm && !w->talk->custom) {
        /* who typed it has answered already */
        sf_talk_answer(w->talk, w->id, SF_REPLY_ONCE, NULL, "user, who typed it");
        return;
    }
    sf_asks_open(w, sf_work_told(w).what);
    if (!w->talk->dead)
        tell(w, SF_TOLD_ASK, w->preview, w->preview ? strlen(w->preview) : 0);
}

/* What the user typed needs no offer; what stands in a file of commands does. */
static bool is_typed(const struct sf_work *w)
{
    return w->index == SF_WORK_USER && !w->talk->custom;
}

/* A tool's row says the most it does; a call that names files does what it does to these. */
static enum sf_act act_of(const struct sf_call *c)
{
    enum sf_act act = c->target_count ? SF_ACT_READ : c->tool->act;

    for (size_t i = 0; i < c->target_count; i++)
        if (c->targets[i].act > act)
            act = c->targets[i].act;
    return c->command || c->url ? c->tool->act : act;
}

static struct sf_call_asked describe(const struct sf_work *w)
{
    const struct sf_talk *t = w->talk;
    struct sf_call *c = w->call;
    bool typed = is_typed(w);

    return (struct sf_call_asked){ .tool = c->tool->name,
                                   .act = act_of(c),
                                   .least = c->tool->least,
                                   .command = c->command,
                                   .command_len = c->command ? strlen(c->command) : 0,
                                   .cwd = sf_toolbox_cwd(t->box),
                                   .url = c->url,
                                   .about = w->about ? w->about : c->note,
                                   .targets = c->targets,
                                   .target_count = c->target_count,
                                   .granted = { typed ? NULL : t->setup.allowed,
                                                typed || !t->narrowed ? NULL : &t->wished_tools },
                                   .withheld = typed ? NULL : t->setup.disallowed };
}

/* What will hold the command, for the row and the card. */
static void note_cage(struct sf_work *w, const struct sf_mode_state *state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_cage_strength strength;

    if (!w->judged.has_report)
        return;
    strength = sf_confine_strength(w->talk->confine, &w->judged, state->trust);
    sf_cage_strength_add(&text, &strength);
    w->judged.cage = sf_arena_strndup(&w->judged.arena, text.buf, text.len);
    sf_strbuf_reset(&text);
    sf_cage_strength_brief(&text, &strength);
    w->judged.cage_brief = sf_arena_strndup(&w->judged.arena, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* The verdict, with its row. Nobody there to answer turns an ask into a refusal first. */
bool sf_work_verdict(struct sf_work *w, struct sf_error *err)
{
    struct sf_talk *t = w->talk;
    const struct sf_mode_state *state = sf_mode_machine_state(t->machine);
    struct sf_call_asked asked = describe(w);

    if (!sf_judge_call(t->setup.ground, &asked, state, &w->judged, err))
        return false;
    w->has_judged = true;
    if (!t->setup.attended)
        sf_verdict_unattended(&w->judged.verdict);
    note_cage(w, state);
    return sf_judged_record(t->setup.store, t->id, &asked, state, &w->judged, err);
}

/* A tool of the table that is not on this session's list: told apart from one that is unknown. */
static bool prepare(struct sf_work *w)
{
    struct sf_error err = SF_ERROR_INIT;

    w->call = sf_call_new(w->id, w->name, w->args, w->len, &err);
    tell(w, SF_TOLD_CALL, NULL, 0);
    if (!w->call) {
        sf_work_answerf(w, true, "[sf] %s%s%s", err.msg, *err.hint ? ". " : "", err.hint);
        return false;
    }
    return true;
}

void sf_work_begin(struct sf_talk *t, size_t index, const struct sf_block *block)
{
    struct sf_work *w = &t->works[index];

    *w = (struct sf_work){ .talk = t,
                           .index = index,
                           .id = sf_strdup(block->id),
                           .name = sf_strdup(block->name),
                           .args = sf_strndup(block->text, block->len),
                           .len = block->len,
                           .state = SF_WORK_JUDGED };
    if (!prepare(w))
        return;
    if (w->call->tool->act == SF_ACT_REVERT)
        sf_revert_look(w);
    else
        sf_work_judge(w);
}

void sf_work_judge(struct sf_work *w)
{
    struct sf_talk *t = w->talk;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_talk_refresh(t, &err) || !sf_work_verdict(w, &err)) { /* by the axes of this moment */
        sf_talk_die(t, &err);
        return;
    }
    tell(w, SF_TOLD_VERDICT, NULL, 0);
    if (w->judged.verdict.answer != SF_DENY && !is_typed(w) && !sf_line_offers(t, w->name)) {
        sf_refusal_withheld(w);
        sf_work_answerf(w, true, "[sf] The tool %s is not offered in this %s.", w->name,
                        t->narrowed ? "turn" : "session");
    } else if (w->judged.verdict.answer == SF_ALLOW)
        sf_work_allow(w);
    else if (w->judged.verdict.answer == SF_DENY)
        sf_work_refuse(w);
    else if (!sf_rehearsal_begin(w))
        sf_work_possible(w);
}

void sf_work_possible(struct sf_work *w)
{
    if (w->judged.verdict.confirm && !w->preview)
        sf_loss_look(w);
    else
        sf_work_ask(w);
}

/* ---- running ---- */

static void call_done(void *ctx, struct sf_call *call)
{
    (void)call;
    if (!sf_fence_check(ctx))
        answer(ctx, NULL);
}

void sf_work_done(struct sf_work *w)
{
    answer(w, NULL);
}

static void call_output(void *ctx, struct sf_call *call, const char *text, size_t len)
{
    (void)call;
    tell(ctx, SF_TOLD_OUTPUT, text, len);
}

static struct sf_confine_call confined(const struct sf_talk *t, const struct sf_call *call)
{
    struct sf_confine_call c = { .trusted = sf_mode_machine_state(t->machine)->trust };

    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        if (t->works[i].call == call && t->works[i].has_judged)
            c.judged = &t->works[i].judged;
    return c;
}

/* One command's confinement, from its start to its end. */
struct caged {
    struct sf_cage *cage;
    struct sf_aftercare *care;
};

static bool enter_cage(void *held)
{
    return sf_cage_enter(((struct caged *)held)->cage);
}

static void *open_cage(void *ctx, const struct sf_call *call, const char *report, const char *dir,
                       struct sf_error *err)
{
    struct sf_talk *t = ctx;
    struct sf_confine_call wanted = confined(t, call);
    struct sf_cage *cage;
    struct caged *held;

    wanted.report = report;
    wanted.dir = dir;
    cage = sf_confine_cage(t->confine, &wanted, err);
    if (!cage)
        return NULL;
    held = sf_alloc(sizeof(*held));
    held->cage = cage;
    held->care = sf_confine_care(t->confine, &wanted);
    return held;
}

static void explain_failure(void *ctx, const struct sf_call *call, bool failed,
                            const struct sf_strbuf *output, struct sf_strbuf *out)
{
    struct sf_talk *t = ctx;
    struct sf_confine_call wanted = confined(t, call);

    sf_confine_hint(t->confine, &wanted, failed, output, out);
}

static void close_cage(void *ctx, void *setup_ctx)
{
    struct caged *held = setup_ctx;

    (void)ctx;
    sf_cage_free(held->cage);
    held->cage = NULL;
}

static bool write_aftermath(struct sf_talk *t, const char *text, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "text", text);
    sf_jw_object_end(&w);
    ok = sf_talk_append(t, "cage_aftermath", &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* People hear of it at once: a job in the background may be one that nobody asks about again. */
static void tell_aftermath(struct sf_talk *t, const struct sf_strbuf *words)
{
    struct sf_error err = SF_ERROR_INIT;
    char *line = sf_strndup(words->buf, words->len);
    struct sf_told told = { .kind = SF_TOLD_NOTICE, .text = line, .urgent = true };

    line[strcspn(line, "\n")] = '\0';
    memmove(line, line + 5, strlen(line + 5) + 1); /* without the "[sf] " that the model reads */
    told.len = strlen(line);
    sf_log(SF_LOG_WARN, "%s", line);
    if (!write_aftermath(t, line, &err) && !t->dead)
        sf_talk_die(t, &err);
    if (!t->dead)
        sf_talk_tell(t, &told);
    free(line);
}

static void settle_cage(void *ctx, void *setup_ctx, struct sf_strbuf *out)
{
    struct caged *held = setup_ctx;

    if (held->care)
        sf_aftercare_settle(held->care, out);
    if (out->len)
        tell_aftermath(ctx, out);
    sf_aftercare_free(held->care);
    free(held);
}

void sf_work_cage(struct sf_talk *t)
{
    t->cage = (struct sf_tool_cage){
        .open = open_cage,
        .close = close_cage,
        .ended = settle_cage,
        .explain = explain_failure,
        .setup = enter_cage,
        .ctx = t,
        .watch = sf_confine_watch(t->confine),
    };
}

void sf_work_run(struct sf_work *w)
{
    w->state = SF_WORK_RUNNING;
    w->started_ms = sf_clock_monotonic_ms();
    if (w->call->tool->where == SF_TOOL_SESSION)
        sf_own_run(w);
    else if (!sf_keep_hold(w))
        sf_work_go(w);
}

void sf_work_go(struct sf_work *w)
{
    w->counted = true;
    sf_talk_notify(w->talk, SF_EVENT_TOOL_STARTED);
    if (!w->talk->dead)
        sf_toolbox_start(w->talk->box, w->call, call_done, call_output, w);
}

static void stop_waiting(struct sf_work *w)
{
    sf_keep_leave(w);
    sf_asks_close(w);
    sf_work_answerf(w, true, "[sf] Not run: the turn was stopped.");
}

void sf_work_stop(struct sf_work *w)
{
    switch (w->state) {
    case SF_WORK_RUNNING:
        if (w->child)
            sf_talk_cancel(w->child);
        else if (w->job && !w->counted && w->call->tool->where != SF_TOOL_SESSION)
            stop_waiting(w);
        else if (w->call->tool->where != SF_TOOL_SESSION)
            sf_toolbox_cancel(w->talk->box, w->call);
        break;
    case SF_WORK_REHEARSED:
        sf_toolbox_cancel(w->talk->box, w->call);
        break;
    case SF_WORK_ASKED:
    case SF_WORK_QUESTION:
    case SF_WORK_SUBMITTED:
    case SF_WORK_JUDGED:
        stop_waiting(w);
        break;
    case SF_WORK_FREE:
        break;
    }
}
