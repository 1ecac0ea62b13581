/*
 * status.c: the line that tells the user something for a while: what a key or a command did, what
 * was wrong with it, or how long something takes.
 */
#include "tui/internal.h"

enum {
    STATUS_MS = 8000,
    AWAITED_MS = 1000,
};

static void status_over(void *ctx)
{
    struct sf_status *status = ctx;

    status->timer = 0;
    status->text[0] = '\0';
    sf_paint_soon(status->painter);
}

void sf_status_say(struct sf_status *status, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(status->text, sizeof(status->text), format, args);
    va_end(args);
    status->bad = bad;
    status->holds = NULL;
    sf_loop_remove(status->loop, status->timer);
    status->timer = sf_loop_add_timer(status->loop, STATUS_MS, 0, status_over, status);
    sf_paint_soon(status->painter);
}

void sf_status_while(struct sf_status *status, sf_status_holds_fn *holds)
{
    status->holds = holds;
}

void sf_status_for(struct sf_status *status, int64_t ms)
{
    sf_loop_remove(status->loop, status->timer);
    status->timer = sf_loop_add_timer(status->loop, ms, 0, status_over, status);
}

void sf_status_look(struct sf_tui *ui)
{
    struct sf_status *status = &ui->status;

    if (status->text[0] && status->holds && !status->holds(ui))
        status->text[0] = '\0';
}

static void tell_awaited(void *ctx)
{
    struct sf_status *status = ctx;
    int64_t s = (sf_clock_monotonic_ms() - status->awaited.since_ms) / 1000;

    status->awaited.timer = sf_loop_add_timer(status->loop, AWAITED_MS, 0, tell_awaited, status);
    sf_status_say(status, false, "%s %d:%02d   Esc stops", status->awaited.what, (int)(s / 60),
                  (int)(s % 60));
}

void sf_status_await(struct sf_status *status, const char *what, int64_t since_ms)
{
    sf_status_await_end(status);
    snprintf(status->awaited.what, sizeof(status->awaited.what), "%s", what);
    status->awaited.since_ms = since_ms;
    tell_awaited(status);
}

void sf_status_await_end(struct sf_status *status)
{
    if (!status->awaited.timer)
        return;
    sf_loop_remove(status->loop, status->awaited.timer);
    status->awaited.timer = 0;
    status->text[0] = '\0';
    sf_paint_soon(status->painter);
}

void sf_status_stop(struct sf_status *status)
{
    sf_loop_remove(status->loop, status->timer);
    sf_loop_remove(status->loop, status->awaited.timer);
    status->timer = status->awaited.timer = 0;
}
