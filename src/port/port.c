/*
 * port.c: the port's life, its sessions, and what it sends to the surface. Events of the session
 * pass through here, so that totals and the queue are up to date before they are drawn.
 */
#include "port/port.h"

#include <stdarg.h>
#include <string.h>

#include "port/internal.h"

/* ---- responses ---- */

void sf_port_changed(struct sf_port *p)
{
    if (p->setup.surface.changed)
        p->setup.surface.changed(p->setup.surface.ctx);
}

void sf_port_respond(struct sf_port *p, struct sf_response *r)
{
    if (!*r->command)
        r->command = p->command;
    p->shown = p->shown || (r->kind >= SF_RESPONSE_PAGE && r->kind <= SF_RESPONSE_FIELD);
    p->setup.surface.response(p->setup.surface.ctx, r);
    sf_response_release(r);
}

void sf_port_note(struct sf_port *p, bool bad, const char *format, ...)
{
    struct sf_response r;
    va_list args;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.bad = bad;
    va_start(args, format);
    sf_strbuf_vaddf(&r.text, format, args);
    va_end(args);
    sf_port_respond(p, &r);
}

void sf_port_say(struct sf_port *p, const char *format, ...)
{
    struct sf_response r;
    va_list args;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.lasts = true;
    va_start(args, format);
    sf_strbuf_vaddf(&r.text, format, args);
    va_end(args);
    sf_port_respond(p, &r);
}

void sf_port_note_while(struct sf_port *p, enum sf_note_holds holds, const char *format, ...)
{
    struct sf_response r;
    va_list args;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.holds = holds;
    /* It says why something cannot be done now. */
    r.bad = holds == SF_HOLDS_RUNNING || holds == SF_HOLDS_LOOKING;
    va_start(args, format);
    sf_strbuf_vaddf(&r.text, format, args);
    va_end(args);
    sf_port_respond(p, &r);
}

void sf_port_usage(struct sf_port *p, const char *format, ...)
{
    struct sf_response r;
    va_list args;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    r.bad = r.usage = true;
    va_start(args, format);
    sf_strbuf_vaddf(&r.text, format, args);
    va_end(args);
    sf_port_respond(p, &r);
}

void sf_port_passing(struct sf_port *p, const char *text)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    sf_strbuf_adds(&r.text, text);
    r.passing = true;
    sf_port_respond(p, &r);
}

void sf_port_fail(struct sf_port *p, const struct sf_error *err)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_ERROR, "");
    sf_strbuf_adds(&r.text, err->msg);
    snprintf(r.hint, sizeof(r.hint), "%s", err->hint);
    r.usage = err->code == SF_E_ARG || err->code == SF_E_NOENT;
    sf_port_respond(p, &r);
}

void sf_port_page(struct sf_port *p, const char *title, struct sf_strbuf *markdown)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_PAGE, title);
    sf_strbuf_add(&r.text, markdown->buf, markdown->len);
    sf_strbuf_release(markdown);
    sf_port_respond(p, &r);
}

const char *sf_port_owe(struct sf_port *p)
{
    p->owed++;
    return p->command;
}

void sf_port_paid(struct sf_port *p)
{
    p->owed--;
    sf_port_changed(p);
}

int sf_port_columns(const struct sf_port *p)
{
    return p->setup.surface.columns ? p->setup.surface.columns(p->setup.surface.ctx) : 80;
}

bool sf_port_moves(const struct sf_port *p)
{
    return p->setup.surface.entered != NULL;
}

/* ---- events ---- */

static void count_usage(struct sf_port *p, const struct sf_event_usage *usage)
{
    const struct sf_usage *u = usage->tokens;

    p->totals.tokens_in += u->input + u->cache_read + u->cache_write;
    p->totals.tokens_out += u->output;
    if (usage->cost >= 0)
        p->totals.cost += usage->cost;
    else
        p->totals.cost_known = false;
}

/* The queue continues after the surface has shown how the turn or command ended. */
static void go_on(struct sf_port *p, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_DONE && !event->depth)
        sf_queue_after(p, event->done.status == SF_TURN_DONE && !event->done.command);
    else if (event->kind == SF_EVENT_RESULT && sf_call_is_users(event->call->id))
        sf_queue_after_shell(p, !event->result.tool->is_error);
}

static void on_event(void *ctx, const struct sf_event *event)
{
    struct sf_port *p = ctx;

    if (event->kind == SF_EVENT_USAGE)
        count_usage(p, &event->usage);
    sf_steering_take(p, event);
    sf_overview_take(p, event);
    sf_port_run_follow(p, event); /* first: the surface asks whether anything follows */
    p->setup.surface.event(p->setup.surface.ctx, event);
    go_on(p, event);
}

static void on_job(void *ctx, int64_t id)
{
    struct sf_port *p = ctx;

    if (p->setup.surface.job)
        p->setup.surface.job(p->setup.surface.ctx, id);
    sf_port_changed(p);
}

static bool read_totals(struct sf_port *p, struct sf_error *err)
{
    struct sf_usage_totals spent;

    if (!sf_usage_totals_read(p->setup.session.store, sf_session_id(p->session), &spent, err))
        return false;
    p->totals = (struct sf_port_totals){
        .tokens_in = spent.input + spent.cache_read + spent.cache_write,
        .tokens_out = spent.output,
        .cost = spent.cost_micro_usd,
        .cost_known = spent.unpriced == 0,
    };
    return true;
}

/* The owner writes usage shortly after each answer, and at the latest before the end of a turn. */
static void renew_totals(struct sf_port *p, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;

    if ((!strcmp(event->kind, SF_LOG_ASSISTANT) || !strcmp(event->kind, SF_LOG_END)) &&
        !read_totals(p, &ignored))
        p->totals.cost_known = false;
}

static void on_watched(void *ctx, const struct sf_watch_event *seen)
{
    struct sf_port *p = ctx;

    if (seen->kind == SF_WATCH_EVENT)
        renew_totals(p, seen->event);
    p->setup.surface.watched(p->setup.surface.ctx, seen);
    if (seen->kind == SF_WATCH_TAKEN)
        sf_queue_load(p);
}

/* ---- sessions ---- */

static struct sf_session *open_session(struct sf_port *p, const char *resume, struct sf_error *err)
{
    struct sf_session_setup setup = p->setup.session;
    struct sf_session *session;

    setup.resume = resume;
    setup.event = on_event;
    setup.job = on_job;
    setup.seen = p->setup.surface.watched ? on_watched : NULL;
    setup.ctx = p;
    session = sf_session_open(&setup, err);
    if (session && p->setup.opened && !p->setup.opened(p->setup.ctx, session, err)) {
        sf_session_close(session);
        session = NULL;
    }
    return session;
}

static void session_gone(void *ctx)
{
    struct sf_port *p = ctx;

    p->left.sessions--;
}

/* What it began, such as the snapshot after the last command, ends behind the next session. */
static void retire_session(struct sf_port *p)
{
    if (!p->session)
        return;
    p->left.sessions++;
    sf_session_retire(p->session, session_gone, p);
}

/* Hands over what was attached before there was a session. */
static void attach_pictures(struct sf_port *p)
{
    for (size_t i = 0; i < p->pictures.count; i++) {
        struct sf_block *b = &p->pictures.blocks[i];

        sf_session_attach(p->session, b->media, b->data);
        b->media = b->data = NULL;
    }
    sf_message_release(&p->pictures);
    p->pictures = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
}

static bool change_session(struct sf_port *p, struct sf_session *session, bool resumes,
                           struct sf_error *err)
{
    const struct sf_port_surface *s = &p->setup.surface;

    if (p->session && s->leaving)
        s->leaving(s->ctx, resumes);
    sf_questions_drop(p);
    sf_port_run_close(p);
    sf_overview_leave(p);
    retire_session(p);
    sf_strlist_release(&p->steering);
    p->session = session;
    attach_pictures(p);
    sf_overview_enter(p, resumes);
    p->totals = (struct sf_port_totals){ .cost_known = true };
    if (resumes && !read_totals(p, err))
        return false;
    if (s->entered && !s->entered(s->ctx, resumes, err))
        return false;
    sf_queue_load(p);
    sf_port_changed(p);
    return true;
}

bool sf_port_enter(struct sf_port *p, const char *resume, struct sf_error *err)
{
    const struct sf_session_setup before = p->setup.session;
    struct sf_session *session;

    if (p->session && sf_port_works(p))
        return sf_fail(err, SF_E_BUSY, "%s is running", sf_port_running(p)) ||
               sf_hint(err, "Esc cancels it; then try again");
    if (p->session && p->restore.looking) /* the answer would be shown in the wrong session */
        return sf_fail(err, SF_E_BUSY, "one moment: files are being looked at; then try again");
    if (p->has_next)
        p->setup.session = p->next;
    session = p->setup.provide(p->setup.ctx, resume, &p->setup.session, err)
                  ? open_session(p, resume, err)
                  : NULL;
    if (!session) {
        p->setup.session = before; /* the old session stays, and so does its setup */
        return false;
    }
    p->has_next = false;
    return change_session(p, session, resume != NULL, err);
}

bool sf_port_enter_first(struct sf_port *p, struct sf_error *err)
{
    return sf_store_hold(p->setup.session.store, err) &&
           sf_port_enter(p, p->setup.session.resume, err);
}

bool sf_port_first_shown(struct sf_port *p, struct sf_error *err)
{
    return sf_store_let_go(p->setup.session.store, err);
}

/* Axes that the user has changed already are carried over to the session that replaces it. */
static void carry_axes(struct sf_port *p, const struct sf_mode_state *chosen,
                       const struct sf_mode_state *fallback)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    for (int i = 0; i < SF_AXIS_SETTABLE; i++) {
        int value = sf_mode_state_get(chosen, (enum sf_axis)i);

        if (value != sf_mode_state_get(fallback, (enum sf_axis)i))
            sf_change_axis(&change, (enum sf_axis)i, value);
    }
    if (change.fields)
        sf_port_change(p, &change, SF_WHEN_DEFAULT, "as chosen before");
}

bool sf_port_renew(struct sf_port *p, const char *name, const char *key)
{
    const struct sf_mode_state chosen = sf_session_preview(p->session),
                               fallback = p->setup.session.state;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    if (!p->setup.renew)
        return false;
    if (!p->setup.renew(p->setup.ctx, name, key, &p->next, &err)) {
        sf_port_fail(p, &err);
        return false;
    }
    p->next.attended = p->setup.session.attended; /* the surface decides these two */
    p->next.at_leisure = p->setup.session.at_leisure;
    p->has_next = true;
    sf_config_free(p->fresh);
    p->fresh = NULL;
    if (!sf_session_is_blank(p->session) || sf_port_works(p))
        return false;
    snprintf(id, sizeof(id), "%s", sf_session_id(p->session));
    if (!sf_port_enter(p, NULL, &err) ||
        !sf_store_session_delete(p->setup.session.store, id, &err)) {
        sf_port_fail(p, &err);
        return false;
    }
    carry_axes(p, &chosen, &fallback);
    return true;
}

/* ---- life ---- */

struct sf_port *sf_port_open(const struct sf_port_setup *setup)
{
    struct sf_port *p = sf_alloc(sizeof(*p));

    *p = (struct sf_port){ .setup = *setup,
                           .loop = setup->session.loop,
                           .history = sf_prompt_history_new(),
                           .totals = { .cost_known = true },
                           .log_level = SF_LOG_INFO,
                           .steering = SF_STRLIST_INIT,
                           .pictures = SF_MESSAGE_INIT(SF_ROLE_USER),
                           .drafts = { .kept = SF_STRBUF_INIT },
                           .command = "" };
    return p;
}

void sf_port_end(struct sf_port *p)
{
    p->ending = true;
    sf_port_run_close(p);
    if (sf_port_works(p))
        sf_port_cancel(p);
    if (p->doctor.child)
        sf_child_cancel(p->doctor.child);
    sf_port_connect_leave(p);
}

bool sf_port_has_ended(const struct sf_port *p)
{
    return !sf_port_works(p) && !p->doctor.child && !p->left.connects;
}

void sf_port_close(struct sf_port *p)
{
    if (!p)
        return;
    sf_port_draft_settle(p);
    sf_port_connect_leave(p);
    while (p->left.connects)
        sf_loop_turn(p->loop, -1);
    sf_overview_close(p);
    sf_port_checkout_close(p);
    sf_strbuf_release(&p->drafts.kept);
    sf_loop_remove(p->loop, p->queue.timer);
    sf_questions_drop(p);
    sf_fields_drop(p);
    sf_port_run_close(p);
    sf_session_close(p->session);
    while (p->left.sessions)
        sf_loop_turn(p->loop, -1);
    sf_overview_release(p);
    sf_port_checkout_release(p);
    sf_queue_release(&p->queue);
    sf_strlist_release(&p->steering);
    sf_message_release(&p->pictures);
    sf_custom_files_release(&p->customs);
    sf_prompt_history_free(p->history);
    sf_config_free(p->fresh);
    free(p);
}
