/*
 * terminal.c: one terminal from opening to closing. It joins the modes, the screen and the decoder
 * with the loop, and is the only one that reads or writes the tty. Each write is whole: a frame, or
 * a sequence between two frames.
 *
 * The modes are pushed behind the first frame, not before it: they belong to the alternate screen,
 * which that frame enters, and so nothing delays what the user sees.
 */
#include "term/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "term/clipboard.h"
#include "term/inline.h"
#include "term/modes.h"
#include "term/probe.h"
#include "term/screen.h"

enum {
    READ_MAX = 64 * 1024,
    BURST_BYTES = 16,      /* more than anyone types between two reads */
    BURST_PLAIN = 8,       /* the same where no paste is ever bracketed */
    ESC_MS = 30,           /* a sequence's other bytes are here by then */
    ESC_FAR_MS = 100,      /* the same over a network */
    ESC_KITTY_MS = 500,    /* Esc is a sequence itself: only damage waits so long */
    ANSWERS_MS = 100,      /* for late answers, before the terminal is given back */
    WRITE_STALL_MS = 1000, /* a tty somebody made non-blocking */
    TEXT_COLUMNS = 200,    /* of titles and notes */
};

struct sf_terminal {
    struct sf_terminal_setup setup;
    struct sf_probe probe;
    struct sf_terminal_facts facts;
    struct sf_screen *screen;
    struct sf_term_decoder *decoder;
    int rows, cols;
    uint64_t input, escape, farewell, signals[3];
    struct sf_inline block; /* on the shell's screen */
    bool entered;           /* the alternate screen and its modes are on, as far as we know */
    bool inside;            /* they may be on, until we have left them */
    bool shares;            /* the modes are on, on the shell's screen */
    bool lent;              /* to another program: nothing is read or written */
    bool gone;              /* nothing there to read or write */
    bool asked, answered;
    bool afresh;  /* the next frame is drawn over who knows what */
    bool learned; /* facts changed while decoding */
    bool closing; /* keys mean nothing any more */
    char *title;  /* safe to send; NULL: never set */
};

/* ---- writing ---- */

static void tell_gone(void *ctx)
{
    struct sf_terminal *t = ctx;

    if (t->setup.gone)
        t->setup.gone(t->setup.ctx);
}

static void lose(struct sf_terminal *t)
{
    if (t->gone)
        return;
    t->gone = true;
    sf_loop_remove(t->setup.loop, t->input);
    sf_loop_remove(t->setup.loop, t->escape);
    t->input = t->escape = 0;
    if (!t->closing)
        t->farewell = sf_loop_add_timer(t->setup.loop, 0, 0, tell_gone, t);
}

static void send(struct sf_terminal *t, const char *bytes, size_t len)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

    while (len && !t->gone) {
        ssize_t n = write(STDOUT_FILENO, bytes, len);

        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            poll(&out, 1, WRITE_STALL_MS);
        } else if (n < 0 && errno != EINTR) {
            lose(t);
        }
    }
}

static void add_title(struct sf_strbuf *out, const char *title)
{
    sf_strbuf_adds(out, "\033]2;");
    sf_strbuf_adds(out, title);
    sf_strbuf_adds(out, "\033\\");
}

/* ---- reading ---- */

static void on_event(void *ctx, const struct sf_term_event *event)
{
    struct sf_terminal *t = ctx;

    if (event->kind == SF_TERM_KEY)
        sf_probe_key(&t->facts, &event->key);
    if (event->kind != SF_TERM_REPLY) {
        if (!t->closing && !t->lent)
            t->setup.event(t->setup.ctx, event);
        return;
    }
    t->answered = t->answered || event->reply == SF_TERM_REPLY_ATTRIBUTES;
    t->learned = sf_probe_reply(&t->facts, event) || t->learned;
}

static void on_escape_timer(void *ctx);

/* The owner may have lent the terminal meanwhile: then there is nothing to wait for. */
static void arm_escape(struct sf_terminal *t)
{
    bool sure = t->facts.kitty && !sf_term_decoder_bursts(t->decoder);
    int wait = sure ? ESC_KITTY_MS : t->facts.ssh ? ESC_FAR_MS : ESC_MS;

    sf_loop_remove(t->setup.loop, t->escape);
    t->escape = 0;
    if (sf_term_decoder_waits(t->decoder) && !t->lent && !t->gone)
        t->escape = sf_loop_add_timer(t->setup.loop, wait, 0, on_escape_timer, t);
}

static void on_escape_timer(void *ctx)
{
    struct sf_terminal *t = ctx;

    sf_term_decoder_timeout(t->decoder);
    arm_escape(t);
}

/* One read: there is something, or the terminal is gone. */
static void read_input(struct sf_terminal *t)
{
    char bytes[READ_MAX];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    if (n > 0)
        sf_term_decoder_feed(t->decoder, bytes, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        lose(t);
}

static void on_input(void *ctx, int fd, unsigned events)
{
    struct sf_terminal *t = ctx;

    (void)fd;
    (void)events;
    read_input(t);
    arm_escape(t);
    if (t->learned && !t->lent) {
        t->learned = false;
        t->setup.resized(t->setup.ctx);
    }
}

/* ---- size ---- */

static int bound(int value, int high)
{
    return value < 1 ? 1 : value > high ? high : value;
}

/* True when it is another one. A terminal that does not know its size has 24 rows of 80. */
static bool look_at_size(struct sf_terminal *t)
{
    struct winsize size = { .ws_row = 0 };
    int rows = 24, cols = 80;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
        rows = bound(size.ws_row, SF_FRAME_ROWS);
        cols = bound(size.ws_col, SF_FRAME_COLS);
    }
    if (rows == t->rows && cols == t->cols)
        return false;
    t->rows = rows;
    t->cols = cols;
    if (t->screen)
        sf_screen_resize(t->screen, rows, cols);
    return true;
}

static void on_resize(void *ctx, int signo)
{
    struct sf_terminal *t = ctx;

    (void)signo;
    if (!t->lent && look_at_size(t))
        t->setup.resized(t->setup.ctx);
}

/* ---- in and out ---- */

/* Answers that come later would be typed into the shell or the editor. */
static void wait_for_answers(struct sf_terminal *t)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    int64_t deadline = sf_clock_monotonic_ms() + ANSWERS_MS, left = ANSWERS_MS;

    while (t->asked && !t->answered && !t->gone && left > 0) {
        int ready = poll(&in, 1, (int)left);

        if (ready > 0)
            read_input(t);
        else if (ready == 0 || errno != EINTR)
            return;
        left = deadline - sf_clock_monotonic_ms();
    }
}

/* Whichever screen it is: its modes go, and the alternate one with them. */
static void add_leave(struct sf_terminal *t, struct sf_strbuf *out)
{
    if (t->inside || t->shares)
        sf_modes_add_pop(out);
    if (t->inside)
        sf_screen_add_leave(t->screen, out);
    t->entered = t->inside = t->shares = false;
}

static void leave(struct sf_terminal *t)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool on = t->inside || t->shares;

    add_leave(t, &out);
    t->block.cols = t->cols;
    if (t->setup.shared)
        sf_inline_add_leave(&t->block, &out);
    send(t, out.buf, out.len);
    if (on)
        wait_for_answers(t);
    sf_strbuf_release(&out);
}

/* The owner paints when it learns the size; a block begins again below what the shell wrote. */
static void come_back(struct sf_terminal *t)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (t->shares) /* else its modes would be pushed twice */
        sf_modes_add_pop(&out);
    send(t, out.buf, out.len);
    sf_strbuf_release(&out);
    sf_modes_raw();
    t->entered = t->shares = t->block.there = false;
    sf_screen_forget(t->screen);
    look_at_size(t);
    t->setup.resized(t->setup.ctx);
}

void sf_terminal_lend(struct sf_terminal *t)
{
    if (t->lent)
        return;
    sf_loop_change_fd(t->setup.loop, t->input, 0);
    t->lent = true;
    leave(t);
    arm_escape(t);
    sf_modes_cooked();
}

void sf_terminal_take_back(struct sf_terminal *t)
{
    if (!t->lent)
        return;
    t->lent = false;
    sf_loop_change_fd(t->setup.loop, t->input, SF_FD_READ);
    come_back(t);
}

/* Without a shell that controls jobs the kernel does not stop us, and we go on. */
void sf_terminal_suspend(struct sf_terminal *t)
{
    struct sigaction stop = { .sa_handler = SIG_DFL }, before;

    if (t->lent || t->gone)
        return;
    sf_terminal_lend(t);
    sigaction(SIGTSTP, &stop, &before);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
    sf_terminal_take_back(t);
}

static void on_stop(void *ctx, int signo)
{
    (void)signo;
    sf_terminal_suspend(ctx);
}

/* Stopped by SIGSTOP, we had no chance to give the terminal back: the shell has changed it. */
static void on_continue(void *ctx, int signo)
{
    struct sf_terminal *t = ctx;

    (void)signo;
    if (!t->lent && !t->gone)
        come_back(t);
}

/* ---- life ---- */

static bool check_tty(struct sf_error *err)
{
    bool in = isatty(STDIN_FILENO), out = isatty(STDOUT_FILENO);

    if (in && out)
        return true;
    sf_fail(err, SF_E_ARG, "standard %s is not a terminal", in ? "output" : "input");
    return sf_hint(err, "`sf -p` reads and writes lines");
}

static void free_terminal(struct sf_terminal *t)
{
    struct sf_loop *loop = t->setup.loop;

    sf_loop_remove(loop, t->input);
    sf_loop_remove(loop, t->escape);
    sf_loop_remove(loop, t->farewell);
    for (size_t i = 0; i < SF_COUNT(t->signals); i++)
        sf_loop_remove(loop, t->signals[i]);
    sf_screen_close(t->screen);
    sf_inline_release(&t->block);
    sf_term_decoder_free(t->decoder);
    free(t->title);
    free(t);
}

/* Before ncurses: it leaves signals alone that somebody watches. */
static void watch(struct sf_terminal *t)
{
    struct sf_loop *loop = t->setup.loop;

    t->signals[0] = sf_loop_watch_signal(loop, SIGWINCH, on_resize, t);
    t->signals[1] = sf_loop_watch_signal(loop, SIGTSTP, on_stop, t);
    t->signals[2] = sf_loop_watch_signal(loop, SIGCONT, on_continue, t);
    t->input = sf_loop_watch_fd(loop, STDIN_FILENO, SF_FD_READ, on_input, t);
}

struct sf_terminal *sf_terminal_open(const struct sf_terminal_setup *setup, struct sf_error *err)
{
    struct sf_terminal *t = sf_alloc(sizeof(*t));

    t->setup = *setup;
    sf_inline_init(&t->block, SF_COLOURS_NONE, true);
    if (!check_tty(err) || !sf_probe_environment(&t->probe, &t->facts, err))
        goto fail;
    watch(t);
    look_at_size(t);
    t->screen = sf_screen_open(&t->probe, t->facts.utf8, t->rows, t->cols, err);
    if (!t->screen || !sf_modes_open(t->probe.family, err))
        goto fail;
    t->facts.colours = t->block.colours = sf_screen_colours(t->screen);
    t->block.utf8 = t->facts.utf8;
    t->block.theme = *setup->theme;
    t->decoder = sf_term_decoder_new(on_event, t);
    sf_term_decoder_burst(t->decoder, t->facts.brackets ? BURST_BYTES : BURST_PLAIN);
    sf_modes_raw();
    sf_screen_set_theme(t->screen, setup->theme);
    t->setup.theme = NULL;
    return t;
fail:
    free_terminal(t);
    return NULL;
}

void sf_terminal_close(struct sf_terminal *t)
{
    if (!t)
        return;
    t->closing = true;
    if (!t->lent)
        leave(t);
    sf_modes_close();
    free_terminal(t);
}

void sf_terminal_size(const struct sf_terminal *t, int *rows, int *cols)
{
    *rows = t->rows;
    *cols = t->cols;
}

const struct sf_terminal_facts *sf_terminal_facts(const struct sf_terminal *t)
{
    return &t->facts;
}

/* ---- showing ---- */

/* What follows the frame that entered a screen: the modes, the title, once the questions. */
static void add_entry(struct sf_terminal *t, struct sf_strbuf *out, bool shared)
{
    if (shared)
        sf_modes_add_push_shared(out);
    else
        sf_modes_add_push(out, t->setup.mouse);
    if (t->title)
        add_title(out, t->title);
    if (!t->asked)
        sf_strbuf_adds(out, sf_probe_questions(&t->probe));
    t->answered = t->answered || !*sf_probe_questions(&t->probe);
    t->asked = true;
    t->entered = t->inside = !shared;
    t->shares = shared;
}

/*
 * Synchronized output only where the terminal said that it has it. Elsewhere one write must do,
 * and so does it for the first frame, which comes before any answer.
 */
static void send_frame(struct sf_terminal *t, const struct sf_strbuf *bytes)
{
    static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_strbuf_adds(&out, t->facts.sync ? begin : "");
    sf_strbuf_add(&out, bytes->buf, bytes->len);
    sf_strbuf_adds(&out, t->facts.sync ? end : "");
    send(t, out.buf, out.len);
    t->afresh = false;
    sf_strbuf_release(&out);
}

void sf_terminal_paint(struct sf_terminal *t, const struct sf_frame *frame)
{
    static const char sane[] =
        "\033[r\033(B\033[0m"; /* else a stranger's colour fills the blanks */
    struct sf_strbuf out = SF_STRBUF_INIT;
    size_t start;

    if (t->lent || t->gone)
        return;
    if (t->shares) /* the other screen has modes of its own */
        add_leave(t, &out);
    sf_strbuf_adds(&out, t->afresh && t->entered ? sane : "");
    start = out.len;
    sf_screen_add_frame(t->screen, frame, &out);
    if (out.len > start) {
        if (!t->entered)
            add_entry(t, &out, false);
        send_frame(t, &out);
    }
    sf_strbuf_release(&out);
}

void sf_terminal_print(struct sf_terminal *t, const struct sf_frame *lines)
{
    sf_inline_print(&t->block, lines);
}

void sf_terminal_paint_block(struct sf_terminal *t, const struct sf_frame *frame, int first)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (t->lent || t->gone)
        return;
    if (t->entered) { /* coming back moves the cursor within its row */
        add_leave(t, &out);
        sf_inline_forget(&t->block);
    }
    t->block.rewraps = t->facts.rewraps;
    sf_inline_add_block(&t->block, frame, first, &out);
    if (out.len) {
        if (!t->shares)
            add_entry(t, &out, true);
        send_frame(t, &out);
    }
    sf_strbuf_release(&out);
}

void sf_terminal_repaint(struct sf_terminal *t)
{
    t->afresh = true;
    sf_screen_forget(t->screen);
    sf_inline_forget(&t->block);
}

void sf_terminal_set_theme(struct sf_terminal *t, const struct sf_theme *theme)
{
    sf_screen_set_theme(t->screen, theme);
    t->block.theme = *theme;
    sf_inline_forget(&t->block);
}

static bool can_speak(const struct sf_terminal *t)
{
    return (t->entered || t->shares) && !t->lent && !t->gone && t->probe.family != SF_FAMILY_PLAIN;
}

void sf_terminal_set_mouse(struct sf_terminal *t, bool on)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (on != t->setup.mouse && t->entered && can_speak(t)) {
        sf_modes_add_mouse(&out, on);
        send(t, out.buf, out.len);
    }
    t->setup.mouse = on;
    sf_strbuf_release(&out);
}

/* One line without a control character, and not too long: owned. */
static char *make_safe(const char *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&safe, sf_text_fit(safe.buf, safe.len, TEXT_COLUMNS, NULL));
    return sf_strbuf_detach(&safe);
}

void sf_terminal_title(struct sf_terminal *t, const char *title)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    char *safe = make_safe(title);
    bool same = t->title && !strcmp(t->title, safe);

    free(t->title);
    t->title = safe;
    if (!same && can_speak(t)) {
        add_title(&out, safe);
        send(t, out.buf, out.len);
    }
    sf_strbuf_release(&out);
}

/* Over a network the programs here belong to another person's screen. */
enum sf_copied sf_terminal_copy(struct sf_terminal *t, const char *text, size_t len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    enum sf_copied copied = SF_COPIED_NOT;

    if (!t->facts.ssh && sf_clipboard_program(text, len)) {
        copied = SF_COPIED_PROGRAM;
    } else if (can_speak(t) && sf_clipboard_add_sequence(&out, text, len)) {
        send(t, out.buf, out.len);
        copied = t->gone ? SF_COPIED_NOT : SF_COPIED_SENT;
    }
    sf_strbuf_release(&out);
    return copied;
}

/* Multiplexers drop OSC 9, and these terminals do not know it. */
static bool knows_notes(const struct sf_terminal_facts *facts)
{
    static const char *const without[] = { "XTerm", "VTE" };

    for (size_t i = 0; i < SF_COUNT(without); i++)
        if (!strncmp(facts->name, without[i], strlen(without[i])))
            return false;
    return !facts->tmux && !facts->screen_mux;
}

void sf_terminal_notify(struct sf_terminal *t, const char *text)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    char *safe = make_safe(text);

    if (can_speak(t) && knows_notes(&t->facts)) /* a number in front would be another command */
        sf_strbuf_addf(&out, "\033]9;%s%s\033\\", *safe >= '0' && *safe <= '9' ? " " : "", safe);
    else
        sf_strbuf_addch(&out, '\a');
    if (!t->lent)
        send(t, out.buf, out.len);
    sf_strbuf_release(&out);
    free(safe);
}
