/*
 * ask.c: what the terminal can do, for a program that shows no screen. The questions are those of a
 * screen; the answers are waited for, but not long, since some terminals never give any.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "term/modes.h"

enum { ANSWER_MS = 400 };

struct asking {
    struct sf_terminal_facts *facts;
    bool over; /* the last question is answered */
};

static void on_event(void *ctx, const struct sf_term_event *event)
{
    struct asking *a = ctx;

    if (event->kind != SF_TERM_REPLY)
        return;
    sf_probe_reply(a->facts, event);
    a->over = a->over || event->reply == SF_TERM_REPLY_ATTRIBUTES;
}

static void listen(struct asking *a)
{
    struct sf_term_decoder *decoder = sf_term_decoder_new(on_event, a);
    int64_t left = ANSWER_MS, deadline = sf_clock_monotonic_ms() + left;
    struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
    char bytes[256];

    while (!a->over && left > 0) {
        int ready = poll(&fd, 1, (int)left);
        ssize_t n = ready > 0 ? read(STDIN_FILENO, bytes, sizeof(bytes)) : -1;

        if (n > 0)
            sf_term_decoder_feed(decoder, bytes, (size_t)n);
        else if (ready > 0 && (n == 0 || errno != EINTR))
            break;
        left = deadline - sf_clock_monotonic_ms();
    }
    sf_term_decoder_free(decoder);
}

bool sf_terminal_ask(struct sf_terminal_facts *facts, struct sf_error *err)
{
    struct asking a = { .facts = facts };
    struct sf_probe probe;
    const char *questions;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return sf_fail(err, SF_E_ARG, "there is no terminal to ask on");
    if (!sf_probe_environment(&probe, facts, err) || !sf_modes_open(probe.family, err))
        return false;
    questions = sf_probe_questions(&probe);
    sf_modes_raw();
    if (*questions && write(STDOUT_FILENO, questions, strlen(questions)) > 0)
        listen(&a);
    sf_modes_close();
    return true;
}

void sf_terminal_keys(const struct sf_terminal_facts *facts, struct sf_strbuf *out)
{
    if (facts->kitty)
        sf_strbuf_adds(out, "every key arrives (kitty keyboard protocol)");
    else if (facts->other_keys)
        sf_strbuf_adds(out, "Ctrl+Shift and Shift+Enter should arrive (modifyOtherKeys)");
    else
        sf_strbuf_adds(out, "Ctrl+Shift and Shift+Enter may not arrive");
    if (!facts->kitty)
        sf_strbuf_adds(out, "; Ctrl+X and then the letter always does, and Ctrl+J for a new line");
}
