/*
 * plan.c: plans. A list of steps is noted and shown; a plan that is submitted waits until the user
 * has accepted it. An acceptance is bound to the digest of the text that was seen, is in the log
 * before anything follows from it, and leads from plan to build by an ordinary transition.
 */
#include "base/base.h"
#include "session/internal.h"

enum { PLAN_MAX = 256 * 1024 };

/* ---- steps ---- */

static void note_steps(struct sf_work *w)
{
    struct sf_talk *t = w->talk;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_told told = { .kind = SF_TOLD_PLAN };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer jw;

    sf_jw_init(&jw, &json);
    sf_jw_json(&jw, w->call->args);
    told.text = json.buf;
    told.len = json.len;
    if (sf_talk_append(t, "plan", &json, &err)) {
        sf_talk_tell(t, &told);
        sf_work_answerf(w, false, "The plan is noted. Go on.");
    } else {
        sf_talk_die(t, &err);
    }
    sf_strbuf_release(&json);
}

/* ---- submitting ---- */

/* The text as it is now, with its digest: first in the log. */
static bool record_text(struct sf_work *w, const char *who, char digest[SF_SHA256_HEX + 1],
                        struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_sha256_hex(w->plan, strlen(w->plan), digest);
    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_key_str(&jw, "digest", digest);
    sf_jw_key_str(&jw, "who", who);
    sf_jw_key_str(&jw, "text", w->plan);
    sf_jw_object_end(&jw);
    ok = sf_talk_append(w->talk, "plan_submitted", &json, err);
    sf_strbuf_release(&json);
    if (!ok)
        sf_talk_die(w->talk, err);
    return ok;
}

static void tell_submitted(struct sf_work *w, const char *digest)
{
    struct sf_told_call call = {
        .id = w->id, .name = w->name, .args = w->args, .len = w->len, .what = ""
    };
    struct sf_told told = { .kind = SF_TOLD_SUBMITTED,
                            .call = &call,
                            .text = w->plan,
                            .len = strlen(w->plan),
                            .digest = digest };

    sf_talk_tell(w->talk, &told);
}

static bool settle(struct sf_work *w, const struct sf_plan_answer *answer,
                   struct sf_confirm *confirm, struct sf_error *err);

/* Without a screen, a run that goes on by itself goes on from its plan too. */
static void chain(struct sf_work *w, const char *digest)
{
    static const char note[] = "the run is autonomous: its plan is accepted, and built";
    struct sf_told told = { .kind = SF_TOLD_NOTICE, .text = note, .len = sizeof(note) - 1 };
    const struct sf_plan_answer answer = { .reply = SF_PLAN_AUTONOMOUS,
                                           .digest = digest,
                                           .profile =
                                               sf_mode_machine_state(w->talk->machine)->profile,
                                           .who = "autonomous run" };
    struct sf_error err = SF_ERROR_INIT;

    sf_talk_tell(w->talk, &told);
    if (!settle(w, &answer, NULL, &err) && !w->talk->dead)
        sf_work_answerf(w, true, "[sf] The plan is written down, but cannot be built: %s", err.msg);
}

static void submit(struct sf_work *w, const char *text)
{
    struct sf_talk *t = w->talk;
    const struct sf_mode_state *state = sf_mode_machine_state(t->machine);
    char digest[SF_SHA256_HEX + 1];
    struct sf_error err = SF_ERROR_INIT;

    w->plan = sf_strdup(text);
    if (!record_text(w, "model", digest, &err))
        return;
    if (state->surface == SF_SURFACE_HEADLESS && state->control == SF_RUN_AUTONOMOUS) {
        chain(w, digest);
    } else if (t->setup.attended) {
        w->state = SF_WORK_SUBMITTED;
        tell_submitted(w, digest);
    } else {
        sf_work_answerf(w, true,
                        "[sf] The plan is written down. Nobody is there to accept it: end here and "
                        "say so.");
    }
}

static void check(struct sf_work *w, const char *text)
{
    const struct sf_talk *t = w->talk;

    if (t->depth || sf_mode_machine_state(t->machine)->work != SF_WORK_PLAN)
        sf_work_answerf(w, true,
                        "[sf] A plan is submitted in work mode plan, by the session the user "
                        "talks to.");
    else if (strlen(text) > PLAN_MAX)
        sf_work_answerf(w, true, "[sf] The plan is longer than %d KiB.", PLAN_MAX / 1024);
    else
        submit(w, text);
}

void sf_plan_run(struct sf_work *w)
{
    const char *text = sf_arg_str(w->call->args, "submit", "");

    if (*text)
        check(w, text);
    else if (sf_json_get(w->call->args, "items"))
        note_steps(w);
    else
        sf_work_answerf(w, true, "[sf] Plan takes items, or a plan to submit.");
}

/* ---- answers ---- */

static const char *const reply_events[] = {
    [SF_PLAN_ACCEPT] = "plan_accepted",
    [SF_PLAN_AUTONOMOUS] = "plan_accepted",
    [SF_PLAN_REJECT] = "plan_rejected",
};

static bool record(struct sf_work *w, const struct sf_plan_answer *answer, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", w->id);
    sf_jw_key_str(&jw, "digest", answer->digest);
    sf_jw_key_str(&jw, "who", answer->who);
    if (answer->reply == SF_PLAN_REJECT) {
        sf_jw_key_str(&jw, "words", answer->words ? answer->words : "");
    } else {
        sf_jw_key_bool(&jw, "autonomous", answer->reply == SF_PLAN_AUTONOMOUS);
        sf_jw_key_str(&jw, "profile", sf_axis_name(SF_AXIS_PROFILE, (int)answer->profile));
        sf_jw_key_bool(&jw, "edited", w->plan_edited);
    }
    sf_jw_object_end(&jw);
    ok = sf_talk_append(w->talk, reply_events[answer->reply], &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* Taken or refused, but not in force yet: the acceptance is written down before that. */
static bool hand_off(struct sf_work *w, const struct sf_plan_answer *answer,
                     struct sf_confirm *confirm, struct sf_error *err)
{
    struct sf_strbuf reason = SF_STRBUF_INIT;
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .change = SF_MODE_CHANGE_INIT,
                                       .when = SF_WHEN_DEFAULT,
                                       .actor = SF_ACTOR_USER,
                                       .confirmed = confirm && confirm->given,
                                       .session = w->talk->id,
                                       .time = now };
    struct sf_machine_receipt receipt = { .id = 0 };
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_handoff_plan(&request.change, answer->reply == SF_PLAN_AUTONOMOUS, answer->profile);
    sf_strbuf_addf(&reason, "plan %.12s accepted by %s", answer->digest, answer->who);
    request.reason = reason.buf;
    ok = sf_mode_machine_submit(w->talk->machine, &request, &receipt, err);
    if (confirm)
        confirm->needed = !ok && receipt.confirm;
    sf_strbuf_release(&reason);
    return ok;
}

static void answer_accepted(struct sf_work *w, const struct sf_plan_answer *answer)
{
    const struct sf_mode_state s = sf_mode_machine_preview(w->talk->machine);

    sf_work_answerf(w, false,
                    "The user accepted the plan (sha256 %.12s…)%s%s%s\nWork mode is now %s, scope "
                    "%s, run control %s, permission profile %s. Carry the plan out.",
                    answer->digest, w->plan_edited ? ", changed as follows:\n\n" : ".",
                    w->plan_edited ? w->plan : "", w->plan_edited ? "\n" : "",
                    sf_axis_name(SF_AXIS_WORK, (int)s.work), s.scope,
                    sf_axis_name(SF_AXIS_CONTROL, (int)s.control),
                    sf_axis_name(SF_AXIS_PROFILE, (int)s.profile));
}

static bool settle(struct sf_work *w, const struct sf_plan_answer *answer,
                   struct sf_confirm *confirm, struct sf_error *err)
{
    struct sf_talk *t = w->talk;
    char digest[SF_SHA256_HEX + 1];

    sf_sha256_hex(w->plan, strlen(w->plan), digest);
    if (strcmp(digest, answer->digest) != 0) {
        sf_fail(err, SF_E_ARG, "the plan is not the one that was shown");
        return sf_hint(err, "look at it again, then accept it");
    }
    if (answer->reply == SF_PLAN_REJECT) {
        if (!record(w, answer, err)) {
            sf_talk_die(t, err);
            return false;
        }
        sf_work_answerf(w, true, "[sf] The user did not accept the plan%s%s.",
                        answer->words && *answer->words ? ": " : "",
                        answer->words ? answer->words : "");
        return true;
    }
    if (!hand_off(w, answer, confirm, err))
        return false;
    if (!record(w, answer, err) || !sf_talk_settle(t, err)) {
        sf_talk_die(t, err);
        return false;
    }
    answer_accepted(w, answer);
    return true;
}

static struct sf_work *find_plan(struct sf_talk *t, const char *id, struct sf_error *err)
{
    struct sf_work *w = sf_asks_waiting(t, id);

    if (w && w->state == SF_WORK_SUBMITTED)
        return w;
    sf_fail(err, SF_E_NOENT, "no plan waits any more");
    return NULL;
}

bool sf_talk_answer_plan(struct sf_talk *t, const char *call_id,
                         const struct sf_plan_answer *answer, struct sf_confirm *confirm,
                         struct sf_error *err)
{
    struct sf_work *w = find_plan(t, call_id, err);

    return w && settle(w, answer, confirm, err);
}

bool sf_talk_edit_plan(struct sf_talk *t, const char *call_id, const char *text, size_t len,
                       struct sf_error *err)
{
    struct sf_work *w = find_plan(t, call_id, err);
    char digest[SF_SHA256_HEX + 1];

    if (!w)
        return false;
    if (!len || len > PLAN_MAX || memchr(text, '\0', len) || !sf_utf8_valid(text, len, NULL))
        return sf_fail(err, SF_E_ARG, "a plan is text, at most %d KiB of it", PLAN_MAX / 1024);
    free(w->plan);
    w->plan = sf_strndup(text, len);
    w->plan_edited = true;
    if (!record_text(w, "user", digest, err))
        return false;
    tell_submitted(w, digest);
    return true;
}

/* From surfaces that only know asks: what was told last is what was seen. */
bool sf_plan_answer(struct sf_work *w, enum sf_reply reply, const char *words, const char *who)
{
    struct sf_talk *t = w->talk;
    bool accepts = reply <= SF_REPLY_WORKSPACE;
    char digest[SF_SHA256_HEX + 1];
    const struct sf_plan_answer answer = { .reply = accepts ? SF_PLAN_ACCEPT : SF_PLAN_REJECT,
                                           .digest = digest,
                                           .profile = sf_mode_machine_state(t->machine)->profile,
                                           .words = words,
                                           .who = who };
    struct sf_error err = SF_ERROR_INIT;

    sf_sha256_hex(w->plan, strlen(w->plan), digest);
    if (!settle(w, &answer, NULL, &err) && !t->dead)
        sf_work_answerf(w, true, "[sf] The plan cannot be built: %s", err.msg);
    if (reply == SF_REPLY_STOP)
        sf_talk_cancel(t);
    return true;
}
