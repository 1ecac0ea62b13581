/*
 * cmd_exec.c: sf -p and sf exec: one request to its end, without a screen. The loop runs until the
 * turn is done; the first Ctrl+C stops the turn, which leaves a valid session, the second ends the
 * program at once.
 */
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "app/ask.h"
#include "app/parts.h"
#include "app/show.h"
#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

enum {
    STDIN_MAX = 4 * 1024 * 1024,
    STDIN_PATIENCE_MS = 3000,
    STDIN_PIPE_MS =
        10 * 60 * 1000, /* A command in front of the pipe may work for a while before it writes. */
};

struct run {
    struct sf_parts parts;
    struct sf_port *port;
    struct sf_show show;
    struct sf_ask ask;
    int signo; /* The signal that ended the run; or 0. */
    uint64_t deadline;
    bool timed_out; /* The time of --timeout ran out. */
    bool done;
    bool command; /* The prompt is a command, and its answers are the result. */
    bool piped;   /* Some of the prompt, or all of it, came through a pipe. */
    enum sf_exit code;
};

/* ---- the prompt ---- */

static bool read_stdin(struct sf_strbuf *out, struct sf_error *err)
{
    char buf[65536];
    ssize_t n;

    while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0) {
        if (out->len + (size_t)n > STDIN_MAX)
            return sf_fail(err, SF_E_LIMIT, "standard input holds more than %d MiB",
                           STDIN_MAX >> 20);
        sf_strbuf_add(out, buf, (size_t)n);
    }
    return n == 0 || sf_fail_errno(err, "cannot read standard input");
}

static bool is_pipe(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

enum speech { SILENT, SPEAKS, NEVER_SPOKE };

/*
 * Finds out whether standard input has something to read. A descriptor that another program left
 * open must not hang a run that has its prompt already: a socket is given up soon; a pipe was put
 * there on purpose, so sf waits for it and says so.
 */
static enum speech listen_to_stdin(bool has_prompt)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

    if (isatty(STDIN_FILENO))
        return SILENT;
    if (!has_prompt || poll(&p, 1, STDIN_PATIENCE_MS) != 0)
        return SPEAKS;
    if (!is_pipe(STDIN_FILENO)) {
        sf_print_warning("standard input is open but silent, so sf goes on without it",
                         "give it an end: sf -p … </dev/null");
        return SILENT;
    }
    sf_print_warning("waiting for standard input, which is a pipe",
                     "Ctrl+C ends this; sf -p … </dev/null goes on without it");
    return poll(&p, 1, STDIN_PIPE_MS) != 0 ? SPEAKS : NEVER_SPOKE;
}

static bool read_piped(bool has_prompt, struct sf_strbuf *out, struct sf_error *err)
{
    switch (listen_to_stdin(has_prompt)) {
    case SILENT:
        return true;
    case SPEAKS:
        return read_stdin(out, err);
    case NEVER_SPOKE:
        break;
    }
    sf_fail(err, SF_E_ARG, "nothing came on standard input for %d minutes", STDIN_PIPE_MS / 60000);
    return sf_hint(err, "give it an end: sf -p … </dev/null");
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

/* A pipe that is the whole prompt ends like an argument, without the newline of its last line. */
static void add_piped(struct sf_strbuf *out, const struct sf_strbuf *piped)
{
    size_t len = piped->len;

    if (out->len)
        sf_strbuf_adds(out, "\n\n");
    else
        while (len && strchr("\r\n", piped->buf[len - 1]))
            len--;
    sf_strbuf_add(out, piped->buf, len);
}

static bool read_prompt(struct run *r, struct sf_invocation *inv, bool optional,
                        struct sf_strbuf *out, struct sf_error *err)
{
    const char *given = sf_cli_get(inv, "print");
    struct sf_strbuf piped = SF_STRBUF_INIT;
    bool ok;

    if (given && strcmp(given, "-") != 0)
        sf_strbuf_adds(out, given);
    for (size_t i = 0; i < inv->arg_count; i++)
        if (strcmp(inv->args[i], "-") != 0)
            sf_strbuf_addf(out, "%s%s", out->len ? " " : "", inv->args[i]);
    ok = is_own_command(out) || read_piped(out->len || optional, &piped, err);
    r->piped = piped.len > 0;
    if (ok && r->piped)
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

/* ---- running ---- */

static enum sf_exit exit_of(const struct run *r, const struct sf_event_done *done)
{
    if (r->timed_out)
        return SF_EXIT_TIMEOUT;
    if (r->signo)
        return (enum sf_exit)(128 + r->signo);
    switch (done->status) {
    case SF_TURN_DONE:
        return done->denied || done->command ? SF_EXIT_DENIED : SF_EXIT_DONE;
    case SF_TURN_CANCELLED:
        return SF_EXIT_INTERRUPT;
    case SF_TURN_FAILED:
        return sf_faults[done->error->fault].temporary ? SF_EXIT_TEMPORARY : SF_EXIT_FAILED;
    case SF_TURN_LIMIT:
        return SF_EXIT_LIMIT;
    case SF_TURN_BLOCKED:
        return SF_EXIT_BLOCKED;
    case SF_TURN_UNABLE:
        return done->denied ? SF_EXIT_DENIED : SF_EXIT_FAILED;
    case SF_TURN_REFUSED:
        return SF_EXIT_FAILED;
    }
    return SF_EXIT_FAILED;
}

/* The run ends as the user's own command did. */
static enum sf_exit exit_of_shell(const struct sf_event_result *result)
{
    if (result->refused)
        return SF_EXIT_DENIED;
    if (result->tool->exit_code >= 0)
        return (enum sf_exit)result->tool->exit_code;
    return result->tool->is_error ? SF_EXIT_FAILED : SF_EXIT_DONE;
}

static void event(void *ctx, const struct sf_event *t)
{
    struct run *r = ctx;

    if (r->show.shell && t->kind == SF_EVENT_RESULT)
        r->code = exit_of_shell(&t->result);
    sf_show_event(&r->show, t);
    sf_ask_take(&r->ask, t);
    if (t->kind != SF_EVENT_DONE || t->depth)
        return;
    r->done = true;
    r->code = exit_of(r, &t->done);
    sf_show_end(&r->show, &t->done, r->code);
    sf_loop_stop(r->parts.loop);
}

/* ---- commands ---- */

static void fail_with(struct run *r, enum sf_exit code)
{
    if (r->code == SF_EXIT_DONE)
        r->code = code;
}

/* Nobody can answer, so the question and what it is about are printed with the refusal. */
static void refuse_question(struct run *r, const struct sf_response *response, const char *question)
{
    sf_ask_print(question);
    sf_show_refusal(&r->show, "this needs your answer, and there is no terminal to ask on",
                    response->reversible ? "--on-ask allow answers it with yes"
                                         : "run it in sf, or with a terminal as standard input");
    fail_with(r, SF_EXIT_DENIED);
    sf_port_reply(r->port, false);
}

/* A policy answers a question of sf's own only where the answer can be taken back. */
static void ask_question(struct run *r, const struct sf_response *response)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_response_text(response, &text);
    sf_strbuf_truncate(&text, text.len - (text.len > 0)); /* Drops the newline of the last line. */
    if (r->ask.how == SF_ON_ASK_ASK)
        sf_ask_own(&r->ask, text.buf);
    else if (r->ask.how == SF_ON_ASK_ALLOW && response->reversible)
        sf_port_reply(r->port, true);
    else
        refuse_question(r, response, text.buf);
    sf_strbuf_release(&text);
}

static void respond(void *ctx, const struct sf_response *response)
{
    struct run *r = ctx;

    sf_show_response(&r->show, response);
    if (response->kind == SF_RESPONSE_QUESTION)
        ask_question(r, response);
    else if (response->kind == SF_RESPONSE_SCREEN)
        fail_with(r, SF_EXIT_USAGE);
    else if (response->kind == SF_RESPONSE_ERROR || response->bad)
        fail_with(r, response->usage ? SF_EXIT_USAGE : SF_EXIT_FAILED);
}

/* A command that began no turn is over when no answer is outstanding. */
static void changed(void *ctx)
{
    struct run *r = ctx;

    if (r->command && !r->done && r->port && sf_port_is_idle(r->port))
        sf_loop_stop(r->parts.loop);
}

static void on_signal(void *ctx, int signo)
{
    struct run *r = ctx;

    if (r->signo)
        _exit(128 + signo);
    r->signo = signo;
    sf_port_cancel(r->port);
}

static void on_deadline(void *ctx)
{
    struct run *r = ctx;

    r->timed_out = true;
    sf_port_cancel(r->port);
}

/*
 * Decision: An argument of one line that begins with an exclamation mark is a command of the user's
 *   own, as in the terminal, and runs in a workspace that is trusted.
 *   Problem: Such a command is not asked about, since the user has typed it; but a script may pass
 *   on what others wrote, a pipe may carry it, and Markdown may begin with an image.
 *   Cost: A pipe cannot hold such a command, and neither can several lines; elsewhere it is refused.
 *   Enforced by: app/exec_commands, app/hostile_repo.
 */
static bool is_shell(const struct run *r, const char *text)
{
    return !r->piped && text[0] == '!' && text[1] && text[1] != '[' && !strchr(text, '\n');
}

static void refuse_shell(struct run *r)
{
    struct sf_response response;

    sf_response_init(&response, SF_RESPONSE_ERROR, "");
    response.usage = true;
    sf_strbuf_adds(&response.text,
                   "without a screen, a command of yours runs only in a workspace you trust");
    snprintf(response.hint, sizeof(response.hint), "sf trust add; or run it in your shell");
    respond(r, &response);
    sf_response_release(&response);
}

/*
 * A line with a slash is a command, of sf's own or from a file. Any other line is a prompt, also
 * one with number signs, which is a heading more often than a note.
 */
static void say(struct run *r, const struct sf_strbuf *prompt)
{
    bool line = strlen(prompt->buf) == prompt->len;

    r->show.shell = line && is_shell(r, prompt->buf);
    r->command = r->show.shell ||
                 (line && prompt->buf[0] == '/' && sf_port_is_command(r->port, prompt->buf));
    r->show.command = r->command;
    if (r->show.shell && !sf_port_is_trusted(r->port))
        refuse_shell(r);
    else if (r->command)
        sf_port_line(r->port, prompt->buf);
    else
        sf_port_send(r->port, prompt->buf, prompt->len);
}

static enum sf_exit exit_of_command(const struct run *r)
{
    if (r->timed_out)
        return SF_EXIT_TIMEOUT;
    return r->signo ? (enum sf_exit)(128 + r->signo) : r->code;
}

static void run_prompt(struct run *r, const struct sf_strbuf *prompt)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sf_config_value *timeout = sf_config_find(r->parts.config, "limits.timeout");
    uint64_t watches[SF_COUNT(signals)];

    for (size_t i = 0; i < SF_COUNT(signals); i++)
        watches[i] = sf_loop_watch_signal(r->parts.loop, signals[i], on_signal, r);
    if (timeout && timeout->integer > 0)
        r->deadline = sf_loop_add_timer(r->parts.loop, timeout->integer * 1000, 0, on_deadline, r);
    say(r, prompt);
    while (!r->done && !sf_port_is_idle(r->port))
        sf_loop_turn(r->parts.loop, -1);
    sf_loop_remove(r->parts.loop, r->deadline);
    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sf_loop_remove(r->parts.loop, watches[i]);
    if (!r->done) {
        r->code = exit_of_command(r);
        sf_show_command_end(&r->show, r->code);
    }
}

static enum sf_on_ask read_on_ask(const struct sf_invocation *inv)
{
    const char *word = sf_cli_get(inv, "on-ask");

    for (size_t i = 0; word && sf_on_ask_names[i]; i++)
        if (!strcmp(word, sf_on_ask_names[i]))
            return (enum sf_on_ask)i;
    if (sf_cli_get(inv, "auto"))
        return SF_ON_ASK_ALLOW;
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? SF_ON_ASK_ASK : SF_ON_ASK_DENY;
}

/* Axes given on the command line hold for a resumed session, too. */
static bool opened(void *ctx, struct sf_session *session, struct sf_error *err)
{
    struct run *r = ctx;

    return !r->parts.resume[0] || sf_parts_apply_options(&r->parts, session, err);
}

static bool provide(void *ctx, const char *resume, struct sf_session_setup *setup,
                    struct sf_error *err)
{
    struct run *r = ctx;

    return sf_parts_provide(&r->parts, resume, setup, err);
}

static struct sf_config *reload(void *ctx, struct sf_error *err)
{
    const struct run *r = ctx;

    return sf_app_read_config(r->parts.inv->app, err);
}

static bool open_port(struct run *r, struct sf_error *err)
{
    struct sf_port_setup setup = {
        .surface = { .event = event, .response = respond, .changed = changed, .ctx = r },
        .settings_file = sf_cli_get(r->parts.inv, "config"),
        .reload = reload,
        .opened = opened,
        .provide = provide,
        .ctx = r
    };

    if (!sf_parts_setup(&r->parts, SF_SURFACE_HEADLESS, &setup.session, err))
        return false;
    setup.session.attended = r->ask.how != SF_ON_ASK_DENY;
    r->port = sf_port_open(&setup);
    r->ask.port = r->port;
    return sf_port_enter(r->port, setup.session.resume, err);
}

static bool run(struct run *r, struct sf_invocation *inv, struct sf_error *err)
{
    struct sf_strbuf prompt = SF_STRBUF_INIT;
    bool ok = sf_parts_open(&r->parts, inv, err), again = r->parts.resume[0] != '\0';

    if (r->parts.loop)
        sf_ask_init(&r->ask, r->parts.loop, read_on_ask(inv));
    ok = ok && read_prompt(r, inv, again, &prompt, err) && open_port(r, err);
    if (ok) {
        sf_show_begin(&r->show, r->port, again);
        run_prompt(r, &prompt);
    }
    sf_strbuf_release(&prompt);
    sf_port_close(r->port);
    if (r->parts.loop)
        sf_ask_release(&r->ask);
    sf_parts_close(&r->parts);
    return ok;
}

static enum sf_show_format read_format(const struct sf_invocation *inv)
{
    const char *word = sf_cli_get(inv, "output-format");

    for (size_t i = 0; word && sf_show_formats[i]; i++)
        if (!strcmp(word, sf_show_formats[i]))
            return (enum sf_show_format)i;
    return SF_SHOW_TEXT;
}

int sf_cmd_exec(struct sf_invocation *inv)
{
    struct run r = { .parts = SF_PARTS_INIT };
    struct sf_error err = SF_ERROR_INIT;

    sf_show_init(&r.show, read_format(inv), sf_cli_get(inv, "verbose") != NULL);
    if (!run(&r, inv, &err)) {
        r.code = err.code == SF_E_ARG || err.code == SF_E_NOENT ? SF_EXIT_USAGE : SF_EXIT_FAILED;
        sf_print_error(&err, r.code);
        sf_show_failure(&r.show, &err, r.code);
    }
    sf_show_release(&r.show);
    return (int)r.code;
}
