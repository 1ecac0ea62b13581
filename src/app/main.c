/*
 * main.c: starts sf: opens missing standard descriptors, parses the command line, runs the command,
 * and returns its exit code.
 */
#include <fcntl.h>
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "health/health.h"
#include "port/port.h"
#include "term/term.h"
#include "tui/tui.h"

/*
 * With 0, 1 or 2 closed, the next file opened would become standard output. What is written to a
 * closed standard output fails, as it should: nobody gets it.
 */
static void fill_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        int how = fd == STDERR_FILENO ? O_WRONLY : O_RDONLY;

        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", how) != fd)
            _exit(SF_EXIT_FAILED);
    }
}

static int print_help(const struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_help_add(&text, inv);
    sf_print(&text);
    sf_strbuf_release(&text);
    return SF_EXIT_DONE;
}

/* Adds the keys and commands of the terminal surface. */
static void add_keys_document(struct sf_strbuf *out)
{
    sf_keys_doc_add(out);
    sf_port_commands_doc_add(out);
}

static int dump_document(const char *name)
{
    static const struct {
        const char *name;
        void (*add)(struct sf_strbuf *out);
    } documents[] = {
        { "config", sf_settings_doc_add },
        { "doctor", sf_health_doc },
        { "events", sf_events_doc_add },
        { "events-schema", sf_events_schema_add },
        { "input-schema", sf_input_schema_add },
        { "keys", add_keys_document },
        { "man", sf_manual_add },
        { "modes", sf_modes_doc_add },
        { "plans", sf_plan_doc },
        { "themes", sf_themes_doc_add },
    };
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool known = false;

    for (size_t i = 0; i < SF_COUNT(documents); i++)
        if (!strcmp(name, documents[i].name)) {
            documents[i].add(&text);
            known = true;
        }
    fwrite(text.buf, 1, text.len, stdout);
    sf_strbuf_release(&text);
    return known ? SF_EXIT_DONE : SF_EXIT_USAGE;
}

static int run(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    int code;

    if (sf_cli_get(inv, "help"))
        return print_help(inv);
    if (sf_cli_get(inv, "version"))
        return sf_print_version(sf_cli_get(inv, "verbose") != NULL);
    if (sf_cli_get(inv, "dump-docs"))
        return dump_document(sf_cli_get(inv, "dump-docs"));
    if (!sf_cli_check_args(inv, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    inv->app = sf_app_new(inv);
    code = sf_cli_command(inv)->run(inv);
    sf_app_free(inv->app);
    return code;
}

/* Output that is lost to a full disk or a closed pipe must not pass for success. */
static int flush_output(int code)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_printed(&err))
        return code;
    sf_print_error(&err, SF_EXIT_FAILED);
    return code ? code : SF_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    struct sf_invocation inv = { .app = NULL };
    struct sf_error err = SF_ERROR_INIT;
    int code;

    fill_standard_descriptors();
    if (sf_cli_parse(&inv, argc, argv, &err))
        code = run(&inv);
    else
        code = sf_print_error(&err, SF_EXIT_USAGE);
    code = flush_output(code);
    sf_cli_release(&inv);
    return code;
}
