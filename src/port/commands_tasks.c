/*
 * commands_tasks.c: /tasks lists everything that runs or waits, one row each: this session's turn,
 * its background jobs, queued prompts, and the tasks of the project's store. The value of a row is
 * an argument of the command: "turn", "job 7", "queue 12", "task m1/s1/t1".
 */
#include <inttypes.h>
#include <string.h>

#include "port/internal.h"

struct tally {
    size_t running, waiting, needs, done;
};

struct listing {
    struct sf_port *port;
    struct sf_response *out;
    struct tally tally;
    size_t stored, listed; /* tasks of the store */
};

/* One row; age in milliseconds and cost in US dollars, both -1 if unknown. */
struct task_row {
    const char *state, *what, *mode, *who, *next;
    int64_t age_ms;
    double cost;
};

/* ---- rows ---- */

static void add_age(struct sf_response *r, int64_t ms)
{
    int64_t s = ms / 1000;

    if (ms < 0)
        sf_response_cell(r, "–");
    else if (s < 3600)
        sf_response_cell(r, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    else if (s < INT64_C(48) * 3600)
        sf_response_cell(r, "%" PRId64 " h", s / 3600);
    else
        sf_response_cell(r, "%" PRId64 " d", s / 86400);
}

/* Text from outside may contain tabs and newlines, which would start other cells. */
static void add_safe(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
}

static void add_cell(struct sf_response *r, const char *text, size_t columns)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t fit;

    add_safe(&safe, text);
    fit = sf_text_fit(safe.buf, safe.len, columns, NULL);
    sf_response_cell(r, "%.*s%s", (int)fit, safe.buf, fit < safe.len ? "…" : "");
    sf_strbuf_release(&safe);
}

static void add_row(struct sf_response *r, const char *value, const struct task_row *row)
{
    sf_response_row(r, value);
    add_cell(r, row->state, 12);
    add_cell(r, row->what, 48);
    add_cell(r, row->mode, 12);
    add_cell(r, row->who, 16);
    add_age(r, row->age_ms);
    if (row->cost >= 0)
        sf_response_cell(r, "$%.2f", row->cost);
    else
        sf_response_cell(r, "–");
    add_cell(r, row->next, 40);
}

static void add_turn(struct listing *l)
{
    const struct sf_port *p = l->port;
    const struct task_row row = {
        .state = "running",
        .what = "this session's turn",
        .mode = sf_axis_name(SF_AXIS_WORK, (int)sf_port_state(p)->work),
        .who = "session",
        .age_ms = p->turn_ms ? sf_clock_monotonic_ms() - p->turn_ms : -1,
        .cost = p->totals.cost_known && p->totals.cost ? (double)p->totals.cost / 1e6 : -1,
        .next = "",
    };

    if (!sf_port_busy(p))
        return;
    l->tally.running++;
    add_row(l->out, "turn", &row);
}

static void add_job(void *ctx, const struct sf_job_view *job)
{
    struct listing *l = ctx;
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct task_row row = { .state = job->running ? "running" : "done",
                            .mode = "–",
                            .who = "session",
                            .age_ms = job->age_ms,
                            .cost = -1,
                            .next = job->running ? "" : job->status };
    char value[32];

    sf_strbuf_addf(&what, "shell  %s", job->title);
    row.what = what.buf;
    snprintf(value, sizeof(value), "job %" PRId64, job->id);
    if (job->running)
        l->tally.running++;
    else
        l->tally.done++;
    add_row(l->out, value, &row);
    sf_strbuf_release(&what);
}

static void add_queue(struct listing *l)
{
    const struct sf_queue *q = &l->port->queue;

    for (size_t i = 0; i < q->count; i++) {
        const struct task_row row = { .state = "queued",
                                      .what = q->items[i].text,
                                      .mode = "–",
                                      .who = "you",
                                      .age_ms = -1,
                                      .cost = -1,
                                      .next = i ? "" : "after this turn" };
        char value[32];

        snprintf(value, sizeof(value), "queue %" PRId64, q->items[i].id);
        l->tally.waiting++;
        add_row(l->out, value, &row);
    }
}

/* ---- from the store ---- */

static const struct {
    const char *status;
    size_t offset; /* of the counter in the tally */
} statuses[] = {
    { "running", offsetof(struct tally, running) },
    { "verifying", offsetof(struct tally, running) },
    { "reviewing", offsetof(struct tally, running) },
    { "retrying", offsetof(struct tally, running) },
    { "todo", offsetof(struct tally, waiting) },
    { "paused", offsetof(struct tally, needs) },
    { "blocked", offsetof(struct tally, needs) },
    { "failed", offsetof(struct tally, needs) },
    { "done", offsetof(struct tally, done) },
    { "cancelled", offsetof(struct tally, done) },
};

static char *text_of(const struct sf_query_value *v)
{
    return v->type == SF_QUERY_TEXT ? sf_strndup(v->bytes, v->len) : sf_strdup("");
}

/* Columns: status, how many. */
static bool count_tasks(const struct sf_query_row *row, void *ctx)
{
    struct listing *l = ctx;
    char *status = text_of(&row->values[0]);
    size_t tasks = (size_t)row->values[1].integer;

    for (size_t i = 0; i < SF_COUNT(statuses); i++)
        if (!strcmp(statuses[i].status, status))
            *(size_t *)(void *)((char *)&l->tally + statuses[i].offset) += tasks;
    l->stored += tasks;
    free(status);
    return true;
}

/* Columns: id, status, work mode, worker, seconds, dollars, next. */
static bool add_task(const struct sf_query_row *row, void *ctx)
{
    struct listing *l = ctx;
    char *texts[5] = { text_of(&row->values[0]), text_of(&row->values[1]), text_of(&row->values[2]),
                       text_of(&row->values[3]), text_of(&row->values[6]) };
    const struct task_row task = {
        .what = texts[0],
        .state = texts[1],
        .mode = texts[2],
        .who = *texts[3] ? texts[3] : "–",
        .next = texts[4],
        .age_ms = row->values[4].type == SF_QUERY_INT ? row->values[4].integer * 1000 : -1,
        .cost = row->values[5].type == SF_QUERY_REAL ? row->values[5].real : -1,
    };
    struct sf_strbuf value = SF_STRBUF_INIT;

    sf_strbuf_adds(&value, "task ");
    add_safe(&value, texts[0]);
    l->listed++;
    add_row(l->out, value.buf, &task);
    sf_strbuf_release(&value);
    for (size_t i = 0; i < SF_COUNT(texts); i++)
        free(texts[i]);
    return true;
}

static void add_tasks(struct listing *l)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_query query = {
        .sql = "select t.id, t.status, t.work_mode, w.id, "
               "cast(strftime('%s',coalesce(t.completed_at,'now')) as integer)-"
               "cast(strftime('%s',coalesce(t.started_at,t.created_at)) as integer), "
               "nullif(t.cost_spent,0.0), coalesce(t.next_action_at, t.intent_claim, "
               "case when t.dependency_blockers not in ('','[]') then 'after ' || "
               "t.dependency_blockers end, '') "
               "from tasks t left join workers w on w.task_id=t.id and w.ended_at is null "
               "order by t.status in ('done','cancelled'), t.status not in ('running','verifying',"
               "'reviewing','retrying'), t.created_at, t.id limit 500",
        .row = add_task,
        .ctx = l,
    };
    const struct sf_query counts = { .sql = "select status, count(*) from tasks group by status",
                                     .row = count_tasks,
                                     .ctx = l };

    if (!sf_store_query(l->port->setup.session.state_dir, &query, &err) ||
        !sf_store_query(l->port->setup.session.state_dir, &counts, &err))
        sf_port_note(l->port, true, "%s", err.msg);
}

/* ---- the list ---- */

static void add_budget(const struct sf_budget *b, struct sf_strbuf *out)
{
    enum { BAR = 10 };
    int64_t limit = b->limit[SF_BUDGET_COST], spent = b->spent[SF_BUDGET_COST];
    int percent = limit > 0 ? (int)(spent >= limit ? 100 : spent * 100 / limit) : -1;

    if (percent < 0)
        return;
    sf_strbuf_adds(out, "   budget ");
    for (int i = 0; i < BAR; i++)
        sf_strbuf_adds(out, i * 100 < percent * BAR ? "█" : "░");
    sf_strbuf_addf(out, " %d%%", percent);
}

static void make_title(const struct listing *l)
{
    struct sf_strbuf title = SF_STRBUF_INIT;

    sf_strbuf_addf(&title, "Tasks   %zu running   %zu waiting", l->tally.running, l->tally.waiting);
    if (l->tally.needs)
        sf_strbuf_addf(&title, "   %zu need you", l->tally.needs);
    sf_strbuf_addf(&title, "   %zu done", l->tally.done);
    if (l->listed < l->stored)
        sf_strbuf_addf(&title, "   the first %zu of %zu", l->listed, l->stored);
    add_budget(sf_session_budget(l->port->session), &title);
    snprintf(l->out->title, sizeof(l->out->title), "%s", title.buf);
    sf_strbuf_release(&title);
}

static void list(struct sf_port *p)
{
    static const char *const columns[] = { "state", "what", "mode", "who",
                                           "age",   "cost", "next", NULL };
    struct sf_response r;
    struct listing l = { .port = p, .out = &r };

    sf_session_prepare(p->session); /* jobs of earlier runs are in the session's log */
    sf_response_init(&r, SF_RESPONSE_TABLE, "");
    r.columns = columns;
    r.align = "llllrrl";
    add_turn(&l);
    sf_session_each_job(p->session, add_job, &l);
    add_queue(&l);
    add_tasks(&l);
    make_title(&l);
    sf_port_respond(p, &r);
}

/* ---- one task ---- */

static void cancel_turn(struct sf_port *p, const char *id)
{
    (void)id;
    if (sf_port_busy(p))
        sf_port_cancel(p);
    else
        sf_port_note(p, true, "no turn is running");
}

static void cancel_job(struct sf_port *p, const char *id)
{
    int64_t number;

    if (!sf_args_number(id, &number) || !sf_session_end_job(p->session, number))
        sf_port_note(p, true, "it does not run any more");
}

/* The place of the draft in the queue; its length: it is not there. */
static size_t find_queued(const struct sf_port *p, const char *id)
{
    int64_t number;

    return sf_args_number(id, &number) ? sf_queue_find(&p->queue, number) : p->queue.count;
}

static void drop_queued(struct sf_port *p, const char *id)
{
    size_t index = find_queued(p, id);

    if (index < p->queue.count)
        sf_port_queue_drop(p, index);
    else
        sf_port_note(p, true, "it does not wait any more");
}

static void refuse_task(struct sf_port *p, const char *id)
{
    (void)id;
    sf_port_note(p, true, "it belongs to the project's work, not to this session");
}

static void edit_queued(struct sf_port *p, const char *id)
{
    size_t index = find_queued(p, id);

    if (index < p->queue.count)
        sf_port_queue_edit(p, index);
    else
        sf_port_note(p, true, "it does not wait any more");
}

static void show_log(struct sf_port *p, const char *id)
{
    (void)id;
    sf_port_command(p, "/logs");
}

static void stay(struct sf_port *p, const char *id)
{
    (void)id;
    sf_port_note(p, false, "it belongs to this session: the conversation shows it");
}

static void open_job(struct sf_port *p, const char *id)
{
    int64_t number;

    if (sf_args_number(id, &number))
        sf_port_show_job(p, number);
    else
        sf_port_usage(p, "/tasks job N");
}

/* Opening a queued prompt edits it; the turn is shown by the conversation anyway. */
static const struct {
    const char *name;
    sf_port_command_fn *open, *cancel;
} kinds[] = {
    { "turn", stay, cancel_turn },
    { "job", open_job, cancel_job },
    { "queue", edit_queued, drop_queued },
    { "task", show_log, refuse_task },
};

/* ---- jobs ---- */

static void list_jobs(struct sf_port *p)
{
    static const char *const columns[] = { "state", "what", "mode", "who",
                                           "age",   "cost", "next", NULL };
    struct sf_response r;
    struct listing l = { .port = p, .out = &r };

    sf_session_prepare(p->session);
    sf_response_init(&r, SF_RESPONSE_TABLE, "");
    r.columns = columns;
    r.align = "llllrrl";
    sf_session_each_job(p->session, add_job, &l);
    snprintf(r.title, sizeof(r.title), "Jobs   %zu running   %zu ended", l.tally.running,
             l.tally.done);
    if (r.count) {
        sf_port_respond(p, &r);
    } else {
        sf_response_release(&r);
        sf_port_note(p, false, "no command runs in the background, and none did");
    }
}

/* "[[cancel] N]" */
void sf_command_bashes(struct sf_port *p, const char *args)
{
    bool cancel = sf_args_take(&args, "cancel");
    int64_t number;

    sf_args_take(&args, "job");
    if (!*args && !cancel)
        list_jobs(p);
    else if (!sf_args_number(args, &number))
        sf_port_usage(p, "/bashes, /bashes N, or /bashes cancel N");
    else if (cancel)
        cancel_job(p, args);
    else
        sf_port_show_job(p, number);
}

static void name_job(void *ctx, const struct sf_job_view *job)
{
    struct sf_strbuf *out = ctx;

    if (!job->running)
        return;
    sf_strbuf_adds(out, "- `");
    add_safe(out, job->title);
    sf_strbuf_addf(out, "`, %s\n", job->status);
}

static void leave_now(struct sf_port *p, void *ctx, bool yes)
{
    const char *before = p->command;
    struct sf_response r;

    (void)ctx;
    if (!yes || p->ending)
        return;
    p->command = "quit";
    sf_response_init(&r, SF_RESPONSE_SCREEN, "");
    sf_strbuf_adds(&r.text, "now");
    sf_port_respond(p, &r);
    p->command = before;
}

bool sf_port_may_leave(struct sf_port *p)
{
    struct sf_strbuf text = SF_STRBUF_INIT, jobs = SF_STRBUF_INIT;

    if (!sf_port_owner(p))
        sf_session_each_job(p->session, name_job, &jobs);
    if (jobs.len && !sf_port_asks(p, leave_now)) {
        sf_strbuf_addf(&text, "Leave, and end what runs in the background?\n\n%s", jobs.buf);
        sf_port_ask(p, text.buf, leave_now, NULL);
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&jobs);
    return !sf_port_asks(p, leave_now);
}

/* "[[cancel] turn|job N|queue N|task ID]" */
void sf_command_tasks(struct sf_port *p, const char *args)
{
    bool cancel = sf_args_take(&args, "cancel");

    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (sf_args_take(&args, kinds[i].name)) {
            (cancel ? kinds[i].cancel : kinds[i].open)(p, args);
            return;
        }
    if (*args || cancel)
        sf_port_usage(p, "/tasks, or /tasks cancel and turn, job N, queue N");
    else
        list(p);
}
