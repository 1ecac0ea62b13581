/*
 * unit_canonical.c: everything of a machine that outlives the process, as JSON. Two machines that
 * would go on alike give the same bytes; tests compare what ran with what was loaded.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

static void write_spent(struct sf_json_writer *w, const char *key, const struct sf_budget *b)
{
    sf_jw_key(w, key);
    sf_jw_array_begin(w);
    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        sf_jw_int(w, b->spent[i]);
    sf_jw_array_end(w);
}

static const char *id_of(const struct sf_units *u, int task)
{
    return task >= 0 ? u->tasks[task]->id : task == SF_UNIT_REPAIR ? "(repair)" : NULL;
}

static void write_task(struct sf_json_writer *w, const struct sf_unit *t)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "id", t->id);
    sf_jw_key_str(w, "state", sf_task_states[t->state]);
    sf_jw_key_int(w, "starts", t->starts);
    sf_jw_key_int(w, "failures", t->failures);
    sf_jw_key_bool(w, "approved", t->approved);
    sf_jw_key_bool(w, "accepted", t->accepted);
    sf_jw_key_bool(w, "dear_ok", t->dear_ok);
    sf_jw_key_bool(w, "interrupted", t->interrupted);
    sf_jw_key_bool(w, "judged", t->judged);
    sf_jw_key_bool(w, "same", t->same);
    sf_jw_key_str(w, "verdict", sf_proof_names[t->verdict]);
    sf_jw_key_str(w, "failure", t->failure);
    sf_jw_key_str(w, "words", t->words);
    write_spent(w, "used", &t->used);
    sf_jw_object_end(w);
}

/* By id, since the order in which tasks became known is not part of it. */
static int by_id(const void *a, const void *b)
{
    const struct sf_unit *const *x = a, *const *y = b;

    return strcmp((*x)->id, (*y)->id);
}

static void write_tasks(struct sf_json_writer *w, const struct sf_units *u)
{
    struct sf_unit **sorted = sf_alloc_array(u->count + 1, sizeof(struct sf_unit *));

    for (size_t i = 0; i < u->count; i++)
        sorted[i] = u->tasks[i];
    qsort(sorted, u->count, sizeof(struct sf_unit *), by_id);
    sf_jw_key(w, "tasks");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < u->count; i++)
        write_task(w, sorted[i]);
    sf_jw_array_end(w);
    free(sorted);
}

static void write_halt(struct sf_json_writer *w, const struct sf_units_log *log)
{
    sf_jw_key(w, "halt");
    if (!log->halted) {
        sf_jw_null(w);
        return;
    }
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "guard", sf_units_guards[log->halt.guard].name);
    sf_jw_key_str(w, "exit", sf_units_exits[log->halt.exit]);
    sf_jw_key_str(w, "who", log->halt.who);
    sf_jw_key_str(w, "task", log->halt.task);
    sf_jw_key_str(w, "digest", log->halt.digest);
    sf_jw_key_str(w, "why", log->halt.why);
    sf_jw_key_bool(w, "again", log->halt.again);
    sf_jw_object_end(w);
}

static void write_past(struct sf_json_writer *w, const struct sf_units *u)
{
    sf_jw_key(w, "past");
    sf_jw_array_begin(w);
    for (int i = 0; i < u->log.past_count; i++) {
        sf_jw_str(w, id_of(u, u->log.past[i].task));
        sf_jw_str(w, u->log.past[i].error);
        sf_jw_str(w, u->log.past[i].path);
    }
    sf_jw_array_end(w);
    sf_jw_key(w, "seen");
    sf_jw_array_begin(w);
    for (int i = 0; i < SF_UNITS_GUARD_COUNT; i++)
        sf_jw_str(w, u->log.seen[i]);
    sf_jw_array_end(w);
}

static void write_kinds(struct sf_json_writer *w, const struct sf_units_log *log)
{
    sf_jw_key(w, "kinds");
    sf_jw_object_begin(w);
    for (size_t i = 0; i < log->kind_count; i++) {
        sf_jw_key(w, log->kinds[i].name);
        sf_jw_array_begin(w);
        sf_jw_int(w, log->kinds[i].count);
        sf_jw_int(w, log->kinds[i].cost);
        sf_jw_array_end(w);
    }
    sf_jw_object_end(w);
}

void sf_units_canonical(const struct sf_units *u, struct sf_strbuf *out)
{
    const struct sf_units_log *log = &u->log;
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "events", log->events);
    sf_jw_key_str(&w, "state", sf_units_states[log->state]);
    sf_jw_key_bool(&w, "single", log->single);
    sf_jw_key_bool(&w, "over", log->over);
    sf_jw_key_str(&w, "current", id_of(u, log->current));
    if (log->current != SF_UNIT_NONE) {
        sf_jw_key_int(&w, "stage", log->stage);
        sf_jw_key_str(&w, "end", sf_units_ends[log->end]);
    }
    sf_jw_key_str(&w, "last", id_of(u, log->last));
    sf_jw_key_bool(&w, "repairing", log->repairing);
    sf_jw_key_int(&w, "repairs", log->repairs);
    sf_jw_key_int(&w, "continues", log->continues);
    sf_jw_key_str(&w, "findings", log->findings);
    sf_jw_key_str(&w, "today", log->today);
    write_spent(&w, "run", &log->run);
    write_spent(&w, "day", &log->day);
    write_halt(&w, log);
    write_past(&w, u);
    write_kinds(&w, log);
    write_tasks(&w, u);
    sf_jw_object_end(&w);
}
