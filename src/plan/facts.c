/*
 * facts.c: counts the tasks of a plan and says what stands out.
 */
#include "plan/facts.h"

#include "plan/schema.h"

struct sf_plan_facts sf_plan_facts_of(const struct sf_plan *plan, sf_plan_command_fn *look,
                                      void *ctx)
{
    struct sf_plan_facts f = { .tasks = plan->task_count,
                               .milestones = plan->milestone_count,
                               .slices = plan->slice_count };

    for (size_t i = 0; i < plan->task_count; i++) {
        const struct sf_plan_task *t = &plan->tasks[i];

        f.high += t->risk == SF_RISK_HIGH;
        f.external += t->mutation == SF_MUTATION_EXTERNAL;
        f.asking += t->approval == SF_TASK_APPROVAL_ASK;
        f.unverified += !*t->verify;
        f.minutes += (size_t)t->estimate;
        f.unestimated += !t->estimate;
        if (*t->verify && look && look(ctx, t->verify) == SF_PLAN_COMMAND_MISSING && !f.missing++)
            f.first_missing = i;
    }
    return f;
}

static void add(struct sf_strbuf *out, size_t count, const char *what)
{
    if (count)
        sf_strbuf_addf(out, "; %zu %s", count, what);
}

void sf_plan_facts_text(const struct sf_plan_facts *f, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%zu task%s in %zu milestone%s", f->tasks, f->tasks == 1 ? "" : "s",
                   f->milestones, f->milestones == 1 ? "" : "s");
    add(out, f->high, "of high risk");
    add(out, f->external, "changing something outside");
    add(out, f->asking, "asking first");
    add(out, f->unverified, "without a command to verify");
    add(out, f->missing, "with a command that does not exist");
    if (f->minutes) {
        sf_strbuf_adds(out, "; estimated ");
        sf_plan_minutes_text((int)f->minutes, out);
        if (f->unestimated)
            sf_strbuf_addf(out, " and %zu more", f->unestimated);
    }
}
