/*
 * commands_doctor.c: the findings of `sf doctor`, as a table. The checks run in a process of their
 * own, since they run other programs and wait for them. Checks of the terminal are the surface's.
 */
#include <string.h>
#include <unistd.h>

#include "port/internal.h"

enum { DOCTOR_MS = 30000, DOCTOR_BYTES = 256 * 1024 };

static bool add_findings(const struct sf_json *json, struct sf_response *r)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *list = sf_json_get(json, "findings");
    const char *check, *health, *text, *hint;

    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it)) {
        if (!sf_json_get_str(it, "check", &check, &ignored) ||
            !sf_json_get_str(it, "health", &health, &ignored) ||
            !sf_json_get_str(it, "text", &text, &ignored) ||
            !sf_json_get_str(it, "hint", &hint, &ignored))
            return false;
        sf_response_row(r, "");
        sf_response_cell(r, "%s", health);
        sf_response_cell(r, "%s", check);
        sf_response_cell(r, "%s", text);
        sf_response_cell(r, "%s", hint);
    }
    return list != NULL;
}

static void answer(struct sf_port *p, const struct sf_strbuf *said)
{
    static const char *const columns[] = { "health", "check", "what", "what to do", NULL };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(said->buf, said->len, NULL, &ignored);
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_TABLE, "Doctor");
    r.columns = columns;
    if (json && add_findings(json, &r)) {
        sf_port_respond(p, &r);
    } else {
        sf_response_release(&r);
        sf_port_note(p, true, "the doctor gave no answer; `sf doctor` in a shell says more");
    }
    sf_json_free(json);
}

static void on_exit_of(void *ctx, const struct sf_child_result *result)
{
    struct sf_port *p = ctx;
    const char *before = p->command;

    p->doctor = NULL;
    p->command = p->doctor_command;
    if (!p->ending)
        answer(p, &result->output[SF_CHILD_STREAM_OUT]);
    p->command = before;
    sf_port_paid(p);
}

/* /proc/self/exe is the running program, even if its file was replaced meanwhile. */
static void start(struct sf_port *p, bool online)
{
    static const struct sf_child_events events = { .on_exit = on_exit_of };
    const char *const argv[] = {
        "/proc/self/exe",           "-C", sf_port_workspace(p), "doctor", "--json",
        online ? "--online" : NULL, NULL
    };
    const struct sf_child_spec spec = { .argv = argv,
                                        .envp = (const char *const *)environ,
                                        .output_cap = DOCTOR_BYTES,
                                        .deadline_ms = DOCTOR_MS };
    struct sf_error err = SF_ERROR_INIT;

    p->doctor = sf_child_start(p->loop, &spec, &events, p, &err);
    if (p->doctor) {
        p->doctor_command = sf_port_owe(p);
        sf_port_passing(p, "checking the installation …");
    } else {
        sf_port_fail(p, &err);
    }
}

void sf_command_doctor(struct sf_port *p, const char *args)
{
    bool online = sf_args_take(&args, "--online");

    if (*args)
        sf_port_usage(p, "/doctor, or /doctor --online");
    else if (!p->doctor) /* otherwise the checks run already, and their result will come */
        start(p, online);
}
