/*
 * asks.c: questions about calls, and what follows from their answers. That somebody is being asked,
 * and no longer is, stands in the log of the session the user talks to: for who watches from
 * another terminal, and cannot answer there.
 */
#include "base/base.h"
#include "session/internal.h"
#include "session/logged.h"

enum { WHAT_MAX = 400 }; /* bytes of what is asked: a line */

static void append(struct sf_work *w, const char *kind, const struct sf_strbuf *json)
{
    const struct sf_talk *root = sf_keep_talk(w->talk->keep);
    const struct sf_event_new event = { .session = root->id,
                                        .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                (int)root->setup.state.surface),
                                        .kind = kind,
                                        .json = json->buf,
                                        .len = json->len };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event_ref ref;

    if (!w->talk->dead && !sf_store_append(w->talk->setup.store, &event, &ref, &err))
        sf_talk_die(w->talk, &err);
}

void sf_asks_open(struct sf_work *w, const char *what)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_key_str(&jw, "tool", w->name);
    sf_jw_key(&jw, "what");
    sf_jw_strn(&jw, what, strlen(what) > WHAT_MAX ? sf_utf8_cut(what, WHAT_MAX) : strlen(what));
    sf_jw_object_end(&jw);
    append(w, SF_EVENT_ASKS, &json);
    w->asks = true;
    sf_strbuf_release(&json);
}

void sf_asks_close(struct sf_work *w)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;

    if (!w->asks)
        return;
    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_object_end(&jw);
    append(w, SF_EVENT_ANSWERED, &json);
    w->asks = false;
    sf_strbuf_release(&json);
}

/* ---- answers ---- */

struct sf_work *sf_asks_waiting(struct sf_talk *t, const char *id)
{
    for (size_t i = 0; i < SF_COUNT(t->works); i++) {
        struct sf_work *w = &t->works[i];

        if ((w->state == SF_WORK_ASKED || w->state == SF_WORK_QUESTION ||
             w->state == SF_WORK_SUBMITTED) &&
            !strcmp(w->id, id))
            return w;
    }
    return NULL;
}

/* What was approved is remembered by its families, paths and hosts, in the store first. */
static bool remember(struct sf_work *w, bool workspace, struct sf_error *err)
{
    struct sf_talk *t = w->talk;
    struct sf_strlist patterns = SF_STRLIST_INIT;
    bool ok = true;

    sf_rule_remember(&w->judged.action, &patterns);
    for (size_t i = 0; ok && i < patterns.count; i++) {
        struct sf_approval_new approval = { .session = workspace ? NULL : t->id,
                                            .pattern = patterns.items[i],
                                            .decision = w->judged.decision };

        ok = sf_store_approval_add(t->setup.store, &approval, err);
        if (ok)
            sf_ground_approve(t->setup.ground, patterns.items[i],
                              workspace ? SF_RULE_WORKSPACE : SF_RULE_SESSION);
    }
    sf_strlist_release(&patterns);
    return ok;
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

bool sf_talk_answer(struct sf_talk *t, const char *call_id, enum sf_reply reply, const char *words,
                    const char *who)
{
    struct sf_work *w = sf_asks_waiting(t, call_id);
    struct sf_error err = SF_ERROR_INIT;
    bool lasting = reply == SF_REPLY_SESSION || reply == SF_REPLY_WORKSPACE;

    for (size_t i = 0; !w && i < SF_COUNT(t->works); i++)
        if (t->works[i].child && sf_talk_answer(t->works[i].child, call_id, reply, words, who))
            return true;
    if (!w)
        return false;
    if (w->state == SF_WORK_QUESTION) {
        sf_asks_close(w);
        sf_work_answerf(w, false, "%s", words && *words ? words : "(no answer)");
        return true;
    }
    if (w->state == SF_WORK_SUBMITTED)
        return sf_plan_answer(w, reply, words, who);
    /* what the harness confirms is confirmed for this one call alone */
    if (!sf_store_decision_answer(t->setup.store, w->judged.decision, replies[reply].row, who,
                                  &err) ||
        (lasting && !w->judged.verdict.confirm &&
         !remember(w, reply == SF_REPLY_WORKSPACE, &err))) {
        sf_talk_die(t, &err);
        return true;
    }
    sf_asks_close(w);
    if (t->dead)
        return true;
    if (replies[reply].allows) {
        sf_work_allow(w);
        return true;
    }
    if (reply == SF_REPLY_ABSENT) {
        sf_verdict_unattended(&w->judged.verdict);
        sf_work_refuse(w);
        return true;
    }
    w->judged.verdict.answer = SF_DENY; /* by a person, who needs no exit code to know it */
    sf_work_answerf(w, true, "[sf] The user refused this call%s%s.", words && *words ? ": " : "",
                    words ? words : "");
    if (reply == SF_REPLY_STOP)
        sf_talk_cancel(t);
    return true;
}
