/*
 * show_stream.c: the objects of json and stream-json, one a line, flushed at once.
 */
#include "app/show_stream.h"

#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

static void print(const struct sf_event *event)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_event_json_add(event, &line);
    sf_strbuf_addch(&line, '\n');
    fwrite(line.buf, 1, line.len, stdout);
    sf_flush();
    sf_strbuf_release(&line);
}

static struct sf_event run_event(const struct sf_show *show, enum sf_event_kind kind)
{
    return (struct sf_event){ .kind = kind,
                              .session = *show->id ? show->id : NULL,
                              .time_ms = sf_clock_wall_ms() };
}

void sf_stream_event(const struct sf_event *event)
{
    print(event);
}

static struct sf_event_axes axes_of(const struct sf_show *show)
{
    return (struct sf_event_axes){ .state = sf_port_state(show->port),
                                   .approval = sf_port_approval_mode(show->port) };
}

void sf_stream_begin(const struct sf_show *show, bool resumed)
{
    struct sf_event opened = run_event(show, SF_EVENT_OPENED),
                    axes = run_event(show, SF_EVENT_AXES);

    opened.opened = (struct sf_event_opened){ .resumed = resumed,
                                              .workspace = sf_port_workspace(show->port),
                                              .provider = sf_port_provider(show->port),
                                              .model = sf_port_model(show->port) };
    axes.axes = axes_of(show);
    print(&opened);
    print(&axes);
}

static const char *category_of(const struct sf_ending *ending, enum sf_exit code)
{
    const struct sf_event_done *done = &ending->done;

    if (sf_ending_misfits(ending, code))
        return "schema";
    if (code == SF_EXIT_TIMEOUT)
        return "timeout";
    if (code == SF_EXIT_NOT_VERIFIED)
        return "verification";
    if (done->status == SF_TURN_FAILED && done->error->fault != SF_FAULT_NONE)
        return sf_faults[done->error->fault].name;
    if (done->status == SF_TURN_DONE || done->status == SF_TURN_UNABLE)
        return "permission";
    return sf_turn_status_names[done->status];
}

static void print_error(const struct sf_show *show, const struct sf_event_error *error)
{
    struct sf_event event = run_event(show, SF_EVENT_ERROR);

    event.error = *error;
    if (show->format == SF_SHOW_STREAM)
        print(&event);
}

static struct sf_event_totals totals_of(const struct sf_show *show, const char *resume)
{
    return (struct sf_event_totals){ .resume = resume,
                                     .model = sf_port_model(show->port),
                                     .axes = axes_of(show),
                                     .turns = show->turns,
                                     .calls = show->calls,
                                     .tokens_in = show->tokens_in,
                                     .tokens_out = show->tokens_out,
                                     .cost = show->cost_known ? show->cost : -1,
                                     .duration_ms = sf_clock_monotonic_ms() - show->started_ms };
}

static void print_end(const struct sf_show *show, struct sf_event_ended ended)
{
    struct sf_strbuf resume = SF_STRBUF_INIT;
    struct sf_event event = run_event(show, SF_EVENT_ENDED);
    struct sf_event_totals totals;

    sf_strbuf_addf(&resume, "sf exec --resume %s", show->id);
    totals = totals_of(show, show->ephemeral ? NULL : resume.buf);
    ended.totals = &totals;
    event.ended = ended;
    print(&event);
    sf_strbuf_release(&resume);
}

void sf_stream_done(const struct sf_show *show, const struct sf_ending *ending, enum sf_exit code)
{
    const struct sf_event_done *done = &ending->done;
    /* A command may end in a turn that has no words, such as /compact. */
    const struct sf_strbuf *result = sf_show_result(show);
    struct sf_strbuf reason = SF_STRBUF_INIT;
    struct sf_event_error error = { .category = category_of(ending, code) };

    sf_ending_reason(ending, code, &reason);
    error.limit = done->budget >= 0 ? sf_budgets[done->budget].name : NULL;
    error.message = reason.buf;
    if (reason.len) /* Without a reason the run went well, or the answer explains it. */
        print_error(show, &error);
    print_end(show, (struct sf_event_ended){ .status = done->status,
                                             .exit_code = (int)code,
                                             .result = result->buf,
                                             .len = result->len,
                                             .reason = reason.len ? reason.buf : NULL,
                                             .refusals = &ending->refusals,
                                             .verification = sf_ending_verdict(ending),
                                             .structured = ending->schema && ending->schema->fits
                                                               ? ending->schema->value.buf
                                                               : NULL });
    sf_strbuf_release(&reason);
}

void sf_stream_response(const struct sf_show *show, const struct sf_response *response)
{
    struct sf_event event = run_event(show, SF_EVENT_RESPONSE);

    event.response = response;
    print(&event);
}

void sf_stream_input(const struct sf_show *show, const struct sf_event_input *input)
{
    struct sf_event event = run_event(show, SF_EVENT_INPUT);

    event.input = *input;
    print(&event);
}

void sf_stream_command_done(const struct sf_show *show, enum sf_exit code)
{
    bool failed = code != SF_EXIT_DONE;

    print_end(show,
              (struct sf_event_ended){ .status = failed ? SF_TURN_FAILED : SF_TURN_DONE,
                                       .exit_code = (int)code,
                                       .result = show->told.buf,
                                       .len = show->told.len,
                                       .reason = failed && show->why.len ? show->why.buf : NULL });
}

void sf_stream_failure(const struct sf_show *show, const struct sf_error *err, enum sf_exit code)
{
    struct sf_strbuf reason = SF_STRBUF_INIT;
    struct sf_event event = run_event(show, SF_EVENT_ENDED);

    sf_strbuf_addf(&reason, "%s%s%s", err->msg, *err->hint ? "; " : "", err->hint);
    print_error(show,
                &(struct sf_event_error){ .category = code == SF_EXIT_TIMEOUT ? "timeout" : "start",
                                          .message = reason.buf });
    event.ended = (struct sf_event_ended){
        .status = SF_TURN_FAILED, .exit_code = (int)code, .result = "", .reason = reason.buf
    };
    print(&event);
    sf_strbuf_release(&reason);
}
