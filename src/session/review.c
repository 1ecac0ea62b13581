/*
 * review.c: a review, from the user's words to the report. The changes are collected on a worker;
 * then a turn begins in work mode review, which ends with the unit, whatever becomes of it. The
 * model reports with the tool Findings; review_places.c looks up what it names. A turn that ends
 * without a report has reviewed nothing, and the log says so.
 */
#include "base/base.h"
#include "session/internal.h"
#include "session/review_git.h"

enum {
    ROOM_MIN = 24 * 1024, /* bytes of hunks for a model whose window is small */
    ROOM_MAX = 200 * 1024,
};

/* The changes of one review being collected. */
struct sf_review_job {
    struct sf_snapshot_job job;
    struct sf_session *session; /* NULL: it has gone */
    struct sf_review_look look;
    char *line;
    sf_review_fn *fn;
    void *ctx;
};

static void free_job(struct sf_review_job *j)
{
    sf_review_look_release(&j->look);
    free(j->line);
    free(j);
}

/* ---- rows of the log ---- */

/* A report is in the log before anybody sees it. */
static bool record(struct sf_session *s, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event event;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_review_report_json(&s->review.report, &w);
    ok = sf_session_append(s, SF_LOG_REVIEW, &json, err);
    event = sf_event_of_words(SF_EVENT_REVIEW, json.buf, json.len);
    if (ok)
        sf_session_tell(s, &event);
    sf_strbuf_release(&json);
    return ok;
}

static void forget_diff(struct sf_session *s)
{
    sf_review_diff_release(&s->review.diff);
    sf_strlist_release(&s->review.withheld);
    s->review.reported = false;
    s->review.here = false;
    s->review.has_diff = false;
}

void sf_review_drop(struct sf_session *s)
{
    sf_review_report_release(&s->review.report);
    forget_diff(s);
    if (!s->review.job)
        return;
    atomic_store(&s->review.job->job.cancel, true);
    s->review.job->session = NULL;
    s->review.job = NULL;
}

/* Nobody has judged the change, and the log is to say why. */
static bool give_up(struct sf_session *s, const char *why, struct sf_error *err)
{
    struct sf_review_report *r = &s->review.report;

    r->verdict = SF_REVIEW_NOT_DONE;
    free(r->reason);
    r->reason = sf_strdup(why);
    s->review.open = false;
    return record(s, err);
}

static void reason_of(const char *json, size_t len, char *out, size_t size)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *end = sf_json_parse(json, len, NULL, &ignored);
    struct sf_event_done done;
    struct sf_wire_error error;

    snprintf(out, size, "the turn ended without a report");
    if (end && sf_event_read_end(&done, &error, end)) {
        if (done.status == SF_TURN_CANCELLED)
            snprintf(out, size, "it was cancelled");
        else if (done.status != SF_TURN_DONE)
            snprintf(out, size, "the turn ended as %s: %s", sf_turn_status_names[done.status],
                     error.message);
    }
    sf_json_free(end);
}

bool sf_review_end(struct sf_session *s, const char *json, size_t len, struct sf_error *err)
{
    char why[600];
    bool ok = true;

    if (s->review.open && s->review.past) { /* this ends the turn of a process that is gone */
        ok = sf_review_mend(s, err);
    } else if (s->review.open) {
        reason_of(json, len, why, sizeof(why));
        ok = give_up(s, why, err);
    }
    forget_diff(s);
    return ok;
}

void sf_review_recall(struct sf_session *s, const char *kind, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_review_report report;
    struct sf_json *row;

    if (strcmp(kind, SF_LOG_REVIEW) != 0)
        return;
    row = sf_json_parse(json, len, NULL, &ignored);
    if (row && sf_review_report_read(&report, row, &ignored)) {
        sf_review_report_release(&s->review.report);
        s->review.report = report;
        s->review.open = report.verdict == SF_REVIEW_RUNNING;
        s->review.past = true;
    }
    sf_json_free(row);
}

bool sf_review_mend(struct sf_session *s, struct sf_error *err)
{
    return !s->review.open || give_up(s, "sf was ended in the middle of it", err);
}

/* ---- the turn ---- */

/* Enters review for the unit that is about to begin; the machine goes back when it ends. */
static bool enter(struct sf_session *s, const char *line, struct sf_error *err)
{
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .change = SF_MODE_CHANGE_INIT,
                                       .when = SF_WHEN_FOR_NEXT_UNIT,
                                       .actor = SF_ACTOR_USER,
                                       .reason = line,
                                       .session = s->id,
                                       .time = now };
    struct sf_machine_receipt receipt;

    sf_time_format_utc(now, sf_clock_wall_ms());
    sf_handoff_review(&request.change);
    return sf_mode_machine_submit(s->axes.machine, &request, &receipt, err);
}

bool sf_review_begin(struct sf_session *s, const char *line, struct sf_error *err)
{
    if (!enter(s, line, err))
        return false;
    s->review.report.verdict = SF_REVIEW_RUNNING;
    s->review.open = true;
    s->review.past = false;
    if (record(s, err))
        return true;
    sf_session_die(s, err);
    return false;
}

static void take_look(struct sf_session *s, struct sf_review_look *l)
{
    sf_review_report_release(&s->review.report);
    s->review.report.what = sf_strdup(l->title);
    s->review.report.fail_on = l->what.fail_on;
    forget_diff(s);
    s->review.diff = l->diff;
    l->diff = (struct sf_review_diff){ .count = 0 };
    sf_strlist_append(&s->review.withheld, &l->withheld);
    s->review.here = l->here;
    s->review.has_diff = true;
}

static void send(struct sf_session *s, struct sf_review_job *j)
{
    struct sf_review_look *l = &j->look;
    struct sf_strbuf more = SF_STRBUF_INIT;
    struct sf_wish wish = { .review = true };
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_review_asking asking = { .title = l->title,
                                             .focus = l->what.focus,
                                             .state = l->state,
                                             .diff = &s->review.diff,
                                             .withheld = &l->withheld };
    bool ok;

    take_look(s, l);
    sf_strbuf_adds(&more, SF_SLASH_OPEN "\n");
    sf_review_prompt_add(&asking, &more);
    sf_strbuf_adds(&more, "\n" SF_SLASH_CLOSE);
    wish.more = more.buf;
    wish.more_len = more.len;
    j->fn(j->ctx, SF_REVIEWING_STARTS, j->line, NULL);
    ok = sf_session_say(s, j->line, strlen(j->line), &wish, &err);
    sf_strbuf_release(&more);
    if (!ok)
        forget_diff(s);
    j->fn(j->ctx, ok ? SF_REVIEWING_STARTED : SF_REVIEWING_FAILED, j->line, &err);
}

/* The offline operator is no model: it follows words, and cannot judge code. */
static void refuse(struct sf_session *s, struct sf_review_job *j)
{
    struct sf_error err = SF_ERROR_INIT;

    take_look(s, &j->look);
    forget_diff(s);
    if (!give_up(s, "the offline operator is no model and cannot judge code; /connect adds one",
                 &err))
        sf_session_die(s, &err);
    j->fn(j->ctx, SF_REVIEWING_UNABLE, j->line, &err);
}

/* ---- collecting ---- */

static void collect(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct sf_review_job *j = (struct sf_review_job *)job;

    (void)snap;
    job->ok = sf_review_look(&j->look, &job->err);
}

static void collected(struct sf_snapshot_job *job)
{
    struct sf_review_job *j = (struct sf_review_job *)job;
    struct sf_session *s = j->session;

    if (s)
        s->review.job = NULL;
    if (!s || s->dead)
        j->fn(j->ctx, SF_REVIEWING_DROPPED, j->line, NULL);
    else if (!job->ok)
        j->fn(j->ctx, SF_REVIEWING_FAILED, j->line, &job->err);
    else if (j->look.nothing)
        j->fn(j->ctx, SF_REVIEWING_NOTHING, j->look.title, NULL);
    else if (s->setup.provider->kind == SF_PROVIDER_OFFLINE)
        refuse(s, j);
    else
        send(s, j);
    free_job(j);
}

/* About a quarter of the model's window, at four bytes a token. */
static size_t room_for(const struct sf_session *s)
{
    int64_t window = s->link.row ? s->link.row->window : 0;

    if (window <= 0 || window > ROOM_MAX)
        return ROOM_MAX;
    return window > ROOM_MIN ? (size_t)window : ROOM_MIN;
}

static bool start(struct sf_session *s, struct sf_review_job *j, struct sf_error *err)
{
    /* Held like a command that was judged to read only. */
    const struct sf_judged reads = { .only_reads = true };
    const struct sf_confine_call call = { .judged = &reads };

    j->look.cage = sf_confine_cage(s->confine, &call, err);
    if (!j->look.cage)
        return false;
    j->session = s;
    j->job.run = collect;
    j->job.done = collected;
    j->job.bare = true;
    j->look.root = &s->setup.policy->root;
    j->look.places = &s->setup.policy->places;
    j->look.below = sf_strdup(s->setup.below ? s->setup.below : "");
    j->look.cancel = &j->job.cancel;
    j->look.diff.room = room_for(s);
    sf_strbuf_init(&j->look.diff.text);
    s->review.job = j;
    sf_snapshots_start(s->snapshots, &j->job);
    return true;
}

bool sf_session_review(struct sf_session *s, const char *line, const char *words, sf_review_fn *fn,
                       void *ctx, struct sf_error *err)
{
    struct sf_review_job *j;

    if (!sf_session_can(s, err))
        return false;
    if (sf_session_busy(s) || sf_session_shell_runs(s) || s->restore) {
        sf_fail(err, SF_E_BUSY, "a review begins a turn of its own, and something is running");
        return sf_hint(err, "Esc ends what runs; then try again");
    }
    j = sf_alloc(sizeof(*j));
    *j = (struct sf_review_job){ .line = sf_strdup(line), .fn = fn, .ctx = ctx };
    j->job.err = (struct sf_error)SF_ERROR_INIT;
    if (sf_review_what_parse(&j->look.what, words, err) && sf_load_all(s, err) && start(s, j, err))
        return true;
    free_job(j);
    return false;
}

void sf_review_cancel(struct sf_session *s)
{
    if (s->review.job)
        atomic_store(&s->review.job->job.cancel, true);
}

bool sf_review_collects(const struct sf_session *s)
{
    return s->review.job != NULL;
}

/* ---- what was read ---- */

static void saw_command(struct sf_session *s, const struct sf_tool_call *call)
{
    const char *below = s->setup.below ? s->setup.below : "";
    size_t len = strlen(below);

    for (size_t i = 0; i < s->review.diff.count; i++) {
        struct sf_review_file *f = &s->review.diff.files[i];
        bool within = len && !strncmp(f->path, below, len) && f->path[len] == '/';

        f->seen = f->seen || sf_review_command_shows(call->command, f->path) ||
                  (within && sf_review_command_shows(call->command, f->path + len + 1));
    }
}

/* Files of the workspace count where it is their state that is reviewed. */
void sf_review_saw(const struct sf_call *c, const struct sf_tool_result *result)
{
    struct sf_session *s = c->session;
    const struct sf_tool_call *call = c->tool_call;

    if (c->answered || result->is_error || !call)
        return;
    if (call->command && !result->exit_code && result->text.len)
        saw_command(s, call);
    for (size_t i = 0; s->review.here && call->act == SF_ACT_READ && i < call->target_count; i++)
        if (call->targets[i].place.kind == SF_PLACE_FILE && call->targets[i].place.inside)
            sf_review_diff_saw(&s->review.diff, call->targets[i].place.real);
}

/* ---- the tool ---- */

/* What is reviewed stays, and so does what the same turn has reported before. */
static void take_report(struct sf_session *s, struct sf_review_report *report)
{
    if (s->review.reported)
        sf_review_report_join(report, &s->review.report);
    if (s->review.has_diff)
        sf_review_report_cover(report, &s->review.diff, &s->review.withheld);
    free(report->what);
    report->what = s->review.report.what;
    report->fail_on = s->review.report.fail_on;
    s->review.report.what = NULL;
    sf_review_report_release(&s->review.report);
    s->review.report = *report;
    *report = (struct sf_review_report){ .count = 0 };
    s->review.reported = true;
    s->review.open = false;
}

static void add_lost(const struct sf_review_report *r, struct sf_strbuf *text)
{
    sf_strbuf_adds(text, "\nThese places were not found; if they are mistakes, call Findings again "
                         "with the same titles and the right places:");
    for (size_t i = 0; i < r->count; i++) {
        if (r->findings[i].spot != SF_SPOT_NONE)
            continue;
        sf_strbuf_adds(text, "\n- ");
        sf_finding_place_add(&r->findings[i], text);
    }
}

static void answer(struct sf_call *c)
{
    const struct sf_review_report *r = &c->session->review.report;
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t lost = 0;

    for (size_t i = 0; i < r->count; i++)
        lost += r->findings[i].spot == SF_SPOT_NONE;
    sf_review_tally_add(r, &text);
    sf_strbuf_adds(&text, ". The user sees the report; do not repeat it.");
    if (lost)
        add_lost(r, &text);
    if (r->unseen_count) {
        sf_strbuf_adds(&text, "\nNo line of these files was shown to you or read; read those that "
                              "can be read, then call Findings again:");
        sf_review_unseen_add(r, "\n- ", "", &text);
    }
    sf_call_answerf(c, false, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void places_known(struct sf_call *c, struct sf_review_report *report)
{
    struct sf_session *s = c->session;
    struct sf_error err = SF_ERROR_INIT;

    take_report(s, report);
    if (record(s, &err))
        answer(c);
    else
        sf_session_die(s, &err);
}

void sf_review_run(struct sf_call *c)
{
    struct sf_review_report report;
    struct sf_error err = SF_ERROR_INIT;

    if (c->session->depth) {
        sf_call_answerf(c, true,
                        "[sf] Only the agent that reviews reports: put your findings, with "
                        "file and line, in your last message.");
        return;
    }
    if (sf_review_report_read(&report, c->tool_call->args, &err))
        sf_review_places(c, &report, places_known);
    else
        sf_call_answerf(c, true, "[sf] %s", err.msg);
}
