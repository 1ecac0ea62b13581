/*
 * scope_audit.c: the write scope of shell commands. A cage cannot know scopes, so the workspace is
 * compared with its state before the command, and what lies outside the scope is put back. The
 * state is that before this very command: what people or the file tools did earlier is not its.
 * What others change meanwhile is not its either: the record of its writes says which are. A change
 * of which that is not known is told and stays.
 *
 * A background job is looked at when its number is told, and again when it ends.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "session/internal.h"

enum {
    LISTED = 20,
    PRODUCTS_MAX = 1000,
    LABEL_COLUMNS = 80,
    REVERT = 0,
    REPORT = 1,
    OFF = 2
}; /* the values of guard.shell_scope */

void sf_scope_audit_free(struct sf_scope_audit *audit)
{
    if (!audit)
        return;
    free(audit->command);
    sf_write_record_drop(audit->record);
    sf_strlist_release(&audit->places);
    sf_strlist_release(&audit->others);
    free(audit);
}

static int64_t shell_scope(const struct sf_session *s)
{
    return sf_config_find(s->setup.config, "guard.shell_scope")->integer;
}

struct sf_scope_audit *sf_scope_audit_new(const struct sf_call *c)
{
    const struct sf_session *s = c->session;
    const struct sf_mode_state *state = &c->axes;
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_scope *scope;
    struct sf_scope_audit *f;

    if (c->judged.action.act != SF_ACT_SHELL || shell_scope(s) == OFF)
        return NULL;
    scope = sf_scope_get(&s->setup.policy->scopes, state->scope, &ignored);
    f = sf_alloc(sizeof(*f));
    if (scope)
        f->writable = sf_writable_of(state->work, scope);
    snprintf(f->scope, sizeof(f->scope), "%s", state->scope);
    if (!scope || sf_writable_is_all(&f->writable)) {
        free(f);
        return NULL;
    }
    f->builds = c->judged.has_report && c->judged.report.class == SF_CLASS_BUILD_TEST;
    sf_scope_places(&s->setup.policy->scopes, state->scope, &f->places);
    return f;
}

/* A directory that an entry lies in may come and go with it. */
static bool leads_to(const char *dir, const char *entry)
{
    size_t n = strlen(dir);

    return !strncmp(dir, entry, n) && entry[n] == '/';
}

static bool allows(const struct sf_scope_audit *f, const char *path, bool dir)
{
    if (sf_writable_allows(&f->writable, path, strlen(path)))
        return true;
    for (const char *const *e = f->writable.entries; dir && *e; e++)
        if (leads_to(path, *e))
            return true;
    return dir && f->writable.extra && leads_to(path, f->writable.extra);
}

/* ---- the job ---- */

struct check {
    struct sf_snapshot_job job;
    struct sf_scope_audit *audit;
    bool put_back;
    char session[SF_ID_LEN + 1];
    char *label;
    const char *root;         /* the workspace */
    struct sf_strlist others; /* as the audit had them when the check began */
    struct sf_write_set writes;
    struct sf_strlist saved, paths, products;
    struct sf_strbuf list;
    size_t found, kept;
};

static bool may(void *ctx, const char *path, bool dir)
{
    const struct check *c = ctx;

    return allows(c->audit, path, dir) || sf_strlist_has(&c->others, path) ||
           (!c->writes.unsure && sf_write_set_writer(&c->writes, path) == SF_WRITER_OTHERS);
}

static const char *leaves(void *ctx, const struct sf_snap_change *change)
{
    const struct check *c = ctx;

    switch (sf_write_set_writer(&c->writes, change->path)) {
    case SF_WRITER_OTHERS:
        return "who changed it is not known";
    case SF_WRITER_BOTH:
        return "others had changed it meanwhile";
    case SF_WRITER_COMMAND:
        break;
    }
    return c->audit->builds && sf_scope_is_product(&c->audit->places, c->root, change)
               ? sf_scope_product
               : NULL;
}

static const char *deed(const struct sf_snap_change *c)
{
    if (!c->from_mode && !c->to_mode)
        return "changed";
    return !c->from_mode ? "removed" : !c->to_mode ? "made" : "changed";
}

static bool note(void *ctx, const struct sf_snap_change *change)
{
    struct check *c = ctx;

    if (change->kept == sf_scope_product) {
        if (c->products.count < PRODUCTS_MAX && !S_ISDIR(change->from_mode))
            sf_strlist_add(&c->products, change->path);
        return true;
    }
    c->kept += change->kept != NULL;
    if (c->found++ >= LISTED)
        return true;
    sf_strlist_add(&c->paths, change->path);
    sf_strbuf_addf(&c->list, "  %s ", deed(change));
    sf_safe_add(&c->list, change->path, strlen(change->path));
    if (change->kept && c->put_back)
        sf_strbuf_addf(&c->list, "  (not put back: %s)", change->kept);
    sf_strbuf_addch(&c->list, '\n');
    return true;
}

static void run_check(struct sf_snapshot_job *job, struct sf_snap *snap)
{
    struct check *c = (struct check *)job;
    const struct sf_snap_fence audit = { .mark = c->audit->mark,
                                         .may = may,
                                         .leaves = leaves,
                                         .ctx = c,
                                         .put_back = c->put_back,
                                         .session = c->session,
                                         .label = c->label };

    if (!*c->audit->mark) {
        job->err = c->audit->err;
        return;
    }
    c->writes.unsure = !c->audit->record;
    if (c->audit->record)
        sf_write_set_read(&c->writes, c->audit->record);
    job->ok = sf_snap_audit(snap, &audit, note, c, &c->saved, &job->err);
    if (c->audit->own)
        sf_snap_forget(snap, c->audit->mark);
}

/* ---- telling ---- */

static void add_scope(struct sf_strbuf *out, const struct sf_scope_audit *f)
{
    struct sf_strbuf list = SF_STRBUF_INIT;

    sf_writable_text(&f->writable, &list);
    sf_strbuf_addf(out, "scope %s (writable: %s)", f->scope, list.len ? list.buf : "nothing");
    sf_strbuf_release(&list);
}

/* How many are as they were again; what could not be put back is not among them. */
static size_t put_back(const struct check *c)
{
    return c->put_back ? c->found - c->kept : 0;
}

static void add_outcome(const struct check *c, struct sf_strbuf *out)
{
    size_t back = put_back(c);
    const char *what = c->audit->job ? "job" : "command";
    bool one = c->found == 1;

    if (c->put_back && back == c->found)
        sf_strbuf_addf(out, " and %s put back as before the %s:\n", one ? "was" : "were", what);
    else if (back)
        sf_strbuf_addf(out, "; %zu %s put back as before the %s, %zu left:\n", back,
                       back == 1 ? "was" : "were", what, c->kept);
    else if (c->put_back)
        sf_strbuf_addf(out, " and %s left as %s now:\n", one ? "was" : "were",
                       one ? "it is" : "they are");
    else if (c->audit->job)
        sf_strbuf_addf(out, " and changed while job %lld ran; left as %s now:\n",
                       (long long)c->audit->job, one ? "it is" : "they are");
    else
        sf_strbuf_addf(out, " and changed all the same; left as %s now:\n",
                       one ? "it is" : "they are");
}

static void write_found(const struct check *c, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "[sf] ");
    if (c->audit->job)
        sf_strbuf_addf(out, "Background job %lld: ", (long long)c->audit->job);
    sf_strbuf_addf(out, "%zu path%s not writable in ", c->found, c->found == 1 ? " is" : "s are");
    add_scope(out, c->audit);
    add_outcome(c, out);
    sf_strbuf_add(out, c->list.buf, c->list.len);
    if (c->found > LISTED)
        sf_strbuf_addf(out, "  … and %zu more\n", c->found - LISTED);
    sf_strbuf_adds(out, "Call ChangeToolMode to switch, if the task calls for these files.\n");
}

static void write_words(const struct check *c, struct sf_strbuf *out)
{
    if (c->found)
        write_found(c, out);
    if (!c->job.ok)
        sf_strbuf_addf(out,
                       "[sf] Whether the %s kept to the scope could not be checked"
                       "%s: %s\n",
                       c->audit->job ? "job" : "command",
                       c->found ? ", and some paths may not have been put back" : "",
                       c->job.err.msg);
}

static void add_summary(struct check *c, struct sf_call *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t back = put_back(c);

    if (w->tool_call->result.summary)
        sf_strbuf_addf(&text, "%s; ", w->tool_call->result.summary);
    sf_strbuf_addf(&text, "%zu outside the scope", c->found);
    if (back == c->found)
        sf_strbuf_adds(&text, " put back");
    else if (c->put_back)
        sf_strbuf_addf(&text, ", %zu put back", back);
    sf_tool_call_summary(w->tool_call, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* For the model and, in a line, for people. */
static void tell(struct check *c, struct sf_call *w, const struct sf_strbuf *words)
{
    if (c->found)
        add_summary(c, w);
    sf_tool_call_add_text(w->tool_call, words->buf, words->len);
    sf_scope_news_add(w);
}

/* The session with this id; if it has closed, the user's own, which continues its log. */
static struct sf_session *session_of(struct sf_session *s, const char *session)
{
    for (size_t i = 0; strcmp(s->id, session) != 0 && i < SF_COUNT(s->calls); i++) {
        struct sf_session *child = s->calls[i].child,
                          *found = child ? session_of(child, session) : NULL;

        if (found && !strcmp(found->id, session))
            return found;
    }
    return s;
}

/* The line that people get; the row has it too, for those who read the log. */
static void add_notice(const struct check *c, struct sf_strbuf *text)
{
    sf_strbuf_addf(text, "background job %lld ", (long long)c->audit->job);
    if (c->found) {
        sf_strbuf_addf(text, "changed %zu path%s outside scope %s, %zu put back: ", c->found,
                       c->found == 1 ? "" : "s", c->audit->scope, put_back(c));
        sf_text_sanitize(text, c->paths.items[0], strlen(c->paths.items[0]), SF_TEXT_ONE_LINE);
        sf_strbuf_adds(text, c->found > 1 ? ", …" : "");
    } else {
        sf_strbuf_addf(text, "may have left scope %s: %s", c->audit->scope, c->job.err.msg);
    }
}

/* Whether something left the scope, or may have; a product that stays is no breach. */
static bool is_breach(const struct check *c)
{
    return c->found || !c->job.ok;
}

/*
 * Nobody waits for a job: the model is told with the next result or words. People are told at once,
 * and only of a breach.
 */
static void tell_job(struct check *c, const struct sf_strbuf *words)
{
    struct sf_session *root = sf_snapshots_session(c->job.snapshots),
                      *s = session_of(root, c->session);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_event event;

    sf_strbuf_add(&s->news, words->buf, words->len);
    if (!is_breach(c))
        return;
    add_notice(c, &text);
    event = sf_event_of_notice(text.buf, text.len);
    event.notice.urgent = true;
    sf_log(SF_LOG_WARN, "%s", text.buf);
    sf_session_tell(root, &event);
    sf_strbuf_release(&text);
}

/* What the model and people are told of a job, for the session that goes on with this log. */
static void write_job(const struct check *c, const struct sf_strbuf *words,
                      struct sf_json_writer *w)
{
    struct sf_strbuf notice = SF_STRBUF_INIT;

    add_notice(c, &notice);
    sf_jw_key_int(w, "job", c->audit->job);
    sf_jw_key_str(w, "words", words->buf);
    sf_jw_key_str(w, "notice", notice.buf);
    sf_strbuf_release(&notice);
}

static bool write_event(struct check *c, const struct sf_strbuf *words, struct sf_error *err)
{
    const struct sf_session *s = sf_snapshots_session(c->job.snapshots);
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = c->session,
                                  .surface =
                                      sf_axis_name(SF_AXIS_SURFACE, (int)s->setup.state.surface),
                                  .kind = SF_LOG_SCOPE_AUDIT };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "scope", c->audit->scope);
    sf_jw_key_str(&w, "what", put_back(c) ? "put back" : "reported");
    sf_jw_key_int(&w, "found", (int64_t)c->found);
    sf_jw_key_int(&w, "kept", (int64_t)c->kept);
    if (!c->job.ok)
        sf_jw_key_str(&w, "error", c->job.err.msg);
    if (c->audit->job)
        write_job(c, words, &w);
    sf_jw_key(&w, "paths");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < c->paths.count; i++)
        sf_jw_str(&w, c->paths.items[i]);
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(s->setup.store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

/* What was put back can be had again: `sf restore NUMBER --path …`. */
static bool write_rows(struct check *c, struct sf_error *err)
{
    const struct sf_undo_place place = sf_snapshots_place(c->job.snapshots);
    bool ok = true;

    for (size_t i = 0; ok && i < c->saved.count; i++) {
        const struct sf_snapshot_new row = { .session = place.session,
                                             .kind = sf_snap_kind_names[SF_SNAP_EDIT],
                                             .worktree = place.worktree,
                                             .commit = c->saved.items[i],
                                             .label = c->label };
        int64_t id;

        ok = sf_store_snapshot_add(place.store, &row, &id, err);
    }
    return ok;
}

static void check_done(struct sf_snapshot_job *job)
{
    struct check *c = (struct check *)job;
    struct sf_call *w = job->call;
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    write_words(c, &words);
    if (is_breach(c) && (!write_rows(c, &err) || !write_event(c, &words, &err)))
        sf_session_die(w ? w->session : sf_snapshots_session(job->snapshots), &err);
    sf_scope_products_tell(&sf_snapshots_audits(job->snapshots)->products, &c->products, &words);
    if (c->audit->job)
        tell_job(c, &words);
    if (w) {
        tell(c, w, &words);
        sf_call_next(w);
    }
    sf_scope_audit_free(c->audit);
    sf_strlist_release(&c->others);
    sf_strlist_release(&c->saved);
    sf_strlist_release(&c->paths);
    sf_strlist_release(&c->products);
    sf_write_set_release(&c->writes);
    sf_strbuf_release(&c->list);
    sf_strbuf_release(&words);
    free(c->label);
    free(c);
}

static struct check *new_check(struct sf_scope_audit *audit, const struct sf_session *s,
                               const char *session, const char *command)
{
    struct check *c = sf_alloc(sizeof(*c));
    struct sf_strbuf label = SF_STRBUF_INIT;

    sf_strbuf_addf(&label, "written outside scope %s: ", audit->scope);
    sf_text_sanitize(&label, command, strlen(command), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&label, sf_text_fit(label.buf, label.len, LABEL_COLUMNS, NULL));
    c->audit = audit;
    c->root = s->setup.workspace->root;
    c->writes = (struct sf_write_set)SF_WRITE_SET_INIT;
    c->put_back = shell_scope(s) == REVERT;
    snprintf(c->session, sizeof(c->session), "%s", session);
    c->label = sf_strbuf_detach(&label);
    sf_strbuf_init(&c->list);
    for (size_t i = 0; i < audit->others.count; i++)
        sf_strlist_add(&c->others, audit->others.items[i]);
    c->job = (struct sf_snapshot_job){ .run = run_check, .done = check_done };
    return c;
}

static void start(struct sf_call *w, struct sf_scope_audit *audit)
{
    struct check *c = new_check(audit, w->session, w->session->id,
                                w->tool_call->command ? w->tool_call->command : "");

    c->job.call = w;
    sf_snapshots_start(w->session->snapshots, &c->job);
}

/* ---- background jobs ---- */

/* The command goes on: its fence goes with it, and the model is told what that means. */
static void follow(struct sf_call *c, const struct sf_scope_audit *audit)
{
    struct sf_scope_audits *all = sf_snapshots_audits(c->session->snapshots);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_scope_audit *f = sf_alloc(sizeof(*f));

    *f = *audit;
    f->others = (struct sf_strlist)SF_STRLIST_INIT;
    f->places = (struct sf_strlist)SF_STRLIST_INIT;
    for (size_t i = 0; i < audit->places.count; i++)
        sf_strlist_add(&f->places, audit->places.items[i]);
    f->record = audit->record ? sf_write_record_hold(audit->record) : NULL;
    f->job = c->tool_call->result.job;
    f->command = sf_strdup(c->tool_call->command ? c->tool_call->command : "");
    memcpy(f->session, c->session->id, sizeof(f->session));
    all->items = sf_grow(all->items, &all->cap, all->count + 1, sizeof(struct sf_scope_audit *));
    all->items[all->count++] = f;
    sf_strbuf_adds(&text, "[sf] Keep to ");
    add_scope(&text, f);
    sf_strbuf_adds(&text, ": what the job writes elsewhere is found when it has ended, put back "
                          "where nobody else has changed it, and told.\n");
    sf_tool_call_add_text(c->tool_call, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void look_at_job(struct sf_snapshots *k, struct sf_scope_audit *f)
{
    struct check *c = new_check(f, sf_snapshots_session(k), f->session, f->command);

    sf_snapshots_start(k, &c->job);
}

void sf_scope_audit_job_ended(struct sf_session *s, int64_t job)
{
    struct sf_scope_audits *all = sf_snapshots_audits(s->snapshots);

    for (size_t i = 0; i < all->count; i++) {
        struct sf_scope_audit *f = all->items[i];

        if (f->job != job || strcmp(f->session, s->id) != 0)
            continue;
        all->items[i] = all->items[--all->count];
        look_at_job(s->snapshots, f);
        return;
    }
}

/* What a file tool writes was judged, whatever a job has done to it before. */
void sf_scope_audit_meanwhile(const struct sf_call *c)
{
    const struct sf_scope_audits *all = sf_snapshots_audits(c->session->snapshots);
    enum sf_act act = c->judged.action.act;

    if (act != SF_ACT_WRITE && act != SF_ACT_DELETE)
        return;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < c->tool_call->target_count; k++) {
            const struct sf_tool_call_target *target = &c->tool_call->targets[k];

            if (target->act != SF_ACT_READ && target->place.inside)
                sf_strlist_add(&all->items[i]->others, target->place.real);
        }
}

/* ---- after a call ---- */

/* The result about a job that ended comes when that has been looked at. */
static void waited(void *ctx)
{
    sf_scope_news_add(ctx);
    sf_call_next(ctx);
}

struct look {
    int64_t id;
    bool runs;
};

static void see_job(void *ctx, const struct sf_job_view *job)
{
    struct look *look = ctx;

    look->runs = look->runs || (job->id == look->id && job->running);
}

/* It may have ended before its number was known here. */
static void catch_up(struct sf_session *s, int64_t job)
{
    struct look look = { .id = job };

    sf_toolbox_each_job(s->box, see_job, &look);
    if (!look.runs)
        sf_scope_audit_job_ended(s, job);
}

static bool is_about_ended_job(const struct sf_call *c)
{
    return c->tool_call->result.job && c->tool_call->result.exit_code >= 0;
}

bool sf_scope_audit_check(struct sf_call *c)
{
    struct sf_scope_audit *audit = c->audit;
    struct sf_strbuf text = SF_STRBUF_INIT;

    c->audit = NULL;
    if (audit && c->record)
        audit->record = sf_write_record_hold(c->record);
    if (!audit && is_about_ended_job(c)) {
        sf_snapshots_then(c->session->snapshots, c, waited, c);
        return true;
    }
    if (audit && c->tool_call->result.job && *audit->mark) {
        follow(c, audit);
        audit->own = false; /* the job's now */
    }
    if (audit && *audit->mark) {
        int64_t job = c->tool_call->result.job;

        start(c, audit);
        if (job)
            catch_up(c->session, job);
        return true;
    }
    if (audit) {
        sf_strbuf_adds(&text, "[sf] Whether the command kept to ");
        add_scope(&text, audit);
        sf_strbuf_addf(&text, " was not checked: %s\n", audit->err.msg);
        sf_tool_call_add_text(c->tool_call, text.buf, text.len);
    }
    sf_scope_news_add(c);
    sf_strbuf_release(&text);
    sf_scope_audit_free(audit);
    return false;
}
