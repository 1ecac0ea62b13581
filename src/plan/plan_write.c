/*
 * plan_write.c: a plan in its canonical form: what is not said is left out, so that the file stays
 * as short as a person would write it.
 */
#include "plan/plan_file.h"

static const void *member(const struct sf_plan_task *t, const struct sf_plan_field *f)
{
    return (const char *)t + f->offset;
}

void sf_plan_minutes_text(int minutes, struct sf_strbuf *out)
{
    if (minutes >= 60)
        sf_strbuf_addf(out, "%dh", minutes / 60);
    if (minutes % 60)
        sf_strbuf_addf(out, "%dm", minutes % 60);
}

const char *sf_plan_ref_id(const struct sf_plan *plan, const struct sf_plan_ref *ref)
{
    switch (ref->level) {
    case SF_PLAN_LEVEL_MILESTONE:
        return plan->milestones[ref->index].head.id;
    case SF_PLAN_LEVEL_SLICE:
        return plan->slices[ref->index].head.id;
    case SF_PLAN_LEVEL_TASK:
        return plan->tasks[ref->index].head.id;
    }
    return "";
}

static void write_files(const struct sf_plan_files *files, struct sf_strbuf *out)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct sf_plan_span *s = &files->items[i];

        sf_strbuf_addf(out, "%s%s", i ? ", " : "", s->path);
        if (s->from)
            sf_strbuf_addf(out, ":%d", s->from);
        if (s->to > s->from)
            sf_strbuf_addf(out, "-%d", s->to);
    }
}

static void write_refs(const struct sf_plan *plan, const struct sf_plan_refs *refs,
                       struct sf_strbuf *out)
{
    for (size_t i = 0; i < refs->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "", sf_plan_ref_id(plan, &refs->items[i]));
}

/* The value as text; empty where it is what is meant without words. */
static void write_value(const struct sf_plan *plan, const struct sf_plan_task *t,
                        const struct sf_plan_field *f, struct sf_strbuf *out)
{
    int number;

    switch (f->kind) {
    case SF_PLAN_KIND_TEXT:
    case SF_PLAN_KIND_LINE:
        sf_strbuf_adds(out, *(const char *const *)member(t, f));
        break;
    case SF_PLAN_KIND_FILES:
        write_files(member(t, f), out);
        break;
    case SF_PLAN_KIND_REFS:
        write_refs(plan, member(t, f), out);
        break;
    case SF_PLAN_KIND_WORD:
        number = *(const int *)member(t, f);
        sf_strbuf_adds(out, number == f->fallback ? "" : f->words[number]);
        break;
    case SF_PLAN_KIND_MINUTES:
        sf_plan_minutes_text(*(const int *)member(t, f), out);
        break;
    case SF_PLAN_KIND_PRIORITY:
        number = *(const int *)member(t, f);
        if (number != f->fallback)
            sf_strbuf_addf(out, "%d", number);
        break;
    }
}

/* Further lines are indented, so that they belong to the bullet. */
static void write_field(const char *name, const char *value, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "- %s: ", name);
    for (; *value; value++) {
        sf_strbuf_addch(out, *value);
        if (*value == '\n' && value[1] != '\n')
            sf_strbuf_adds(out, "  ");
    }
    sf_strbuf_addch(out, '\n');
}

static void write_heading(const char *marks, const struct sf_plan_heading *head,
                          struct sf_strbuf *out)
{
    const char *id = strrchr(head->id, '/');

    sf_strbuf_addf(out, "\n%s %s %s\n", marks, id ? id + 1 : head->id, head->title);
    if (*head->notes)
        sf_strbuf_addf(out, "\n%s\n", head->notes);
}

static void write_task(const struct sf_plan *plan, const struct sf_plan_task *t,
                       struct sf_strbuf *out)
{
    struct sf_strbuf value = SF_STRBUF_INIT;

    write_heading("####", &t->head, out);
    sf_strbuf_addch(out, '\n');
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        sf_strbuf_reset(&value);
        write_value(plan, t, f, &value);
        if (value.len)
            write_field(f->name, value.buf, out);
    }
    sf_strbuf_release(&value);
}

/* Quoted as JSON, which YAML reads too, where it could mean anything but text. */
static void write_head_line(const char *name, const char *value, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    if (!*value)
        return;
    sf_strbuf_addf(out, "%s: ", name);
    sf_jw_init(&w, out);
    sf_jw_str(&w, value);
    sf_strbuf_addch(out, '\n');
}

void sf_plan_write(const struct sf_plan *plan, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "---\n");
    write_head_line("title", plan->title, out);
    write_head_line("goal", plan->goal, out);
    sf_strbuf_adds(out, "---\n");
    if (*plan->notes)
        sf_strbuf_addf(out, "\n%s\n", plan->notes);
    for (size_t m = 0, s = 0, t = 0; m < plan->milestone_count; m++) {
        write_heading("##", &plan->milestones[m].head, out);
        for (; s < plan->slice_count && plan->slices[s].milestone == m; s++) {
            write_heading("###", &plan->slices[s].head, out);
            for (; t < plan->task_count && plan->tasks[t].slice == s; t++)
                write_task(plan, &plan->tasks[t], out);
        }
    }
}
