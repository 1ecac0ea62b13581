/*
 * amend.c: a call that the user changed before it ran. The new text replaces the argument, and the
 * call passes everything again that a call of the model's passes: it is parsed, judged, recorded
 * and rehearsed. The history keeps what the model asked for; the result tells the model what was
 * done instead.
 */
#include <string.h>

#include "base/base.h"
#include "session/internal.h"

enum { DIFF_MAX = 16 * 1024 }; /* bytes of the diff that the model gets */

const char *sf_amend_draft(const struct sf_call *c)
{
    const char *arg = c->tool_call ? c->tool_call->tool->amends : NULL;

    /* To change a command of a custom command, the user edits its file. */
    return arg && c->index != SF_CALL_USER ? sf_arg_str(c->tool_call->args, arg, "") : NULL;
}

/* ---- replacing the call ---- */

static void write_args(const struct sf_tool_call *call, const char *text, size_t len,
                       struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    for (const struct sf_json *it = sf_json_first(call->args); it; it = sf_json_next(it)) {
        sf_jw_key(&w, sf_json_key(it));
        if (!strcmp(sf_json_key(it), call->tool->amends))
            sf_jw_strn(&w, text, len);
        else
            sf_jw_json(&w, it);
    }
    sf_jw_object_end(&w);
}

static void hold(struct sf_call *c, struct sf_tool_call *call)
{
    c->tool_call = call;
    c->what = call->what;
}

/* Judges the new call. When it is refused, the old call and its verdict come back. */
static bool judge(struct sf_call *c, struct sf_tool_call *call, struct sf_error *err)
{
    struct sf_judged before = c->judged;
    struct sf_tool_call *asked = c->tool_call;
    const struct sf_verdict *v = &c->judged.verdict;

    hold(c, call);
    if (!sf_call_verdict(c, err)) {
        c->judged = before;
        hold(c, asked);
        sf_session_die(c->session, err);
        return false;
    }
    if (v->answer == SF_DENY) {
        sf_fail(err, SF_E_ARG, "refused by rule %s: %s", v->rule, v->reason);
        sf_judged_release(&c->judged);
        c->judged = before;
        hold(c, asked);
        return false;
    }
    sf_judged_release(&before);
    sf_tool_call_free(asked);
    return true;
}

static bool put(struct sf_call *c, const char *text, size_t len, struct sf_error *err)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_tool_call *call;
    bool ok;

    write_args(c->tool_call, text, len, &args);
    call = sf_tool_call_new(c->tool_call->tool, c->id, args.buf, args.len, err);
    if (call)
        sf_call_place(c->session, call);
    ok = call && judge(c, call, err);
    if (ok) {
        free(c->amended);
        c->amended = sf_strbuf_detach(&args);
    } else {
        sf_tool_call_free(call);
    }
    sf_strbuf_release(&args);
    return ok;
}

/* ---- continuing ---- */

static void tell(struct sf_call *c)
{
    struct sf_event_call call = sf_call_event(c);
    struct sf_event event = { .kind = SF_EVENT_AMENDED,
                              .call = &call,
                              .verdict.judged = &c->judged };

    sf_session_tell(c->session, &event);
}

/* Drops the diff and the losses, which were those of the call before the change. */
static void forget(struct sf_call *c)
{
    sf_rehearsal_forget(c);
    sf_losses_release(&c->card.losses);
}

/* Sending the text with `run` approves it, unless the verdict needs a confirmation. */
static void go_on(struct sf_call *c, bool run, const char *who)
{
    struct sf_session *s = c->session;
    struct sf_error err = SF_ERROR_INIT;

    c->approved = run && !c->judged.verdict.confirm;
    if (c->approved &&
        !sf_store_decision_answer(s->setup.store, c->judged.decision, "allow once", who, &err))
        sf_session_die(s, &err);
    else
        sf_call_judged_again(c);
}

static bool amend(struct sf_call *c, const struct sf_amendment *a, struct sf_error *err)
{
    struct sf_session *s = c->session;
    int64_t decision = c->judged.decision;
    const char *draft = sf_amend_draft(c);

    if (!draft)
        return sf_fail(err, SF_E_ARG, "nothing of this call can be changed");
    if (memchr(a->text, '\0', a->len) || !sf_utf8_valid(a->text, a->len, NULL))
        return sf_fail(err, SF_E_ARG, "the text is not valid UTF-8");
    if (!put(c, a->text, a->len, err))
        return false;
    if (!sf_store_decision_answer(s->setup.store, decision, "changed", a->who, err)) {
        sf_session_die(s, err);
        return false;
    }
    sf_approvals_close(c);
    if (s->dead)
        return true;
    forget(c);
    tell(c);
    go_on(c, a->run, a->who);
    return true;
}

bool sf_session_amend(struct sf_session *s, const char *call_id,
                      const struct sf_amendment *amendment, struct sf_error *err)
{
    struct sf_call *c = sf_approvals_waiting(s, call_id);

    if (c && c->state == SF_CALL_ASKED)
        return amend(c, amendment, err);
    for (size_t i = 0; i < SF_COUNT(s->calls); i++) {
        struct sf_error here = SF_ERROR_INIT;

        if (s->calls[i].child && sf_session_amend(s->calls[i].child, call_id, amendment, &here))
            return true;
        if (here.code && here.code != SF_E_NOENT) {
            *err = here;
            return false;
        }
    }
    return sf_fail(err, SF_E_NOENT, "the call does not wait any more");
}

/* ---- telling the model ---- */

void sf_amend_note(const struct sf_call *c, struct sf_tool_result *result)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t shown = result->diff.len;

    if (!c->amended)
        return;
    sf_strbuf_adds(&text, "[sf] The user changed this call before it ran.");
    if (c->tool_call->command) {
        sf_strbuf_adds(&text, " What ran instead:\n");
        sf_safe_add(&text, c->tool_call->command, strlen(c->tool_call->command));
        sf_strbuf_adds(&text, "\n[sf] What came of it:\n");
    } else if (shown) {
        sf_strbuf_adds(&text, " What it did instead:\n");
        if (shown > DIFF_MAX)
            shown = sf_utf8_cut(result->diff.buf, DIFF_MAX);
        sf_safe_add(&text, result->diff.buf, shown);
        sf_strbuf_adds(&text, shown < result->diff.len ? "\n[the diff goes on]\n" : "\n");
    } else {
        sf_strbuf_adds(&text, "\n");
    }
    sf_strbuf_add(&text, result->text.buf, result->text.len);
    sf_strbuf_release(&result->text);
    result->text = text;
}
