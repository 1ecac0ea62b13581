/*
 * plan_headings.c: what headings open. One that is wrong opens something without a number, so that
 * what follows is read in its place and only the heading is a fault.
 */
#include "modes/modes.h"
#include "plan/plan_read.h"

static const struct {
    char letter;
    const char *noun, *marks;
} levels[] = {
    [SF_PLAN_LEVEL_MILESTONE] = { 'M', "milestone", "##" },
    [SF_PLAN_LEVEL_SLICE] = { 'S', "slice", "###" },
    [SF_PLAN_LEVEL_TASK] = { 'T', "task", "####" },
};

/* "## T1 Title" has the id of a task, which has four marks. */
static void misplaced(struct sf_plan_reader *r, struct sf_plan_slip s, enum sf_plan_level level)
{
    char quote[SF_QUOTE_MAX], hint[96];
    int number;

    snprintf(hint, sizeof(hint), "write it as \"%s %c1 Title\"", levels[level].marks,
             levels[level].letter);
    for (size_t i = 0; i < SF_COUNT(levels); i++)
        if (i != (size_t)level && sf_plan_id_read(s.at, s.len, levels[i].letter, &number))
            snprintf(hint, sizeof(hint), "a %s has %s", levels[i].noun, levels[i].marks);
    sf_plan_fault(r, s.at, hint, "\"%s\" does not begin with the id of a %s",
                  sf_quote(quote, s.at, s.len), levels[level].noun);
}

static struct sf_plan_heading read_heading(struct sf_plan_reader *r, struct sf_plan_slip s,
                                           enum sf_plan_level level)
{
    struct sf_plan_heading head = { .id = "", .title = "", .notes = "" };
    size_t n = sf_plan_id_read(s.at, s.len, levels[level].letter, &head.number);
    struct sf_plan_slip title;

    if (!n || (n < s.len && !strchr(" \t:.", s.at[n]))) {
        head.number = 0;
        misplaced(r, s, level);
        return head;
    }
    title = sf_plan_title((struct sf_plan_slip){ s.at + n, s.len - n });
    if (!title.len)
        sf_plan_fault(r, s.at, NULL, "%.*s has no title", (int)n, s.at);
    else if (title.len > SF_PLAN_TITLE)
        sf_plan_fault(r, title.at, NULL, "the title is longer than %d bytes", SF_PLAN_TITLE);
    else
        head.title = sf_arena_strndup(&r->plan->arena, title.at, title.len);
    return head;
}

/* Gives the heading its id; one that is there already is a fault. */
static void name(struct sf_plan_reader *r, struct sf_plan_heading *head, const char *above,
                 struct sf_plan_ref place, const char *at)
{
    struct sf_plan_ref *ref = sf_arena_alloc(&r->plan->arena, sizeof(*ref));
    struct sf_strbuf id = SF_STRBUF_INIT;

    sf_strbuf_addf(&id, "%s%s%c%d", above, *above ? "/" : "", levels[place.level].letter,
                   head->number);
    head->id = sf_arena_strndup(&r->plan->arena, id.buf, id.len);
    *ref = place;
    if (head->number && !sf_map_add(&r->ids, head->id, id.len, ref))
        sf_plan_fault(r, at, "every id stands once", "there is a %s already", head->id);
    sf_strbuf_release(&id);
}

static void add_milestone(struct sf_plan *p, const struct sf_plan_heading *head)
{
    p->milestones =
        sf_grow(p->milestones, &p->milestone_cap, p->milestone_count + 1, sizeof(*p->milestones));
    p->milestones[p->milestone_count++] =
        (struct sf_plan_milestone){ .head = *head, .first = p->task_count };
}

static void add_slice(struct sf_plan *p, const struct sf_plan_heading *head)
{
    p->slices = sf_grow(p->slices, &p->slice_cap, p->slice_count + 1, sizeof(*p->slices));
    p->slices[p->slice_count++] = (struct sf_plan_slice){ .head = *head,
                                                          .milestone = p->milestone_count - 1,
                                                          .first = p->task_count };
}

static void add_task(struct sf_plan *p, const struct sf_plan_heading *head)
{
    struct sf_plan_task t = { .head = *head,
                              .slice = p->slice_count - 1,
                              .milestone = p->milestone_count - 1,
                              .what = "",
                              .verify = "",
                              .acceptance = "" };

    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++)
        if (f->kind == SF_PLAN_KIND_WORD || f->kind == SF_PLAN_KIND_PRIORITY)
            *(int *)(void *)((char *)&t + f->offset) = f->fallback;
    p->tasks = sf_grow(p->tasks, &p->task_cap, p->task_count + 1, sizeof(*p->tasks));
    p->tasks[p->task_count++] = t;
    p->slices[t.slice].count++;
    p->milestones[t.milestone].count++;
}

/* What has to stand above and does not is a fault, and something is put there. */
static void need_above(struct sf_plan_reader *r, enum sf_plan_level level, const char *at)
{
    static const struct sf_plan_heading nothing = { .id = "", .title = "", .notes = "" };
    struct sf_plan *p = r->plan;

    if (level > SF_PLAN_LEVEL_MILESTONE && !p->milestone_count) {
        sf_plan_fault(r, at, "begin one with \"## M1 Title\"", "no milestone stands above this %s",
                      levels[level].noun);
        add_milestone(p, &nothing);
        if (level == SF_PLAN_LEVEL_TASK)
            add_slice(p, &nothing);
    } else if (level == SF_PLAN_LEVEL_TASK &&
               (!p->slice_count ||
                p->slices[p->slice_count - 1].milestone != p->milestone_count - 1)) {
        sf_plan_fault(r, at, "begin one with \"### S1 Title\"", "no slice stands above this task");
        add_slice(p, &nothing);
    }
}

void sf_plan_open(struct sf_plan_reader *r, enum sf_plan_level level, struct sf_plan_slip title,
                  unsigned line)
{
    struct sf_plan *p = r->plan;
    struct sf_plan_heading head = read_heading(r, title, level);

    head.line = line;
    need_above(r, level, title.at);
    switch (level) {
    case SF_PLAN_LEVEL_MILESTONE:
        name(r, &head, "", (struct sf_plan_ref){ level, p->milestone_count }, title.at);
        add_milestone(p, &head);
        break;
    case SF_PLAN_LEVEL_SLICE:
        name(r, &head, p->milestones[p->milestone_count - 1].head.id,
             (struct sf_plan_ref){ level, p->slice_count }, title.at);
        add_slice(p, &head);
        break;
    case SF_PLAN_LEVEL_TASK:
        name(r, &head, p->slices[p->slice_count - 1].head.id,
             (struct sf_plan_ref){ level, p->task_count }, title.at);
        add_task(p, &head);
        break;
    }
    if (p->task_count == SF_PLAN_TASKS + 1 && level == SF_PLAN_LEVEL_TASK)
        sf_plan_fault(r, title.at, NULL, "the plan has more than %d tasks", SF_PLAN_TASKS);
}

void sf_plan_empty_fault(struct sf_plan_reader *r, const struct sf_plan_heading *head)
{
    struct sf_error fault = SF_ERROR_INIT;

    if (!head->number)
        return;
    sf_fail(&fault, SF_E_SYNTAX, "%s holds no task", head->id);
    fault.line = head->line;
    fault.column = 1;
    sf_plan_faults_add(r->faults, &fault);
}
