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

void sf_wait_line_release(struct sf_wait_line *w)
{
    sf_wait_line_clear(w);
    sf_strbuf_release(&w->what);
    sf_strlist_release(&w->ids);
    sf_strlist_release(&w->calls);
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

void sf_wait_line_set(struct sf_wait_line *w, const char *what)
{
    sf_wait_line_clear(w);
    if (!w->loop)
        return;
    sf_strbuf_reset(&w->what);
    sf_text_sanitize(&w->what, what, strlen(what), SF_TEXT_ONE_LINE);
    w->since_ms = sf_clock_monotonic_ms();
    w->timer = sf_loop_add_timer(w->loop, TICK_MS, 0, tick, w);
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
    sf_strlist_add(&w->ids, call->id);
    sf_strlist_addf(&w->calls, "%s %s", call->name, call->what);
}

static void end_call(struct sf_wait_line *w, const char *id)
{
    for (size_t i = 0; i < w->ids.count; i++)
        if (!strcmp(w->ids.items[i], id)) {
            sf_strlist_remove(&w->ids, i);
            sf_strlist_remove(&w->calls, i);
            return;
        }
}

static void follow(struct sf_wait_line *w, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_CALL)
        begin_call(w, event->call);
    else if (event->kind == SF_EVENT_RESULT)
        end_call(w, event->call->id);
    else if (event->kind == SF_EVENT_ASKED)
        w->asked++;
    else if (event->kind == SF_EVENT_ANSWERED && w->asked)
        w->asked--;
}

void sf_wait_line_event(struct sf_wait_line *w, const struct sf_event *event, const char *model)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    if (!w->loop)
        return;
    follow(w, event);
    if (w->asked || (event->kind == SF_EVENT_DONE && !event->depth)) {
        sf_wait_line_clear(w);
    } else if (w->calls.count) {
        sf_wait_line_set(w, w->calls.items[w->calls.count - 1]);
    } else {
        sf_strbuf_addf(&what, "waiting for %s", model);
        sf_wait_line_set(w, what.buf);
    }
    sf_strbuf_release(&what);
}
