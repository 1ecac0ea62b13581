/*
 * call.c: a call, from the model's request to its result. The table at the end is the order of
 * safety: nothing runs before its verdict is a row of `decisions`, the user is not asked about
 * edits that would fail, and no file changes before a snapshot was taken. Each stage finishes now
 * or later with one sf_call_next, or ends the call with an answer.
 *
 * Calls of the model, of sub-agents and of the user (`!make`, custom commands) all pass here.
 */
#include <assert.h>

#include "base/base.h"
#include "session/internal.h"

struct sf_event_call sf_call_event(const struct sf_call *c)
{
    return (struct sf_event_call){ .id = c->id,
                                   .name = c->name,
                                   .args = c->amended ? c->amended : c->args,
                                   .len = c->amended ? strlen(c->amended) : c->len,
                                   .what = c->card.about ? c->card.about
                                           : c->what     ? c->what
                                                         : "",
                                   .amended = c->amended != NULL };
}

static void tell(struct sf_call *c, struct sf_event event)
{
    struct sf_event_call call = sf_call_event(c);

    event.call = &call;
    sf_session_tell(c->session, &event);
}

/* ---- ends ---- */

/* The result of the call is complete; only recording it is left. */
void sf_call_end(struct sf_call *c)
{
    c->stage = SF_STAGE_RECORD;
    sf_call_next(c);
}

void sf_call_answerf(struct sf_call *c, bool is_error, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    c->answered = true;
    c->own = (struct sf_tool_result){ .is_error = is_error, .exit_code = -1 };
    sf_strbuf_init(&c->own.text);
    sf_strbuf_init(&c->own.diff);
    sf_safe_add(&c->own.text, text.buf, text.len); /* it may quote names the model made up */
    sf_strbuf_release(&text);
    sf_call_end(c);
}

void sf_call_refuse(struct sf_call *c)
{
    const struct sf_verdict *v = &c->judged.verdict;
    /* A hint ends the answer only if the user could follow it; else the model must find a way. */
    bool told = *v->hint && c->session->setup.attended && !v->unanswered;

    sf_refusal_note(c);
    sf_call_answerf(c, true, "[sf] Refused%s rule %s (%s): %s%s%s%s",
                    v->unanswered ? ": needs a person, by" : " by", v->rule,
                    sf_guard_layers[v->layer].name, v->reason, *v->hint ? "\n" : "", v->hint,
                    told ? "" : "\nGo on another way, or say what you need and why.");
}

/* ---- describing ---- */

/* A command the user typed need not be offered; one from a custom command's file must be. */
static bool is_typed(const struct sf_call *c)
{
    return c->index == SF_CALL_USER && !c->session->custom && !c->session->unit.check;
}

static bool is_check(const struct sf_call *c)
{
    return c->index == SF_CALL_USER && c->session->unit.check;
}

/*
 * Where nobody can look into the background, what the user typed runs to its end; so does a check,
 * which a run stops when it takes too long.
 */
static bool is_endless(const struct sf_call *c)
{
    return is_check(c) || (is_typed(c) && !sf_surface_typed(c->session->setup.state.surface));
}

/* People see a path that leads into the workspace by another name of its root as one below it. */
static void show_inside(const struct sf_place_root *root, struct sf_tool_call *call, size_t i)
{
    const char *path = call->targets[i].at;
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (*path == '/' &&
        sf_place_resolve(root, path, strlen(path), SF_WANT_NAME, &place, &ignored) && place.inside)
        sf_tool_call_show_target(call, i, *place.real ? place.real : ".");
    sf_place_release(&place);
}

void sf_call_place(const struct sf_session *s, struct sf_tool_call *call)
{
    const struct sf_place_root *root = &s->setup.policy->root;

    if (call->target_count)
        sf_tool_call_stand(call, root->path, s->setup.below);
    for (size_t i = 0; i < call->target_count; i++)
        show_inside(root, call, i);
}

/* An unknown tool or wrong arguments end the call with an error for the model, unjudged. */
static void describe(struct sf_call *c)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_tool *tool = sf_toolset_get(&c->session->tools, c->name, &err);

    if (tool) {
        c->terms = sf_toolset_terms(&c->session->tools, tool);
        c->tool_call = sf_tool_call_new(tool, c->id, c->args, c->len, &err);
    }
    if (c->tool_call) {
        c->tool_call->endless = is_endless(c);
        sf_call_place(c->session, c->tool_call);
    }
    c->what = c->tool_call ? c->tool_call->what : NULL;
    tell(c, (struct sf_event){ .kind = SF_EVENT_CALL });
    if (!c->tool_call)
        sf_call_answerf(c, true, "[sf] %s%s%s", err.msg, *err.hint ? ". " : "", err.hint);
    else if (c->tool_call->tool->act == SF_ACT_REVERT)
        sf_revert_look(c);
    else
        sf_call_next(c);
}

/* A stage that is reserved and does nothing yet. */
static void pass(struct sf_call *c)
{
    sf_call_next(c);
}

/* ---- judging ---- */

/* A tool's row names its strongest act; a call that names files acts only as it does on those. */
static enum sf_act act_of(const struct sf_tool_call *c)
{
    enum sf_act act = c->target_count ? SF_ACT_READ : c->act;

    for (size_t i = 0; i < c->target_count; i++)
        if (c->targets[i].act > act)
            act = c->targets[i].act;
    return c->command || c->url ? c->act : act;
}

/* The directory of a command: its own, or the shell's. */
static const char *dir_of(const struct sf_session *s, const struct sf_tool_call *call)
{
    const char *own = call->command && call->target_count ? call->targets[0].at : NULL;

    if (!own)
        return sf_toolbox_cwd(s->box);
    return strcmp(own, ".") != 0 ? own : "";
}

static struct sf_call_asked asked_of(const struct sf_call *c)
{
    const struct sf_session *s = c->session;
    struct sf_tool_call *call = c->tool_call;

    return (struct sf_call_asked){ .tool = call->tool->name,
                                   .act = act_of(call),
                                   .terms = c->terms,
                                   .registry = is_typed(c) ? NULL : &s->registry,
                                   .command = call->command,
                                   .command_len = call->command ? strlen(call->command) : 0,
                                   .cwd = dir_of(s, call),
                                   .delegated = s->depth > 0,
                                   .url = call->url,
                                   .about = c->card.about ? c->card.about : call->note,
                                   .targets = call->targets,
                                   .target_count = call->target_count,
                                   .deletion = c->card.looked ? &c->card.deletion : NULL };
}

/* The user answers by typing a command, unless the question needs more than that. */
static bool is_answered(const struct sf_call *c)
{
    return is_typed(c) && !sf_verdict_needs_person(&c->judged.verdict);
}

/* The row of what was confirmed beforehand says by whom. */
static bool note_confirmed(struct sf_call *c, struct sf_error *err)
{
    const struct sf_session *s = c->session;

    return !c->judged.verdict.confirmed ||
           sf_store_decision_answer(s->setup.store, c->judged.decision, "confirmed beforehand",
                                    s->setup.policy->confirmation->who, err);
}

/*
 * Judges the call by the current axes, which the call keeps for its later stages, and writes the
 * row. In an unattended session an ask becomes a refusal before the row is written.
 */
bool sf_call_verdict(struct sf_call *c, struct sf_error *err)
{
    struct sf_session *s = c->session;
    struct sf_call_asked asked = asked_of(c);

    if (!sf_session_refresh(s, err) || !sf_approvals_refresh(s, err))
        return false;
    c->axes = *sf_mode_machine_state(s->axes.machine);
    if (!sf_judge_call(s->setup.policy, &asked, &c->axes, &c->judged, err))
        return false;
    c->has_judged = true;
    if (!s->setup.attended && c->judged.verdict.answer == SF_ASK && !is_answered(c))
        sf_verdict_unattended(&c->judged.verdict);
    sf_confine_note(s->confine, &c->judged, c->axes.trust);
    return sf_judged_record(s->setup.store, s->id, &asked, &c->axes, &c->judged, err) &&
           note_confirmed(c, err);
}

/*
 * Only where deletions were confirmed beforehand does a verdict depend on the files: those that the
 * call would delete are looked up, by a verdict that nothing acts on and no row tells of.
 */
static void look(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_call_asked asked;
    struct sf_error err = SF_ERROR_INIT;
    bool looks;

    if (!s->setup.policy->confirmation) {
        sf_call_next(c);
        return;
    }
    asked = asked_of(c);
    c->axes = *sf_mode_machine_state(s->axes.machine);
    if (!sf_judge_call(s->setup.policy, &asked, &c->axes, &c->judged, &err)) {
        sf_session_die(s, &err);
        return;
    }
    looks = c->judged.verdict.uncovered;
    if (looks)
        sf_loss_preview_begin(c);
    sf_judged_release(&c->judged);
    c->judged = (struct sf_judged){ .arena = SF_ARENA_INIT };
    if (!looks)
        sf_call_next(c);
}

static void judge(struct sf_call *c)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_call_verdict(c, &err)) {
        sf_session_die(c->session, &err);
        return;
    }
    tell(c, (struct sf_event){ .kind = SF_EVENT_VERDICT, .verdict.judged = &c->judged });
    if (c->judged.verdict.answer == SF_DENY)
        sf_call_refuse(c);
    else
        sf_call_next(c);
}

/* ---- asking ---- */

/* The call is allowed, and the user need not be asked (again). */
static bool is_settled(const struct sf_call *c)
{
    return c->approved || c->judged.verdict.answer == SF_ALLOW;
}

static void rehearse(struct sf_call *c)
{
    if (is_settled(c) || !sf_rehearsal_begin(c))
        sf_call_next(c);
}

static void preview_loss(struct sf_call *c)
{
    if (is_settled(c) || !c->judged.verdict.confirm || c->card.preview)
        sf_call_next(c);
    else
        sf_loss_preview_begin(c);
}

/* The agent decides when calls of the model run: its SF_DO_RUN begins the next stage. */
static void permit(struct sf_call *c)
{
    struct sf_input in = { .kind = SF_IN_ALLOWED, .call = c->index };

    if (c->index == SF_CALL_USER)
        sf_call_next(c);
    else
        sf_session_feed(c->session, &in);
}

void sf_call_approve(struct sf_call *c)
{
    c->approved = true;
    permit(c);
}

static void ask(struct sf_call *c)
{
    struct sf_input in = { .kind = SF_IN_ASKED, .call = c->index };

    if (is_settled(c)) {
        permit(c);
        return;
    }
    c->state = SF_CALL_ASKED;
    if (c->index != SF_CALL_USER) {
        sf_session_feed(c->session, &in);
    } else if (!c->judged.verdict.confirm && is_typed(c)) {
        sf_session_answer(c->session, c->id, SF_REPLY_ONCE, NULL, "user, who typed it");
        return;
    }
    sf_approvals_open(c, sf_call_event(c).what);
    if (!c->session->dead)
        tell(c, (struct sf_event){ .kind = SF_EVENT_ASK,
                                   .ask = { .judged = &c->judged,
                                            .preview = c->card.preview,
                                            .planned = { c->card.planned, c->card.planned_len },
                                            .partly = !sf_approvals_whole(c),
                                            .losses = &c->card.losses,
                                            .draft = sf_amend_draft(c) } });
}

/* ---- running ---- */

/* A deletion was confirmed for what a snapshot holds, and that could not be taken. */
static bool lacks_snapshot(const struct sf_call *c)
{
    return c->judged.verdict.confirmed && sf_snapshot_cover(c->session->snapshots) != SF_COVER_HAS;
}

/* The row that allows the call stays as it was; a second one says why it did not run. */
static void withdraw(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_call_asked asked = asked_of(c);
    struct sf_error err = SF_ERROR_INIT;

    sf_verdict_withdraw(&c->judged.verdict);
    if (!sf_judged_record(s->setup.store, s->id, &asked, &c->axes, &c->judged, &err)) {
        sf_session_die(s, &err);
        return;
    }
    c->started_ms = 0;
    tell(c, (struct sf_event){ .kind = SF_EVENT_VERDICT, .verdict.judged = &c->judged });
    sf_call_refuse(c);
}

void sf_call_held(struct sf_call *c)
{
    if (lacks_snapshot(c))
        withdraw(c);
    else
        sf_call_next(c);
}

static void snapshot(struct sf_call *c)
{
    c->state = SF_CALL_RUNNING;
    c->started_ms = sf_clock_monotonic_ms();
    if (c->tool_call->tool->where == SF_TOOL_SESSION)
        sf_call_next(c);
    else if (!sf_snapshots_hold(c))
        sf_call_held(c);
}

static void keep_history(struct sf_call *c)
{
    if (!c->tool_call->command || c->judged.cannot_write || !sf_call_keep(c))
        sf_call_next(c);
}

static void call_done(void *ctx, struct sf_tool_call *call)
{
    (void)call;
    sf_call_next(ctx);
}

/* How many bytes at the end are the beginning of a character that is not all there. */
static size_t cut_bytes(const char *text, size_t len)
{
    for (size_t n = 1; n <= 3 && n <= len; n++) {
        unsigned char c = (unsigned char)text[len - n];

        if ((c & 0xc0) != 0x80)
            return (c >= 0xf0 && n < 4) || (c >= 0xe0 && n < 3) || (c >= 0xc0 && n < 2) ? n : 0;
    }
    return 0;
}

/* Pieces of output end anywhere; what is told ends between characters. */
static void call_output(void *ctx, struct sf_tool_call *call, const char *text, size_t len)
{
    struct sf_call *c = ctx;
    struct sf_strbuf piece = SF_STRBUF_INIT;
    size_t cut;

    (void)call;
    sf_strbuf_add(&piece, c->cut.bytes, c->cut.len);
    sf_strbuf_add(&piece, text, len);
    cut = cut_bytes(piece.buf, piece.len);
    c->cut.len = cut;
    memcpy(c->cut.bytes, piece.buf + piece.len - cut, cut);
    if (piece.len > cut)
        tell(c,
             (struct sf_event){ .kind = SF_EVENT_OUTPUT, .words = { piece.buf, piece.len - cut } });
    sf_strbuf_release(&piece);
}

void sf_call_run(struct sf_call *c)
{
    struct sf_session *s = c->session;

    if (c->tool_call->tool->where == SF_TOOL_SESSION) {
        sf_session_tool_run(c);
        return;
    }
    c->counted = true;
    c->tool_call->only_reads = c->judged.only_reads;
    sf_session_count_tool(s, SF_MACHINE_TOOL_STARTED);
    if (!s->dead)
        sf_toolbox_start(s->box, c->tool_call, call_done, call_output, c);
}

static void run(struct sf_call *c)
{
    c->held = c->session->unit.held;
    if (c->held)
        sf_unit_look(c->session);
    else
        sf_call_run(c);
}

static void cover(struct sf_call *c)
{
    if (!c->record || !sf_cover_begin(c))
        sf_call_next(c);
}

static void audit_scope(struct sf_call *c)
{
    if (!sf_scope_audit_check(c))
        sf_call_next(c);
}

/* ---- the order ---- */

const struct sf_call_stage sf_call_stages[] = {
    [SF_STAGE_DESCRIBE] = { "describe", describe, false },
    [SF_STAGE_INTERCEPT] = { "intercept", pass, false },
    [SF_STAGE_LOOK] = { "look", look, false },
    [SF_STAGE_JUDGE] = { "judge", judge, false },
    [SF_STAGE_REHEARSE] = { "rehearse", rehearse, false },
    [SF_STAGE_PREVIEW] = { "preview loss", preview_loss, false },
    [SF_STAGE_ASK] = { "ask", ask, false },
    [SF_STAGE_SNAPSHOT] = { "snapshot", snapshot, false },
    [SF_STAGE_KEEP] = { "keep history", keep_history, false },
    [SF_STAGE_RUN] = { "run", run, false },
    [SF_STAGE_COVER] = { "cover", cover, true },
    [SF_STAGE_AUDIT] = { "audit scope", audit_scope, true },
    [SF_STAGE_COACH] = { "coach", pass, true },
    [SF_STAGE_RECORD] = { "record", sf_call_record, true },
};

void sf_call_next(struct sf_call *c)
{
    const struct sf_call_stage *stage = &sf_call_stages[c->stage];

    assert(c->stage < SF_STAGE_COUNT);
    if (c->session->dead && !stage->always)
        return;
    c->stage++;
    sf_log(SF_LOG_DEBUG, "call %s %s: %s", c->id, c->name, stage->name);
    stage->begin(c);
}

void sf_call_begin(struct sf_session *s, size_t index, const struct sf_block *block)
{
    struct sf_call *c = &s->calls[index];

    if (c->state != SF_CALL_FREE)
        sf_call_release(c);
    *c = (struct sf_call){ .session = s,
                           .index = index,
                           .id = sf_strdup(block->id),
                           .name = sf_strdup(block->name),
                           .args = sf_strndup(block->text, block->len),
                           .len = block->len,
                           .state = SF_CALL_JUDGED };
    sf_call_next(c);
}

void sf_call_judged_again(struct sf_call *c)
{
    c->state = SF_CALL_JUDGED;
    c->stage = SF_STAGE_REHEARSE;
    sf_call_next(c);
}

/* ---- stopping ---- */

static void stop_waiting(struct sf_call *c)
{
    c->held = false;
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
        else if (c->held || (c->job && !c->counted && !c->job->restores))
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
    case SF_CALL_OVER:
        break;
    }
}
