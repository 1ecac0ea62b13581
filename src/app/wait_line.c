/*
 * wait_line.c: a line that is written over itself once a second, on standard error.
 */
#include "app/wait_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { TICK_MS = 1000, COLUMNS = 80 };

#define ERASE "\r\033[K"

void sf_wait_line_init(struct sf_wait_line *w, struct sf_loop *loop)
{
    const char *term = sf_env_get("TERM");

    *w = (struct sf_wait_line){ .loop = isatty(STDERR_FILENO) ? loop : NULL,
                                .plain = !term || !strcmp(term, "dumb") };
    sf_strbuf_init(&w->what);
}

static void end_call(struct sf_wait_line *w, size_t at)
{
    free(w->calls[at].id);
    free(w->calls[at].what);
    w->count--;
    memmove(w->calls + at, w->calls + at + 1, (w->count - at) * sizeof(*w->calls));
}

void sf_wait_line_release(struct sf_wait_line *w)
{
    sf_wait_line_clear(w);
    sf_strbuf_release(&w->what);
    while (w->count)
        end_call(w, w->count - 1);
    free(w->calls);
}

static size_t columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : COLUMNS;
}

/* What is waited for gives way to the time and the key where the terminal is narrow. */
static void show(struct sf_wait_line *w)
{
    int64_t s = (sf_clock_monotonic_ms() - w->since_ms) / 1000;
    struct sf_strbuf line = SF_STRBUF_INIT;
    size_t room = columns() - 1, width;
    char end[64];

    width = (size_t)snprintf(end, sizeof(end), " %d:%02d (Ctrl+C ends it)", (int)(s / 60),
                             (int)(s % 60));
    sf_strbuf_adds(&line, w->plain ? "" : ERASE);
    sf_strbuf_add(&line, w->what.buf,
                  sf_text_fit(w->what.buf, w->what.len, room > width ? room - width : 0, NULL));
    sf_strbuf_add(&line, end, room < width ? room : width);
    if (w->plain)
        sf_strbuf_addch(&line, '\n');
    fwrite(line.buf, 1, line.len, stderr);
    fflush(stderr);
    w->shown = !w->plain;
    sf_strbuf_release(&line);
}

static void tick(void *ctx)
{
    struct sf_wait_line *w = ctx;

    w->timer = w->plain ? 0 : sf_loop_add_timer(w->loop, TICK_MS, 0, tick, w);
    show(w);
}

/* A second of silence begins, in a wait that may have begun before. */
static void await(struct sf_wait_line *w, const char *what, int64_t since_ms)
{
    sf_wait_line_clear(w);
    if (!w->loop)
        return;
    sf_strbuf_reset(&w->what);
    sf_text_sanitize(&w->what, what, strlen(what), SF_TEXT_ONE_LINE);
    w->since_ms = since_ms;
    w->timer = sf_loop_add_timer(w->loop, TICK_MS, 0, tick, w);
}

void sf_wait_line_set(struct sf_wait_line *w, const char *what)
{
    await(w, what, sf_clock_monotonic_ms());
}

void sf_wait_line_clear(struct sf_wait_line *w)
{
    if (!w->loop)
        return;
    sf_loop_remove(w->loop, w->timer);
    w->timer = 0;
    if (w->shown)
        fputs(ERASE, stderr);
    w->shown = false;
}

/* ---- what a turn waits for ---- */

static void begin_call(struct sf_wait_line *w, const struct sf_event_call *call)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_strbuf_addf(&what, "%s %s", call->name, call->what);
    w->calls = sf_grow(w->calls, &w->cap, w->count + 1, sizeof(*w->calls));
    w->calls[w->count++] = (struct sf_wait_call){ sf_strdup(call->id), sf_strbuf_detach(&what),
                                                  sf_clock_monotonic_ms() };
}

/* Its place in the list; the number of calls if it is not there. */
static size_t find_call(const struct sf_wait_line *w, const char *id)
{
    size_t at = 0;

    while (at < w->count && strcmp(w->calls[at].id, id) != 0)
        at++;
    return at;
}

/* The time in which the user was asked is none in which the call ran. */
static void answered(struct sf_wait_line *w, const char *id)
{
    size_t at = find_call(w, id);

    if (at < w->count)
        w->calls[at].since_ms = sf_clock_monotonic_ms();
    w->asked -= w->asked > 0;
}

static void follow(struct sf_wait_line *w, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_CALL)
        begin_call(w, event->call);
    else if (event->kind == SF_EVENT_RESULT && find_call(w, event->call->id) < w->count)
        end_call(w, find_call(w, event->call->id));
    else if (event->kind == SF_EVENT_ASKED)
        w->asked++;
    else if (event->kind == SF_EVENT_ANSWERED)
        answered(w, event->call->id);
}

static void await_model(struct sf_wait_line *w, const struct sf_port *port)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    if (!w->model_ms)
        w->model_ms = sf_clock_monotonic_ms();
    sf_strbuf_addf(&what, "waiting for %s", sf_port_model(port));
    await(w, what.buf, w->model_ms);
    sf_strbuf_release(&what);
}

void sf_wait_line_event(struct sf_wait_line *w, const struct sf_event *event,
                        const struct sf_port *port)
{
    bool idle;

    if (!w->loop)
        return;
    follow(w, event);
    idle = w->asked || (event->kind == SF_EVENT_DONE && !event->depth);
    if (idle || w->count)
        w->model_ms = 0;
    if (idle)
        sf_wait_line_clear(w);
    else if (w->count)
        await(w, w->calls[w->count - 1].what, w->calls[w->count - 1].since_ms);
    else
        await_model(w, port);
}
