/*
 * fence.c: the write scope of shell commands. A cage cannot know scopes, so the workspace is
 * compared with its state before the command, and what lies outside the scope is put back. The
 * state is that before this very command: what people or the file tools did earlier is not its.
 *
 * The fence of a background job is looked at when the job ends, and at the end of the turn while
 * it runs. Until then nobody but this session's tools should have written, and what those wrote is
 * known; so what the job wrote is put back as well. From the end of the turn on others work here
 * too, and whenever that may be so, what a job changed is told and stays.
 */
#include "base/base.h"
#include "session/internal.h"

#define KIND "scope_audit"

enum {
    LISTED = 20,
    LABEL_COLUMNS = 80,
    REVERT = 0,
    REPORT = 1,
    OFF = 2
}; /* the values of guard.shell_scope */

void sf_fence_free(struct sf_fence *fence)
{
    if (!fence)
        return;
    free(fence->command);
    sf_strlist_release(&fence->others);
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

static bool allows(const struct sf_fence *f, const char *path, bool dir)
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
    struct sf_keep_job job;
    struct sf_fence *fence;
    bool put_back;
    char session[SF_ID_LEN + 1];
    char *label;
    struct sf_strlist others; /* as the fence had them when the check began */
    struct sf_strlist saved, paths;
    struct sf_strbuf list;
    size_t found, kept;
};

static bool may(void *ctx, const char *path, bool dir)
{
    const struct check *c = ctx;

    return allows(c->fence, path, dir) || sf_strlist_has(&c->others, path);
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
                                         .ctx = c,
                                         .put_back = c->put_back,
                                         .session = c->session,
                                         .label = c->label };

    if (!*c->fence->mark) {
        job->err = c->fence->err;
        return;
    }
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

/* How many are as they were again; what could not be put back is not among them. */
static size_t put_back(const struct check *c)
{
    return c->put_back ? c->found - c->kept : 0;
}

static void add_outcome(const struct check *c, struct sf_strbuf *out)
{
    size_t back = put_back(c);
    const char *what = c->fence->job ? "job" : "command";
    bool one = c->found == 1;

    if (c->put_back && back == c->found)
        sf_strbuf_addf(out, " and %s put back as before the %s:\n", one ? "was" : "were", what);
    else if (back)
        sf_strbuf_addf(out, "; %zu %s put back as before the %s, %zu could not be:\n", back,
                       back == 1 ? "was" : "were", what, c->kept);
    else if (c->put_back)
        sf_strbuf_addf(out, " and could not be put back; left as %s now:\n",
                       one ? "it is" : "they are");
    else if (c->fence->job)
        sf_strbuf_addf(out, " and changed while job %lld ran; left as %s now:\n",
                       (long long)c->fence->job, one ? "it is" : "they are");
    else
        sf_strbuf_addf(out, " and changed all the same; left as %s now:\n",
                       one ? "it is" : "they are");
}

static void write_found(const struct check *c, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "[sf] ");
    if (c->fence->job)
        sf_strbuf_addf(out, "Background job %lld: ", (long long)c->fence->job);
    sf_strbuf_addf(out, "%zu path%s not writable in ", c->found, c->found == 1 ? " is" : "s are");
    add_scope(out, c->fence);
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
                       "[sf] Whether the %s kept to the scope could not be made sure"
                       "%s: %s\n",
                       c->fence->job ? "job" : "command",
                       c->found ? ", and some paths may not have been put back" : "",
                       c->job.err.msg);
}

static void add_summary(struct check *c, struct sf_work *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t back = put_back(c);

    if (w->call->result.summary)
        sf_strbuf_addf(&text, "%s; ", w->call->result.summary);
    sf_strbuf_addf(&text, "%zu outside the scope", c->found);
    if (back == c->found)
        sf_strbuf_adds(&text, " put back");
    else if (c->put_back)
        sf_strbuf_addf(&text, ", %zu put back", back);
    sf_call_summary(w->call, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* News of jobs goes with whatever result comes next. */
static void add_news(struct sf_work *w)
{
    struct sf_strbuf *news = &w->talk->news;

    if (w->call && news->len)
        sf_call_add_text(w->call, news->buf, news->len);
    if (w->call)
        sf_strbuf_reset(news);
}

/* For the model and, in a line, for people. */
static void tell(struct check *c, struct sf_work *w, const struct sf_strbuf *words)
{
    if (c->found) {
        w->call->result.is_error = w->call->result.is_error || c->put_back;
        add_summary(c, w);
    }
    sf_call_add_text(w->call, words->buf, words->len);
    add_news(w);
}

/* The session in the talk or in one of its sub-agents; else the talk: it has to go on with it. */
static struct sf_talk *talk_of(struct sf_talk *t, const char *session)
{
    for (size_t i = 0; strcmp(t->id, session) != 0 && i < SF_COUNT(t->works); i++) {
        struct sf_talk *child = t->works[i].child, *found = child ? talk_of(child, session) : NULL;

        if (found && !strcmp(found->id, session))
            return found;
    }
    return t;
}

/* Nobody waits for it: the model is told with the next result or words, people at once. */
static void tell_job(struct check *c, const struct sf_strbuf *words)
{
    struct sf_talk *root = sf_keep_talk(c->job.keep), *t = talk_of(root, c->session);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_told told = { .kind = SF_TOLD_NOTICE, .urgent = true };

    if (!words->len)
        return;
    sf_strbuf_add(&t->news, words->buf, words->len);
    sf_strbuf_addf(&text, "background job %lld ", (long long)c->fence->job);
    if (c->found) {
        sf_strbuf_addf(&text, "changed %zu path%s outside scope %s, %zu put back: ", c->found,
                       c->found == 1 ? "" : "s", c->fence->scope, put_back(c));
        sf_text_sanitize(&text, c->paths.items[0], strlen(c->paths.items[0]), SF_TEXT_ONE_LINE);
        sf_strbuf_adds(&text, c->found > 1 ? ", …" : "");
    } else {
        sf_strbuf_addf(&text, "may have left scope %s: %s", c->fence->scope, c->job.err.msg);
    }
    told.text = text.buf;
    told.len = text.len;
    sf_log(SF_LOG_WARN, "%s", text.buf);
    sf_talk_tell(root, &told);
    sf_strbuf_release(&text);
}

static bool write_event(struct check *c, const struct sf_strbuf *words, struct sf_error *err)
{
    const struct sf_talk *t = sf_keep_talk(c->job.keep);
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_new event = { .session = c->session,
                                  .surface =
                                      sf_axis_name(SF_AXIS_SURFACE, (int)t->setup.state.surface),
                                  .kind = KIND };
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "scope", c->fence->scope);
    sf_jw_key_str(&w, "what", put_back(c) ? "put back" : "reported");
    sf_jw_key_int(&w, "found", (int64_t)c->found);
    sf_jw_key_int(&w, "kept", (int64_t)c->kept);
    if (!c->job.ok)
        sf_jw_key_str(&w, "error", c->job.err.msg);
    if (c->fence->job) {
        sf_jw_key_int(&w, "job", c->fence->job);
        sf_jw_key_str(&w, "words", words->buf);
    }
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
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    write_words(c, &words);
    if (words.len && (!write_rows(c, &err) || !write_event(c, &words, &err)))
        sf_talk_die(w ? w->talk : sf_keep_talk(job->keep), &err);
    if (c->fence->job)
        tell_job(c, &words);
    if (w) {
        tell(c, w, &words);
        sf_work_done(w);
    }
    sf_fence_free(c->fence);
    sf_strlist_release(&c->others);
    sf_strlist_release(&c->saved);
    sf_strlist_release(&c->paths);
    sf_strbuf_release(&c->list);
    sf_strbuf_release(&words);
    free(c->label);
    free(c);
}

static struct check *new_check(struct sf_fence *fence, const char *session, const char *command)
{
    struct check *c = sf_alloc(sizeof(*c));
    struct sf_strbuf label = SF_STRBUF_INIT;

    sf_strbuf_addf(&label, "written outside scope %s: ", fence->scope);
    sf_text_sanitize(&label, command, strlen(command), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&label, sf_text_fit(label.buf, label.len, LABEL_COLUMNS, NULL));
    c->fence = fence;
    snprintf(c->session, sizeof(c->session), "%s", session);
    c->label = sf_strbuf_detach(&label);
    sf_strbuf_init(&c->list);
    for (size_t i = 0; i < fence->others.count; i++)
        sf_strlist_add(&c->others, fence->others.items[i]);
    c->job = (struct sf_keep_job){ .run = run_check, .done = check_done };
    return c;
}

static void start(struct sf_work *w, struct sf_fence *fence)
{
    struct check *c = new_check(fence, w->talk->id, w->call->command ? w->call->command : "");

    c->put_back = shell_scope(w->talk) == REVERT;
    c->job.work = w;
    sf_keep_start(w->talk->keep, &c->job);
}

/* ---- background jobs ---- */

/* The command goes on: its fence goes with it, and the model is told what that means. */
static void follow(struct sf_work *w, const struct sf_fence *fence)
{
    struct sf_fences *all = sf_keep_fences(w->talk->keep);
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_fence *f = sf_alloc(sizeof(*f));

    *f = *fence;
    f->others = (struct sf_strlist)SF_STRLIST_INIT;
    f->job = w->call->result.job;
    f->command = sf_strdup(w->call->command ? w->call->command : "");
    memcpy(f->session, w->talk->id, sizeof(f->session));
    all->items = sf_grow(all->items, &all->cap, all->count + 1, sizeof(struct sf_fence *));
    all->items[all->count++] = f;
    sf_strbuf_adds(&text, "[sf] Keep to ");
    add_scope(&text, f);
    sf_strbuf_adds(&text, ": what the job writes elsewhere is found when it has ended, put back "
                          "where nobody else could have written it, and told.\n");
    sf_call_add_text(w->call, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void look_at_job(struct sf_keep *k, struct sf_fence *f)
{
    struct check *c = new_check(f, f->session, f->command);

    c->put_back = !f->shared && shell_scope(sf_keep_talk(k)) == REVERT;
    sf_keep_start(k, &c->job);
}

void sf_fence_job_ended(struct sf_talk *t, int64_t job)
{
    struct sf_fences *all = sf_keep_fences(t->keep);

    for (size_t i = 0; i < all->count; i++) {
        struct sf_fence *f = all->items[i];

        if (f->job != job || strcmp(f->session, t->id) != 0)
            continue;
        all->items[i] = all->items[--all->count];
        look_at_job(t->keep, f);
        return;
    }
}

/* From here on people write: nobody knows any more what is a job's. */
void sf_fence_turn_ended(struct sf_keep *k)
{
    struct sf_fences *all = sf_keep_fences(k);

    for (size_t i = 0; i < all->count; i++)
        all->items[i]->shared = true;
}

static bool same_scope(const struct sf_fence *a, const struct sf_fence *b)
{
    return b && a->writable.entries == b->writable.entries && !strcmp(a->scope, b->scope);
}

/* A command within the same fence leaves nothing beyond it; of anything else nobody knows. */
void sf_fence_meanwhile(const struct sf_work *w, const struct sf_fence *own)
{
    const struct sf_fences *all = sf_keep_fences(w->talk->keep);
    enum sf_act act = w->judged.action.act;
    bool file = act == SF_ACT_WRITE || act == SF_ACT_DELETE;

    for (size_t i = 0; i < all->count; i++) {
        struct sf_fence *f = all->items[i];

        f->shared = f->shared || !(file || same_scope(f, own));
        for (size_t k = 0; file && k < w->call->target_count; k++) {
            const struct sf_call_target *target = &w->call->targets[k];

            if (target->act != SF_ACT_READ && target->place.inside)
                sf_strlist_add(&f->others, target->place.real);
        }
    }
}

/* ---- news ---- */

void sf_fence_speak(struct sf_talk *t, struct sf_message *message)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (t->news.len) {
        sf_strbuf_adds(&text, SF_META_TAG "\n");
        sf_strbuf_add(&text, t->news.buf, t->news.len);
        sf_strbuf_adds(&text, "</turn_meta>");
        sf_message_add_text(message, text.buf, text.len);
    }
    sf_strbuf_reset(&t->news);
    sf_strbuf_release(&text);
}

/* Told again rather than never: whether a result had it is not looked at. */
void sf_fence_recall(struct sf_talk *t, const char *kind, const char *json, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *event;
    const char *words;

    if (!strcmp(kind, SF_LOG_USER))
        sf_strbuf_reset(&t->news);
    if (strcmp(kind, KIND) != 0)
        return;
    event = sf_json_parse(json, len, NULL, &ignored);
    if (event && sf_json_get_str(event, "words", &words, &ignored))
        sf_strbuf_adds(&t->news, words);
    sf_json_free(event);
}

/* ---- after a call ---- */

/* The result about a job that ended comes when that has been looked at. */
static void waited(void *ctx)
{
    add_news(ctx);
    sf_work_done(ctx);
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
static void catch_up(struct sf_talk *t, int64_t job)
{
    struct look look = { .id = job };

    sf_toolbox_each_job(t->box, see_job, &look);
    if (!look.runs)
        sf_fence_job_ended(t, job);
}

static bool is_about_ended_job(const struct sf_work *w)
{
    return w->call->result.job && w->call->result.exit_code >= 0;
}

bool sf_fence_check(struct sf_work *w)
{
    struct sf_fence *fence = w->fence;
    struct sf_strbuf text = SF_STRBUF_INIT;

    w->fence = NULL;
    if (!fence && is_about_ended_job(w)) {
        sf_keep_then(w->talk->keep, w, waited, w);
        return true;
    }
    if (fence && w->call->result.job && *fence->mark) {
        follow(w, fence);
        fence->own = false; /* the job's now */
    }
    if (fence && *fence->mark) {
        int64_t job = w->call->result.job;

        start(w, fence);
        if (job)
            catch_up(w->talk, job);
        return true;
    }
    if (fence) {
        sf_strbuf_adds(&text, "[sf] Whether the command kept to ");
        add_scope(&text, fence);
        sf_strbuf_addf(&text, " was not checked: %s\n", fence->err.msg);
        sf_call_add_text(w->call, text.buf, text.len);
    }
    add_news(w);
    sf_strbuf_release(&text);
    sf_fence_free(fence);
    return false;
}
