/*
 * graph.c: tasks, slices and milestones are nodes, in this order. A task waits for what it depends
 * on, a slice and a milestone for their tasks. The order is Kahn's, with a heap for the nodes that
 * nothing holds back any more.
 */
#include "plan/graph.h"

#include "plan/plan_read.h"

struct graph {
    const struct sf_plan *plan;
    size_t count;
    size_t *begin, *next; /* next[begin[n]] … next[begin[n + 1] - 1] wait for node n */
    size_t *waits;        /* for how many nodes each one waits */
    size_t *heap;
    size_t heap_count;
};

static size_t node_of(const struct sf_plan *p, const struct sf_plan_ref *ref)
{
    switch (ref->level) {
    case SF_PLAN_LEVEL_MILESTONE:
        return p->task_count + p->slice_count + ref->index;
    case SF_PLAN_LEVEL_SLICE:
        return p->task_count + ref->index;
    case SF_PLAN_LEVEL_TASK:
        break;
    }
    return ref->index;
}

typedef void edge_fn(struct graph *g, size_t from, size_t to);

static void each_edge(struct graph *g, edge_fn *fn)
{
    const struct sf_plan *p = g->plan;

    for (size_t t = 0; t < p->task_count; t++) {
        const struct sf_plan_task *task = &p->tasks[t];

        fn(g, t, p->task_count + task->slice);
        fn(g, t, p->task_count + p->slice_count + task->milestone);
        for (size_t i = 0; i < task->depends.count; i++)
            fn(g, node_of(p, &task->depends.items[i]), t);
    }
}

static void count_edge(struct graph *g, size_t from, size_t to)
{
    g->begin[from + 1]++;
    g->waits[to]++;
}

/* Fills from behind: begin[from + 1] is moved to where the edges of `from` begin. */
static void put_edge(struct graph *g, size_t from, size_t to)
{
    g->next[--g->begin[from + 1]] = to;
}

static void build(struct graph *g, const struct sf_plan *plan)
{
    *g = (struct graph){ .plan = plan,
                         .count = plan->task_count + plan->slice_count + plan->milestone_count };
    g->begin = sf_alloc_array(g->count + 2, sizeof(*g->begin));
    g->waits = sf_alloc_array(g->count + 1, sizeof(*g->waits));
    g->heap = sf_alloc_array(g->count + 1, sizeof(*g->heap));
    each_edge(g, count_edge);
    for (size_t i = 0; i < g->count; i++)
        g->begin[i + 1] += g->begin[i];
    g->next = sf_alloc_array(g->begin[g->count] + 1, sizeof(*g->next));
    g->begin[g->count + 1] = g->begin[g->count];
    each_edge(g, put_edge);
    memmove(g->begin, g->begin + 1, (g->count + 1) * sizeof(*g->begin));
}

static void release(struct graph *g)
{
    free(g->begin);
    free(g->next);
    free(g->waits);
    free(g->heap);
}

/* ---- the heap: slices and milestones at once, then tasks by priority and place ---- */

static bool before(const struct graph *g, size_t a, size_t b)
{
    size_t tasks = g->plan->task_count;
    int x = a < tasks ? g->plan->tasks[a].priority : 0,
        y = b < tasks ? g->plan->tasks[b].priority : 0;

    return x != y ? x < y : a < b;
}

static void swap(size_t *a, size_t *b)
{
    size_t spare = *a;

    *a = *b;
    *b = spare;
}

static void push(struct graph *g, size_t node)
{
    size_t i = g->heap_count++;

    g->heap[i] = node;
    for (; i && before(g, g->heap[i], g->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&g->heap[i], &g->heap[(i - 1) / 2]);
}

static size_t pop(struct graph *g)
{
    size_t top = g->heap[0], i = 0;

    g->heap[0] = g->heap[--g->heap_count];
    for (size_t child; (child = 2 * i + 1) < g->heap_count; i = child) {
        if (child + 1 < g->heap_count && before(g, g->heap[child + 1], g->heap[child]))
            child++;
        if (!before(g, g->heap[child], g->heap[i]))
            break;
        swap(&g->heap[i], &g->heap[child]);
    }
    return top;
}

/* Returns how many tasks were put in order; fewer than all, if there is a circle. */
static size_t run(struct graph *g, size_t *order)
{
    size_t n = 0;

    for (size_t i = 0; i < g->count; i++)
        if (!g->waits[i])
            push(g, i);
    while (g->heap_count) {
        size_t node = pop(g);

        if (node < g->plan->task_count)
            order[n++] = node;
        for (size_t i = g->begin[node]; i < g->begin[node + 1]; i++)
            if (!--g->waits[g->next[i]])
                push(g, g->next[i]);
    }
    return n;
}

void sf_plan_order(const struct sf_plan *plan, size_t *order)
{
    struct graph g;

    build(&g, plan);
    run(&g, order);
    release(&g);
}

/* ---- circles ---- */

static size_t waiting_in(const struct graph *g, size_t first, size_t count)
{
    for (size_t t = first; t < first + count; t++)
        if (g->waits[t])
            return t;
    return first;
}

/* A node that this one waits for, of those that never got their turn. */
static size_t cause(const struct graph *g, size_t node)
{
    const struct sf_plan *p = g->plan;

    if (node >= p->task_count + p->slice_count) {
        const struct sf_plan_milestone *m = &p->milestones[node - p->task_count - p->slice_count];

        return waiting_in(g, m->first, m->count);
    }
    if (node >= p->task_count) {
        const struct sf_plan_slice *s = &p->slices[node - p->task_count];

        return waiting_in(g, s->first, s->count);
    }
    for (size_t i = 0; i < p->tasks[node].depends.count; i++) {
        size_t n = node_of(p, &p->tasks[node].depends.items[i]);

        if (g->waits[n])
            return n;
    }
    return node;
}

static const char *id_of(const struct sf_plan *p, size_t node)
{
    if (node >= p->task_count + p->slice_count)
        return p->milestones[node - p->task_count - p->slice_count].head.id;
    return node >= p->task_count ? p->slices[node - p->task_count].head.id : p->tasks[node].head.id;
}

/* Going back from a node that waits ends in a circle; its first task in the file stands for it. */
static size_t first_in_circle(const struct graph *g, size_t node)
{
    size_t first, start;

    for (size_t i = 0; i < g->count; i++)
        node = cause(g, node);
    first = start = node;
    while ((node = cause(g, node)) != start)
        if (node < first)
            first = node;
    return first;
}

static void name_circle(const struct graph *g, size_t start, struct sf_strbuf *path)
{
    size_t steps = 0, node = start;

    sf_strbuf_adds(path, id_of(g->plan, node));
    do {
        node = cause(g, node);
        if (++steps <= 8)
            sf_strbuf_addf(path, " \xe2\x86\x92 %s", id_of(g->plan, node));
    } while (node != start);
    if (steps > 8)
        sf_strbuf_addf(path, " \xe2\x80\xa6 (%zu in all)", steps);
}

bool sf_plan_find_circle(const struct sf_plan *plan, struct sf_strbuf *path, size_t *task)
{
    size_t *order = sf_alloc_array(plan->task_count + 1, sizeof(*order)), node = 0;
    struct graph g;
    bool found;

    build(&g, plan);
    found = run(&g, order) < plan->task_count;
    while (found && !g.waits[node])
        node++;
    if (found) {
        *task = first_in_circle(&g, node);
        name_circle(&g, *task, path);
    }
    release(&g);
    free(order);
    return found;
}

/* ---- what may begin ---- */

static bool all_done(const enum sf_task_state *states, size_t first, size_t count)
{
    for (size_t t = first; t < first + count; t++)
        if (states[t] != SF_TASK_DONE)
            return false;
    return true;
}

/* Which nodes are done, worked out once for all who ask. */
static bool *done_nodes(const struct sf_plan *p, const enum sf_task_state *states)
{
    bool *done =
             sf_alloc_array(p->task_count + p->slice_count + p->milestone_count + 1, sizeof(*done)),
         *at = done;

    for (size_t t = 0; t < p->task_count; t++)
        *at++ = states[t] == SF_TASK_DONE;
    for (size_t s = 0; s < p->slice_count; s++)
        *at++ = all_done(states, p->slices[s].first, p->slices[s].count);
    for (size_t m = 0; m < p->milestone_count; m++)
        *at++ = all_done(states, p->milestones[m].first, p->milestones[m].count);
    return done;
}

static bool may_begin(const struct sf_plan *p, const bool *done, const enum sf_task_state *states,
                      size_t t)
{
    const struct sf_plan_refs *refs = &p->tasks[t].depends;

    if (states[t] != SF_TASK_TODO && states[t] != SF_TASK_RETRYING)
        return false;
    for (size_t i = 0; i < refs->count; i++)
        if (!done[node_of(p, &refs->items[i])])
            return false;
    return true;
}

size_t sf_plan_ready(const struct sf_plan *plan, const enum sf_task_state *states, size_t *ready)
{
    bool *done = done_nodes(plan, states);
    size_t counts[11] = { 0 }, n = 0;
    size_t *found = sf_alloc_array(plan->task_count + 1, sizeof(*found));

    for (size_t t = 0; t < plan->task_count; t++)
        if (may_begin(plan, done, states, t)) {
            found[n++] = t;
            counts[plan->tasks[t].priority + 1]++;
        }
    for (size_t i = 1; i < SF_COUNT(counts); i++)
        counts[i] += counts[i - 1];
    for (size_t i = 0; i < n; i++)
        ready[counts[plan->tasks[found[i]].priority]++] = found[i];
    free(found);
    free(done);
    return n;
}

size_t sf_plan_waits_for(const struct sf_plan *plan, const enum sf_task_state *states, size_t task,
                         size_t *out, size_t most)
{
    const struct sf_plan_refs *refs = &plan->tasks[task].depends;
    size_t n = 0;

    for (size_t i = 0; i < refs->count; i++) {
        const struct sf_plan_ref *r = &refs->items[i];
        size_t first = r->index, count = 1;

        if (r->level == SF_PLAN_LEVEL_SLICE) {
            first = plan->slices[r->index].first;
            count = plan->slices[r->index].count;
        } else if (r->level == SF_PLAN_LEVEL_MILESTONE) {
            first = plan->milestones[r->index].first;
            count = plan->milestones[r->index].count;
        }
        for (size_t t = first; t < first + count; t++)
            if (states[t] != SF_TASK_DONE && n++ < most)
                out[n - 1] = t;
    }
    return n;
}
