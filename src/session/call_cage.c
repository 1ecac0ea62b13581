/*
 * call_cage.c: how the commands of calls are confined: the cage is made from the verdict before the
 * command starts, and what it left behind in git's settings and history is put right when it has
 * ended.
 *
 * Looking at the history may take seconds. It is done on a worker, in the queue of the snapshots,
 * which sub-agents share: so one command's history is never kept while another's is settled, and
 * what a call left there is done with before the session's confinement is freed.
 */
#include "base/base.h"
#include "session/internal.h"

static struct sf_call *call_of(struct sf_session *s, const struct sf_tool_call *call)
{
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        if (s->calls[i].tool_call == call && s->calls[i].has_judged)
            return &s->calls[i];
    return NULL;
}

/* A call that nobody judged is trusted with nothing. */
static struct sf_confine_call confined(const struct sf_call *c)
{
    if (!c)
        return (struct sf_confine_call){ .judged = NULL };
    return (struct sf_confine_call){ .judged = &c->judged, .trusted = c->axes.trust };
}

/* One command's confinement, from its start to its end. */
struct caged {
    struct sf_cage *cage;
    struct sf_git_repair *care;     /* or NULL */
    struct sf_write_record *record; /* or NULL */
    struct sf_strbuf *out;          /* gets the words about what was put back */
    struct sf_job_end end;
};

/* ---- the history, on a worker ---- */

/* A care that is in the queue, to be kept or to be settled. */
struct errand {
    struct sf_snapshot_job job;
    struct sf_session *session;
    struct sf_git_repair *care;
    struct sf_strbuf words;
    struct caged *held; /* of a command that ran; or NULL */
};

static void send(struct sf_session *s, const struct errand *like)
{
    struct errand *e = sf_alloc(sizeof(*e));

    *e = *like;
    e->session = s;
    e->job.bare = true;
    sf_strbuf_init(&e->words);
    s->errands++;
    sf_snapshots_start(s->snapshots, &e->job);
}

static void free_errand(struct errand *e)
{
    e->session->errands--;
    sf_strbuf_release(&e->words);
    free(e);
}

static void settle_errand(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct errand *e = (struct errand *)job;

    (void)snap;
    sf_git_repair_settle_history(e->care, &e->words);
}

static void settled_unheard(struct sf_snapshot_job *job)
{
    struct errand *e = (struct errand *)job;

    sf_git_repair_free(e->care);
    free_errand(e);
}

/* The command of the care has not started, and does not. */
static void let_go(struct sf_session *s, struct sf_git_repair *care)
{
    if (care)
        send(s, &(struct errand){ .job = { .run = settle_errand, .done = settled_unheard },
                                  .care = care });
}

static void keep_errand(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    (void)snap;
    sf_git_repair_keep(((struct errand *)job)->care);
}

static void kept(struct sf_snapshot_job *job)
{
    struct errand *e = (struct errand *)job;
    struct sf_call *c = job->call;

    if (c)
        c->care = e->care;
    else
        let_go(e->session, e->care);
    free_errand(e);
    if (c)
        sf_call_next(c);
}

bool sf_call_keep(struct sf_call *c)
{
    struct sf_session *s = c->session;
    struct sf_confine_call wanted = confined(c);
    struct sf_git_repair *care = sf_confine_care(s->confine, &wanted);

    if (care)
        send(s, &(struct errand){ .job = { .run = keep_errand, .done = kept, .call = c },
                                  .care = care });
    return care != NULL;
}

void sf_call_leave_care(struct sf_call *c)
{
    let_go(c->session, c->care);
    c->care = NULL;
}

/* ---- the cage ---- */

/* Without a record sf does not know what the command wrote, and says so where it matters. */
static void open_record(struct sf_session *s, struct sf_call *c, struct caged *held)
{
    struct sf_error err = SF_ERROR_INIT;

    held->record = sf_write_record_new(
        s->setup.workspace->root,
        sf_snapshot_cover(s->snapshots) == SF_COVER_OFF ? NULL : s->setup.state_dir, &err);
    if (!held->record) {
        sf_log(SF_LOG_WARN, "%s", err.msg);
        return;
    }
    sf_snapshots_record(s->snapshots, held->record);
    c->record = sf_write_record_hold(held->record);
}

static void *open_cage(void *ctx, const struct sf_tool_call *call, const char *report,
                       struct sf_child_spec *spec, struct sf_error *err)
{
    struct sf_session *s = ctx;
    struct sf_call *c = call_of(s, call);
    struct sf_confine_call wanted = confined(c);
    struct sf_cage *cage;
    struct caged *held;

    if (!c) {
        sf_fail(err, SF_E_ARG, "nobody has judged this command");
        return NULL;
    }
    wanted.report = report;
    wanted.dir = spec->cwd;
    cage = sf_confine_cage(s->confine, &wanted, err);
    if (!cage)
        return NULL;
    held = sf_alloc(sizeof(*held));
    held->cage = cage;
    held->care = c->care;
    c->care = NULL;
    if (sf_confine_records(s->confine, &wanted))
        open_record(s, c, held);
    if (!held->record && !c->judged.cannot_write)
        sf_snapshots_unrecorded(s->snapshots);
    spec->record = held->record;
    spec->setup = sf_cage_enter;
    spec->setup_ctx = cage;
    spec->watch = sf_confine_watch(s->confine);
    return held;
}

static void explain_failure(void *ctx, const struct sf_tool_call *call, bool failed,
                            const struct sf_strbuf *output, struct sf_strbuf *out)
{
    struct sf_session *s = ctx;
    struct sf_confine_call wanted = confined(call_of(s, call));

    sf_confine_hint(s->confine, &wanted, failed, output, out);
}

static void close_cage(void *ctx, void *handle)
{
    struct caged *held = handle;

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
    ok = sf_session_append(s, SF_LOG_CAGE_AFTERMATH, &json, err);
    sf_strbuf_release(&json);
    return ok;
}

/* All lines in one, each without the "[sf] " by which the model knows whose words they are. */
static void for_people(const struct sf_strbuf *words, struct sf_strbuf *out)
{
    static const char mark[] = "[sf] ";

    for (const char *line = words->buf; *line;) {
        size_t len = strcspn(line, "\n"), skip = strncmp(line, mark, sizeof(mark) - 1) ? 0 : 5;

        sf_strbuf_adds(out, out->len ? " " : "");
        sf_strbuf_add(out, line + skip, len - skip);
        line += len + (line[len] == '\n');
    }
}

/* People hear of it at once: a job in the background may be one that nobody asks about again. */
static void tell_aftermath(struct sf_session *s, const struct sf_strbuf *words)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;

    for_people(words, &text);
    event = sf_event_of_notice(text.buf, text.len);
    event.notice.urgent = true;
    sf_log(SF_LOG_WARN, "%s", text.buf);
    if (!write_aftermath(s, text.buf, &err) && !s->dead)
        sf_session_die(s, &err);
    if (!s->dead)
        sf_session_tell(s, &event);
    sf_strbuf_release(&text);
}

static void free_caged(struct caged *held)
{
    if (held->record)
        sf_write_record_end(held->record);
    sf_write_record_drop(held->record);
    free(held);
}

/* Everything is in order again. */
static void finish(struct sf_session *s, struct caged *held)
{
    if (held->out->len) {
        sf_snapshots_mended(s->snapshots);
        tell_aftermath(s, held->out);
    }
    free_caged(held);
}

static void settled(struct sf_snapshot_job *job)
{
    struct errand *e = (struct errand *)job;
    struct sf_session *s = e->session;
    struct caged *held = e->held;
    const struct sf_job_end end = held->end;

    sf_strbuf_add(held->out, e->words.buf, e->words.len);
    sf_git_repair_free(e->care);
    free_errand(e);
    finish(s, held);
    end.fn(end.ctx);
}

/* Settings at once, since git may be used at any moment; the history on a worker. */
static bool settle_cage(void *ctx, void *handle, struct sf_strbuf *out,
                        const struct sf_job_end *end)
{
    struct caged *held = handle;

    held->out = out;
    held->end = *end;
    if (!held->care) {
        finish(ctx, held);
        return true;
    }
    sf_git_repair_settle(held->care, out);
    send(ctx, &(struct errand){ .job = { .run = settle_errand, .done = settled },
                                .care = held->care,
                                .held = held });
    return false;
}

static void hurry_cage(void *ctx, void *handle)
{
    const struct caged *held = handle;

    (void)ctx;
    if (held->care)
        sf_git_repair_hurry(held->care);
}

static void drop_cage(void *ctx, void *handle)
{
    struct caged *held = handle;

    let_go(ctx, held->care);
    free_caged(held);
}

void sf_call_cage(struct sf_session *s)
{
    s->cage = (struct sf_tool_cage){
        .open = open_cage,
        .close = close_cage,
        .ended = settle_cage,
        .hurry = hurry_cage,
        .drop = drop_cage,
        .explain = explain_failure,
        .ctx = s,
    };
}
