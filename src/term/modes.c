/*
 * modes.c: pushes and pops, and the rescue. The one idea: whatever the rescue needs is a constant
 * or was put down before anything went wrong, because a handler may not compute. Its string ends
 * a sequence that was cut short, then undoes every mode in the reverse order.
 *
 * Nobody can act on SIGKILL; the next start begins by undoing what may have been left.
 */
#include "term/modes.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define SYNC_END  "\033[?2026l"
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1003l\033[?1002l\033[?1000l"

/*
 * Of the kitty protocol: each screen has a stack of its own, so popping on the alternate one
 * takes nothing from the shell. modifyOtherKeys; focus; pastes; the title's stack.
 */
#define PUSH_ON "\033[>1u\033[>4;2m\033[?1004h\033[?2004h\033[22;2t"
#define PUSH    "\033[<u" PUSH_ON
#define POP     MOUSE_OFF "\033[23;2t\033[?2004l\033[?1004l\033[>4m\033[<u"

/* Margins, character set, colours, cursor; the other screen, which knows where its cursor was. */
#define BACK "\033[r\033(B\033[0m\033[?25h\033[?1049l"

/* On the shell's own screen: a line of its own is all that is left to do. */
#define BELOW "\033(B\033[0m\033[?25h\r\n"

static const struct {
    const char *push[2], *pop, *rescue[2]; /* on the alternate screen, and on the shell's */
} sequences[] = {
    [SF_FAMILY_PLAIN] = { { "", "" }, "", { BELOW, BELOW } },
    [SF_FAMILY_XTERM] = { { SYNC_END PUSH, PUSH_ON },
                          POP,
                          { "\033\\" SYNC_END POP BACK, "\033\\" SYNC_END POP BELOW } },
    [SF_FAMILY_MUX] = { { SYNC_END PUSH, PUSH_ON },
                        POP,
                        { "\033\\" SYNC_END POP BACK, "\033\\" SYNC_END POP BELOW } },
};

static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGQUIT };

/* All of it is read by the handler; `armed` and `pushed` guard the rest. */
static volatile sig_atomic_t armed, pushed, own_screen;
static struct termios cooked, raw;
static enum sf_proctree family;
static struct sigaction before[SF_COUNT(fatal)];
static stack_t stack_before;
static char stack[64 * 1024]; /* for handlers: the fault may be that the other one is full */

/* Writes the constant sequences and tty modes that put a terminal right; safe in a handler. */
static void rescue(void)
{
    int saved = errno;

    if (armed) {
        armed = 0;
        const char *rescue = sequences[family].rescue[!own_screen];

        if (pushed && write(STDOUT_FILENO, rescue, strlen(rescue)) < 0)
            pushed = 0; /* the terminal is gone: nothing to put right */
        pushed = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
    }
    errno = saved;
}

/* The signal goes on to whoever had it before, as a rule the system, which ends the program. */
static void on_fatal(int signo)
{
    rescue();
    for (size_t i = 0; i < SF_COUNT(fatal); i++)
        if (fatal[i] == signo)
            sigaction(signo, &before[i], NULL);
    raise(signo);
}

static void watch_fatal(void)
{
    stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
    struct sigaction action = { .sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_RESETHAND };

    sigfillset(&action.sa_mask);
    sigaltstack(&own, &stack_before);
    for (size_t i = 0; i < SF_COUNT(fatal); i++)
        sigaction(fatal[i], &action, &before[i]);
}

static void unwatch_fatal(void)
{
    for (size_t i = 0; i < SF_COUNT(fatal); i++)
        sigaction(fatal[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
}

/* As a login leaves a terminal. */
static void make_sane(struct termios *flags)
{
    flags->c_iflag |= BRKINT | ICRNL | IXON | IUTF8;
    flags->c_iflag &= ~(tcflag_t)(IGNBRK | INLCR | IGNCR | ISTRIP);
    flags->c_oflag |= OPOST | ONLCR;
    flags->c_lflag |= ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE;
}

/* Ctrl+C and Ctrl+Z are keys like others; no byte is changed on its way. */
static void make_raw(struct termios *flags)
{
    flags->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    flags->c_oflag &= ~(tcflag_t)OPOST;
    flags->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    flags->c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
    flags->c_cflag |= CS8;
    flags->c_cc[VMIN] = 1;
    flags->c_cc[VTIME] = 0;
}

bool sf_modes_open(enum sf_proctree kind, struct sf_error *err)
{
    static bool at_exit;

    if (tcgetattr(STDIN_FILENO, &cooked) < 0)
        return sf_fail_errno(err, "cannot read the terminal's settings");
    if (!(cooked.c_lflag & ICANON))
        make_sane(&cooked);
    raw = cooked;
    make_raw(&raw);
    family = kind;
    pushed = 0;
    armed = 1;
    if (!at_exit)
        at_exit = atexit(rescue) == 0;
    sf_set_oom_hook(rescue);
    watch_fatal();
    return true;
}

/*
 * What was typed and not read is nobody's: in the shell it would run, and a Ctrl+C among it would
 * make the kernel throw away what we wrote last, which puts the terminal back.
 */
void sf_modes_close(void)
{
    tcflush(STDIN_FILENO, TCIFLUSH);
    sf_modes_cooked();
    sf_set_oom_hook(NULL);
    armed = 0;
    unwatch_fatal();
}

void sf_modes_raw(void)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void sf_modes_cooked(void)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
}

void sf_modes_add_mouse(struct sf_strbuf *out, bool on)
{
    if (family != SF_FAMILY_PLAIN)
        sf_strbuf_adds(out, on ? MOUSE_ON : MOUSE_OFF);
}

void sf_modes_add_push(struct sf_strbuf *out, bool mouse)
{
    own_screen = 1;
    pushed = 1;
    sf_strbuf_adds(out, sequences[family].push[0]);
    sf_modes_add_mouse(out, mouse);
}

void sf_modes_add_push_shared(struct sf_strbuf *out)
{
    own_screen = 0;
    pushed = 1;
    sf_strbuf_adds(out, sequences[family].push[1]);
}

void sf_modes_add_pop(struct sf_strbuf *out)
{
    pushed = 0;
    sf_strbuf_adds(out, sequences[family].pop);
}
