/*
 * cmd_exec.c: sf -p and sf exec: one request to its end, without a screen. The loop runs until the
 * turn is done; the first Ctrl+C stops the turn, which leaves a valid session, the second ends the
 * program at once.
 */
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/ask.h"
#include "app/confirm_option.h"
#include "app/dialogue_in.h"
#include "app/ending.h"
#include "app/last_message.h"
#include "app/parts.h"
#include "app/prompt.h"
#include "app/schema_output.h"
#include "app/show.h"
#include "app/wait_line.h"
#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

struct run {
    struct sf_parts parts;
    struct sf_port *port;
    struct sf_show show;
    struct sf_ask ask;
    struct sf_wait_line wait;
    struct sf_dialogue_in in; /* A program that talks line by line, if it has a dialogue. */
    struct sf_prompt prompt;
    struct sf_ending ending;
    struct sf_schema_output schema;
    const char *last;                 /* The file of --output-last-message, or NULL. */
    struct sf_confirmation confirmed; /* beforehand, for where nobody can answer */
    int signo;                        /* The signal that ended the run; or 0. */
    bool timed_out;                   /* The time of --timeout ran out. */
    bool done;                        /* The turn is over, and `ending` says how. */
    bool checks;                      /* The command of --verify runs. */
    bool carries;                     /* A plan was carried out; the run says how it ended. */
    bool command;                     /* The prompt is a command, and its answers are the result. */
    enum sf_exit code;
};

/* ---- running ---- */

/* The run ends as the user's own command did. */
static enum sf_exit exit_of_shell(const struct sf_event_result *result)
{
    if (result->refused)
        return SF_EXIT_DENIED;
    if (result->tool->exit_code >= 0)
        return (enum sf_exit)result->tool->exit_code;
    return result->tool->is_error ? SF_EXIT_FAILED : SF_EXIT_DONE;
}

/* Questions go to the program that talks to sf, unless --on-ask answers them. */
static bool asks_program(const struct run *r)
{
    return r->in.dialogue && r->ask.how == SF_ON_ASK_ASK;
}

static void event(void *ctx, const struct sf_event *t)
{
    struct run *r = ctx;

    if (r->show.shell && t->kind == SF_EVENT_RESULT)
        r->code = exit_of_shell(&t->result);
    sf_ending_review(&r->ending, t);
    if (r->checks && t->kind == SF_EVENT_RESULT)
        sf_ending_prove(&r->ending, &t->result);
    sf_wait_line_clear(&r->wait);
    sf_show_event(&r->show, t);
    if (asks_program(r))
        sf_dialogue_event(r->in.dialogue, t);
    else
        sf_ask_take(&r->ask, t);
    if (!r->show.line_open)
        sf_wait_line_event(&r->wait, t, r->port);
    if (t->kind != SF_EVENT_DONE || t->depth)
        return;
    r->carries = sf_port_carries_out(r->port);
    r->done = !r->carries;
    sf_ending_keep(&r->ending, &t->done);
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
    if (asks_program(r))
        sf_dialogue_response(r->in.dialogue, response);
    else if (r->ask.how == SF_ON_ASK_ASK)
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

    sf_wait_line_clear(&r->wait);
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

/* Stops what runs; a conversation takes no further line. */
static void stop(struct run *r)
{
    if (r->in.dialogue)
        sf_dialogue_stop(r->in.dialogue);
    sf_port_cancel(r->port);
}

static void on_signal(void *ctx, int signo)
{
    struct run *r = ctx;

    if (r->signo)
        _exit(128 + signo);
    r->signo = signo;
    stop(r);
}

static void on_deadline(void *ctx)
{
    struct run *r = ctx;

    r->timed_out = true;
    stop(r);
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
    return !r->prompt.piped && text[0] == '!' && text[1] && text[1] != '[' && !strchr(text, '\n');
}

static void refuse(struct run *r, const char *text, const char *hint)
{
    struct sf_response response;

    sf_response_init(&response, SF_RESPONSE_ERROR, "");
    response.usage = true;
    sf_strbuf_adds(&response.text, text);
    snprintf(response.hint, sizeof(response.hint), "%s", hint);
    respond(r, &response);
    sf_response_release(&response);
}

static void send(struct run *r)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_strbuf_add(&words, r->prompt.text.buf, r->prompt.text.len);
    sf_schema_output_tell(&r->schema, &words);
    sf_port_send(r->port, words.buf, words.len);
    sf_strbuf_release(&words);
}

/*
 * A line with a slash is a command, of sf's own or from a file. Any other line is a prompt, also
 * one with number signs, which is a heading more often than a note.
 */
static void say(struct run *r)
{
    const struct sf_strbuf *prompt = &r->prompt.text;
    bool line = strlen(prompt->buf) == prompt->len;

    r->show.shell = line && is_shell(r, prompt->buf);
    r->command = r->show.shell ||
                 (line && prompt->buf[0] == '/' && sf_port_is_command(r->port, prompt->buf));
    r->show.command = r->command;
    if (r->command)
        sf_wait_line_set(&r->wait, prompt->buf);
    if (r->show.shell && !sf_port_is_trusted(r->port))
        refuse(r, "without a screen, a command of yours runs only in a workspace you trust",
               "sf trust add; or run it in your shell");
    else if (r->command && r->ending.check)
        refuse(r, "--verify is about the work of a model, and this is a command",
               "run the check by itself");
    else if (r->command && r->schema.schema)
        refuse(r, "--output-schema is about the answer of a model, and this is a command",
               "commands answer as data with --output-format json");
    else if (r->command)
        sf_port_line(r->port, prompt->buf);
    else
        send(r);
}

static void wait_for_end(struct run *r)
{
    while (!r->done && !sf_port_is_idle(r->port))
        sf_loop_turn(r->parts.loop, -1);
}

/* An answer that does not fit its schema is asked for again, in the same session. */
static void hold_to_schema(struct run *r)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    while (r->done && r->ending.done.status == SF_TURN_DONE &&
           !sf_schema_output_check(&r->schema, &r->show.answer) && !r->signo && !r->timed_out &&
           sf_schema_output_again(&r->schema, &words)) {
        sf_strbuf_reset(&r->show.answer);
        r->done = false;
        sf_port_send(r->port, words.buf, words.len);
        sf_strbuf_reset(&words);
        wait_for_end(r);
    }
    sf_strbuf_release(&words);
    if (!r->schema.schema)
        return;
    sf_strbuf_reset(&r->show.answer); /* Nothing is printed that does not fit. */
    sf_strbuf_add(&r->show.answer, r->schema.value.buf, r->schema.value.len);
}

/* How the run of a plan ended: done, or halted by a guard. */
static enum sf_exit exit_of_plan(const struct run *r)
{
    static const enum sf_exit codes[SF_UNITS_GUARD_COUNT] = {
        [SF_UNITS_GUARD_USER] = SF_EXIT_DONE,
        [SF_UNITS_GUARD_REVIEW] = SF_EXIT_DONE,
        [SF_UNITS_GUARD_LEASE] = SF_EXIT_BLOCKED,
        [SF_UNITS_GUARD_HEALTH] = SF_EXIT_BLOCKED,
        [SF_UNITS_GUARD_BLOCKED] = SF_EXIT_BLOCKED,
        [SF_UNITS_GUARD_APPROVAL] = SF_EXIT_DENIED,
        [SF_UNITS_GUARD_STUCK] = SF_EXIT_BLOCKED,
        [SF_UNITS_GUARD_BUDGET] = SF_EXIT_LIMIT,
        [SF_UNITS_GUARD_DEAR] = SF_EXIT_LIMIT,
        [SF_UNITS_GUARD_FAILURE] = SF_EXIT_NOT_VERIFIED,
        [SF_UNITS_GUARD_UNVERIFIED] = SF_EXIT_NOT_VERIFIED,
        [SF_UNITS_GUARD_PROVIDER] = SF_EXIT_TEMPORARY,
        [SF_UNITS_GUARD_PERMISSION] = SF_EXIT_DENIED,
        [SF_UNITS_GUARD_CLOSE] = SF_EXIT_BLOCKED,
        [SF_UNITS_GUARD_GOAL] = SF_EXIT_LIMIT,
        [SF_UNITS_GUARD_REVERT] = SF_EXIT_BLOCKED,
    };
    enum sf_units_guard guard;

    return sf_port_run_halt(r->port, &guard) ? codes[guard] : SF_EXIT_DONE;
}

/* What ended the run from outside comes before what the run itself came to. */
static enum sf_exit exit_of(const struct run *r, enum sf_exit code)
{
    if (r->timed_out)
        return SF_EXIT_TIMEOUT;
    return r->signo ? (enum sf_exit)(128 + r->signo) : code;
}

/*
 * Decision: The command of --verify runs after a turn that went well, as a command of the user's own
 *   does: judged, caged and logged, in any workspace.
 *   Problem: "Done" is what a model says of itself; exit code 0 must not rest on that alone.
 *   Cost: Only a check that passed ends with 0; one that ran no test has verified nothing. In a
 *     pipeline the first part that fails decides, so `pytest | tail` fails where pytest does.
 *   Enforced by: app/exec_verify, verify/proof.
 */
static void check(struct run *r)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    r->checks = true;
    sf_strbuf_addf(&line, "!%s%s", sf_proof_is_piped(r->ending.check) ? "set -o pipefail; " : "",
                   r->ending.check);
    sf_port_line(r->port, line.buf);
    while (!sf_port_is_idle(r->port))
        sf_loop_turn(r->parts.loop, -1);
    sf_strbuf_release(&line);
}

/* Before anything is printed, so that it is kept also where nobody reads standard output. */
static void keep_last(struct run *r)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!r->last || (r->schema.schema && !r->schema.fits))
        return;
    if (!sf_last_message_write(r->last, sf_show_result(&r->show), &err)) {
        sf_print_error(&err, SF_EXIT_FAILED);
        fail_with(r, SF_EXIT_FAILED);
    }
}

static void finish(struct run *r)
{
    sf_wait_line_clear(&r->wait);
    keep_last(r);
    if (!r->done) {
        if (r->carries && r->code == SF_EXIT_DONE)
            r->code = exit_of_plan(r);
        r->code = exit_of(r, sf_ending_review_code(&r->ending, r->code));
        if (r->in.dialogue)
            sf_show_dialogue_end(&r->show, r->code);
        else
            sf_show_command_end(&r->show, r->code);
        return;
    }
    if (r->code == SF_EXIT_DONE)
        r->code = exit_of(r, sf_ending_review_code(&r->ending, sf_ending_code(&r->ending)));
    sf_show_end(&r->show, &r->ending, r->code);
}

/* The time of --timeout counts from the start, so a part of it may be over. */
static uint64_t set_deadline(struct run *r)
{
    int64_t left = r->prompt.ends_ms - sf_clock_monotonic_ms();

    if (!r->prompt.ends_ms)
        return 0;
    return sf_loop_add_timer(r->parts.loop, left > 0 ? left : 0, 0, on_deadline, r);
}

static void answer_one(struct run *r)
{
    say(r);
    wait_for_end(r);
    hold_to_schema(r);
}

/* Tells a program what became of its line. */
static void tell_input(void *ctx, const struct sf_event_input *input)
{
    struct run *r = ctx;

    sf_show_input(&r->show, input);
}

/*
 * Decision: What a program sends as a prompt is words for the model and never a command; its lines
 *   are taken in their order, one turn after the other, however the one before ended.
 *   Problem: A program passes on what others wrote, and often writes all of its lines at once.
 *   Cost: A command has a type of its own, and runs beside a turn only where the line asks for it.
 *   Enforced by: app/exec_dialogue.
 */
static void talk(struct run *r)
{
    if (r->prompt.text.len)
        sf_dialogue_begin(r->in.dialogue, r->prompt.text.buf, r->prompt.text.len);
    while (sf_dialogue_in_turn(&r->in))
        ;
    if (r->done) /* The last turn counts, whatever commands came to. */
        r->code = SF_EXIT_DONE;
    else if (r->code == SF_EXIT_DONE && sf_dialogue_refused(r->in.dialogue))
        r->code = SF_EXIT_USAGE;
}

static void run_prompt(struct run *r)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    uint64_t watches[SF_COUNT(signals)], deadline = set_deadline(r);

    for (size_t i = 0; i < SF_COUNT(signals); i++)
        watches[i] = sf_loop_watch_signal(r->parts.loop, signals[i], on_signal, r);
    if (r->in.dialogue)
        talk(r);
    else
        answer_one(r);
    if (r->done && r->ending.check && exit_of(r, sf_ending_turn_code(&r->ending)) == SF_EXIT_DONE)
        check(r);
    sf_loop_remove(r->parts.loop, deadline);
    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sf_loop_remove(r->parts.loop, watches[i]);
    finish(r);
}

static enum sf_on_ask read_on_ask(const struct sf_invocation *inv, bool talks)
{
    const char *word = sf_cli_get(inv, "on-ask");

    for (size_t i = 0; word && sf_on_ask_names[i]; i++)
        if (!strcmp(word, sf_on_ask_names[i]))
            return (enum sf_on_ask)i;
    if (sf_cli_get(inv, "auto"))
        return SF_ON_ASK_ALLOW;
    if (talks)
        return SF_ON_ASK_ASK;
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

    /* The id that is resumed is in the parts, where that of the fork takes its place. */
    return sf_parts_provide(&r->parts, resume, setup, err) && sf_parts_fork(&r->parts, err);
}

static struct sf_config *reload(void *ctx, struct sf_error *err)
{
    const struct run *r = ctx;

    return sf_app_read_config(r->parts.inv->app, err);
}

/* Reads them before a session is made; a picture that is no good is a mistake of the command line. */
static bool read_images(struct run *r, struct sf_error *err)
{
    const struct sf_invocation *inv = r->parts.inv;
    bool ok = true;

    for (size_t i = 0; i < inv->given_count && ok; i++)
        ok = strcmp(inv->given[i].option->name, "image") != 0 ||
             sf_port_attach(r->port, inv->given[i].value, err);
    if (!ok)
        err->code = SF_E_ARG;
    return ok;
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
    setup.session.schema = r->schema.closed ? r->schema.text.buf : NULL;
    setup.session.attended = r->ask.how != SF_ON_ASK_DENY;
    if (r->confirmed.deletes && !r->show.ephemeral && r->ask.how != SF_ON_ASK_ASK)
        r->parts.policy.confirmation = &r->confirmed;
    r->port = sf_port_open(&setup);
    r->ask.port = r->port;
    return read_images(r, err) && sf_port_enter(r->port, setup.session.resume, err);
}

/* The time of --timeout begins before anything is waited for. */
static bool read_limits(struct run *r, struct sf_error *err)
{
    const struct sf_config_value *timeout = sf_config_find(r->parts.config, "limits.timeout");

    if (timeout && timeout->integer > 0)
        r->prompt.ends_ms = sf_clock_monotonic_ms() + timeout->integer * 1000;
    r->ending.strict = sf_cli_get(r->parts.inv, "fail-on-refusal") != NULL;
    return sf_ending_read_check(&r->ending, r->parts.inv, err);
}

/* In a conversation standard input holds lines, and none of the words of the first prompt. */
static bool read_prompt(struct run *r, const struct sf_invocation *inv, bool talks,
                        struct sf_error *err)
{
    if (!talks)
        return sf_prompt_read(&r->prompt, inv, r->parts.resume[0] != '\0', err);
    sf_prompt_read_given(&r->prompt, inv);
    return true;
}

static void open_dialogue(struct run *r)
{
    const struct sf_dialogue_setup setup = {
        .port = r->port, .answers = r->ask.how == SF_ON_ASK_ASK, .input = tell_input, .ctx = r
    };

    sf_dialogue_in_init(&r->in, r->parts.loop, sf_dialogue_new(&setup));
}

/* What the answer must be and where it goes is known before anything is spent. */
static bool read_output(struct run *r, bool talks, struct sf_error *err)
{
    r->last = sf_cli_get(r->parts.inv, "output-last-message");
    if (!sf_schema_output_read(&r->schema, r->parts.inv, err))
        return false;
    if (talks && r->schema.schema) {
        sf_fail(err, SF_E_ARG, "--output-schema is for one answer, and a conversation has many");
        return sf_hint(err, "leave --input-format away, or check each answer yourself");
    }
    if (r->schema.schema) {
        r->ending.schema = &r->schema;
        r->show.live = false;
    }
    r->show.ephemeral = sf_app_is_ephemeral(r->parts.inv->app);
    if (r->show.ephemeral && sf_cli_get(r->parts.inv, "confirm")) {
        sf_fail(err, SF_E_ARG, "--confirm rests on snapshots, and --ephemeral leaves none");
        return sf_hint(err, "leave out one of the two");
    }
    return !r->last || sf_last_message_check(r->last, &r->parts.policy, err);
}

static bool run(struct run *r, struct sf_invocation *inv, struct sf_error *err)
{
    bool ok = sf_parts_open(&r->parts, inv, err), again = r->parts.resume[0] != '\0', talks;

    if (!ok)
        return false;
    ok = sf_dialogue_in_wanted(inv, &talks, err) && read_limits(r, err) &&
         read_output(r, talks, err) && sf_confirm_option_read(&r->confirmed, r->parts.config, err);
    sf_ask_init(&r->ask, r->parts.loop, read_on_ask(inv, talks));
    sf_wait_line_init(&r->wait, r->parts.loop);
    ok = ok && read_prompt(r, inv, talks, err) && open_port(r, err);
    if (ok) {
        sf_show_begin(&r->show, r->port, again);
        if (talks)
            open_dialogue(r);
        run_prompt(r);
    }
    sf_dialogue_in_release(&r->in);
    sf_port_close(r->port);
    r->port = NULL;
    sf_wait_line_release(&r->wait);
    sf_ask_release(&r->ask);
    return ok;
}

static enum sf_show_format read_format(const struct sf_invocation *inv)
{
    const char *word = sf_cli_get(inv, "output-format");

    for (size_t i = 0; word && sf_show_formats[i]; i++)
        if (!strcmp(word, sf_show_formats[i]))
            return (enum sf_show_format)i;
    word = sf_cli_get(inv, "input-format");
    return word && !strcmp(word, "stream-json") ? SF_SHOW_STREAM : SF_SHOW_TEXT;
}

/* Why the run could not begin: other waits than that for the prompt have times of their own. */
static enum sf_exit exit_of_error(const struct run *r, const struct sf_error *err)
{
    if (err->code == SF_E_TIMEOUT && r->prompt.ends_ms &&
        sf_clock_monotonic_ms() >= r->prompt.ends_ms)
        return SF_EXIT_TIMEOUT;
    return err->code == SF_E_ARG || err->code == SF_E_NOENT ? SF_EXIT_USAGE : SF_EXIT_FAILED;
}

int sf_cmd_exec(struct sf_invocation *inv)
{
    struct run r = { .parts = SF_PARTS_INIT,
                     .schema = SF_SCHEMA_OUTPUT_INIT,
                     .confirmed = SF_CONFIRMATION_INIT };
    struct sf_error err = SF_ERROR_INIT;

    sf_show_init(&r.show, read_format(inv), sf_cli_get(inv, "verbose") != NULL);
    sf_ending_init(&r.ending);
    sf_strbuf_init(&r.prompt.text);
    if (!run(&r, inv, &err)) {
        r.code = exit_of_error(&r, &err);
        sf_print_error(&err, r.code);
        sf_show_failure(&r.show, &err, r.code);
    }
    if (!sf_parts_end_recording(&r.parts, &err)) {
        sf_print_error(&err, SF_EXIT_FAILED);
        fail_with(&r, SF_EXIT_FAILED);
    }
    sf_parts_close(&r.parts);
    sf_strbuf_release(&r.prompt.text);
    sf_ending_release(&r.ending);
    sf_schema_output_release(&r.schema);
    sf_confirmation_release(&r.confirmed);
    sf_show_release(&r.show);
    return (int)r.code;
}
