/*
 * prompt.c: reads the prompt of a one-shot run. Standard input is never waited for in silence: after
 * a few seconds a line says what sf waits for, and the time of --timeout counts.
 */
#include "app/prompt.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "io/io.h"
#include "port/port.h"

enum {
    STDIN_MAX = 4 * 1024 * 1024,
    PATIENCE_MS = 3000,
    PIPE_MS = 10 * 60 * 1000, /* A command in front of the pipe may work for a while. */
};

/* Standard input while it is awaited. Times are of the monotonic clock; 0: never. */
struct input {
    int64_t ends_ms;  /* --timeout ends the run. */
    int64_t tells_ms; /* The user is told that sf waits. */
    int64_t gives_up_ms;
    const char *hint;
};

static bool is_pipe(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* ---- waiting ---- */

/* Milliseconds until the first of the times, as poll() takes them; -1: there is none. */
static int until_first(const int64_t *times, size_t count)
{
    int64_t now = sf_clock_monotonic_ms(), left = -1;

    for (size_t i = 0; i < count; i++)
        if (times[i] && (left < 0 || times[i] - now < left))
            left = times[i] > now ? times[i] - now : 0;
    return left < INT32_MAX ? (int)left : INT32_MAX;
}

static bool is_over(int64_t time)
{
    return time && sf_clock_monotonic_ms() >= time;
}

/* What came to its end while nothing came in; false: the wait is over. */
static bool still_waits(struct input *in, struct sf_error *err)
{
    if (is_over(in->ends_ms)) {
        sf_fail(err, SF_E_TIMEOUT, "the run timed out waiting for standard input");
        return sf_hint(err, "give it more time with --timeout, or an end: sf -p … </dev/null");
    }
    if (is_over(in->gives_up_ms)) {
        sf_fail(err, SF_E_ARG, "nothing came on standard input for %d minutes", PIPE_MS / 60000);
        return sf_hint(err, "give it an end: sf -p … </dev/null");
    }
    if (is_over(in->tells_ms)) {
        sf_print_warning(is_pipe(STDIN_FILENO) ? "waiting for standard input, which is a pipe"
                                               : "waiting for standard input",
                         in->hint);
        in->tells_ms = 0;
    }
    return true;
}

/* Waits until something can be read, or standard input has ended. */
static bool await(struct input *in, struct sf_error *err)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
    int n;

    for (;;) {
        const int64_t times[] = { in->ends_ms, in->tells_ms, in->gives_up_ms };

        n = poll(&p, 1, until_first(times, SF_COUNT(times)));
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return sf_fail_errno(err, "cannot read standard input");
        if (!still_waits(in, err))
            return false;
    }
}

/* ---- reading ---- */

static bool read_to_end(struct input *in, struct sf_strbuf *out, struct sf_error *err)
{
    char buf[65536];

    while (await(in, err)) {
        ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));

        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return sf_fail_errno(err, "cannot read standard input");
        if (n > 0 && out->len + (size_t)n > STDIN_MAX)
            return sf_fail(err, SF_E_LIMIT, "standard input holds more than %d MiB",
                           STDIN_MAX >> 20);
        if (n > 0) {
            sf_strbuf_add(out, buf, (size_t)n);
            in->gives_up_ms = 0; /* What has begun is read to its end. */
        }
    }
    return false;
}

/*
 * A descriptor that another program left open must not hang a run that has its prompt already: all
 * but a pipe, which was put there on purpose, is given up soon.
 */
static bool is_silent(const struct input *in)
{
    const int64_t times[] = { in->ends_ms, in->tells_ms };
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

    if (is_pipe(STDIN_FILENO) || poll(&p, 1, until_first(times, SF_COUNT(times))) != 0)
        return false;
    sf_print_warning("standard input is open but silent, so sf goes on without it",
                     "give it an end: sf -p … </dev/null");
    return true;
}

static bool read_piped(const struct sf_prompt *prompt, bool has_prompt, struct sf_strbuf *out,
                       struct sf_error *err)
{
    int64_t now = sf_clock_monotonic_ms();
    struct input in = { .ends_ms = prompt->ends_ms,
                        .tells_ms = now + PATIENCE_MS,
                        .gives_up_ms = has_prompt ? now + PIPE_MS : 0,
                        .hint = has_prompt
                                    ? "Ctrl+C ends this; sf -p … </dev/null goes on without it"
                                    : "Ctrl+C ends this; sf -p 'what to do' needs no pipe" };

    return isatty(STDIN_FILENO) || (has_prompt && is_silent(&in)) || read_to_end(&in, out, err);
}

/* A command of sf's own takes its arguments from the line, and nothing from a pipe. */
static bool is_own_command(const struct sf_strbuf *prompt)
{
    size_t len = prompt->buf[0] == '/' ? strcspn(prompt->buf + 1, " \t\n") : 0;
    char *name = sf_strndup(prompt->buf + (len > 0), len);
    bool own = len && sf_port_command_is_own(name);

    free(name);
    return own;
}

/* ---- the prompt ---- */

/*
 * A pipe that is the whole prompt ends like an argument, without the newline of its last line. The
 * mark that some editors put in front of UTF-8 is no part of the words: /help behind it is a command.
 */
static void add_piped(struct sf_strbuf *out, const struct sf_strbuf *piped)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t begin = !strncmp(piped->buf, mark, strlen(mark)) ? strlen(mark) : 0, len = piped->len;

    if (out->len)
        sf_strbuf_adds(out, "\n\n");
    else
        while (len > begin && strchr("\r\n", piped->buf[len - 1]))
            len--;
    sf_strbuf_add(out, piped->buf + begin, len - begin);
}

static void add_given(const struct sf_invocation *inv, struct sf_strbuf *out)
{
    const char *given = sf_cli_get(inv, "print");

    if (given && strcmp(given, "-") != 0)
        sf_strbuf_adds(out, given);
    for (size_t i = 0; i < inv->arg_count; i++)
        if (strcmp(inv->args[i], "-") != 0)
            sf_strbuf_addf(out, "%s%s", out->len ? " " : "", inv->args[i]);
}

void sf_prompt_read_given(struct sf_prompt *prompt, const struct sf_invocation *inv)
{
    add_given(inv, &prompt->text);
}

bool sf_prompt_read(struct sf_prompt *prompt, const struct sf_invocation *inv, bool optional,
                    struct sf_error *err)
{
    struct sf_strbuf *out = &prompt->text, piped = SF_STRBUF_INIT;
    bool ok;

    add_given(inv, out);
    ok = is_own_command(out) || read_piped(prompt, out->len || optional, &piped, err);
    prompt->piped = piped.len > 0;
    if (ok && prompt->piped)
        add_piped(out, &piped);
    if (ok && !out->len && optional)
        sf_strbuf_adds(out, "Go on where you were interrupted.");
    if (ok && !out->len) {
        sf_fail(err, SF_E_ARG, "there is no prompt");
        ok = sf_hint(err, "sf -p 'what to do', or pipe it in");
    }
    sf_strbuf_release(&piped);
    return ok;
}
