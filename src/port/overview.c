/*
 * overview.c: keeps the facts of the overview. Events tell the steps, the questions and, while a
 * turn runs, the lines of each edit; after the turn a worker compares the files with the session's
 * start, and its counts replace the sums. Nothing is looked up on a timer.
 */
#include "port/overview.h"

#include <stdlib.h>
#include <string.h>

#include "port/internal.h"

enum { TODOS_MAX = 200, FILES_MAX = 200, UNLISTED_MAX = 2000 };

const char *const sf_todo_states[] = { "pending", "in_progress", "completed", NULL };

static char *one_line(const char *text, size_t len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_text_sanitize(&out, text, len, SF_TEXT_ONE_LINE);
    return sf_strbuf_detach(&out);
}

/* ---- steps ---- */

static void drop_todos(struct sf_overview *o)
{
    for (size_t i = 0; i < o->todo_count; i++)
        free(o->todos[i].text);
    o->todo_count = o->todos_done = 0;
}

static enum sf_todo_state state_of(const struct sf_json *item)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status = "";

    if (sf_json_get_str(item, "status", &status, &ignored))
        for (int i = 0; sf_todo_states[i]; i++)
            if (!strcmp(sf_todo_states[i], status))
                return (enum sf_todo_state)i;
    return SF_TODO_PENDING;
}

/* The text is the JSON of SF_EVENT_PLAN. */
static void take_todos(struct sf_overview *o, const char *text, size_t len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(text, len, NULL, &ignored);
    const struct sf_json *items = json ? sf_json_get(json, "items") : NULL;

    drop_todos(o);
    for (const struct sf_json *it = items ? sf_json_first(items) : NULL;
         it && o->todo_count < TODOS_MAX; it = sf_json_next(it)) {
        struct sf_todo todo = { .state = state_of(it) };
        const char *what = "";

        if (!sf_json_get_str(it, "content", &what, &ignored))
            continue;
        todo.text = one_line(what, strlen(what));
        o->todos = sf_grow(o->todos, &o->todo_cap, o->todo_count + 1, sizeof(*o->todos));
        o->todos[o->todo_count++] = todo;
        o->todos_done += todo.state == SF_TODO_DONE;
    }
    sf_json_free(json);
}

static bool read_todos(const struct sf_event_row *event, void *ctx)
{
    take_todos(ctx, event->json, event->len);
    return true;
}

/* ---- files ---- */

static void drop_files(struct sf_overview *o)
{
    for (size_t i = 0; i < o->file_count; i++)
        free(o->files[i].path);
    sf_strlist_release(&o->unlisted);
    o->file_count = o->changed = 0;
    o->plus = o->minus = 0;
    o->about = false;
}

/* A file that is not listed is counted the first time it is named. */
static void count_unlisted(struct sf_overview *o, const char *name)
{
    if (o->unlisted.count == UNLISTED_MAX || sf_strlist_has(&o->unlisted, name))
        return;
    sf_strlist_add(&o->unlisted, name);
    o->changed++;
}

/* The file of that name, which is safe to show and owned; NULL: the list is full. */
static struct sf_changed_file *take_file(struct sf_overview *o, char *name)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (!strcmp(o->files[i].path, name)) {
            free(name);
            return &o->files[i];
        }
    if (o->file_count == FILES_MAX) {
        count_unlisted(o, name);
        free(name);
        return NULL;
    }
    o->changed++;
    o->files = sf_grow(o->files, &o->file_cap, o->file_count + 1, sizeof(*o->files));
    o->files[o->file_count] = (struct sf_changed_file){ .path = name };
    return &o->files[o->file_count++];
}

/* Lines of one hunk that are still to come, by its "@@ -1,4 +1,6 @@". */
struct hunk {
    long old, new;
};

static struct hunk read_hunk(const char *line)
{
    struct hunk h = { 1, 1 };
    char *at;

    strtol(line + 4, &at, 10);
    if (*at == ',')
        h.old = strtol(at + 1, &at, 10);
    if (*at != ' ' || at[1] != '+')
        return (struct hunk){ 0, 0 };
    strtol(at + 2, &at, 10);
    if (*at == ',')
        h.new = strtol(at + 1, &at, 10);
    return h;
}

/* The name behind "--- a/" or "+++ b/"; a file that is not there has none. */
static struct sf_changed_file *named_file(struct sf_overview *o, const char *line, size_t len)
{
    line += 4;
    len -= 4;
    if (len == 9 && !strncmp(line, "/dev/null", 9))
        return NULL;
    if (len > 2 && (!strncmp(line, "a/", 2) || !strncmp(line, "b/", 2))) {
        line += 2;
        len -= 2;
    }
    return take_file(o, one_line(line, len));
}

static void count_line(struct sf_overview *o, struct sf_changed_file *file, struct hunk *h, char c)
{
    uint64_t plus = c == '+', minus = c == '-';

    h->old -= c != '+' && c != '\\';
    h->new -= c != '-' && c != '\\';
    o->plus += plus;
    o->minus += minus;
    if (file) {
        file->plus += plus;
        file->minus += minus;
    }
}

/* Adds the lines of an edit to what is known; the sum of edits is not what a comparison shows. */
static void add_diff(struct sf_overview *o, const struct sf_strbuf *diff)
{
    struct sf_changed_file *file = NULL;
    struct hunk h = { 0, 0 };

    o->about = true;
    for (const char *at = diff->buf; *at;) {
        size_t len = strcspn(at, "\n");

        if (h.old > 0 || h.new > 0)
            count_line(o, file, &h, *at);
        else if (len > 4 && (!strncmp(at, "--- ", 4) || !strncmp(at, "+++ ", 4))) {
            struct sf_changed_file *named = named_file(o, at, len);

            file = named ? named : file;
        } else if (!strncmp(at, "@@ -", 4))
            h = read_hunk(at);
        at += len + (at[len] == '\n');
    }
}

static void take_comparison(struct sf_overview *o, const struct sf_restore_job *job)
{
    drop_files(o);
    for (size_t i = 0; i < job->file_count; i++) {
        const struct sf_restore_file *from = &job->files[i];
        struct sf_changed_file *to = take_file(o, one_line(from->path, strlen(from->path)));

        if (to) {
            to->plus = from->plus;
            to->minus = from->minus;
        }
    }
    o->changed = job->stat.files + job->stat.left;
    o->plus = job->stat.plus;
    o->minus = job->stat.minus;
}

static void compare_soon(struct sf_port *p);

/* The answer that waited for the files; one that is overtaken by another session is not given. */
static void answer(struct sf_port *p, bool drop)
{
    void (*then)(struct sf_port * port) = p->files.then;
    const char *before = p->command;

    if (!then)
        return;
    p->files.then = NULL;
    p->command = p->files.command;
    if (!p->ending)
        sf_port_passing(p, "");
    if (!drop)
        then(p);
    p->command = before;
    sf_port_paid(p);
}

static void compared(void *ctx, const struct sf_restore_job *job)
{
    struct sf_port *p = ctx;
    struct sf_port_files *f = &p->files;

    f->runs = false;
    if (job->err.code == SF_E_NONE && !f->again)
        take_comparison(&p->overview, job);
    else if (job->err.code == SF_E_NOENT && !f->again &&
             sf_config_bool(p->setup.session.config, "snapshots.enabled"))
        drop_files(&p->overview); /* no turn has changed a file */
    sf_port_changed(p);
    if (f->again && !p->ending && job->err.code != SF_E_CANCELLED)
        compare_soon(p);
    f->again = false;
    if (!f->timer)
        answer(p, p->ending || job->err.code == SF_E_CANCELLED);
}

static void compare(void *ctx)
{
    struct sf_port *p = ctx;
    const struct sf_restore_what what = { SF_RESTORE_TO_START, 0 };
    const struct sf_restore_how how = { .diff_only = true, .count_files = true };

    p->files.timer = 0;
    p->files.runs = true;
    p->files.stale = false;
    sf_session_look(p->session, &what, &how, compared, p);
}

/* A surface shows the files, an answer waits for them, or the user's line of facts names them. */
static bool is_wanted(const struct sf_port *p)
{
    return p->files.wanted || p->files.then || sf_statusline_names(p, "changed");
}

/* From the loop, since an event may be on its way. */
static void compare_soon(struct sf_port *p)
{
    struct sf_port_files *f = &p->files;

    if (p->ending)
        return;
    if (!is_wanted(p))
        f->stale = true;
    else if (f->runs)
        f->again = true;
    else if (!f->timer)
        f->timer = sf_loop_add_timer(p->loop, 0, 0, compare, p);
}

void sf_port_overview_want(struct sf_port *p, bool wanted)
{
    p->files.wanted = wanted;
    sf_overview_catch_up(p);
}

void sf_overview_catch_up(struct sf_port *p)
{
    if (p->files.stale)
        compare_soon(p);
}

bool sf_overview_settle(struct sf_port *p, void (*then)(struct sf_port *port))
{
    struct sf_port_files *f = &p->files;

    if (f->then)
        return true;
    if (p->ending || sf_port_works(p) || !(p->overview.about || f->stale || f->runs || f->timer) ||
        !sf_config_bool(p->setup.session.config, "snapshots.enabled"))
        return false;
    f->then = then;
    f->command = sf_port_owe(p);
    sf_port_passing(p, "looking at the files");
    if (!f->runs)
        compare_soon(p);
    return true;
}

/* ---- events ---- */

static void take_result(struct sf_port *p, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;
    bool users = sf_call_is_users(event->call->id);

    if (!strcmp(event->call->name, "Plan"))
        p->waits.plan = false;
    if (r->diff.len && !r->is_error)
        add_diff(&p->overview, &r->diff);
    if (r->diff.len || r->exit_code >= 0) {
        p->files.touched = true;
        sf_port_checkout_changed(p);
    }
    if (users && p->files.touched && !sf_port_busy(p)) {
        p->files.touched = false;
        compare_soon(p);
    }
}

void sf_overview_take(struct sf_port *p, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_PLAN && !event->depth) {
        take_todos(&p->overview, event->words.text, event->words.len);
    } else if (event->kind == SF_EVENT_ASKED) {
        p->waits.asked++;
    } else if (event->kind == SF_EVENT_SUBMITTED) {
        p->waits.plan = true;
    } else if (event->kind == SF_EVENT_ANSWERED) {
        p->waits.asked -= p->waits.asked > 0;
    } else if (event->kind == SF_EVENT_RESULT) {
        take_result(p, event);
    } else if (event->kind == SF_EVENT_RESTORED) {
        compare_soon(p);
    } else if (event->kind == SF_EVENT_DONE && !event->depth) {
        p->waits = (struct sf_port_waits){ 0 };
        if (p->files.touched)
            compare_soon(p);
        p->files.touched = false;
    }
}

static void count_job(void *ctx, const struct sf_job_view *job)
{
    struct sf_overview *o = ctx;

    o->jobs += job->running;
}

const struct sf_overview *sf_port_overview(struct sf_port *p)
{
    p->overview.questions = p->waits.asked + p->waits.plan + p->questions.count;
    p->overview.jobs = 0;
    sf_session_each_job(p->session, count_job, &p->overview);
    return &p->overview;
}

/* ---- sessions ---- */

/* Nothing is loaded to find that out. */
bool sf_overview_has_snapshot(struct sf_port *p)
{
    const struct sf_snapshot_filter filter = { .session = sf_session_id(p->session) };
    struct sf_error ignored = SF_ERROR_INIT; /* Then it is looked for by comparing. */
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_snapshot_row row;
    bool found = false, ok = sf_store_snapshot_get(p->setup.session.store, &filter, &arena, &row,
                                                   &found, &ignored);

    sf_arena_release(&arena);
    return found || !ok;
}

/* What the log of a resumed session says; the files are compared in a moment. */
void sf_overview_enter(struct sf_port *p, bool resumed)
{
    struct sf_overview *o = &p->overview;
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t number;

    drop_todos(o);
    drop_files(o);
    p->waits = (struct sf_port_waits){ 0 };
    p->files.touched = p->files.stale = false;
    p->files.again = p->files.runs; /* what is being compared is of the session before */
    if (!resumed)
        return;
    if (sf_store_event_newest(p->setup.session.store, sf_session_id(p->session), SF_LOG_PLAN,
                              &number, &ignored) &&
        number && !sf_port_each_logged(p, number, number, read_todos, o, &ignored))
        drop_todos(o);
    if (sf_overview_has_snapshot(p))
        compare_soon(p);
}

void sf_overview_leave(struct sf_port *p)
{
    sf_loop_remove(p->loop, p->files.timer);
    p->files.timer = 0;
    answer(p, true);
}

void sf_overview_close(struct sf_port *p)
{
    p->ending = true;
    sf_overview_leave(p);
}

void sf_overview_release(struct sf_port *p)
{
    drop_todos(&p->overview);
    drop_files(&p->overview);
    free(p->overview.todos);
    free(p->overview.files);
}
