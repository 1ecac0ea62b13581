/*
 * ending.c: exit codes and reasons. 3 says that the run ended on a refusal; a refusal that the model
 * found a way around is listed, and counts with --fail-on-refusal only. 6 says that verification was
 * asked for and that no check passed, or that an answer could not be held against its schema.
 */
#include "app/ending.h"

#include <string.h>

#include "app/app.h"
#include "workspace/workspace.h"

void sf_ending_init(struct sf_ending *ending)
{
    *ending = (struct sf_ending){ .done = { .budget = -1 } };
    sf_strbuf_init(&ending->why);
    sf_strbuf_init(&ending->output);
}

void sf_ending_release(struct sf_ending *ending)
{
    sf_strlist_release(&ending->refusals);
    sf_strbuf_release(&ending->why);
    sf_strbuf_release(&ending->output);
    free(ending->command);
    free(ending->detected);
}

static bool detect_check(struct sf_ending *ending, struct sf_app *app, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(app, err);
    struct sf_checks checks = SF_CHECKS_INIT;
    bool ok = workspace && sf_project_scan_checks(workspace->root, &checks, err);

    if (ok && !checks.commands.count) {
        sf_fail(err, SF_E_ARG, "--verify auto finds no check in %s", workspace->root);
        ok = sf_hint(err, "name one: --verify 'make test'");
    } else if (ok) {
        ending->detected = sf_strdup(checks.commands.items[0]);
        ending->check = ending->detected;
    }
    sf_checks_release(&checks);
    return ok;
}

bool sf_ending_read_check(struct sf_ending *ending, struct sf_invocation *inv, struct sf_error *err)
{
    ending->check = sf_cli_get(inv, "verify");
    if (ending->check && !ending->check[strspn(ending->check, " \t\n")])
        return sf_fail(err, SF_E_ARG, "--verify names no command");
    return !ending->check || strcmp(ending->check, "auto") != 0 ||
           detect_check(ending, inv->app, err);
}

void sf_ending_keep(struct sf_ending *ending, const struct sf_event_done *done)
{
    sf_strlist_release(&ending->refusals);
    ending->done = *done;
    ending->error = done->error ? *done->error : (struct sf_wire_error){ 0 };
    for (size_t i = 0; done->refusals && i < done->refusals->count; i++)
        sf_strlist_add(&ending->refusals, done->refusals->items[i]);
    free(ending->command); /* An answer that is asked for again ends a turn of its own. */
    ending->command = done->command ? sf_strdup(done->command) : NULL;
    ending->done.error = &ending->error;
    ending->done.refusals = &ending->refusals;
    ending->done.command = ending->command;
}

/* What shows the failure, or where nothing does the end of the output. */
static void keep_output(struct sf_ending *ending, const struct sf_tool_result *tool)
{
    struct sf_failure failure = SF_FAILURE_INIT;

    sf_failure_read(&failure, tool->exit_code, tool->text.buf, tool->text.len);
    sf_strbuf_reset(&ending->output);
    sf_strbuf_add(&ending->output, failure.excerpt.buf, failure.excerpt.len);
    sf_failure_release(&failure);
}

void sf_ending_prove(struct sf_ending *ending, const struct sf_event_result *result)
{
    const struct sf_tool_result *tool = result->tool;
    const char *why = "it was refused";

    sf_strbuf_reset(&ending->why);
    ending->proof = result->refused ? SF_PROOF_NONE
                                    : sf_proof_of(ending->check, tool->exit_code, tool->text.buf,
                                                  tool->text.len, &why);
    if (ending->proof == SF_PROOF_FAILED && !*why)
        sf_strbuf_addf(&ending->why, "it ended with exit code %d", tool->exit_code);
    else
        sf_strbuf_adds(&ending->why, why);
    if (ending->proof != SF_PROOF_PASSED)
        keep_output(ending, tool);
}

void sf_ending_review(struct sf_ending *ending, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_PROMPT && !event->depth)
        ending->reviews = false; /* Another turn begins; that of a review ends with its report. */
    if (event->kind != SF_EVENT_REVIEW || event->depth)
        return;
    ending->reviews = true;
    ending->reviewed = sf_event_reviewed(event);
}

/*
 * With a report, refusals on the way do not matter; without one nothing was reviewed, also where the
 * turn failed for good. A turn that fails behind a report without faults has failed all the same.
 */
enum sf_exit sf_ending_review_code(const struct sf_ending *ending, enum sf_exit code)
{
    static const enum sf_exit codes[] = { [SF_REVIEWED_NOT_YET] = SF_EXIT_BLOCKED,
                                          [SF_REVIEWED_PASSED] = SF_EXIT_DONE,
                                          [SF_REVIEWED_FAILED] = SF_EXIT_FAILED,
                                          [SF_REVIEWED_PART] = SF_EXIT_BLOCKED,
                                          [SF_REVIEWED_NOTHING] = SF_EXIT_BLOCKED };
    bool failed = code == SF_EXIT_FAILED && ending->done.status != SF_TURN_DONE &&
                  ending->reviewed != SF_REVIEWED_PASSED;

    if (!ending->reviews || (code != SF_EXIT_DONE && code != SF_EXIT_DENIED && !failed))
        return code;
    return codes[ending->reviewed];
}

const char *sf_ending_verdict(const struct sf_ending *ending)
{
    return ending->check ? sf_proof_names[ending->proof] : NULL;
}

enum sf_exit sf_ending_turn_code(const struct sf_ending *ending)
{
    const struct sf_event_done *done = &ending->done;

    switch (done->status) {
    case SF_TURN_DONE:
        if (done->denied || done->command || (ending->strict && ending->refusals.count))
            return SF_EXIT_DENIED;
        if (!ending->schema || ending->schema->fits)
            return SF_EXIT_DONE;
        return ending->schema->unknown ? SF_EXIT_NOT_VERIFIED : SF_EXIT_FAILED;
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

enum sf_exit sf_ending_code(const struct sf_ending *ending)
{
    enum sf_exit code = sf_ending_turn_code(ending);

    if (code == SF_EXIT_DONE && ending->check && ending->proof != SF_PROOF_PASSED)
        return SF_EXIT_NOT_VERIFIED;
    return code;
}

/* "make test failed: it ended with exit code 2"; "make test: not verified: it ran no test". */
static void add_proof(const struct sf_ending *ending, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s: %s: %s", ending->check, sf_ending_verdict(ending), ending->why.buf);
}

bool sf_ending_misfits(const struct sf_ending *ending, enum sf_exit code)
{
    return code == SF_EXIT_FAILED && ending->done.status == SF_TURN_DONE && ending->schema &&
           !ending->schema->fits;
}

/* The answer may fit the schema or not; the check of --verify has not run. */
static bool is_unknown(const struct sf_ending *ending)
{
    return ending->schema && ending->schema->unknown;
}

void sf_ending_reason(const struct sf_ending *ending, enum sf_exit code, struct sf_strbuf *out)
{
    const struct sf_strlist *refusals = &ending->refusals;

    if (ending->reviews && ending->done.status == SF_TURN_DONE && code <= SF_EXIT_BLOCKED)
        return; /* The report says it. */
    if (code == SF_EXIT_TIMEOUT)
        sf_strbuf_adds(out, "the run timed out; give it more time with --timeout or "
                            "limits.timeout");
    else if (code == SF_EXIT_NOT_VERIFIED && is_unknown(ending))
        sf_strbuf_addf(out, "the answer could not be held against the schema: %s",
                       ending->schema->why.buf);
    else if (code == SF_EXIT_NOT_VERIFIED)
        add_proof(ending, out);
    else if (sf_ending_misfits(ending, code))
        sf_strbuf_addf(out, "the answer does not fit the schema, after %d tries: %s",
                       ending->schema->tries + 1, ending->schema->why.buf);
    else if (code == SF_EXIT_DENIED && !ending->done.denied && !ending->done.command)
        sf_strbuf_addf(out, "%s", refusals->items[refusals->count - 1]);
    else if (code > SF_EXIT_TIMEOUT && ending->done.status == SF_TURN_DONE && ending->check)
        sf_strbuf_addf(out, "%s was stopped", ending->check);
    else if (code > SF_EXIT_TIMEOUT && ending->done.status == SF_TURN_DONE)
        sf_strbuf_adds(out, "the run was stopped when its turn was done");
    else
        sf_event_reason(&ending->done, out);
}
