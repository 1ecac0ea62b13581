/*
 * fence.c: the write scope of shell commands. A cage cannot know scopes, so the workspace is
 * compared with its state before the command, and what lies outside the scope is put back. The
 * state is that before this very command: what people or the file tools did earlier is not its.
 *
 * A background job has no such moment: others write while it runs. So what it changed is told
 * when it has ended, and stays.
 */
#include "base/base.h"
#include "session/internal.h"

enum {
    LISTED = 20,
    LABEL_COLUMNS = 80,
    REVERT = 0,
    REPORT = 1,
    OFF = 2
}; /* the values of guard.shell_scope */

void sf_fence_free(struct sf_fence *fence)
{
    free(fence);
}

static bool is_everything(const struct sf_writable *w)
{
    for (const char *const *e = w->entries; *e; e++)
        if (!strcmp(*e, "*"))
            return true;
    return false;
}

static int64_t shell_scope(const struct sf_talk *t)
{
    return sf_config_find(t->setup.config, "guard.shell_scope")->integer;
}

struct sf_fence *sf_fence_new(const struct sf_work *w)
{
    const struct sf_talk *t = w->talk;
    const struct sf_mode_state *state = sf_mode_machine_state(t->machine);
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_scope *scope;
    struct sf_fence *f;

    if (w->judged.action.act != SF_ACT_SHELL || shell_scope(t) == OFF)
        return NULL;
    scope = sf_scope_get(&t->setup.ground->scopes, state->scope, &ignored);
    f = sf_alloc(sizeof(*f));
    if (scope)
        f->writable = sf_writable_of(state->work, scope);
    snprintf(f->scope, sizeof(f->scope), "%s", state->scope);
    if (scope && !is_everything(&f->writable))
        return f;
    free(f);
    return NULL;
}

/* A directory that an entry lies in may come and go with it. */
static bool leads_to(const char *dir, const char *entry)
{
    size_t n = strlen(dir);

    return !strncmp(dir, entry, n) && entry[n] == '/';
}

static bool may(void *ctx, const char *path, bool dir)
{
    const struct sf_fence *f = ctx;

    if (sf_writable_allows(&f->writable, path, strlen(path)))
        return true;
    for (const char *const *e = f->writable.entries; dir && *e; e++)
        if (leads_to(path, *e))
            return true;
    return dir && f->writable.extra && leads_to(path, f->writable.extra);
}

/* ---- the job ---- */

struct check {
    struct sf_keep_job job;
    struct sf_fence *fence;
    bool put_back;
    char session[SF_ID_LEN + 1];
    char *label;
    struct sf_strlist saved, paths;
    struct sf_strbuf list;
    size_t found, kept;
};

static const char *deed(const struct sf_snap_change *c)
{
    if (!c->from_mode && !c->to_mode)
        return "changed";
    return !c->from_mode ? "removed" : !c->to_mode ? "made" : "changed";
}

static bool note(void *ctx, const struct sf_snap_change *change)
{
    struct check *c = ctx;

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

static void run_check(struct sf_keep_job *job, struct sf_snap *snap)
{
    struct check *c = (struct check *)job;
    const struct sf_snap_fence fence = { .mark = c->fence->mark,
                                         .may = may,
                                         .ctx = c->fence,
                                         .put_back = c->put_back,
                                         .session = c->session,
                                         .label = c->label };

    job->ok = sf_snap_audit(snap, &fence, note, c, &c->saved, &job->err);
    if (c->fence->own)
        sf_snap_forget(snap, c->fence->mark);
}

/* ---- telling ---- */

static void add_scope(struct sf_strbuf *out, const struct sf_fence *f)
{
    struct sf_strbuf list = SF_STRBUF_INIT;

    sf_writable_text(&f->writable, &list);
    sf_strbuf_addf(out, "scope %s (writable: %s)", f->scope, list.len ? list.buf : "nothing");
    sf_strbuf_release(&list);
}

static void write_words(struct check *c, struct sf_strbuf *out)
{
    bool one = c->found == 1;

    sf_strbuf_addf(out, "[sf] %zu path%s not writable in ", c->found, one ? " is" : "s are");
    add_scope(out, c->fence);
    if (c->put_back)
        sf_strbuf_addf(out, " and %s put back as before the command:\n", one ? "was" : "were");
    else if (c->fence->job)
        sf_strbuf_addf(out, " and changed while job %lld ran; left as %s now:\n",
                       (long long)c->fence->job, one ? "it is" : "they are");
    else
        sf_strbuf_addf(out, " and changed all the same; left as %s now:\n",
                       one ? "it is" : "they are");
    sf_strbuf_add(out, c->list.buf, c->list.len);
    if (c->found > LISTED)
        sf_strbuf_addf(out, "  … and %zu more\n", c->found - LISTED);
    sf_strbuf_adds(out, "Call ChangeToolMode to switch, if the task calls for these files.\n");
}

static void add_summary(struct check *c, struct sf_work *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (w->call->result.summary)
        sf_strbuf_addf(&text, "%s; ", w->call->result.summary);
    sf_strbuf_addf(&text, "%zu outside the scope%s", c->found, c->put_back ? " put back" : "");
    sf_call_summary(w->call, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* For the model and, in a line, for people. */
static void tell(struct check *c, struct sf_work *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (c->found) {
        write_words(c, &text);
        w->call->result.is_error = w->call->result.is_error || c->put_back;
    }
    if (!c->job.ok)
        sf_strbuf_addf(&text,
                       "[sf] Whether the command kept to the scope could not be made sure"
                       "%s: %s\n",
                       c->found ? ", and some paths may not have been put back" : "",
                       c->job.err.msg);
    sf_call_add_text(w->call, text.buf, text.len);
    sf_strbuf_release(&text);
}

static bool write_event(struct check *c, struct sf_talk *t, struct sf_error *err)
{
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = t->id,
                                  .surface =
                                      sf_axis_name(SF_AXIS_SURFACE, (int)t->setup.state.surface),
                                  .kind = "scope_audit" };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "scope", c->fence->scope);
    sf_jw_key_str(&w, "what", c->put_back ? "put back" : "reported");
    sf_jw_key_int(&w, "found", (int64_t)c->found);
    sf_jw_key_int(&w, "kept", (int64_t)c->kept);
    if (!c->job.ok)
        sf_jw_key_str(&w, "error", c->job.err.msg);
    sf_jw_key(&w, "paths");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < c->paths.count; i++)
        sf_jw_str(&w, c->paths.items[i]);
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = sf_store_append(t->setup.store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}

/* What was put back can be had again: `sf restore NUMBER --path …`. */
static bool write_rows(struct check *c, struct sf_error *err)
{
    const struct sf_undo_place place = sf_keep_place(c->job.keep);
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

static void check_done(struct sf_keep_job *job)
{
    struct check *c = (struct check *)job;
    struct sf_work *w = job->work;
    struct sf_talk *t = w ? w->talk : sf_keep_talk(job->keep);
    struct sf_error err = SF_ERROR_INIT;

    if ((c->found || !job->ok) && (!write_rows(c, &err) || !write_event(c, t, &err)))
        sf_talk_die(t, &err);
    if (w) {
        tell(c, w);
        if (c->found)
            add_summary(c, w);
        sf_work_done(w);
    }
    sf_fence_free(c->fence);
    sf_strlist_release(&c->saved);
    sf_strlist_release(&c->paths);
    sf_strbuf_release(&c->list);
    free(c->label);
    free(c);
}

static void start(struct sf_work *w, struct sf_fence *fence, bool put_back)
{
    struct check *c = sf_alloc(sizeof(*c));
    struct sf_strbuf label = SF_STRBUF_INIT;
    const char *command = w->call->command ? w->call->command : "";

    sf_strbuf_addf(&label, "written outside scope %s: ", fence->scope);
    sf_text_sanitize(&label, command, strlen(command), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&label, sf_text_fit(label.buf, label.len, LABEL_COLUMNS, NULL));
    c->fence = fence;
    c->put_back = put_back;
    memcpy(c->session, w->talk->id, sizeof(c->session));
    c->label = sf_strbuf_detach(&label);
    sf_strbuf_init(&c->list);
    c->job = (struct sf_keep_job){ .run = run_check, .done = check_done, .work = w };
    sf_keep_start(w->talk->keep, &c->job);
}

/* ---- background jobs ---- */

/* The command goes on: its fence goes with it, and the model is told what that means. */
static void follow(struct sf_work *w, const struct sf_fence *fence)
{
    struct sf_talk *t = w->talk;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_fence *f = sf_alloc(sizeof(*f));

    *f = *fence;
    f->job = w->call->result.job;
    t->jobs = sf_grow(t->jobs, &t->job_cap, t->job_count + 1, sizeof(struct sf_fence *));
    t->jobs[t->job_count++] = f;
    sf_strbuf_adds(&text, "[sf] Keep to ");
    add_scope(&text, f);
    sf_strbuf_adds(&text, ": what the job writes elsewhere is told when it has ended.\n");
    sf_call_add_text(w->call, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* The fence of a job that ended, taken from the list; NULL: it has none. */
static struct sf_fence *take_ended(struct sf_work *w)
{
    struct sf_talk *t = w->talk;

    for (size_t i = 0; w->call->result.exit_code >= 0 && i < t->job_count; i++) {
        struct sf_fence *f = t->jobs[i];

        if (f->job != w->call->result.job)
            continue;
        t->jobs[i] = t->jobs[--t->job_count];
        return f;
    }
    return NULL;
}

bool sf_fence_check(struct sf_work *w)
{
    struct sf_fence *fence = w->fence;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool revert = shell_scope(w->talk) == REVERT;

    w->fence = NULL;
    if (!fence && w->call->result.job)
        fence = take_ended(w);
    else if (fence && w->call->result.job && *fence->mark) {
        follow(w, fence);
        fence->own = false; /* the job's now */
    }
    if (!fence)
        return false;
    if (*fence->mark) {
        start(w, fence, revert && !fence->job);
        return true;
    }
    sf_strbuf_adds(&text, "[sf] Whether the command kept to ");
    add_scope(&text, fence);
    sf_strbuf_addf(&text, " was not checked: %s\n", fence->err.msg);
    sf_call_add_text(w->call, text.buf, text.len);
    sf_strbuf_release(&text);
    sf_fence_free(fence);
    return false;
}
