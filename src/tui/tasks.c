/*
 * tasks.c: everything that runs or waits, one row each: this session's turn, its commands in the
 * background, drafts in the queue, and the tasks of the project's store. It is filled again each
 * second while it is open; what a row stands for is in its value, so that a key hits what was seen.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

#define TURN  "turn"
#define JOB   "job:"
#define QUEUE "queue:"
#define TASK  "task:"

struct tally {
    size_t running, waiting, needs, done;
};

struct listing {
    struct sf_tui *desk;
    struct tally tally;
};

/* One row; the age in milliseconds, the money in US dollars, both -1 where there is none. */
struct task_row {
    const char *state, *what, *mode, *who, *next;
    int64_t age_ms;
    double cost;
};

/* ---- rows ---- */

static void add_age(struct sf_strbuf *out, int64_t ms)
{
    int64_t s = ms / 1000;

    if (ms < 0)
        sf_strbuf_adds(out, "–");
    else if (s < 3600)
        sf_strbuf_addf(out, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    else if (s < INT64_C(48) * 3600)
        sf_strbuf_addf(out, "%" PRId64 " h", s / 3600);
    else
        sf_strbuf_addf(out, "%" PRId64 " d", s / 86400);
}

/* What outsiders wrote may hold tabs and lines, which would be other cells. */
static void add_cell(struct sf_strbuf *out, const char *text, size_t columns)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t fit;

    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_ONE_LINE);
    for (size_t i = 0; i < safe.len; i++)
        if (safe.buf[i] == '\t')
            safe.buf[i] = ' ';
    fit = sf_text_fit(safe.buf, safe.len, columns, NULL);
    sf_strbuf_add(out, safe.buf, fit);
    if (fit < safe.len)
        sf_strbuf_adds(out, "…");
    sf_strbuf_addch(out, '\t');
    sf_strbuf_release(&safe);
}

static void add_row(struct sf_tui *ui, const char *value, const struct task_row *row)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    add_cell(&text, row->state, 12);
    add_cell(&text, row->what, 48);
    add_cell(&text, row->mode, 12);
    add_cell(&text, row->who, 16);
    add_age(&text, row->age_ms);
    if (row->cost >= 0)
        sf_strbuf_addf(&text, "\t$%.2f\t", row->cost);
    else
        sf_strbuf_adds(&text, "\t–\t");
    add_cell(&text, row->next, 40);
    sf_overlay_row(ui, value, "%s", text.buf);
    sf_strbuf_release(&text);
}

static void add_turn(struct listing *l)
{
    struct sf_tui *ui = l->desk;
    const struct sf_mode_state *state = sf_port_state(ui->port);
    const struct task_row row = {
        .state = "running",
        .what = "this session's turn",
        .mode = sf_axis_name(SF_AXIS_WORK, (int)state->work),
        .who = "session",
        .age_ms = ui->turn_ms ? sf_clock_monotonic_ms() - ui->turn_ms : -1,
        .cost = sf_port_totals(ui->port)->cost_known && sf_port_totals(ui->port)->cost
                    ? (double)sf_port_totals(ui->port)->cost / 1e6
                    : -1,
        .next = ui->waiting[0] ? ui->waiting : "x cancels it",
    };

    if (!sf_port_busy(ui->port))
        return;
    l->tally.running++;
    add_row(ui, TURN, &row);
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
                            .next = job->running ? "x ends it" : job->status };
    char value[32];

    sf_strbuf_addf(&what, "shell  %s", job->title);
    row.what = what.buf;
    snprintf(value, sizeof(value), JOB "%" PRId64, job->id);
    if (job->running)
        l->tally.running++;
    else
        l->tally.done++;
    add_row(l->desk, value, &row);
    sf_strbuf_release(&what);
}

static void add_queue(struct listing *l)
{
    struct sf_tui *ui = l->desk;

    for (size_t i = 0; i < sf_port_queue(ui->port)->count; i++) {
        const struct task_row row = { .state = "queued",
                                      .what = sf_port_queue(ui->port)->items[i].text,
                                      .mode = "–",
                                      .who = "you",
                                      .age_ms = -1,
                                      .cost = -1,
                                      .next = i ? "" : "after this turn" };
        char value[32];

        snprintf(value, sizeof(value), QUEUE "%zu", i);
        l->tally.waiting++;
        add_row(ui, value, &row);
    }
}

/* ---- from the store ---- */

static const struct {
    const char *status;
    size_t offset; /* of what it counts as */
} kinds[] = {
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

static void count(struct tally *tally, const char *status)
{
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (!strcmp(kinds[i].status, status))
            ++*(size_t *)(void *)((char *)tally + kinds[i].offset);
}

static char *text_of(const struct sf_query_value *v)
{
    return v->type == SF_QUERY_TEXT ? sf_strndup(v->bytes, v->len) : sf_strdup("");
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

    sf_strbuf_addf(&value, TASK "%s", texts[0]);
    count(&l->tally, texts[1]);
    add_row(l->desk, value.buf, &task);
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

    if (!sf_store_query(sf_port_state_dir(l->desk->port), &query, &err))
        sf_tui_say(l->desk, true, "%s", err.msg);
}

/* ---- the whole ---- */

static void add_budget(const struct sf_tui *ui, struct sf_strbuf *out)
{
    enum { BAR = 10 };
    const struct sf_budget *b = sf_port_budget(ui->port);
    int64_t limit = b->limit[SF_BUDGET_COST], spent = b->spent[SF_BUDGET_COST];
    int percent = limit > 0 ? (int)(spent >= limit ? 100 : spent * 100 / limit) : -1;

    if (percent < 0)
        return;
    sf_strbuf_adds(out, "   budget ");
    for (int i = 0; i < BAR; i++)
        sf_strbuf_adds(out, i * 100 < percent * BAR ? "█" : "░");
    sf_strbuf_addf(out, " %d%%", percent);
}

static void fill(struct sf_tui *ui)
{
    struct listing l = { .desk = ui };
    struct sf_strbuf title = SF_STRBUF_INIT;

    add_turn(&l);
    sf_session_each_job(sf_port_raw(ui->port), add_job, &l);
    add_queue(&l);
    add_tasks(&l);
    sf_strbuf_addf(&title, "Tasks   %zu running   %zu waiting", l.tally.running, l.tally.waiting);
    if (l.tally.needs)
        sf_strbuf_addf(&title, "   %zu need you", l.tally.needs);
    sf_strbuf_addf(&title, "   %zu done", l.tally.done);
    add_budget(ui, &title);
    sf_overlay_title(ui, title.buf);
    sf_strbuf_release(&title);
}

/* ---- keys ---- */

static bool has_prefix(const char *value, const char *prefix)
{
    return !strncmp(value, prefix, strlen(prefix));
}

static void cancel(struct sf_tui *ui, const char *value)
{
    size_t index;

    if (!strcmp(value, TURN)) {
        sf_port_cancel(ui->port);
    } else if (has_prefix(value, JOB)) {
        if (!sf_session_end_job(sf_port_raw(ui->port), strtoll(value + strlen(JOB), NULL, 10)))
            sf_tui_say(ui, true, "it does not run any more");
    } else if (has_prefix(value, QUEUE)) {
        index = (size_t)strtoul(value + strlen(QUEUE), NULL, 10);
        if (index < sf_port_queue(ui->port)->count)
            sf_port_queue_drop(ui->port, index);
    } else if (*value) {
        sf_tui_say(ui, true, "it belongs to the project's work, not to this session");
    }
    sf_overlay_renew(ui);
}

/* A draft goes back where it can be changed; the rest is looked up in the log. */
static void open_row(struct sf_tui *ui, const char *value)
{
    size_t index;

    if (has_prefix(value, QUEUE)) {
        index = (size_t)strtoul(value + strlen(QUEUE), NULL, 10);
        if (index < sf_port_queue(ui->port)->count)
            sf_queue_edit(ui, index);
    } else if (has_prefix(value, TASK)) {
        sf_do_logs(ui, "");
    }
}

static bool key(struct sf_tui *ui, uint32_t code, const char *value)
{
    if (code == 'x') {
        char *kept = sf_strdup(value); /* the row goes when the list is filled again */

        cancel(ui, kept);
        free(kept);
    } else if (code == 'l') {
        sf_do_logs(ui, "");
    } else {
        return false;
    }
    return true;
}

void sf_do_tasks(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = {
        .title = "Tasks",
        .keys = "Enter open   x cancel   l log",
        .columns = "state\twhat\tmode\twho\tage\tcost\tnext",
        .align = "llllrrl",
        .chosen = open_row,
        .key = key,
        .renew = fill,
    };

    (void)args;
    sf_port_prepare(ui->port); /* what is left of earlier commands stands in its log */
    sf_overlay_list(ui, &kind);
    fill(ui);
}
