/*
 * commands_doctor.c: the findings of `sf doctor` as a table, its repairs as a page, or the findings
 * as a prompt that heals. The checks run in a process of their own, since they run other programs
 * and wait for them. Checks of the terminal are the surface's.
 */
#include <string.h>
#include <unistd.h>

#include "port/internal.h"

enum { DOCTOR_MS = 30000, DOCTOR_BYTES = 256 * 1024 };

/* One finding as the program wrote it; texts are borrowed from the JSON. */
struct finding {
    const char *check, *group, *health, *text, *hint;
};

static bool read_finding(const struct sf_json *it, struct finding *out)
{
    struct sf_error ignored = SF_ERROR_INIT;

    return sf_json_get_str(it, "check", &out->check, &ignored) &&
           sf_json_opt_str(it, "group", out->check, &out->group, &ignored) &&
           sf_json_get_str(it, "health", &out->health, &ignored) &&
           sf_json_get_str(it, "text", &out->text, &ignored) &&
           sf_json_get_str(it, "hint", &out->hint, &ignored);
}

static void add_row(struct sf_response *r, const struct finding *f)
{
    sf_response_row(r, "");
    sf_response_cell(r, "%s", f->health);
    sf_response_cell(r, "%s", f->check);
    sf_response_cell(r, "%s", f->text);
    sf_response_cell(r, "%s", f->hint);
}

static bool is_well(const struct finding *f)
{
    return !strcmp(f->health, "ok");
}

/* The rows of a group: what is not well, or that all of it is. */
static const struct sf_json *add_group(const struct sf_json *it, struct sf_response *r, bool all,
                                       bool *ok)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct finding f, first;
    const char *check = "";
    size_t checks = 0, shown = 0;

    *ok = read_finding(it, &first);
    for (f = first; *ok && it && !strcmp(f.group, first.group);) {
        checks += strcmp(check, f.check) != 0;
        check = f.check;
        if (all || !is_well(&f)) {
            add_row(r, &f);
            shown++;
        }
        it = sf_json_next(it);
        *ok = !it || read_finding(it, &f);
    }
    if (*ok && !shown) {
        sf_strbuf_addf(&text, "%zu check%s", checks, checks == 1 ? "" : "s");
        f = (struct finding){ first.group, first.group, first.health, text.buf, "" };
        add_row(r, &f);
    }
    sf_strbuf_release(&text);
    return it;
}

static bool add_findings(const struct sf_json *json, bool all, struct sf_response *r)
{
    const struct sf_json *list = sf_json_get(json, "findings");
    const struct sf_json *it = list ? sf_json_first(list) : NULL;
    bool ok = list != NULL;

    while (ok && it)
        it = add_group(it, r, all, &ok);
    return ok;
}

static void show_findings(struct sf_port *p, const struct sf_json *json)
{
    static const char *const columns[] = { "health", "check", "what", "what to do", NULL };
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_TABLE, "Doctor");
    r.columns = columns;
    if (json && add_findings(json, p->doctor.how == SF_DOCTOR_ALL, &r)) {
        sf_port_respond(p, &r);
    } else {
        sf_response_release(&r);
        sf_port_note(p, true, "the doctor gave no answer; `sf doctor` in a shell says more");
    }
}

/* ---- healing: the findings become a prompt ---- */

static bool add_prompt(const struct sf_json *json, struct sf_strbuf *out, size_t *count)
{
    const struct sf_json *list = sf_json_get(json, "findings");
    struct finding f;

    sf_strbuf_adds(out, "`sf doctor` found what follows. Find the cause of each, mend it with the "
                        "smallest change, and check with `sf doctor` that it is gone. Ask before "
                        "anything that could lose work; do not mark any task as done.\n\n");
    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it)) {
        if (!read_finding(it, &f))
            return false;
        if (is_well(&f))
            continue;
        ++*count;
        sf_strbuf_addf(out, "- %s (%s): ", f.check, f.health);
        sf_text_sanitize(out, f.text, strlen(f.text), SF_TEXT_ONE_LINE);
        if (*f.hint) {
            sf_strbuf_adds(out, "; ");
            sf_text_sanitize(out, f.hint, strlen(f.hint), SF_TEXT_ONE_LINE);
        }
        sf_strbuf_addch(out, '\n');
    }
    return list != NULL;
}

static void heal(struct sf_port *p, const struct sf_json *json)
{
    struct sf_strbuf prompt = SF_STRBUF_INIT;
    size_t count = 0;

    if (!json || !add_prompt(json, &prompt, &count)) {
        sf_port_note(p, true, "the doctor gave no answer; `sf doctor` in a shell says more");
    } else if (!count) {
        sf_port_note(p, false, "there is nothing to heal");
    } else {
        sf_port_command(p, "/mode repair");
        if (sf_session_preview(p->session).work == SF_WORK_REPAIR)
            sf_port_send(p, prompt.buf, prompt.len);
    }
    sf_strbuf_release(&prompt);
}

/* ---- the program's answer ---- */

/* What a repair says is text, on either stream. */
static void show_text(struct sf_port *p, const struct sf_child_result *result)
{
    struct sf_strbuf page = SF_STRBUF_INIT;

    sf_strbuf_adds(&page, "```\n");
    for (int i = SF_CHILD_STREAM_OUT; i <= SF_CHILD_STREAM_ERR; i++) {
        const struct sf_strbuf *said = &result->output[i];
        size_t from = page.len;

        sf_text_sanitize(&page, said->len ? said->buf : "", said->len, 0);
        for (; from < page.len; from++)
            if (page.buf[from] == '`')
                page.buf[from] = '\'';
    }
    sf_strbuf_adds(&page, "```\n");
    sf_port_page(p, "Doctor", &page);
    sf_strbuf_release(&page);
}

static void answer(struct sf_port *p, const struct sf_child_result *result)
{
    const struct sf_strbuf *said = &result->output[SF_CHILD_STREAM_OUT];
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = NULL;

    if (p->doctor.how == SF_DOCTOR_TEXT) {
        show_text(p, result);
        return;
    }
    json = sf_json_parse(said->buf, said->len, NULL, &ignored);
    if (p->doctor.how == SF_DOCTOR_HEAL)
        heal(p, json);
    else
        show_findings(p, json);
    sf_json_free(json);
}

static void on_exit_of(void *ctx, const struct sf_child_result *result)
{
    struct sf_port *p = ctx;
    const char *before = p->command;

    p->doctor.child = NULL;
    p->command = p->doctor.command;
    if (!p->ending)
        answer(p, result);
    p->command = before;
    sf_port_paid(p);
}

/* /proc/self/exe is the running program, even if its file was replaced meanwhile. */
static void start(struct sf_port *p, enum sf_doctor_how how, const char *words)
{
    static const struct sf_child_events events = { .on_exit = on_exit_of };
    struct sf_strlist argv = SF_STRLIST_INIT;
    struct sf_child_spec spec = { .envp = (const char *const *)environ,
                                  .output_cap = DOCTOR_BYTES,
                                  .deadline_ms = DOCTOR_MS };
    struct sf_error err = SF_ERROR_INIT;

    sf_strlist_add(&argv, "/proc/self/exe");
    sf_strlist_add(&argv, "-C");
    sf_strlist_add(&argv, sf_port_workspace(p));
    sf_strlist_add(&argv, "doctor");
    for (size_t n; *words; words += n + strspn(words + n, " \t")) {
        n = strcspn(words, " \t");
        sf_strlist_adopt(&argv, sf_strndup(words, n));
    }
    argv.items = sf_grow(argv.items, &argv.cap, argv.count + 1, sizeof(*argv.items));
    argv.items[argv.count] = NULL;
    spec.argv = (const char *const *)argv.items;
    p->doctor.child = sf_child_start(p->loop, &spec, &events, p, &err);
    if (p->doctor.child) {
        p->doctor.how = how;
        p->doctor.command = sf_port_owe(p);
        sf_port_passing(p, "checking the installation …");
    } else {
        sf_port_fail(p, &err);
    }
    sf_strlist_release(&argv);
}

static void start_healing(struct sf_port *p)
{
    if (sf_port_is_offline(p))
        sf_port_note(p, true, "healing needs a model: /connect, or /doctor fix without one");
    else if (sf_port_works(p))
        sf_port_note_while(p, SF_HOLDS_RUNNING, "%s is running: Esc ends it; then try again",
                           sf_port_running(p));
    else
        start(p, SF_DOCTOR_HEAL, "--json");
}

/* Words that begin with a dash stay options of this command, and never become the program's. */
static bool are_names(const char *words)
{
    for (; *words; words += strcspn(words, " \t"), words += strspn(words, " \t"))
        if (*words == '-')
            return false;
    return true;
}

static void start_repair(struct sf_port *p, const char *command, const char *args)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    bool dry = sf_args_take(&args, "--dry-run");

    sf_strbuf_addf(&words, "%s %s%s", command, dry ? "--dry-run " : "", args);
    if (are_names(args))
        start(p, SF_DOCTOR_TEXT, words.buf);
    else
        sf_port_usage(p, "/doctor fix [--dry-run] [CHECK…], or /doctor undo [NUMBER]");
    sf_strbuf_release(&words);
}

void sf_command_doctor(struct sf_port *p, const char *args)
{
    bool online = sf_args_take(&args, "--online"), all = sf_args_take(&args, "--all");

    if (p->doctor.child)
        return; /* the checks run already, and their result will come */
    if (sf_args_take(&args, "fix"))
        start_repair(p, "fix", args);
    else if (sf_args_take(&args, "undo"))
        start_repair(p, "undo", args);
    else if (!strcmp(args, "heal"))
        start_healing(p);
    else if (*args)
        sf_port_usage(p, "/doctor, or /doctor --online; /doctor --all; /doctor fix, undo or heal");
    else
        start(p, all ? SF_DOCTOR_ALL : SF_DOCTOR_CALM, online ? "--json --online" : "--json");
}
