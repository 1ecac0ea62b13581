/*
 * plan.c: plans. A list of steps is noted and shown; a plan that is submitted waits until the user
 * has accepted it. An acceptance is bound to the digest of the text that was seen, is in the log
 * before anything follows from it, and leads from plan to build by an ordinary transition.
 */
#include "plan/plan.h"

#include "base/base.h"
#include "session/internal.h"

enum { PLAN_MAX = 256 * 1024 };

/* ---- steps ---- */

static void note_steps(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event event;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer jw;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key(&jw, "items");
    sf_jw_json(&jw, sf_json_get(c->tool_call->args, "items"));
    sf_jw_object_end(&jw);
    event = sf_event_of_words(SF_EVENT_PLAN, json.buf, json.len);
    if (sf_session_append(s, SF_LOG_PLAN, &json, &err)) {
        sf_session_tell(s, &event);
        sf_call_answerf(c, false, "The plan is noted. Go on.");
    } else {
        sf_session_die(s, &err);
    }
    sf_strbuf_release(&json);
}

/* ---- submitting ---- */

/* The text as it is now, with its digest: first in the log. */
static bool record_text(struct sf_call *c, const char *who, char digest[SF_SHA256_HEX + 1],
                        struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_sha256_hex(c->plan.text, strlen(c->plan.text), digest);
    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", c->id);
    sf_jw_key_str(&jw, "digest", digest);
    sf_jw_key_str(&jw, "who", who);
    sf_jw_key_str(&jw, "text", c->plan.text);
    sf_jw_object_end(&jw);
    ok = sf_session_append(c->session, SF_LOG_PLAN_SUBMITTED, &json, err);
    sf_strbuf_release(&json);
    if (!ok)
        sf_session_die(c->session, err);
    return ok;
}

static void tell_submitted(struct sf_call *c, const char *digest)
{
    struct sf_event_call call = {
        .id = c->id, .name = c->name, .args = c->args, .len = c->len, .what = ""
    };
    struct sf_event event = { .kind = SF_EVENT_SUBMITTED,
                              .call = &call,
                              .submitted = { c->plan.text, strlen(c->plan.text), digest } };

    sf_session_tell(c->session, &event);
}

/* Whether the text may be accepted is a verdict of its own, with a row that takes the answer. */
static bool judge_acceptance(struct sf_call *c, const char *digest, enum sf_answer *answer,
                             struct sf_error *err)
{
    const struct sf_session *s = c->session;
    char about[32];
    const struct sf_call_asked asked = { .tool = c->name, .act = SF_ACT_ACCEPT, .about = about };
    struct sf_judged judged;
    bool ok;

    snprintf(about, sizeof(about), "plan %.12s", digest);
    if (!sf_judge_call(s->setup.policy, &asked, &c->axes, &judged, err))
        return false;
    if (!s->setup.attended)
        sf_verdict_unattended(&judged.verdict);
    ok = sf_judged_record(s->setup.store, s->id, &asked, &c->axes, &judged, err);
    *answer = judged.verdict.answer;
    c->plan.acceptance = *answer == SF_ASK ? judged.decision : 0;
    sf_judged_release(&judged);
    return ok;
}

/* The row says who accepted, rejected or changed the text; one that nobody was asked about is left. */
static bool answer_acceptance(struct sf_call *c, const char *answer, const char *who,
                              struct sf_error *err)
{
    return !c->plan.acceptance ||
           sf_store_decision_answer(c->session->setup.store, c->plan.acceptance, answer, who, err);
}

static bool settle(struct sf_call *c, const struct sf_plan_answer *answer,
                   struct sf_confirm *confirm, struct sf_error *err);

static void say_unaccepted(struct sf_call *c)
{
    sf_call_answerf(c, true,
                    "[sf] The plan is written down. Nobody is there to accept it: end here and say "
                    "so.");
}

/* Without a screen, a run that goes on by itself goes on from its plan too. */
static void chain(struct sf_call *c, const char *digest)
{
    static const char note[] = "the run is autonomous: its plan is accepted, and built";
    struct sf_event event = sf_event_of_notice(note, sizeof(note) - 1);
    const struct sf_plan_answer answer = { .reply = SF_PLAN_AUTONOMOUS,
                                           .digest = digest,
                                           .profile = c->axes.profile,
                                           .who = "autonomous run" };
    struct sf_error err = SF_ERROR_INIT;

    sf_session_tell(c->session, &event);
    if (!settle(c, &answer, NULL, &err) && !c->session->dead)
        sf_call_answerf(c, true, "[sf] The plan is written down, but cannot be built: %s", err.msg);
}

/*
 * A plan with headings and fields is read before anybody is asked: what is wrong with it goes back
 * to the model, with its places. Words without such a structure are taken as they are.
 */
static bool find_faults(const char *text, struct sf_strbuf *report)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    bool ok = !sf_plan_is_structured(text, strlen(text)) ||
              sf_plan_parse(text, strlen(text), &plan, &faults);

    sf_plan_faults_text(&faults, "plan", report);
    sf_plan_release(&plan);
    sf_plan_faults_release(&faults);
    return !ok;
}

static bool refuse_faults(struct sf_call *c, const char *text)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    bool faulty = find_faults(text, &report);

    if (faulty)
        sf_call_answerf(c, true, "[sf] The plan cannot be read, and nobody was asked:\n%s",
                        report.buf);
    sf_strbuf_release(&report);
    return faulty;
}

static void submit(struct sf_call *c, const char *text)
{
    char digest[SF_SHA256_HEX + 1];
    struct sf_error err = SF_ERROR_INIT;
    enum sf_answer answer;

    c->plan.text = sf_strdup(text);
    if (!record_text(c, "model", digest, &err))
        return;
    if (!judge_acceptance(c, digest, &answer, &err)) {
        sf_session_die(c->session, &err);
    } else if (answer == SF_ALLOW) {
        chain(c, digest);
    } else if (answer == SF_ASK) {
        c->state = SF_CALL_SUBMITTED;
        tell_submitted(c, digest);
    } else {
        say_unaccepted(c);
    }
}

void sf_plan_run(struct sf_call *c)
{
    const char *text = sf_arg_str(c->tool_call->args, "submit", "");

    if (strlen(text) > PLAN_MAX)
        sf_call_answerf(c, true, "[sf] The plan is longer than %d KiB.", PLAN_MAX / 1024);
    else if (*text && refuse_faults(c, text))
        return;
    else if (*text)
        submit(c, text);
    else if (sf_json_get(c->tool_call->args, "items"))
        note_steps(c);
    else
        sf_call_answerf(c, true, "[sf] Plan takes items, or a plan to submit.");
}

/* ---- answers ---- */

static const char *const reply_events[] = {
    [SF_PLAN_ACCEPT] = SF_LOG_PLAN_ACCEPTED,
    [SF_PLAN_AUTONOMOUS] = SF_LOG_PLAN_ACCEPTED,
    [SF_PLAN_REJECT] = SF_LOG_PLAN_REJECTED,
};

static bool record(struct sf_call *c, const struct sf_plan_answer *answer, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_json_writer jw;
    bool ok;

    sf_jw_init(&jw, &json);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "call", c->id);
    sf_jw_key_str(&jw, "digest", answer->digest);
    sf_jw_key_str(&jw, "who", answer->who);
    if (answer->reply == SF_PLAN_REJECT) {
        sf_jw_key_str(&jw, "words", answer->words ? answer->words : "");
    } else {
        sf_jw_key_bool(&jw, "autonomous", answer->reply == SF_PLAN_AUTONOMOUS);
        sf_jw_key_str(&jw, "profile", sf_axis_name(SF_AXIS_PROFILE, (int)answer->profile));
        sf_jw_key_bool(&jw, "edited", c->plan.edited);
    }
    sf_jw_object_end(&jw);
    ok = sf_session_append(c->session, reply_events[answer->reply], &json, err);
    if (ok)
        sf_approvals_tell(c, SF_EVENT_ANSWERED, "");
    sf_strbuf_release(&json);
    return ok;
}

/* Taken or refused, but not in force yet: the acceptance is written down before that. */
static bool hand_off(struct sf_call *c, const struct sf_plan_answer *answer,
                     struct sf_confirm *confirm, struct sf_error *err)
{
    struct sf_strbuf reason = SF_STRBUF_INIT;
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .change = SF_MODE_CHANGE_INIT,
                                       .when = SF_WHEN_DEFAULT,
                                       .actor = SF_ACTOR_USER,
                                       .confirmed = confirm && confirm->given,
                                       .session = c->session->id,
                                       .time = now };
    struct sf_machine_receipt receipt = { .id = 0 };
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_handoff_plan(&request.change, answer->reply == SF_PLAN_AUTONOMOUS, answer->profile);
    sf_strbuf_addf(&reason, "plan %.12s accepted by %s", answer->digest, answer->who);
    request.reason = reason.buf;
    ok = sf_mode_machine_submit(c->session->axes.machine, &request, &receipt, err);
    if (confirm)
        confirm->needed = !ok && receipt.confirm;
    sf_strbuf_release(&reason);
    return ok;
}

static void answer_accepted(struct sf_call *c, const struct sf_plan_answer *answer)
{
    const struct sf_mode_state s = sf_mode_machine_preview(c->session->axes.machine);

    sf_call_answerf(c, false,
                    "The user accepted the plan (sha256 %.12s…)%s%s%s\nWork mode is now %s, scope "
                    "%s, run control %s, permission profile %s. Carry the plan out.",
                    answer->digest, c->plan.edited ? ", changed as follows:\n\n" : ".",
                    c->plan.edited ? c->plan.text : "", c->plan.edited ? "\n" : "",
                    sf_axis_name(SF_AXIS_WORK, (int)s.work), s.scope,
                    sf_axis_name(SF_AXIS_CONTROL, (int)s.control),
                    sf_axis_name(SF_AXIS_PROFILE, (int)s.profile));
}

static bool settle(struct sf_call *c, const struct sf_plan_answer *answer,
                   struct sf_confirm *confirm, struct sf_error *err)
{
    struct sf_session *s = c->session;
    char digest[SF_SHA256_HEX + 1];

    sf_sha256_hex(c->plan.text, strlen(c->plan.text), digest);
    if (strcmp(digest, answer->digest) != 0) {
        sf_fail(err, SF_E_ARG, "the plan is not the one that was shown");
        return sf_hint(err, "look at it again, then accept it");
    }
    if (answer->reply == SF_PLAN_REJECT) {
        if (!answer_acceptance(c, "deny", answer->who, err) || !record(c, answer, err)) {
            sf_session_die(s, err);
            return false;
        }
        sf_call_answerf(c, true, "[sf] The user did not accept the plan%s%s.",
                        answer->words && *answer->words ? ": " : "",
                        answer->words ? answer->words : "");
        return true;
    }
    if (!hand_off(c, answer, confirm, err))
        return false;
    if (!answer_acceptance(c, "allow once", answer->who, err) || !record(c, answer, err) ||
        !sf_session_settle(s, err)) {
        sf_session_die(s, err);
        return false;
    }
    sf_plan_keep(c, answer->who);
    answer_accepted(c, answer);
    return true;
}

static struct sf_call *find_plan(struct sf_session *s, const char *id, struct sf_error *err)
{
    struct sf_call *c = sf_approvals_waiting(s, id);

    if (c && c->state == SF_CALL_SUBMITTED)
        return c;
    sf_fail(err, SF_E_NOENT, "no plan waits any more");
    return NULL;
}

bool sf_session_answer_plan(struct sf_session *s, const char *call_id,
                            const struct sf_plan_answer *answer, struct sf_confirm *confirm,
                            struct sf_error *err)
{
    struct sf_call *c = find_plan(s, call_id, err);

    return c && settle(c, answer, confirm, err);
}

/* An edit that breaks the structure is refused with its first fault; the old text stays. */
static bool check_edited(const char *text, size_t len, struct sf_error *err)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    bool ok = !sf_plan_is_structured(text, len) || sf_plan_parse(text, len, &plan, &faults);

    if (!ok) {
        *err = faults.items[0];
        err->code = SF_E_ARG;
        sf_error_prefix(err, "line %u, column %u: ", faults.items[0].line, faults.items[0].column);
    }
    sf_plan_release(&plan);
    sf_plan_faults_release(&faults);
    return ok;
}

bool sf_session_edit_plan(struct sf_session *s, const char *call_id, const char *text, size_t len,
                          struct sf_error *err)
{
    struct sf_call *c = find_plan(s, call_id, err);
    char digest[SF_SHA256_HEX + 1];
    enum sf_answer asked;

    if (!c)
        return false;
    if (!len || len > PLAN_MAX || memchr(text, '\0', len) || !sf_utf8_valid(text, len, NULL))
        return sf_fail(err, SF_E_ARG, "a plan is text, at most %d KiB of it", PLAN_MAX / 1024);
    if (!check_edited(text, len, err))
        return false;
    free(c->plan.text);
    c->plan.text = sf_strndup(text, len);
    c->plan.edited = true;
    if (!answer_acceptance(c, "changed", "user", err) || !record_text(c, "user", digest, err) ||
        !judge_acceptance(c, digest, &asked, err)) {
        sf_session_die(c->session, err);
        return false;
    }
    tell_submitted(c, digest);
    return true;
}

/* From surfaces that only know asks: what was told last is what was seen, the profile too. */
bool sf_plan_answer(struct sf_call *c, enum sf_reply reply, const char *words, const char *who)
{
    struct sf_session *s = c->session;
    bool accepts = reply <= SF_REPLY_WORKSPACE;
    char digest[SF_SHA256_HEX + 1];
    const struct sf_plan_answer answer = { .reply = accepts ? SF_PLAN_ACCEPT : SF_PLAN_REJECT,
                                           .digest = digest,
                                           .profile = sf_handoff_profile(
                                               sf_mode_machine_state(s->axes.machine)->profile),
                                           .words = words,
                                           .who = who };
    struct sf_error err = SF_ERROR_INIT;

    if (reply == SF_REPLY_ABSENT) { /* it is neither accepted nor rejected */
        if (answer_acceptance(c, "nobody there", who, &err))
            say_unaccepted(c);
        else
            sf_session_die(s, &err);
        return true;
    }
    sf_sha256_hex(c->plan.text, strlen(c->plan.text), digest);
    if (!settle(c, &answer, NULL, &err) && !s->dead)
        sf_call_answerf(c, true, "[sf] The plan cannot be built: %s", err.msg);
    if (reply == SF_REPLY_STOP)
        sf_session_cancel(s);
    return true;
}
