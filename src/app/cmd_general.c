/*
 * cmd_general.c: sf without a command, sf tasks, sf help, sf completion.
 */
#include <unistd.h>

#include "app/app.h"
#include "base/base.h"
#include "modes/modes.h"

/* Options that only make sense on a screen are refused where there is none, not ignored. */
static int refuse_screen(const struct sf_invocation *inv)
{
    const char *resume = sf_cli_get(inv, "resume");
    struct sf_error err = SF_ERROR_INIT;

    sf_fail(&err, SF_E_ARG, "there is no terminal here to open the screen in");
    if (resume && !strcmp(resume, SF_RESUME_LIST))
        sf_hint(&err, "`sf sessions` lists sessions; sf -r ID -p 'PROMPT' goes on with one");
    else
        sf_hint(&err, "sf -p 'PROMPT' answers on standard output");
    return sf_print_error(&err, SF_EXIT_USAGE);
}

/* The first option whose help says that it is for runs without a screen; or NULL. */
static const char *headless_option(const struct sf_invocation *inv)
{
    static const char mark[] = "for -p and exec: ";

    for (size_t i = 0; i < inv->given_count; i++) {
        const struct sf_option *o = inv->given[i].option;

        if (o->help && !strncmp(o->help, mark, sizeof(mark) - 1))
            return o->name;
    }
    return NULL;
}

static int refuse_headless(const char *option)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_fail(&err, SF_E_ARG, "--%s goes with -p or exec", option);
    sf_hint(&err, "sf -p 'PROMPT' answers on standard output");
    return sf_print_error(&err, SF_EXIT_USAGE);
}

/* Without a command sf prints what it would start with here, and what to do next. */
int sf_cmd_root(struct sf_invocation *inv)
{
    static const char *const axes[] = { "defaults.work_mode", "defaults.run_control",
                                        "defaults.permission_profile", "defaults.model_mode" };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = sf_app_config(inv->app, &err);
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool errors;

    if (sf_cli_get(inv, "print"))
        return sf_cmd_exec(inv);
    if (headless_option(inv))
        return refuse_headless(headless_option(inv));
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        return sf_cmd_tui(inv);
    if (sf_cli_get(inv, "record"))
        return refuse_headless("record");
    if (inv->arg_count || sf_cli_get(inv, "continue") || sf_cli_get(inv, "resume"))
        return refuse_screen(inv);
    if (!config)
        return sf_print_error(&err, SF_EXIT_USAGE);
    errors = sf_print_notes(config);
    sf_strbuf_adds(&out, "SF ");
    for (size_t i = 0; i < SF_COUNT(axes); i++)
        sf_strbuf_addf(&out, "%s%s", i ? " | " : "", sf_config_text(config, axes[i]));
    sf_strbuf_addf(&out, "\n\nworkspace  %s\n\n", sf_app_workspace(inv->app, &err)->root);
    sf_strbuf_adds(
        &out, "`sf -p 'find TODO in src'` does one piece of work; without a key the built-in\n"
              "offline operator does it. In a terminal sf opens its screen. `sf --help` lists its\n"
              "commands.\n");
    sf_print(&out);
    sf_strbuf_release(&out);
    return errors ? SF_EXIT_FAILED : SF_EXIT_DONE;
}

/* `sf tasks` is the command of a session, without one. */
int sf_cmd_tasks(struct sf_invocation *inv)
{
    sf_cli_give(inv, "print", "/tasks");
    if (sf_cli_get(inv, "json"))
        sf_cli_give(inv, "output-format", "stream-json");
    return sf_cmd_exec(inv);
}

/* `sf help config get` is `sf config get --help`; `sf help options` has what all accept. */
int sf_cmd_help(struct sf_invocation *inv)
{
    struct sf_invocation target = { .chain = { &sf_root_command }, .depth = 1 };
    struct sf_strlist words = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int code = SF_EXIT_DONE;

    if (inv->arg_count == 1 && !strcmp(inv->args[0], "options")) {
        sf_help_options_add(&text);
        sf_print(&text);
        sf_strbuf_release(&text);
        return SF_EXIT_DONE;
    }
    sf_strlist_add(&words, "sf");
    for (size_t i = 0; i < inv->arg_count; i++)
        sf_strlist_add(&words, inv->args[i]);
    if (sf_cli_parse(&target, (int)words.count, words.items, &err) &&
        (!target.arg_count || sf_cli_unknown(&target, target.args[0], &err))) {
        sf_help_add(&text, &target);
        sf_print(&text);
    } else {
        code = sf_print_error(&err, SF_EXIT_USAGE);
    }
    sf_cli_release(&target);
    sf_strlist_release(&words);
    sf_strbuf_release(&text);
    return code;
}

int sf_cmd_completion(struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int code = SF_EXIT_DONE;

    if (sf_completion_add(&text, inv->args[0])) {
        fwrite(text.buf, 1, text.len, stdout);
    } else {
        sf_fail(&err, SF_E_ARG, "there is no completion for '%s'", inv->args[0]);
        sf_hint(&err, "bash, zsh and fish have one");
        code = sf_print_error(&err, SF_EXIT_USAGE);
    }
    sf_strbuf_release(&text);
    return code;
}
