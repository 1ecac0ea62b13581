/*
 * briefing.c: what the model of a unit is told. The parts that the machine asks for are rows of a
 * table, in the order in which they are written. Everything is taken from the accepted plan and the
 * store; nothing of an earlier conversation.
 */
#include "run/internal.h"

enum { WORDS_MOST = 6000, TITLES_MOST = 40 };

static void add_task(const struct sf_run *run, const struct sf_units_effect *e,
                     struct sf_strbuf *out)
{
    const struct sf_plan_task *t = sf_run_task(run, e->task);

    sf_strbuf_addf(out, "# Unit %s: %s\n\n%s\n", e->task, t->head.title, t->what);
    if (*t->head.notes)
        sf_strbuf_addf(out, "\n%s\n", t->head.notes);
    if (*t->acceptance)
        sf_strbuf_addf(out, "\nIt is accepted when: %s\n", t->acceptance);
    sf_strbuf_adds(out, "\nDo this unit and nothing beyond it. When it is done, say in a few words "
                        "what you changed. If you cannot do it, say what is missing.\n");
}

static void add_plan(const struct sf_run *run, const struct sf_units_effect *e,
                     struct sf_strbuf *out)
{
    const struct sf_plan *plan = &run->parsed;
    const struct sf_plan_task *here = sf_run_task(run, e->task);
    const struct sf_plan_milestone *m = &plan->milestones[here->milestone];
    size_t count = m->count < TITLES_MOST ? m->count : TITLES_MOST;

    sf_strbuf_addf(out, "\n## The plan around it\n\n%s%s%s\n%s %s:\n", plan->title,
                   *plan->goal ? ": " : "", plan->goal, m->head.id, m->head.title);
    for (size_t i = m->first; i < m->first + count; i++) {
        const struct sf_run_row *row = sf_run_row(run, plan->tasks[i].head.id);

        sf_strbuf_addf(out, "- %s %s (%s)\n", plan->tasks[i].head.id, plan->tasks[i].head.title,
                       &plan->tasks[i] == here ? "this unit"
                       : row                   ? sf_task_states[row->state]
                                               : "todo");
    }
    if (m->count > count)
        sf_strbuf_addf(out, "- and %zu more\n", m->count - count);
}

static void add_words(const char *title, const char *text, struct sf_strbuf *out)
{
    size_t len = strlen(text);

    if (!len)
        return;
    if (len > WORDS_MOST)
        len = sf_utf8_cut(text, WORDS_MOST);
    sf_strbuf_addf(out, "\n## %s\n\n%.*s\n", title, (int)len, text);
}

static void add_failed(const struct sf_run *run, const struct sf_units_effect *e,
                       struct sf_strbuf *out)
{
    const struct sf_run_row *row = sf_run_row(run, e->task);

    if (row && row->failed)
        add_words("What failed before", row->failed, out);
}

static void add_interrupted(const struct sf_run *run, const struct sf_units_effect *e,
                            struct sf_strbuf *out)
{
    (void)run;
    (void)e;
    sf_strbuf_adds(
        out, "\n## It was begun before\n\nAn earlier attempt did not come to its end. Files may "
             "hold part of its work: look at them before you change anything, and do "
             "not do twice what is there.\n");
}

static void add_person(const struct sf_run *run, const struct sf_units_effect *e,
                       struct sf_strbuf *out)
{
    (void)run;
    add_words("What the user says about it", e->text.buf, out);
}

static void add_files(const struct sf_run *run, const struct sf_units_effect *e,
                      struct sf_strbuf *out)
{
    const struct sf_plan_files *files = &sf_run_task(run, e->task)->files;

    if (!files->count)
        return;
    sf_strbuf_adds(out, "\n## Files it means to touch\n\n");
    for (size_t i = 0; i < files->count; i++) {
        const struct sf_plan_span *s = &files->items[i];

        sf_strbuf_addf(out, "- %s", s->path);
        if (s->from)
            sf_strbuf_addf(out, ":%d-%d", s->from, s->to);
        sf_strbuf_addch(out, '\n');
    }
}

static void add_verify(const struct sf_run *run, const struct sf_units_effect *e,
                       struct sf_strbuf *out)
{
    struct sf_strbuf check = SF_STRBUF_INIT;

    sf_run_check_of(run, e->task, &check);
    if (check.len)
        sf_strbuf_addf(out,
                       "\n## How it is verified\n\nOnce you are done, sf runs this itself, and "
                       "only its result counts:\n\n    %s\n",
                       check.buf);
    sf_strbuf_release(&check);
}

static const struct {
    unsigned part;
    void (*add)(const struct sf_run *run, const struct sf_units_effect *e, struct sf_strbuf *out);
} parts[] = {
    { SF_UNITS_BRIEF_TASK, add_task },     { SF_UNITS_BRIEF_INTERRUPTED, add_interrupted },
    { SF_UNITS_BRIEF_FAILED, add_failed }, { SF_UNITS_BRIEF_WORDS, add_person },
    { SF_UNITS_BRIEF_FILES, add_files },   { SF_UNITS_BRIEF_VERIFY, add_verify },
    { SF_UNITS_BRIEF_PLAN, add_plan },
};

void sf_run_brief(const struct sf_run *run, const struct sf_units_effect *start,
                  struct sf_strbuf *out)
{
    sf_strbuf_adds(out, SF_UNIT_TAG "\n");
    for (size_t i = 0; i < SF_COUNT(parts); i++)
        if (start->brief & parts[i].part)
            parts[i].add(run, start, out);
    sf_strbuf_adds(out, "</unit>");
}

void sf_run_check_of(const struct sf_run *run, const char *task, struct sf_strbuf *out)
{
    const struct sf_plan_task *t = sf_run_task(run, task);
    const struct sf_config_value *checks = sf_config_find(run->setup.config, "work.verify");

    if (t && *t->verify) {
        sf_strbuf_adds(out, t->verify);
        return;
    }
    for (size_t i = 0; i < checks->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? " && " : "", checks->items[i].text);
}
