/*
 * cmd_doctor.c: sf doctor, fix and undo. Gathers what the checks of health need, prints their results
 * as text or JSON, and has repairs performed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "commit.h"
#include "health/health.h"
#include "term/term.h"

enum { JSON_VERSION = 1, LABEL = 26 };

/* Names in results may hold anything, so a text is kept to one line. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
    sf_strbuf_addch(out, '\n');
}

static void add_result(struct sf_strbuf *out, const struct sf_health_result *r)
{
    sf_strbuf_addf(out, "%-8s %-16s ", sf_health_state_names[r->state], r->name);
    add_line(out, r->text);
    if (*r->hint) {
        sf_strbuf_addf(out, "%*s", LABEL, "");
        add_line(out, r->hint);
    }
}

/* The results from `from` on that are of one group; returns the first of the next. */
static size_t add_group(struct sf_strbuf *out, const struct sf_health_report *report, size_t from,
                        bool all)
{
    const char *group = report->items[from].group, *name = "";
    size_t checks = 0, shown = 0, i;

    for (i = from; i < report->count && !strcmp(report->items[i].group, group); i++) {
        const struct sf_health_result *r = &report->items[i];

        checks += strcmp(name, r->name) != 0;
        name = r->name;
        if (all || r->state != SF_HEALTH_OK) {
            add_result(out, r);
            shown++;
        }
    }
    if (!shown)
        sf_strbuf_addf(out, "%-8s %-16s %zu check%s\n", sf_health_state_names[SF_HEALTH_OK], group,
                       checks, checks == 1 ? "" : "s");
    return i;
}

static void add_repairs(struct sf_strbuf *out, const struct sf_health_report *report)
{
    size_t count = 0;

    for (size_t i = 0; i < report->count; i++)
        count += report->items[i].act_count > 0;
    if (count)
        sf_strbuf_addf(out, "\n`sf doctor fix` repairs %zu of these; it can be undone.\n", count);
}

static void print_text(const struct sf_health_report *report, bool all)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < report->count;)
        i = add_group(&out, report, i, all);
    add_repairs(&out, report);
    sf_print(&out);
    sf_strbuf_release(&out);
}

static void print_json(const struct sf_health_report *report)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "v", JSON_VERSION);
    sf_jw_key_str(&w, "health", sf_health_state_names[sf_health_worst(report)]);
    sf_jw_key(&w, "findings");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < report->count; i++) {
        const struct sf_health_result *r = &report->items[i];

        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "check", r->name);
        sf_jw_key_str(&w, "group", r->group);
        sf_jw_key_str(&w, "health", sf_health_state_names[r->state]);
        sf_jw_key_str(&w, "text", r->text);
        sf_jw_key_str(&w, "hint", r->hint);
        sf_jw_key_bool(&w, "fixable", r->act_count > 0);
        sf_jw_object_end(&w);
    }
    sf_jw_array_end(&w);
    sf_jw_object_end(&w);
    sf_strbuf_addch(&out, '\n');
    sf_print(&out);
    sf_strbuf_release(&out);
}

/* ---- what is looked at ---- */

static bool ask_keys(struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_terminal_facts facts;

    if (!sf_terminal_ask(&facts, &ignored))
        return false;
    sf_terminal_keys(&facts, out);
    return true;
}

static struct sf_health_terminal terminal_here(void)
{
    struct sf_health_terminal here = { .there = isatty(STDOUT_FILENO), .keys = ask_keys };
    struct winsize size;

    if (here.there && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        here.columns = size.ws_col;
        here.rows = size.ws_row;
    }
    return here;
}

static struct sf_health_context context_of(struct sf_invocation *inv)
{
    struct sf_health_context at = { .version = "sf " SF_VERSION " (" SF_COMMIT ")",
                                    .setting = sf_app_setting,
                                    .terminal = terminal_here(),
                                    .online = sf_cli_get(inv, "online") != NULL };

    at.workspace = sf_app_workspace(inv->app, &at.no_workspace);
    at.config = sf_app_config(inv->app, &at.no_config);
    at.state_dir = sf_app_state_dir(inv->app, &at.no_state_dir);
    at.catalog = sf_app_catalog(&at.no_catalog);
    return at;
}

/* Only what blocks is printed, so nothing where nothing does. */
static int run_gate(struct sf_invocation *inv)
{
    struct sf_health_context at = context_of(inv);
    struct sf_health_report report = { 0 };
    bool open = sf_health_gate(at.workspace, at.state_dir, &report);

    if (sf_cli_get(inv, "json"))
        print_json(&report);
    else
        print_text(&report, true);
    sf_health_release(&report);
    sf_catalog_free(at.catalog);
    return open ? SF_EXIT_DONE : SF_EXIT_FAILED;
}

int sf_cmd_doctor(struct sf_invocation *inv)
{
    struct sf_health_context at;
    struct sf_health_report report = { 0 };
    bool well;

    if (sf_cli_get(inv, "gate"))
        return run_gate(inv);
    at = context_of(inv);
    sf_health_look(&at, &report);
    if (sf_cli_get(inv, "json"))
        print_json(&report);
    else
        print_text(&report, sf_cli_get(inv, "all") != NULL);
    well = sf_health_worst(&report) == SF_HEALTH_OK;
    sf_health_release(&report);
    sf_catalog_free(at.catalog);
    return well ? SF_EXIT_DONE : SF_EXIT_FAILED;
}

/* ---- repairs ---- */

static bool read_names(const struct sf_invocation *inv, struct sf_strlist *names,
                       struct sf_error *err)
{
    for (size_t i = 0; i < inv->arg_count; i++) {
        if (!sf_health_check_find(inv->args[i])) {
            sf_fail(err, SF_E_ARG, "there is no check called %s", inv->args[i]);
            return sf_hint(err, "sf doctor --all names them");
        }
        sf_strlist_add(names, inv->args[i]);
    }
    return true;
}

static void print_repair(const struct sf_health_result *r, int64_t number)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    if (number)
        sf_strbuf_addf(&out, "repair %lld: ", (long long)number);
    sf_strbuf_addf(&out, "%s: ", r->name);
    add_line(&out, r->text);
    for (size_t i = 0; i < r->act_count; i++) {
        struct sf_strbuf act = SF_STRBUF_INIT;

        sf_health_act_add(&r->acts[i], &act);
        sf_strbuf_adds(&out, "    ");
        add_line(&out, act.buf);
        sf_strbuf_release(&act);
    }
    sf_print(&out);
    sf_strbuf_release(&out);
}

/* Goes on after a repair that fails; false: one did. */
static bool mend_all(const struct sf_health_context *at, const struct sf_health_report *report,
                     bool dry, size_t *count)
{
    bool ok = true;

    for (size_t i = 0; i < report->count; i++) {
        const struct sf_health_result *r = &report->items[i];
        struct sf_error err = SF_ERROR_INIT;
        int64_t number = 0;

        if (!r->act_count)
            continue;
        ++*count;
        if (dry || sf_health_mend(at, r, &number, &err)) {
            print_repair(r, number);
        } else {
            sf_print_error(&err, SF_EXIT_FAILED);
            ok = false;
        }
    }
    return ok;
}

int sf_cmd_doctor_fix(struct sf_invocation *inv)
{
    struct sf_health_context at;
    struct sf_strlist names = SF_STRLIST_INIT;
    struct sf_health_report report = { 0 };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool dry = sf_cli_get(inv, "dry-run") != NULL, ok;
    size_t count = 0;

    if (!read_names(inv, &names, &err)) {
        sf_strlist_release(&names);
        return sf_print_error(&err, SF_EXIT_USAGE);
    }
    at = context_of(inv);
    sf_health_look_at(&at, &names, &report);
    ok = mend_all(&at, &report, dry, &count);
    if (!count)
        sf_strbuf_adds(&out, "There is nothing that sf can repair.\n");
    else if (!dry && ok)
        sf_strbuf_adds(&out, "`sf doctor undo` takes the last one back.\n");
    sf_print(&out);
    sf_strbuf_release(&out);
    sf_strlist_release(&names);
    sf_health_release(&report);
    sf_catalog_free(at.catalog);
    return ok ? SF_EXIT_DONE : SF_EXIT_FAILED;
}

static bool read_number(const struct sf_invocation *inv, int64_t *number, struct sf_error *err)
{
    const char *text = inv->arg_count ? inv->args[0] : "";
    size_t len = strlen(text);

    *number = 0;
    if (!inv->arg_count)
        return true;
    if (!len || len > 9 || strspn(text, "0123456789") != len || *text == '0')
        return sf_fail(err, SF_E_ARG, "%s is not the number of a repair", text);
    *number = strtoll(text, NULL, 10);
    return true;
}

int sf_cmd_doctor_undo(struct sf_invocation *inv)
{
    struct sf_health_record record = { 0 };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const char *dir;
    int64_t number;
    bool ok;

    if (!read_number(inv, &number, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    dir = sf_app_state_dir(inv->app, &err);
    ok = dir && sf_health_undo(dir, number, &record, &err);
    if (ok) {
        sf_strbuf_addf(&out, "undid repair %lld: ", (long long)record.number);
        add_line(&out, record.about.text);
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_health_record_release(&record);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}
