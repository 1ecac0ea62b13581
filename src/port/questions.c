/*
 * questions.c: yes-or-no questions of sf itself. They wait in order; the surface shows the first
 * and answers it with sf_port_reply. Each callback is called exactly once, even if no answer comes.
 */
#include "port/internal.h"

void sf_port_ask_with(struct sf_port *p, struct sf_response *question, sf_question_fn *answered,
                      void *ctx)
{
    struct sf_questions *q = &p->questions;

    q->items = sf_grow(q->items, &q->cap, q->count + 1, sizeof(*q->items));
    q->items[q->count++] = (struct sf_question){ answered, ctx };
    sf_port_respond(p, question);
}

void sf_port_ask(struct sf_port *p, const char *markdown, sf_question_fn *answered, void *ctx)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_QUESTION, "");
    sf_strbuf_adds(&r.text, markdown);
    sf_port_ask_with(p, &r, answered, ctx);
}

bool sf_port_asks(const struct sf_port *p, sf_question_fn *answered)
{
    for (size_t i = 0; i < p->questions.count; i++)
        if (p->questions.items[i].answered == answered)
            return true;
    return false;
}

bool sf_port_reply(struct sf_port *p, bool yes)
{
    struct sf_questions *q = &p->questions;
    struct sf_question first;

    if (!q->count)
        return false;
    first = q->items[0];
    memmove(q->items, q->items + 1, --q->count * sizeof(*q->items));
    first.answered(p, first.ctx, yes);
    return true;
}

void sf_questions_drop(struct sf_port *p)
{
    while (sf_port_reply(p, false))
        ;
    free(p->questions.items);
    p->questions = (struct sf_questions){ 0 };
}
