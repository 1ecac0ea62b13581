/*
 * patch_plan.c: a whole patch, tried out in memory. Later operations see what earlier ones left
 * behind, so that a file named twice ends as the patch says; whoever carries the plan out writes
 * the steps in order, or none of them.
 */
#include "edit/patch.h"

/* What the steps so far made of a path. */
struct state {
    const struct sf_strbuf *bytes; /* NULL: it is gone */
};

struct planner {
    struct sf_patch_plan *plan;
    struct sf_map states; /* of paths */
    struct sf_arena arena;
    sf_patch_read_fn *read;
    void *ctx;
    size_t held; /* bytes in the plan */
    struct sf_error *err;
};

static void set_state(struct planner *p, const char *path, const struct sf_strbuf *bytes)
{
    struct state *state = sf_map_gets(&p->states, path);

    if (!state) {
        state = sf_arena_alloc(&p->arena, sizeof(*state));
        sf_map_add(&p->states, path, strlen(path), state);
    }
    state->bytes = bytes;
}

static bool hold(struct planner *p, size_t bytes)
{
    p->held += bytes;
    return p->held <= SF_PATCH_PLAN_MAX ||
           sf_fail(p->err, SF_E_LIMIT, "the files of the patch are larger than %d MiB together",
                   SF_PATCH_PLAN_MAX / (1024 * 1024));
}

/* The file as the steps before left it, or as it is. */
static bool read_old(struct planner *p, struct sf_patch_step *step)
{
    const struct state *state = sf_map_gets(&p->states, step->path);

    if (!state) {
        step->existed = true;
        return p->read(p->ctx, step->path, &step->old_bytes, &step->existed, p->err) &&
               hold(p, step->old_bytes.len);
    }
    step->existed = state->bytes != NULL;
    if (state->bytes)
        sf_strbuf_add(&step->old_bytes, state->bytes->buf, state->bytes->len);
    return hold(p, step->old_bytes.len);
}

static bool plan_step(struct planner *p, struct sf_patch_step *step, const struct sf_patch_op *op)
{
    struct sf_edit_result *result = &p->plan->result;

    step->kind = op->kind;
    step->path = op->path;
    step->move_to = op->move_to;
    sf_strbuf_init(&step->old_bytes);
    sf_strbuf_init(&step->new_bytes);
    p->plan->count++;
    sf_edit_result_release(result);
    if (!read_old(p, step))
        return false;
    if (!step->existed && op->kind == SF_PATCH_UPDATE) {
        sf_fail(p->err, SF_E_NOENT, "%s is not there, so it cannot be changed", op->path);
        return sf_hint(p->err, "use '*** Add File:' for a new file");
    }
    if ((step->existed || op->kind == SF_PATCH_ADD) &&
        !sf_patch_apply(op, step->old_bytes.buf, step->old_bytes.len, result, p->err))
        return false;
    step->rung = result->rung;
    sf_strbuf_add(&step->new_bytes, result->bytes.buf, result->bytes.len);
    if (!hold(p, step->new_bytes.len))
        return false;
    if (op->kind == SF_PATCH_DELETE || op->move_to)
        set_state(p, op->path, NULL);
    if (op->kind != SF_PATCH_DELETE)
        set_state(p, op->move_to ? op->move_to : op->path, &step->new_bytes);
    return true;
}

static void drop_steps(struct sf_patch_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        sf_strbuf_release(&plan->steps[i].old_bytes);
        sf_strbuf_release(&plan->steps[i].new_bytes);
    }
    free(plan->steps);
    plan->steps = NULL;
    plan->count = 0;
}

bool sf_patch_plan(struct sf_patch_plan *plan, const struct sf_patch *patch, sf_patch_read_fn *read,
                   void *ctx, struct sf_error *err)
{
    struct planner p = { .plan = plan, .read = read, .ctx = ctx, .err = err };
    bool ok = true;

    *plan = (struct sf_patch_plan){ 0 };
    sf_edit_result_init(&plan->result);
    plan->steps = sf_alloc_array(patch->count, sizeof(*plan->steps));
    for (size_t i = 0; ok && i < patch->count; i++) {
        plan->failed = i;
        ok = plan_step(&p, &plan->steps[i], &patch->ops[i]);
    }
    if (!ok)
        drop_steps(plan);
    sf_map_release(&p.states);
    sf_arena_release(&p.arena);
    return ok;
}

void sf_patch_plan_release(struct sf_patch_plan *plan)
{
    drop_steps(plan);
    sf_edit_result_release(&plan->result);
}
