/*
 * doctor.c: what `sf doctor` finds, as a page. It runs as a program of its own, since it asks others
 * and waits for them; what it cannot see from there, the terminal, is known here.
 */
#include <string.h>
#include <unistd.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum { DOCTOR_MS = 30000, DOCTOR_BYTES = 256 * 1024, LABEL = 20 };

/* A line stays a line, and ends no block of code. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    size_t from = out->len;

    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
    for (size_t i = from; i < out->len; i++)
        if (out->buf[i] == '`')
            out->buf[i] = '\'';
    sf_strbuf_addch(out, '\n');
}

static void add_finding(struct sf_strbuf *out, const char *health, const char *check,
                        const char *text, const char *hint)
{
    sf_strbuf_addf(out, "%-8s %-10s ", health, check);
    add_line(out, text);
    if (*hint) {
        sf_strbuf_addf(out, "%*s", LABEL, "");
        add_line(out, hint);
    }
}

static void add_terminal(struct sf_tui *ui, struct sf_strbuf *out)
{
    static const char *const colours[] = {
        [SF_COLOURS_NONE] = "no colours",
        [SF_COLOURS_16] = "16 colours",
        [SF_COLOURS_256] = "256 colours",
        [SF_COLOURS_TRUE] = "16 million colours",
    };
    const struct sf_terminal_facts *facts = sf_terminal_facts(ui->terminal);
    struct sf_strbuf line = SF_STRBUF_INIT;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_strbuf_addf(&line, "%s, %s, %d columns, %d rows%s", facts->name, colours[facts->colours],
                   cols, rows, facts->tmux ? ", inside tmux" : "");
    add_finding(out, "ok", "terminal", line.buf, "");
    sf_strbuf_reset(&line);
    sf_terminal_keys(facts, &line);
    add_finding(out, "ok", "terminal", line.buf, "");
    sf_strbuf_release(&line);
}

static bool add_findings(struct sf_tui *ui, const struct sf_json *json, struct sf_strbuf *out)
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
        if (!strcmp(check, "terminal")) /* it had none: one line says so */
            add_terminal(ui, out);
        else
            add_finding(out, health, check, text, hint);
    }
    return list != NULL;
}

static void on_exit_of(void *ctx, const struct sf_child_result *result)
{
    struct sf_tui *ui = ctx;
    const struct sf_strbuf *said = &result->output[SF_CHILD_STREAM_OUT];
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json *json;

    ui->doctor = NULL;
    if (ui->quitting)
        return;
    json = sf_json_parse(said->buf, said->len, NULL, &ignored);
    sf_strbuf_adds(&text, "```\n");
    if (json && add_findings(ui, json, &text)) {
        sf_strbuf_adds(&text, "```\n");
        sf_overlay_page(ui, "Doctor", &text);
    } else {
        sf_tui_say(ui, true, "the doctor gave no answer; `sf doctor` in a shell says more");
    }
    sf_json_free(json);
    sf_strbuf_release(&text);
    sf_tui_dirty(ui);
}

void sf_doctor_leave(struct sf_tui *ui)
{
    if (ui->doctor)
        sf_child_cancel(ui->doctor);
}

/* The program is the one that runs, whatever lies in its place by now. */
void sf_do_doctor(struct sf_tui *ui, const char *args)
{
    static const struct sf_child_events events = { .on_exit = on_exit_of };
    const bool online = !strcmp(args, "--online");
    const char *const argv[] = {
        "/proc/self/exe",           "-C", sf_port_workspace(ui->port), "doctor", "--json",
        online ? "--online" : NULL, NULL
    };
    const struct sf_child_spec spec = { .argv = argv,
                                        .envp = (const char *const *)environ,
                                        .output_cap = DOCTOR_BYTES,
                                        .deadline_ms = DOCTOR_MS };
    struct sf_error err = SF_ERROR_INIT;

    if (*args && !online) {
        sf_tui_say(ui, true, "/doctor, or /doctor --online");
        return;
    }
    if (ui->doctor)
        return;
    ui->doctor = sf_child_start(ui->loop, &spec, &events, ui, &err);
    if (ui->doctor)
        sf_tui_say(ui, false, "looking whether everything is in order …");
    else
        sf_tui_fail(ui, &err);
}
