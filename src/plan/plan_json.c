/*
 * plan_json.c: a plan and its tasks as JSON, with every field, said or not.
 */
#include "plan/plan_file.h"

static void files_json(const struct sf_plan_files *files, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; i < files->count; i++) {
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "path", files->items[i].path);
        if (files->items[i].from) {
            sf_jw_key_int(w, "from", files->items[i].from);
            sf_jw_key_int(w, "to", files->items[i].to);
        }
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void value_json(const struct sf_plan *plan, const struct sf_plan_task *t,
                       const struct sf_plan_field *f, struct sf_json_writer *w)
{
    const void *at = (const char *)t + f->offset;
    const struct sf_plan_refs *refs = at;

    switch (f->kind) {
    case SF_PLAN_KIND_TEXT:
    case SF_PLAN_KIND_LINE:
        sf_jw_str(w, *(const char *const *)at);
        break;
    case SF_PLAN_KIND_FILES:
        files_json(at, w);
        break;
    case SF_PLAN_KIND_REFS:
        sf_jw_array_begin(w);
        for (size_t i = 0; i < refs->count; i++)
            sf_jw_str(w, sf_plan_ref_id(plan, &refs->items[i]));
        sf_jw_array_end(w);
        break;
    case SF_PLAN_KIND_WORD:
        sf_jw_str(w, f->words[*(const int *)at]);
        break;
    case SF_PLAN_KIND_MINUTES:
    case SF_PLAN_KIND_PRIORITY:
        sf_jw_int(w, *(const int *)at);
        break;
    }
}

static void heading_json(const struct sf_plan_heading *head, struct sf_json_writer *w)
{
    sf_jw_key_str(w, "id", head->id);
    sf_jw_key_str(w, "title", head->title);
    sf_jw_key_str(w, "notes", head->notes);
}

void sf_plan_task_json(const struct sf_plan *plan, size_t task, struct sf_json_writer *w)
{
    const struct sf_plan_task *t = &plan->tasks[task];

    sf_jw_object_begin(w);
    heading_json(&t->head, w);
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        sf_jw_key(w, f->name);
        value_json(plan, t, f, w);
    }
    sf_jw_object_end(w);
}

static void slice_json(const struct sf_plan *plan, const struct sf_plan_slice *s,
                       struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    heading_json(&s->head, w);
    sf_jw_key(w, "tasks");
    sf_jw_array_begin(w);
    for (size_t t = s->first; t < s->first + s->count; t++)
        sf_plan_task_json(plan, t, w);
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

void sf_plan_json(const struct sf_plan *plan, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "title", plan->title);
    sf_jw_key_str(w, "goal", plan->goal);
    sf_jw_key_str(w, "notes", plan->notes);
    sf_jw_key(w, "milestones");
    sf_jw_array_begin(w);
    for (size_t m = 0, s = 0; m < plan->milestone_count; m++) {
        sf_jw_object_begin(w);
        heading_json(&plan->milestones[m].head, w);
        sf_jw_key(w, "slices");
        sf_jw_array_begin(w);
        for (; s < plan->slice_count && plan->slices[s].milestone == m; s++)
            slice_json(plan, &plan->slices[s], w);
        sf_jw_array_end(w);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}
