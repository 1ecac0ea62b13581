/*
 * plan_status.c: an accepted plan is read from its row, so that its tasks and their states fit
 * whatever became of the file; the file only says whether it is still the same.
 */
#include "workspace/plan_status.h"

#include "workspace/plan_files.h"

const char *const sf_plan_stages[] = {
    [SF_PLAN_STAGE_DRAFT] = "draft",
    [SF_PLAN_STAGE_WRONG] = "wrong",
    [SF_PLAN_STAGE_ACCEPTED] = "accepted",
    [SF_PLAN_STAGE_CHANGED] = "changed",
};

void sf_plan_status_release(struct sf_plan_status *s)
{
    free(s->name);
    free(s->accepted_at);
    free(s->accepted_by);
    free(s->states);
    sf_plan_release(&s->plan);
    *s = (struct sf_plan_status){ .plan = SF_PLAN_INIT };
}

struct accepted {
    struct sf_plan_status *status;
    struct sf_strbuf text;
    char digest[SF_SHA256_HEX + 1];
};

static bool take_plan(const struct sf_plan_row *row, void *ctx)
{
    struct accepted *a = ctx;

    a->status->accepted_at = sf_strdup(row->accepted_at);
    a->status->accepted_by = sf_strdup(row->accepted_by);
    snprintf(a->digest, sizeof(a->digest), "%s", row->digest);
    sf_strbuf_adds(&a->text, row->text);
    return false;
}

static bool take_state(const struct sf_task_row *row, void *ctx)
{
    struct sf_plan_status *s = ctx;

    if (row->position > 0 && (size_t)row->position <= s->plan.task_count) {
        s->states[row->position - 1] = row->state;
        s->done += row->state == SF_TASK_DONE;
    }
    return true;
}

static bool read_plan(struct sf_plan *plan, const struct sf_strbuf *text)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    bool ok = sf_plan_parse(text->buf, text->len, plan, &faults);

    sf_plan_faults_release(&faults);
    return ok;
}

static enum sf_plan_stage compare(const struct accepted *a, const struct sf_strbuf *file)
{
    char digest[SF_SHA256_HEX + 1];

    sf_plan_digest(file->buf, file->len, digest);
    return strcmp(digest, a->digest) != 0 ? SF_PLAN_STAGE_CHANGED : SF_PLAN_STAGE_ACCEPTED;
}

bool sf_plan_status_get(struct sf_store *store, const char *root, const char *name,
                        struct sf_plan_status *out, struct sf_error *err)
{
    struct accepted a = { .status = out, .text = SF_STRBUF_INIT };
    const struct sf_task_filter tasks = { .plan = name };
    struct sf_strbuf file = SF_STRBUF_INIT;
    bool ok;

    *out = (struct sf_plan_status){ .name = sf_strdup(name), .plan = SF_PLAN_INIT };
    ok = sf_store_each_plan(store, name, take_plan, &a, err);
    if (ok && !sf_plan_file_read(root, name, &file, err))
        ok = a.digest[0] && err->code == SF_E_NOENT;
    if (ok && a.digest[0])
        out->stage = read_plan(&out->plan, &a.text) ? compare(&a, &file) : SF_PLAN_STAGE_WRONG;
    else if (ok)
        out->stage = read_plan(&out->plan, &file) ? SF_PLAN_STAGE_DRAFT : SF_PLAN_STAGE_WRONG;
    out->states = sf_alloc_array(out->plan.task_count + 1, sizeof(*out->states));
    if (ok && a.digest[0])
        ok = sf_store_each_task(store, &tasks, take_state, out, err);
    if (!out->accepted_at) {
        out->accepted_at = sf_strdup("");
        out->accepted_by = sf_strdup("");
    }
    sf_strbuf_release(&a.text);
    sf_strbuf_release(&file);
    if (!ok)
        sf_plan_status_release(out);
    return ok;
}

static bool add_name(const struct sf_plan_row *row, void *ctx)
{
    if (!sf_strlist_has(ctx, row->name))
        sf_strlist_add(ctx, row->name);
    return true;
}

bool sf_plan_names(struct sf_store *store, const char *root, struct sf_strlist *out,
                   struct sf_error *err)
{
    sf_plan_files_list(root, out);
    if (!sf_store_each_plan(store, NULL, add_name, out, err))
        return false;
    sf_strlist_sort(out);
    return true;
}

static void add_stage(const struct sf_plan_status *s, struct sf_strbuf *out)
{
    switch (s->stage) {
    case SF_PLAN_STAGE_DRAFT:
        sf_strbuf_adds(out, "Not accepted yet.");
        break;
    case SF_PLAN_STAGE_WRONG:
        sf_strbuf_addf(out,
                       "It cannot be read as a plan: `sf plan check .sf/plans/%s.md` says "
                       "why.",
                       s->name);
        break;
    case SF_PLAN_STAGE_ACCEPTED:
    case SF_PLAN_STAGE_CHANGED:
        sf_strbuf_addf(out, "Accepted %s by %s; %zu of %zu tasks done.", s->accepted_at,
                       s->accepted_by, s->done, s->plan.task_count);
        if (s->stage == SF_PLAN_STAGE_CHANGED)
            sf_strbuf_adds(out, " The file is not what was accepted: this is the accepted plan.");
        break;
    }
    sf_strbuf_addch(out, '\n');
}

void sf_plan_status_text(const struct sf_plan_status *s, struct sf_strbuf *out)
{
    const struct sf_plan_facts facts = sf_plan_facts_of(&s->plan, NULL, NULL);
    size_t milestone = SIZE_MAX;

    if (s->plan.task_count)
        sf_strbuf_addf(out, "# %s\n\n", s->plan.title);
    if (*s->plan.goal)
        sf_strbuf_addf(out, "%s\n\n", s->plan.goal);
    add_stage(s, out);
    if (!s->plan.task_count)
        return;
    sf_strbuf_addch(out, '\n');
    sf_plan_facts_text(&facts, out);
    sf_strbuf_addch(out, '\n');
    for (size_t i = 0; i < s->plan.task_count; i++) {
        const struct sf_plan_task *t = &s->plan.tasks[i];

        if (t->milestone != milestone)
            sf_strbuf_addf(out, "\n## %s %s\n\n", s->plan.milestones[t->milestone].head.id,
                           s->plan.milestones[t->milestone].head.title);
        milestone = t->milestone;
        sf_strbuf_addf(out, "- %s **%s** %s\n", sf_task_states[s->states[i]], t->head.id,
                       t->head.title);
    }
}

void sf_plan_status_json(const struct sf_plan_status *s, bool tasks, struct sf_json_writer *w)
{
    sf_jw_object_begin(w);
    sf_jw_key_str(w, "name", s->name);
    sf_jw_key_str(w, "stage", sf_plan_stages[s->stage]);
    sf_jw_key_int(w, "tasks", (int64_t)s->plan.task_count);
    sf_jw_key_int(w, "done", (int64_t)s->done);
    if (tasks) {
        sf_jw_key(w, "plan");
        sf_plan_json(&s->plan, w);
        sf_jw_key(w, "states");
        sf_jw_object_begin(w);
        for (size_t i = 0; i < s->plan.task_count; i++)
            sf_jw_key_str(w, s->plan.tasks[i].head.id, sf_task_states[s->states[i]]);
        sf_jw_object_end(w);
    }
    sf_jw_object_end(w);
}
