/*
 * amend.c: a call that the user changed before it ran. The text goes back into the arguments and
 * through everything a call of the model's goes through: it is read, judged by the one engine,
 * written down, rehearsed. What the model asked for stays in the history as it was; what was done
 * instead is told to it with the result.
 */
#include <string.h>

#include "base/base.h"
#include "session/internal.h"

enum { DIFF_MAX = 16 * 1024 }; /* bytes of one that is told */

const char *sf_amend_draft(const struct sf_work *w)
{
    const char *arg = w->call ? w->call->tool->amends : NULL;

    /* of what stands in a file of commands, the file is what is to be changed */
    return arg && w->index != SF_WORK_USER ? sf_arg_str(w->call->args, arg, "") : NULL;
}

/* ---- another call in its place ---- */

static void write_args(const struct sf_call *call, const char *text, size_t len,
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

/* Another verdict in place of its own, which comes back when this one is no. */
static bool judge(struct sf_work *w, struct sf_call *call, struct sf_error *err)
{
    struct sf_judged before = w->judged;
    struct sf_call *asked = w->call;
    const struct sf_verdict *v = &w->judged.verdict;

    w->call = call;
    if (!sf_talk_refresh(w->talk, err) || !sf_work_verdict(w, err)) {
        w->judged = before;
        w->call = asked;
        sf_talk_die(w->talk, err);
        return false;
    }
    if (v->answer == SF_DENY) {
        sf_fail(err, SF_E_ARG, "refused by rule %s: %s", v->rule, v->reason);
        sf_judged_release(&w->judged);
        w->judged = before;
        w->call = asked;
        return false;
    }
    sf_judged_release(&before);
    sf_call_free(asked);
    return true;
}

static bool put(struct sf_work *w, const char *text, size_t len, struct sf_error *err)
{
    struct sf_strbuf args = SF_STRBUF_INIT;
    struct sf_call *call;
    bool ok;

    write_args(w->call, text, len, &args);
    call = sf_call_new(w->id, w->name, args.buf, args.len, err);
    ok = call && judge(w, call, err);
    if (ok) {
        free(w->amended);
        w->amended = sf_strbuf_detach(&args);
    } else {
        sf_call_free(call);
    }
    sf_strbuf_release(&args);
    return ok;
}

/* ---- what follows ---- */

static void tell(struct sf_work *w)
{
    struct sf_told_call call = sf_work_told(w);
    struct sf_told told = { .kind = SF_TOLD_AMENDED, .call = &call, .judged = &w->judged };

    sf_talk_tell(w->talk, &told);
}

/* What is known of the call as it was, is not of this one. */
static void forget(struct sf_work *w)
{
    free(w->planned);
    w->planned = NULL;
    sf_strlist_release(&w->facts);
    w->facts = (struct sf_strlist)SF_STRLIST_INIT;
}

/* Who sent the text has approved it, but for what takes a confirmation of its own. */
static void go_on(struct sf_work *w, bool run, const char *who)
{
    struct sf_talk *t = w->talk;
    struct sf_error err = SF_ERROR_INIT;

    if (run && !w->judged.verdict.confirm) {
        if (sf_store_decision_answer(t->setup.store, w->judged.decision, "allow once", who, &err))
            sf_work_allow(w);
        else
            sf_talk_die(t, &err);
    } else if (w->judged.verdict.answer == SF_ALLOW) {
        sf_work_allow(w);
    } else if (!sf_rehearsal_begin(w)) {
        sf_work_possible(w);
    }
}

static bool amend(struct sf_work *w, const struct sf_amendment *a, struct sf_error *err)
{
    struct sf_talk *t = w->talk;
    int64_t decision = w->judged.decision;
    const char *draft = sf_amend_draft(w);

    if (!draft)
        return sf_fail(err, SF_E_ARG, "nothing of this call can be changed");
    if (memchr(a->text, '\0', a->len) || !sf_utf8_valid(a->text, a->len, NULL))
        return sf_fail(err, SF_E_ARG, "this is no text");
    if (!put(w, a->text, a->len, err))
        return false;
    if (!sf_store_decision_answer(t->setup.store, decision, "changed", a->who, err)) {
        sf_talk_die(t, err);
        return false;
    }
    sf_asks_close(w);
    if (t->dead)
        return true;
    forget(w);
    w->state = SF_WORK_JUDGED;
    tell(w);
    go_on(w, a->run, a->who);
    return true;
}

bool sf_talk_amend(struct sf_talk *t, const char *call_id, const struct sf_amendment *amendment,
                   struct sf_error *err)
{
    struct sf_work *w = sf_asks_waiting(t, call_id);

    if (w && w->state == SF_WORK_ASKED)
        return amend(w, amendment, err);
    for (size_t i = 0; i < SF_COUNT(t->works); i++) {
        struct sf_error here = SF_ERROR_INIT;

        if (t->works[i].child && sf_talk_amend(t->works[i].child, call_id, amendment, &here))
            return true;
        if (here.code && here.code != SF_E_NOENT) {
            *err = here;
            return false;
        }
    }
    return sf_fail(err, SF_E_NOENT, "the call does not wait any more");
}

/* ---- telling the model ---- */

void sf_amend_note(const struct sf_work *w, struct sf_tool_result *result)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t shown = result->diff.len;

    if (!w->amended)
        return;
    sf_strbuf_adds(&text, "[sf] The user changed this call before it ran.");
    if (w->call->command) {
        sf_strbuf_adds(&text, " What ran instead:\n");
        sf_safe_add(&text, w->call->command, strlen(w->call->command));
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
