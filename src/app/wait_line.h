/*
 * wait_line: the last line of a terminal while a one-shot run waits: what for, how long already, and
 * the key that ends it. It appears after a second of silence and is gone before anything else is
 * printed.
 */
#ifndef SF_APP_WAIT_LINE_H
#define SF_APP_WAIT_LINE_H

#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

struct sf_wait_call {
    char *id, *what; /* `what`: its name with what it is about */
    int64_t since_ms;
};

struct sf_wait_line {
    struct sf_loop *loop; /* NULL: standard error is no terminal, so nothing is shown. */
    struct sf_strbuf what;
    int64_t since_ms;
    uint64_t timer;
    struct sf_wait_call *calls; /* that run */
    size_t count, cap;
    int64_t model_ms; /* since when the model is waited for; 0: it is not */
    size_t asked;     /* Questions that wait for the user, who sees them. */
    bool shown;
    bool plain; /* The terminal cannot erase a line, so each wait gets one of its own. */
};

/* Shows nothing unless standard error is a terminal. */
void sf_wait_line_init(struct sf_wait_line *w, struct sf_loop *loop);
void sf_wait_line_release(struct sf_wait_line *w);

/* `what` is waited for from now on. */
void sf_wait_line_set(struct sf_wait_line *w, const char *what);

/*
 * Sets what a turn waits for after the event: a call that runs, or the model's answer. The time of a
 * wait goes on, whatever is heard in between.
 */
void sf_wait_line_event(struct sf_wait_line *w, const struct sf_event *event,
                        const struct sf_port *port);

/* Nothing is waited for, or something else is about to be printed. */
void sf_wait_line_clear(struct sf_wait_line *w);

#endif
