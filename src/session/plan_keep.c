/*
 * plan_keep.c: what an acceptance leaves behind: the plan with its tasks in the store, and its text
 * as .sf/plans/NAME.md. A file of that name that says something else is the user's and stays.
 */
#include "base/base.h"
#include "plan/plan.h"
#include "session/internal.h"

/* "Search in the notes" is called search-in-the-notes. */
static void name_of(const char *title, char name[SF_PLAN_NAME_MAX + 1])
{
    size_t n = 0;

    for (; *title && n < 40; title++) {
        char c = *title;

        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            name[n++] = c;
        else if (n && name[n - 1] != '-')
            name[n++] = '-';
    }
    while (n && name[n - 1] == '-')
        n--;
    name[n] = '\0';
    if (!n)
        snprintf(name, SF_PLAN_NAME_MAX + 1, "plan");
}

static void tell(struct sf_call *c, const char *name, const char *why)
{
    struct sf_strbuf note = SF_STRBUF_INIT;
    struct sf_event event;

    sf_strbuf_addf(&note, "plan %s: %s", name, why);
    event = sf_event_of_notice(note.buf, note.len);
    sf_session_tell(c->session, &event);
    sf_strbuf_release(&note);
}

static void keep_file(struct sf_call *c, const char *name, const struct sf_strbuf *text)
{
    const char *root = c->session->setup.policy->root.path;
    struct sf_strbuf there = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_plan_file_read(root, name, &there, &err)) {
        if (there.len != text->len || memcmp(there.buf, text->buf, text->len) != 0)
            tell(c, name, "its file says something else and stays; `sf plan show` has this one");
    } else if (!sf_plan_file_write(root, name, text, false, &err)) {
        tell(c, name, err.msg);
    }
    sf_strbuf_release(&there);
}

static void keep_tasks(struct sf_call *c, const char *name, const struct sf_plan *plan,
                       const struct sf_strbuf *text, const char *who)
{
    const struct sf_mode_state state = sf_mode_machine_preview(c->session->axes.machine);
    const struct sf_plan_new row = { .name = name,
                                     .session = c->session->id,
                                     .text = text->buf,
                                     .len = text->len,
                                     .plan = plan,
                                     .state = &state,
                                     .accepted_by = who };
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    int64_t carried;

    if (sf_store_plan_accept(c->session->setup.store, &row, id, &carried, &err))
        keep_file(c, name, text);
    else
        tell(c, name, err.msg);
}

void sf_plan_keep(struct sf_call *c, const char *who)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    char name[SF_PLAN_NAME_MAX + 1];

    sf_strbuf_adds(&text, c->plan.text);
    if (sf_plan_is_structured(text.buf, text.len) &&
        sf_plan_parse(text.buf, text.len, &plan, &faults)) {
        name_of(plan.title, name);
        keep_tasks(c, name, &plan, &text, who);
    }
    sf_plan_release(&plan);
    sf_plan_faults_release(&faults);
    sf_strbuf_release(&text);
}
