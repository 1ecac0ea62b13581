/*
 * plan_case.c: makes plans, accepts them and looks tasks up.
 */
#include "support/plan_case.h"

#include "support/test.h"

char *test_plan_text(int tasks, const char *what)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "---\ntitle: Work\n---\n\n## M1 Work\n\n### S1 Tasks\n");
    for (int i = 1; i <= tasks; i++)
        sf_strbuf_addf(&text, "\n#### T%d Task %d\n\n- what: %s %d\n", i, i, what, i);
    return sf_strbuf_detach(&text);
}

bool test_plan_accept(struct sf_store *store, const char *name, const char *text, int64_t *carried,
                      struct sf_error *err)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    struct sf_mode_state state;
    struct sf_plan_new row = { .name = name,
                               .text = text,
                               .len = strlen(text),
                               .plan = &plan,
                               .state = &state,
                               .accepted_by = "user" };
    char id[SF_ID_LEN + 1];
    bool ok;

    sf_mode_state_init(&state, SF_SURFACE_HEADLESS);
    if (!sf_plan_parse(text, strlen(text), &plan, &faults))
        fail_msg("%u: %s", faults.items[0].line, faults.items[0].msg);
    ok = sf_store_plan_accept(store, &row, id, carried, err);
    sf_plan_release(&plan);
    return ok;
}

struct found {
    const char *path;
    char *id;
    enum sf_task_state state;
    int64_t fence;
    int count;
};

static bool look(const struct sf_task_row *row, void *ctx)
{
    struct found *f = ctx;

    if (f->path && strcmp(row->path, f->path) != 0)
        return true;
    if (f->id)
        snprintf(f->id, SF_ID_LEN + 1, "%s", row->id);
    f->state = row->state;
    f->fence = row->fence;
    f->count++;
    return true;
}

void test_task_id(struct sf_store *store, const char *plan, const char *path,
                  char id[SF_ID_LEN + 1])
{
    const struct sf_task_filter filter = { .plan = plan };
    struct found f = { .path = path, .id = id };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_task(store, &filter, look, &f, &err) || f.count != 1)
        fail_msg("%s of %s: %d rows %s", path, plan, f.count, err.msg);
}

enum sf_task_state test_task_state(struct sf_store *store, const char *id, int64_t *fence)
{
    const struct sf_task_filter filter = { .id = id };
    struct found f = { .path = NULL };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_task(store, &filter, look, &f, &err) || f.count != 1)
        fail_msg("%s: %d rows %s", id, f.count, err.msg);
    if (fence)
        *fence = f.fence;
    return f.state;
}
