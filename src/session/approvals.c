/*
 * approvals.c: questions about calls, and what follows from their answers. That somebody is being asked,
 * and no longer is, stands in the log of the session the user talks to: for who watches from
 * another terminal, and cannot answer there.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum { WHAT_MAX = 400 }; /* bytes of what is asked: a line */

static void append(struct sf_call *c, const char *kind, const struct sf_strbuf *json)
{
    struct sf_session *root = sf_snapshots_session(c->session->snapshots);
    const struct sf_event_new event = { .session = root->id,
                                        .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                (int)root->setup.state.surface),
                                        .kind = kind,
                                        .json = json->buf,
                                        .len = json->len };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (!c->session->dead && !sf_store_append(c->session->setup.store, &event, &ref, &err))
        sf_session_die(c->session, &err);
}

/* Of the session whose log has it. */
void sf_approvals_tell(struct sf_call *c, enum sf_event_kind kind, const char *what)
{
    const struct sf_event_call call = {
        .id = c->id, .name = c->name, .args = c->args, .len = c->len, .what = what
    };
    struct sf_event event = { .kind = kind, .call = &call };

    if (!c->session->dead)
        sf_session_tell(sf_snapshots_session(c->session->snapshots), &event);
}

void sf_approvals_open(struct sf_call *c, const char *what)
{
    char *line =
        sf_strndup(what, strlen(what) > WHAT_MAX ? sf_utf8_cut(what, WHAT_MAX) : strlen(what));
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", c->id);
    sf_jw_key_str(&jw, "tool", c->name);
    sf_jw_key_str(&jw, "what", line);
    sf_jw_object_end(&jw);
    append(c, SF_LOG_ASKED, &json);
    c->asks = true;
    sf_approvals_tell(c, SF_EVENT_ASKED, line);
    sf_strbuf_release(&json);
    free(line);
}

void sf_approvals_close(struct sf_call *c)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    if (!c->asks)
        return;
    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", c->id);
    sf_jw_object_end(&jw);
    append(c, SF_LOG_ANSWERED, &json);
    c->asks = false;
    sf_approvals_tell(c, SF_EVENT_ANSWERED, "");
    sf_strbuf_release(&json);
}

/* ---- answers ---- */

struct sf_call *sf_approvals_waiting(struct sf_session *s, const char *id)
{
    for (size_t i = 0; i < SF_COUNT(s->calls); i++) {
        struct sf_call *c = &s->calls[i];

        if ((c->state == SF_CALL_ASKED || c->state == SF_CALL_QUESTION ||
             c->state == SF_CALL_SUBMITTED) &&
            !strcmp(c->id, id))
            return c;
    }
    return NULL;
}

/* An approval that outlives its call is kept by keys, in the store first. */
static bool keep(struct sf_call *c, const struct sf_strlist *keys, bool workspace,
                 struct sf_error *err)
{
    struct sf_session *s = c->session;

    for (size_t i = 0; i < keys->count; i++) {
        struct sf_approval_new approval = { .session = workspace ? NULL : s->id,
                                            .pattern = keys->items[i],
                                            .decision = c->judged.decision };

        if (!sf_store_approval_add(s->setup.store, &approval, err))
            return false;
        sf_policy_context_approve(s->setup.policy, keys->items[i], approval.session);
    }
    return true;
}

static const struct {
    const char *row; /* what the decision's row says */
    bool allows;
} replies[] = {
    [SF_REPLY_ONCE] = { "allow once", true },
    [SF_REPLY_SESSION] = { "allow for the session", true },
    [SF_REPLY_WORKSPACE] = { "allow for the workspace", true },
    [SF_REPLY_DENY] = { "deny", false },
    [SF_REPLY_STOP] = { "deny and stop", false },
    [SF_REPLY_ABSENT] = { "deny", false },
};

bool sf_approvals_whole(const struct sf_call *c)
{
    const struct sf_event_call call = sf_call_event(c);

    return call.len <= SF_ASK_TEXT_MAX && sf_utf8_valid(call.args, call.len, NULL) &&
           !c->card.planned_cut && c->card.planned_len <= SF_ASK_TEXT_MAX &&
           (!c->card.planned || sf_utf8_valid(c->card.planned, c->card.planned_len, NULL));
}

/*
 * The row says what was kept: what can be kept by nothing, or was not seen whole, was allowed once,
 * whoever said more.
 */
static bool write_answer(struct sf_call *c, enum sf_reply reply, const char *who,
                         struct sf_error *err)
{
    struct sf_strlist keys = SF_STRLIST_INIT;
    bool lasting = reply == SF_REPLY_SESSION || reply == SF_REPLY_WORKSPACE;
    bool ok;

    if (lasting &&
        (!sf_approvals_whole(c) || !sf_verdict_keeps(&c->judged.verdict, &c->judged.action, &keys)))
        reply = SF_REPLY_ONCE;
    ok = sf_store_decision_answer(c->session->setup.store, c->judged.decision, replies[reply].row,
                                  who, err) &&
         keep(c, &keys, reply == SF_REPLY_WORKSPACE, err);
    sf_strlist_release(&keys);
    return ok;
}

bool sf_session_answer(struct sf_session *s, const char *call_id, enum sf_reply reply,
                       const char *words, const char *who)
{
    struct sf_call *c = sf_approvals_waiting(s, call_id);
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; !c && i < SF_COUNT(s->calls); i++)
        if (s->calls[i].child && sf_session_answer(s->calls[i].child, call_id, reply, words, who))
            return true;
    if (!c)
        return false;
    if (c->state == SF_CALL_QUESTION && reply == SF_REPLY_ABSENT) {
        sf_approvals_close(c);
        sf_question_unanswered(c);
        return true;
    }
    if (c->state == SF_CALL_QUESTION) {
        sf_approvals_close(c);
        sf_call_answerf(c, false, "%s", words && *words ? words : "(no answer)");
        return true;
    }
    if (c->state == SF_CALL_SUBMITTED)
        return sf_plan_answer(c, reply, words, who);
    if (!write_answer(c, reply, who, &err)) {
        sf_session_die(s, &err);
        return true;
    }
    sf_approvals_close(c);
    if (s->dead)
        return true;
    if (replies[reply].allows) {
        sf_call_approve(c);
        return true;
    }
    if (reply == SF_REPLY_ABSENT) {
        sf_verdict_unattended(&c->judged.verdict);
        sf_call_refuse(c);
        return true;
    }
    c->judged.verdict.answer = SF_DENY;
    sf_refusal_by_user(c);
    sf_call_answerf(c, true, "[sf] The user refused this call%s%s.", words && *words ? ": " : "",
                    words ? words : "");
    if (reply == SF_REPLY_STOP)
        sf_session_cancel(s);
    return true;
}

/* ---- what was taken back ---- */

bool sf_approvals_refresh(struct sf_session *s, struct sf_error *err)
{
    return sf_policy_context_refresh(s->setup.policy, s->setup.store, err);
}

/* ---- the approval mode ---- */

/* What answers by itself is not brought back unseen; what refuses is. */
bool sf_approvals_recall_mode(struct sf_session *s, struct sf_error *err)
{
    bool never;

    if (s->depth)
        return true;
    s->setup.policy->approval = s->setup.policy->configured;
    if (!sf_store_approval_mode_is(s->setup.store, s->id, sf_approval_mode_names[SF_APPROVAL_NEVER],
                                   &never, err))
        return false;
    if (never)
        s->setup.policy->approval = SF_APPROVAL_NEVER;
    return true;
}

enum sf_approval_mode sf_session_approval_mode(const struct sf_session *s)
{
    return s->setup.policy->approval;
}

bool sf_session_set_approval_mode(struct sf_session *s, enum sf_approval_mode mode,
                                  struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = s->id,
                                  .surface =
                                      sf_axis_name(SF_AXIS_SURFACE, (int)s->setup.state.surface),
                                  .kind = SF_LOG_APPROVAL_MODE };
    struct sf_event_ref ref;
    struct sf_json_writer jw;
    bool ok;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "from", sf_approval_mode_names[s->setup.policy->approval]);
    sf_jw_key_str(&jw, "to", sf_approval_mode_names[mode]);
    sf_jw_object_end(&jw);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_session_can(s, err) && sf_store_append(s->setup.store, &event, &ref, err) &&
         sf_store_approval_mode_set(s->setup.store, s->id, sf_approval_mode_names[mode], err);
    if (ok)
        s->setup.policy->approval = mode;
    sf_strbuf_release(&json);
    return ok;
}
