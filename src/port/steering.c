/*
 * steering.c: text sent during a turn, until it joins the turn. It is tracked by events: those of
 * the session, or those of the log while another process owns the session.
 */
#include "port/internal.h"

void sf_steering_take(struct sf_port *p, const struct sf_event *event)
{
    if (event->depth)
        return;
    if (event->kind == SF_EVENT_STEER)
        sf_strlist_adopt(&p->steering, sf_strndup(event->words.text, event->words.len));
    else if (event->kind == SF_EVENT_STEERED && p->steering.count)
        sf_strlist_remove(&p->steering, 0);
    else if (event->kind == SF_EVENT_DONE) /* a notice has named text that was not delivered */
        sf_strlist_release(&p->steering);
}

void sf_port_follow(struct sf_port *p, const struct sf_event *event)
{
    if (event) {
        sf_steering_take(p, event);
        sf_overview_take(p, event);
    } else {
        sf_strlist_release(&p->steering);
    }
}

const struct sf_strlist *sf_port_steering(const struct sf_port *p)
{
    return &p->steering;
}
