/*
 * plan_refs.c: what tasks depend on. A name is completed by where it stands (T1 within the slice,
 * S1 within the milestone) and looked up; then nothing may depend on itself, by whatever way.
 */
#include "modes/modes.h"
#include "plan/plan_read.h"

/* "S1/T2" within M3 is "M3/S1/T2". False: the word is not made like an id. */
static bool complete(const struct sf_plan *plan, const struct sf_plan_task *t,
                     struct sf_plan_slip word, struct sf_strbuf *id)
{
    static const char letters[] = "MST";
    const struct sf_plan_heading *above[] = { NULL, &plan->milestones[t->milestone].head,
                                              &plan->slices[t->slice].head };
    const char *first = word.len ? strchr(letters, word.at[0]) : NULL;
    size_t at = 0, level = first && *first ? (size_t)(first - letters) : 3;
    int number;

    if (level < 3 && above[level])
        sf_strbuf_addf(id, "%s/", above[level]->id);
    sf_strbuf_add(id, word.at, word.len);
    while (level < 3) {
        size_t n = sf_plan_id_read(word.at + at, word.len - at, letters[level++], &number);

        at += n;
        if (!n || at == word.len)
            return n != 0;
        if (word.at[at++] != '/')
            return false;
    }
    return false;
}

/* The nearest id there is, spelled as it was meant. */
static void hint_nearest(const struct sf_plan_reader *r, const char *id, struct sf_error *hint)
{
    struct sf_suggest s;

    sf_suggest_start(&s, id);
    for (size_t i = 0; i < r->ids.count && i < 1000; i++)
        if (r->ids.entries[i].len > 1)
            sf_suggest_offer(&s, r->ids.entries[i].key);
    sf_suggest_hint(&s, "ids are T1, S1/T1, M1/S1/T1, S1 or M1", hint);
}

static bool holds(const struct sf_plan_task *t, size_t task, const struct sf_plan_ref *ref)
{
    switch (ref->level) {
    case SF_PLAN_LEVEL_MILESTONE:
        return t->milestone == ref->index;
    case SF_PLAN_LEVEL_SLICE:
        return t->slice == ref->index;
    case SF_PLAN_LEVEL_TASK:
        return task == ref->index;
    }
    return false;
}

static void add_ref(struct sf_plan_refs *refs, const struct sf_plan_ref *ref)
{
    for (size_t i = 0; i < refs->count; i++)
        if (refs->items[i].level == ref->level && refs->items[i].index == ref->index)
            return;
    refs->items[refs->count++] = *ref;
}

static void resolve(struct sf_plan_reader *r, const struct sf_plan_waiting *w)
{
    struct sf_plan_task *t = &r->plan->tasks[w->task];
    const struct sf_plan_ref *found = NULL;
    struct sf_strbuf id = SF_STRBUF_INIT;
    struct sf_error hint = SF_ERROR_INIT;
    char quote[SF_QUOTE_MAX];

    if (complete(r->plan, t, w->word, &id))
        found = sf_map_get(&r->ids, id.buf, id.len);
    if (!found) {
        hint_nearest(r, id.len ? id.buf : "", &hint);
        sf_plan_fault(r, w->word.at, hint.hint, "depends_on: nothing in the plan is called \"%s\"",
                      sf_quote(quote, w->word.at, w->word.len));
    } else if (holds(t, w->task, found)) {
        sf_plan_fault(r, w->word.at, NULL, "depends_on: %s would wait for itself", t->head.id);
    } else {
        add_ref(&t->depends, found);
    }
    sf_strbuf_release(&id);
}

/* The places of a task's names, one behind the other. */
static size_t count_of(const struct sf_plan_reader *r, size_t from)
{
    size_t n = from;

    while (n < r->waiting_count && r->waiting[n].task == r->waiting[from].task)
        n++;
    return n - from;
}

static void refuse_circle(struct sf_plan_reader *r)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    size_t task, i = 0;

    if (sf_plan_find_circle(r->plan, &path, &task)) {
        while (i + 1 < r->waiting_count && r->waiting[i].task != task)
            i++;
        sf_plan_fault(r, r->waiting[i].word.at, "take one of these dependencies away",
                      "depends_on: tasks wait for each other: %s", path.buf);
    }
    sf_strbuf_release(&path);
}

void sf_plan_resolve(struct sf_plan_reader *r)
{
    size_t n;

    for (size_t i = 0; i < r->waiting_count; i += n) {
        struct sf_plan_refs *refs = &r->plan->tasks[r->waiting[i].task].depends;

        n = count_of(r, i);
        refs->items = sf_arena_alloc(&r->plan->arena, sizeof(*refs->items) * n);
        for (size_t k = 0; k < n; k++)
            resolve(r, &r->waiting[i + k]);
    }
    if (!r->faults->count && r->waiting_count)
        refuse_circle(r);
}
