/*
 * commands_overview.c: the facts of the overview as answers: /todos, the lines of /status, and what
 * a background job has written so far.
 */
#include <inttypes.h>

#include "port/internal.h"

/* ---- steps ---- */

void sf_command_todos(struct sf_port *p, const char *args)
{
    static const char *const columns[] = { "state", "step", NULL };
    static const char *const states[] = {
        [SF_TODO_PENDING] = "to do", [SF_TODO_RUNNING] = "doing", [SF_TODO_DONE] = "done"
    };
    const struct sf_overview *o = sf_port_overview(p);
    struct sf_response r;

    if (*args) {
        sf_port_usage(p, "/todos takes no words");
        return;
    }
    if (!o->todo_count) {
        sf_port_note(p, false, "the model has noted no steps in this session");
        return;
    }
    sf_response_init(&r, SF_RESPONSE_TABLE, "");
    snprintf(r.title, sizeof(r.title), "Steps   %zu of %zu done", o->todos_done, o->todo_count);
    r.columns = columns;
    for (size_t i = 0; i < o->todo_count; i++) {
        sf_response_row(&r, "")->current = o->todos[i].state == SF_TODO_RUNNING;
        sf_response_cell(&r, "%s", states[o->todos[i].state]);
        sf_response_cell(&r, "%s", o->todos[i].text);
    }
    sf_port_respond(p, &r);
}

/* ---- lines of /status ---- */

static void add_todos(const struct sf_overview *o, struct sf_strbuf *out)
{
    if (!o->todo_count)
        return;
    sf_strbuf_addf(out, "| steps | %zu of %zu done", o->todos_done, o->todo_count);
    for (size_t i = 0; i < o->todo_count; i++)
        if (o->todos[i].state == SF_TODO_RUNNING) {
            sf_strbuf_adds(out, "; now: ");
            sf_port_cell_add(out, o->todos[i].text);
            break;
        }
    sf_strbuf_adds(out, " |\n");
}

void sf_port_overview_add(struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_overview *o = sf_port_overview(p);

    add_todos(o, out);
    if (o->changed) {
        sf_strbuf_adds(out, "| changed | ");
        sf_changed_add(out, o);
        sf_strbuf_addf(out, "%s; /diff |\n", o->about ? " by adding up the edits" : "");
    }
    if (o->jobs)
        sf_strbuf_addf(out, "| running | %zu job%s; /tasks |\n", o->jobs, o->jobs == 1 ? "" : "s");
    if (o->questions)
        sf_strbuf_addf(out, "| waiting | %zu question%s |\n", o->questions,
                       o->questions == 1 ? "" : "s");
}

/* ---- a job ---- */

void sf_port_fenced_add(struct sf_strbuf *out, const struct sf_strbuf *text)
{
    size_t run = 0, longest = 2;

    for (size_t i = 0; i < text->len; i++) {
        run = text->buf[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    sf_strbuf_fill(out, '`', longest + 1);
    sf_strbuf_addf(out, "\n%s%s", text->buf,
                   text->len && text->buf[text->len - 1] != '\n' ? "\n" : "");
    sf_strbuf_fill(out, '`', longest + 1);
    sf_strbuf_addch(out, '\n');
}

void sf_port_show_job(struct sf_port *p, int64_t id)
{
    struct sf_strbuf output = SF_STRBUF_INIT, about = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_session_prepare(p->session);
    if (!sf_session_job_output(p->session, id, &about, &output, &err)) {
        sf_port_fail(p, &err);
    } else {
        sf_response_init(&r, SF_RESPONSE_PAGE, "");
        snprintf(r.title, sizeof(r.title), "Job %" PRId64, id);
        r.part = "job";
        r.number = id;
        sf_strbuf_addf(&r.text, "%s\n\n", about.buf);
        if (output.len)
            sf_port_fenced_add(&r.text, &output);
        else
            sf_strbuf_adds(&r.text, "It has written nothing so far.\n");
        sf_port_respond(p, &r);
    }
    sf_strbuf_release(&output);
    sf_strbuf_release(&about);
}
