/*
 * command.c: runs a line that begins with a slash. Commands about the axes come from the table of
 * modes, the others from the table here, and last those from files. Only a whole name runs: the
 * beginning of one is an unknown name, and that is an error, never a prompt for the model.
 */
#include "port/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port/internal.h"

#define ALIASES(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct sf_port_command sf_port_commands[] = {
    { "help", ALIASES("keys", "hotkeys"), "[WORDS]", "keys and commands", SF_AT_ANY_TIME,
      sf_command_help, NULL },
    { "status", NULL, "", "session, model, axes, limits, what is left of them", SF_AT_ANY_TIME,
      sf_command_status, NULL },
    { "cost", ALIASES("usage"), "", "tokens and money of this session, by model", SF_AT_ANY_TIME,
      sf_command_cost, NULL },
    { "session-report", NULL, "[--json] [--save]", "what came of this session, in numbers",
      SF_AT_ANY_TIME, sf_command_report, NULL },
    { "model", ALIASES("models"), "[NAME|auto]", "which model answers", SF_AT_ANY_TIME,
      sf_command_model, NULL },
    { "connect", ALIASES("login"), "[PROVIDER]", "connect a model: its key, a try, its models",
      SF_AT_ANY_TIME, sf_command_connect, NULL },
    { "new", ALIASES("clear"), "", "begin a new session; this one stays", SF_AT_REST,
      sf_command_new, NULL },
    { "sessions", ALIASES("resume", "continue"), "[ID]", "list sessions and go on with one",
      SF_AT_ANY_TIME, sf_command_sessions, sf_explain_session },
    { "rename", NULL, "TITLE", "give this session a title", SF_AT_ANY_TIME, sf_command_rename,
      NULL },
    { "queue", NULL, "[list|edit N|drop N|move N M|clear]", "words that wait for the next turn",
      SF_AT_ANY_TIME, sf_command_queue, NULL },
    { "goal", NULL, "[TEXT] [--budget N]",
      "what this session is to reach; pause, resume, complete, blocked, clear", SF_AT_ANY_TIME,
      sf_command_goal, NULL },
    { "plan", ALIASES("plans"), "[list|show NAME|drop NAME]",
      "plans of this workspace and how far they are", SF_AT_ANY_TIME, sf_command_plan,
      sf_explain_plan },
    { "context", NULL, "", "what fills the model's window, part by part", SF_AT_ANY_TIME,
      sf_command_context, NULL },
    { "compact", ALIASES("summarize"), "[FOCUS]", "sum the conversation up now", SF_AT_REST,
      sf_command_compact, NULL },
    { "pin", NULL, "[TEXT|drop N]", "keep a fact before the model, over every summary",
      SF_AT_ANY_TIME, sf_command_pin, NULL },
    { "add-dir", NULL, "[DIR]", "let this session read another directory; writing there asks",
      SF_AT_REST, sf_command_add_dir, NULL },
    { "memory", NULL, "[project|user]", "notes for later sessions", SF_AT_ANY_TIME,
      sf_command_memory, sf_memory_explain },
    { "backtrack", ALIASES("rewind", "checkpoint", "history"), "",
      "back to an earlier prompt: conversation, files or both", SF_AT_REST, sf_command_backtrack,
      NULL },
    { "fork", NULL, "[at|N]", "go on in a fork: from here, or before prompt N", SF_AT_REST,
      sf_command_fork, NULL },
    { "export", NULL, "[md|json|html] [FILE]", "write this session to a file", SF_AT_ANY_TIME,
      sf_command_export, NULL },
    { "diff", NULL, "[N|turn]", "what changed since the session began, or since snapshot N",
      SF_AT_ANY_TIME, sf_command_diff, NULL },
    { "review", NULL, "[--staged|REF|A..B|pr N] [FOCUS] [-- PATH…]|list|show N|fix N",
      "judge changes without writing: findings with place and severity", SF_AT_ANY_TIME,
      sf_command_review, sf_review_explain },
    { "undo", NULL, "[overwrite]", "put the last turn's files back", SF_AT_ANY_TIME,
      sf_command_undo, NULL },
    { "redo", NULL, "", "take the last undo back", SF_AT_ANY_TIME, sf_command_redo, NULL },
    { "restore", NULL, "[N [overwrite]|undo]", "files as they were before a turn", SF_AT_ANY_TIME,
      sf_command_restore, sf_restore_explain },
    { "tasks", NULL, "", "what runs and what waits", SF_AT_ANY_TIME, sf_command_tasks, NULL },
    { "bashes", ALIASES("jobs"), "[N|cancel N]", "commands in the background; what one has written",
      SF_AT_ANY_TIME, sf_command_bashes, NULL },
    { "todos", NULL, "", "the model's list of steps", SF_AT_ANY_TIME, sf_command_todos, NULL },
    { "copy", NULL, "", "copy the last answer", SF_AT_ANY_TIME, NULL, NULL },
    { "find", ALIASES("search"), "[WORDS]", "search in the conversation", SF_AT_ANY_TIME, NULL,
      NULL },
    { "editor", NULL, "", "write in $VISUAL or $EDITOR", SF_AT_ANY_TIME, NULL, NULL },
    { "config", ALIASES("settings"), "[KEY [VALUE]]", "settings: look them up, change one",
      SF_AT_ANY_TIME, sf_command_config, sf_config_explain },
    { "instructions", NULL, "[accept]", "what AGENTS.md says now and did not when you saw it last",
      SF_AT_ANY_TIME, sf_command_instructions, NULL },
    { "permissions", ALIASES("approvals", "allowed-tools"),
      "[list|revoke N|mode suggest|auto|never]",
      "what runs unasked and by whose word; take an approval back", SF_AT_ANY_TIME,
      sf_command_permissions, NULL },
    { "theme", ALIASES("themes"), "[NAME]", "colours: try them, keep one", SF_AT_ANY_TIME, NULL,
      NULL },
    { "logs", NULL, "[LEVEL]", "what happened: the session's events and sf's own log",
      SF_AT_ANY_TIME, sf_command_logs, NULL },
    { "doctor", NULL, "[--all|fix|undo|heal]", "whether all is in order; repair it", SF_AT_ANY_TIME,
      sf_command_doctor, NULL },
    { "commands", NULL, "", "commands from files: yours and the project's", SF_AT_ANY_TIME,
      sf_command_commands, NULL },
    { "init", NULL, "", "write AGENTS.md and the project's scopes, after a look", SF_AT_ANY_TIME,
      sf_command_init, NULL },
    { "sidebar", NULL, "[on|off|auto]", "steps, changes, jobs and cost beside the conversation",
      SF_AT_ANY_TIME, NULL, NULL },
    { "statusline", NULL, "[TEMPLATE|off]", "a line of facts of your choice above the composer",
      SF_AT_ANY_TIME, sf_command_statusline, NULL },
    { "tour", NULL, "", "five minutes with sf, in a directory of its own", SF_AT_REST, NULL, NULL },
    { "vim", NULL, "", "vim keys in the composer on or off", SF_AT_ANY_TIME, NULL, NULL },
    { "mouse", NULL, "", "mouse in sf, or left to the terminal", SF_AT_ANY_TIME, NULL, NULL },
    { "quit", ALIASES("exit", "q"), "", "leave; the session can be resumed", SF_AT_ANY_TIME, NULL,
      NULL },
};

const size_t sf_port_command_count = SF_COUNT(sf_port_commands);

static bool is_called(const char *own, const char *name, size_t len)
{
    return strlen(own) == len && !strncmp(own, name, len);
}

static bool has_name(const struct sf_port_command *c, const char *name, size_t len)
{
    if (is_called(c->name, name, len))
        return true;
    for (const char *const *alias = c->aliases; alias && *alias; alias++)
        if (is_called(*alias, name, len))
            return true;
    return false;
}

static const struct sf_port_command *find_command(const char *name, size_t len)
{
    for (size_t i = 0; i < sf_port_command_count; i++)
        if (has_name(&sf_port_commands[i], name, len))
            return &sf_port_commands[i];
    return NULL;
}

bool sf_port_command_is_own(const char *name)
{
    return find_command(name, strlen(name)) || sf_mode_command_find(name);
}

/* ---- running one ---- */

static void unknown(struct sf_port *p, const char *name, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    char *word = sf_strndup(name, len), quote[SF_QUOTE_MAX];

    sf_fail(&err, SF_E_ARG, "there is no command /%s", sf_quote(quote, word, len));
    sf_port_command_unknown(p, word, &err);
    sf_port_fail(p, &err);
    free(word);
}

/* Passes a command on that only a surface with a screen can run. */
static void give_to_screen(struct sf_port *p, const char *args)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_SCREEN, "");
    sf_strbuf_adds(&r.text, args);
    sf_port_respond(p, &r);
}

static bool must_wait(struct sf_port *p, const struct sf_port_command *c)
{
    struct sf_error err = SF_ERROR_INIT;

    if (c->when == SF_AT_ANY_TIME || !sf_port_works(p))
        return false;
    sf_fail(&err, SF_E_BUSY, "%s is running", sf_port_running(p));
    sf_hint(&err, "Esc cancels it; then try again");
    sf_port_fail(p, &err);
    return true;
}

static void run(struct sf_port *p, const struct sf_port_command *c, const char *args)
{
    p->command = c->name;
    if (must_wait(p, c))
        return;
    if (c->run)
        c->run(p, args);
    else
        give_to_screen(p, args);
}

static const char *mode_name(const char *name, size_t len)
{
    for (size_t i = 0; i < sf_mode_command_count; i++)
        if (is_called(sf_mode_commands[i].name, name, len))
            return sf_mode_commands[i].name;
    return "";
}

static void run_other(struct sf_port *p, const char *line, size_t len)
{
    struct sf_mode_command mode;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_mode_command_parse(line, strlen(line), sf_port_scopes(p), &mode, &err)) {
        p->command = mode_name(line + 1, len);
        sf_port_mode_command(p, &mode, line);
    } else if (err.code != SF_E_NOENT) {
        sf_port_fail(p, &err);
    } else if (!sf_port_custom(p, line)) {
        unknown(p, line + 1, len);
    }
}

void sf_port_command(struct sf_port *p, const char *line)
{
    const char *before = p->command;
    size_t len = strcspn(line + 1, " \t\n");
    const struct sf_port_command *c = len ? find_command(line + 1, len) : find_command("help", 4);
    const char *args = line + 1 + len;

    if (c)
        run(p, c, args + strspn(args, " \t"));
    else
        run_other(p, line, len);
    p->command = before;
    sf_port_changed(p);
}

bool sf_args_take(const char **args, const char *word)
{
    size_t len = strcspn(*args, " ");

    if (len != strlen(word) || strncmp(*args, word, len) != 0)
        return false;
    *args += len + strspn(*args + len, " ");
    return true;
}

bool sf_args_take_number(const char **args, int64_t *number)
{
    size_t len = strcspn(*args, " ");

    if (!len || strspn(*args, "0123456789") != len)
        return false;
    errno = 0;
    *number = strtoll(*args, NULL, 10);
    *args += len + strspn(*args + len, " ");
    return errno == 0;
}

bool sf_args_number(const char *args, int64_t *number)
{
    return sf_args_take_number(&args, number) && !*args;
}

/* ---- explaining a row ---- */

bool sf_port_explain(struct sf_port *p, const char *command, const char *value,
                     struct sf_strbuf *out)
{
    const struct sf_port_command *c = find_command(command, strlen(command));
    const struct sf_mode_command_row *mode = c ? NULL : sf_mode_command_find(command);

    if (c && c->explain)
        c->explain(p, value, out);
    else if (mode)
        sf_port_explain_field(p, mode->field, value, out);
    return out->len > 0;
}

/* ---- documents ---- */

void sf_port_cell_add(struct sf_strbuf *out, const char *text)
{
    for (; *text; text++)
        sf_strbuf_addf(out, "%s%c", *text == '|' ? "\\" : "", *text == '\n' ? ' ' : *text);
}

void sf_port_commands_doc_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(
        out,
        "\n## Commands\n\nA line that begins with a slash; those about the axes are in "
        "[MODES.md](MODES.md). `!COMMAND` runs a command of yours through the same "
        "engine, `#NOTE` keeps a note about the project, `##NOTE` one for all projects, `@` names a "
        "file. In `sf -p` and `sf exec` commands answer on standard output; those marked with * are "
        "about the screen, and `#` begins words, such as a heading.\n\n"
        "| Command | What it does |\n|---|---|\n");
    for (size_t i = 0; i < sf_port_command_count; i++) {
        const struct sf_port_command *c = &sf_port_commands[i];

        sf_strbuf_addf(out, "| `/%s%s", c->name, *c->args ? " " : "");
        sf_port_cell_add(out, c->args);
        sf_strbuf_addf(out, "`%s", c->run ? "" : " \\*");
        for (const char *const *a = c->aliases; a && *a; a++)
            sf_strbuf_addf(out, "%s `/%s`", a == c->aliases ? ", also" : ",", *a);
        sf_strbuf_adds(out, " | ");
        sf_port_cell_add(out, c->help);
        sf_strbuf_adds(out, " |\n");
    }
}
