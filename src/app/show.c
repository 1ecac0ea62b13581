/*
 * show.c: events of a run as text. The objects of json and stream-json are in show_stream.c.
 */
#include "app/show.h"

#include <unistd.h>

#include "app/app.h"
#include "app/show_stream.h"
#include "base/base.h"
#include "io/io.h"

const char *const sf_show_formats[] = { "text", "json", "stream-json", NULL };

void sf_show_init(struct sf_show *show, enum sf_show_format format, bool verbose)
{
    *show =
        (struct sf_show){ .format = format,
                          .live = format == SF_SHOW_TEXT && isatty(STDOUT_FILENO),
                          .verbose = format == SF_SHOW_TEXT && (verbose || isatty(STDERR_FILENO)),
                          .cost_known = true,
                          .started_ms = sf_clock_monotonic_ms() };
    sf_strbuf_init(&show->answer);
    sf_strbuf_init(&show->told);
    sf_strbuf_init(&show->report);
    sf_strbuf_init(&show->why);
}

void sf_show_release(struct sf_show *show)
{
    sf_strbuf_release(&show->answer);
    sf_strbuf_release(&show->told);
    sf_strbuf_release(&show->report);
    sf_strbuf_release(&show->why);
}

void sf_show_begin(struct sf_show *show, struct sf_port *port, bool resumed)
{
    show->port = port;
    snprintf(show->id, sizeof(show->id), "%s", sf_port_session(port));
    if (show->format == SF_SHOW_STREAM)
        sf_stream_begin(show, resumed);
}

/* ---- text ---- */

static void end_line(struct sf_show *show)
{
    if (show->line_open)
        putchar('\n');
    show->line_open = false;
    sf_flush();
}

/* Text of a model may hold anything, so it is sanitized before a terminal gets it. */
static void say_live(struct sf_show *show, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    fwrite(safe.buf, 1, safe.len, stdout);
    if (safe.len)
        show->line_open = safe.buf[safe.len - 1] != '\n';
    sf_flush();
    sf_strbuf_release(&safe);
}

static void note(struct sf_show *show, const struct sf_event *event, const char *mark,
                 const char *text, size_t len)
{
    struct sf_strbuf line = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;

    end_line(show);
    for (int i = 0; i < event->depth; i++)
        sf_strbuf_adds(&line, "  ");
    sf_strbuf_addf(&line, "%s ", mark);
    sf_text_sanitize(&safe, text, len, SF_TEXT_ONE_LINE);
    sf_strbuf_add(&line, safe.buf, sf_text_fit(safe.buf, safe.len, 160, NULL));
    sf_strbuf_addch(&line, '\n');
    fwrite(line.buf, 1, line.len, stderr);
    sf_strbuf_release(&line);
    sf_strbuf_release(&safe);
}

static void note_result(struct sf_show *show, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *end = memchr(r->text.buf, '\n', r->text.len);

    if (!r->summary ||
        !strstr(r->summary, event->call->what)) /* The summary may name the thing itself. */
        sf_strbuf_addf(&text, "%s %s%s", event->call->name, event->call->what,
                       r->summary || r->is_error ? ": " : "");
    if (r->summary)
        sf_strbuf_adds(&text, r->summary);
    else if (r->is_error)
        sf_strbuf_addf(&text, "%.*s", (int)(end ? (size_t)(end - r->text.buf) : r->text.len),
                       r->text.buf);
    note(show, event, r->is_error ? "✗" : "✓", text.buf, text.len);
    sf_strbuf_release(&text);
}

static void note_retry(struct sf_show *show, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s; try %d of %d follows in %.1f s (Ctrl+C ends it)",
                   event->retry->why->message, event->retry->attempt + 1, event->retry->of,
                   (double)event->retry->wait_ms / 1000.0);
    note(show, event, "…", text.buf, text.len);
    sf_strbuf_release(&text);
}

static void note_compacted(struct sf_show *show, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_event_compacted(&event->compacted, &text);
    if (show->verbose)
        note(show, event, "·", text.buf, text.len);
    sf_strbuf_release(&text);
}

static void show_result(struct sf_show *show, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;

    if (show->verbose || (show->shell && r->is_error && r->exit_code < 0))
        note_result(show, event);
}

/* The output of the user's own command: as it is for a program, made safe for a terminal. */
static void show_output(struct sf_show *show, const struct sf_event *event)
{
    if (show->shell && show->live) {
        say_live(show, event->words.text, event->words.len);
    } else if (show->shell) {
        fwrite(event->words.text, 1, event->words.len, stdout);
        sf_flush();
    }
}

static void show_piece(struct sf_show *show, const struct sf_event *event)
{
    if (show->live && !event->depth)
        say_live(show, event->words.text, event->words.len);
}

static void show_break(struct sf_show *show, const struct sf_event *event)
{
    (void)event;
    end_line(show);
}

/* The work on the goal may have stopped, so the note is printed even without -v. */
static void note_goal(struct sf_show *show, const struct sf_event *event)
{
    note(show, event, "·", event->goal.change, event->goal.len);
}

static void note_notice(struct sf_show *show, const struct sf_event *event)
{
    note(show, event, "·", event->notice.text, event->notice.len);
}

/* Which units ran, and how they ended, is what a run has to say; so it is printed without -v. */
static void note_run(struct sf_show *show, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_event_run_line(&event->run, &text);
    note(show, event, "·", text.buf, text.len);
    sf_strbuf_release(&text);
}

static void (*const texts[SF_EVENT_COUNT])(struct sf_show *show, const struct sf_event *event) = {
    [SF_EVENT_TEXT] = show_piece,    [SF_EVENT_RESTART] = show_break,
    [SF_EVENT_CALL] = show_break,    [SF_EVENT_RESULT] = show_result,
    [SF_EVENT_RETRY] = note_retry,   [SF_EVENT_GOAL] = note_goal,
    [SF_EVENT_NOTICE] = note_notice, [SF_EVENT_COMPACTED] = note_compacted,
    [SF_EVENT_OUTPUT] = show_output, [SF_EVENT_RUN] = note_run,
};

/* ---- all formats ---- */

static void keep_answer(struct sf_show *show, const struct sf_event *event)
{
    if (event->depth)
        return;
    if (event->kind == SF_EVENT_RESTART || event->kind == SF_EVENT_PROMPT ||
        (event->kind == SF_EVENT_TEXT && show->fresh))
        sf_strbuf_reset(&show->answer);
    if (event->kind == SF_EVENT_TEXT) {
        sf_strbuf_add(&show->answer, event->words.text, event->words.len);
        show->fresh = false;
    }
    if (event->kind == SF_EVENT_CALL)
        show->fresh = true;
}

/* The last report counts: the reviewer may have corrected an earlier one. A new turn has none yet. */
static void keep_report(struct sf_show *show, const struct sf_event *event)
{
    if (event->depth || (event->kind != SF_EVENT_REVIEW && event->kind != SF_EVENT_PROMPT))
        return;
    sf_strbuf_reset(&show->report);
    if (event->kind == SF_EVENT_REVIEW)
        sf_event_review_text(event, &show->report);
}

/* What the reviewer said besides is no part of the report. */
static const struct sf_strbuf *answer_of(const struct sf_show *show)
{
    return show->report.len ? &show->report : &show->answer;
}

const struct sf_strbuf *sf_show_result(const struct sf_show *show)
{
    const struct sf_strbuf *answer = answer_of(show);

    return answer->len ? answer : &show->told;
}

static void count(struct sf_show *show, const struct sf_event *event)
{
    const struct sf_usage *u = event->usage.tokens;

    if (event->kind == SF_EVENT_CALL)
        show->calls++;
    if (event->kind != SF_EVENT_USAGE)
        return;
    show->turns++;
    show->tokens_in += u->input + u->cache_read + u->cache_write;
    show->tokens_out += u->output;
    if (event->usage.cost >= 0)
        show->cost += event->usage.cost;
    else
        show->cost_known = false;
}

/* What a command answered: on standard output, or for the object at the end. */
static void tell(struct sf_show *show, const struct sf_strbuf *text)
{
    if (show->format == SF_SHOW_TEXT)
        sf_print(text);
    sf_strbuf_add(&show->told, text->buf, text->len);
}

/* Some commands answer with an event; the calls of a model are over by then, or never were. */
static bool tell_event(struct sf_show *show, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ours = show->command && !event->depth && !show->calls;

    if (ours && event->kind == SF_EVENT_COMPACTED)
        sf_event_compacted(&event->compacted, &text);
    else if (ours && event->kind == SF_EVENT_GOAL)
        sf_strbuf_add(&text, event->goal.change, event->goal.len);
    else if (ours && event->kind == SF_EVENT_RESTORED)
        sf_strbuf_add(&text, event->words.text, event->words.len);
    ours = text.len > 0;
    if (ours) {
        if (text.buf[text.len - 1] != '\n')
            sf_strbuf_addch(&text, '\n');
        show->responses++;
        tell(show, &text);
    }
    sf_strbuf_release(&text);
    return ours;
}

/* The object at the end has the output as the log keeps it, which has a ceiling. */
static void keep_shell(struct sf_show *show, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;

    if (!show->shell || event->kind != SF_EVENT_RESULT)
        return;
    show->responses++;
    sf_strbuf_add(&show->told, r->text.buf, r->text.len);
    if (r->is_error && r->summary)
        sf_strbuf_adds(&show->why, r->summary);
}

void sf_show_event(struct sf_show *show, const struct sf_event *event)
{
    bool told = tell_event(show, event);

    keep_answer(show, event);
    keep_report(show, event);
    keep_shell(show, event);
    count(show, event);
    if (told && show->format != SF_SHOW_STREAM)
        return;
    if (show->format == SF_SHOW_TEXT && texts[event->kind])
        texts[event->kind](show, event);
    else if (show->format == SF_SHOW_STREAM)
        sf_stream_event(event);
}

/* ---- answers of commands ---- */

/* Whether the response says that something was not done; if so, `err` says what. */
static bool is_failure(const struct sf_response *r, struct sf_error *err)
{
    if (r->kind == SF_RESPONSE_SCREEN) {
        sf_fail(err, SF_E_ARG, "/%s is about the screen", r->command);
        sf_hint(err, "start sf in a terminal for it");
        return true;
    }
    if (r->kind != SF_RESPONSE_ERROR && !r->bad)
        return false;
    sf_fail(err, SF_E_ARG, "%s", r->text.buf);
    if (*r->hint)
        sf_hint(err, "%s", r->hint);
    return true;
}

static void keep_why(struct sf_show *show, const char *text, const char *hint)
{
    sf_strbuf_addf(&show->why, "%s%s%s%s", show->why.len ? "\n" : "", text, *hint ? "; " : "",
                   hint);
}

void sf_show_refusal(struct sf_show *show, const char *text, const char *hint)
{
    sf_print_warning(text, hint);
    keep_why(show, text, hint);
}

static void tell_failure(struct sf_show *show, const struct sf_error *err)
{
    keep_why(show, err->msg, err->hint);
    sf_strbuf_addf(&show->told, "%s\n", err->msg);
    if (show->format == SF_SHOW_TEXT)
        sf_print_error(err, SF_EXIT_FAILED);
}

/* A question is printed by who asks it. */
static void tell_response(struct sf_show *show, const struct sf_response *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (is_failure(r, &err)) {
        tell_failure(show, &err);
    } else if (!*r->command) { /* This is a remark, not the answer of a command. */
        if (show->format != SF_SHOW_STREAM)
            sf_print_warning(r->text.buf, "");
    } else {
        sf_response_text(r, &text);
        if (r->kind == SF_RESPONSE_QUESTION)
            sf_strbuf_add(&show->told, text.buf, text.len);
        else
            tell(show, &text);
    }
    sf_strbuf_release(&text);
}

void sf_show_response(struct sf_show *show, const struct sf_response *response)
{
    if (response->passing || response->partial ||
        (response->since_ms && show->format != SF_SHOW_STREAM))
        return; /* The note is about work under way; the answer follows. */
    show->responses++;
    tell_response(show, response);
    if (show->format == SF_SHOW_STREAM)
        sf_stream_response(show, response);
}

void sf_show_input(struct sf_show *show, const struct sf_event_input *input)
{
    sf_stream_input(show, input);
}

void sf_show_dialogue_end(struct sf_show *show, enum sf_exit code)
{
    sf_stream_command_done(show, code);
}

/* What was changed in a session that nothing was said in is not what --continue takes. */
static void warn_of_end(const struct sf_show *show)
{
    if (sf_port_is_blank(show->port))
        sf_print_warning("this changed a new session, in which nothing was said",
                         "-c changes the last one: sf -c -p '/…'; options are for one run: --mode");
}

/* A command that only changed the axes has no answer of its own, so the axes are shown. */
void sf_show_command_end(struct sf_show *show, enum sf_exit code)
{
    const struct sf_mode_state *s = sf_port_state(show->port);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (show->report.len) {
        tell(show, &show->report);
    } else if (!show->responses && code == SF_EXIT_DONE) {
        for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
            sf_strbuf_addf(
                &text, "%s%s", axis ? " | " : "",
                sf_axis_name((enum sf_axis)axis, sf_mode_state_get(s, (enum sf_axis)axis)));
        sf_strbuf_addf(&text, "  scope %s", s->scope);
        if (sf_port_approval(show->port))
            sf_strbuf_addf(&text, "  approval %s", sf_port_approval(show->port));
        sf_strbuf_addch(&text, '\n');
        tell(show, &text);
        warn_of_end(show);
    }
    end_line(show);
    if (show->format != SF_SHOW_TEXT)
        sf_stream_command_done(show, code);
    sf_flush();
    sf_strbuf_release(&text);
}

/* ---- the end ---- */

static void print_answer(const struct sf_show *show)
{
    const struct sf_strbuf *answer = answer_of(show);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if ((show->live && !show->report.len) || !answer->len)
        return;
    sf_strbuf_add(&text, answer->buf, answer->len);
    if (text.buf[text.len - 1] != '\n')
        sf_strbuf_addch(&text, '\n');
    sf_print(&text);
    sf_strbuf_release(&text);
}

/* What was refused on the way; the refusal that a run ended on is its reason. */
static void add_refusals(const struct sf_ending *ending, struct sf_strbuf *out)
{
    size_t count = ending->refusals.count - (ending->done.denied && ending->refusals.count);

    if (count)
        sf_strbuf_adds(out, "sf: refused on the way:\n");
    for (size_t i = 0; i < count; i++)
        sf_strbuf_addf(out, "    %s\n", ending->refusals.items[i]);
}

static void add_reason(const struct sf_show *show, const struct sf_ending *ending,
                       enum sf_exit code, struct sf_strbuf *out)
{
    const struct sf_event_done *done = &ending->done;
    struct sf_strbuf reason = SF_STRBUF_INIT;

    sf_ending_reason(ending, code, &reason);
    if (reason.len) {
        sf_strbuf_adds(out, "sf: ");
        if (done->status == SF_TURN_FAILED && done->error->fault != SF_FAULT_NONE)
            sf_strbuf_addf(out, "%s: ", sf_faults[done->error->fault].name);
        sf_strbuf_addf(out, "%s\n", reason.buf);
        if (!show->ephemeral && done->status != SF_TURN_DONE && done->status != SF_TURN_REFUSED)
            sf_strbuf_addf(out, "  resume with: sf exec --resume %s\n", show->id);
    } else if (!answer_of(show)->len && !show->command) {
        /* A command without output does not even print an empty line. */
        sf_strbuf_adds(out, "sf: the model ended without an answer\n");
    }
    sf_strbuf_release(&reason);
}

static void end_text(struct sf_show *show, const struct sf_ending *ending, enum sf_exit code)
{
    struct sf_strbuf line = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;

    end_line(show);
    print_answer(show);
    sf_strbuf_add(&line, ending->output.buf, ending->output.len);
    if (line.len && line.buf[line.len - 1] != '\n')
        sf_strbuf_addch(&line, '\n');
    add_refusals(ending, &line);
    add_reason(show, ending, code, &line);
    if (ending->check && ending->proof == SF_PROOF_PASSED)
        sf_strbuf_addf(&line, "sf: verified: %s passed\n", ending->check);
    sf_flush();
    sf_text_sanitize(&safe, line.buf, line.len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    fwrite(safe.buf, 1, safe.len, stderr);
    sf_strbuf_release(&safe);
    sf_strbuf_release(&line);
}

void sf_show_end(struct sf_show *show, const struct sf_ending *ending, enum sf_exit code)
{
    if (show->format == SF_SHOW_TEXT)
        end_text(show, ending, code);
    else
        sf_stream_done(show, ending, code);
    sf_flush();
}

void sf_show_failure(struct sf_show *show, const struct sf_error *err, enum sf_exit code)
{
    if (show->format != SF_SHOW_TEXT)
        sf_stream_failure(show, err, code);
}
