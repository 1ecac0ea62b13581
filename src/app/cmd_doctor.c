/*
 * cmd_doctor.c: sf doctor. Gathers what the checks of health need and prints their results as text
 * or JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "commit.h"
#include "health/health.h"
#include "term/term.h"

enum { JSON_VERSION = 1, LABEL = 20 };

/* Names in results may hold anything, so a text is kept to one line. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
    sf_strbuf_addch(out, '\n');
}

static void print_text(const struct sf_health_report *report)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (size_t i = 0; i < report->count; i++) {
        const struct sf_health_result *r = &report->items[i];

        sf_strbuf_addf(&out, "%-8s %-10s ", sf_health_state_names[r->state], r->name);
        add_line(&out, r->text);
        if (*r->hint) {
            sf_strbuf_addf(&out, "%*s", LABEL, "");
            add_line(&out, r->hint);
        }
    }
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
        sf_jw_key_str(&w, "health", sf_health_state_names[r->state]);
        sf_jw_key_str(&w, "text", r->text);
        sf_jw_key_str(&w, "hint", r->hint);
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

int sf_cmd_doctor(struct sf_invocation *inv)
{
    struct sf_health_context at = { .version = "sf " SF_VERSION " (" SF_COMMIT ")",
                                    .setting = sf_app_setting,
                                    .terminal = terminal_here(),
                                    .online = sf_cli_get(inv, "online") != NULL };
    struct sf_health_report report = { 0 };
    bool well;

    at.workspace = sf_app_workspace(inv->app, &at.no_workspace);
    at.config = sf_app_config(inv->app, &at.no_config);
    at.state_dir = sf_app_state_dir(inv->app, &at.no_state_dir);
    at.catalog = sf_app_catalog(&at.no_catalog);
    sf_health_look(&at, &report);
    if (sf_cli_get(inv, "json"))
        print_json(&report);
    else
        print_text(&report);
    well = sf_health_worst(&report) == SF_HEALTH_OK;
    sf_health_release(&report);
    sf_catalog_free(at.catalog);
    return well ? SF_EXIT_DONE : SF_EXIT_FAILED;
}
