/*
 * rows.c: the tasks of the plan and the log of the run, read and written. The row of a task is the
 * truth about its state; the log says what the run made of it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "run/internal.h"

enum { LEASE_MS = 10 * 60 * 1000 };

/* ---- the plan ---- */

struct choice {
    struct sf_run *run;
    char *newest; /* when the plan chosen so far was accepted */
};

static bool consider(const struct sf_plan_row *row, void *ctx)
{
    struct choice *c = ctx;

    if (row->done >= row->tasks || (c->newest && strcmp(row->accepted_at, c->newest) <= 0))
        return true;
    free(c->run->plan);
    free(c->newest);
    c->run->plan = sf_strdup(row->name);
    c->newest = sf_strdup(row->accepted_at);
    return true;
}

static bool keep_text(const struct sf_plan_row *row, void *ctx)
{
    struct sf_run *run = ctx;

    free(run->plan_text);
    run->plan_text = sf_strdup(row->text);
    return false;
}

bool sf_run_find_plan(struct sf_run *run, const char *name, struct sf_error *err)
{
    struct choice choice = { .run = run };
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    bool ok;

    if (name)
        run->plan = sf_strdup(name);
    else if (!sf_store_each_plan(run->setup.store, NULL, consider, &choice, err))
        return false;
    free(choice.newest);
    if (!run->plan) {
        sf_fail(err, SF_E_NOENT, "there is no accepted plan with tasks left");
        return sf_hint(
            err, "/mode plan, then say what you want; once you accept the plan, it is carried out");
    }
    if (!sf_store_each_plan(run->setup.store, run->plan, keep_text, run, err))
        return false;
    if (!run->plan_text)
        return sf_fail(err, SF_E_NOENT, "no accepted plan is called %s", run->plan);
    ok = sf_plan_parse(run->plan_text, strlen(run->plan_text), &run->parsed, &faults) ||
         sf_fail(err, SF_E_DAMAGED, "the accepted plan %s cannot be read any more", run->plan);
    sf_plan_faults_release(&faults);
    return ok;
}

/* ---- tasks ---- */

const struct sf_plan_task *sf_run_task(const struct sf_run *run, const char *id)
{
    for (size_t i = 0; i < run->parsed.task_count; i++)
        if (!strcmp(run->parsed.tasks[i].head.id, id))
            return &run->parsed.tasks[i];
    return NULL;
}

struct sf_run_row *sf_run_row(const struct sf_run *run, const char *id)
{
    for (size_t i = 0; i < run->row_count; i++)
        if (!strcmp(run->rows[i].path, id))
            return &run->rows[i];
    return NULL;
}

/* A reference to a slice or a milestone means all of its tasks. */
static void add_ref(const struct sf_plan *plan, const struct sf_plan_ref *ref,
                    struct sf_strlist *out)
{
    size_t first = ref->index, count = 1;

    if (ref->level == SF_PLAN_LEVEL_SLICE) {
        first = plan->slices[ref->index].first;
        count = plan->slices[ref->index].count;
    } else if (ref->level == SF_PLAN_LEVEL_MILESTONE) {
        first = plan->milestones[ref->index].first;
        count = plan->milestones[ref->index].count;
    }
    for (size_t i = first; i < first + count; i++)
        sf_strlist_add(out, plan->tasks[i].head.id);
}

static bool give_task(struct sf_run *run, const struct sf_task_row *row, struct sf_error *err)
{
    const struct sf_plan_task *t = sf_run_task(run, row->path);
    struct sf_strlist depends = SF_STRLIST_INIT;
    struct sf_units_task task = { .id = row->path,
                                  .kind = "task",
                                  .milestone = "",
                                  .state = row->state,
                                  .depends_on = &depends,
                                  .priority = (int)row->priority,
                                  .order = row->position,
                                  .attempts = (int)row->most_retries };
    bool ok;

    if (t) {
        task.milestone = run->parsed.milestones[t->milestone].head.id;
        task.estimate_ms = (int64_t)t->estimate * 60 * 1000;
        task.asks = t->approval == SF_TASK_APPROVAL_ASK || t->mutation == SF_MUTATION_EXTERNAL;
        for (size_t i = 0; i < t->depends.count; i++)
            add_ref(&run->parsed, &t->depends.items[i], &depends);
    }
    ok = sf_units_task(run->units, &task, err);
    sf_strlist_release(&depends);
    return ok;
}

struct reading {
    struct sf_run *run;
    struct sf_error *err;
    bool ok;
};

static bool read_task(const struct sf_task_row *row, void *ctx)
{
    struct reading *r = ctx;
    struct sf_run *run = r->run;
    struct sf_run_row *known = sf_run_row(run, row->path);

    if (!known) {
        run->rows = sf_grow(run->rows, &run->row_cap, run->row_count + 1, sizeof(*run->rows));
        known = &run->rows[run->row_count++];
        *known = (struct sf_run_row){ .path = sf_strdup(row->path), .id = sf_strdup(row->id) };
    }
    known->state = row->state;
    known->fence = row->fence;
    free(known->failed);
    known->failed = sf_strdup(row->last_error);
    r->ok = give_task(run, row, r->err);
    return r->ok;
}

bool sf_run_read_tasks(struct sf_run *run, struct sf_error *err)
{
    const struct sf_task_filter filter = { .plan = run->plan };
    struct reading r = { run, err, true };

    return sf_store_each_task(run->setup.store, &filter, read_task, &r, err) && r.ok;
}

/* Whoever has the lease of the run knows that nobody else works on its tasks. */
bool sf_run_end_leases(struct sf_run *run, struct sf_error *err)
{
    for (size_t i = 0; i < run->row_count; i++)
        if (sf_task_state_is_held(run->rows[i].state) &&
            !sf_store_task_release(run->setup.store, run->rows[i].id, run->rows[i].fence, err))
            return false;
    return true;
}

bool sf_run_renew(struct sf_run *run, struct sf_error *err)
{
    const char *current = sf_units_current(run->units);
    const struct sf_run_row *row = current ? sf_run_row(run, current) : NULL;
    bool held;

    return !row || !row->fence ||
           sf_store_task_renew(run->setup.store, row->id, row->fence, LEASE_MS, &held, err);
}

/* ---- the log ---- */

void sf_run_keep_verdict(struct sf_run *run, enum sf_proof verdict, const char *why,
                         const char *digest)
{
    char *text = sf_strdup(why);

    free(run->why);
    run->why = text;
    run->verdict = verdict;
    snprintf(run->digest, sizeof(run->digest), "%s", digest);
}

/* The move that follows from a verdict may be made by another run than the one that reached it. */
static void recall_verdict(struct sf_run *run, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(event->json, event->len, NULL, &ignored);
    const char *name, *why, *digest;
    int verdict = 0;

    if (json && sf_json_get_str(json, "verdict", &name, &ignored) &&
        sf_json_opt_str(json, "text", "", &why, &ignored) &&
        sf_json_opt_str(json, "digest", "", &digest, &ignored)) {
        while (sf_proof_names[verdict] && strcmp(sf_proof_names[verdict], name) != 0)
            verdict++;
        if (sf_proof_names[verdict])
            sf_run_keep_verdict(run, (enum sf_proof)verdict, why, digest);
    }
    sf_json_free(json);
}

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;

    if (event->id <= r->run->seen)
        return true;
    r->run->seen = event->id;
    if (!strcmp(event->kind, SF_UNITS_LOG_VERDICT))
        recall_verdict(r->run, event);
    r->ok = !sf_run_event_is(event->kind) ||
            sf_units_load(r->run->units, event->kind, event->json, event->len, r->err);
    return r->ok;
}

bool sf_run_read_log(struct sf_run *run, struct sf_error *err)
{
    struct reading r = { run, err, true };

    return sf_store_each_later(run->setup.store, sf_session_id(run->setup.session), run->seen,
                               read_event, &r, err) &&
           r.ok;
}

static void tell_event(void *ctx, const struct sf_event_run *told)
{
    struct sf_run *run = ctx;
    struct sf_event event = { .kind = SF_EVENT_RUN, .run = *told };

    sf_session_report(run->setup.session, &event);
}

/* What its check said goes into the row of a task that leaves verification. */
static void add_outcome(const struct sf_run *run, struct sf_task_move *move)
{
    if (move->from != SF_TASK_VERIFYING)
        return;
    move->verdict = sf_proof_names[run->verdict];
    move->last_error = run->why ? run->why : "";
    move->failure_digest = run->digest;
}

/* A move to running claims the task; a later one names the fence it got. */
bool sf_run_save(struct sf_run *run, const struct sf_units_effect *save, struct sf_error *err)
{
    const struct sf_event_new event = { .session = sf_session_id(run->setup.session),
                                        .surface = run->setup.surface,
                                        .kind = save->event,
                                        .json = save->json.buf,
                                        .len = save->json.len };
    struct sf_run_row *row =
        save->task && !strcmp(save->event, SF_UNITS_LOG_MOVE) ? sf_run_row(run, save->task) : NULL;
    char holder[64];
    struct sf_task_move move = { .from = save->from, .to = save->to, .mover = save->mover };
    struct sf_task_step step = {
        .event = &event, .move = row ? &move : NULL, .holder = holder, .lease_ms = LEASE_MS
    };
    int64_t fence = 0, id;

    snprintf(holder, sizeof(holder), "pid %ld", (long)getpid());
    if (row) {
        move.task = row->id;
        move.fence = sf_task_state_is_held(save->from) ? row->fence : 0;
        add_outcome(run, &move);
    }
    if (!sf_store_task_step(run->setup.store, &step, &fence, &id, err))
        return false;
    if (row) {
        row->state = save->to;
        row->fence = fence ? fence : row->fence;
    }
    run->seen = id;
    sf_run_event_read(save->event, save->json.buf, save->json.len, tell_event, run);
    return true;
}
